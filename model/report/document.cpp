// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/report/document.h"

#include "model/units/text.h"

namespace cw::report {

Cell cell(double value, units::Unit unit, int digits)
{
    return {units::human(value, unit, digits), value, unit};
}

namespace {

/// The code point at `at`, which moves behind it. Broken UTF-8 counts byte by byte.
char32_t next(std::string_view text, std::size_t& at)
{
    const auto lead = static_cast<unsigned char>(text[at++]);
    const int more = lead >= 0xF0 ? 3 : lead >= 0xE0 ? 2 : lead >= 0xC0 ? 1 : 0;
    char32_t c = more == 0 ? lead : lead & (0x3FU >> static_cast<unsigned>(more));
    for (int i = 0; i < more && at < text.size(); ++i)
        c = (c << 6U) | (static_cast<unsigned char>(text[at++]) & 0x3FU);
    return c;
}

bool isWide(char32_t c)
{
    return (c >= 0x1100 && c <= 0x115F) || (c >= 0x2E80 && c <= 0xA4CF) ||
           (c >= 0xAC00 && c <= 0xD7A3) || (c >= 0xF900 && c <= 0xFAFF) ||
           (c >= 0xFE30 && c <= 0xFE6F) || (c >= 0xFF00 && c <= 0xFF60) ||
           (c >= 0xFFE0 && c <= 0xFFE6) || (c >= 0x20000 && c <= 0x3FFFD);
}

} // namespace

std::size_t displayWidth(std::string_view text)
{
    std::size_t width = 0;
    for (std::size_t at = 0; at < text.size();)
        width += isWide(next(text, at)) ? 2 : 1;
    return width;
}

std::string_view nameOf(Note::Kind kind)
{
    switch (kind) {
    case Note::Kind::Good:
        return "good";
    case Note::Kind::Advice:
        return "advice";
    case Note::Kind::Warning:
        return "warning";
    case Note::Kind::Fault:
        return "fault";
    }
    return "";
}

} // namespace cw::report
