// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <vector>

#include "model/scenario/layout.h"
#include "model/scenario/scenario.h"

namespace cw::transformer {

/// One consecutive slice of the model, as a pipeline position holds it.
struct Slice
{
    std::vector<std::int64_t> layers; ///< of each group
    bool embedding = false;
    bool head = false;
    std::int64_t mtp = 0;
};

/// The group of each layer in the order of depth.
std::vector<int> layerOrder(const scenario::Model& model);

/// Layers of each of `slices` positions, first to last: as given (parallelism.stage_layers), or
/// even; where the layers do not divide, embedding, head and MTP count as layers, so that the ends
/// get less, and what is still left over goes to the middle. The sum is always the model.
std::vector<std::int64_t> sliceLayers(const scenario::Scenario& scenario, std::int64_t slices);

/// The model cut into `slices` positions.
std::vector<Slice> slicesOf(const scenario::Scenario& scenario, std::int64_t slices);

} // namespace cw::transformer
