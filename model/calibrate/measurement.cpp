// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/calibrate/measurement.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <map>
#include <optional>

#include <nlohmann/json.hpp>

#include "model/calibrate/measuredrows.h"
#include "model/units/text.h"

namespace cw::calibrate {

using Json = nlohmann::json;
using scenario::Format;

namespace {

constexpr std::array<std::string_view, 5> kOperations{"all-reduce", "all-gather", "reduce-scatter",
                                                      "all-to-all", "send-receive"};

std::string plain(std::string_view word)
{
    std::string lower;
    for (const char c : word)
        if (c != ' ' && c != '\t' && c != '\r' && c != '"')
            lower += static_cast<char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
    return lower;
}

std::optional<Format> formatOf(const std::string& word)
{
    for (std::size_t i = 0; i < scenario::kFormatCount; ++i)
        if (word == scenario::EnumNames<Format>::value[i])
            return static_cast<Format>(i);
    return {};
}

/// "all_reduce", "AllReduce" and "all-reduce" alike.
std::optional<Collective> operationOf(const std::string& word)
{
    const auto letters = [](std::string_view w) {
        std::string kept;
        for (const char c : w)
            if (c != '-' && c != '_')
                kept += c;
        return kept;
    };
    for (std::size_t i = 0; i < kOperations.size(); ++i)
        if (letters(word) == letters(kOperations[i]))
            return static_cast<Collective>(i);
    if (letters(word) == "alltoallv")
        return Collective::AllToAll;
    if (letters(word) == "sendrecv")
        return Collective::SendReceive;
    return {};
}

/// Columns that tell how long it took, and what one of their units is in seconds.
constexpr std::array<std::pair<std::string_view, double>, 3> kTimes{
    {{"time_s", 1.0}, {"time_ms", 1e-3}, {"time_us", 1e-6}}};

class CsvReader
{
public:
    CsvReader(const std::string& name, const scenario::Scenario& plan, scenario::Faults& faults)
        : m_name(name), m_plan(plan), m_faults(faults)
    {
    }

