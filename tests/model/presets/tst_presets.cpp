// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest/QTest>

#include <array>
#include <cmath>
#include <functional>
#include <set>
#include <string>

#include <nlohmann/json.hpp>

#include "model/scenario/presets.h"
#include "model/transformer/counts.h"
#include "resources/embedded.h"

using namespace cw;
using Json = nlohmann::json;

namespace {

struct Kind
{
    const char* folder;
    const char* kind;
    /// Parts of a plan that the values describe, "" standing for the values themselves.
    std::vector<std::string> parts;
};

const std::array<Kind, 5>& kinds()
{
    static const std::array<Kind, 5> all{{{"chips", "chip", {"cluster.chip"}},
                                          {"models", "model", {"model"}},
                                          {"systems", "system", {"cluster", "facility"}},
                                          {"networks", "network", {"cluster.network"}},
                                          {"software", "software", {"software"}}}};
    return all;
}

using Leaf = std::function<void(const std::string& path, const Json& value)>;

/// Visits every value; a list of plain values is one.
void eachLeaf(const Json& json, const std::string& path, const Leaf& leaf)
{
    if (json.is_object()) {
        for (const auto& [key, value] : json.items())
            eachLeaf(value, path.empty() ? key : path + "." + key, leaf);
    } else if (json.is_array() && !json.empty() && json[0].is_object()) {
        for (std::size_t i = 0; i < json.size(); ++i)
            eachLeaf(json[i], path + "." + std::to_string(i), leaf);
    } else {
        leaf(path, json);
    }
}

bool covered(const Json& sources, std::string path)
{
    while (!path.empty()) {
        if (sources.contains(path))
            return true;
        const std::size_t dot = path.rfind('.');
        path = dot == std::string::npos ? std::string() : path.substr(0, dot);
    }
    return sources.contains("*");
}

std::string idOf(std::string_view file)
{
    const std::size_t slash = file.rfind('/');
    return std::string(file.substr(slash + 1, file.rfind('.') - slash - 1));
}

void addFiles()
{
    QTest::addColumn<QByteArray>("file");
    QTest::addColumn<int>("kind");
    for (std::size_t k = 0; k < kinds().size(); ++k)
        for (const std::string_view file :
             resources::filesBelow("presets/" + std::string(kinds()[k].folder) + "/"))
            QTest::newRow(std::string(file).c_str())
                << QByteArray(file.data(), static_cast<qsizetype>(file.size()))
                << static_cast<int>(k);
}

Json jsonOf(const QByteArray& file)
{
    return Json::parse(
        resources::file(std::string_view(file.constData(), static_cast<std::size_t>(file.size()))),
        nullptr, false);
}

bool same(const scenario::Value& value, const Json& json)
{
    if (const auto* number = std::get_if<double>(&value))
        return json.is_number() && *number == json.get<double>();
    if (const auto* flag = std::get_if<bool>(&value))
        return json.is_boolean() && *flag == json.get<bool>();
    if (const auto* text = std::get_if<std::string>(&value))
        return json.is_string() && *text == json.get<std::string>();
    if (const auto* names = std::get_if<std::vector<std::string>>(&value))
        return json.is_array() && *names == json.get<std::vector<std::string>>();
    if (const auto* numbers = std::get_if<std::vector<double>>(&value))
        return json.is_array() && *numbers == json.get<std::vector<double>>();
    return json.is_null();
}

} // namespace

class PresetsTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void headIsComplete_data() { addFiles(); }
    void headIsComplete();
    void everyNumberHasASource_data() { addFiles(); }
    void everyNumberHasASource();
    void valuesAreReadIntoThePlan_data() { addFiles(); }
    void valuesAreReadIntoThePlan();
    void namesAreUnique();
    void referencesExist();
    void chipsAreSane();
    void ceilingsStayBelowTheBestProduct();
    void linksArePerDirection();
    void modelsTellTheirPublishedSize();
    void shapesGiveThePublishedSize();
    void hostPowerIsPlausible();
    void expectedPresetsAreThere();
};

