// SPDX-License-Identifier: GPL-3.0-or-later
#include <filesystem>
#include <memory>

#include <nlohmann/json.hpp>

#include "app/cli/commands.h"
#include "app/cli/planinput.h"
#include "model/calibrate/validate.h"
#include "model/report/writers.h"
#include "model/units/text.h"

namespace cw::cli {

using Json = nlohmann::ordered_json;
using calibrate::Validation;
using units::Unit;

namespace {

constexpr std::size_t kLargestRowsBytes = 256U << 20U;

struct Options
{
    std::vector<std::string> files;
    std::string format;
};

Json toJson(const Validation& v)
{
    Json rows = Json::array();
    for (const auto& r : v.rows)
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
    Json skipped = Json::array();
    for (const auto& s : v.skipped)
        skipped.push_back({{"id", s.id}, {"file", s.file}, {"reason", s.reason}});
    Json summary = Json::array();
    for (const auto& s : v.summary)
        summary.push_back({{"quantity", s.quantity},
                           {"group", s.group},
                           {"count", s.count},
                           {"median_abs_error", s.medianAbsError},
                           {"mean_abs_error", s.meanAbsError},
                           {"p90_abs_error", s.p90AbsError},
                           {"worst_abs_error", s.worstAbsError},
                           {"bias", s.bias},
                           {"band_coverage", s.bandCoverage}});
    Json fits = Json::array();
    for (const auto& f : v.fits)
        fits.push_back({{"group", f.group},
                        {"count", f.count},
                        {"right", f.right},
                        {"right_outside_band", f.rightOutside},
                        {"inside_band", f.inside},
                        {"band_half_width", f.halfWidth}});
    Json sweeps = Json::array();
    for (const auto& s : v.sweeps)
        sweeps.push_back({{"file", s.file},
                          {"name", s.name},
                          {"count", s.count},
                          {"spearman", s.spearman},
                          {"regret", s.regret},
                          {"best_among_first_three", s.bestAmongFirst}});
    return {{"rows", std::move(rows)},
            {"skipped", std::move(skipped)},
            {"summary", std::move(summary)},
            {"fits", std::move(fits)},
            {"sweeps", std::move(sweeps)}};
}

Unit unitOf(std::string_view quantity)
{
    return quantity == "step_time_s"    ? Unit::Seconds
           : quantity == "memory_bytes" ? Unit::Bytes
                                        : Unit::None;
}

void addFits(const Session& session, const Validation& v, report::Document& document)
{
    const auto term = [&](const char* key) {
        return session.term("validate." + std::string(key));
    };
    const auto share = [](double x) {
        return report::cell(x, Unit::Share, 3);
    };
    report::Table fits{
        term("fits"),
        {term("group"), term("count"), term("right"), term("inside"), term("right-outside")},
        {},
        false};
    for (const auto& f : v.fits)
        fits.rows.push_back({f.group, report::cell(static_cast<double>(f.count), Unit::None, 12),
                             share(f.right), share(f.inside), share(f.rightOutside)});
    if (!fits.rows.empty())
        document.add(std::move(fits));
}

void addSweeps(const Session& session, const Validation& v, report::Document& document)
{
    const auto term = [&](const char* key) {
        return session.term("validate." + std::string(key));
    };
    report::Table sweeps{
        term("sweeps"),
        {term("sweep"), term("count"), term("spearman"), term("regret"), term("first-three")},
        {},
        false};
    for (const auto& s : v.sweeps)
        sweeps.rows.push_back({s.name, report::cell(static_cast<double>(s.count), Unit::None, 12),
                               report::cell(s.spearman, Unit::None, 3),
                               report::cell(s.regret, Unit::Share, 3),
                               term(s.bestAmongFirst ? "yes" : "no")});
    if (!sweeps.rows.empty())
        document.add(std::move(sweeps));
}

report::Document documentOf(const Session& session, const Validation& v)
{
    const auto term = [&](const char* key) {
        return session.term("validate." + std::string(key));
    };
    const auto share = [](double x) {
        return report::cell(x, Unit::Share, 3);
    };
    report::Document document;
    document.language = session.language == text::Language::Chinese ? "zh_CN" : "en";
    report::Table rows{term("rows"),
                       {term("row"), term("file"), term("quantity"), term("predicted"),
                        term("measured"), term("error")},
                       {},
                       false};
    for (const auto& r : v.rows) {
        const Unit unit = unitOf(r.quantity);
        rows.rows.push_back({r.id, r.file, r.quantity, report::cell(r.predicted, unit),
                             report::cell(r.measured, unit), share(r.error)});
    }
    document.add(std::move(rows));
    report::Table skipped{term("skipped"), {term("row"), term("file"), term("reason")}, {}, false};
    for (const auto& s : v.skipped) {
        const std::size_t colon = s.reason.find(':');
        const std::string key = s.reason.substr(0, colon);
        const std::string rest = colon == std::string::npos ? "" : s.reason.substr(colon + 1);
        const bool told = session.words().has(text::Section::Messages, key);
        skipped.rows.push_back(
            {s.id, s.file, told ? session.message(key, {{"value", rest}}) : s.reason});
    }
    document.add(std::move(skipped));
    report::Table summary{term("summary"),
                          {term("group"), term("quantity"), term("count"), term("median"),
                           term("mean"), term("p90"), term("worst"), term("bias"),
                           term("coverage")},
                          {},
                          false};
    for (const auto& s : v.summary)
        summary.rows.push_back(
            {s.group, s.quantity, report::cell(static_cast<double>(s.count), Unit::None, 12),
             share(s.medianAbsError), share(s.meanAbsError), share(s.p90AbsError),
             share(s.worstAbsError), share(s.bias), share(s.bandCoverage)});
    document.add(std::move(summary));
    addFits(session, v, document);
    addSweeps(session, v, document);
    return document;
}

/// The rows alone, as `validate --format json` names them.
std::string csvOf(const Validation& v)
{
    using report::escapedCsv;
    std::string out = "id,file,quantity,predicted,measured,error,band_low,band_high\r\n";
    for (const auto& r : v.rows)
        out += escapedCsv(r.id) + "," + escapedCsv(r.file) + "," + r.quantity + "," +
               units::exact(r.predicted) + "," + units::exact(r.measured) + "," +
               units::exact(r.error) + "," + units::exact(r.bandLow) + "," +
               units::exact(r.bandHigh) + "\r\n";
    return out;
}

void validateRows(const Session& session, const Options& options)
{
    std::vector<calibrate::RowsFile> files;
    Stop faults{Status::Input, {}};
    for (const std::string& path : options.files) {
        try {
            files.push_back({std::filesystem::path(path).filename().string(),
                             readFile(session, path, kLargestRowsBytes)});
        } catch (const Stop& s) {
            faults.lines.insert(faults.lines.end(), s.lines.begin(), s.lines.end());
        }
    }
    scenario::Faults wrong;
    const Validation v = calibrate::validate(files, wrong);
    for (const scenario::Fault& fault : wrong) {
        const auto file = fault.arguments.find("name");
        faults.lines.push_back(
            lineOf(session, file == fault.arguments.end() ? "-" : file->second, fault));
    }
    if (!faults.lines.empty())
        throw Stop(faults);
    std::ostream& out = session.streams.out;
    if (options.format == "json")
        out << toJson(v).dump(2) << '\n';
    else if (options.format == "csv")
        out << csvOf(v);
    else if (options.format == "markdown")
        out << report::toMarkdown(documentOf(session, v));
    else
        out << report::toText(documentOf(session, v));
}

} // namespace

void addValidate(CLI::App& program, Session& session)
{
    const auto options = std::make_shared<Options>();
    CLI::App* command = session.add(program, "validate", session.term("validate"),
                                    [&session, options] { validateRows(session, *options); });
    session.takeTexts(*command, "ROWS.json", options->files, session.term("rows"), 1, 0);
    session.takeFormat(*command, options->format, {"text", "json", "csv", "markdown"});
}

} // namespace cw::cli
