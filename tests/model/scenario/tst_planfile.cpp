// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/scenario/plan.h"

#include <QTest>

#include <algorithm>
#include <set>

#include <nlohmann/json.hpp>

#include "model/scenario/registry.h"
#include "tests/model/scenario/testplans.h"

using namespace cw;
using namespace cw::scenario;
using Json = nlohmann::json;

namespace {

std::string file(const std::string& members)
{
    return R"({"format": "clusterwright-plan", "version": 1)" +
           (members.empty() ? "" : ", " + members) + "}";
}

std::string told(const Faults& faults)
{
    std::string text;
    for (const Fault& f : faults)
        text += f.code + " " + f.pointer + "\n";
    return text;
}

bool has(const Faults& faults, std::string_view code, std::string_view pointer)
{
    return std::any_of(faults.begin(), faults.end(),
                       [&](const Fault& f) { return f.code == code && f.pointer == pointer; });
}

Plan planOf(Scenario s)
{
    Plan p;
    p.name = "Größe 大 \"quoted\"";
    p.notes = "line one\nline two";
    p.scenario = std::move(s);
    return p;
}

} // namespace

class TestPlanFile : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void roundTrip_data()
    {
        QTest::addColumn<int>("index");
        const auto plans = testplans::all();
        for (std::size_t i = 0; i < plans.size(); ++i)
            QTest::newRow(plans[i].first.c_str()) << int(i);
        QTest::newRow("all defaults") << -1;
    }
    void roundTrip()
    {
        QFETCH(int, index);
        Plan plan = planOf(index < 0 ? Scenario{} : testplans::all()[std::size_t(index)].second);
        plan.training = R"({"lr":0.0003,"seeds":[1,2]})";
        plan.expect = R"([{"quantity":"step.time_s"}])";
        const std::string text = writePlan(plan);
        const PlanReading reading = readPlan(text);
        QVERIFY2(reading.plan.has_value(), told(reading.faults).c_str());
        QVERIFY2(reading.notices.empty(), told(reading.notices).c_str());
        const auto differs = differingPaths(reading.plan->scenario, plan.scenario);
        QVERIFY2(differs.empty(), differs.empty() ? "" : differs.front().c_str());
        QCOMPARE(reading.plan->name, plan.name);
        QCOMPARE(reading.plan->notes, plan.notes);
        QVERIFY(Json::parse(reading.plan->training) == Json::parse(plan.training));
        QVERIFY(Json::parse(reading.plan->expect) == Json::parse(plan.expect));
        QCOMPARE(writePlan(*reading.plan), text);
    }

    void everyParameterSurvives()
    {
        // Each number nudged: what is not written, or written rounded, shows.
        Scenario s = testplans::deepSeek();
        s.workload.phases = {Phase{},
                             Phase{"long", 1e11, {}, 0, "{\"workload.sequence_length\":32768}"}};
        s.storage.pools.emplace_back();
        s.reliability.domains.emplace_back();
        s.reliability.checkpoints.emplace_back();
        s.cluster.network.measured.emplace_back();
        s.cluster.network.faults.emplace_back();
        for (const Parameter& p : parameters(s)) {
            const Value v = *valueAt(s, p.path);
            if (p.kind == Kind::Number && std::holds_alternative<double>(v))
                setValue(s, p.path, Value(std::get<double>(v) * (1 - 1.0 / 1024 / 3)));
            if (p.kind == Kind::Flag)
                setValue(s, p.path, Value(!std::get<bool>(v)));
        }
        const PlanReading reading = readPlan(writePlan(planOf(s)));
        QVERIFY2(reading.plan.has_value(), told(reading.faults).c_str());
        const auto differs = differingPaths(reading.plan->scenario, s);
        QVERIFY2(differs.empty(), differs.empty() ? "" : differs.front().c_str());
    }

    void presetsAndOverridesAreTold()
    {
        Scenario s = testplans::deepSeek();
        s.cluster.chip.hbmBytes = 1e11;
        s.model.hidden = 7424;
        const Json json = Json::parse(writePlan(planOf(s)));
        QVERIFY(json["model"]["preset"] == Json("deepseek-v3"));
        QVERIFY(json["model"]["hidden"] == Json(7424));
        QVERIFY(!json["model"].contains("vocabulary")); // as the preset has it
        QVERIFY(json["cluster"]["chip"]["hbm_bytes"] == Json(1e11));
        QVERIFY(!json["cluster"]["chip"].contains("hbm_bandwidth"));
        QVERIFY(json["resolved"]["cluster"]["chip"].contains("hbm_bandwidth"));
    }

    void unknownMembersAreKeptAndToldOnce()
    {
        const std::string text =
            file(R"("surprise": [1, {"deep": true}], "model": {"colour": "red"},
                    "cluster": {"chip": {"lamp": 3}})");
        const PlanReading reading = readPlan(text);
        QVERIFY2(reading.plan.has_value(), told(reading.faults).c_str());
        QCOMPARE(reading.notices.size(), 3U);
        QVERIFY(has(reading.notices, "notice.unknown-member", "/surprise"));
        QVERIFY(has(reading.notices, "notice.unknown-member", "/model/colour"));
        QVERIFY(has(reading.notices, "notice.unknown-member", "/cluster/chip/lamp"));
        const Json again = Json::parse(writePlan(*reading.plan));
        QVERIFY(again["surprise"] == Json::parse(R"([1, {"deep": true}])"));
        QVERIFY(again["model"]["colour"] == Json("red"));
        QVERIFY(again["cluster"]["chip"]["lamp"] == Json(3));
    }

    void unknownMembersOfListsAreKeptAndTold()
    {
        const std::string text = file(
            R"("workload": {"phases": [{"training_tokens": 1e12, "batch_ramp": [{"deep": 1}]},
                                       {"training_tokens": 2e12}]},
               "reliability": {"checkpoints": [{"tier": "nvme", "intervall_s": 60}]})");
        const PlanReading reading = readPlan(text);
        QVERIFY2(reading.plan.has_value(), told(reading.faults).c_str());
        QCOMPARE(reading.notices.size(), 2U);
        QVERIFY(has(reading.notices, "notice.unknown-member", "/workload/phases/0/batch_ramp"));
        QVERIFY(has(reading.notices, "notice.unknown-member",
                    "/reliability/checkpoints/0/intervall_s"));
        Plan plan = *reading.plan;
        Json again = Json::parse(writePlan(plan));
        QVERIFY(again["workload"]["phases"][0]["batch_ramp"] == Json::parse(R"([{"deep": 1}])"));
        QVERIFY(again["workload"]["phases"][0]["training_tokens"] == Json(1e12));
        QCOMPARE(again["workload"]["phases"].size(), 2U);
        QVERIFY(again["reliability"]["checkpoints"][0]["intervall_s"] == Json(60));
        // Whose they were is not known once a part has gone.
        plan.scenario.workload.phases.erase(plan.scenario.workload.phases.begin());
        again = Json::parse(writePlan(plan));
        QCOMPARE(again["workload"]["phases"].size(), 1U);
        QVERIFY(!again["workload"]["phases"][0].contains("batch_ramp"));
    }

    void resolvedWinsOverMovedPresets()
    {
        const Plan plan = planOf(testplans::deepSeek());
        Json json = Json::parse(writePlan(plan));
        // As if the preset had another bandwidth when the plan was saved.
        json["resolved"]["cluster"]["chip"]["hbm_bandwidth"] = 3.0e12;
        const PlanReading reading = readPlan(json.dump());
        QVERIFY2(reading.plan.has_value(), told(reading.faults).c_str());
        QCOMPARE(reading.plan->scenario.cluster.chip.hbmBandwidth, 3.0e12);
        QCOMPARE(reading.notices.size(), 1U);
        QVERIFY(has(reading.notices, "notice.resolved-differs",
                    "/resolved/cluster/chip/hbm_bandwidth"));
        // What the plan itself says stands above both.
        json["cluster"]["chip"]["hbm_bandwidth"] = 2.0e12;
        const PlanReading own = readPlan(json.dump());
        QVERIFY(own.plan.has_value());
        QCOMPARE(own.plan->scenario.cluster.chip.hbmBandwidth, 2.0e12);
        // A plan that names another preset by hand takes that preset's numbers.
        json["cluster"]["chip"] = {{"preset", "h100-sxm"}};
        const PlanReading other = readPlan(json.dump());
        QVERIFY2(other.plan.has_value(), told(other.faults).c_str());
        QCOMPARE(other.plan->scenario.cluster.chip.preset, std::string("h100-sxm"));
        QVERIFY(other.plan->scenario.cluster.chip.hbmBandwidth != 3.0e12);
    }

    void sameAs()
    {
        const PlanReading r = readPlan(file(R"("model": {"groups": [
            {"count": 3, "attention": {"heads": 16, "key_value_heads": 4}, "ffn": {"hidden": 512}},
            {"count": 5, "attention": {"same_as": 0, "window": 128}, "ffn": {"same_as": 0}}]})"));
        QVERIFY2(r.plan.has_value(), told(r.faults).c_str());
        const auto& g = r.plan->scenario.model.groups;
        QCOMPARE(g.size(), 2U);
        QCOMPARE(g[1].attention.heads, 16);
        QCOMPARE(g[1].attention.keyValueHeads, 4);
        QCOMPARE(g[1].attention.window, 128);
        QCOMPARE(g[1].ffn.hidden, 512);
        QCOMPARE(g[0].attention.window, 0);
        for (const char* bad : {"1", "2", "-1", "\"0\"", "0.5", "null", "1e30"}) {
            const PlanReading b =
                readPlan(file(R"("model": {"groups": [{"count": 1}, {"attention": {"same_as": )" +
                              std::string(bad) + "}}]}"));
            QVERIFY2(!b.plan, bad);
            QVERIFY2(has(b.faults, "fault.same-as", "/model/groups/1/attention/same_as"),
                     told(b.faults).c_str());
        }
    }

    void layersSetTheLargestGroup()
    {
        const PlanReading r = readPlan(file(R"("model": {"preset": "deepseek-v3", "layers": 31})"));
        QVERIFY2(r.plan.has_value(), told(r.faults).c_str());
        QCOMPARE(r.plan->scenario.model.groups[0].count, 3);
        QCOMPARE(r.plan->scenario.model.groups[1].count, 28);
        for (const char* bad : {"3", "0", "-1", "3.5", "\"31\"", "1e300", "20000", "null"}) {
            const PlanReading b = readPlan(
                file(R"("model": {"preset": "deepseek-v3", "layers": )" + std::string(bad) + "}"));
            QVERIFY2(!b.plan, bad);
            QVERIFY2(has(b.faults, "fault.range", "/model/layers"), told(b.faults).c_str());
        }
    }

    void head_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QByteArray>("code");
        const auto row = [](const char* name, const char* text, const char* code) {
            QTest::newRow(name) << QByteArray(text) << QByteArray(code);
        };
        row("newer version", R"({"format": "clusterwright-plan", "version": 2})", "fault.version");
        row("version 0", R"({"format": "clusterwright-plan", "version": 0})", "fault.version");
        row("version as text", R"({"format": "clusterwright-plan", "version": "1"})",
            "fault.version");
        row("huge version", R"({"format": "clusterwright-plan", "version": 18446744073709551615})",
            "fault.version");
        row("no format", R"({"version": 1})", "fault.format");
        row("other format", R"({"format": "else", "version": 1})", "fault.format");
        row("a list", "[]", "fault.type");
        row("a number", "3", "fault.type");
        row("empty", "", "fault.syntax");
        row("not JSON", "hello", "fault.syntax");
        row("trailing", R"({"format": "clusterwright-plan", "version": 1} x)", "fault.syntax");
        row("bad UTF-8", "{\"format\": \"\xff\xfe\"}", "fault.syntax");
        row("NaN", R"({"format": "clusterwright-plan", "version": 1, "model": {"hidden": NaN}})",
            "fault.syntax");
        row("duplicate",
            R"({"format": "clusterwright-plan", "version": 1, "name": "a", "name": "b"})",
            "fault.duplicate");
        row("duplicate inside", R"({"format": "clusterwright-plan", "version": 1,
            "model": {"hidden": 1, "hidden": 2}})",
            "fault.duplicate");
    }
    void head()
    {
        QFETCH(QByteArray, text);
        QFETCH(QByteArray, code);
        const PlanReading r = readPlan(text.toStdString());
        QVERIFY(!r.plan);
        QVERIFY2(std::any_of(r.faults.begin(), r.faults.end(),
                             [&](const Fault& f) { return f.code == code.data(); }),
                 told(r.faults).c_str());
    }

    void theSameNameInTwoObjectsIsNoDuplicate()
    {
        QVERIFY(readPlan(file(R"("model": {"hidden": 4096}, "training": {"hidden": 1})")).plan);
    }

    void truncatedAnywhere()
    {
        Plan plan = planOf(testplans::denseGpt());
        std::string text = writePlan(plan);
        // Without the resolved numbers the file is short enough to cut at every byte.
        Json json = Json::parse(text);
        json.erase("resolved");
        text = json.dump(1);
        QVERIFY(readPlan(text).plan.has_value());
        for (std::size_t n = 0; n < text.size(); ++n) {
            const PlanReading r = readPlan(text.substr(0, n));
            QVERIFY2(!r.plan, std::to_string(n).c_str());
            QVERIFY2(!r.faults.empty(), std::to_string(n).c_str());
        }
    }

    void everyByteFlippedNeverCrashes()
    {
        Json json = Json::parse(writePlan(planOf(testplans::denseGpt())));
        json.erase("resolved");
        const std::string text = json.dump();
        int refused = 0;
        for (std::size_t n = 0; n < text.size(); ++n) {
            for (const char c : {'\0', '9', '"', '}', '\x80'}) {
                std::string bad = text;
                bad[n] = c;
                const PlanReading r = readPlan(bad);
                QVERIFY(r.plan.has_value() != !r.faults.empty());
                refused += r.plan ? 0 : 1;
            }
        }
        QVERIFY(refused > int(text.size()));
    }

    void tooLargeAndTooDeep()
    {
        std::string large = file("\"notes\": \"" + std::string(17U << 20U, 'x') + "\"");
        QVERIFY(has(readPlan(large).faults, "fault.too-large", ""));
        // A large file below the limit is read.
        QVERIFY(readPlan(file("\"notes\": \"" + std::string(1U << 20U, 'x') + "\"")).plan);
        const std::string deep =
            file("\"surprise\": " + std::string(10000, '[') + "1" + std::string(10000, ']'));
        QVERIFY(has(readPlan(deep).faults, "fault.too-deep", ""));
        std::string objects;
        for (int i = 0; i < 10000; ++i)
            objects += "{\"a\":";
        const PlanReading r = readPlan(file("\"surprise\": " + objects));
        QVERIFY(!r.plan);
        QVERIFY(!r.faults.empty());
    }

    void everyFaultAtOnce()
    {
        const PlanReading r = readPlan(file(R"(
            "name": 3,
            "model": {"preset": "deepseekv3", "hidden": "wide", "groups": [
                {"count": -1}, {"attention": {"heads": 1.5}}, 7]},
            "workload": {"sequence_length": 0, "global_batch_sequences": 1e15,
                         "training_tokens": -5},
            "parallelism": {"tensor": 0, "pipeline": 1e18, "expert": null, "data": 2.5,
                            "schedule": "1f1c", "recompute": ["norm", "norms"],
                            "stage_layers": [1, "x"], "sequence_parallel": 1},
            "precision": {"compute": 16},
            "cluster": {"chip": [], "network": {"scale_out": {"oversubscription": {}}}},
            "storage": {"pools": {}},
            "resolved": 3)"));
        QVERIFY(!r.plan);
        const auto& f = r.faults;
        QVERIFY2(has(f, "fault.type", "/name"), told(f).c_str());
        QVERIFY2(has(f, "fault.unknown-preset", "/model/preset"), told(f).c_str());
        QVERIFY2(has(f, "fault.type", "/model/hidden"), told(f).c_str());
        QVERIFY2(has(f, "fault.range", "/model/groups/0/count"), told(f).c_str());
        QVERIFY2(has(f, "fault.whole", "/model/groups/1/attention/heads"), told(f).c_str());
        QVERIFY2(has(f, "fault.type", "/model/groups/2"), told(f).c_str());
        QVERIFY2(has(f, "fault.range", "/workload/sequence_length"), told(f).c_str());
        QVERIFY2(has(f, "fault.range", "/workload/training_tokens"), told(f).c_str());
        QVERIFY2(has(f, "fault.range", "/workload/global_batch_sequences"), told(f).c_str());
        QVERIFY2(has(f, "fault.range", "/parallelism/tensor"), told(f).c_str());
        QVERIFY2(has(f, "fault.range", "/parallelism/pipeline"), told(f).c_str());
        QVERIFY2(has(f, "fault.type", "/parallelism/expert"), told(f).c_str());
        QVERIFY2(has(f, "fault.whole", "/parallelism/data"), told(f).c_str());
        QVERIFY2(has(f, "fault.choice", "/parallelism/schedule"), told(f).c_str());
        QVERIFY2(has(f, "fault.choice", "/parallelism/recompute"), told(f).c_str());
        QVERIFY2(has(f, "fault.type", "/parallelism/stage_layers/1"), told(f).c_str());
        QVERIFY2(has(f, "fault.type", "/parallelism/sequence_parallel"), told(f).c_str());
        QVERIFY2(has(f, "fault.choice", "/precision/compute"), told(f).c_str());
        QVERIFY2(has(f, "fault.type", "/cluster/chip"), told(f).c_str());
        QVERIFY2(has(f, "fault.type", "/cluster/network/scale_out/oversubscription"),
                 told(f).c_str());
        QVERIFY2(has(f, "fault.type", "/storage/pools"), told(f).c_str());
        QVERIFY2(has(f, "fault.type", "/resolved"), told(f).c_str());
        // Each of them once.
        std::set<std::string> seen;
        for (const Fault& x : f)
            QVERIFY2(seen.insert(x.code + x.pointer).second, (x.code + x.pointer).c_str());
    }

    void overflowingNumbers_data()
    {
        QTest::addColumn<QByteArray>("number");
        for (const char* n : {"1e999", "-1e999", "1e309"})
            QTest::newRow(n) << QByteArray(n);
    }
    void overflowingNumbers()
    {
        QFETCH(QByteArray, number);
        const PlanReading r =
            readPlan(file("\"name\": \"x\", \"model\": {\"groups\": [{}, {\"count\": " +
                          number.toStdString() + "}]}"));
        QVERIFY(!r.plan);
        QVERIFY2(has(r.faults, "fault.not-finite", "/model/groups/1/count"),
                 told(r.faults).c_str());
    }

    void extremeDegrees_data()
    {
        QTest::addColumn<QByteArray>("member");
        for (const char* m : {"tensor", "context", "pipeline", "virtual_stages", "expert",
                              "expert_tensor", "data", "sharding_group", "micro_batch_sequences"})
            QTest::newRow(m) << QByteArray(m);
    }
    void extremeDegrees()
    {
        QFETCH(QByteArray, member);
        for (const char* value : {"0", "-1", "-9223372036854775808", "1e18", "9223372036854775807",
                                  "18446744073709551616", "1e308", "2.5", "\"8\"", "true"}) {
            const PlanReading r = readPlan(
                file("\"parallelism\": {\"" + member.toStdString() + "\": " + value + "}"));
            QVERIFY2(!r.plan, value);
            QCOMPARE(r.faults.size(), 1U);
            QCOMPARE(r.faults[0].pointer, "/parallelism/" + member.toStdString());
        }
    }

    void nearestNames_data()
    {
        QTest::addColumn<QByteArray>("part");
        QTest::addColumn<QByteArray>("given");
        QTest::addColumn<QByteArray>("nearest");
        const auto row = [](const char* part, const char* given, const char* nearest) {
            QTest::newRow(given) << QByteArray(part) << QByteArray(given) << QByteArray(nearest);
        };
        row("model", "deepseekv3", "deepseek-v3");
        row("model", "llama-3.1-405b", "llama3.1-405b");
        row("model", "kimik2", "kimi-k2");
        row("cluster.chip", "h100_sxm", "h100-sxm");
        row("cluster.chip", "H800-sxm", "h800-sxm");
        row("software", "megatron_bridge", "megatron-bridge");
    }
    void nearestNames()
    {
        QFETCH(QByteArray, part);
        QFETCH(QByteArray, given);
        QFETCH(QByteArray, nearest);
        Json json = {{"format", "clusterwright-plan"}, {"version", 1}};
        std::string pointer = "/" + part.toStdString();
        std::replace(pointer.begin(), pointer.end(), '.', '/');
        json[Json::json_pointer(pointer + "/preset")] = given.toStdString();
        const PlanReading r = readPlan(json.dump());
        QVERIFY(!r.plan);
        QCOMPARE(r.faults.size(), 1U);
        QCOMPARE(r.faults[0].code, std::string("fault.unknown-preset"));
        QCOMPARE(r.faults[0].arguments.at("nearest"), nearest.toStdString());
    }

    void hugeListsAreRefused()
    {
        std::string list = "[";
        for (int i = 0; i < 5000; ++i)
            list += std::string(i == 0 ? "" : ",") + "{}";
        const PlanReading r = readPlan(file(R"("model": {"groups": )" + list + "]}"));
        QVERIFY(has(r.faults, "fault.type", "/model/groups"));
    }

    void resolvedIsCheckedToo()
    {
        Json json = Json::parse(writePlan(planOf(testplans::denseGpt())));
        json["resolved"]["cluster"]["chip"]["hbm_bandwidth"] = -1;
        const PlanReading r = readPlan(json.dump());
        QVERIFY(!r.plan);
        QVERIFY2(has(r.faults, "fault.range", "/resolved/cluster/chip/hbm_bandwidth"),
                 told(r.faults).c_str());
    }
};

QTEST_APPLESS_MAIN(TestPlanFile)
#include "tst_planfile.moc"