void PresetsTest::headIsComplete()
{
    QFETCH(QByteArray, file);
    QFETCH(int, kind);
    const Json j = jsonOf(file);
    QVERIFY(j.is_object());
    QCOMPARE(j.value("id", ""), idOf(std::string_view(file.constData())));
    QCOMPARE(j.value("kind", ""), std::string(kinds()[static_cast<std::size_t>(kind)].kind));
    QVERIFY(!j.value("name", "").empty());
    QVERIFY(!j.value("vendor", j.value("org", "")).empty());
    QVERIFY(j["year"].is_number_integer() && j["year"] >= 2018 && j["year"] <= 2030);
    const std::set<std::string> known{"shipping", "announced", "estimated", "end-of-sale",
                                      "released", "benchmark", "generic",   "current"};
    QVERIFY2(known.count(j.value("status", "")) == 1, j.value("status", "").c_str());
    QVERIFY(j["aliases"].is_array() && j["notes"].is_array());
    QVERIFY(j["values"].is_object() && !j["values"].empty());
    QVERIFY(j["sources"].is_object() && !j["sources"].empty());
}

void PresetsTest::everyNumberHasASource()
{
    QFETCH(QByteArray, file);
    const Json j = jsonOf(file);
    std::string bad;
    eachLeaf(j["values"], "", [&](const std::string& path, const Json& value) {
        if (!covered(j["sources"], path))
            bad += path + " has no source; ";
        if (value.is_number() && !std::isfinite(value.get<double>()))
            bad += path + " is not finite; ";
        if (value.is_null())
            bad += path + " is null; ";
    });
    for (const auto& [path, source] : j["sources"].items()) {
        const std::string status = source.value("status", "");
        if (status != "published" && status != "assumed" && status != "measured")
            bad += path + ": status " + status + "; ";
        if (source.value("source", "").size() < 8)
            bad += path + ": source is empty; ";
        std::string pointer = "/" + path;
        std::replace(pointer.begin(), pointer.end(), '.', '/');
        if (path != "*" && !j["values"].contains(Json::json_pointer(pointer)))
            bad += path + ": source of no value; ";
    }
    QVERIFY2(bad.empty(), bad.c_str());
}

void PresetsTest::valuesAreReadIntoThePlan()
{
    QFETCH(QByteArray, file);
    QFETCH(int, kind);
    const Json j = jsonOf(file);
    const Kind& k = kinds()[static_cast<std::size_t>(kind)];
    scenario::Scenario s;
    const auto refusal = scenario::applyPreset(s, k.parts.front(), j.value("id", ""));
    QVERIFY2(!refusal, refusal ? refusal->code.c_str() : "");
    std::set<std::string> paths;
    for (const scenario::Parameter& p : scenario::parameters(s))
        paths.insert(p.path);
    std::string bad;
    const std::string prefix = k.parts.size() > 1 ? std::string() : k.parts.front();
    eachLeaf(j["values"], prefix, [&](const std::string& path, const Json& value) {
        if (path == "cluster.chips")
            return; // the size of the machine stays the planner's
        const auto read = scenario::valueAt(s, path);
        if (paths.count(path) == 0 || !read)
            bad += path + " is no input; ";
        else if (!same(*read, value))
            bad += path + " is read as " + scenario::toText(*read) + "; ";
    });
    QVERIFY2(bad.empty(), bad.c_str());
}

void PresetsTest::namesAreUnique()
{
    for (const Kind& k : kinds()) {
        std::set<std::string> names;
        for (const scenario::Preset& p : scenario::presetsOf(k.kind)) {
            QVERIFY2(names.insert(p.id).second, p.id.c_str());
            for (const std::string& alias : p.aliases)
                QVERIFY2(names.insert(alias).second, alias.c_str());
        }
        QVERIFY(!names.empty());
    }
}

void PresetsTest::referencesExist()
{
    for (const scenario::Preset& p : scenario::presetsOf("system")) {
        const Json j = Json::parse(p.json);
        const Json& cluster = j["values"]["cluster"];
        QVERIFY2(scenario::findPreset("chip", cluster["chip"].value("preset", "")) != nullptr,
                 p.id.c_str());
        QVERIFY2(scenario::findPreset("network", cluster["network"].value("preset", "")) != nullptr,
                 p.id.c_str());
    }
}

