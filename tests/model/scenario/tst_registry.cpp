// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/scenario/phases.h"
#include "model/scenario/registry.h"

#include <QTest>

#include <cmath>
#include <limits>
#include <set>

#include "tests/model/scenario/testplans.h"

using namespace cw;
using namespace cw::scenario;

namespace {

/// A legal value other than the one there is.
Value another(const Parameter& p, const Value& now)
{
    switch (p.kind) {
    case Kind::Number:
    case Kind::Integer: {
        const double here = std::holds_alternative<double>(now) ? std::get<double>(now) : 0.0;
        const double low = std::ceil(p.spec.min);
        double x = low == here ? low + 1 : low;
        if (x > p.spec.max)
            x = p.kind == Kind::Integer ? p.spec.min : p.spec.min + (p.spec.max - p.spec.min) / 3;
        return x;
    }
    case Kind::Flag:
        return !std::get<bool>(now);
    case Kind::Text:
    case Kind::Preset:
        return std::string("another");
    case Kind::Choice: {
        const std::string here =
            std::holds_alternative<std::string>(now) ? std::get<std::string>(now) : "";
        return std::string(p.names[0] == here ? p.names[1] : p.names[0]);
    }
    case Kind::Choices:
        return std::vector<std::string>{std::string(p.names[1])};
    case Kind::Numbers:
    case Kind::Integers:
        return std::vector<double>{std::ceil(p.spec.min), std::ceil(p.spec.min) + 1};
    }
    return {};
}

Scenario withLists()
{
    Scenario s = testplans::deepSeek();
    s.workload.phases = {Phase{}, Phase{"long", 1e11, {}, 0, "{}"}};
    s.storage.pools.emplace_back();
    s.reliability.domains.emplace_back();
    s.reliability.checkpoints.emplace_back();
    s.cluster.network.measured.emplace_back();
    s.cluster.network.faults.emplace_back();
    return s;
}

} // namespace

