// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "app/cli/session.h"

// Each command is one file in commands/: a function that adds it to the program, and what it does.

namespace cw::cli {

using AddCommand = void (*)(CLI::App&, Session&);

void addEvaluate(CLI::App& program, Session& session);
void addExplain(CLI::App& program, Session& session);
void addValidate(CLI::App& program, Session& session);
void addCalibrate(CLI::App& program, Session& session);
void addAllocate(CLI::App& program, Session& session);
void addImport(CLI::App& program, Session& session);
void addExport(CLI::App& program, Session& session);
void addReport(CLI::App& program, Session& session);
void addPresets(CLI::App& program, Session& session);
void addSimulate(CLI::App& program, Session& session);
void addSites(CLI::App& program, Session& session);
void addFill(CLI::App& program, Session& session);
void addBench(CLI::App& program, Session& session);

/// In the order of the help.
inline const std::vector<AddCommand> kCommands{
    addEvaluate, addExplain, addValidate, addCalibrate, addSimulate, addAllocate, addImport,
    addExport,   addReport,  addPresets,  addSites,     addFill,     addBench};

} // namespace cw::cli