void PresetsTest::chipsAreSane()
{
    for (const scenario::Preset& p : scenario::presetsOf("chip")) {
        const Json v = Json::parse(p.json)["values"];
        const Json& flops = v["matrix_flops"];
        const double bf16 = flops.value("bf16", 0.0);
        QVERIFY2(bf16 >= 1e14 && bf16 < 2e16, p.id.c_str());
        QVERIFY2(flops.value("fp8", bf16) >= bf16 && flops.value("fp8", bf16) <= 5 * bf16,
                 p.id.c_str());
        QVERIFY2(v["hbm_usable_bytes"] <= v["hbm_bytes"], p.id.c_str());
        QVERIFY2(v["hbm_usable_bytes"] > 0.9 * v["hbm_bytes"].get<double>(), p.id.c_str());
        QVERIFY2(v["hbm_bandwidth"] >= 5e11 && v["hbm_bandwidth"] <= 5e13, p.id.c_str());
        QVERIFY2(v["power_limit"] >= 100 && v["power_limit"] <= 5000, p.id.c_str());
        QVERIFY2(v["idle_power"] < 0.5 * v["power_limit"].get<double>(), p.id.c_str());
        std::string bad;
        eachLeaf(v["efficiency"], "", [&](const std::string& path, const Json& share) {
            if (path == "k_ramp") // a length, not a share
                return;
            if (!share.is_number() || share <= 0 || share > 1)
                bad += path;
        });
        QVERIFY2(bad.empty(), (p.id + " " + bad).c_str());
        for (const auto& [format, rate] : v["efficiency"]["matrix"].items())
            QVERIFY2(flops.contains(format), (p.id + " " + format).c_str());
    }
}

void PresetsTest::ceilingsStayBelowTheBestProduct()
{
    // Best single product ever measured over the data sheet: stas00/ml-engineering (2026).
    const std::vector<std::tuple<const char*, const char*, double>> bounds{
        {"a100-80-sxm", "bf16", 0.87}, {"h100-sxm", "bf16", 0.80}, {"b200-sxm", "bf16", 0.78},
        {"b300-sxm", "bf16", 0.79},    {"gb200", "bf16", 0.73},    {"mi300x", "bf16", 0.51},
        {"mi325x", "bf16", 0.60},      {"mi355x", "bf16", 0.68},   {"gaudi2", "bf16", 0.97},
        {"gaudi3", "bf16", 0.74},      {"h100-sxm", "fp8", 0.71},  {"h200-sxm", "fp8", 0.73},
        {"b200-sxm", "fp8", 0.76},     {"gb200", "fp8", 0.72}};
    for (const auto& [chip, format, bound] : bounds) {
        const scenario::Preset* p = scenario::findPreset("chip", chip);
        QVERIFY2(p != nullptr, chip);
        const Json matrix = Json::parse(p->json)["values"]["efficiency"]["matrix"];
        // The ceiling stands before the ramp K/(K + K0): what counts is what is left of it at the
        // largest K of current shapes.
        constexpr double kLargestK = 16384;
        const double start = 830 * (std::string_view(format) == "fp8" ? 1.6 : 1.0);
        QVERIFY2(matrix.value(format, 2.0) * kLargestK / (kLargestK + start) <= bound * 1.02, chip);
    }
}

void PresetsTest::linksArePerDirection()
{
    // Vendors print NVLink and UnifiedBus in both directions; a plan counts one.
    const std::vector<std::pair<const char*, double>> links{
        {"dgx-a100-80", 300e9},    {"dgx-h100", 450e9},           {"hgx-h800", 200e9},
        {"dgx-b200", 900e9},       {"gb200-nvl72", 900e9},        {"cloudmatrix-384", 392e9},
        {"tpu7x-superpod", 600e9}, {"atlas-950-superpod", 1008e9}};
    for (const auto& [system, bandwidth] : links) {
        scenario::Scenario s;
        QVERIFY2(!scenario::applyPreset(s, "cluster", system), system);
        QCOMPARE(s.cluster.network.scaleUp.bandwidth, bandwidth);
        QVERIFY2(s.cluster.network.scaleOut.bandwidth <= s.cluster.network.scaleUp.bandwidth,
                 system);
    }
    for (const scenario::Preset& p : scenario::presetsOf("system")) {
        scenario::Scenario s;
        QVERIFY2(!scenario::applyPreset(s, "cluster", p.id), p.id.c_str());
        const scenario::ScaleUp& up = s.cluster.network.scaleUp;
        std::int64_t product = 1;
        for (const std::int64_t n : up.shape)
            product *= n;
        QVERIFY2(up.shape.empty() || product == up.chips, p.id.c_str());
    }
}

