// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/network/placement.h"
#include "model/network/topology.h"
#include "model/network/traffic.h"
#include "model/units/quantity.h"

// What it costs to move bytes within one group, by the alpha-beta model over two tiers: inside a
// scale-up domain and across domains. [Thakur, Rabenseifner, Gropp 2005; Patarasuk & Yuan 2009;
// Sanders et al. 2009]. Libraries choose among their algorithms, so the cheapest is taken.
//
// They also choose how a hop hands its data over [NCCL, tuning model: tables of base and hardware
// latencies, of the most that LL reaches, and the factors of NVLS and trees]: with a flag beside
// each word (short messages: a hop takes the latency of the link, but at most half of the rate is
// data), or by whole chunks and a fence (long ones: all of the rate, each hop takes longer).

namespace cw::network {

/// The links as one chip sees them, per direction, at the efficiency that libraries reach.
template <class T>
struct Links
{
    units::BytesPerSecond<T> inside;
    units::BytesPerSecond<T> across;
    units::Seconds<T> latencyInside; ///< of one hop of a ring or tree
    units::Seconds<T> latencyAcross;
    units::Seconds<T> startInside; ///< of one collective
    units::Seconds<T> startAcross;
    units::Seconds<T> fenceInside; ///< more for each hop where whole chunks are handed over
    units::Seconds<T> fenceAcross;
    units::BytesPerSecond<T> flaggedInside; ///< most that words with flags reach, of one ring
    units::BytesPerSecond<T> flaggedAcross;
    T treeShare{1.0};               ///< of a ring's rate that a tree reaches
    T reductionShare{1.0};          ///< of `inside` that reduction in the domain's switch reaches
    T reductionShareAcross{1.0};    ///< the same in the switches between domains
    units::Seconds<T> reduceInside; ///< more for a collective whose sums the switch makes
    units::Seconds<T> reduceAcross; ///< the same for each hop between domains
    bool reducesInside = false;     ///< switches add up on the way
    bool reducesAcross = false;
    T slowdown{1.0}; ///< what a chip could send across over what the fabric lets through
};

/// Bytes that one chip sends, to chips of its own domain and to others.
template <class T>
struct Moved
{
    units::Bytes<T> inside;
    units::Bytes<T> across;

    /// Adds `count` times another.
    void add(const Moved& other, const T& count)
    {
        inside += count * other.inside;
        across += count * other.across;
    }
};

/// What an all-gather or a reduce-scatter of a buffer of `bytes` moves: (q-1)/q of the chip's part
/// across q domains, then (g-1)/g of the whole among the g members inside.
template <class T>
Moved<T> gathered(const GroupSpan<T>& group, const units::Bytes<T>& bytes);

/// What an all-to-all moves in which each rank has `bytes` for the group, its own part included.
template <class T>
Moved<T> exchanged(const GroupSpan<T>& group, const units::Bytes<T>& bytes);

/// What the dispatch or combine of expertExchange moves.
template <class T>
Moved<T> dispatched(const GroupSpan<T>& group, const T& tokens, const units::Bytes<T>& width,
                    const T& experts, const T& topK, const T& limit);

/// The links for a group whose flows are of a kind: a full mesh gives a part of the chips only a
/// part of the links; the fabric may let through less than a chip sends (fabric.h); a measured
/// bandwidth replaces the data sheet's. `shares` may be absent.
template <class T>
Links<T> linksFor(const scenario::Inputs<T>& in, const Topology<T>& topology,
                  const GroupSpan<T>& group, TrafficKind kind = TrafficKind::Data,
                  const CrossShares* shares = nullptr);

/// Algorithms of a collective. A library takes the best; a benchmark may force one.
enum class Algorithm : std::uint8_t
{
    Best,
    Ring,
    Tree,
    SwitchTree,   ///< sums in the domain's switch, a tree across (NVLS tree)
    SwitchReduce, ///< sums in all switches (NVLS, SHARP)
};

/// The same links for a collective that is called in a tight loop, as benchmarks do: what starts it
/// is the library alone, since nobody waits for a rank that is late.
template <class T>
Links<T> inALoop(const scenario::Inputs<T>& in, Links<T> links);

/// `bytes`: the whole buffer, as each rank holds it before a reduce-scatter or after a gather.
template <class T>
units::Seconds<T> allGather(const GroupSpan<T>& group, const Links<T>& links,
                            const units::Bytes<T>& bytes);
template <class T>
units::Seconds<T> reduceScatter(const GroupSpan<T>& group, const Links<T>& links,
                                const units::Bytes<T>& bytes);
template <class T>
units::Seconds<T> allReduce(const GroupSpan<T>& group, const Links<T>& links,
                            const units::Bytes<T>& bytes);
template <class T>
units::Seconds<T> allReduceBy(Algorithm algorithm, const GroupSpan<T>& group, const Links<T>& links,
                              const units::Bytes<T>& bytes);
/// An all-gather or reduce-scatter by rings alone.
template <class T>
units::Seconds<T> ringGather(const GroupSpan<T>& group, const Links<T>& links,
                             const units::Bytes<T>& bytes);

/// `bytes`: what each rank sends in all, spread evenly over the group (its own part included).
template <class T>
units::Seconds<T> allToAll(const GroupSpan<T>& group, const Links<T>& links,
                           const units::Bytes<T>& bytes);

/// One message to a neighbour of the group.
template <class T>
units::Seconds<T> sendReceive(const GroupSpan<T>& group, const Links<T>& links,
                              const units::Bytes<T>& bytes);

/// Expected number of distinct domains of q that k of E experts lie in, with uniform routing:
/// q (1 - C(E - E/q, k) / C(E, k)). Also for a fraction of an expert per domain.
template <class T>
T distinctDomains(const T& domains, const T& experts, const T& topK);

/// Dispatch or combine of `tokens` of a rank, each `width` bytes: once to each distinct domain
/// (at most `limit` of them where it is above 0), then on to the experts inside.
template <class T>
units::Seconds<T> expertExchange(const GroupSpan<T>& group, const Links<T>& links, const T& tokens,
                                 const units::Bytes<T>& width, const T& experts, const T& topK,
                                 const T& limit);

} // namespace cw::network
