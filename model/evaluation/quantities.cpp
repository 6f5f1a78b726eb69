// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/evaluation/quantities.h"

#include <cmath>

#include "model/explain/trace.h"

namespace cw::evaluation {

using explain::Traced;
using units::Unit;

namespace {

template <class T>
class Teller
{
public:
    std::vector<Figure<T>> told;

    void part(std::string name) { m_part = std::move(name); }
    void tell(std::string_view name, const T& value, Unit unit)
    {
        told.push_back({m_part + "." + std::string(name), value, unit});
    }
    template <class D>
    void tell(std::string_view name, const units::Quantity<D, T>& value, Unit unit)
    {
        tell(name, value.si(), unit);
    }

private:
    std::string m_part;
};

template <class T>
void tellCounts(const EvaluationOf<T>& e, Teller<T>& t)
{
    const auto& p = e.parameters;
    t.part("parameters");
    t.tell("total", p.total, Unit::Parameters);
    t.tell("active", p.active, Unit::Parameters);
    t.tell("active_head_only", p.activeHeadOnly, Unit::Parameters);
    t.tell("active_without_embeddings", p.activeWithoutEmbeddings, Unit::Parameters);
    t.tell("embedding", p.embedding, Unit::Parameters);
    t.tell("head", p.head, Unit::Parameters);
    t.tell("experts", p.experts, Unit::Parameters);
    t.tell("mtp", p.mtp, Unit::Parameters);
    for (std::size_t i = 0; i < p.perLayer.size(); ++i)
        t.tell("per_layer." + std::to_string(i), p.perLayer[i], Unit::Parameters);
    const auto& f = e.flops;
    t.part("flops");
    t.tell("model_per_token", f.modelPerToken, Unit::FlopPerToken);
    t.tell("attention_per_token", f.attentionPerToken, Unit::FlopPerToken);
    t.tell("unhalved_per_token", f.unhalvedPerToken, Unit::FlopPerToken);
    t.tell("model_per_step", f.modelPerStep, Unit::Flop);
    t.tell("hardware_per_step", e.throughput.hardwarePerStep, Unit::Flop);
    t.tell("model_per_run", f.modelPerRun, Unit::Flop);
    t.tell("six_n_d", f.sixNd, Unit::Flop);
    const auto& l = e.layout;
    t.part("layout");
    t.tell("data", l.data, Unit::None);
    t.tell("expert_data", l.expertData, Unit::None);
    t.tell("chips", l.chips, Unit::None);
    t.tell("micro_batches", l.microBatches, Unit::None);
}

template <class T>
void tellStage(const memory::StageMemory<T>& m, const std::string& prefix, Teller<T>& t)
{
    t.part(prefix);
    t.tell("weights", m.weights, Unit::Bytes);
    t.tell("weights_experts", m.weightsExperts, Unit::Bytes);
    t.tell("gradients", m.gradients, Unit::Bytes);
    t.tell("optimizer", m.optimizer, Unit::Bytes);
    t.tell("activations", m.activations, Unit::Bytes);
    t.tell("activations_attention", m.activationsAttention, Unit::Bytes);
    t.tell("activations_dense", m.activationsDense, Unit::Bytes);
    t.tell("activations_experts", m.activationsExperts, Unit::Bytes);
    t.tell("activations_norms", m.activationsNorms, Unit::Bytes);
    t.tell("temporary", m.temporary, Unit::Bytes);
    t.tell("temporary_logits", m.temporaryLogits, Unit::Bytes);
    t.tell("temporary_recompute", m.temporaryRecompute, Unit::Bytes);
    t.tell("buffers", m.buffers, Unit::Bytes);
    t.tell("fixed", m.fixed, Unit::Bytes);
    t.tell("fragmentation", m.fragmentation, Unit::Bytes);
    t.tell("resident", m.resident, Unit::Bytes);
    t.tell("peak", m.peak, Unit::Bytes);
    t.tell("reserved", m.reserved, Unit::Bytes);
    t.tell("in_flight", m.inFlight, Unit::None);
}

template <class T>
void tellMemory(const EvaluationOf<T>& e, Teller<T>& t)
{
    const auto& m = e.memory;
    t.part("memory");
    t.tell("capacity_bytes", m.capacity, Unit::Bytes);
    t.tell("usable_bytes", m.usable, Unit::Bytes);
    t.tell("resident_bytes", m.resident, Unit::Bytes);
    t.tell("peak_bytes", m.peak, Unit::Bytes);
    t.tell("reserved_bytes", m.reserved, Unit::Bytes);
    t.tell("host_bytes", m.host, Unit::Bytes);
    t.tell("nvme_bytes", m.nvme, Unit::Bytes);
    t.tell("state_bytes_per_parameter", m.bytesPerParameter, Unit::None);
    const T state = e.parameters.total * m.bytesPerParameter;
    t.tell("state_bytes", state, Unit::VendorBytes);
    using std::ceil;
    t.tell("least_chips", ceil(state / m.usable.si()), Unit::None);
    for (std::size_t i = 0; i < m.stages.size(); ++i)
        tellStage(m.stages[i], "memory.stages." + std::to_string(i), t);
    t.part("host_link");
    const step::Offloading<T>& o = e.step.offloading;
    t.tell("bytes_per_step", o.down + o.up, Unit::Bytes);
    t.tell("down_bytes_per_step", o.down, Unit::Bytes);
    t.tell("up_bytes_per_step", o.up, Unit::Bytes);
    t.tell("disk_read_bytes_per_step", o.diskRead, Unit::Bytes);
    t.tell("disk_written_bytes_per_step", o.diskWritten, Unit::Bytes);
    t.tell("window_s", o.window, Unit::Seconds);
    t.tell("busy_s", o.busy, Unit::Seconds);
    t.tell("host_optimizer_s", o.hostOptimizer, Unit::Seconds);
    t.tell("needed_bytes_per_s", o.needed, Unit::BytesPerSecond);
    t.tell("available_bytes_per_s", o.available, Unit::BytesPerSecond);
    t.tell("utilization", e.hostLinkUtilization, Unit::Share);
    t.tell("stall_s", e.step.offload, Unit::Seconds);
}

template <class T>
void tellStorage(const EvaluationOf<T>& e, Teller<T>& t)
{
    const auto& s = e.storage;
    t.part("storage");
    t.tell("read_bytes_per_s", s.read, Unit::BytesPerSecond);
    t.tell("write_bytes_per_s", s.write, Unit::BytesPerSecond);
    t.tell("burst_bytes", s.burst, Unit::VendorBytes);
    t.tell("burst_s", s.burstTime, Unit::Seconds);
    const step::Loading<T>& l = e.step.loading;
    t.tell("loader_tokens_per_s", l.loader, Unit::TokensPerSecond);
    t.tell("dataset_bandwidth", l.bandwidth, Unit::BytesPerSecond);
    t.tell("prepare_s", l.prepare, Unit::Seconds);
    t.tell("read_s", l.read, Unit::Seconds);
    for (std::size_t i = 0; i < s.pools.size(); ++i) {
        const run::PoolUse<T>& p = s.pools[i];
        t.part("storage.pools." + std::to_string(i));
        t.tell("used_bytes", p.used, Unit::VendorBytes);
        t.tell("dataset_bytes", p.dataset, Unit::VendorBytes);
        t.tell("checkpoint_bytes", p.checkpoints, Unit::VendorBytes);
        t.tell("log_bytes", p.logs, Unit::VendorBytes);
        t.tell("utilization", p.utilization, Unit::Share);
        t.tell("read_utilization", p.readUtilization, Unit::Share);
        t.tell("write_utilization", p.writeUtilization, Unit::Share);
    }
}

template <class T>
void tellForecast(const EvaluationOf<T>& e, Teller<T>& t)
{
    const auto& f = e.forecast;
    t.part("run");
    t.tell("tokens_per_day", f.tokensPerDay, Unit::Tokens);
    t.tell("batch_tokens", f.batchTokens, Unit::Tokens);
    t.tell("critical_batch_tokens", f.criticalBatchTokens, Unit::Tokens);
    t.tell("batch_price", f.batchPrice, Unit::Share);
    t.tell("effective_tokens", f.effectiveTokens, Unit::Tokens);
    t.tell("effective_parameters", f.effectiveParameters, Unit::Parameters);
    t.tell("loss", f.loss.loss, Unit::None);
    t.tell("loss_band.low", f.loss.low, Unit::None);
    t.tell("loss_band.high", f.loss.high, Unit::None);
    for (std::size_t i = 0; i < run::kLossLaws; ++i) {
        const std::string law(scenario::nameOf(static_cast<scenario::LossLaw>(i)));
        t.tell("loss_by_law." + law + ".loss", f.byLaw[i].loss, Unit::None);
        t.tell("loss_by_law." + law + ".low", f.byLaw[i].low, Unit::None);
        t.tell("loss_by_law." + law + ".high", f.byLaw[i].high, Unit::None);
    }
    for (std::size_t i = 0; i < run::kExpertRules; ++i) {
        const std::string rule(scenario::nameOf(static_cast<scenario::ExpertRule>(i)));
        t.tell("loss_by_rule." + rule + ".parameters", f.byRule[i].parameters, Unit::Parameters);
        t.tell("loss_by_rule." + rule + ".loss", f.byRule[i].loss, Unit::None);
    }
    t.tell("loss_law_spread", f.lawSpread, Unit::None);
    t.tell("loss_rule_spread", f.ruleSpread, Unit::None);
    t.tell("loss_gained", f.gained, Unit::None);
    t.tell("loss_marginal", f.marginal, Unit::None);
    t.tell("least_flops", f.leastCompute, Unit::Flop);
    t.tell("loss_gained_per_yottaflop", e.returns.perYottaflop, Unit::None);
    t.tell("loss_gained_per_gwh", e.returns.perGwh, Unit::None);
    t.tell("loss_gained_per_million", e.returns.perMillion, Unit::None);
    t.tell("loss_marginal_per_yottaflop", e.returns.marginalPerYottaflop, Unit::None);
    t.tell("loss_marginal_per_gwh", e.returns.marginalPerGwh, Unit::None);
    t.tell("loss_marginal_per_million", e.returns.marginalPerMillion, Unit::None);
}

template <class T>
void tellStep(const EvaluationOf<T>& e, Teller<T>& t)
{
    const auto& s = e.step;
    t.part("step");
    t.tell("time_s", s.time, Unit::Seconds);
    t.tell("compute_s", s.compute, Unit::Seconds);
    t.tell("matrix_s", s.matrix, Unit::Seconds);
    t.tell("attention_s", s.attention, Unit::Seconds);
    t.tell("stream_s", s.stream, Unit::Seconds);
    t.tell("quantization_s", s.quantization, Unit::Seconds);
    t.tell("recompute_s", s.recompute, Unit::Seconds);
    t.tell("bubble_s", s.bubble, Unit::Seconds);
    t.tell("tensor_comm_s", s.tensorComm, Unit::Seconds);
    t.tell("context_comm_s", s.contextComm, Unit::Seconds);
    t.tell("expert_comm_s", s.expertComm, Unit::Seconds);
    t.tell("pipeline_comm_s", s.pipelineComm, Unit::Seconds);
    t.tell("data_comm_s", s.dataComm, Unit::Seconds);
    t.tell("offload_s", s.offload, Unit::Seconds);
    t.tell("optimizer_s", s.optimizer, Unit::Seconds);
    t.tell("data_loading_s", s.dataLoading, Unit::Seconds);
    t.tell("host_s", s.host, Unit::Seconds);
    t.tell("jitter_s", s.jitter, Unit::Seconds);
    t.tell("pipeline_s", s.pipeline, Unit::Seconds);
    t.tell("ideal_s", s.ideal, Unit::Seconds);
    t.tell("speed_of_light_s", s.speedOfLight, Unit::Seconds);
    t.tell("tensor_cost_s", s.tensorCost, Unit::Seconds);
    t.tell("context_cost_s", s.contextCost, Unit::Seconds);
    t.tell("expert_cost_s", s.expertCost, Unit::Seconds);
    t.tell("pipeline_cost_s", s.pipelineCost, Unit::Seconds);
    t.tell("data_cost_s", s.dataCost, Unit::Seconds);
    const auto& p = e.throughput;
    t.part("throughput");
    t.tell("tokens_per_s", p.tokens, Unit::TokensPerSecond);
    t.tell("tokens_per_s_per_chip", p.tokensPerChip, Unit::TokensPerSecond);
    t.tell("model_tflops_per_chip", p.modelPerChip.si() / T(1e12), Unit::None);
    t.tell("model_flops_per_chip", p.modelPerChip, Unit::FlopPerSecond);
    t.tell("mfu", p.mfu, Unit::Share);
    t.tell("hfu", p.hfu, Unit::Share);
}

template <class T>
void tellNetwork(const EvaluationOf<T>& e, Teller<T>& t)
{
    const auto& n = e.topology;
    t.part("topology");
    t.tell("switches", n.switches, Unit::None);
    t.tell("links", n.links, Unit::None);
    t.tell("endpoint_links", n.endpointLinks, Unit::None);
    t.tell("switch_links", n.switchLinks, Unit::None);
    t.tell("optics", n.optics, Unit::None);
    t.tell("bisection_bytes_per_s", n.bisection, Unit::BytesPerSecond);
    t.tell("diameter_hops", n.diameterHops, Unit::None);
    t.tell("idle_ports", n.idlePorts, Unit::None);
    t.tell("leaves", n.leaves, Unit::None);
    t.tell("aggregations", n.aggregations, Unit::None);
    t.tell("cores", n.cores, Unit::None);
    t.tell("scale_up_switches", n.scaleUpSwitches, Unit::None);
    t.tell("scale_up_links", n.scaleUpLinks, Unit::None);
    const auto price = [&](cost::Part part) {
        return e.cost.part(part).capital.si();
    };
    const T capital =
        price(cost::Part::Switches) + price(cost::Part::Optics) + price(cost::Part::Cables);
    t.tell("capital", capital, Unit::Money);
    const T chips = n.tierCount > 0 ? n.tiers[n.tierCount - 1].chips : T(1.0);
    t.tell("capital_per_chip", capital / chips, Unit::Money);
}

template <class T>
void tellTraffic(const EvaluationOf<T>& e, Teller<T>& t)
{
    const auto& traffic = e.traffic;
    for (std::size_t k = 0; k < network::kTrafficKinds; ++k) {
        const network::Volume<T>& v = traffic.volumes[k];
        t.part("traffic." + std::string(network::nameOf(static_cast<network::TrafficKind>(k))));
        t.tell("bytes", v.inside + v.across, Unit::Bytes);
        t.tell("inside_bytes", v.inside, Unit::Bytes);
        t.tell("across_bytes", v.across, Unit::Bytes);
        t.tell("time_s", v.time, Unit::Seconds);
        t.tell("slowdown", traffic.slowdown[k], Unit::None);
    }
    for (std::size_t i = 0; i < traffic.tierCount; ++i) {
        const network::TierTraffic<T>& tier = traffic.tiers[i];
        t.part("traffic.tiers." + std::to_string(i));
        T through(0.0);
        for (std::size_t k = 0; k < network::kTrafficKinds; ++k) {
            t.tell(network::nameOf(static_cast<network::TrafficKind>(k)), tier.bytes[k],
                   Unit::Bytes);
            through = through + tier.carried[k];
        }
        t.tell("bytes", through, Unit::Bytes);
        t.tell("utilization", tier.utilization, Unit::Share);
        t.tell("in_use", tier.inUse, Unit::Share);
    }
}

template <class T>
void tellRestart(const run::Run<T>& r, Teller<T>& t)
{
    t.part("run.restart_parts");
    t.tell("detect_s", r.restartParts.detect, Unit::Seconds);
    t.tell("reschedule_s", r.restartParts.reschedule, Unit::Seconds);
    t.tell("start_s", r.restartParts.start, Unit::Seconds);
    t.tell("restore_s", r.restartParts.restore, Unit::Seconds);
    t.tell("warm_up_s", r.restartParts.warmUp, Unit::Seconds);
    t.part("run.failures_per_day");
    for (std::size_t i = 0; i < run::kFailurePartCount; ++i)
        t.tell(run::nameOf(static_cast<run::FailurePart>(i)), r.failuresPerDay[i], Unit::None);
    for (std::size_t i = 0; i < r.tiers.size(); ++i) {
        const run::TierRun<T>& tier = r.tiers[i];
        t.part("run.checkpoints." + std::to_string(i));
        t.tell("interval_s", tier.interval, Unit::Seconds);
        t.tell("least_interval_s", tier.leastInterval, Unit::Seconds);
        t.tell("blocking_s", tier.blocking, Unit::Seconds);
        t.tell("drain_s", tier.drain, Unit::Seconds);
        t.tell("host_bytes", tier.host, Unit::VendorBytes);
        t.tell("restore_s", tier.restore, Unit::Seconds);
        t.tell("write_bytes_per_s", tier.write, Unit::BytesPerSecond);
        t.tell("read_bytes_per_s", tier.read, Unit::BytesPerSecond);
        t.tell("serves", tier.serves, Unit::Share);
    }
}

template <class T>
void tellPhases(const EvaluationOf<T>& e, Teller<T>& t)
{
    for (std::size_t i = 0; i < e.phases.size(); ++i) {
        const PhaseOf<T>& p = e.phases[i];
        t.part("run.phases." + std::to_string(i));
        t.tell("tokens", p.tokens, Unit::Tokens);
        t.tell("sequence_length", p.sequenceLength, Unit::Tokens);
        t.tell("batch_sequences", p.batchSequences, Unit::None);
        t.tell("step_s", p.step, Unit::Seconds);
        t.tell("mfu", p.mfu, Unit::Share);
        t.tell("tokens_per_s", p.rate, Unit::TokensPerSecond);
        t.tell("goodput", p.goodput, Unit::Share);
        t.tell("ramp_days", p.rampDays, Unit::Days);
        t.tell("days", p.days, Unit::Days);
        t.tell("reserved_bytes", p.reserved, Unit::Bytes);
        t.tell("energy_j", p.energy, Unit::Joules);
        t.tell("cost", p.cost, Unit::Money);
    }
}

template <class T>
void tellRun(const EvaluationOf<T>& e, Teller<T>& t)
{
    const auto& r = e.run;
    t.part("run");
    t.tell("tokens", r.tokens, Unit::Tokens);
    t.tell("days", r.days, Unit::Days);
    // At the utilization that the run is taken at: the planner's, where one is assumed.
    t.tell("step_s", r.goodput * r.wall.si() * (e.flops.modelPerStep / e.flops.modelPerRun),
           Unit::Seconds);
    t.tell("goodput", r.goodput, Unit::Share);
    t.tell("effective_mfu", r.effectiveMfu, Unit::Share);
    t.tell("interruptions_per_day", r.interruptionsPerDay, Unit::None);
    t.tell("mean_time_between_interruptions_s", r.meanTimeBetweenInterruptions, Unit::Seconds);
    t.tell("checkpoint_bytes", r.checkpointBytes, Unit::VendorBytes);
    t.tell("checkpoint_interval_s", r.checkpointInterval, Unit::Seconds);
    t.tell("checkpoint_stall_s", r.checkpointStall, Unit::Seconds);
    t.tell("restart_s", r.restart, Unit::Seconds);
    tellRestart(r, t);
    t.part("run");
    t.tell("spare_chips", r.spareChips, Unit::None);
    t.tell("spare_capital", e.spares.capital, Unit::Money);
    t.tell("spare_power_w", e.spares.power, Unit::Watts);
    t.tell("spare_coverage", r.spareCoverage, Unit::Share);
    t.tell("sub_healthy_nodes_per_day", r.subHealthyNodes, Unit::None);
    t.tell("idle_chips", e.layout.idle, Unit::None);
    tellPhases(e, t);
    t.part("run.lost_time");
    t.tell("start_up", r.lost.startUp, Unit::Seconds);
    t.tell("save", r.lost.save, Unit::Seconds);
    t.tell("lost_progress", r.lost.lostProgress, Unit::Seconds);
    t.tell("detection", r.lost.detection, Unit::Seconds);
    t.tell("restore", r.lost.restore, Unit::Seconds);
    t.tell("stragglers", r.lost.stragglers, Unit::Seconds);
    t.tell("health_checks", r.lost.healthChecks, Unit::Seconds);
    t.tell("other", r.lost.other, Unit::Seconds);
    t.part("run.other_lost_time");
    t.tell("warm_up", r.otherLost.warmUp, Unit::Seconds);
    t.tell("corruption", r.otherLost.corruption, Unit::Seconds);
    t.tell("replicas_away", r.otherLost.replicasAway, Unit::Seconds);
    t.tell("repair_wait", r.otherLost.repairWait, Unit::Seconds);
    t.tell("fragmentation", r.otherLost.fragmentation, Unit::Seconds);
}

template <class T>
void tellPowerParts(const facility::PowerParts<T>& p, Teller<T>& t)
{
    t.tell("chip_w", p.chip, Unit::Watts);
    t.tell("host_w", p.host, Unit::Watts);
    t.tell("nic_w", p.nic, Unit::Watts);
    t.tell("fans_w", p.fans, Unit::Watts);
    t.tell("nvme_w", p.nvme, Unit::Watts);
    t.tell("switch_w", p.switches, Unit::Watts);
    t.tell("optic_w", p.optics, Unit::Watts);
    t.tell("storage_w", p.storage, Unit::Watts);
    t.tell("psu_loss_w", p.psuLoss, Unit::Watts);
    t.tell("network_w", p.network, Unit::Watts);
    t.tell("it_w", p.it, Unit::Watts);
    t.tell("ups_loss_w", p.upsLoss, Unit::Watts);
    t.tell("cooling_w", p.cooling, Unit::Watts);
    t.tell("other_w", p.other, Unit::Watts);
    t.tell("transformer_loss_w", p.transformerLoss, Unit::Watts);
    t.tell("facility_w", p.facility, Unit::Watts);
}

/// Phases of a step and months of a year, by index.
template <class T>
void tellTimes(const EvaluationOf<T>& e, Teller<T>& t)
{
    for (std::size_t i = 0; i < facility::kPhaseCount; ++i) {
        const auto& s = e.power.phases[i];
        t.part("power.phases." + std::to_string(i));
        t.tell("duration_s", s.duration, Unit::Seconds);
        t.tell("from_w", s.from, Unit::Watts);
        t.tell("to_w", s.to, Unit::Watts);
    }
    for (std::size_t i = 0; i < e.cooling.months.size(); ++i) {
        const auto& m = e.cooling.months[i];
        t.part("cooling.months." + std::to_string(i));
        t.tell("dry_bulb_c", m.dryBulbC, Unit::Celsius);
        t.tell("wet_bulb_c", m.wetBulbC, Unit::Celsius);
        t.tell("pue", m.pue, Unit::None);
        t.tell("water_l_per_day", m.waterLitresPerDay, Unit::LitresPerDay);
    }
}

template <class T>
void tellPower(const EvaluationOf<T>& e, Teller<T>& t)
{
    const auto& p = e.power;
    t.part("power");
    tellPowerParts(p.maximum, t);
    t.part("power.typical");
    tellPowerParts(p.typical, t);
    t.part("power.average");
    tellPowerParts(p.average, t);
    t.part("power.chip_use");
    t.tell("matrix_w", p.chipUse.matrix, Unit::Watts);
    t.tell("memory_w", p.chipUse.memory, Unit::Watts);
    t.tell("communication_w", p.chipUse.communication, Unit::Watts);
    t.tell("idle_w", p.chipUse.idle, Unit::Watts);
    t.part("power");
    t.tell("hot_day_facility_w", p.hotDayFacility, Unit::Watts);
    t.tell("peak_facility_w", p.peakFacility, Unit::Watts);
    t.tell("idle_facility_w", p.idleFacility, Unit::Watts);
    t.tell("grid_limit_w", p.gridLimit, Unit::Watts);
    t.tell("pue", p.pue, Unit::None);
    t.tell("chain_efficiency", p.chainEfficiency, Unit::Share);
    t.tell("energy_j_per_run", p.energyPerRun, Unit::Joules);
    t.tell("swing_w", p.swing, Unit::Watts);
    t.tell("swing_w_per_s", p.swingPerSecond, Unit::WattsPerSecond);
    t.tell("swing_hz", p.swingHz, Unit::Hertz);
    t.tell("checkpoint_swing_w", p.checkpointSwing, Unit::Watts);
    t.tell("checkpoint_swing_w_per_s", p.checkpointSwingPerSecond, Unit::WattsPerSecond);
    t.tell("checkpoint_hz", p.checkpointHz, Unit::Hertz);
    t.tell("carbon_kg", p.carbon, Unit::Kilograms);
    t.tell("embodied_carbon_kg", p.embodiedCarbon, Unit::Kilograms);
    t.tell("clock_share", p.clockShare, Unit::Share);
    t.tell("slowdown", p.slowdown, Unit::Share);
    t.tell("flops_per_joule", p.flopsPerJoule, Unit::FlopPerJoule);
    t.tell("tokens_per_joule", p.tokensPerJoule, Unit::TokensPerJoule);
}

template <class T>
void tellCooling(const EvaluationOf<T>& e, Teller<T>& t)
{
    const auto& c = e.cooling;
    t.part("cooling");
    t.tell("heat_w", c.heat, Unit::Watts);
    t.tell("liquid_w", c.liquid, Unit::Watts);
    t.tell("air_w", c.air, Unit::Watts);
    t.tell("liquid_share", c.liquidShare, Unit::Share);
    t.tell("flow_l_per_min", c.flowLitresPerMinute, Unit::LitresPerMinute);
    t.tell("air_flow_m3_per_s", c.airFlow, Unit::CubicMetresPerSecond);
    t.tell("supply_c", c.supplyC, Unit::Celsius);
    t.tell("return_c", c.returnC, Unit::Celsius);
    t.tell("supply_max_c", c.supplyMaxC, Unit::Celsius);
    t.tell("supply_margin_k", c.supplyMargin, Unit::Kelvins);
    t.tell("case_c", e.power.caseC, Unit::Celsius);
    t.tell("case_limit_c", e.power.caseLimitC, Unit::Celsius);
    t.tell("water_l_per_day", c.waterLitresPerDay, Unit::LitresPerDay);
    t.tell("water_m3_per_run", c.waterPerRun, Unit::CubicMetres);
    t.tell("wue_l_per_kwh", c.wue, Unit::LitresPerKwh);
    t.tell("pumps_w", c.pumps, Unit::Watts);
    t.tell("fans_w", c.fans, Unit::Watts);
    t.tell("rejection_w", c.rejection, Unit::Watts);
    t.tell("chillers_w", c.chillers, Unit::Watts);
    t.tell("average.pumps_w", c.averagePumps, Unit::Watts);
    t.tell("average.fans_w", c.averageFans, Unit::Watts);
    t.tell("average.rejection_w", c.averageRejection, Unit::Watts);
    t.tell("average.chillers_w", c.averageChillers, Unit::Watts);
    t.tell("chiller_cop", c.chillerCop, Unit::None);
    t.tell("cdus", c.cdus, Unit::None);
    t.tell("coolers", c.coolers, Unit::None);
    t.tell("chiller_units", c.chillerUnits, Unit::None);
    t.tell("racks", c.racks, Unit::None);
    t.tell("network_racks", c.networkRacks, Unit::None);
    t.tell("rack_w", c.rack, Unit::Watts);
    t.tell("rack_liquid_w", c.rackLiquid, Unit::Watts);
    t.tell("rack_air_w", c.rackAir, Unit::Watts);
    t.tell("rack_nodes", c.rackNodes, Unit::None);
    t.tell("rack_pumps_w", c.rackPumps, Unit::Watts);
    t.tell("pump_pressure_pa", c.pumpPressurePa, Unit::None);
    t.tell("rack_flow_l_per_min", c.rackFlowLitresPerMinute, Unit::LitresPerMinute);
    t.tell("density_limit_w", c.densityLimit, Unit::Watts);
    t.tell("rack_mass_kg", c.rackMass, Unit::Kilograms);
    t.tell("mass_kg", c.mass, Unit::Kilograms);
    t.tell("floor_area_m2", c.floorArea, Unit::SquareMetres);
    t.tell("floor_load_kg_per_m2", c.floorLoad, Unit::KilogramsPerSquareMetre);
}

template <class T>
void tellCost(const EvaluationOf<T>& e, Teller<T>& t)
{
    const auto& k = e.cost;
    t.part("cost");
    t.tell("capital", k.capital, Unit::Money);
    t.tell("per_hour", k.perHour, Unit::Money);
    t.tell("per_chip_hour", k.perChipHour, Unit::Money);
    t.tell("per_step", k.perStep, Unit::Money);
    t.tell("per_run", k.perRun, Unit::Money);
    t.tell("per_million_tokens", k.perMillionTokens, Unit::Money);
    t.tell("per_mfu_point", k.perMfuPoint, Unit::Money);
    t.tell("per_goodput_point", k.perGoodputPoint, Unit::Money);
    t.tell("per_pue_point", k.perPuePoint, Unit::Money);
    t.tell("porting_person_years", k.portingPersonYears, Unit::None);
    t.tell("flops_per_money", k.flopsPerMoney, Unit::FlopPerMoney);
    t.tell("energy_share", k.energyShare, Unit::Share);
    t.part("cost.parts");
    for (std::size_t i = 0; i < cost::kPartCount; ++i)
        t.tell(cost::nameOf(static_cast<cost::Part>(i)), k.parts[i].perRun, Unit::Money);
    t.part("cost.capital_parts");
    for (std::size_t i = 0; i < cost::kPartCount; ++i)
        t.tell(cost::nameOf(static_cast<cost::Part>(i)), k.parts[i].capital, Unit::Money);
}

} // namespace

template <class T>
std::vector<Figure<T>> figuresOf(const EvaluationOf<T>& e)
{
    Teller<T> t;
    t.told.reserve(430 + 19 * e.memory.stages.size());
    tellCounts(e, t);
    tellMemory(e, t);
    tellStep(e, t);
    tellNetwork(e, t);
    tellTraffic(e, t);
    tellRun(e, t);
    tellForecast(e, t);
    tellStorage(e, t);
    tellPower(e, t);
    tellCooling(e, t);
    tellTimes(e, t);
    tellCost(e, t);
    return std::move(t.told);
}

template std::vector<Figure<double>> figuresOf(const EvaluationOf<double>&);
template std::vector<Figure<Traced>> figuresOf(const EvaluationOf<Traced>&);

std::optional<double> figure(const Evaluation& e, std::string_view path)
{
    for (const Figure<double>& f : figuresOf(e))
        if (f.path == path)
            return f.value;
    return {};
}

} // namespace cw::evaluation