void PresetsTest::modelsTellTheirPublishedSize()
{
    for (const scenario::Preset& p : scenario::presetsOf("model")) {
        const Json j = Json::parse(p.json);
        const Json& published = j["published"];
        QVERIFY2(published.is_object(), p.id.c_str());
        const double total = published.value("total", 0.0);
        const double active = published.value("active", 0.0);
        QVERIFY2(total >= 1e9 && active > 0 && active <= total, p.id.c_str());
        const std::set<std::string> conventions{"both_embeddings", "head_only", "no_embeddings"};
        QVERIFY2(conventions.count(published.value("active_convention", "")) == 1, p.id.c_str());
        const double tolerance = published.value("tolerance_total", 0.0);
        QVERIFY2(tolerance > 0 && tolerance <= 0.02, p.id.c_str());
        QVERIFY2(tolerance <= 0.005 || !published.value("reason", "").empty(), p.id.c_str());
        for (const Json& group : j["values"]["groups"])
            QVERIFY2(group["count"] >= 1, p.id.c_str());
    }
}

void PresetsTest::shapesGiveThePublishedSize()
{
    std::string bad;
    for (const scenario::Preset& p : scenario::presetsOf("model")) {
        const Json published = Json::parse(p.json)["published"];
        scenario::Scenario s;
        QVERIFY2(!scenario::applyPreset(s, "model", p.id), p.id.c_str());
        const scenario::Inputs<double> in(s);
        const auto counts = transformer::countParameters(in, transformer::layersOf(in));
        const std::string convention = published.value("active_convention", "");
        const double active = convention == "both_embeddings" ? counts.active
                              : convention == "head_only"     ? counts.activeHeadOnly
                                                              : counts.activeWithoutEmbeddings;
        const double totalError = counts.total / published.value("total", 0.0) - 1;
        const double activeError = active / published.value("active", 0.0) - 1;
        if (std::abs(totalError) > published.value("tolerance_total", 0.0))
            bad += p.id + ": total " + std::to_string(totalError) + "\n";
        if (std::abs(activeError) > published.value("tolerance_active", 0.0))
            bad += p.id + ": active " + std::to_string(activeError) + "\n";
    }
    QVERIFY2(bad.empty(), bad.c_str());
}

void PresetsTest::hostPowerIsPlausible()
{
    for (const scenario::Preset& p : scenario::presetsOf("system")) {
        scenario::Scenario s;
        QVERIFY2(!scenario::applyPreset(s, "cluster", p.id), p.id.c_str());
        const double chips = static_cast<double>(s.cluster.node.chips) * s.cluster.chip.powerLimit;
        const double ratio = 1 + s.cluster.node.hostPower / chips;
        // Rated nodes: 1.25 (MI355X) to 2.03 (DGX A100) times their chips.
        QVERIFY2(ratio > 1.15 && ratio < 2.1, (p.id + " " + std::to_string(ratio)).c_str());
    }
}

void PresetsTest::expectedPresetsAreThere()
{
    for (const char* id : {"generic", "ascend-950dt", "h100-sxm", "gb200", "mi355x", "tpu7x"})
        QVERIFY2(scenario::findPreset("chip", id) != nullptr, id);
    for (const char* id : {"moe-10t-a500b", "moe-10t-a1t", "dense-10t", "deepseek-v3"})
        QVERIFY2(scenario::findPreset("model", id) != nullptr, id);
    for (const char* id : {"ib-ndr-fat-tree", "ib-ndr-rail", "roce-800g-multi-plane",
                           "ub-superpod-8192", "dragonfly-plus", "torus-3d"})
        QVERIFY2(scenario::findPreset("network", id) != nullptr, id);
    for (const char* id : {"megatron-bridge", "mindspeed-llm", "hai-llm", "unnamed"})
        QVERIFY2(scenario::findPreset("software", id) != nullptr, id);
    const Json generic = Json::parse(scenario::findPreset("chip", "generic")->json)["values"];
    QCOMPARE(generic["matrix_flops"]["bf16"].get<double>(), 1e15);
    QCOMPARE(generic["hbm_bytes"].get<double>(), 130e9);
    QCOMPARE(generic["power_limit"].get<double>(), 700.0);
}

QTEST_APPLESS_MAIN(PresetsTest)
#include "tst_presets.moc"
