// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/evaluation/evaluation.h"
#include "model/evaluation/memoryrule.h"

#include <QTest>

#include <cmath>
#include <cstring>
#include <set>
#include <thread>

#include "model/evaluation/compute.h"
#include "model/evaluation/explanation.h"
#include "model/evaluation/quantities.h"
#include "model/scenario/registry.h"
#include "tests/model/scenario/testplans.h"

using namespace cw;
using namespace cw::evaluation;
using explain::NodeId;
using explain::Op;
using explain::Traced;
using scenario::Scenario;

namespace {

std::uint64_t bitsOf(double x)
{
    std::uint64_t bits = 0;
    std::memcpy(&bits, &x, sizeof bits);
    return bits;
}

void addPlans()
{
    QTest::addColumn<int>("index");
    const auto plans = testplans::all();
    for (std::size_t i = 0; i < plans.size(); ++i)
        QTest::newRow(plans[i].first.c_str()) << int(i);
}

Scenario plan(int index)
{
    return testplans::all()[std::size_t(index)].second;
}

/// Paths of the plan that a node rests on.
std::set<std::string> inputsOf(const explain::Trace& trace, NodeId node)
{
    std::vector<bool> needed(node + 1, false);
    needed[node] = true;
    std::set<std::string> paths;
    for (NodeId i = node + 1; i-- > 0;) {
        if (!needed[i])
            continue;
        const explain::Node& n = trace.node(i);
        if (n.op == Op::Input)
            paths.insert(trace.text(n));
        if (n.a != explain::kNoNode)
            needed[n.a] = true;
        if (n.b != explain::kNoNode)
            needed[n.b] = true;
    }
    return paths;
}

} // namespace

