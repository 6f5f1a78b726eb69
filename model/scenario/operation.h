// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "model/scenario/enums.h"
#include "model/scenario/fieldvisitor.h"

namespace cw::scenario {

struct StoragePool
{
    std::string name = "fast";
    StorageMedia media = StorageMedia::Nvme;
    double capacityBytes = 1e16;
    double readBandwidth = 2e12;
    double writeBandwidth = 1e12;
    std::vector<PoolContent> holds{PoolContent::Checkpoints, PoolContent::Dataset,
                                   PoolContent::Logs};
};

struct Storage
{
    double datasetBytesPerToken = 4;
    std::optional<double> loaderTokensPerSecondPerNode; ///< null: of the cores that load
    double loaderTokensPerSecondPerCore = 1e6;
    double loaderCoreShare = 0.5;
    std::int64_t prefetchSteps = 2;
    std::int64_t checkpointsKept = 3;
    double logBytesPerChipDay = 1e8;
    std::vector<StoragePool> pools;
};

struct FailureRates
{
    double chip = 0.1081;
    double host = 0.152;
    double nic = 0.0029;
    double optic = 0.0047;
    double networkSwitch = 0.0061;
    double softwarePerChip = 0.026;
    double storage = 0.01;
    double job = 0; ///< of the job itself, whatever its size
};

struct FailureDomain
{
    std::string name = "power feed";
    std::int64_t chips = 4096;
    double failuresPerYear = 0.2;
    double repair = 14400;
};

struct CheckpointPlan
{
    CheckpointTier tier = CheckpointTier::FileSystem;
    std::optional<double> interval;
    std::optional<double> blocking;
    bool asynchronous = true;
    bool staggered = true;
    double servesShare = 1;
};

struct Reliability
{
    std::optional<double> chipHoursPerFailure;
    FailureRates failuresPerYear;
    std::vector<FailureDomain> domains;
    FailurePolicy policy = FailurePolicy::Restart;
    double detect = 60;
    double reschedule = 60;
    std::optional<double> start;  ///< null: grows with the chips as published cold starts do
    double startPerDoubling = 30; ///< where `start` is given
    double swap = 5;
    double wholeJobShare = 0.02; ///< of the failures: those that no replica survives
    double warmUpSteps = 2;
    bool catchUp = true;
    double repair = 86400;
    double spareQuantile = 0.99;
    double stragglerShare = 0.001;
    double stragglerSlowdown = 1.2;
    double corruptionPerChipYear = 0.00248;
    double corruptionDetect = 3600;
    double healthCheckInterval = 86400;
    double healthCheck = 600;
    double subHealthyShare = 0.013; ///< nodes that turn slow, over those that fail
    double subHealthySlowdown = 1.1;
    double fragmentationShare = 0.02; ///< where several jobs share the machine
    std::vector<CheckpointPlan> checkpoints;
};

struct Facility
{
    std::string preset;
    Site site = Site::Temperate;
    std::optional<double> ambientC;
    std::optional<double> wetBulbC;
    std::optional<double> gridLimit; ///< null: by site
    std::optional<double> gridRampLimit;
    std::optional<double> gridSwingLimit;
    std::optional<double> powerCap; ///< at the meter
    PowerCapKind powerCapKind = PowerCapKind::Hard;
    double powerFloor = 0;          ///< least power of a chip in a step, share of its limit
    double bufferJoulesPerChip = 0; ///< storage that smooths the ramps of a step
    Cooling cooling = Cooling::DirectLiquid;
    std::optional<double> liquidShare; ///< of the IT heat; null: by cooling
    Coolant coolant = Coolant::Pg25;
    double supplyC = 32;
    double coolantRise = 10;
    std::optional<double> supplyMaxC; ///< that the chips take at full power; null: by cooling
    double airSupplyC = 27;
    HeatRejection heatRejection = HeatRejection::DryCooler;
    std::int64_t rackChips = 72;
    double rackPowerLimit = 132e3;
    std::optional<double> rackMass; ///< of a full rack, kg
    double rackArea = 6.25;         ///< floor for a rack with aisles, m2
    std::optional<double> floorLoadLimit;
    double psuEfficiency = 0.96;
    double upsEfficiency = 0.965;
    double transformerEfficiency = 0.978; ///< with cables, switchgear and busways
    std::optional<double> pue;
    std::optional<double> waterLitresPerKwh;
    std::optional<double> carbonKgPerKwh; ///< null: by site
    std::optional<double> embodiedCarbonKgPerChip;
};

struct Economics
{
    std::string currency = "USD";
    double perUsd = 1;
    std::optional<double> chipPrice;
    std::optional<double> nodePrice;
    std::optional<double> nicPrice; ///< of one chip's share
    std::optional<double> rackPrice;
    std::optional<double> switchPrice;
    std::optional<double> opticPrice;
    std::optional<double> cablePrice;
    std::optional<double> buildingPerW; ///< null: by site
    std::optional<double> energyPerKwh; ///< null: by site
    double lifetimeYears = 5;
    double discountRate = 0.08;
    double maintenanceSharePerYear = 0.03;
    double staffPerYear = 0;
    double portingPersonYears = 0;
    double operatorCoverage = 1; ///< share of the operators that the stack has kernels for
    std::int64_t operators = 200;
    double personYearsPerOperator = 0.25;
    double personYearCost = 200e3;
};

void describe(FieldVisitor& v, StoragePool& p);
void describe(FieldVisitor& v, Storage& s);
void describe(FieldVisitor& v, FailureRates& f);
void describe(FieldVisitor& v, FailureDomain& d);
void describe(FieldVisitor& v, CheckpointPlan& c);
void describe(FieldVisitor& v, Reliability& r);
void describe(FieldVisitor& v, Facility& f);
void describe(FieldVisitor& v, Economics& e);

} // namespace cw::scenario
