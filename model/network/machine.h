// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

#include "model/scenario/scenario.h"

namespace cw::network {

/// Where a chip stands: each index counts within the level above it, from 0.
struct ChipPlace
{
    std::int64_t pod = 0; ///< within the machine
    std::int64_t rack = 0;
    std::int64_t node = 0;
    std::int64_t chip = 0;

    friend bool operator==(const ChipPlace&, const ChipPlace&) = default;
};

/// The machine as a tree: sites, pods, racks, nodes, chips. A pod is a scale-up domain that is
/// larger than a rack, else the racks under one set of leaf switches. Chips are numbered pod by
/// pod, rack by rack, node by node; the last of each level may hold fewer.
struct Machine
{
    std::int64_t chips = 0;
    std::int64_t sites = 1;
    std::int64_t podsPerSite = 1; ///< the last site may hold fewer
    std::int64_t pods = 1;
    std::int64_t chipsPerPod = 1;
    std::int64_t racksPerPod = 1;
    std::int64_t nodesPerRack = 1;
    std::int64_t chipsPerNode = 1;
    bool podIsDomain = false; ///< whether a pod is one scale-up domain

    std::int64_t chipsPerRack() const { return nodesPerRack * chipsPerNode; }

    std::int64_t chipsIn(std::int64_t pod) const;
    std::int64_t chipsIn(std::int64_t pod, std::int64_t rack) const;
    std::int64_t chipsIn(std::int64_t pod, std::int64_t rack, std::int64_t node) const;
    std::int64_t racksIn(std::int64_t pod) const;
    std::int64_t nodesIn(std::int64_t pod, std::int64_t rack) const;
    std::int64_t racks() const;
    std::int64_t nodes() const;
    std::int64_t siteOf(std::int64_t pod) const { return pod / podsPerSite; }

    /// `index` is in [0, chips).
    ChipPlace place(std::int64_t index) const;
    std::int64_t index(const ChipPlace& place) const;
};

Machine machine(const scenario::Scenario& plan);

} // namespace cw::network
