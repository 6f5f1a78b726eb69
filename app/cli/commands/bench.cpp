// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <chrono>
#include <memory>
#include <thread>

#include <nlohmann/json.hpp>

#include "app/cli/commands.h"
#include "app/cli/planinput.h"
#include "model/evaluation/evaluation.h"
#include "model/scenario/presets.h"
#include "model/units/text.h"

namespace cw::cli {

namespace {

struct Options
{
    std::string plan = "superpod-8192";
    std::string format;
};

/// A plain dense model on a plain machine, the same on every machine that is compared.
scenario::Scenario plainPlan()
{
    scenario::Scenario s;
    scenario::applyPreset(s, "model", "gpt3-175b");
    scenario::applyPreset(s, "cluster", "dgx-h100");
    s.cluster.chips = 1024;
    s.parallelism.tensor = 8;
    s.parallelism.pipeline = 8;
    s.workload.sequenceLength = 2048;
    s.workload.globalBatchSequences = 1536;
    return s;
}

/// Median microseconds of one call, over at least `kLeast` calls and about a second.
template <class Call>
double medianUs(const Call& call)
{
    using Clock = std::chrono::steady_clock;
    constexpr std::size_t kLeast = 21;
    constexpr std::size_t kMost = 20001;
    std::vector<double> times;
    const auto end = Clock::now() + std::chrono::seconds(1);
    while (times.size() < kLeast || (times.size() < kMost && Clock::now() < end)) {
        const auto start = Clock::now();
        call();
        times.push_back(std::chrono::duration<double, std::micro>(Clock::now() - start).count());
    }
    const auto middle = times.begin() + static_cast<std::ptrdiff_t>(times.size() / 2);
    std::nth_element(times.begin(), middle, times.end());
    return *middle;
}

void bench(const Session& session, const Options& options)
{
    const scenario::Scenario plain = plainPlan();
    const GivenPlan given = readGiven(session, options.plan);
    const scenario::Scenario& whole = given.plan.scenario;
    const std::string& name = given.name;
    double sink = 0; // what is computed is used
    const double evaluate =
        medianUs([&] { sink += evaluation::evaluate(whole).step.time.si() > 0 ? 1 : 0; });
    const double core =
        medianUs([&] { sink += evaluation::evaluateCore(plain).step.time.si() > 0 ? 1 : 0; });
    const unsigned threads = std::max(1U, std::thread::hardware_concurrency());
    if (sink <= 0)
        session.complain(name);
    if (options.format == "json") {
        const nlohmann::ordered_json answer{
            {"evaluate_us", evaluate}, {"evaluate_core_us", core}, {"threads", threads}};
        session.streams.out << answer.dump(2) << '\n';
        return;
    }
    const auto line = [&](const char* key, const std::string& of, const std::string& value) {
        session.streams.out << text::filled(session.term(key), {{"name", of}}) << ": " << value
                            << '\n';
    };
    line("bench.evaluate", name, units::human(evaluate * 1e-6, units::Unit::Seconds));
    line("bench.core", "gpt3-175b", units::human(core * 1e-6, units::Unit::Seconds));
    line("bench.threads", "", std::to_string(threads));
}

} // namespace

void addBench(CLI::App& program, Session& session)
{
    const auto options = std::make_shared<Options>();
    CLI::App* command = session.add(program, "bench", session.term("bench"),
                                    [&session, options] { bench(session, *options); });
    session.takeText(*command, "PLAN", options->plan, session.term("plan"), false);
    session.takeFormat(*command, options->format, {"text", "json"});
}

} // namespace cw::cli
