// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest/QTest>

#include <algorithm>
#include <set>
#include <string>

#include "model/scenario/registry.h"
#include "model/text/catalogue.h"

using namespace cw;
using text::Catalogue;
using text::Language;
using text::Section;

namespace {

constexpr std::array<Section, text::kSectionCount> kSections{
    Section::Parts,    Section::Parameters, Section::Quantities, Section::Constants,
    Section::Messages, Section::Choices,    Section::Terms};

/// A plan in which every list has an entry, so that every parameter occurs.
scenario::Scenario wholePlan()
{
    scenario::Scenario s;
    s.model.groups.resize(1);
    s.workload.phases.resize(1);
    s.storage.pools.resize(1);
    s.reliability.domains.resize(1);
    s.reliability.checkpoints.resize(1);
    s.cluster.network.measured.resize(1);
    s.cluster.network.faults.resize(1);
    return s;
}

std::set<std::string> placeholders(std::string_view text)
{
    std::set<std::string> names;
    for (std::size_t open = text.find('{'); open != std::string_view::npos;
         open = text.find('{', open + 1))
        if (const std::size_t close = text.find('}', open); close != std::string_view::npos)
            names.emplace(text.substr(open + 1, std::min(close, text.find(':', open)) - open - 1));
    return names;
}

/// CJK ideographs start with these bytes in UTF-8.
bool hasChinese(std::string_view text)
{
    return std::any_of(text.begin(), text.end(), [](char c) {
        const auto byte = static_cast<unsigned char>(c);
        return byte >= 0xe4 && byte <= 0xe9;
    });
}

std::string joined(const std::vector<std::string>& list)
{
    std::string all;
    for (const std::string& s : list)
        all += s + "\n";
    return all;
}

} // namespace

class CatalogueTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void filesAreSound();
    void languagesHaveTheSameKeys();
    void placeholdersAgree();
    void everyParameterIsExplained();
    void everyPartHasAName();
    void everyChoiceHasAText();
    void everyFaultIsWorded();
    void argumentsFill();
    void gapsShowTheirKey();
    void choicesCanBeNamedByParameter();
    void symbolsFallBackToEnglish();
    void duplicatesAreFound();
};

void CatalogueTest::filesAreSound()
{
    for (const Language language : {Language::English, Language::Chinese}) {
        const auto& problems = Catalogue::of(language).problems();
        QVERIFY2(problems.empty(), joined(problems).c_str());
    }
}

void CatalogueTest::languagesHaveTheSameKeys()
{
    for (const Section section : kSections) {
        const auto en = Catalogue::of(Language::English).keys(section);
        const auto zh = Catalogue::of(Language::Chinese).keys(section);
        std::vector<std::string_view> differ;
        std::set_symmetric_difference(en.begin(), en.end(), zh.begin(), zh.end(),
                                      std::back_inserter(differ));
        std::string all;
        for (const std::string_view key : differ)
            all += std::string(key) + "\n";
        QVERIFY2(differ.empty(), all.c_str());
    }
    QVERIFY(!Catalogue::of(Language::English).keys(Section::Parameters).empty());
}

void CatalogueTest::placeholdersAgree()
{
    const Catalogue& en = Catalogue::of(Language::English);
    const Catalogue& zh = Catalogue::of(Language::Chinese);
    for (const std::string_view key : en.keys(Section::Messages))
        QVERIFY2(placeholders(en.text(Section::Messages, key)) ==
                     placeholders(zh.text(Section::Messages, key)),
                 std::string(key).c_str());
}

void CatalogueTest::everyParameterIsExplained()
{
    const Catalogue& en = Catalogue::of(Language::English);
    const Catalogue& zh = Catalogue::of(Language::Chinese);
    for (const scenario::Parameter& p : scenario::parameters(wholePlan())) {
        for (const Catalogue* c : {&en, &zh}) {
            QVERIFY2(c->has(Section::Parameters, p.textKey), p.textKey.c_str());
            QVERIFY2(!c->label(p.textKey).empty(), p.textKey.c_str());
            QVERIFY2(!c->help(p.textKey).empty(), p.textKey.c_str());
            QVERIFY2(c->label(p.textKey) != p.textKey, p.textKey.c_str());
        }
        QVERIFY2(hasChinese(zh.help(p.textKey)), p.textKey.c_str());
        QVERIFY2(!hasChinese(en.help(p.textKey)), p.textKey.c_str());
    }
}

void CatalogueTest::everyPartHasAName()
{
    for (const scenario::Parameter& p : scenario::parameters(wholePlan())) {
        const std::string part = p.textKey.substr(0, p.textKey.rfind('.'));
        for (const Language language : {Language::English, Language::Chinese})
            QVERIFY2(Catalogue::of(language).has(Section::Parts, part), part.c_str());
    }
}

