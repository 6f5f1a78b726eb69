// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

// Numbers inside sentences. A model's message carries plain numbers ("524288"); the text says by
// the ending of the placeholder how a reader sees them: {chips:count}, {degree:n}, {share:percent}.

namespace cw::text {

/// How numbers in sentences are written.
struct NumberStyle
{
    std::string group = ",";        ///< between groups of three digits; empty for none
    std::string point = ".";        ///< before the decimals
    std::string minus = "\u2212";   ///< in front of negative numbers
    std::string joint = " ";        ///< between a number and its prefix
    std::string percentJoint = " "; ///< between a number and its percent sign
    bool myriads = false;           ///< 万, 亿, 万亿 instead of M, G, T

    /// As a reader of English or of Chinese expects.
    static NumberStyle english() { return {}; }
    static NumberStyle chinese();
    /// For files that programs read: nothing grouped, no thin spaces, no myriads.
    static NumberStyle plain();
};

/// A plain number as `kind` wants it:
///   "n"        all digits that were given, grouped ("524,288", "1,234.5");
///   "count"    four significant digits, with a prefix from a million on, in Chinese from ten
///              thousand on ("524,288", "1.074 G", "52.43 万");
///   "percent"  hundredths, with one decimal, small ones with two ("20.4 %", "0.35 %").
/// What is no number, and any other kind, comes back as it was.
std::string shownNumber(std::string_view value, std::string_view kind, const NumberStyle& style);

} // namespace cw::text
