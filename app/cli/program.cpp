// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/program.h"

#include <algorithm>
#include <exception>

#include <CLI/CLI.hpp>

#include "app/cli/commands.h"
#include "model/text/nearest.h"

namespace cw::cli {

namespace {

/// The language decides how the help reads, so it is looked for before the line is parsed.
text::Language languageIn(int argc, const char* const* argv)
{
    auto language = text::Language::English;
    for (int i = 1; i < argc; ++i) {
        const std::string_view word = argv[i];
        const std::string_view value = word.rfind("--language=", 0) == 0 ? word.substr(11)
                                       : word == "--language" && i + 1 < argc
                                           ? std::string_view(argv[i + 1])
                                           : std::string_view();
        if (!value.empty())
            language = value == "zh_CN" ? text::Language::Chinese : text::Language::English;
    }
    return language;
}

/// CLI11 only says that a command is missing where it does not know the one that is there.
void requireKnown(int argc, const char* const* argv, CLI::App& program, const Session& session)
{
    int first = 1;
    while (first < argc && std::string_view(argv[first]).substr(0, 1) == "-")
        first += std::string_view(argv[first]) == "--language" ? 2 : 1;
    if (first >= argc)
        return;
    std::vector<std::string> names;
    for (const CLI::App* command : program.get_subcommands([](CLI::App*) { return true; }))
        names.push_back(command->get_name());
    const std::string word = argv[first];
    if (std::find(names.begin(), names.end(), word) == names.end())
        stop(Status::CommandLine,
             session.message("cli.no-command",
                             {{"value", word}, {"nearest", text::nearestOf(word, names)}}));
}

int answer(int argc, const char* const* argv, Session& session)
{
    CLI::App program(session.term("about"), "clusterwright-cli");
    program.set_version_flag("--version", "clusterwright-cli " CLUSTERWRIGHT_VERSION);
    std::string language;
    session.takeChoice(program, "--language", language, session.term("language"), {"en", "zh_CN"},
                       false);
    program.require_subcommand(1);
    for (const AddCommand add : kCommands)
        add(program, session);
    requireKnown(argc, argv, program, session);
    try {
        program.parse(argc, argv);
    } catch (const CLI::ParseError& e) {
        if (e.get_exit_code() == 0)
            return program.exit(e, session.streams.out, session.streams.err);
        stop(Status::CommandLine,
             session.message("cli.command-line", {{"message", std::string(e.what()) + "."}}));
    }
    session.asked();
    session.streams.out.flush();
    if (!session.streams.out)
        stop(Status::Internal,
             session.message("cli.unwritable", {{"file", "-"}, {"reason", "standard output"}}));
    return static_cast<int>(Status::Answered);
}

} // namespace

int run(int argc, const char* const* argv, Streams streams)
{
    Session session(streams, languageIn(argc, argv));
    try {
        return answer(argc, argv, session);
    } catch (const Stop& s) {
        for (const std::string& line : s.lines)
            session.complain(line);
        return static_cast<int>(s.status);
    } catch (const std::exception& e) {
        session.complain(session.message("cli.internal", {{"reason", e.what()}}));
    }
    return static_cast<int>(Status::Internal);
}

} // namespace cw::cli
