// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "model/scenario/scenario.h"

namespace cw::views {

/// Whether an input has a meaning in this plan: a dense layer has no experts, latent attention no
/// key-value heads. Those without are left out of the panel until they are asked for.
bool isRelevant(const scenario::Scenario& scenario, const std::string& path);

} // namespace cw::views
