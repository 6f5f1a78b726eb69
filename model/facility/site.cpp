// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/facility/site.h"

#include <cmath>
#include <cstddef>
#include <optional>

namespace cw::facility {

using explain::Traced;
using scenario::Inputs;
using scenario::Site;
using units::Unit;

namespace {

using Year = std::array<double, 12>;

Year wetBulbs(const Year& dry, const Year& humidity)
{
    Year wet{};
    for (std::size_t m = 0; m < wet.size(); ++m)
        wet[m] = wetBulb(dry[m], humidity[m]);
    return wet;
}

#define CW_SITE_KEYS(name)                                                                         \
    "constant.climate_" name "_dry", "constant.climate_" name "_wet",                              \
        "constant.climate_" name "_dry_hot", "constant.climate_" name "_wet_hot",                  \
        "constant.carbon_" name, "constant.energy_price_" name, "constant.building_price_" name,   \
        "constant.grid_" name

/// In the order of scenario::Site: Ashburn (Virginia), Kajaani (Finland), Phoenix, Singapore,
/// Guiyang, Frankfurt, Ulanqab (Inner Mongolia).
std::array<SiteFacts, kSiteCount> allSites()
{
    const auto site = [](const Year& dry, const Year& humidity) {
        SiteFacts f{};
        f.dryBulb = dry;
        f.wetBulb = wetBulbs(dry, humidity);
        return f;
    };
    std::array<SiteFacts, kSiteCount> all{
        site({0.7, 2.1, 6.6, 12.6, 17.4, 22.3, 24.7, 23.8, 19.8, 13.4, 7.5, 2.9},
             {66, 64, 62, 62, 70, 72, 72, 74, 74, 71, 68, 68}),
        site({-10.5, -10.3, -5.1, 1.0, 8.0, 13.6, 16.4, 14.2, 9.0, 2.6, -2.7, -7.3},
             {88, 86, 78, 68, 60, 63, 70, 77, 83, 88, 91, 90}),
        site({13.6, 15.4, 19.1, 23.2, 28.4, 33.5, 35.3, 34.7, 31.8, 25.2, 18.1, 13.0},
             {51, 44, 39, 28, 22, 19, 32, 36, 36, 37, 44, 52}),
        site({26.8, 27.3, 27.8, 28.2, 28.6, 28.5, 28.2, 28.1, 28.0, 27.9, 27.2, 26.8},
             {84, 81, 82, 83, 82, 81, 81, 81, 81, 82, 85, 86}),
        site({5.0, 7.4, 11.6, 16.5, 20.0, 22.4, 24.1, 23.9, 20.9, 16.2, 12.2, 7.0},
             {82, 79, 77, 76, 76, 80, 78, 77, 77, 80, 79, 79}),
        site({2.2, 2.9, 6.6, 11.0, 15.1, 18.6, 20.6, 20.2, 15.5, 10.6, 6.0, 3.0},
             {84, 78, 72, 65, 66, 65, 64, 67, 74, 81, 86, 87}),
        site({-12.6, -8.7, -1.7, 6.4, 13.1, 17.6, 19.6, 17.9, 12.3, 4.6, -4.0, -10.8},
             {58, 50, 44, 38, 40, 52, 64, 67, 58, 54, 56, 59}),
    };
    const auto rest = [&all](Site at, SiteFacts f) {
        SiteFacts& to = all[static_cast<std::size_t>(at)];
        f.dryBulb = to.dryBulb;
        f.wetBulb = to.wetBulb;
        to = f;
    };
    rest(Site::Temperate, {{}, {}, 34, 25, 0.375, 0.081, 11.7, 2e9, CW_SITE_KEYS("temperate")});
    rest(Site::Nordic, {{}, {}, 26, 18, 0.079, 0.100, 11.6, 250e6, CW_SITE_KEYS("nordic")});
    rest(Site::Desert, {{}, {}, 43.4, 24.5, 0.375, 0.081, 11.7, 1e9, CW_SITE_KEYS("desert")});
    rest(Site::Tropical, {{}, {}, 33, 28, 0.470, 0.150, 14.5, 150e6, CW_SITE_KEYS("tropical")});
    rest(Site::Guiyang, {{}, {}, 31, 23, 0.582, 0.048, 6.0, 1e9, CW_SITE_KEYS("guiyang")});
    rest(Site::Frankfurt, {{}, {}, 32, 21, 0.381, 0.210, 11.6, 200e6, CW_SITE_KEYS("frankfurt")});
    rest(Site::Ulanqab, {{}, {}, 29, 19, 0.582, 0.048, 6.0, 1e9, CW_SITE_KEYS("ulanqab")});
    return all;
}

#undef CW_SITE_KEYS

template <class T>
T given(const Inputs<T>& in, const std::optional<double>& field, std::string_view key, Unit unit,
        double value)
{
    return field ? in(field) : in.constant(key, unit, value);
}

} // namespace

double wetBulb(double dryBulb, double humidity)
{
    return dryBulb * std::atan(0.151977 * std::sqrt(humidity + 8.313659)) +
           std::atan(dryBulb + humidity) - std::atan(humidity - 1.676331) +
           0.00391838 * std::pow(humidity, 1.5) * std::atan(0.023101 * humidity) - 4.686035;
}

const SiteFacts& factsOf(Site site)
{
    static const std::array<SiteFacts, kSiteCount> kSites = allSites();
    return kSites[static_cast<std::size_t>(site)];
}

template <class T>
Climate<T> climateOfMonth(const Inputs<T>& in, std::size_t month)
{
    const scenario::Facility& plan = in.plan().facility;
    const SiteFacts& s = factsOf(plan.site);
    return {given(in, plan.ambientC, s.dryKey, Unit::Celsius, s.dryBulb[month]),
            given(in, plan.wetBulbC, s.wetKey, Unit::Celsius, s.wetBulb[month])};
}

template <class T>
Climate<T> climateOfHotDay(const Inputs<T>& in)
{
    const scenario::Facility& plan = in.plan().facility;
    const SiteFacts& s = factsOf(plan.site);
    return {given(in, plan.ambientC, s.dryHotKey, Unit::Celsius, s.dryDesign),
            given(in, plan.wetBulbC, s.wetHotKey, Unit::Celsius, s.wetDesign)};
}

template <class T>
T carbonOf(const Inputs<T>& in)
{
    const scenario::Facility& plan = in.plan().facility;
    const SiteFacts& s = factsOf(plan.site);
    return given(in, plan.carbonKgPerKwh, s.carbonKey, Unit::KilogramPerKwh, s.carbonKgPerKwh);
}

template <class T>
T energyPriceOf(const Inputs<T>& in)
{
    const scenario::Economics& plan = in.plan().economics;
    const SiteFacts& s = factsOf(in.plan().facility.site);
    return plan.energyPerKwh
               ? in(plan.energyPerKwh)
               : in.constant(s.priceKey, Unit::MoneyPerKwh, s.usdPerKwh) * in(plan.perUsd);
}

template <class T>
T buildingPriceOf(const Inputs<T>& in)
{
    const scenario::Economics& plan = in.plan().economics;
    const SiteFacts& s = factsOf(in.plan().facility.site);
    return plan.buildingPerW
               ? in(plan.buildingPerW)
               : in.constant(s.buildingKey, Unit::MoneyPerWatt, s.usdPerWatt) * in(plan.perUsd);
}

template <class T>
T gridLimitOf(const Inputs<T>& in)
{
    const scenario::Facility& plan = in.plan().facility;
    const SiteFacts& s = factsOf(plan.site);
    return given(in, plan.gridLimit, s.gridKey, Unit::Watts, s.gridWatts);
}

#define CW_INSTANTIATE_SITE(T)                                                                     \
    template Climate<T> climateOfMonth(const Inputs<T>&, std::size_t);                             \
    template Climate<T> climateOfHotDay(const Inputs<T>&);                                         \
    template T carbonOf(const Inputs<T>&);                                                         \
    template T energyPriceOf(const Inputs<T>&);                                                    \
    template T buildingPriceOf(const Inputs<T>&);                                                  \
    template T gridLimitOf(const Inputs<T>&)
CW_INSTANTIATE_SITE(double);
CW_INSTANTIATE_SITE(Traced);
#undef CW_INSTANTIATE_SITE

} // namespace cw::facility
