// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/session.h"

#include <limits>

#include <CLI/CLI.hpp>

namespace cw::cli {

std::string oneLine(std::string_view text)
{
    std::string line(text);
    for (char& c : line)
        if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f)
            c = ' ';
    return line;
}

void Session::complain(std::string_view line) const
{
    streams.err << oneLine(line) << '\n';
}

CLI::App* Session::add(CLI::App& parent, const std::string& name, const std::string& help,
                       std::function<void()> act)
{
    CLI::App* app = parent.add_subcommand(name, help);
    takeChoice(*app, "--language", m_languageName, term("language"), {"en", "zh_CN"}, false);
    if (act)
        app->callback([this, act = std::move(act)] { asked = act; });
    return app;
}

void Session::requireCommand(CLI::App& command) const
{
    command.require_subcommand(1);
}

void Session::takeText(CLI::App& command, const std::string& name, std::string& value,
                       const std::string& help, bool required) const
{
    command.add_option(name, value, help)->required(required)->type_name("");
}

void Session::takeTexts(CLI::App& command, const std::string& name,
                        std::vector<std::string>& values, const std::string& help, int least,
                        int most) const
{
    command.add_option(name, values, help)
        ->required(least > 0)
        ->expected(least, most == 0 ? std::numeric_limits<int>::max() : most)
        ->type_name("");
}

void Session::takeNumber(CLI::App& command, const std::string& name, int& value,
                         const std::string& help, int from, int to) const
{
    command.add_option(name, value, help)->check(CLI::Range(from, to))->type_name("N");
}

void Session::takeFlag(CLI::App& command, const std::string& name, bool& value,
                       const std::string& help) const
{
    command.add_flag(name, value, help);
}

void Session::takeChoice(CLI::App& command, const std::string& name, std::string& value,
                         const std::string& help, const std::vector<std::string>& names,
                         bool required) const
{
    std::string allowed;
    for (const std::string& each : names)
        allowed += (allowed.empty() ? "" : "|") + each;
    CLI::Validator member = CLI::IsMember(names);
    member.description(""); // the type name lists them
    command.add_option(name, value, help)->required(required)->check(member)->type_name(allowed);
}

void Session::takePlan(CLI::App& command, std::string& plan) const
{
    takeText(command, "PLAN", plan, term("plan"), true);
}

void Session::takeFormat(CLI::App& command, std::string& format,
                         const std::vector<std::string>& names) const
{
    format = names.front();
    takeChoice(command, "--format", format, term("format"), names, false);
}

void Session::takeSettings(CLI::App& command, std::vector<std::string>& settings) const
{
    command.add_option("--set", settings, term("set"))
        ->type_name("PATH=VALUE")
        ->allow_extra_args(false);
}

void Session::takeOutput(CLI::App& command, std::string& file) const
{
    command.add_option("-o", file, term("output"))->required()->type_name("FILE");
}

} // namespace cw::cli
