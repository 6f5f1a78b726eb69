// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "model/scenario/enums.h"
#include "model/scenario/fieldvisitor.h"

namespace cw::scenario {

/// One number for each format; absent where the chip has no such units.
using ByFormat = std::array<std::optional<double>, kFormatCount>;

/// What a chip and its libraries sustain of the data sheet over whole training steps. Fitted or
/// assumed; see the sources in the chip's preset.
struct ChipEfficiency
{
    ByFormat matrix;           ///< sustained share of the dense peak on large products, by format
    double matrixOther = 0.70; ///< the same where a format has no number of its own
    double kRamp = 1.01e+03;  ///< K0 of the ramp K/(K + K0), 16-bit; x1.6 for 8 bit, x2.5 for 4 bit
    double attention = 0.45;  ///< forward, share of the 16-bit peak on causal FLOPs, best kernel
    double flash1 = 0.653;    ///< of the best kernel
    double flash2 = 0.77;     ///< of the best kernel
    double smallHeads = 0.94; ///< attention at head size 64, of that at 128
    double hbm = 0.75;        ///< share of the memory bandwidth that streaming passes reach
    double scaleUp = 0.70;  ///< share of the link rate that large collectives reach inside a domain
    double scaleOut = 0.75; ///< the same across domains
};

/// Peak of an H100 SXM (NVIDIA H100 data sheet, dense).
ByFormat defaultMatrixFlops();

struct Chip
{
    std::string preset;
    ByFormat matrixFlops = defaultMatrixFlops(); ///< dense peak in FLOP/s by format of the operands
    double vectorFlops = 67e12;
    double hbmBytes = 85.9e9;
    std::optional<double> hbmUsableBytes;
    double hbmBandwidth = 3.35e12;
    double powerLimit = 700;
    std::optional<double> ratedPower; ///< at which the peaks above hold; null: powerLimit
    double clockShare = 1;            ///< of the clock that gives the peaks above
    double idlePower = 100;
    bool collectiveEngine = false;
    std::int64_t cores = 132;
    std::int64_t tileM = 128;
    std::int64_t tileN = 128;
    ChipEfficiency efficiency;
};

struct Node
{
    std::string preset;
    std::int64_t chips = 8;
    double hostMemoryBytes = 2e12;
    double hostMemoryBandwidth = 5e11;     ///< of all sockets of one node
    std::optional<double> poolMemoryBytes; ///< pooled memory for one node's chips; null: the host's
    std::optional<double> poolBandwidth;   ///< of a chip and direction; null: the scale-up links
    double hostLinkBandwidth = 55e9;
    bool hostLinkSharedWithNic = true;
    double hostPower = 1500;        ///< CPUs, memory, fans, NICs of one node
    std::optional<double> fanPower; ///< of hostPower, where air takes all heat of the node
    double nvmeBytes = 30e12;
    double nvmeWriteBandwidth = 20e9;
    double nvmeReadBandwidth = 40e9;
    std::int64_t cpuCores = 128;
};

struct ScaleUp
{
    ScaleUpTopology topology = ScaleUpTopology::Switch;
    std::int64_t chips = 8;
    std::vector<std::int64_t> shape;
    double bandwidth = 450e9;
    double latency = 1e-6;
    bool inNetworkReduction = false;
    double reductionShare = 0.708;  ///< of the link rate that reduction in the switch reaches
    std::int64_t switches = 4;      ///< of one domain, where it is switched
    std::int64_t linksPerChip = 18; ///< of one chip, where it is switched
};

struct ScaleOut
{
    ScaleOutTopology topology = ScaleOutTopology::RailOptimized;
    std::int64_t levels = 3;
    std::int64_t radix = 64;
    std::vector<std::int64_t> shape;
    double bandwidth = 50e9;
    std::int64_t planes = 1;
    std::int64_t rails = 8;
    std::vector<double> oversubscription{1, 1, 1};
    double latency = 5e-6;
    double hopLatency = 3e-7;
    Routing routing = Routing::Adaptive;
    std::optional<double> routingImbalance; ///< null: by the way of routing (routingload.h)
    std::int64_t flowsPerChip = 16;         ///< that a switch hashes: queue pairs of one peer
    bool inNetworkReduction = false;
    double switchPower = 1176; ///< of one switch at its limit, without its optics
    double opticPower = 15;    ///< of one optical module
    double nicPower = 25;      ///< of one chip's share of NICs
};

/// A bandwidth that was measured: it replaces the data sheet's in its tier.
struct MeasuredBandwidth
{
    NetworkTier tier = NetworkTier::ScaleOut;
    CollectiveOperation operation = CollectiveOperation::AllReduce;
    double bytes = 1073741824;
    std::int64_t ranks = 64;
    double busBandwidth = 42e9; ///< of a fresh row: a legal value, to be typed over
};

struct NetworkFault
{
    FaultPart part = FaultPart::Link;
    double share = 0;
    double rate = 1;
};

struct Network
{
    std::string preset;
    ScaleUp scaleUp;
    ScaleOut scaleOut;
    std::int64_t sites = 1;
    double siteBandwidth = 0;
    double siteLatency = 0;
    std::vector<MeasuredBandwidth> measured;
    std::vector<NetworkFault> faults;
};

struct Cluster
{
    std::string preset;
    std::int64_t chips = 8;
    std::optional<std::int64_t> spareChips;
    Chip chip;
    Node node;
    Network network;
};

void describe(FieldVisitor& v, ByFormat& f);
void describe(FieldVisitor& v, ChipEfficiency& e);
void describe(FieldVisitor& v, Chip& c);
void describe(FieldVisitor& v, Node& n);
void describe(FieldVisitor& v, ScaleUp& s);
void describe(FieldVisitor& v, ScaleOut& s);
void describe(FieldVisitor& v, MeasuredBandwidth& m);
void describe(FieldVisitor& v, NetworkFault& f);
void describe(FieldVisitor& v, Network& n);
void describe(FieldVisitor& v, Cluster& c);

} // namespace cw::scenario