    std::vector<Measurement> read(std::string_view text)
    {
        std::vector<Measurement> found;
        std::size_t at = 0;
        while (!text.empty()) {
            const std::size_t end = std::min(text.find('\n'), text.size());
            std::string_view line = text.substr(0, end);
            text.remove_prefix(std::min(end + 1, text.size()));
            m_line = ++at;
            if (line.find_first_not_of(" \t\r") == std::string_view::npos || line.front() == '#')
                continue;
            m_cells = cellsOf(line);
            if (m_columns.empty()) {
                if (!readHeader())
                    return {};
                continue;
            }
            if (found.size() >= kMostMeasurements) {
                fault("fault.too-large", "", std::to_string(found.size()),
                      std::to_string(kMostMeasurements));
                return {};
            }
            const std::size_t before = m_faults.size();
            Measurement m = readLine();
            if (m_faults.size() == before)
                found.push_back(std::move(m));
        }
        if (found.empty() && m_faults.empty())
            fault("calibrate.empty", "", "", "");
        return found;
    }

private:
    void fault(const char* code, const std::string& column, const std::string& value,
               const std::string& allowed)
    {
        constexpr std::size_t kMostFaults = 20;
        if (m_faults.size() < kMostFaults)
            m_faults.push_back(
                {code,
                 "line " + std::to_string(m_line) + (column.empty() ? "" : ", " + column),
                 {{"value", value.substr(0, 60)}, {"allowed", allowed}, {"name", m_name}}});
    }
    std::vector<std::string> cellsOf(std::string_view line) const
    {
        const char comma =
            line.find('\t') != std::string_view::npos && line.find(',') == std::string_view::npos
                ? '\t'
                : ',';
        std::vector<std::string> cells;
        for (;;) {
            const std::size_t end = std::min(line.find(comma), line.size());
            cells.push_back(plain(line.substr(0, end)));
            if (end == line.size())
                return cells;
            line.remove_prefix(end + 1);
        }
    }
    bool has(std::string_view column) const { return m_columns.count(column) != 0; }
    std::string cell(std::string_view column) const
    {
        const auto c = m_columns.find(column);
        return c == m_columns.end() || c->second >= m_cells.size() ? std::string()
                                                                   : m_cells[c->second];
    }
    bool readHeader()
    {
        for (std::size_t i = 0; i < m_cells.size(); ++i) {
            const std::string name = m_cells[i] == "kind"             ? "operation"
                                     : m_cells[i] == "busbw"          ? "busbw_gb_s"
                                     : m_cells[i] == "tflop/s"        ? "tflops"
                                     : m_cells[i] == "ranks_per_node" ? "ranks_per_domain"
                                                                      : m_cells[i];
            m_columns.emplace(name, i);
        }
        m_kind = has("m") && has("n") && has("k")                   ? Measurement::Kind::Gemm
                 : has("bytes") && has("ranks") && has("operation") ? Measurement::Kind::Collective
                                                                    : Measurement::Kind::Part;
        std::size_t tellers = 0;
        for (const auto& [column, factor] : kTimes)
            tellers += has(column) ? 1 : 0;
        tellers += m_kind == Measurement::Kind::Gemm && has("tflops") ? 1 : 0;
        tellers += m_kind == Measurement::Kind::Collective && has("busbw_gb_s") ? 1 : 0;
        if ((m_kind == Measurement::Kind::Part && !has("part")) || tellers == 0) {
            fault("calibrate.header", "", "",
                  "m,n,k[,precision],time_s|time_ms|time_us|tflops; "
                  "operation,bytes,ranks[,ranks_per_domain],time_s|time_ms|time_us|busbw_gb_s; "
                  "part,time_s|time_ms|time_us");
            return false;
        }
        if (tellers > 1) {
            fault("calibrate.one-figure", "", "", "time_s|time_ms|time_us|tflops|busbw_gb_s");
            return false;
        }
        return true;
    }
    /// A plain number above 0 within a range.
    double number(std::string_view column, double least, double most)
    {
        const std::string text = cell(column);
        double value = 0;
        const char* end = text.data() + text.size();
        const auto read = std::from_chars(text.data(), end, value);
        const std::string allowed = units::exact(least) + " - " + units::exact(most);
        if (text.empty() || read.ec != std::errc() || read.ptr != end)
            fault("calibrate.number", std::string(column), text, allowed);
        else if (!std::isfinite(value))
            fault("fault.not-finite", std::string(column), text, allowed);
        else if (value < least || value > most)
            fault("fault.range", std::string(column), text, allowed);
        return value;
    }
    double whole(std::string_view column, double least, double most)
    {
        const double value = number(column, least, most);
        if (std::isfinite(value) && std::floor(value) != value)
            fault("fault.whole", std::string(column), cell(column),
                  units::exact(least) + " - " + units::exact(most));
        return value;
    }
    /// Seconds by the column that tells them; nothing where a rate does.
    std::optional<double> time()
    {
        for (const auto& [column, factor] : kTimes)
            if (has(column))
                return number(column, 1e-9 / factor, 1e6 / factor) * factor;
        return {};
    }
    Measurement readLine()
    {
        Measurement m;
        m.kind = m_kind;
        m.file = m_name;
        m.place = "line " + std::to_string(m_line);
        if (m_cells.size() != m_columns.size())
            fault("calibrate.cells", "", std::to_string(m_cells.size()),
                  std::to_string(m_columns.size()));
        else if (m_kind == Measurement::Kind::Gemm)
            readGemm(m);
        else if (m_kind == Measurement::Kind::Collective)
            readCollective(m);
        else
            readPart(m);
        return m;
    }
    void readGemm(Measurement& m)
    {
        constexpr double kLargest = 1e7;
        m.m = whole("m", 1, kLargest);
        m.n = whole("n", 1, kLargest);
        m.k = whole("k", 1, kLargest);
        m.format = m_plan.precision.compute;
        if (has("precision")) {
            const auto format = formatOf(cell("precision"));
            if (!format)
                fault("fault.choice", "precision", cell("precision"),
                      "fp64, fp32, tf32, bf16, fp16, fp8, mxfp8, int8, fp4, mxfp4, nvfp4");
            m.format = format.value_or(m.format);
        }
        const double flop = 2 * m.m * m.n * m.k;
        const auto seconds = time();
        m.seconds = seconds ? *seconds : flop / (number("tflops", 1e-6, 1e9) * 1e12);
        const auto& peak = m_plan.cluster.chip.matrixFlops[static_cast<std::size_t>(m.format)];
        const double rate = flop / m.seconds;
        // Above the data sheet is a mixed-up unit or precision, or counts zeros as work.
        if (peak && std::isfinite(rate) && rate > *peak * 1.02)
            fault("calibrate.above-peak", "", units::human(rate, units::Unit::FlopPerSecond),
                  units::human(*peak, units::Unit::FlopPerSecond));
    }
    void readCollective(Measurement& m)
    {
        const auto operation = operationOf(cell("operation"));
        if (!operation)
            fault("fault.choice", "operation", cell("operation"),
                  "all-reduce, all-gather, reduce-scatter, all-to-all, send-receive");
        m.operation = operation.value_or(Collective::AllReduce);
        m.bytes = number("bytes", 1, 1e15);
        m.ranks = whole("ranks", 2, 1e7);
        if (has("ranks_per_domain") && !cell("ranks_per_domain").empty())
            m.perDomain = whole("ranks_per_domain", 1, 1e7);
        const auto seconds = time();
        m.seconds = seconds ? *seconds
                            : busFactor(m.operation, m.ranks) * m.bytes /
                                  (number("busbw_gb_s", 1e-6, 1e6) * 1e9);
    }
    void readPart(Measurement& m)
    {
        m.part = cell("part");
        const auto& parts = stepParts();
        if (std::find(parts.begin(), parts.end(), m.part) == parts.end()) {
            std::string allowed;
            for (const std::string& part : parts)
                allowed += (allowed.empty() ? "" : ", ") + part;
            fault("fault.choice", "part", m.part, allowed);
        }
        m.label = m.part;
        m.seconds = time().value_or(0);
    }

