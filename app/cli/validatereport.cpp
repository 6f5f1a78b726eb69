// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/validatereport.h"

#include <cmath>

#include "model/report/writers.h"
#include "model/units/text.h"

namespace cw::cli {

using Json = nlohmann::ordered_json;
using calibrate::Validation;
using units::Unit;

namespace {

Json rowsJson(const std::vector<calibrate::RowResult>& all)
{
    Json rows = Json::array();
    for (const auto& r : all)
        rows.push_back({{"id", r.id},
                        {"file", r.file},
                        {"quantity", r.quantity},
                        {"predicted", r.predicted},
                        {"measured", r.measured},
                        {"error", r.error},
                        {"band_low", r.bandLow},
                        {"band_high", r.bandHigh},
                        {"chip", r.chip},
                        {"framework", r.framework},
                        {"source", r.source},
                        {"kind", r.kind},
                        {"precision", r.precision},
                        {"chips", r.chips},
                        {"kept_back", r.keptBack},
                        {"doubt", r.doubt}});
    return rows;
}

Json summaryJson(const std::vector<calibrate::SummaryRow>& all)
{
    Json summary = Json::array();
    for (const auto& s : all)
        summary.push_back({{"quantity", s.quantity},
                           {"group", s.group},
                           {"count", s.count},
                           {"median_abs_error", s.medianAbsError},
                           {"mean_abs_error", s.meanAbsError},
                           {"p90_abs_error", s.p90AbsError},
                           {"worst_abs_error", s.worstAbsError},
                           {"bias", s.bias},
                           {"band_coverage", s.bandCoverage}});
    return summary;
}

void addOrders(const Validation& v, Json& into)
{
    Json fits = Json::array();
    for (const auto& f : v.fits)
        fits.push_back({{"group", f.group},
                        {"count", f.count},
                        {"right", f.right},
                        {"right_outside_band", f.rightOutside},
                        {"inside_band", f.inside},
                        {"band_half_width", f.halfWidth},
                        {"told_to_fit_and_ran", f.bothFit},
                        {"told_to_fit_but_ran_out", f.toldToFit},
                        {"told_not_to_fit_but_ran", f.toldNotTo},
                        {"told_not_to_fit_and_ran_out", f.neitherFit}});
    Json sweeps = Json::array();
    for (const auto& s : v.sweeps)
        sweeps.push_back({{"file", s.file},
                          {"name", s.name},
                          {"count", s.count},
                          {"spearman", s.spearman},
                          {"regret", s.regret},
                          {"best_among_first_three", s.bestAmongFirst}});
    into["fits"] = std::move(fits);
    into["sweeps"] = std::move(sweeps);
}

void addCollectives(const Validation& v, Json& into)
{
    Json rows = Json::array();
    for (const auto& r : v.collectives)
        rows.push_back({{"id", r.id},
                        {"file", r.file},
                        {"system", r.system},
                        {"collective", r.collective},
                        {"algorithm", r.algorithm},
                        {"bytes", r.bytes},
                        {"ranks", r.ranks},
                        {"domains", r.domains},
                        {"predicted", r.predicted},
                        {"measured", r.measured},
                        {"error", r.error}});
    Json summary = Json::array();
    for (const auto& s : v.collectiveSummary)
        summary.push_back({{"group", s.group},
                           {"count", s.count},
                           {"median_abs_error", s.medianAbsError},
                           {"p90_abs_error", s.p90AbsError},
                           {"bias", s.bias}});
    into["collectives"] = {{"rows", std::move(rows)}, {"summary", std::move(summary)}};
}

bool determined(const calibrate::Refit& refit, std::size_t i)
{
    return refit.whole().dataDeviations[i] < refit.constants()[i].unknown.spread;
}

Json constantsJson(const calibrate::Refit& refit)
{
    Json constants = Json::array();
    for (std::size_t i = 0; i < refit.whole().values.size(); ++i) {
        const auto& unknown = refit.constants()[i].unknown;
        constants.push_back({{"name", unknown.name},
                             {"prior", unknown.prior},
                             {"value", refit.whole().values[i]},
                             {"log_deviation", refit.whole().deviations[i]},
                             {"determined", determined(refit, i)}});
    }
    return constants;
}

Unit unitOf(std::string_view quantity)
{
    return quantity == "step_time_s"    ? Unit::Seconds
           : quantity == "memory_bytes" ? Unit::Bytes
                                        : Unit::None;
}

/// The tables of one answer.
class Writer
{
public:
    Writer(const Session& session, report::Document& document)
        : m_session(session), m_document(document)
    {
    }

