// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/exchange/measurements.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <set>

#include <nlohmann/json.hpp>

namespace cw::exchange {

using scenario::CollectiveOperation;
using scenario::MeasuredBandwidth;
using scenario::NetworkTier;

namespace {

using Words = std::vector<std::string_view>;

constexpr double kLargestRate = 1e18;
constexpr double kLargestBytes = 1e15;

Words wordsOf(std::string_view line)
{
    Words words;
    const std::string_view blanks = " \t\r\v\f";
    for (std::size_t at = line.find_first_not_of(blanks); at != std::string_view::npos;) {
        const std::size_t end = std::min(line.find_first_of(blanks, at), line.size());
        words.push_back(line.substr(at, end - at));
        at = line.find_first_not_of(blanks, end);
    }
    return words;
}

std::optional<double> numberOf(std::string_view word)
{
    double value = 0;
    const char* end = word.data() + word.size();
    const auto read = std::from_chars(word.data(), end, value);
    if (read.ec != std::errc() || read.ptr != end || !std::isfinite(value))
        return {};
    return value;
}

template <class Visit>
void eachLine(std::string_view text, Visit visit)
{
    std::size_t number = 1;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        visit(text.substr(0, end), number++);
        text.remove_prefix(std::min(end + 1, text.size()));
    }
}

bool has(std::string_view text, std::string_view part)
{
    return text.find(part) != std::string_view::npos;
}

std::optional<CollectiveOperation> operationIn(std::string_view text)
{
    const std::pair<std::string_view, CollectiveOperation> names[] = {
        {"all_reduce", CollectiveOperation::AllReduce},
        {"all-reduce", CollectiveOperation::AllReduce},
        {"allreduce", CollectiveOperation::AllReduce},
        {"all_gather", CollectiveOperation::AllGather},
        {"all-gather", CollectiveOperation::AllGather},
        {"allgather", CollectiveOperation::AllGather},
        {"reduce_scatter", CollectiveOperation::ReduceScatter},
        {"reduce-scatter", CollectiveOperation::ReduceScatter},
        {"reducescatter", CollectiveOperation::ReduceScatter},
        {"alltoall", CollectiveOperation::AllToAll},
        {"all_to_all", CollectiveOperation::AllToAll},
        {"all-to-all", CollectiveOperation::AllToAll},
        {"sendrecv", CollectiveOperation::SendReceive},
    };
    for (const auto& [name, operation] : names)
        if (has(text, name))
            return operation;
    return {};
}

/// Keeps of each operation and tier the row with most bytes.
void keep(std::vector<MeasuredBandwidth>& rows, const MeasuredBandwidth& row)
{
    for (MeasuredBandwidth& r : rows)
        if (r.tier == row.tier && r.operation == row.operation) {
            if (row.bytes >= r.bytes)
                r = row;
            return;
        }
    rows.push_back(row);
}

bool usable(double bytes, double rate)
{
    return bytes >= 1 && bytes <= kLargestBytes && rate >= 1 && rate <= kLargestRate;
}

/// Text of nccl-tests: a line for each rank, a heading, a line for each size; several tests may
/// follow each other.
class NcclReader
{
public:
    NcclReader(const MeasurementHints& hints, MeasurementReading& reading)
        : m_hints(hints), m_reading(reading), m_operation(operationIn(hints.fileName))
    {
    }

    void line(std::string_view text, std::size_t number)
    {
        const Words words = wordsOf(text);
        if (words.empty())
            return;
        if (words.front().front() == '#')
            comment(text, words);
        else if (m_column > 0)
            row(words, number);
        else if (const auto named = operationIn(text))
            m_operation = named; // the command line, echoed
    }

private:
    void comment(std::string_view text, const Words& words)
    {
        if (const auto named = operationIn(text))
            m_operation = named;
        // "#  Rank  3 Group  0 Pid  4711 on  host-a device  3 [0x0a] NVIDIA H100"
        if (words.size() > 2 && words[1] == "Rank") {
            if (words[2] == "0") {
                m_ranks = 0;
                m_hosts.clear();
            }
            ++m_ranks;
            for (std::size_t i = 0; i + 1 < words.size(); ++i)
                if (words[i] == "on")
                    m_hosts.insert(std::string(words[i + 1]));
        }
        const auto size = std::find(words.begin(), words.end(), "size");
        const auto bus = std::find(words.begin(), words.end(), "busbw");
        if (size != words.end() && size < bus && bus != words.end())
            m_column = static_cast<std::size_t>(bus - size);
    }

    void row(const Words& words, std::size_t number)
    {
        const auto bytes = numberOf(words.front());
        if (!bytes)
            return; // a remark between the tests
        const auto rate = m_column < words.size() ? numberOf(words[m_column]) : std::nullopt;
        if (!rate) {
            m_reading.faults.push_back(
                {"fault.measured-row", "line " + std::to_string(number), {}});
            return;
        }
        if (!m_operation) {
            if (!m_told)
                m_reading.faults.push_back(
                    {"fault.measured-operation", "line " + std::to_string(number), {}});
            m_told = true;
            return;
        }
        MeasuredBandwidth m;
        m.operation = *m_operation;
        m.ranks = m_ranks > 1 ? m_ranks : std::max<std::int64_t>(2, m_hints.domainChips);
        const bool across = m_hosts.empty() ? m.ranks > m_hints.domainChips
                                            : m_hosts.size() > 1 && m.ranks > m_hints.domainChips;
        m.tier =
            across || (m_hosts.size() > 1 && m_ranks == static_cast<std::int64_t>(m_hosts.size()))
                ? NetworkTier::ScaleOut
                : NetworkTier::ScaleUp;
        m.bytes = *bytes;
        m.busBandwidth = *rate * 1e9;
        if (usable(m.bytes, m.busBandwidth)) // sizes too small for a rate print 0.00
            keep(m_reading.measured, m);
    }

