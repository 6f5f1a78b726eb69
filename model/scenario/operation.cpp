// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/scenario/operation.h"

namespace cw::scenario {

using units::Unit;

namespace {
constexpr Spec kExpert{.expert = true};
constexpr Spec kSeconds{.unit = Unit::Seconds,
                        .min = 0,
                        .max = 1e9,
                        .scale = Scale::Log,
                        .from = 1,
                        .to = 86400,
                        .status = Status::Assumed};
constexpr Spec kShare{.unit = Unit::Share, .min = 0, .max = 1, .status = Status::Assumed};
constexpr Spec since(Spec spec, std::string_view source)
{
    spec.source = source;
    return spec;
}
constexpr Spec rate(Status status, std::string_view source, double to = 10)
{
    return {.unit = Unit::PerYear,
            .min = 0,
            .max = 1e6,
            .scale = Scale::Log,
            .from = 1e-3,
            .to = to,
            .status = status,
            .source = source,
            .expert = true};
}
constexpr Spec kPrice{
    .unit = Unit::Money, .min = 0, .max = 1e12, .scale = Scale::Log, .from = 10, .to = 1e6};
} // namespace

void describe(FieldVisitor& v, StoragePool& p)
{
    v.text("name", p.name, {});
    v.choice("media", p.media);
    v.number("capacity_bytes", p.capacityBytes,
             {.unit = Unit::VendorBytes,
              .min = 0,
              .max = 1e21,
              .scale = Scale::Log,
              .from = 1e12,
              .to = 1e19});
    v.number("read_bandwidth", p.readBandwidth,
             {.unit = Unit::BytesPerSecond,
              .min = 1,
              .max = 1e18,
              .scale = Scale::Log,
              .from = 1e9,
              .to = 1e14});
    v.number("write_bandwidth", p.writeBandwidth,
             {.unit = Unit::BytesPerSecond,
              .min = 1,
              .max = 1e18,
              .scale = Scale::Log,
              .from = 1e9,
              .to = 1e14});
    v.choices("holds", p.holds);
}

void describe(FieldVisitor& v, Storage& s)
{
    v.number("dataset_bytes_per_token", s.datasetBytesPerToken,
             {.unit = Unit::Bytes, .min = 0, .max = 1e6, .from = 0, .to = 16, .expert = true});
    v.number("loader_tokens_per_s_per_node", s.loaderTokensPerSecondPerNode,
             {.unit = Unit::TokensPerSecond,
              .min = 1,
              .max = 1e12,
              .scale = Scale::Log,
              .from = 1e4,
              .to = 1e8,
              .expert = true});
    v.number("loader_tokens_per_s_per_core", s.loaderTokensPerSecondPerCore,
             {.unit = Unit::TokensPerSecond,
              .min = 1,
              .max = 1e12,
              .scale = Scale::Log,
              .from = 1e4,
              .to = 1e8,
              .status = Status::Assumed,
              .source = "one thread tokenizes some 4 MB of text each second; tokenized data is "
                        "read faster, images and video slower",
              .expert = true});
    v.number("loader_core_share", s.loaderCoreShare,
             {.unit = Unit::Share,
              .min = 0.001,
              .max = 1,
              .status = Status::Assumed,
              .source = "the other half serves the training processes",
              .expert = true});
    v.integer("prefetch_steps", s.prefetchSteps,
              {.min = 0, .max = 1000, .from = 0, .to = 16, .expert = true});
    v.integer("checkpoints_kept", s.checkpointsKept,
              {.min = 1, .max = 1e6, .scale = Scale::Log, .from = 1, .to = 1000, .expert = true});
    v.number("log_bytes_per_chip_day", s.logBytesPerChipDay,
             {.unit = Unit::VendorBytes,
              .min = 0,
              .max = 1e15,
              .scale = Scale::Log,
              .from = 1e6,
              .to = 1e12,
              .status = Status::Assumed,
              .source = "about 1 kB a second of metrics and messages from each rank",
              .expert = true});
    v.parts("pools", s.pools);
}

void describe(FieldVisitor& v, FailureRates& f)
{
    v.number(
        "chip", f.chip,
        rate(Status::Published,
             "Llama 3 (arXiv 2407.21783), table 5: 262 events of GPU, HBM, SRAM, processor and "
             "sensors on 16,384 chips in 54 days; the 6 silent corruptions are counted apart"));
    v.number(
        "host", f.host,
        rate(Status::Published,
             "Llama 3 (arXiv 2407.21783), table 5: 46 events of maintenance, memory, CPU, SSD, "
             "power supply, chassis and boards on 2,048 hosts in 54 days"));
    v.number("nic", f.nic,
             rate(Status::Published,
                  "Llama 3 (arXiv 2407.21783), table 5: 7 events on 16,384 NICs in 54 days"));
    v.number("optic", f.optic,
             rate(Status::Published,
                  "Llama 3 (arXiv 2407.21783), table 5: 35 events of switches and cables in 54 "
                  "days, less those of the switches, over 49,152 optics"));
    v.number(
        "switch", f.networkSwitch,
        rate(Status::Published, "Alibaba HPN (SIGCOMM 2024): 0.051% of the leaf switches a month"));
    v.number("software_per_chip", f.softwarePerChip,
             rate(Status::Published,
                  "Llama 3 (arXiv 2407.21783), table 5: 63 events of software, watchdog and "
                  "dependencies on 16,384 chips in 54 days"));
    v.number("storage", f.storage,
             rate(Status::Assumed, "of a storage system as a whole; no published count"));
    v.number("job", f.job,
             rate(Status::Choice,
                  "small research jobs fail more often than their nodes explain: 7.9 h measured at "
                  "1,024 GPUs, 28.8 h by the node rate (arXiv 2410.21680), the difference is 805 "
                  "a year",
                  2000));
}

void describe(FieldVisitor& v, FailureDomain& d)
{
    v.text("name", d.name, {});
    v.integer("chips", d.chips, {.min = 1, .max = 1e8});
    v.number("failures_per_year", d.failuresPerYear,
             rate(Status::Assumed, "once in five years for a feed, loop or leaf; no published "
                                   "count"));
    v.number("repair_s", d.repair, kSeconds);
}

void describe(FieldVisitor& v, CheckpointPlan& c)
{
    v.choice("tier", c.tier);
    v.number("interval_s", c.interval, kSeconds);
    v.number("blocking_s", c.blocking, kSeconds);
    v.flag("asynchronous", c.asynchronous, {});
    v.flag("staggered", c.staggered, kExpert);
    v.number("serves_share", c.servesShare, kShare);
}

void describe(FieldVisitor& v, Reliability& r)
{
    v.number("chip_hours_per_failure", r.chipHoursPerFailure,
             {.min = 1, .max = 1e12, .scale = Scale::Log, .from = 1e3, .to = 1e7});
    v.part("failures_per_year", r.failuresPerYear);
    v.parts("domains", r.domains);
    v.choice("policy", r.policy);
    v.number("detect_s", r.detect,
             since(kSeconds, "2 to 60 s by inspection, 10 to 30 min where a timeout has to expire "
                             "(ByteRobust, arXiv 2509.16293)"));
    v.number("reschedule_s", r.reschedule, since(kSeconds, "no published time; 0.5 to 5 min"));
    v.number("start_s", r.start, kSeconds);
    v.number("start_s_per_doubling", r.startPerDoubling, kSeconds);
    v.number("swap_s", r.swap, since(kSeconds, "a node that is powered and checked; 1 to 60 s"));
    v.number("whole_job_share", r.wholeJobShare,
             since(kShare, "of failures of parts and software; no published count, 0.005 to 0.1. "
                           "Failures of the job itself, its storage and whole domains are apart"));
    v.number(
        "warm_up_steps", r.warmUpSteps,
        {.min = 0, .max = 1e6, .from = 0, .to = 20, .status = Status::Assumed, .expert = true});
    v.flag("catch_up", r.catchUp, kExpert);
    v.number("repair_s", r.repair, since(kSeconds, "a day until a node is back; 4 h to 3 days"));
    v.number("spare_quantile", r.spareQuantile,
             since(kShare, "standby nodes for the 99th percentile of simultaneous failures "
                           "(ByteRobust, arXiv 2509.16293)"));
    v.number("straggler_share", r.stragglerShare,
             since(kShare, "no published share; a third to three times as often"));
    v.number("straggler_slowdown", r.stragglerSlowdown,
             {.min = 1, .max = 100, .from = 1, .to = 2, .status = Status::Assumed, .expert = true});
    v.number("corruption_per_chip_year", r.corruptionPerChipYear,
             {.unit = Unit::PerYear,
              .min = 0,
              .max = 100,
              .scale = Scale::Log,
              .from = 1e-4,
              .to = 1,
              .status = Status::Published,
              .source = "Llama 3 (arXiv 2407.21783): 6 events in 884,736 GPU-days",
              .expert = true});
    v.number("corruption_detect_s", r.corruptionDetect,
             since(kSeconds, "work done since a silent corruption is lost; not-a-number is seen in "
                             "the next step, a wrong value after hours: 10 min to 3 h"));
    v.number("health_check_interval_s", r.healthCheckInterval,
             since(kSeconds, "daily; none published, 6 h to a week"));
    v.number("health_check_s", r.healthCheck,
             since(kSeconds, "collectives and products on every node; 5 to 30 min"));
    v.number("sub_healthy_share", r.subHealthyShare,
             {.unit = Unit::Share,
              .min = 0,
              .max = 100,
              .from = 0,
              .to = 0.2,
              .status = Status::Published,
              .source = "ByteRobust (arXiv 2509.16293): 442 losses of MFU beside some 34,600 other "
                        "incidents that were not called by hand",
              .expert = true});
    v.number("sub_healthy_slowdown", r.subHealthySlowdown,
             {.min = 1, .max = 100, .from = 1, .to = 2, .status = Status::Assumed, .expert = true});
    v.number("fragmentation_share", r.fragmentationShare,
             {.unit = Unit::Share,
              .min = 0,
              .max = 1,
              .status = Status::Assumed,
              .source = "a job waits for whole nodes or domains to be put together",
              .expert = true});
    v.parts("checkpoints", r.checkpoints);
}

void describe(FieldVisitor& v, Facility& f)
{
    constexpr Spec kTemperature{
        .unit = Unit::Celsius, .min = -60, .max = 90, .from = -20, .to = 60};
    constexpr Spec kPower{
        .unit = Unit::Watts, .min = 1, .max = 1e13, .scale = Scale::Log, .from = 1e4, .to = 1e10};
    v.preset("system", f.preset);
    v.choice("site", f.site);
    v.number("ambient_c", f.ambientC, kTemperature);
    v.number("wet_bulb_c", f.wetBulbC, kTemperature);
    v.number("grid_limit", f.gridLimit, kPower);
    v.number("grid_ramp_limit", f.gridRampLimit,
             {.unit = Unit::WattsPerSecond,
              .min = 1,
              .max = 1e13,
              .scale = Scale::Log,
              .from = 1e4,
              .to = 1e9,
              .expert = true});
    v.number("grid_swing_limit", f.gridSwingLimit,
             {.unit = Unit::Watts,
              .min = 1,
              .max = 1e13,
              .scale = Scale::Log,
              .from = 1e4,
              .to = 1e9,
              .expert = true});
    v.number("power_cap", f.powerCap, kPower);
    v.choice("power_cap_kind", f.powerCapKind);
    v.number("power_floor", f.powerFloor,
             {.unit = Unit::Share,
              .min = 0,
              .max = 1,
              .status = Status::Assumed,
              .source = "none is held unless the plan says so",
              .expert = true});
    v.number("buffer_j_per_chip", f.bufferJoulesPerChip,
             {.unit = Unit::Joules,
              .min = 0,
              .max = 1e6,
              .from = 0,
              .to = 200,
              .status = Status::Assumed,
              .source = "none unless the plan says so; 65 J in GB300 power shelves (NVIDIA, 2025)",
              .expert = true});
    v.choice("cooling", f.cooling);
    v.number("liquid_share", f.liquidShare, {.unit = Unit::Share, .min = 0, .max = 1});
    v.choice("coolant", f.coolant);
    v.number("supply_c", f.supplyC,
             {.unit = Unit::Celsius, .min = 2, .max = 70, .from = 10, .to = 50});
    v.number("coolant_rise", f.coolantRise,
             {.unit = Unit::Kelvins, .min = 0.5, .max = 60, .from = 2, .to = 25});
    v.number("supply_max_c", f.supplyMaxC,
             {.unit = Unit::Celsius, .min = 2, .max = 80, .from = 20, .to = 60, .expert = true});
    v.number("air_supply_c", f.airSupplyC,
             {.unit = Unit::Celsius,
              .min = 2,
              .max = 60,
              .from = 15,
              .to = 40,
              .status = Status::Published,
              .source = "ASHRAE TC 9.9: upper end of the recommended inlet, 18 to 27 C",
              .expert = true});
    v.choice("heat_rejection", f.heatRejection);
    v.integer("rack_chips", f.rackChips, {.min = 1, .max = 1024, .from = 1, .to = 144});
    v.number(
        "rack_power_limit", f.rackPowerLimit,
        {.unit = Unit::Watts, .min = 1, .max = 1e8, .scale = Scale::Log, .from = 5e3, .to = 1e6});
    v.number("rack_mass_kg", f.rackMass,
             {.unit = Unit::Kilograms, .min = 1, .max = 1e5, .expert = true});
    v.number("rack_area_m2", f.rackArea,
             {.unit = Unit::SquareMetres,
              .min = 0.1,
              .max = 1000,
              .from = 1,
              .to = 12,
              .status = Status::Published,
              .source = "Huawei Connect 2025: 160 cabinets on about 1,000 m2",
              .expert = true});
    v.number("floor_load_limit", f.floorLoadLimit,
             {.unit = Unit::KilogramsPerSquareMetre, .min = 10, .max = 1e5, .expert = true});
    const auto chain = [](std::string_view source) {
        return Spec{.unit = Unit::Share,
                    .min = 0.5,
                    .max = 1,
                    .from = 0.85,
                    .to = 1,
                    .status = Status::Assumed,
                    .source = source,
                    .expert = true};
    };
    v.number("psu_efficiency", f.psuEfficiency,
             chain("80 PLUS Titanium at half load; 94 to 96% at 20 to 50%, 91% at full load"));
    v.number("ups_efficiency", f.upsEfficiency,
             chain("double conversion, 92 to 97.5% in the field; 99% in eco mode (Eaton 9395XR)"));
    v.number("transformer_efficiency", f.transformerEfficiency,
             chain("main transformer 99.6% x cable 99.7% x unit substation 99% (98.5 to 99.55%) x "
                   "busway 99.5%"));
    v.number("pue", f.pue, {.min = 1, .max = 5, .from = 1, .to = 2});
    v.number(
        "water_l_per_kwh", f.waterLitresPerKwh,
        {.unit = Unit::LitresPerKwh, .min = 0, .max = 100, .from = 0, .to = 4, .expert = true});
    v.number("carbon_kg_per_kwh", f.carbonKgPerKwh,
             {.unit = Unit::KilogramPerKwh, .min = 0, .max = 10, .from = 0, .to = 1});
    v.number("embodied_carbon_kg_per_chip", f.embodiedCarbonKgPerChip,
             {.unit = Unit::Kilograms, .min = 0, .max = 1e6, .expert = true});
}

void describe(FieldVisitor& v, Economics& e)
{
    v.text("currency", e.currency, {});
    v.number("per_usd", e.perUsd,
             {.min = 1e-9, .max = 1e9, .scale = Scale::Log, .from = 0.1, .to = 100});
    v.number("chip_price", e.chipPrice, kPrice);
    v.number("node_price", e.nodePrice, kPrice);
    v.number("nic_price", e.nicPrice, kPrice);
    v.number("rack_price", e.rackPrice, kPrice);
    v.number("switch_price", e.switchPrice, kPrice);
    v.number("optic_price", e.opticPrice, kPrice);
    v.number("cable_price", e.cablePrice, kPrice);
    v.number("building_per_w", e.buildingPerW,
             {.unit = Unit::MoneyPerWatt, .min = 0, .max = 1e4, .from = 0, .to = 40});
    v.number("energy_per_kwh", e.energyPerKwh,
             {.unit = Unit::MoneyPerKwh, .min = 0, .max = 1e3, .from = 0, .to = 0.5});
    v.number("lifetime_years", e.lifetimeYears,
             {.unit = Unit::Years,
              .min = 0.1,
              .max = 100,
              .from = 1,
              .to = 15,
              .status = Status::Assumed});
    v.number("discount_rate", e.discountRate,
             {.unit = Unit::Share,
              .min = 0,
              .max = 1,
              .from = 0,
              .to = 0.25,
              .status = Status::Assumed});
    v.number(
        "maintenance_share_per_year", e.maintenanceSharePerYear,
        {.unit = Unit::Share, .min = 0, .max = 1, .from = 0, .to = 0.2, .status = Status::Assumed});
    v.number("staff_per_year", e.staffPerYear,
             {.unit = Unit::Money, .min = 0, .max = 1e12, .expert = true});
    v.number("porting_person_years", e.portingPersonYears,
             {.min = 0, .max = 1e6, .from = 0, .to = 500, .expert = true});
    v.number("operator_coverage", e.operatorCoverage,
             {.unit = Unit::Share,
              .min = 0,
              .max = 1,
              .status = Status::Assumed,
              .source = "a stack that has every operator",
              .expert = true});
    v.integer("operators", e.operators,
              {.min = 0,
               .max = 1e6,
               .from = 0,
               .to = 1000,
               .status = Status::Assumed,
               .source = "order of the distinct operators of a training stack; nobody publishes it",
               .expert = true});
    v.number("person_years_per_operator", e.personYearsPerOperator,
             {.min = 0,
              .max = 100,
              .from = 0,
              .to = 2,
              .status = Status::Assumed,
              .source = "a kernel written, tuned and tested in a quarter",
              .expert = true});
    v.number("person_year_cost", e.personYearCost,
             {.unit = Unit::Money, .min = 0, .max = 1e8, .from = 0, .to = 1e6, .expert = true});
}

} // namespace cw::scenario
