// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

#include "model/scenario/scenario.h"

namespace cw::scenario {

/// Which chips of the machine's scale-up domains can hold ranks, in what order: groups of tensor,
/// context and expert ranks that fit into a domain stay whole, so a domain of 72 chips holds 64
/// ranks where experts lie in groups of 64. What is left over in a domain can only be a spare.
/// Each job starts in a domain of its own where there are enough of them, else behind the groups
/// of the one before. Counts are doubles: degrees of hostile plans overflow 64 bits.
struct DomainFit
{
    double block = 1;       ///< ranks that stay together
    double domainChips = 1; ///< of one domain
    double domain = 1;      ///< of them, those that hold ranks: whole blocks
    double domains = 1;     ///< full ones in the machine
    double rest = 0;        ///< chips that hold ranks in the last domain, which is not full
    double jobs = 1;

    double places() const { return domains * domain + rest; } ///< chips that can hold ranks
    /// Slots from the first rank of one job of `ranks` to the first of the next.
    double pitch(double ranks) const;
    bool holds(double ranks) const;
    /// Domains that the ranks of all jobs take, begun ones included.
    double domainsOf(double ranks) const;
    /// The least chips of a machine of such domains that hold them.
    double chipsFor(double ranks) const;
};

/// `data`: the data parallelism that the ranks are laid out with.
DomainFit domainFit(const Scenario& s, double data);

/// The largest data parallelism that the chips hold, whatever the batch; 0 where there is none.
double mostReplicas(const Scenario& s);

} // namespace cw::scenario