class TestRegistry : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void pathsAreUniqueAndFound()
    {
        const Scenario s = withLists();
        std::set<std::string> seen;
        for (const Parameter& p : parameters(s)) {
            QVERIFY2(seen.insert(p.path).second, p.path.c_str());
            QVERIFY2(valueAt(s, p.path).has_value(), p.path.c_str());
            QVERIFY2(p.spec.min <= p.spec.max, p.path.c_str());
            QVERIFY2(p.path.rfind(p.part, 0) == 0, p.path.c_str());
        }
        QVERIFY(seen.size() > 250);
        for (const char* path :
             {"model.groups.1.ffn.experts", "parallelism.tensor", "cluster.chip.hbm_bandwidth",
              "cluster.chip.preset", "reliability.checkpoints.0.interval_s", "precision.compute"})
            QVERIFY2(seen.count(path) == 1, path);
    }

    void everyParameterIsSetAndReadBack()
    {
        const Scenario base = withLists();
        for (const Parameter& p : parameters(base)) {
            Scenario s = base;
            const Value now = *valueAt(s, p.path);
            const Value next = another(p, now);
            const auto refusal = setValue(s, p.path, next);
            QVERIFY2(!refusal, (p.path + ": " + (refusal ? refusal->code : "")).c_str());
            QVERIFY2(*valueAt(s, p.path) == next, p.path.c_str());
            // Nothing else moved.
            const auto differs = differingPaths(base, s);
            QVERIFY2(differs.size() == 1 && differs[0] == p.path, p.path.c_str());
            QVERIFY2(!setValue(s, p.path, now), p.path.c_str());
            QVERIFY2(s == base, p.path.c_str());
        }
    }

    void textReadsBack()
    {
        const Scenario base = withLists();
        for (const Parameter& p : parameters(base)) {
            const Value now = *valueAt(base, p.path);
            if (p.kind == Kind::Text || p.kind == Kind::Preset)
                continue; // an empty text stands for null elsewhere
            const auto back = parseValue(p, toText(now));
            QVERIFY2(back.has_value(), (p.path + " = " + toText(now)).c_str());
            QVERIFY2(*back == now, (p.path + " = " + toText(now)).c_str());
        }
    }

    void refused_data()
    {
        QTest::addColumn<int>("what");
        QTest::newRow("below the range") << 0;
        QTest::newRow("above the range") << 1;
        QTest::newRow("NaN") << 2;
        QTest::newRow("infinite") << 3;
        QTest::newRow("wrong kind") << 4;
        QTest::newRow("null where there must be a value") << 5;
    }
    void refused()
    {
        QFETCH(int, what);
        const Scenario base = withLists();
        int tried = 0;
        for (const Parameter& p : parameters(base)) {
            const bool number = p.kind == Kind::Number || p.kind == Kind::Integer;
            Value bad;
            if (what == 0 && number)
                bad = p.spec.min - std::fmax(1, std::fabs(p.spec.min));
            else if (what == 1 && number && p.spec.max < 1e300)
                bad = p.spec.max * 1.5 + 1;
            else if (what == 2 && number)
                bad = std::numeric_limits<double>::quiet_NaN();
            else if (what == 3 && number)
                bad = std::numeric_limits<double>::infinity();
            else if (what == 4)
                bad = p.kind == Kind::Flag ? Value(3.5) : Value(true);
            else if (what == 5 && !p.nullable && number)
                bad = Value();
            else
                continue;
            Scenario s = base;
            ++tried;
            const auto refusal = setValue(s, p.path, bad);
            QVERIFY2(refusal.has_value(), p.path.c_str());
            QVERIFY2(refusal->code.rfind("fault.", 0) == 0, refusal->code.c_str());
            QVERIFY2(s == base, p.path.c_str());
        }
        QVERIFY(tried > 50);
    }

    void unknownPathsAndNames()
    {
        Scenario s = testplans::denseGpt();
        QCOMPARE(setValue(s, "parallelism.tensr", Value(2.0))->code,
                 std::string("fault.unknown-path"));
        QCOMPARE(setValue(s, "model.groups.7.count", Value(2.0))->code,
                 std::string("fault.unknown-path"));
        QCOMPARE(setValue(s, "", Value(2.0))->code, std::string("fault.unknown-path"));
        QVERIFY(!valueAt(s, "parallelism").has_value());
        const auto refusal = setValue(s, "precision.compute", Value(std::string("fp9")));
        QCOMPARE(refusal->code, std::string("fault.choice"));
        QVERIFY(refusal->allowed.find("nvfp4") != std::string::npos);
        QCOMPARE(setValue(s, "parallelism.tensor", Value(2.5))->code, std::string("fault.whole"));
    }

    void nullWhereAllowed()
    {
        Scenario s = testplans::denseGpt();
        s.parallelism.data = 4;
        QVERIFY(!setValue(s, "parallelism.data", Value()));
        QVERIFY(!s.parallelism.data.has_value());
        QVERIFY(!setValue(s, "precision.master_weights", Value()));
        QVERIFY(!s.precision.masterWeights.has_value());
    }

    void typedText_data()
    {
        QTest::addColumn<QByteArray>("path");
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QByteArray>("stored"); // "" where refused
        const auto row = [](const char* path, const char* text, const char* stored) {
            QTest::addRow("%s=%s", path, text)
                << QByteArray(path) << QByteArray(text) << QByteArray(stored);
        };
        row("cluster.chip.hbm_bandwidth", "3.35TB/s", "3.35e+12");
        row("cluster.network.scale_out.bandwidth", "400 Gb/s", "5e+10");
        row("model.hidden", "12k", "12000");
        row("workload.training_tokens", "10T", "1e+13");
        row("parallelism.offload.optimizer", "35%", "0.35");
        row("software.fixed_bytes", "2 GiB", "2147483648");
        row("parallelism.data", "null", "null");
        row("parallelism.sequence_parallel", "yes", "true");
        row("parallelism.sequence_parallel", "0", "false");
        row("parallelism.sequence_parallel", "maybe", "");
        row("parallelism.recompute", "none", "none");
        row("parallelism.recompute", "norm, mla-up", "norm,mla-up");
        row("parallelism.stage_layers", "12, 12,12,12", "12,12,12,12");
        row("parallelism.stage_layers", "[1,2]", "1,2");
        row("parallelism.stage_layers", "12,x", "");
        row("parallelism.tensor", "many", "");
        row("parallelism.tensor", "", "");
        row("cluster.chip.hbm_bandwidth", "3,35TB/s", "");
    }
    void typedText()
    {
        QFETCH(QByteArray, path);
        QFETCH(QByteArray, text);
        QFETCH(QByteArray, stored);
        const Scenario s = testplans::denseGpt();
        const auto all = parameters(s);
        const auto p = std::find_if(all.begin(), all.end(),
                                    [&](const Parameter& x) { return x.path == path.data(); });
        QVERIFY(p != all.end());
        const auto value = parseValue(*p, text.toStdString());
        QCOMPARE(QByteArray::fromStdString(value ? toText(*value) : ""), stored);
    }

    void listsOfOtherLengthDiffer()
    {
        const Scenario a = testplans::denseGpt();
        Scenario b = a;
        b.model.groups.push_back(b.model.groups.front());
        QVERIFY(!(a == b));
        const auto ab = differingPaths(a, b);
        QVERIFY(!ab.empty());
        QCOMPARE(ab, differingPaths(b, a));
        for (const std::string& path : ab)
            QVERIFY2(path.rfind("model.groups.1", 0) == 0, path.c_str());
        QVERIFY(differingPaths(a, a).empty());
    }

    void aPathIntoTheNextPartMakesIt()
    {
        Scenario s;
        s.reliability.checkpoints.clear();
        s.workload.phases.clear();
        QVERIFY(!addNextPart(s, "reliability.checkpoints.1.tier"));
        QVERIFY(!addNextPart(s, "reliability.checkpoints.00.tier"));
        QVERIFY(!addNextPart(s, "reliability.checkpoints.-1.tier"));
        QVERIFY(!addNextPart(s, "reliability.detect_s.0"));
        QVERIFY(!addNextPart(s, "nothing.0.tier"));
        QVERIFY(!addNextPart(s, ""));
        for (std::size_t parts = 1; parts <= 2; ++parts) {
            const std::string at = "reliability.checkpoints." + std::to_string(parts - 1);
            QVERIFY(addNextPart(s, at + ".tier"));
            QCOMPARE(s.reliability.checkpoints.size(), parts);
            QVERIFY(!setValue(s, at + ".tier", Value(std::string("nvme"))));
            QVERIFY(!addNextPart(s, at + ".tier")); // it is there
        }
        QVERIFY(addNextPart(s, "workload.phases.0.training_tokens"));
        QCOMPARE(s.workload.phases.size(), 1U);
    }
};

QTEST_APPLESS_MAIN(TestRegistry)
#include "tst_registry.moc"
