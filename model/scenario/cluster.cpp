// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/scenario/cluster.h"

namespace cw::scenario {

using units::Unit;

namespace {
constexpr Spec kEfficiency{.unit = Unit::Share,
                           .min = 0.001,
                           .max = 1,
                           .from = 0.1,
                           .to = 1,
                           .status = Status::Assumed,
                           .source = "fits of published training steps; see the chip's preset",
                           .expert = true};
constexpr Spec kExpert{.expert = true};
constexpr Spec kLatency{.unit = Unit::Seconds,
                        .min = 0,
                        .max = 1,
                        .scale = Scale::Log,
                        .from = 1e-7,
                        .to = 1e-4,
                        .status = Status::Assumed,
                        .expert = true};
constexpr Spec kBandwidth{.unit = Unit::BytesPerSecond,
                          .min = 1,
                          .max = 1e18,
                          .scale = Scale::Log,
                          .from = 1e9,
                          .to = 4e12};
} // namespace

ByFormat defaultMatrixFlops()
{
    ByFormat f;
    f[static_cast<std::size_t>(Format::Fp64)] = 67e12;
    f[static_cast<std::size_t>(Format::Tf32)] = 494.5e12;
    f[static_cast<std::size_t>(Format::Bf16)] = 989e12;
    f[static_cast<std::size_t>(Format::Fp16)] = 989e12;
    f[static_cast<std::size_t>(Format::Fp8)] = 1979e12;
    f[static_cast<std::size_t>(Format::Int8)] = 1979e12;
    return f;
}

void describe(FieldVisitor& v, ByFormat& f)
{
    // Formats, or shares of them: the description of the part that holds them says which.
    for (std::size_t i = 0; i < kFormatCount; ++i)
        v.number(EnumNames<Format>::value[i], f[i],
                 {.unit = Unit::FlopPerSecond,
                  .min = 1e-3,
                  .max = 1e21,
                  .scale = Scale::Log,
                  .from = 1e13,
                  .to = 1e17});
}

void describe(FieldVisitor& v, ChipEfficiency& e)
{
    v.beginPart("matrix");
    for (std::size_t i = 0; i < kFormatCount; ++i)
        v.number(EnumNames<Format>::value[i], e.matrix[i], kEfficiency);
    v.endPart();
    v.number("matrix_other", e.matrixOther, kEfficiency);
    v.number("k_ramp", e.kRamp,
             {.min = 0,
              .max = 1e6,
              .from = 0,
              .to = 4000,
              .status = Status::Measured,
              .source = "fit of published training steps",
              .expert = true});
    v.number("attention", e.attention, kEfficiency);
    v.number("flash_1", e.flash1, kEfficiency);
    v.number("flash_2", e.flash2, kEfficiency);
    v.number("small_heads", e.smallHeads, kEfficiency);
    v.number("hbm", e.hbm, kEfficiency);
    v.number("scale_up", e.scaleUp, kEfficiency);
    v.number("scale_out", e.scaleOut, kEfficiency);
}

void describe(FieldVisitor& v, Chip& c)
{
    v.preset("chip", c.preset);
    v.part("matrix_flops", c.matrixFlops);
    v.number("vector_flops", c.vectorFlops,
             {.unit = Unit::FlopPerSecond,
              .min = 1,
              .max = 1e21,
              .scale = Scale::Log,
              .from = 1e12,
              .to = 1e15,
              .expert = true});
    v.number("hbm_bytes", c.hbmBytes,
             {.unit = Unit::VendorBytes,
              .min = 1e6,
              .max = 1e16,
              .scale = Scale::Log,
              .from = 8e9,
              .to = 1.1e12});
    v.number("hbm_usable_bytes", c.hbmUsableBytes,
             {.unit = Unit::VendorBytes,
              .min = 1e6,
              .max = 1e16,
              .scale = Scale::Log,
              .from = 8e9,
              .to = 1.1e12,
              .expert = true});
    v.number("hbm_bandwidth", c.hbmBandwidth,
             {.unit = Unit::BytesPerSecond,
              .min = 1e6,
              .max = 1e18,
              .scale = Scale::Log,
              .from = 2e11,
              .to = 4e13});
    v.number(
        "power_limit", c.powerLimit,
        {.unit = Unit::Watts, .min = 1, .max = 1e6, .scale = Scale::Log, .from = 100, .to = 5000});
    v.number("rated_power", c.ratedPower,
             {.unit = Unit::Watts,
              .min = 1,
              .max = 1e6,
              .scale = Scale::Log,
              .from = 100,
              .to = 5000,
              .expert = true});
    v.number("clock_share", c.clockShare,
             {.unit = Unit::Share, .min = 0.1, .max = 1, .from = 0.3, .to = 1, .expert = true});
    v.number("idle_power", c.idlePower,
             {.unit = Unit::Watts, .min = 0, .max = 1e6, .from = 0, .to = 500, .expert = true});
    v.flag("collective_engine", c.collectiveEngine, kExpert);
    v.integer("cores", c.cores,
              {.min = 1, .max = 1e6, .scale = Scale::Log, .from = 1, .to = 1024, .expert = true});
    v.integer("tile_m", c.tileM,
              {.min = 1,
               .max = 4096,
               .scale = Scale::Log,
               .from = 16,
               .to = 512,
               .status = Status::Assumed,
               .expert = true});
    v.integer("tile_n", c.tileN,
              {.min = 1,
               .max = 4096,
               .scale = Scale::Log,
               .from = 16,
               .to = 512,
               .status = Status::Assumed,
               .expert = true});
    v.part("efficiency", c.efficiency);
}

void describe(FieldVisitor& v, Node& n)
{
    constexpr Spec kCapacity{.unit = Unit::VendorBytes,
                             .min = 0,
                             .max = 1e18,
                             .scale = Scale::Log,
                             .from = 1e10,
                             .to = 1e14};
    constexpr Spec kPool{.unit = Unit::VendorBytes,
                         .min = 0,
                         .max = 1e18,
                         .scale = Scale::Log,
                         .from = 1e10,
                         .to = 1e14,
                         .expert = true};
    v.preset("system", n.preset);
    v.integer("chips", n.chips, {.min = 1, .max = 1024, .from = 1, .to = 72});
    v.number("host_memory_bytes", n.hostMemoryBytes, kCapacity);
    v.number("host_memory_bandwidth", n.hostMemoryBandwidth,
             {.unit = Unit::BytesPerSecond,
              .min = 1,
              .max = 1e18,
              .scale = Scale::Log,
              .from = 1e10,
              .to = 1e13,
              .status = Status::Assumed,
              .source = "two sockets of eight DDR5-4000 channels: 512 GB/s",
              .expert = true});
    v.number("pool_memory_bytes", n.poolMemoryBytes, kPool);
    v.number("pool_bandwidth", n.poolBandwidth,
             {.unit = Unit::BytesPerSecond,
              .min = 1,
              .max = 1e18,
              .scale = Scale::Log,
              .from = 1e9,
              .to = 1e13,
              .expert = true});
    v.number("host_link_bandwidth", n.hostLinkBandwidth, kBandwidth);
    v.flag("host_link_shared_with_nic", n.hostLinkSharedWithNic, kExpert);
    v.number("host_power", n.hostPower,
             {.unit = Unit::Watts,
              .min = 0,
              .max = 1e6,
              .from = 0,
              .to = 6000,
              .status = Status::Assumed,
              .source = "node rating less the chips' limits"});
    v.number("fan_power", n.fanPower,
             {.unit = Unit::Watts, .min = 0, .max = 1e6, .from = 0, .to = 3000, .expert = true});
    v.number("nvme_bytes", n.nvmeBytes, kCapacity);
    v.number("nvme_write_bandwidth", n.nvmeWriteBandwidth, kBandwidth);
    v.number("nvme_read_bandwidth", n.nvmeReadBandwidth, kBandwidth);
    v.integer("cpu_cores", n.cpuCores,
              {.min = 1, .max = 1e5, .from = 1, .to = 512, .expert = true});
}

void describe(FieldVisitor& v, ScaleUp& s)
{
    v.choice("topology", s.topology);
    v.integer("chips", s.chips, {.min = 1, .max = 1e6, .scale = Scale::Log, .from = 1, .to = 8192});
    v.integers("shape", s.shape, {.min = 1, .max = 1e6, .expert = true});
    v.number("bandwidth", s.bandwidth, kBandwidth);
    v.number("latency", s.latency, kLatency);
    v.flag("in_network_reduction", s.inNetworkReduction, {});
    v.number("reduction_share", s.reductionShare,
             {.unit = Unit::Share,
              .min = 0.01,
              .max = 1,
              .from = 0.3,
              .to = 1,
              .status = Status::Published,
              .source = "NCCL tuning model, NVLS: 0.85 on Hopper (0.74 on Blackwell) times 5/6",
              .expert = true});
    v.integer("switches", s.switches,
              {.min = 0,
               .max = 1e6,
               .scale = Scale::Log,
               .from = 1,
               .to = 10000,
               .status = Status::Published,
               .source = "HGX H100: 4 NVSwitch chips for 8 chips",
               .expert = true});
    v.integer("links_per_chip", s.linksPerChip,
              {.min = 0,
               .max = 1e4,
               .from = 1,
               .to = 72,
               .status = Status::Published,
               .source = "NVLink 4: 18 links a chip",
               .expert = true});
}

void describe(FieldVisitor& v, ScaleOut& s)
{
    v.choice("topology", s.topology);
    v.integer("levels", s.levels, {.min = 1, .max = 3});
    v.integer("radix", s.radix,
              {.min = 2, .max = 4096, .scale = Scale::Log, .from = 16, .to = 1024});
    v.integers("shape", s.shape, {.min = 1, .max = 1e6, .expert = true});
    v.number("bandwidth", s.bandwidth, kBandwidth);
    v.integer("planes", s.planes, {.min = 1, .max = 64});
    v.integer("rails", s.rails, {.min = 1, .max = 1024, .from = 1, .to = 64});
    v.numbers("oversubscription", s.oversubscription, {.min = 1, .max = 1000, .expert = true});
    v.number("latency", s.latency, kLatency);
    v.number("hop_latency", s.hopLatency, kLatency);
    v.choice("routing", s.routing, kExpert);
    v.number("routing_imbalance", s.routingImbalance,
             {.min = 1, .max = 100, .from = 1, .to = 3, .status = Status::Assumed, .expert = true});
    v.integer("flows_per_chip", s.flowsPerChip,
              {.min = 1,
               .max = 1e5,
               .scale = Scale::Log,
               .from = 1,
               .to = 256,
               .status = Status::Assumed,
               .source = "Llama 3 (2407.21783) sec. 3.3.1: 16 flows between two chips; 1 to 64",
               .expert = true});
    v.flag("in_network_reduction", s.inNetworkReduction, {});
    v.number("switch_power", s.switchPower,
             {.unit = Unit::Watts,
              .min = 0,
              .max = 1e5,
              .from = 0,
              .to = 5000,
              .status = Status::Published,
              .source = "QM9700 data sheet: 1,720 W with active cables less 32 cages of 17 W",
              .expert = true});
    v.number("optic_power", s.opticPower,
             {.unit = Unit::Watts,
              .min = 0,
              .max = 1e3,
              .from = 0,
              .to = 40,
              .status = Status::Published,
              .source = "transceiver manuals",
              .expert = true});
    v.number("nic_power", s.nicPower,
             {.unit = Unit::Watts,
              .min = 0,
              .max = 1e4,
              .from = 0,
              .to = 200,
              .status = Status::Published,
              .source = "NIC data sheets",
              .expert = true});
}

void describe(FieldVisitor& v, MeasuredBandwidth& m)
{
    v.choice("tier", m.tier);
    v.choice("operation", m.operation);
    v.number("bytes", m.bytes, {.unit = Unit::Bytes, .min = 1, .max = 1e15});
    v.integer("ranks", m.ranks, {.min = 2, .max = 1e7});
    v.number("bus_bandwidth", m.busBandwidth,
             {.unit = Unit::BytesPerSecond, .min = 1, .max = 1e18});
}

void describe(FieldVisitor& v, NetworkFault& f)
{
    v.choice("part", f.part);
    v.number("share", f.share, {.unit = Unit::Share, .min = 0, .max = 1});
    v.number("rate", f.rate, {.unit = Unit::Share, .min = 0, .max = 1});
}

void describe(FieldVisitor& v, Network& n)
{
    v.preset("network", n.preset);
    v.part("scale_up", n.scaleUp);
    v.part("scale_out", n.scaleOut);
    v.integer("sites", n.sites, {.min = 1, .max = 1000, .from = 1, .to = 8, .expert = true});
    v.number("site_bandwidth", n.siteBandwidth,
             {.unit = Unit::BytesPerSecond, .min = 0, .max = 1e18, .expert = true});
    v.number("site_latency", n.siteLatency,
             {.unit = Unit::Seconds, .min = 0, .max = 10, .expert = true});
    v.parts("measured", n.measured);
    v.parts("faults", n.faults);
}

void describe(FieldVisitor& v, Cluster& c)
{
    v.preset("system", c.preset);
    v.integer("chips", c.chips,
              {.min = 1, .max = 1e8, .scale = Scale::Log, .from = 1, .to = 1048576});
    v.integer("spare_chips", c.spareChips,
              {.min = 0, .max = 1e8, .scale = Scale::Log, .from = 1, .to = 65536});
    v.part("chip", c.chip);
    v.part("node", c.node);
    v.part("network", c.network);
}

} // namespace cw::scenario
