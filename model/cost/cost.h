// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "model/scenario/inputs.h"
#include "model/units/quantity.h"

// What the machine and a run of it cost. Capital is spread by the recovery factor
// r(1+r)^n/((1+r)^n - 1), the building over its own lifetime. Money is in the plan's currency;
// prices that the plan leaves open are assumed in USD, by class, and converted by `per_usd`.

namespace cw::cost {

template <class T>
struct CostLoad
{
    T chips{}; ///< installed
    T switches{};
    T optics{};
    T links{};                 ///< all cables
    T racks{};                 ///< of nodes and of network
    units::Watts<T> itMaximum; ///< that the building is built for
    units::Watts<T> facilityAverage;
    units::Seconds<T> step;
    units::Seconds<T> runTime; ///< wall time of the run
    units::Tokens<T> tokens;   ///< of the run
    T mfu{};                   ///< that the run is taken at
    T goodput{};
    units::Flop<T> modelFlops; ///< of the run
};

enum class Part : std::uint8_t
{
    Chips,
    Nodes,
    Nics,
    Racks,
    Switches,
    Optics,
    Cables,
    Building,
    Porting,
    Energy,
    Maintenance,
    Staff,
};
inline constexpr std::size_t kPartCount = 12;

/// Names of the parts in files ("chips", "nodes", ...), in the order of the enumerators.
std::string_view nameOf(Part part);

template <class T>
struct CostPart
{
    units::Money<T> capital; ///< paid once
    units::Money<T> perHour;
    units::Money<T> perRun;
};

template <class T>
struct Cost
{
    units::Money<T> capital;
    units::Money<T> perHour; ///< of the whole machine
    units::Money<T> perStep;
    units::Money<T> perRun;
    units::Money<T> perMillionTokens;
    T perChipHour{};                 ///< money
    units::Money<T> perMfuPoint;     ///< what one point (0.01) more of MFU saves in a run
    units::Money<T> perGoodputPoint; ///< the same of goodput
    units::Money<T> perPuePoint;     ///< what 0.01 less of PUE saves in a run
    T portingPersonYears{};
    T flopsPerMoney{}; ///< model FLOP of the run over its cost
    T energyShare{};   ///< of the cost of an hour
    /// Capital, hours and runs each sum to the figure above.
    std::array<CostPart<T>, kPartCount> parts{};

    const CostPart<T>& part(Part p) const { return parts[static_cast<std::size_t>(p)]; }
};

/// Share of the capital to pay each year: `years` > 0, `rate` >= 0 (then 1/years).
template <class T>
T capitalRecovery(const T& rate, const T& years);

template <class T>
Cost<T> cost(const scenario::Inputs<T>& in, const CostLoad<T>& load);

/// Price of one chip where the plan has none, in USD, by the class of its 16-bit peak; `key` is the
/// constant's key in the message catalogue.
struct AssumedPrice
{
    std::string_view key;
    double usd;
};
AssumedPrice assumedChipPrice(const scenario::Chip& chip);

extern template double capitalRecovery(const double&, const double&);
extern template explain::Traced capitalRecovery(const explain::Traced&, const explain::Traced&);
extern template Cost<double> cost(const scenario::Inputs<double>&, const CostLoad<double>&);
extern template Cost<explain::Traced> cost(const scenario::Inputs<explain::Traced>&,
                                           const CostLoad<explain::Traced>&);

} // namespace cw::cost
