// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Plans that several test programs share.

#include <string>
#include <utility>
#include <vector>

#include "model/scenario/presets.h"
#include "model/scenario/scenario.h"

namespace cw::testplans {

using scenario::Scenario;

inline void use(Scenario& s, const char* part, const char* preset)
{
    scenario::applyPreset(s, part, preset);
}

/// A plain dense GPT with tensor, pipeline and data parallelism on 64 A100.
inline Scenario denseGpt()
{
    Scenario s;
    use(s, "model", "megatron-22b");
    use(s, "cluster", "dgx-a100-80");
    use(s, "software", "megatron-2021");
    s.cluster.chips = 64;
    s.workload.sequenceLength = 2048;
    s.workload.globalBatchSequences = 128;
    s.workload.trainingTokens = 300e9;
    s.parallelism.tensor = 8;
    s.parallelism.pipeline = 4;
    s.parallelism.microBatchSequences = 1;
    s.parallelism.recompute = {scenario::Recompute::Selective};
    return s;
}

/// DeepSeek-V3 on 2,048 H800 as its report describes the run (2412.19437, sec. 3).
inline Scenario deepSeek()
{
    using scenario::Format;
    Scenario s;
    use(s, "model", "deepseek-v3");
    use(s, "cluster", "hgx-h800");
    use(s, "software", "hai-llm");
    s.cluster.chips = 2048;
    s.workload.sequenceLength = 4096;
    s.workload.globalBatchSequences = 15360;
    s.workload.trainingTokens = 14.8e12;
    s.precision.compute = Format::Fp8;
    s.precision.optimizerMoments = Format::Bf16;
    s.precision.dispatch = Format::Fp8;
    s.parallelism.sequenceParallel = false;
    s.parallelism.pipeline = 16;
    s.parallelism.expert = 64;
    s.parallelism.schedule = scenario::Schedule::DualPipe;
    s.parallelism.recompute = {scenario::Recompute::Norm, scenario::Recompute::MlaUp,
                               scenario::Recompute::MoeActivation};
    return s;
}

/// gpt-oss-120b with sliding windows and experts on 128 H100.
inline Scenario gptOss()
{
    Scenario s;
    use(s, "model", "gpt-oss-120b");
    use(s, "cluster", "dgx-h100");
    use(s, "software", "megatron-bridge");
    s.cluster.chips = 128;
    s.workload.sequenceLength = 4096;
    s.workload.globalBatchSequences = 512;
    s.workload.trainingTokens = 1e12;
    s.parallelism.tensor = 2;
    s.parallelism.pipeline = 4;
    s.parallelism.expert = 8;
    return s;
}

/// Fully sharded Llama 3.1 8B.
inline Scenario fullySharded()
{
    Scenario s;
    use(s, "model", "llama3.1-8b");
    use(s, "cluster", "dgx-h100");
    use(s, "software", "pytorch-fsdp");
    s.cluster.chips = 64;
    s.workload.sequenceLength = 8192;
    s.workload.globalBatchSequences = 128;
    s.parallelism.zeroStage = 3;
    s.parallelism.recompute = {scenario::Recompute::Full};
    return s;
}

/// Interleaved pipeline with context parallelism for Llama 3.1 70B.
inline Scenario interleaved()
{
    Scenario s;
    use(s, "model", "llama3.1-70b");
    use(s, "cluster", "gb200-nvl72");
    use(s, "software", "nemo");
    s.cluster.chips = 576;
    s.workload.sequenceLength = 32768;
    s.workload.globalBatchSequences = 144;
    s.parallelism.tensor = 4;
    s.parallelism.context = 2;
    s.parallelism.pipeline = 4;
    s.parallelism.virtualStages = 5;
    s.parallelism.schedule = scenario::Schedule::Interleaved;
    return s;
}

/// Optimizer, activations and experts partly off the device.
inline Scenario offloaded()
{
    Scenario s = gptOss();
    s.parallelism.offload.optimizer = 0.5;
    s.parallelism.offload.activations = 0.25;
    s.parallelism.offload.experts = 0.125;
    return s;
}

/// All of the above, with their names. Racks are given room: they are not what these plans test.
inline std::vector<std::pair<std::string, Scenario>> all()
{
    std::vector<std::pair<std::string, Scenario>> plans{
        {"dense GPT, 1F1B", denseGpt()},
        {"DeepSeek-V3, DualPipe", deepSeek()},
        {"gpt-oss, windows and experts", gptOss()},
        {"fully sharded", fullySharded()},
        {"interleaved, context parallel", interleaved()},
        {"offloaded", offloaded()}};
    for (auto& [name, plan] : plans)
        plan.facility.rackPowerLimit = 150e3;
    return plans;
}

} // namespace cw::testplans
