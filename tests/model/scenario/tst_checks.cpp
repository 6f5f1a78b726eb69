// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/scenario/checks.h"

#include <QTest>

#include <algorithm>
#include <functional>

#include "model/scenario/layout.h"
#include "model/scenario/registry.h"
#include "tests/model/scenario/testplans.h"

using namespace cw;
using namespace cw::scenario;

namespace {

struct Case
{
    const char* name;
    std::function<void(Scenario&)> change;
    const char* path;
    const char* rule;
    std::vector<double> nearest;
};

/// 22B: 64 heads, 48 layers, FFN 24576, on 64 chips, TP 8 PP 4 D 2, batch 128.
const std::vector<Case>& cases()
{
    static const std::vector<Case> all{
        {"TP 7 of 64 heads",
         [](Scenario& s) { s.parallelism.tensor = 7; },
         "parallelism.tensor",
         "rule.tensor-divides-heads",
         {4, 8}},
        // 28 heads: 1, 2, 4, 7, 14 and 28 are legal, 8 is not.
        {"TP 8 of 28 heads",
         [](Scenario& s) {
             s.model.groups[0].attention.heads = 28;
             s.model.groups[0].attention.keyValueHeads = 4;
         },
         "parallelism.tensor",
         "rule.tensor-divides-heads",
         {7, 14}},
        {"TP 8 of 52 heads",
         [](Scenario& s) {
             s.model.groups[0].attention.heads = 52;
             s.model.groups[0].attention.keyValueHeads = 4;
         },
         "parallelism.tensor",
         "rule.tensor-divides-heads",
         {4, 13}},
        {"TP 8 of FFN 24580",
         [](Scenario& s) { s.model.groups[0].ffn.hidden = 24580; },
         "parallelism.tensor",
         "rule.tensor-divides-ffn",
         {5, 10}},
        {"9 key heads for 64",
         [](Scenario& s) { s.model.groups[0].attention.keyValueHeads = 9; },
         "model.groups.0.attention.key_value_heads",
         "rule.groups-divide-heads",
         {8, 16}},
        {"no heads",
         [](Scenario& s) { s.model.groups[0].attention.heads = 0; },
         "model.groups.0.attention.heads",
         "rule.no-heads",
         {1}},
        {"no FFN width",
         [](Scenario& s) { s.model.groups[0].ffn.hidden = 0; },
         "model.groups.0.ffn.hidden",
         "rule.no-width",
         {1}},
        {"no layers",
         [](Scenario& s) { s.model.groups.clear(); },
         "model.groups",
         "rule.no-layers",
         {}},
        {"MLA without dimensions",
         [](Scenario& s) { s.model.groups[0].attention.kind = AttentionKind::Mla; },
         "model.groups.0.attention.key_value_rank",
         "rule.mla-dimensions",
         {}},
        {"more stages than layers",
         [](Scenario& s) {
             s.parallelism.pipeline = 64;
             s.parallelism.tensor = 1;
         },
         "parallelism.pipeline",
         "rule.fewer-layers-than-stages",
         {48}},
        {"more slices than layers",
         [](Scenario& s) {
             s.parallelism.schedule = Schedule::Interleaved;
             s.parallelism.virtualStages = 16;
         },
         "parallelism.pipeline",
         "rule.fewer-layers-than-stages",
         {3}},
        {"stage layers of another sum",
         [](Scenario& s) {
             s.parallelism.stageLayers = {12, 12, 12, 11};
         },
         "parallelism.stage_layers",
         "rule.stage-layers-sum",
         {}},
        {"stage layers of another count",
         [](Scenario& s) {
             s.parallelism.stageLayers = {24, 24};
         },
         "parallelism.stage_layers",
         "rule.stage-layers-sum",
         {}},
        {"batch 127 for D 2",
         [](Scenario& s) {
             s.workload.globalBatchSequences = 127;
             s.parallelism.data = 2;
         },
         "workload.global_batch_sequences",
         "rule.batch-divides",
         {126, 128}},
        {"batch below one micro batch each",
         [](Scenario& s) {
             s.workload.globalBatchSequences = 1;
             s.parallelism.data = 2;
         },
         "workload.global_batch_sequences",
         "rule.batch-divides",
         {2}},
        {"EP of a dense model",
         [](Scenario& s) { s.parallelism.expert = 4; },
         "parallelism.expert",
         "rule.expert-without-experts",
         {1}},
        {"D 3 on 64 chips",
         [](Scenario& s) {
             s.parallelism.data = 3;
             s.workload.globalBatchSequences = 129;
         },
         "parallelism.data",
         "rule.more-chips-than-there-are",
         {2}},
        {"fewer chips than one replica",
         [](Scenario& s) { s.cluster.chips = 16; },
         "cluster.chips",
         "rule.more-chips-than-there-are",
         {32}},
        {"spares leave too few",
         [](Scenario& s) {
             s.cluster.spareChips = 1;
             s.parallelism.data = 2;
         },
         "parallelism.data",
         "rule.more-chips-than-there-are",
         {1}},
        {"CP 3 of 2048 tokens",
         [](Scenario& s) {
             s.parallelism.context = 3;
             s.parallelism.tensor = 4;
         },
         "parallelism.context",
         "rule.context-divides-sequence",
         {2, 4}},
        {"SP 8 of 2044 tokens",
         [](Scenario& s) { s.workload.sequenceLength = 2044; },
         "parallelism.tensor",
         "rule.tensor-divides-sequence",
         {7, 14}},
        {"all-to-all context over heads",
         [](Scenario& s) {
             s.parallelism.contextKind = ContextKind::AllToAll;
             s.parallelism.context = 16;
             s.parallelism.pipeline = 1;
             s.cluster.chips = 128;
         },
         "parallelism.context",
         "rule.context-divides-heads",
         {8}},
    };
    return all;
}

std::string told(const std::vector<Violation>& found)
{
    std::string text;
    for (const Violation& v : found)
        text += v.path + " " + v.rule + "\n";
    return text;
}

const Violation* find(const std::vector<Violation>& found, const char* path, const char* rule)
{
    for (const Violation& v : found)
        if (v.path == path && v.rule == rule)
            return &v;
    return nullptr;
}

} // namespace

