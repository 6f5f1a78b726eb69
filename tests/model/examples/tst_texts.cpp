// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest/QTest>

#include <set>
#include <string>
#include <vector>

#include "model/evaluation/evaluation.h"
#include "model/evaluation/explanation.h"
#include "model/scenario/presets.h"
#include "model/scenario/registry.h"
#include "model/text/catalogue.h"

// Whatever an explanation can show has a name in both languages.

using namespace cw;
using explain::Op;
using text::Catalogue;
using text::Language;
using text::Section;

namespace {

constexpr std::array<Language, 2> kLanguages{Language::English, Language::Chinese};

void set(scenario::Scenario& s, const std::string& path, const std::string& value)
{
    for (const scenario::Parameter& p : scenario::parameters(s)) {
        if (p.path != path)
            continue;
        const auto parsed = scenario::parseValue(p, value);
        QVERIFY2(parsed && !scenario::setValue(s, path, *parsed), path.c_str());
        return;
    }
    QFAIL(path.c_str());
}

scenario::Scenario denseWithContext()
{
    scenario::Scenario s;
    scenario::applyPreset(s, "model", "llama3.1-70b");
    scenario::applyPreset(s, "cluster", "dgx-h100");
    set(s, "cluster.chips", "1024");
    set(s, "parallelism.tensor", "8");
    set(s, "parallelism.context", "2");
    set(s, "parallelism.pipeline", "4");
    set(s, "parallelism.recompute", "full");
    set(s, "facility.cooling", "air");
    set(s, "software.attention", "unfused");
    set(s, "software.fused_kernels", "false");
    return s;
}

scenario::Scenario mixtureInFp8()
{
    scenario::Scenario s;
    scenario::applyPreset(s, "model", "deepseek-v3");
    scenario::applyPreset(s, "cluster", "hgx-h800");
    set(s, "cluster.chips", "2048");
    set(s, "parallelism.pipeline", "16");
    set(s, "parallelism.expert", "64");
    set(s, "parallelism.schedule", "dualpipe");
    set(s, "precision.compute", "fp8");
    set(s, "software.assumed_mfu", "0.4");
    set(s, "parallelism.offload.optimizer", "0.5");
    set(s, "parallelism.offload.experts", "0.5");
    s.storage.pools.resize(1);
    s.reliability.domains.resize(1);
    s.reliability.checkpoints.resize(2);
    s.reliability.policy = scenario::FailurePolicy::HotSpare;
    return s;
}

scenario::Scenario linearOnTorus()
{
    scenario::Scenario s;
    scenario::applyPreset(s, "model", "qwen3-next-80b-a3b");
    scenario::applyPreset(s, "cluster", "tpu-v5p-pod");
    set(s, "cluster.chips", "512");
    set(s, "precision.compute", "fp4");
    set(s, "parallelism.zero_stage", "3");
    set(s, "parallelism.offload.activations", "0.5");
    set(s, "parallelism.offload.target", "nvme");
    s.reliability.policy = scenario::FailurePolicy::DropReplica;
    set(s, "reliability.chip_hours_per_failure", "50677");
    return s;
}

std::vector<scenario::Scenario> plans()
{
    std::vector<scenario::Scenario> all{denseWithContext(), mixtureInFp8(), linearOnTorus()};
    // Each site and way of cooling has constants of its own.
    for (const scenario::Parameter& p : scenario::parameters(scenario::Scenario{}))
        if (p.path == "facility.site" || p.path == "facility.cooling" ||
            p.path == "facility.heat_rejection" || p.path == "cluster.network.scale_out.topology")
            for (const std::string_view name : p.names) {
                all.push_back(denseWithContext());
                set(all.back(), p.path, std::string(name));
            }
    return all;
}

/// The path without list indices.
std::string keyOf(const std::string& path)
{
    std::string key;
    for (std::size_t start = 0; start <= path.size();) {
        const std::size_t end = std::min(path.find('.', start), path.size());
        const std::string step = path.substr(start, end - start);
        if (step.find_first_not_of("0123456789") != std::string::npos)
            key += (key.empty() ? "" : ".") + step;
        start = end + 1;
    }
    return key;
}

} // namespace

class TextsTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void everyFigureHasALabel();
    void everyNodeHasALabel();
    void everyViolationAndNoteIsWorded();
};

