// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest/QTest>

#include <algorithm>
#include <cmath>

#include "model/evaluation/evaluation.h"
#include "model/network/collectives.h"
#include "tests/model/scenario/exampleplan.h"

// Two kinds of traffic on one link add: gradients hide in a window only while no other kind holds
// the link.

using namespace cw;
using scenario::Scenario;

namespace {

/// DeepSeek-V3 on H800 with NICs so slow that nothing of the window is left over.
Scenario slowNics(double bandwidth)
{
    Scenario s = testplans::example("deepseek-v3-h800");
    s.cluster.network.scaleOut.bandwidth = bandwidth;
    s.software.overlap = {scenario::Overlap::Data, scenario::Overlap::DataGather};
    s.parallelism.zeroStage = 1;
    return s;
}

/// Seconds for which experts and sends hold the NIC in one pass.
double held(const Scenario& s, const evaluation::Evaluation& e, bool backward)
{
    const scenario::Inputs<double> in(s);
    const auto layout = scenario::layoutOf(in);
    const auto placement = network::placementOf(in, layout);
    const auto topology = network::topology(in);
    const auto rate = [&](network::GroupKind g, network::TrafficKind k) {
        return network::linksFor(in, topology, placement[g], k, &e.step.shares).across.si();
    };
    const auto& stage = e.step.stages[e.step.slowest];
    const auto& pass = backward ? stage.backward : stage.forward;
    const std::int64_t split =
        s.parallelism.context * (s.parallelism.sequenceParallel ? s.parallelism.tensor : 1);
    const double sends = 2.0 *
                         static_cast<double>(s.workload.sequenceLength *
                                             s.parallelism.microBatchSequences * s.model.hidden) /
                         static_cast<double>(split);
    return pass.expertMoved.across.si() /
               rate(network::GroupKind::Expert, network::TrafficKind::Expert) +
           pass.tensorMoved.across.si() /
               rate(network::GroupKind::Tensor, network::TrafficKind::Tensor) +
           pass.contextMoved.across.si() /
               rate(network::GroupKind::Context, network::TrafficKind::Context) +
           sends / rate(network::GroupKind::Pipeline, network::TrafficKind::Pipeline);
}

} // namespace

class TestSharedLinks : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void whatHidesFitsBesideTheOthers_data();
    void whatHidesFitsBesideTheOthers();
    void alonePlansKeepTheirWindow();
};

void TestSharedLinks::whatHidesFitsBesideTheOthers_data()
{
    QTest::addColumn<double>("bandwidth");
    QTest::newRow("50 GB/s") << 50e9;
    QTest::newRow("5 GB/s") << 5e9;
    QTest::newRow("1 GB/s") << 1e9;
    QTest::newRow("0.2 GB/s") << 2e8;
}

void TestSharedLinks::whatHidesFitsBesideTheOthers()
{
    QFETCH(double, bandwidth);
    const Scenario s = slowNics(bandwidth);
    const auto e = evaluation::evaluate(s);
    const auto& stage = e.step.stages[e.step.slowest];
    const double share = s.software.constants.dataWindow;
    const double forward = share * stage.forward.total().si() - held(s, e, false);
    const double backward = share * stage.backward.total().si() - held(s, e, true);
    const double hidden = e.step.dataCost.si() - e.step.dataComm.si();
    QVERIFY(hidden >= 0);
    QVERIFY2(hidden <= std::max(0.0, forward) + std::max(0.0, backward) + 1e-9,
             qPrintable(QString::number(hidden) + u' ' + QString::number(forward) + u' ' +
                        QString::number(backward)));
    // Where the NIC is that slow, the window binds and not the share that overlap ever hides.
    if (bandwidth <= 1e9)
        QVERIFY(hidden < 0.9 * (1 - s.software.constants.dataExposed) * e.step.dataCost.si());
}

/// Without experts, context or stages across domains nobody else holds the NIC.
void TestSharedLinks::alonePlansKeepTheirWindow()
{
    Scenario s = slowNics(50e9);
    s.parallelism.expert = 1;
    s.parallelism.pipeline = 1;
    s.parallelism.virtualStages = 1;
    s.parallelism.schedule = scenario::Schedule::OneFOneB;
    s.parallelism.data = s.cluster.chips / s.parallelism.tensor / s.parallelism.context;
    const auto e = evaluation::evaluate(s);
    const double hidden = e.step.dataCost.si() - e.step.dataComm.si();
    const auto& stage = e.step.stages[e.step.slowest];
    const double share = s.software.constants.dataWindow;
    const double most = (1 - s.software.constants.dataExposed) * e.step.dataCost.si();
    const double window = share * (stage.forward.total() + stage.backward.total()).si();
    QVERIFY(hidden <= std::min(most, window) * (1 + 1e-9));
    QVERIFY(hidden > 0);
}

QTEST_APPLESS_MAIN(TestSharedLinks)
#include "tst_sharedlinks.moc"
