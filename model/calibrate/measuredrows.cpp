// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/calibrate/measuredrows.h"

#include <algorithm>
#include <cmath>
#include <regex>

#include "model/scenario/layout.h"
#include "model/scenario/presets.h"
#include "model/scenario/registry.h"
#include "model/transformer/counts.h"
#include "resources/embedded.h"

namespace cw::calibrate {

using Json = nlohmann::json;
using scenario::Format;
using scenario::Recompute;
using scenario::Scenario;
using scenario::Schedule;

namespace {

const Json& rules()
{
    static const Json json = Json::parse(resources::file("calibration/sources.json"));
    return json;
}

double number(const Json& j, const char* name, double fallback = 0)
{
    const auto it = j.find(name);
    return it != j.end() && it->is_number() ? it->get<double>() : fallback;
}

bool has(const Json& j, const char* name)
{
    const auto it = j.find(name);
    return it != j.end() && it->is_number();
}

std::string text(const Json& j, const char* name)
{
    const auto it = j.find(name);
    if (it == j.end() || it->is_null())
        return {};
    return it->is_string() ? it->get<std::string>() : it->dump();
}

bool contains(const std::string& where, const char* what)
{
    return where.find(what) != std::string::npos;
}

std::int64_t whole(const Json& j, const char* name, std::int64_t fallback)
{
    const double x = number(j, name, static_cast<double>(fallback));
    return std::isfinite(x) && x >= 0 && x < 1e9 ? static_cast<std::int64_t>(std::llround(x))
                                                 : fallback;
}

std::int64_t degree(const Json& row, const char* name)
{
    return std::max<std::int64_t>(1, whole(row, name, 1));
}

/// Why the row cannot become a plan.
std::string missingOf(const Json& row)
{
    if (text(row, "task") != "pretrain" && text(row, "task") != "sft")
        return "validate.task";
    const Json model = row.value("model", Json::object());
    if (!model.is_object())
        return "validate.missing: model";
    for (const char* name : {"layers", "hidden", "heads", "vocab", "seq_len"})
        if (!has(model, name))
            return std::string("validate.missing: model.") + name;
    if (!has(model, "ffn_hidden") && !has(model, "moe_ffn_hidden"))
        return "validate.missing: model.ffn_hidden";
    for (const char* name : {"chips", "tp", "pp", "micro_batch", "global_batch"})
        if (!has(row, name))
            return std::string("validate.missing: ") + name;
    if (model.contains("hybrid") && !model["hybrid"].is_null() && model["hybrid"] != false)
        return "validate.hybrid";
    const std::string schedule = text(row, "schedule");
    if (contains(schedule, "method vocab") || contains(schedule, "method interlaced"))
        return "validate.vocabulary-parallel";
    if (number(row, "micro_batch") < 1 && number(row, "micro_batch") > 0)
        return "validate.fractional-micro-batch";
    if (!rules()["chips"].contains(text(row, "chip_key")))
        return "validate.chip: " + text(row, "chip_key");
    return {};
}

scenario::Attention attentionOf(const Json& m)
{
    scenario::Attention a;
    a.heads = degree(m, "heads");
    a.keyValueHeads = whole(m, "kv_heads", a.heads);
    a.headDim = whole(m, "head_dim", 0);
    if (m.contains("mla") && m["mla"].is_object()) {
        const Json& mla = m["mla"];
        a.kind = scenario::AttentionKind::Mla;
        a.queryRank = whole(mla, "q_lora_rank", 0);
        a.keyValueRank = whole(mla, "kv_lora_rank", 512);
        a.nopeDim = whole(mla, "qk_nope_head_dim", 128);
        a.ropeDim = whole(mla, "qk_rope_head_dim", 64);
        a.valueDim = whole(mla, "v_head_dim", 128);
    } else if (whole(m, "sliding_window", 0) > 0) {
        a.kind = scenario::AttentionKind::SlidingWindow;
        a.window = whole(m, "sliding_window", 0);
    }
    return a;
}

bool isText(const Json& j, const char* name)
{
    const auto it = j.find(name);
    return it != j.end() && it->is_string();
}

/// Layers of one kind after the other, or turn about where the row says that every other layer has
/// a window or experts.
std::vector<scenario::LayerGroup> groupsOf(const Json& m, scenario::LayerGroup dense)
{
    std::vector<scenario::LayerGroup> groups;
    scenario::LayerGroup last = dense;
    if (whole(m, "experts", 0) > 1) {
        last.ffn.kind = scenario::FfnKind::Moe;
        last.ffn.experts = whole(m, "experts", 0);
        last.ffn.topK = degree(m, "top_k");
        last.ffn.hidden = whole(m, "moe_ffn_hidden", dense.ffn.hidden);
        last.ffn.sharedExperts = whole(m, "shared_experts", 0);
        const std::int64_t first = isText(m, "moe_layer_pattern")
                                       ? dense.count / 2
                                       : std::min(whole(m, "dense_layers", 0), dense.count - 1);
        last.count = dense.count - first;
        dense.count = first;
        if (first > 0)
            groups.push_back(dense);
    }
    if (isText(m, "sliding_window_pattern") && last.count > 1) {
        scenario::LayerGroup open = last;
        open.attention.kind = scenario::AttentionKind::Full;
        open.count = last.count / 2;
        last.count -= open.count;
        groups.push_back(open);
    }
    groups.push_back(last);
    return groups;
}

void setModel(const Json& m, Scenario& s)
{
    scenario::Model model;
    model.hidden = degree(m, "hidden");
    model.vocabulary = degree(m, "vocab");
    model.tiedEmbeddings = m.value("tied_embeddings", Json()) == true;
    model.mtpLayers = whole(m, "mtp_layers", 0);
    scenario::LayerGroup dense;
    dense.attention = attentionOf(m);
    dense.ffn.kind = scenario::FfnKind::Dense;
    dense.ffn.gated = !(m.value("gated_mlp", Json()) == false);
    dense.ffn.hidden = whole(m, "ffn_hidden", 0);
    dense.count = degree(m, "layers");
    if (!dense.ffn.gated) // the plain GPT layer
        model.norm = scenario::NormKind::LayerNorm;
    model.groups = groupsOf(m, dense);
    if (model.groups.size() > 1 &&
        (isText(m, "sliding_window_pattern") || isText(m, "moe_layer_pattern")))
        model.interleavedGroups = 2;
    s.model = model;
    s.workload.sequenceLength = degree(m, "seq_len");
}

void setRecompute(const Json& row, Scenario& s)
{
    const std::string r = text(row, "recompute");
    auto& list = s.parallelism.recompute;
    list.clear();
    const auto starts = [&](const char* prefix) {
        return r.rfind(prefix, 0) == 0;
    };
    if (starts("full") || contains(r, "rematerialisation")) {
        list = {Recompute::Full};
        std::smatch match;
        static const std::regex kBlock("block, num_layers (\\d+)");
        if (std::regex_search(r, match, kBlock))
            s.parallelism.recomputeLayers = std::stoll(match[1].str());
        return;
    }
    if (starts("custom")) { // policies of compilers: all but the products
        list = {Recompute::Full};
        return;
    }
    if (contains(r, "mla_up_proj") || contains(r, "MLA up"))
        list.push_back(Recompute::MlaUp);
    if (contains(r, "layernorm") || contains(r, "RMSNorm"))
        list.push_back(Recompute::Norm);
    if (contains(r, "moe_act"))
        list.push_back(Recompute::MoeActivation);
    if (contains(r, ": mlp") || contains(r, ", mlp"))
        list.push_back(Recompute::Mlp);
    if (contains(r, ": moe,") || contains(r, ", moe,"))
        list.push_back(Recompute::Moe);
    if (contains(r, "core_attn") || contains(r, "core attention") || contains(r, "attention core"))
        list.push_back(Recompute::Selective);
    if (list.empty() && starts("selective"))
        list.push_back(Recompute::Selective);
}

void setSchedule(const Json& row, Scenario& s)
{
    const std::string name = text(row, "schedule");
    auto& p = s.parallelism;
    p.virtualStages = degree(row, "vp");
    p.schedule = p.virtualStages > 1 ? Schedule::Interleaved : Schedule::OneFOneB;
    if (contains(name, "ZB-1p") || contains(name, "zero bubble"))
        p.schedule = Schedule::ZeroBubbleH1;
    else if (contains(name, "ZB-2p") || contains(name, "zbb"))
        p.schedule = Schedule::ZeroBubbleH2;
    else if (contains(name, "ZB-V") || contains(name, "ZBV"))
        p.schedule = Schedule::ZeroBubbleV;
    else if (contains(name, "V-half"))
        p.schedule = Schedule::VHalf;
    else if (contains(name, "V-min"))
        p.schedule = Schedule::VMin;
    else if (contains(name, "DualPipe"))
        p.schedule = Schedule::DualPipe;
    if (p.schedule != Schedule::Interleaved)
        p.virtualStages = 1;
    if (p.pipeline <= 1) {
        p.schedule = Schedule::OneFOneB;
        p.virtualStages = 1;
    }
}

void setLayout(const Json& row, Scenario& s)
{
    auto& p = s.parallelism;
    p.tensor = degree(row, "tp");
    p.pipeline = degree(row, "pp");
    p.context = degree(row, "cp");
    p.expert = degree(row, "ep");
    // Megatron cuts experts as it cuts the rest unless it is told otherwise.
    const bool moe = whole(row["model"], "experts", 0) > 1;
    p.expertTensor = has(row, "etp") ? degree(row, "etp") : moe ? p.tensor : 1;
    s.cluster.chips = degree(row, "chips");
    p.data = std::max<std::int64_t>(1, s.cluster.chips / (p.tensor * p.pipeline * p.context));
    const Json sp = row.value("sp", Json());
    p.sequenceParallel = sp.is_boolean() ? sp.get<bool>() : p.tensor > 1;
    p.microBatchSequences = degree(row, "micro_batch");
    s.workload.globalBatchSequences = degree(row, "global_batch");
    const std::string zero = text(row, "zero_stage");
    p.zeroStage = zero.rfind("fsdp", 0) == 0 || contains(zero, "hybrid")
                      ? 3
                      : std::min<std::int64_t>(3, whole(row, "zero_stage", 1));
    static const std::regex kGroup("shard(?: group)? (\\d+)");
    std::smatch match;
    if (std::regex_search(zero, match, kGroup))
        p.shardingGroup = std::stoll(match[1].str());
    setSchedule(row, s);
    setRecompute(row, s);
}

void setPrecision(const Json& row, Scenario& s)
{
    const std::string key = text(row, "precision_key");
    auto& p = s.precision;
    // FP8-MX is printed beside rows that say FP8.
    if (key == "mxfp8" || contains(text(row, "precision"), "FP8-MX"))
        p.compute = Format::Mxfp8;
    else if (key == "fp16")
        p.compute = Format::Fp16;
    else if (key == "fp8")
        p.compute = Format::Fp8;
    else if (key == "nvfp4")
        p.compute = Format::Nvfp4;
    else if (key == "int8")
        p.compute = Format::Int8;
    else if (key == "fp32")
        p.compute = Format::Tf32;
    else
        p.compute = Format::Bf16;
}

/// Gbit/s of a node where a text tells them for several chips: "400 Gbps per node (A100), 800 ...".
double bandwidthOfChip(const std::string& nodes, const std::string& chip)
{
    static const std::regex kEach("(\\d+) Gbps[^(,]*\\(([^)]+)\\)");
    for (auto it = std::sregex_iterator(nodes.begin(), nodes.end(), kEach);
         it != std::sregex_iterator(); ++it)
        if (chip.rfind((*it)[2].str(), 0) == 0)
            return std::stod((*it)[1].str());
    return 0;
}

/// Bytes/s of one chip's share of the NICs, as the row tells it.
void setNetwork(const Json& row, Scenario& s)
{
    const std::string nodes = text(row, "nodes");
    const double perNode = static_cast<double>(std::max<std::int64_t>(1, s.cluster.node.chips));
    std::smatch match;
    static const std::regex kSeveral("(\\d+) ?x [^,;\"]*?(\\d+) Gb/s");
    static const std::regex kNode("(\\d+) Gbps");
    static const std::regex kOne("(\\d+) Gb/s");
    auto& out = s.cluster.network.scaleOut;
    if (std::regex_search(nodes, match, kSeveral))
        out.bandwidth = std::stod(match[1].str()) * std::stod(match[2].str()) * 1e9 / 8 / perNode;
    else if (const auto own = bandwidthOfChip(nodes, text(row, "chip_key")); own > 0)
        out.bandwidth = own * 1e9 / 8 / perNode;
    else if (std::regex_search(nodes, match, kNode))
        out.bandwidth = std::stod(match[1].str()) * 1e9 / 8 / perNode;
    else if (std::regex_search(nodes, match, kOne))
        out.bandwidth = std::stod(match[1].str()) * 1e9 / 8;
}

/// Layers as recipes lay them out: as many in each chunk, what remains in the last one with the
/// head and the prediction module.
void setRemainderLast(Scenario& s)
{
    std::int64_t layers = 0;
    for (const scenario::LayerGroup& g : s.model.groups)
        layers += g.count;
    const std::int64_t chunks = s.parallelism.pipeline * s.parallelism.virtualStages;
    const std::int64_t each = (layers + chunks - 1) / chunks;
    const std::int64_t last = layers - each * (chunks - 1);
    if (chunks < 2 || last == each || last < 0)
        return;
    s.parallelism.stageLayers.assign(static_cast<std::size_t>(chunks), each);
    s.parallelism.stageLayers.back() = last;
}

/// Interleaves one layer for each chunk, as the recipes of the source do where its table has no
/// column for it.
void setOneLayerChunks(Scenario& s)
{
    std::int64_t layers = 0;
    for (const scenario::LayerGroup& g : s.model.groups)
        layers += g.count;
    auto& p = s.parallelism;
    if (p.pipeline < 2 || p.schedule != Schedule::OneFOneB || layers % p.pipeline != 0)
        return;
    p.schedule = Schedule::Interleaved;
    p.virtualStages = layers / p.pipeline;
}

/// Stages of about the same number of parameters, embedding and head included: the largest of them
/// as small as can be.
void setEvenParameters(Scenario& s)
{
    std::int64_t layers = 0;
    for (const scenario::LayerGroup& g : s.model.groups)
        layers += g.count;
    const std::int64_t stages = s.parallelism.pipeline;
    if (stages < 3 || s.parallelism.virtualStages > 1)
        return;
    const scenario::Inputs<double> in(s);
    const auto counts = transformer::countParameters(in, transformer::layersOf(in));
    const double table = counts.embedding / counts.perLayer.back();
    double best = 0;
    for (std::int64_t outer = 1; 2 * outer < layers; ++outer) {
        const std::int64_t inner = layers - 2 * outer;
        const std::int64_t most = (inner + stages - 3) / (stages - 2);
        const double largest =
            std::max(static_cast<double>(outer) + table, static_cast<double>(most));
        if (best > 0 && largest >= best)
            continue;
        best = largest;
        auto& cut = s.parallelism.stageLayers;
        cut.assign(static_cast<std::size_t>(stages), inner / (stages - 2));
        for (std::int64_t i = 0; i < inner % (stages - 2); ++i)
            ++cut[static_cast<std::size_t>(1 + i)];
        cut.front() = cut.back() = outer;
    }
}

/// The settings of a source: its software preset and what its recipes set beside it.
void setSource(const Json& row, Scenario& s)
{
    const Json source = row.value("source", Json::object());
    const std::string repo = text(source, "repo");
    const std::string title = text(source, "title");
    const std::string notes = text(row, "notes");
    const std::string release = text(row, "software");
    const std::string kind = whole(row["model"], "experts", 0) > 1 ? "moe" : "dense";
    for (const Json& rule : rules()["sources"]) {
        const auto matches = [&](const char* name, const std::string& where) {
            return !rule.contains(name) || contains(where, rule[name].get<std::string>().c_str());
        };
        if (!matches("repo", repo) || !matches("title", title) || !matches("notes", notes) ||
            !matches("release", release) || !matches("table", text(source, "table")) ||
            !matches("ref", text(source, "ref")) || !matches("kind", kind) ||
            !matches("precision", text(row, "precision_key")) ||
            !matches("chip", text(row, "chip_key")) || !matches("overlap", text(row, "overlap")))
            continue;
        if (rule.contains("software"))
            scenario::applyPreset(s, "software", rule["software"].get<std::string>());
        const auto settings = rule.find("set");
        if (settings != rule.end()) {
            const auto all = scenario::parameters(s);
            for (const auto& [path, value] : settings->items()) {
                for (const auto& parameter : all) {
                    if (parameter.path != path)
                        continue;
                    const auto v = scenario::parseValue(
                        parameter, value.is_string() ? value.get<std::string>() : value.dump());
                    if (v)
                        scenario::setValue(s, path, *v);
                }
            }
        }
        if (rule.value("experts_uncut", false) && !has(row, "etp"))
            s.parallelism.expertTensor = 1;
        if (rule.value("even_parameters", false))
            setEvenParameters(s);
        if (rule.value("one_layer_chunks", false) && !has(row, "vp"))
            setOneLayerChunks(s);
        if (rule.value("remainder_last", false))
            setRemainderLast(s);
        if (!rule.value("continue", false))
            return;
    }
}

void setOverlap(const Json& row, Scenario& s)
{
    const Json overlap = row.value("overlap", Json());
    auto& list = s.software.overlap;
    const auto set = [&](scenario::Overlap what, bool on) {
        list.erase(std::remove(list.begin(), list.end(), what), list.end());
        if (on)
            list.push_back(what);
    };
    if (overlap.is_string()) {
        const std::string o = overlap.get<std::string>();
        if (o.rfind("none", 0) == 0 || o.rfind("disabled", 0) == 0)
            list.clear();
        return;
    }
    if (!overlap.is_object())
        return;
    if (overlap.contains("grad_reduce"))
        set(scenario::Overlap::Data, overlap["grad_reduce"] == true);
    if (overlap.contains("param_gather"))
        set(scenario::Overlap::DataGather, overlap["param_gather"] == true);
    if (overlap.contains("ep_all_to_all"))
        set(scenario::Overlap::Expert, overlap["ep_all_to_all"] == true);
    if (overlap.contains("tp_comm"))
        set(scenario::Overlap::Tensor,
            !overlap["tp_comm"].is_null() && overlap["tp_comm"] != false);
    if (overlap.contains("mc2"))
        set(scenario::Overlap::Tensor, overlap["mc2"] == true);
}

bool listed(const Json& list, const std::string& name)
{
    return std::find(list.begin(), list.end(), name) != list.end();
}

void readMeasured(const Json& row, MeasuredRow& r)
{
    const Json derived = row.value("derived", Json::object());
    const Json measured = row.value("measured", Json::object());
    if (derived.is_object() && number(derived, "step_time_s_best") > 0)
        r.stepTime = number(derived, "step_time_s_best");
    else if (measured.is_object() && number(measured, "step_time_s") > 0)
        r.stepTime = number(measured, "step_time_s");
    if (!measured.is_object())
        return;
    const std::string repo = text(row.value("source", Json::object()), "repo");
    r.allocated = listed(rules()["allocated_sources"], repo);
    // Tools print GiB as GB: torch's counters and nvidia-smi both count in 2^30 or MiB.
    if (number(measured, "memory_gb") > 0 && !contains(text(row, "notes"), "analytical figure"))
        r.memory = number(measured, "memory_gb") * 1073741824.0;
    if (measured.value("oom", Json()) == true)
        r.fits = false;
    else if (measured.contains("status_text") ||
             (r.stepTime && listed(rules()["fits_sources"], repo)))
        r.fits = true;
}

} // namespace

double shownMemory(const MeasuredRow& row, const memory::MemoryLedger<double>& ledger)
{
    const auto& fullest = ledger.stages[ledger.peakStage];
    return (row.allocated ? fullest.peak - fullest.fixed : ledger.reserved).si();
}

MeasuredRow readRow(const Json& row)
{
    MeasuredRow r;
    r.id = text(row, "id");
    r.chip = text(row, "chip_key");
    r.precision = text(row, "precision_key");
    r.model = text(row.value("model", Json::object()), "name");
    r.title = text(row.value("source", Json::object()), "title");
    r.skipped = missingOf(row);
    if (!r.skipped.empty())
        return r;
    readMeasured(row, r);
    if (!r.stepTime && !r.memory && !r.fits) {
        r.skipped = "validate.no-result";
        return r;
    }
    Scenario& s = r.plan;
    const Json& chip = rules()["chips"][r.chip];
    scenario::applyPreset(s, "cluster", chip["system"].get<std::string>());
    if (chip.contains("chip"))
        scenario::applyPreset(s, "cluster.chip", chip["chip"].get<std::string>());
    s.software = {};
    s.precision = {};
    setModel(row["model"], s);
    r.moe = whole(row["model"], "experts", 0) > 1;
    setNetwork(row, s);
    setLayout(row, s);
    setPrecision(row, s);
    setSource(row, s);
    setOverlap(row, s);
    r.chips = static_cast<double>(s.cluster.chips);
    return r;
}

} // namespace cw::calibrate