void TextsTest::everyFigureHasALabel()
{
    std::set<std::string> missing;
    std::size_t seen = 0;
    for (const scenario::Scenario& plan : plans()) {
        const evaluation::Explanation explanation(plan, Language::English);
        for (const std::string& path : explanation.paths()) {
            ++seen;
            for (const Language language : kLanguages)
                if (!Catalogue::of(language).has(Section::Quantities, keyOf(path)))
                    missing.insert(keyOf(path));
        }
    }
    QVERIFY(seen > 1000);
    std::string all;
    for (const std::string& key : missing)
        all += key + "\n";
    QVERIFY2(missing.empty(), all.c_str());
}

void TextsTest::everyNodeHasALabel()
{
    std::set<std::string> missing;
    std::set<std::string> seen;
    for (const scenario::Scenario& plan : plans()) {
        const evaluation::Explanation explanation(plan, Language::English);
        const explain::Trace& trace = explanation.trace();
        for (explain::NodeId id = 0; id < trace.size(); ++id) {
            const explain::Node& node = trace.node(id);
            if (node.op != Op::Input && node.op != Op::Constant && node.op != Op::Named)
                continue;
            const std::string key = keyOf(trace.text(node));
            if (!seen.insert(key).second)
                continue;
            const Section section = node.op == Op::Input      ? Section::Parameters
                                    : node.op == Op::Constant ? Section::Constants
                                                              : Section::Quantities;
            for (const Language language : kLanguages) {
                const Catalogue& words = Catalogue::of(language);
                if (!words.has(section, key))
                    missing.insert(key);
                else if (section == Section::Constants && words.status(key).empty())
                    missing.insert(key + " (status)");
            }
        }
    }
    QVERIFY(seen.size() > 200);
    std::string all;
    for (const std::string& key : missing)
        all += key + "\n";
    QVERIFY2(missing.empty(), all.c_str());
}

void TextsTest::everyViolationAndNoteIsWorded()
{
    scenario::Scenario bad = denseWithContext();
    set(bad, "parallelism.tensor", "7");
    set(bad, "parallelism.expert", "3");
    set(bad, "parallelism.pipeline", "200");
    set(bad, "cluster.chips", "300000");
    set(bad, "cluster.network.scale_out.levels", "1");
    set(bad, "facility.rack_power_limit", "1000");
    set(bad, "workload.global_batch_sequences", "7");
    const auto e = evaluation::evaluate(bad);
    QVERIFY(e.violations.size() > 4);
    QVERIFY(!e.bands.empty());
    std::set<std::string> keys;
    for (const auto& v : e.violations)
        keys.insert(v.rule);
    for (const auto& n : e.advice)
        keys.insert(n.rule);
    for (const auto& b : e.bands)
        keys.insert(b.from);
    for (const char* code : {"rule.no-layers",
                             "rule.no-heads",
                             "rule.tensor-divides-heads",
                             "rule.groups-divide-heads",
                             "rule.context-divides-heads",
                             "rule.mla-dimensions",
                             "rule.no-width",
                             "rule.tensor-divides-ffn",
                             "rule.top-k",
                             "rule.expert-divides-experts",
                             "rule.expert-tensor-divides-width",
                             "rule.fewer-layers-than-stages",
                             "rule.stage-layers-sum",
                             "rule.batch-divides",
                             "rule.expert-without-experts",
                             "rule.expert-group",
                             "rule.more-chips-than-there-are",
                             "rule.context-divides-sequence",
                             "rule.tensor-divides-sequence",
                             "rule.rack-power",
                             "rule.network-reach",
                             "advice.idle-chips",
                             "advice.full-recompute-split",
                             "advice.few-micro-batches",
                             "advice.domain-left",
                             "rule.host-memory",
                             "rule.nvme-capacity",
                             "rule.order",
                             "rule.sharding-divides",
                             "rule.tensor-key-value-heads",
                             "advice.format-fallback",
                             "advice.scale-missed",
                             "advice.selective-fused",
                             "advice.closed-form",
                             "advice.borderline-memory",
                             "band.known-stack",
                             "band.unknown-stack",
                             "band.memory"})
        keys.insert(code);
    for (const std::string& key : keys)
        for (const Language language : kLanguages)
            QVERIFY2(Catalogue::of(language).has(Section::Messages, key), key.c_str());
    for (const auto& v : e.violations) {
        const std::string told = Catalogue::of(Language::English).message(v.rule, v.arguments);
        for (const auto& [name, value] : v.arguments)
            if (name == "degree")
                QVERIFY2(told.find(value) != std::string::npos, v.rule.c_str());
    }
    QVERIFY(Catalogue::of(Language::Chinese).has(Section::Terms, "origin.plan"));
}

QTEST_APPLESS_MAIN(TextsTest)
#include "tst_texts.moc"
