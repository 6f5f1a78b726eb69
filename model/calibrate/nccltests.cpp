// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <set>
#include <sstream>

#include "model/calibrate/measurement.h"

namespace cw::calibrate {

namespace {

constexpr std::array<std::pair<std::string_view, Collective>, 5> kTests{{
    {"all_reduce", Collective::AllReduce},
    {"all_gather", Collective::AllGather},
    {"reduce_scatter", Collective::ReduceScatter},
    {"alltoall", Collective::AllToAll},
    {"sendrecv", Collective::SendReceive},
}};

std::vector<std::string> words(const std::string& line)
{
    std::istringstream in(line);
    std::vector<std::string> found;
    for (std::string word; in >> word;)
        found.push_back(word);
    return found;
}

bool number(const std::string& word, double& value)
{
    const char* end = word.data() + word.size();
    const auto read = std::from_chars(word.data(), end, value);
    return read.ec == std::errc() && read.ptr == end && std::isfinite(value);
}

struct Line
{
    std::size_t at = 0;
    double bytes = 0;
    double microseconds = 0;
    double algorithm = 0;
    double bus = 0;
};

struct Output
{
    std::vector<Line> lines;
    double ranks = 0;
    std::set<std::string> hosts;
    const Collective* told = nullptr;
};

/// "#  Rank  0 Group  0 Pid   9109 on    node-1 device  0 [0x10] NVIDIA A100"
void readComment(const std::string& line, Output& out)
{
    const auto list = words(line);
    if (list.size() > 2 && list[0] == "#" && list[1] == "Rank") {
        out.ranks += 1;
        for (std::size_t i = 0; i + 1 < list.size(); ++i)
            if (list[i] == "on")
                out.hosts.insert(list[i + 1]);
    }
    for (const auto& test : kTests)
        if (line.find(std::string(test.first) + "_perf") != std::string::npos)
            out.told = &test.second;
}

/// size count type [redop] [root], then time algbw busbw #wrong out of place and in place.
bool readResult(const std::string& line, std::size_t at, Output& out)
{
    const auto list = words(line);
    Line r;
    r.at = at;
    double count = 0;
    if (list.size() < 7 || !number(list[0], r.bytes) || !number(list[1], count))
        return false;
    std::size_t next = 3;
    double root = 0;
    if (!number(list[next], root))
        ++next;                        // redop
    if ((list.size() - next) % 4 == 1) // root
        ++next;
    if (list.size() < next + 3 || !number(list[next], r.microseconds) ||
        !number(list[next + 1], r.algorithm) || !number(list[next + 2], r.bus))
        return false;
    out.lines.push_back(r);
    return true;
}

/// The operation by bus over algorithm bandwidth of the largest buffer; null where two have it.
const Collective* operationOf(const Output& out)
{
    if (out.told != nullptr)
        return out.told;
    const Line& last = out.lines.back();
    if (!(last.algorithm > 0) || out.ranks < 3)
        return nullptr;
    const double ratio = last.bus / last.algorithm;
    if (std::fabs(ratio / busFactor(Collective::AllReduce, out.ranks) - 1) < 0.02)
        return &kTests[0].second;
    return nullptr;
}

} // namespace

bool looksLikeNcclTests(std::string_view text)
{
    return text.find("busbw") != std::string_view::npos &&
           text.find("out-of-place") != std::string_view::npos;
}

std::vector<Measurement> readNcclTests(const std::string& name, std::string_view text,
                                       scenario::Faults& faults)
{
    Output out;
    std::istringstream in{std::string(text)};
    std::size_t at = 0;
    for (std::string line; std::getline(in, line);) {
        ++at;
        const std::size_t first = line.find_first_not_of(" \t\r");
        if (first != std::string::npos && line[first] == '#')
            readComment(line, out);
        else if (first != std::string::npos)
            readResult(line, at, out);
    }
    const auto fault = [&](const char* code) {
        faults.push_back({code, "/", {{"name", name}}});
        return std::vector<Measurement>();
    };
    if (out.lines.empty())
        return fault("calibrate.nccl-empty");
    if (out.ranks < 2)
        return fault("calibrate.nccl-ranks");
    const Collective* operation = operationOf(out);
    if (operation == nullptr)
        return fault("calibrate.nccl-operation");
    std::vector<Measurement> found;
    for (const Line& line : out.lines) {
        if (!(line.bytes > 0) || !(line.microseconds > 0) || found.size() >= kMostMeasurements)
            continue; // sizes too small to be sent are listed with 0
        Measurement m;
        m.kind = Measurement::Kind::Collective;
        m.file = name;
        m.place = "line " + std::to_string(line.at);
        m.operation = *operation;
        m.bytes = line.bytes;
        m.ranks = out.ranks;
        m.perDomain = out.ranks / static_cast<double>(std::max<std::size_t>(1, out.hosts.size()));
        m.seconds = line.microseconds * 1e-6;
        found.push_back(std::move(m));
    }
    return found;
}

} // namespace cw::calibrate
