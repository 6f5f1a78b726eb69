// SPDX-License-Identifier: GPL-3.0-or-later
#include <cmath>
#include <filesystem>
#include <memory>

#include <nlohmann/json.hpp>

#include "app/cli/commands.h"
#include "app/cli/output.h"
#include "app/cli/planinput.h"
#include "model/calibrate/calibration.h"
#include "model/report/writers.h"
#include "model/units/text.h"

namespace cw::cli {

using calibrate::Calibration;
using calibrate::Refused;
using units::Unit;

namespace {

constexpr std::size_t kLargestTableBytes = 64U << 20U;

struct Options
{
    std::string plan;
    std::vector<std::string> files;
    std::vector<std::string> settings;
    std::string output;
    std::string format;
};

/// The tables of an answer.
class Teller
{
public:
    Teller(const Session& session, report::Document& document)
        : m_session(session), m_document(document)
    {
    }
    void constants(const Calibration& c)
    {
        report::Table t{term("constants"),
                        {term("constant"), term("before"), term("value"), term("deviation"),
                         term("low"), term("high"), term("rows"), term("note")},
                        {},
                        false};
        for (const auto& found : c.constants)
            t.rows.push_back({found.path, plain(found.before), plain(found.value),
                              share(std::expm1(found.deviation)), plain(found.low),
                              plain(found.high), count(found.rows),
                              found.atLimit ? term("at-limit") : std::string()});
        m_document.add(std::move(t));
    }
    void refused(const Calibration& c)
    {
        report::Table t{term("refused"), {term("constant"), term("why"), term("by")}, {}, false};
        for (const Refused& r : c.refused)
            t.rows.push_back({r.path, whyOf(r), m_session.message(r.by)});
        if (!t.rows.empty())
            m_document.add(std::move(t));
    }
    void correlated(const Calibration& c)
    {
        report::Table t{
            term("correlated"), {term("constant"), term("other"), term("correlation")}, {}, false};
        for (const auto& pair : c.correlated)
            t.rows.push_back({pair.first, pair.second, plain(pair.correlation)});
        if (!t.rows.empty())
            m_document.add(std::move(t));
    }
    void residuals(const Calibration& c)
    {
        report::Table t{term("residuals"),
                        {term("place"), term("measurement"), term("measured"), term("predicted"),
                         term("error"), term("error-before")},
                        {},
                        false};
        for (const auto& r : c.residuals)
            t.rows.push_back(
                {r.file + ": " + r.place, r.label, report::cell(r.measured, Unit::Seconds),
                 report::cell(r.predicted, Unit::Seconds), share(r.predicted / r.measured - 1),
                 share(r.before / r.measured - 1)});
        m_document.add(std::move(t));
        report::Table sum{term("summary"), {term("figure"), term("value")}, {}, false};
        sum.rows.push_back({term("median-before"), share(c.medianBefore)});
        sum.rows.push_back({term("median"), share(c.medianAfter)});
        sum.rows.push_back({term("noise"), share(c.noise)});
        m_document.add(std::move(sum));
    }

private:
    std::string term(const char* key) const
    {
        return m_session.term("calibrate." + std::string(key));
    }
    std::string whyOf(const Refused& r) const
    {
        const text::Arguments arguments{
            {"name", r.with},
            {"value", r.deviation > 0 ? units::human(std::expm1(r.deviation), Unit::Share, 2) : ""},
            {"allowed", units::human(std::expm1(r.spread), Unit::Share, 2)}};
        switch (r.why) {
        case Refused::Why::Untouched:
            return m_session.message("calibrate.untouched");
        case Refused::Why::Confounded:
            return m_session.message("calibrate.confounded", arguments);
        case Refused::Why::Noisy:
            break;
        }
        return m_session.message("calibrate.noisy", arguments);
    }
    static report::Cell plain(double x) { return report::cell(x, Unit::None, 4); }
    static report::Cell share(double x) { return report::cell(x, Unit::Share, 3); }
    static report::Cell count(std::size_t n)
    {
        return report::cell(static_cast<double>(n), Unit::None, 12);
    }

    const Session& m_session;
    report::Document& m_document;
};

report::Document documentOf(const Session& session, const Calibration& c)
{
    report::Document document;
    document.language = session.language == text::Language::Chinese ? "zh_CN" : "en";
    Teller tell(session, document);
    tell.residuals(c);
    tell.constants(c);
    tell.correlated(c);
    tell.refused(c);
    return document;
}

std::string csvOf(const Calibration& c)
{
    using report::escapedCsv;
    std::string out = "file,place,label,measured_s,before_s,predicted_s,error\r\n";
    for (const auto& r : c.residuals)
        out += escapedCsv(r.file) + "," + escapedCsv(r.place) + "," + escapedCsv(r.label) + "," +
               units::exact(r.measured) + "," + units::exact(r.before) + "," +
               units::exact(r.predicted) + "," + units::exact(r.predicted / r.measured - 1) +
               "\r\n";
    return out;
}

std::vector<calibrate::Measurement> readAll(const Session& session, const Options& options,
                                            const scenario::Scenario& plan)
{
    std::vector<calibrate::Measurement> all;
    Stop faults{Status::Input, {}};
    for (const std::string& path : options.files) {
        try {
            const std::string text = readFile(session, path, kLargestTableBytes);
            scenario::Faults wrong;
            auto found = calibrate::readMeasurements(
                std::filesystem::path(path).filename().string(), text, plan, wrong);
            for (const scenario::Fault& fault : wrong)
                faults.lines.push_back(lineOf(session, path, fault));
            all.insert(all.end(), std::make_move_iterator(found.begin()),
                       std::make_move_iterator(found.end()));
        } catch (const Stop& s) {
            faults.lines.insert(faults.lines.end(), s.lines.begin(), s.lines.end());
        }
    }
    if (!faults.lines.empty())
        throw Stop(faults);
    return all;
}

void calibratePlan(const Session& session, const Options& options)
{
    const GivenPlan given = readGiven(session, options.plan, options.settings);
    const auto measurements = readAll(session, options, given.plan.scenario);
    const Calibration c = calibrate::calibrate(given.plan.scenario, measurements);
    const auto file = calibrate::calibrationFile(
        std::filesystem::path(options.output).stem().string(), given.plan.scenario, c);
    if (c.constants.empty()) {
        Stop none{Status::Input, {session.message("calibrate.nothing")}};
        for (const Refused& r : c.refused)
            if (r.why != Refused::Why::Untouched)
                none.lines.push_back(r.path + ": " + session.message(r.by));
        throw Stop(none);
    }
    writeWhole(session, options.output, file.dump(2) + "\n");
    std::ostream& out = session.streams.out;
    if (options.format == "json")
        out << file.dump(2) << '\n';
    else if (options.format == "csv")
        out << csvOf(c);
    else if (options.format == "markdown")
        out << report::toMarkdown(documentOf(session, c));
    else
        out << report::toText(documentOf(session, c));
}

} // namespace

void addCalibrate(CLI::App& program, Session& session)
{
    const auto options = std::make_shared<Options>();
    CLI::App* command = session.add(program, "calibrate", session.term("calibrate"),
                                    [&session, options] { calibratePlan(session, *options); });
    session.takePlan(*command, options->plan);
    session.takeTexts(*command, "MEASUREMENTS", options->files,
                      session.term("calibrate.measurements"), 1, 0);
    session.takeSettings(*command, options->settings);
    session.takeOutput(*command, options->output);
    session.takeFormat(*command, options->format, {"text", "json", "csv", "markdown"});
}

} // namespace cw::cli