    const MeasurementHints& m_hints;
    MeasurementReading& m_reading;
    std::optional<CollectiveOperation> m_operation;
    std::int64_t m_ranks = 0;
    std::set<std::string> m_hosts;
    std::size_t m_column = 0;
    bool m_told = false;
};

void readPerftest(std::string_view text, MeasurementReading& reading)
{
    double unit = 0;
    bool table = false;
    eachLine(text, [&](std::string_view line, std::size_t number) {
        const Words words = wordsOf(line);
        if (words.empty())
            return;
        if (words.front() == "#bytes") {
            // perftest prints 2^20 bytes as MB or MiB, and bits in thousands.
            unit = has(line, "Gb/sec")                       ? 1e9 / 8
                   : has(line, "[Mi") || has(line, "MB/sec") ? 0x1p20
                                                             : 0;
            table = has(line, "BW average") && unit > 0;
            if (!table)
                reading.faults.push_back(
                    {"fault.measured-row", "line " + std::to_string(number), {}});
            return;
        }
        const auto bytes = numberOf(words.front());
        if (!table || !bytes)
            return;
        const auto rate = words.size() > 3 ? numberOf(words[3]) : std::nullopt;
        if (!rate) {
            reading.faults.push_back({"fault.measured-row", "line " + std::to_string(number), {}});
            return;
        }
        MeasuredBandwidth m;
        m.tier = NetworkTier::ScaleOut;
        m.operation = CollectiveOperation::SendReceive;
        m.ranks = 2;
        m.bytes = *bytes;
        m.busBandwidth = *rate * unit;
        if (usable(m.bytes, m.busBandwidth))
            keep(reading.measured, m);
    });
}

MeasuredBandwidth socketRow(const MeasurementHints& hints, double bytes, double bitsPerSecond)
{
    MeasuredBandwidth m;
    m.tier = hints.severalSites ? NetworkTier::Site : NetworkTier::ScaleOut;
    m.operation = CollectiveOperation::SendReceive;
    m.ranks = 2;
    m.bytes = std::max(1.0, bytes);
    m.busBandwidth = bitsPerSecond / 8;
    return m;
}

void readIperfJson(std::string_view text, const MeasurementHints& hints,
                   MeasurementReading& reading)
{
    const auto json = nlohmann::json::parse(text, nullptr, false);
    const nlohmann::json::json_pointer places[] = {
        nlohmann::json::json_pointer("/end/sum_received"),
        nlohmann::json::json_pointer("/end/sum")};
    if (!json.is_discarded())
        for (const auto& place : places) {
            if (!json.contains(place))
                continue;
            const auto& sum = json.at(place);
            if (!sum.is_object() || !sum.contains("bits_per_second") ||
                !sum["bits_per_second"].is_number())
                continue;
            const bool told = sum.contains("bytes") && sum["bytes"].is_number();
            const auto row = socketRow(hints, told ? sum["bytes"].get<double>() : 1.0,
                                       sum["bits_per_second"].get<double>());
            if (usable(row.bytes, row.busBandwidth)) {
                keep(reading.measured, row);
                return;
            }
        }
}

std::optional<double> scaled(std::string_view number, std::string_view unit,
                             std::string_view ending, double thousand)
{
    const auto value = numberOf(number);
    if (!value || unit.size() < ending.size() || unit.substr(unit.size() - ending.size()) != ending)
        return {};
    const std::string_view prefix = unit.substr(0, unit.size() - ending.size());
    const std::string_view prefixes[] = {"", "K", "M", "G", "T"};
    for (std::size_t i = 0; i < std::size(prefixes); ++i)
        if (prefix == prefixes[i])
            return *value * std::pow(thousand, static_cast<double>(i));
    return {};
}

/// "[SUM]   0.00-10.00  sec  456 GBytes  392 Gbits/sec                  receiver"
void readIperfText(std::string_view text, const MeasurementHints& hints,
                   MeasurementReading& reading)
{
    std::optional<MeasuredBandwidth> one;
    bool sum = false;
    eachLine(text, [&](std::string_view line, std::size_t) {
        const Words words = wordsOf(line);
        if (words.empty() || words.back() != "receiver")
            return;
        const bool all = has(line, "[SUM]");
        if (sum && !all)
            return;
        for (std::size_t i = 3; i < words.size(); ++i) {
            const auto rate = scaled(words[i - 1], words[i], "bits/sec", 1000);
            if (!rate)
                continue;
            const auto bytes = scaled(words[i - 3], words[i - 2], "Bytes", 1024);
            one = socketRow(hints, bytes.value_or(1.0), *rate);
            sum = all;
        }
    });
    if (one && usable(one->bytes, one->busBandwidth))
        keep(reading.measured, *one);
}

} // namespace

MeasurementReading readMeasurements(MeasuringTool tool, std::string_view text,
                                    const MeasurementHints& hints)
{
    MeasurementReading reading;
    switch (tool) {
    case MeasuringTool::NcclTests: {
        NcclReader reader(hints, reading);
        eachLine(text, [&](std::string_view line, std::size_t n) { reader.line(line, n); });
        break;
    }
    case MeasuringTool::Perftest:
        readPerftest(text, reading);
        break;
    case MeasuringTool::Iperf3: {
        const std::size_t first = text.find_first_not_of(" \t\r\n");
        if (first != std::string_view::npos && text[first] == '{')
            readIperfJson(text, hints, reading);
        else
            readIperfText(text, hints, reading);
        break;
    }
    }
    if (reading.measured.empty() && reading.faults.empty())
        reading.faults.push_back({"fault.measured-none", "", {}});
    return reading;
}

} // namespace cw::exchange