    void rows(const Validation& v)
    {
        report::Table t{term("rows"),
                        {term("row"), term("file"), term("quantity"), term("predicted"),
                         term("measured"), term("error"), term("note")},
                        {},
                        false};
        for (const auto& r : v.rows) {
            const Unit unit = unitOf(r.quantity);
            t.rows.push_back({r.id, r.file, r.quantity, report::cell(r.predicted, unit),
                              report::cell(r.measured, unit), share(r.error),
                              r.doubt.empty() ? r.keptBack ? term("kept-back") : ""
                                              : m_session.message(r.doubt)});
        }
        m_document.add(std::move(t));
    }
    void skipped(const Validation& v)
    {
        report::Table t{term("skipped"), {term("row"), term("file"), term("reason")}, {}, false};
        for (const auto& s : v.skipped) {
            const std::size_t colon = s.reason.find(':');
            const std::string key = s.reason.substr(0, colon);
            const std::string rest = colon == std::string::npos ? "" : s.reason.substr(colon + 1);
            const bool told = m_session.words().has(text::Section::Messages, key);
            t.rows.push_back(
                {s.id, s.file, told ? m_session.message(key, {{"value", rest}}) : s.reason});
        }
        m_document.add(std::move(t));
    }
    void summary(const std::string& caption, const std::vector<calibrate::SummaryRow>& all)
    {
        report::Table t{caption,
                        {term("group"), term("quantity"), term("count"), term("median"),
                         term("mean"), term("p90"), term("worst"), term("bias"), term("coverage")},
                        {},
                        false};
        for (const auto& s : all)
            t.rows.push_back({s.group, s.quantity, count(s.count), share(s.medianAbsError),
                              share(s.meanAbsError), share(s.p90AbsError), share(s.worstAbsError),
                              share(s.bias), share(s.bandCoverage)});
        m_document.add(std::move(t));
    }
    void fits(const Validation& v)
    {
        report::Table t{term("fits"),
                        {term("group"), term("count"), term("right"), term("inside"),
                         term("right-outside"), term("told-to-fit"), term("told-not-to")},
                        {},
                        false};
        for (const auto& f : v.fits)
            t.rows.push_back({f.group, count(f.count), share(f.right), share(f.inside),
                              share(f.rightOutside), count(f.toldToFit), count(f.toldNotTo)});
        if (!t.rows.empty())
            m_document.add(std::move(t));
    }
    void sweeps(const Validation& v)
    {
        report::Table t{
            term("sweeps"),
            {term("sweep"), term("count"), term("spearman"), term("regret"), term("first-three")},
            {},
            false};
        for (const auto& s : v.sweeps)
            t.rows.push_back({s.name, count(s.count), report::cell(s.spearman, Unit::None, 3),
                              share(s.regret), term(s.bestAmongFirst ? "yes" : "no")});
        if (!t.rows.empty())
            m_document.add(std::move(t));
    }
    void collectives(const Validation& v)
    {
        if (v.collectives.empty())
            return;
        report::Table t{term("collectives"),
                        {term("system"), term("collective"), term("ranks"), term("domains"),
                         term("bytes"), term("predicted"), term("measured"), term("error")},
                        {},
                        false};
        for (const auto& r : v.collectives)
            t.rows.push_back(
                {r.system,
                 r.algorithm.empty() ? r.collective : r.collective + " (" + r.algorithm + ")",
                 report::cell(r.ranks, Unit::None, 12), report::cell(r.domains, Unit::None, 12),
                 report::cell(r.bytes, Unit::Bytes, 3), report::cell(r.predicted, Unit::Seconds, 3),
                 report::cell(r.measured, Unit::Seconds, 3), share(r.error)});
        m_document.add(std::move(t));
        report::Table sums{
            term("collectives-summary"),
            {term("group"), term("count"), term("median"), term("p90"), term("bias")},
            {},
            false};
        for (const auto& s : v.collectiveSummary)
            sums.rows.push_back({s.group, count(s.count), share(s.medianAbsError),
                                 share(s.p90AbsError), share(s.bias)});
        m_document.add(std::move(sums));
    }
    void constants(const calibrate::Refit& refit)
    {
        report::Table t{
            term("constants"),
            {term("constant"), term("prior"), term("value"), term("deviation"), term("determined")},
            {},
            false};
        for (std::size_t i = 0; i < refit.whole().values.size(); ++i) {
            const auto& unknown = refit.constants()[i].unknown;
            t.rows.push_back({unknown.name, report::cell(unknown.prior, Unit::None, 3),
                              report::cell(refit.whole().values[i], Unit::None, 3),
                              share(std::expm1(refit.whole().deviations[i])),
                              term(determined(refit, i) ? "yes" : "no")});
        }
        m_document.add(std::move(t));
    }
    std::string term(const char* key) const
    {
        return m_session.term("validate." + std::string(key));
    }

private:
    static report::Cell share(double x) { return report::cell(x, Unit::Share, 3); }
    static report::Cell count(std::size_t n)
    {
        return report::cell(static_cast<double>(n), Unit::None, 12);
    }

