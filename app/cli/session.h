// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "app/cli/program.h"
#include "app/cli/status.h"
#include "model/text/catalogue.h"

namespace CLI {
class App;
}

namespace cw::cli {

/// What all commands share: the streams, the language, and the command that the line asks for.
class Session
{
public:
    Session(Streams s, text::Language l) : streams(s), language(l) {}

    Streams streams;
    text::Language language;
    std::function<void()> asked; ///< set by the command that was parsed

    const text::Catalogue& words() const { return text::Catalogue::of(language); }
    std::string term(std::string_view key) const
    {
        return std::string(words().term("cli." + std::string(key)));
    }
    std::string message(std::string_view key, const text::Arguments& arguments = {}) const
    {
        return words().message(key, arguments);
    }
    /// One line on standard error.
    void complain(std::string_view line) const;

    /// A command of the program, with the options that all have; `act` runs after parsing.
    CLI::App* add(CLI::App& parent, const std::string& name, const std::string& help,
                  std::function<void()> act);
    /// Commands of a command, one of which must be named.
    void requireCommand(CLI::App& command) const;

    // What a command takes. A name without dashes is a place, with them an option.

    void takeText(CLI::App& command, const std::string& name, std::string& value,
                  const std::string& help, bool required) const;
    /// From `least` to `most` texts; `most` 0: any number.
    void takeTexts(CLI::App& command, const std::string& name, std::vector<std::string>& values,
                   const std::string& help, int least, int most) const;
    void takeNumber(CLI::App& command, const std::string& name, int& value, const std::string& help,
                    int from, int to) const;
    void takeFlag(CLI::App& command, const std::string& name, bool& value,
                  const std::string& help) const;
    void takeChoice(CLI::App& command, const std::string& name, std::string& value,
                    const std::string& help, const std::vector<std::string>& names,
                    bool required) const;

    void takePlan(CLI::App& command, std::string& plan) const;
    /// --format of these names; the first is what is taken where none is given.
    void takeFormat(CLI::App& command, std::string& format,
                    const std::vector<std::string>& names) const;
    /// --set, repeated.
    void takeSettings(CLI::App& command, std::vector<std::string>& settings) const;
    /// -o.
    void takeOutput(CLI::App& command, std::string& file) const;

private:
    std::string m_languageName;
};

/// A text as one line: control characters become blanks.
std::string oneLine(std::string_view text);

} // namespace cw::cli