    const std::string& m_name;
    const scenario::Scenario& m_plan;
    scenario::Faults& m_faults;
    std::map<std::string, std::size_t, std::less<>> m_columns;
    std::vector<std::string> m_cells;
    Measurement::Kind m_kind = Measurement::Kind::Part;
    std::size_t m_line = 0;
};

/// A row's plan on the measured machine and stack.
std::shared_ptr<const scenario::Scenario> onMachine(const MeasuredRow& row,
                                                    const scenario::Scenario& machine)
{
    auto plan = std::make_shared<scenario::Scenario>(row.plan);
    const std::int64_t chips = plan->cluster.chips;
    plan->cluster = machine.cluster;
    plan->cluster.chips = chips;
    plan->cluster.spareChips.reset();
    plan->software = machine.software;
    return plan;
}

std::vector<Measurement> readRows(const std::string& name, const Json& json,
                                  const scenario::Scenario& plan, scenario::Faults& faults)
{
    std::vector<Measurement> found;
    for (std::size_t i = 0; i < json.size() && found.size() < kMostMeasurements; ++i) {
        const std::string pointer = "/" + std::to_string(i);
        const auto fault = [&](const char* code, const std::string& value) {
            faults.push_back({code, pointer, {{"value", value}, {"allowed", "{...}"}}});
        };
        if (!json[i].is_object()) {
            fault("fault.type", json[i].dump().substr(0, 60));
            continue;
        }
        Json j = json[i];
        j["chip_key"] = "H100"; // any that is known: the machine is the plan's
        const MeasuredRow row = readRow(j);
        if (!row.skipped.empty() || !row.stepTime) {
            fault("calibrate.row", row.skipped.empty() ? "step_time_s" : row.skipped);
            continue;
        }
        constexpr double kLongest = 1e6;
        if (!(*row.stepTime < kLongest)) {
            fault("calibrate.row", "step_time_s");
            continue;
        }
        Measurement m;
        m.kind = Measurement::Kind::Step;
        m.file = name;
        m.place = pointer;
        m.label = row.id;
        m.seconds = *row.stepTime;
        m.plan = onMachine(row, plan);
        found.push_back(std::move(m));
    }
    return found;
}

std::vector<Measurement> readParts(const std::string& name, const Json& json,
                                   scenario::Faults& faults)
{
    std::vector<Measurement> found;
    const auto& parts = stepParts();
    for (const auto& [part, value] : json.at("parts_ms").items()) {
        const std::string pointer = "/parts_ms/" + part;
        const double milliseconds = value.is_number() ? value.get<double>() : 0;
        if (std::find(parts.begin(), parts.end(), part) == parts.end()) {
            std::string allowed;
            for (const std::string& known : parts)
                allowed += (allowed.empty() ? "" : ", ") + known;
            faults.push_back({"fault.choice", pointer, {{"value", part}, {"allowed", allowed}}});
        } else if (!(milliseconds >= 1e-6 && milliseconds <= 1e9)) {
            faults.push_back({"fault.range",
                              pointer,
                              {{"value", value.dump().substr(0, 60)}, {"allowed", "1e-06 - 1e9"}}});
        } else {
            Measurement m;
            m.kind = Measurement::Kind::Part;
            m.file = name;
            m.place = pointer;
            m.label = part;
            m.part = part;
            m.seconds = milliseconds * 1e-3;
            found.push_back(std::move(m));
        }
    }
    return found;
}

std::string labelOf(const Measurement& m)
{
    using units::Unit;
    if (m.kind == Measurement::Kind::Gemm)
        return units::exact(m.m) + " x " + units::exact(m.n) + " x " + units::exact(m.k) + " " +
               std::string(scenario::EnumNames<Format>::value[static_cast<std::size_t>(m.format)]);
    if (m.kind == Measurement::Kind::Collective)
        return std::string(nameOf(m.operation)) + ", " + units::human(m.bytes, Unit::Bytes) + ", " +
               units::exact(m.ranks);
    return m.label;
}

} // namespace

std::string_view nameOf(Collective operation)
{
    return kOperations[static_cast<std::size_t>(operation)];
}

double busFactor(Collective operation, double ranks)
{
    const double share = (ranks - 1) / ranks;
    switch (operation) {
    case Collective::AllReduce:
        return 2 * share;
    case Collective::SendReceive:
        return 1;
    case Collective::AllGather:
    case Collective::ReduceScatter:
    case Collective::AllToAll:
        return share;
    }
    return 1;
}

const std::vector<std::string>& stepParts()
{
    static const std::vector<std::string> parts{
        "time",        "compute",      "recompute",   "matrix",    "attention",
        "stream",      "quantization", "bubble",      "optimizer", "host",
        "tensor_comm", "context_comm", "expert_comm", "data_comm", "pipeline_comm"};
    return parts;
}

std::vector<Measurement> readMeasurements(const std::string& name, std::string_view text,
                                          const scenario::Scenario& plan, scenario::Faults& faults)
{
    const std::size_t first = text.find_first_not_of(" \t\r\n\xEF\xBB\xBF");
    std::vector<Measurement> found;
    if (first == std::string_view::npos) {
        faults.push_back({"calibrate.empty", "/", {{"name", name}}});
    } else if (looksLikeNcclTests(text)) {
        found = readNcclTests(name, text, faults);
    } else if (text[first] == '[' || text[first] == '{') {
        const Json json = Json::parse(text.substr(first), nullptr, false);
        if (json.is_discarded())
            faults.push_back({"fault.syntax", "/", {}});
        else if (json.is_array() && !json.empty())
            found = readRows(name, json, plan, faults);
        else if (json.is_object() && json.contains("parts_ms") && json["parts_ms"].is_object() &&
                 !json["parts_ms"].empty())
            found = readParts(name, json, faults);
        else
            faults.push_back({"calibrate.empty", "/", {{"name", name}}});
    } else {
        found = CsvReader(name, plan, faults).read(text.substr(first));
    }
    for (Measurement& m : found)
        m.label = labelOf(m);
    return found;
}

} // namespace cw::calibrate