    const Session& m_session;
    report::Document& m_document;
};

} // namespace

Json toJson(const ValidateAnswer& answer)
{
    const Validation& v = answer.validation;
    Json skipped = Json::array();
    for (const auto& s : v.skipped)
        skipped.push_back({{"id", s.id}, {"file", s.file}, {"reason", s.reason}});
    Json json{{"rows", rowsJson(v.rows)},
              {"skipped", std::move(skipped)},
              {"summary", summaryJson(v.summary)}};
    addOrders(v, json);
    if (!v.collectives.empty())
        addCollectives(v, json);
    if (answer.refit != nullptr)
        json["constants"] = constantsJson(*answer.refit);
    if (answer.leftOut)
        json["leave_one_source_out"] = {
            {"rows", rowsJson(answer.leftOut->rows)},
            {"summary", summaryJson(calibrate::summarize(answer.leftOut->rows))}};
    if (answer.leftOut && answer.leftOut->perStack > 0)
        json["calibrated_on_rows"] = {
            {"rows_per_stack", answer.leftOut->perStack},
            {"rows", rowsJson(answer.leftOut->sampled)},
            {"summary", summaryJson(calibrate::summarize(answer.leftOut->sampled))}};
    return json;
}

report::Document documentOf(const Session& session, const ValidateAnswer& answer)
{
    report::Document document;
    document.language = session.language == text::Language::Chinese ? "zh_CN" : "en";
    Writer write(session, document);
    write.rows(answer.validation);
    write.skipped(answer.validation);
    write.summary(write.term("summary"), answer.validation.summary);
    write.fits(answer.validation);
    write.sweeps(answer.validation);
    write.collectives(answer.validation);
    if (answer.refit != nullptr)
        write.constants(*answer.refit);
    if (answer.leftOut)
        write.summary(write.term("left-out"), calibrate::summarize(answer.leftOut->rows));
    if (answer.leftOut && answer.leftOut->perStack > 0)
        write.summary(write.term("sampled") + ": " + std::to_string(answer.leftOut->perStack),
                      calibrate::summarize(answer.leftOut->sampled));
    return document;
}

std::string csvOf(const ValidateAnswer& answer)
{
    using report::escapedCsv;
    std::string out = "id,file,quantity,predicted,measured,error,band_low,band_high\r\n";
    for (const auto& r : answer.validation.rows)
        out += escapedCsv(r.id) + "," + escapedCsv(r.file) + "," + r.quantity + "," +
               units::exact(r.predicted) + "," + units::exact(r.measured) + "," +
               units::exact(r.error) + "," + units::exact(r.bandLow) + "," +
               units::exact(r.bandHigh) + "\r\n";
    for (const auto& r : answer.validation.collectives)
        out += escapedCsv(r.id) + "," + escapedCsv(r.file) + "," + r.collective + "_s," +
               units::exact(r.predicted) + "," + units::exact(r.measured) + "," +
               units::exact(r.error) + ",,\r\n";
    return out;
}

} // namespace cw::cli
