// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstddef>
#include <string_view>

#include "model/scenario/inputs.h"

// What a site decides: the air outside, what its grid costs and emits, what a building costs.

namespace cw::facility {

/// Air outside, degrees Celsius.
template <class T>
struct Climate
{
    T dryBulb{};
    T wetBulb{};
};

/// Facts of one site. Climate: monthly means of 1991 to 2020 and conditions that are passed in
/// 0.4% of the hours of a year, both rounded.
struct SiteFacts
{
    std::array<double, 12> dryBulb; ///< means, C
    std::array<double, 12> wetBulb; ///< of the mean dry bulb and humidity, C
    double dryDesign;
    double wetDesign;
    double carbonKgPerKwh;
    double usdPerKwh;
    double usdPerWatt; ///< of IT, building and power, without land
    double gridWatts;  ///< what one campus can be connected with
    std::string_view dryKey, wetKey, dryHotKey, wetHotKey, carbonKey, priceKey, buildingKey,
        gridKey;
};

inline constexpr std::size_t kSiteCount = scenario::EnumNames<scenario::Site>::value.size();

const SiteFacts& factsOf(scenario::Site site);

inline constexpr std::array<double, 12> kDaysOfMonth{31, 28, 31, 30, 31, 30,
                                                     31, 31, 30, 31, 30, 31};

/// Wet bulb in C of air at `dryBulb` C and `humidity` percent at sea level, within 1 K from 5% and
/// -20 to 50 C. [Stull 2011, J. Appl. Meteor. Climatol. 50, eq. 1]
double wetBulb(double dryBulb, double humidity);

/// Means of month 0 to 11. `ambient_c` and `wet_bulb_c`, where the plan gives them, hold all year.
template <class T>
Climate<T> climateOfMonth(const scenario::Inputs<T>& in, std::size_t month);

/// The day that sizes the plant.
template <class T>
Climate<T> climateOfHotDay(const scenario::Inputs<T>& in);

/// The plan's number, or that of its site; prices in the plan's currency.
template <class T>
T carbonOf(const scenario::Inputs<T>& in);
template <class T>
T energyPriceOf(const scenario::Inputs<T>& in);
template <class T>
T buildingPriceOf(const scenario::Inputs<T>& in);
/// Watts at the meter.
template <class T>
T gridLimitOf(const scenario::Inputs<T>& in);

#define CW_EXTERN_SITE(T)                                                                          \
    extern template Climate<T> climateOfMonth(const scenario::Inputs<T>&, std::size_t);            \
    extern template Climate<T> climateOfHotDay(const scenario::Inputs<T>&);                        \
    extern template T carbonOf(const scenario::Inputs<T>&);                                        \
    extern template T energyPriceOf(const scenario::Inputs<T>&);                                   \
    extern template T buildingPriceOf(const scenario::Inputs<T>&);                                 \
    extern template T gridLimitOf(const scenario::Inputs<T>&)
CW_EXTERN_SITE(double);
CW_EXTERN_SITE(explain::Traced);
#undef CW_EXTERN_SITE

} // namespace cw::facility
