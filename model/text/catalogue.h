// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "model/text/numbers.h"

// All words the program shows, in both languages, from resources/text/en/*.json and
// resources/text/zh_CN/*.json. Each file may hold any of the sections below; files are merged, and
// a key that two files give is a problem a test finds.

namespace cw::text {

enum class Language : std::uint8_t
{
    English,
    Chinese
};

/// The sections of a catalogue file, named as in the files.
enum class Section : std::uint8_t
{
    Parts,      ///< parts of a plan: text
    Parameters, ///< by the path of the parameter without list indices: label, help
    Quantities, ///< figures of an evaluation: label, symbol, source, help
    Constants,  ///< numbers of the model: label, symbol, source, status, help
    Messages,   ///< faults, violations, advice: text with {name} placeholders
    Choices,    ///< names of closed sets: shown text; "software.graphs:full" for one parameter
    Terms,      ///< any other word: text
};
inline constexpr std::size_t kSectionCount = 7;

using Arguments = std::map<std::string, std::string>;

/// Fills {name} in a text. A stretch in [[double brackets]] is left out where one of its arguments
/// is missing or empty; elsewhere a missing argument leaves nothing behind. {name:kind} writes a
/// number as `kind` wants it (see numbers.h), in `style`.
std::string filled(std::string_view text, const Arguments& arguments,
                   const NumberStyle& style = {});

class Catalogue
{
public:
    /// The catalogue of a language, read once.
    static const Catalogue& of(Language language);

    /// Reads files as if they were embedded; for tests. Symbols and sources that it lacks are taken
    /// from `fallback`.
    explicit Catalogue(const std::vector<std::string_view>& files,
                       const Catalogue* fallback = nullptr, NumberStyle numbers = {});

    /// Label of a parameter, quantity, constant or part; the key itself where there is none, so
    /// that a gap is seen and not empty.
    std::string_view label(std::string_view key) const;
    /// One sentence on a parameter, quantity or constant; empty where there is none.
    std::string_view help(std::string_view key) const;
    /// The letter of the field for a quantity or constant; empty where there is none.
    std::string_view symbol(std::string_view key) const;
    /// Citation of a quantity's formula or of a constant.
    std::string_view source(std::string_view key) const;
    /// How well a constant is known: "measured", "published", "assumed".
    std::string_view status(std::string_view key) const;
    /// Numbers are written as the language does, or in the style given.
    std::string message(std::string_view key, const Arguments& arguments = {}) const;
    std::string message(std::string_view key, const Arguments& arguments,
                        const NumberStyle& style) const;
    std::string_view choice(std::string_view name) const;
    /// As above, where one parameter names its choices differently from others.
    std::string_view choice(std::string_view parameterKey, std::string_view name) const;
    std::string_view term(std::string_view key) const;

    /// The text of an entry as it stands in its file; the key itself where there is none.
    std::string_view text(Section section, std::string_view key) const;

    bool has(Section section, std::string_view key) const;
    std::vector<std::string_view> keys(Section section) const;
    /// How numbers are written in this language.
    const NumberStyle& numbers() const { return m_numbers; }
    /// Faults of the files: not JSON, unknown section, wrong kind, a key given twice.
    const std::vector<std::string>& problems() const { return m_problems; }

private:
    struct Entry
    {
        std::string text; ///< label, or the whole text of a plain entry
        std::string help;
        std::string symbol;
        std::string source;
        std::string status;
    };
    using Entries = std::map<std::string, Entry, std::less<>>;

    struct Reader;
    const Entry* find(Section section, std::string_view key) const;
    const Entry* describedBy(std::string_view key) const;

    std::array<Entries, kSectionCount> m_sections;
    std::vector<std::string> m_problems;
    const Catalogue* m_fallback = nullptr;
    NumberStyle m_numbers;
};

} // namespace cw::text
