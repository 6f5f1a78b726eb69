// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/pages/ticks.h"

#include <array>

#include "views/common/numberformat.h"
#include "views/text/words.h"

namespace cw::views {

namespace {

QString bare(double value)
{
    // Six decimals at most, those at the end left out.
    return formatTick(value, value, numberLocale());
}

} // namespace

QString timeTick(double seconds)
{
    const auto locale = numberLocale();
    if (seconds < 1.0)
        return format(seconds, Unit::Duration, locale);
    constexpr std::array<double, 4> kSizes{86400.0, 3600.0, 60.0, 1.0};
    for (const double size : kSizes)
        if (seconds >= size * 0.9995) {
            // The word for the unit is that of a time which is surely told in it.
            const NumberText worded = formatParts(3 * size, Unit::Duration, locale);
            return bare(seconds / size) + worded.joint + worded.unit;
        }
    return {};
}

QString percentTick(double share)
{
    const NumberText worded = formatParts(share, Unit::Percent, numberLocale());
    return bare(share * 100.0) + worded.joint + worded.unit;
}

} // namespace cw::views
