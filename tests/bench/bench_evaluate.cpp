// SPDX-License-Identifier: GPL-3.0-or-later
// Microseconds of one evaluation: the whole of DeepSeek-V3 on 2,048 chips, the core of a plain GPT,
// and what whole and traced evaluations cost over the core.

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <functional>
#include <vector>

#include "model/evaluation/evaluation.h"
#include "model/evaluation/explanation.h"
#include "tests/model/scenario/testplans.h"

namespace {

using cw::scenario::Scenario;

double g_sink = 0; ///< keeps the compiler from leaving evaluations out

/// Median microseconds of one call, over at least 0.4 s.
double median(const std::function<void()>& call)
{
    using Clock = std::chrono::steady_clock;
    call(); // presets and schedules are laid out once
    std::vector<double> times;
    const auto start = Clock::now();
    while (times.size() < 5 || Clock::now() - start < std::chrono::milliseconds(400)) {
        const auto before = Clock::now();
        call();
        times.push_back(std::chrono::duration<double, std::micro>(Clock::now() - before).count());
    }
    std::nth_element(times.begin(), times.begin() + std::ptrdiff_t(times.size() / 2), times.end());
    return times[times.size() / 2];
}

double whole(const Scenario& s)
{
    return median([&] { g_sink += cw::evaluation::evaluate(s).step.time.si(); });
}

double core(const Scenario& s)
{
    return median([&] { g_sink += cw::evaluation::evaluateCore(s).step.time.si(); });
}

} // namespace

int main()
{
    for (const auto& [name, s] : cw::testplans::all())
        std::printf("%-32s evaluate %9.1f us   core %9.1f us\n", name.c_str(), whole(s), core(s));
    const Scenario deep = cw::testplans::deepSeek();
    const double evaluate = whole(deep);
    const double plain = core(cw::testplans::denseGpt());
    const double traced = median([&] {
        const cw::evaluation::Explanation x(deep, cw::text::Language::English);
        g_sink += double(x.trace().size());
    });
    std::printf("evaluate, DeepSeek-V3 on 2,048   %9.1f us\n", evaluate);
    std::printf("evaluateCore, plain GPT          %9.1f us\n", plain);
    std::printf("ratio                            %9.2f\n", evaluate / plain);
    std::printf("explanation, DeepSeek-V3         %9.1f us\n", traced);
    return std::isfinite(g_sink) ? 0 : 1;
}