void CatalogueTest::everyChoiceHasAText()
{
    int seen = 0;
    for (const scenario::Parameter& p : scenario::parameters(wholePlan())) {
        for (const std::string_view name : p.names) {
            ++seen;
            for (const Language language : {Language::English, Language::Chinese})
                QVERIFY2(Catalogue::of(language).has(Section::Choices, name),
                         std::string(name).c_str());
        }
    }
    QVERIFY(seen > 100);
}

void CatalogueTest::everyFaultIsWorded()
{
    for (const char* code : {"fault.syntax", "fault.too-large", "fault.too-deep", "fault.type",
                             "fault.range", "fault.whole", "fault.choice", "fault.unknown-preset",
                             "fault.preset-cycle", "fault.unknown-path", "fault.version",
                             "fault.format", "fault.not-finite", "fault.missing", "fault.duplicate",
                             "fault.same-as", "notice.unknown-member", "notice.resolved-differs"})
        for (const Language language : {Language::English, Language::Chinese})
            QVERIFY2(Catalogue::of(language).has(Section::Messages, code), code);
    QCOMPARE(Catalogue::of(Language::English)
                 .message("fault.range", {{"value", "12"}, {"allowed", "1 to 8"}}),
             std::string("12 is out of range. Allowed: 1 to 8."));
    QCOMPARE(Catalogue::of(Language::English)
                 .message("fault.unknown-preset", {{"value", "h100_sxm"}, {"nearest", "h100-sxm"}}),
             std::string("There is no such preset: h100_sxm. Nearest: h100-sxm."));
}

void CatalogueTest::argumentsFill()
{
    QCOMPARE(text::filled("a {x} b", {{"x", "1"}}), std::string("a 1 b"));
    QCOMPARE(text::filled("a {x}b", {}), std::string("a b"));
    QCOMPARE(text::filled("a[[ {x}]].", {{"x", "1"}}), std::string("a 1."));
    QCOMPARE(text::filled("a[[ {x}]].", {}), std::string("a."));
    QCOMPARE(text::filled("a[[ {x}]].", {{"x", ""}}), std::string("a."));
    // What an argument holds is shown as it is, never read as a placeholder.
    QCOMPARE(text::filled("{x}{y}", {{"x", "{y}"}, {"y", "[[2]]"}}), std::string("{y}[[2]]"));
    // Texts that are not closed are shown and not dropped.
    QCOMPARE(text::filled("a {x", {{"x", "1"}}), std::string("a {x"));
    QCOMPARE(text::filled("a [[b", {}), std::string("a [[b"));
}

void CatalogueTest::gapsShowTheirKey()
{
    const Catalogue& en = Catalogue::of(Language::English);
    QCOMPARE(en.label("no.such"), std::string_view("no.such"));
    QCOMPARE(en.message("no.such"), std::string("no.such"));
    QCOMPARE(en.choice("no-such"), std::string_view("no-such"));
    QCOMPARE(en.term("no.such"), std::string_view("no.such"));
    QVERIFY(en.help("no.such").empty());
    QVERIFY(!en.has(Section::Terms, "no.such"));
}

void CatalogueTest::choicesCanBeNamedByParameter()
{
    const Catalogue c({R"({"choices":{"full":"Full","a.b:full":"All of it"}})"});
    QCOMPARE(c.choice("a.b", "full"), std::string_view("All of it"));
    QCOMPARE(c.choice("a.c", "full"), std::string_view("Full"));
}

void CatalogueTest::symbolsFallBackToEnglish()
{
    const Catalogue en({R"({"quantities":{"q":{"label":"Q","symbol":"T","source":"paper"}}})"});
    const Catalogue zh({R"({"quantities":{"q":{"label":"量"}}})"}, &en);
    QCOMPARE(zh.label("q"), std::string_view("量"));
    QCOMPARE(zh.symbol("q"), std::string_view("T"));
    QCOMPARE(zh.source("q"), std::string_view("paper"));
}

void CatalogueTest::duplicatesAreFound()
{
    QCOMPARE(Catalogue({R"({"terms":{"a":"1"}})", R"({"terms":{"a":"2"}})"}).problems().size(),
             std::size_t(1));
    QCOMPARE(Catalogue({R"({"terms":{"a":"1","a":"2"}})"}).problems().size(), std::size_t(1));
    QCOMPARE(Catalogue({R"({"words":{}})"}).problems().size(), std::size_t(1));
    QCOMPARE(Catalogue({R"({"terms":{"a":1}})"}).problems().size(), std::size_t(1));
    QCOMPARE(Catalogue({"{"}).problems().size(), std::size_t(1));
    QVERIFY(Catalogue({R"({"terms":{"a":"1"}})", R"({"parts":{"a":"2"}})"}).problems().empty());
}

QTEST_APPLESS_MAIN(CatalogueTest)
#include "tst_catalogue.moc"