class TestEvaluation : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void tracedEqualsDouble_data() { addPlans(); }
    void tracedEqualsDouble()
    {
        QFETCH(int, index);
        const Scenario s = derived(plan(index));
        const auto plain = figuresOf(compute(scenario::Inputs<double>(s), Extent::Whole));
        explain::Trace trace;
        const scenario::Inputs<Traced> in(s, trace);
        const auto traced = figuresOf(compute(in, Extent::Whole));
        QCOMPARE(traced.size(), plain.size());
        QVERIFY(plain.size() > 120);
        for (std::size_t i = 0; i < plain.size(); ++i) {
            QCOMPARE(traced[i].path, plain[i].path);
            QVERIFY2(bitsOf(traced[i].value.value) == bitsOf(plain[i].value),
                     plain[i].path.c_str());
            const NodeId node = traced[i].value.node;
            if (node == explain::kNoNode)
                continue;
            QVERIFY2(bitsOf(trace.node(node).value) == bitsOf(plain[i].value),
                     plain[i].path.c_str());
            QVERIFY2(bitsOf(trace.replay(node)) == bitsOf(plain[i].value), plain[i].path.c_str());
        }
    }

    void figuresAreFiniteAndUnique_data() { addPlans(); }
    void figuresAreFiniteAndUnique()
    {
        QFETCH(int, index);
        const Evaluation e = evaluate(plan(index));
        std::set<std::string> seen;
        for (const auto& f : figuresOf(e)) {
            QVERIFY2(seen.insert(f.path).second, f.path.c_str());
            QVERIFY2(std::isfinite(f.value), f.path.c_str());
            QCOMPARE(*figure(e, f.path), f.value);
        }
        QVERIFY(!figure(e, "step.nothing").has_value());
        for (const auto& v : e.violations) // one of the plans does not fit
            QVERIFY2(isMemoryRule(v.rule), v.rule.c_str());
    }

    void explanationsReachTheInputs_data() { addPlans(); }
    void explanationsReachTheInputs()
    {
        QFETCH(int, index);
        const Scenario s = plan(index);
        const Explanation x(s, text::Language::English);
        const Evaluation e = evaluate(s);
        std::set<std::string> known;
        for (const auto& p : scenario::parameters(s))
            known.insert(p.path);
        int explained = 0;
        for (const std::string& path : x.paths()) {
            const auto node = x.find(path);
            const Reason reason = x.reasonOf(path);
            QCOMPARE(reason.value, *figure(e, path));
            if (!node)
                continue;
            ++explained;
            for (const std::string& input : inputsOf(x.trace(), *node)) {
                // Items of a list of numbers are told by the list's path and their index.
                const bool item = known.count(input.substr(0, input.rfind('.'))) == 1;
                QVERIFY2(known.count(input) == 1 || item, input.c_str());
            }
        }
        QVERIFY(explained > 80);
        for (const char* path :
             {"step.time_s", "throughput.mfu", "memory.peak_bytes", "parameters.total", "run.days",
              "power.facility_w", "cost.per_run"}) {
            const auto node = x.find(path);
            QVERIFY2(node.has_value(), path);
            QVERIFY2(!inputsOf(x.trace(), *node).empty(), path);
            const Reason reason = x.reasonOf(path);
            QVERIFY2(!reason.formula.empty() || !reason.inputs.empty(), path);
        }
        QVERIFY(inputsOf(x.trace(), *x.find("parameters.total")).count("model.hidden") == 1);
    }

    void theSameOnEveryThread_data() { addPlans(); }
    void theSameOnEveryThread()
    {
        QFETCH(int, index);
        const Scenario s = plan(index);
        const auto expected = figuresOf(evaluate(s));
        std::vector<int> wrong(4, 0);
        std::vector<std::thread> threads;
        for (std::size_t t = 0; t < 4; ++t) {
            threads.emplace_back([&, t] {
                for (int i = 0; i < 5; ++i) {
                    // Other plans in between: nothing of them may remain.
                    evaluateCore(plan((index + int(t) + i) % 6));
                    const auto seen = figuresOf(evaluate(s));
                    for (std::size_t k = 0; k < expected.size(); ++k)
                        wrong[t] += bitsOf(seen[k].value) != bitsOf(expected[k].value) ? 1 : 0;
                }
            });
        }
        for (auto& t : threads)
            t.join();
        for (const int w : wrong)
            QCOMPARE(w, 0);
    }

    void coreIsPartOfTheWhole_data() { addPlans(); }
    void coreIsPartOfTheWhole()
    {
        QFETCH(int, index);
        const Evaluation whole = evaluate(plan(index));
        const Evaluation core = evaluateCore(plan(index));
        // The pipeline by its closed form is within 13% of the timeline; the passes are the same.
        QVERIFY(std::fabs(core.step.time.si() / whole.step.time.si() - 1) < 0.13);
        QCOMPARE(bitsOf(core.step.compute.si()), bitsOf(whole.step.compute.si()));
        QCOMPARE(bitsOf(core.memory.reserved.si()), bitsOf(whole.memory.reserved.si()));
        QCOMPARE(core.violations.size(), whole.violations.size());
    }

    void scalesBeforeItEvaluates()
    {
        Scenario s = testplans::deepSeek();
        s.model.scaleTo.total = 2e12;
        s.model.scaleTo.active = 100e9;
        const Evaluation e = evaluate(s);
        QVERIFY(std::fabs(e.parameters.total / 2e12 - 1) < 0.01);
        QVERIFY(std::fabs(e.parameters.active / 100e9 - 1) < 0.01);
    }

    void infeasiblePlansAreAnswered()
    {
        Scenario s = testplans::denseGpt();
        s.cluster.chip.hbmBytes = 1e9;
        s.cluster.chip.hbmUsableBytes = 1e9;
        Evaluation e = evaluate(s);
        QVERIFY(!e.feasible);
        QVERIFY(e.step.time.si() > 0);
        s.model.groups.clear();
        e = evaluate(s);
        QVERIFY(!e.feasible && !e.violations.empty());
        s = testplans::denseGpt();
        s.parallelism.tensor = 7;
        e = evaluate(s);
        QVERIFY(!e.feasible);
        QVERIFY(e.step.time.si() > 0); // every number can still be given
    }

    void extremesEnd()
    {
        // Each number of a plan at its least and greatest: never a crash, never a hang.
        const Scenario base = testplans::offloaded();
        for (const auto& p : scenario::parameters(base)) {
            if (p.kind != scenario::Kind::Number && p.kind != scenario::Kind::Integer)
                continue;
            // Layers, stages and micro batches cost time with their number; others must not.
            if (p.path.find(".count") != std::string::npos || p.path == "parallelism.pipeline" ||
                p.path == "parallelism.virtual_stages")
                continue;
            for (const double value : {p.spec.min, std::fmin(p.spec.max, 1e18)}) {
                Scenario s = base;
                if (scenario::setValue(s, p.path, scenario::Value(value)))
                    continue;
                const Evaluation e = evaluateCore(s);
                QVERIFY2(!e.memory.stages.empty(), p.path.c_str());
            }
        }
    }
};

QTEST_APPLESS_MAIN(TestEvaluation)
#include "tst_evaluation.moc"