class TestChecks : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void legalPlansHaveNoViolations()
    {
        for (const auto& [name, s] : testplans::all()) {
            const auto found = checkPlan(s);
            QVERIFY2(found.empty(), (name + ": " + told(found)).c_str());
        }
    }

    void rules_data()
    {
        QTest::addColumn<int>("index");
        for (std::size_t i = 0; i < cases().size(); ++i)
            QTest::newRow(cases()[i].name) << int(i);
    }
    void rules()
    {
        QFETCH(int, index);
        const Case& c = cases()[std::size_t(index)];
        Scenario s = testplans::denseGpt();
        c.change(s);
        const auto found = checkPlan(s);
        const Violation* v = find(found, c.path, c.rule);
        QVERIFY2(v != nullptr, told(found).c_str());
        if (!c.nearest.empty())
            QCOMPARE(v->nearest, c.nearest);
    }

    void nearestValuesAreLegal()
    {
        // Whatever is offered for a degree or the batch mends that rule.
        for (const Case& c : cases()) {
            Scenario s = testplans::denseGpt();
            c.change(s);
            for (const Violation& v : checkPlan(s)) {
                for (const double value : v.nearest) {
                    Scenario mended = s;
                    QVERIFY2(!setValue(mended, v.path, Value(value)), v.path.c_str());
                    const auto left = checkPlan(mended);
                    QVERIFY2(find(left, v.path.c_str(), v.rule.c_str()) == nullptr,
                             (std::string(c.name) + ": " + v.path + " = " + std::to_string(value))
                                 .c_str());
                }
            }
        }
    }

    void experts_data()
    {
        QTest::addColumn<int>("tensor");
        QTest::addColumn<int>("pipeline");
        QTest::addColumn<int>("expert");
        QTest::addColumn<int>("expertTensor");
        QTest::addColumn<int>("chips");
        QTest::addColumn<bool>("legal");
        // Users met both products of the world size: t c D p and x e EDP p.
        QTest::newRow("world 4, pp 2, ep 2, etp 1") << 1 << 2 << 2 << 1 << 4 << true;
        QTest::newRow("tp 4, ep 4, etp 1 on 4 chips") << 4 << 1 << 4 << 1 << 4 << true;
        QTest::newRow("ep 4 of 2 ranks a stage") << 1 << 2 << 4 << 1 << 4 << false;
        QTest::newRow("ep 2 etp 2 of 2 ranks a stage") << 1 << 2 << 2 << 2 << 4 << false;
        QTest::newRow("etp 2 under tp 1") << 1 << 1 << 4 << 2 << 8 << true;
    }
    void experts()
    {
        QFETCH(int, tensor);
        QFETCH(int, pipeline);
        QFETCH(int, expert);
        QFETCH(int, expertTensor);
        QFETCH(int, chips);
        QFETCH(bool, legal);
        Scenario s = testplans::gptOss();
        s.parallelism.tensor = tensor;
        s.parallelism.pipeline = pipeline;
        s.parallelism.expert = expert;
        s.parallelism.expertTensor = expertTensor;
        s.cluster.chips = chips;
        const auto found = checkPlan(s);
        const Violation* v = find(found, "parallelism.expert", "rule.expert-group");
        QCOMPARE(v == nullptr, legal);
        if (v != nullptr) {
            QCOMPARE(v->arguments.at("degree"), std::to_string(expert * expertTensor));
            QCOMPARE(v->arguments.at("whole"), std::to_string(chips / pipeline));
        }
    }

    void expertsDivide()
    {
        Scenario s = testplans::gptOss(); // 128 experts
        s.parallelism.expert = 3;
        const auto found = checkPlan(s);
        const Violation* v = find(found, "parallelism.expert", "rule.expert-divides-experts");
        QVERIFY(v != nullptr);
        QCOMPARE(v->nearest, (std::vector<double>{2, 4}));
        s.parallelism.expert = 8;
        s.model.groups.back().ffn.topK = 200;
        QVERIFY(!checkPlan(s).empty());
        s.model.groups.back().ffn.topK = 4;
        s.parallelism.expertTensor = 7;
        QVERIFY(find(checkPlan(s), "parallelism.expert_tensor",
                     "rule.expert-tensor-divides-width") != nullptr);
    }

    void aFaultOfManyGroupsIsToldOnce()
    {
        Scenario s = testplans::denseGpt();
        s.model.groups.push_back(s.model.groups[0]);
        s.parallelism.tensor = 7;
        int count = 0;
        for (const Violation& v : checkPlan(s))
            count += v.rule == "rule.tensor-divides-heads" ? 1 : 0;
        QCOMPARE(count, 1);
    }

    void derivedData_data()
    {
        QTest::addColumn<int>("chips");
        QTest::addColumn<int>("spare");
        QTest::addColumn<int>("jobs");
        QTest::addColumn<int>("batch");
        QTest::addColumn<int>("micro");
        QTest::addColumn<int>("data");
        // Model parallelism is 8 x 4 = 32.
        QTest::newRow("all chips") << 64 << 0 << 1 << 128 << 1 << 2;
        QTest::newRow("lowered until the batch divides") << 224 << 0 << 1 << 128 << 1 << 4;
        QTest::newRow("batch with another divisor") << 224 << 0 << 1 << 126 << 1 << 7;
        QTest::newRow("spares set aside") << 96 << 1 << 1 << 126 << 1 << 2;
        QTest::newRow("two jobs") << 128 << 0 << 2 << 128 << 1 << 2;
        QTest::newRow("micro batch 4: D divides 128/4") << 3200 << 0 << 1 << 128 << 4 << 32;
        QTest::newRow("micro batch does not divide the batch") << 64 << 0 << 1 << 127 << 2 << 1;
        QTest::newRow("too few chips") << 16 << 0 << 1 << 128 << 1 << 1;
        QTest::newRow("more spares than chips") << 16 << 20 << 1 << 128 << 1 << 1;
        QTest::newRow("batch limits") << 100000 << 0 << 1 << 128 << 1 << 128;
    }
    void derivedData()
    {
        QFETCH(int, chips);
        QFETCH(int, spare);
        QFETCH(int, jobs);
        QFETCH(int, batch);
        QFETCH(int, micro);
        QFETCH(int, data);
        Scenario s = testplans::denseGpt();
        s.cluster.chips = chips;
        if (spare > 0)
            s.cluster.spareChips = spare;
        s.workload.jobs = jobs;
        s.workload.globalBatchSequences = batch;
        s.parallelism.microBatchSequences = micro;
        QCOMPARE(scenario::derivedData(s), std::int64_t(data));
    }

    void identities()
    {
        // N = t c D p = x e EDP p, and what is used, spare and idle is what is installed.
        for (auto& [name, s] : testplans::all()) {
            const Inputs<double> in(s);
            const Layout<double> l = layoutOf(in);
            QCOMPARE(l.tensor * l.context * l.data * l.pipeline, l.chips);
            QCOMPARE(l.expertTensor * l.expert * l.expertData * l.pipeline, l.chips);
            const double spare = s.cluster.spareChips ? double(*s.cluster.spareChips) : 0;
            QCOMPARE(l.chips * double(s.workload.jobs) + l.idle + spare, double(s.cluster.chips));
            QCOMPARE(l.microBatches * l.data * double(s.parallelism.microBatchSequences),
                     double(s.workload.globalBatchSequences));
        }
    }

    void deepSeekGroups()
    {
        // 2,048 chips, PP 16, EP 64 [DeepSeek-V3 report]: D 128, expert D 2, 120 micro batches.
        const Scenario s = testplans::deepSeek();
        const Layout<double> l = layoutOf(Inputs<double>(s));
        QCOMPARE(l.data, 128.0);
        QCOMPARE(l.expertData, 2.0);
        QCOMPARE(l.microBatches, 120.0);
        QCOMPARE(l.idle, 0.0);
    }

    void launchScripts_data()
    {
        QTest::addColumn<int>("tensor");
        QTest::addColumn<int>("pipeline");
        QTest::addColumn<int>("expert");
        QTest::addColumn<double>("data");
        // 32 machines of 16 dies: 512 chips. [launch scripts for Ascend A3]
        QTest::newRow("Kimi K2: tp 2 pp 8 ep 64") << 2 << 8 << 64 << 32.0;
        QTest::newRow("DeepSeek-V3: tp 2 pp 4 ep 128") << 2 << 4 << 128 << 64.0;
    }
    void launchScripts()
    {
        QFETCH(int, tensor);
        QFETCH(int, pipeline);
        QFETCH(int, expert);
        QFETCH(double, data);
        Scenario s = testplans::deepSeek();
        s.model.groups.back().ffn.experts = 384;
        s.cluster.chips = 512;
        s.workload.globalBatchSequences = 4096;
        s.parallelism.tensor = tensor;
        s.parallelism.pipeline = pipeline;
        s.parallelism.expert = expert;
        const Layout<double> l = layoutOf(Inputs<double>(s));
        QCOMPARE(l.data, data);
        QCOMPARE(l.expertData, 1.0);
    }

    void degreesOffered()
    {
        const Scenario s = testplans::denseGpt();
        const auto options = degreeOptions(s, "parallelism.tensor");
        QVERIFY(std::is_sorted(options.begin(), options.end(),
                               [](auto& a, auto& b) { return a.value < b.value; }));
        for (const std::int64_t power : {1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024}) {
            const auto o = std::find_if(options.begin(), options.end(),
                                        [&](auto& x) { return x.value == power; });
            QVERIFY(o != options.end());
            // 64 heads; one pipeline of t x 4 chips must fit 64, so 16 is the most.
            if (power <= 16)
                QVERIFY2(o->rule.empty(), o->rule.c_str());
            if (power > 64)
                QCOMPARE(o->rule, std::string("rule.tensor-divides-heads"));
        }
        for (const DegreeOption& o : options)
            QVERIFY(o.value != 7); // neither legal nor a power of two
        Scenario odd = s;
        odd.parallelism.tensor = 7;
        const auto withOdd = degreeOptions(odd, "parallelism.tensor");
        QVERIFY(std::any_of(withOdd.begin(), withOdd.end(), [](const DegreeOption& o) {
            return o.value == 7 && o.rule == "rule.tensor-divides-heads";
        }));
    }

    void hostileDegreesDoNotOverflow()
    {
        Scenario s = testplans::gptOss();
        for (const char* path : {"parallelism.tensor", "parallelism.context",
                                 "parallelism.pipeline", "parallelism.expert", "parallelism.data",
                                 "parallelism.expert_tensor", "parallelism.virtual_stages"})
            // Stages are bounded as layers are; the other degrees as chips are.
            QVERIFY(!setValue(s, path, Value(1e4)));
        for (const char* path : {"parallelism.tensor", "parallelism.context", "parallelism.expert",
                                 "parallelism.data", "parallelism.expert_tensor"})
            QVERIFY(!setValue(s, path, Value(1e7)));
        QVERIFY(setValue(s, "parallelism.pipeline", Value(1e7)).has_value());
        s.parallelism.schedule = Schedule::Interleaved;
        QVERIFY(!checkPlan(s).empty());
        s.parallelism.data.reset();
        QVERIFY(!checkPlan(s).empty());
    }
};

QTEST_APPLESS_MAIN(TestChecks)
#include "tst_checks.moc"
