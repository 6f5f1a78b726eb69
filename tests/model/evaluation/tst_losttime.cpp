// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest/QTest>

#include <set>

#include "model/evaluation/evaluation.h"
#include "model/evaluation/explanation.h"
#include "tests/model/scenario/exampleplan.h"

using cw::evaluation::Explanation;
using cw::evaluation::Reason;

namespace {

constexpr const char* kClasses[] = {"run.lost_time.start_up",
                                    "run.lost_time.save",
                                    "run.lost_time.lost_progress",
                                    "run.lost_time.detection",
                                    "run.lost_time.restore",
                                    "run.lost_time.stragglers",
                                    "run.lost_time.health_checks",
                                    "run.lost_time.other",
                                    "run.other_lost_time.warm_up",
                                    "run.other_lost_time.corruption",
                                    "run.other_lost_time.replicas_away"};

/// As long as a line of the Why dock's details, wrapped twice.
constexpr std::size_t kLine = 260;

void unfold(const Explanation& why, const Reason& reason, std::set<cw::explain::NodeId>& seen)
{
    if (reason.kind != Reason::Kind::Figure || !seen.insert(reason.node).second)
        return;
    const bool ours =
        reason.key.rfind("run.", 0) == 0 && reason.key.rfind("run.checkpoints.", 0) != 0;
    QVERIFY2(!ours || reason.formula.size() <= kLine,
             qPrintable(QString::fromStdString(reason.key + ": " + reason.formula)));
    for (const cw::explain::NodeId input : reason.inputs)
        unfold(why, why.reason(input), seen);
}

} // namespace

class LostTimeTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void eachClassIsOneLine_data();
    void eachClassIsOneLine();
    void theClassIsLengthTimesShare();
    void zerosLeaveBraces();
};

void LostTimeTest::eachClassIsOneLine_data()
{
    QTest::addColumn<QString>("example");
    for (const char* name : {"superpod-8192", "llama3-405b-h100", "goodput-100k-replica",
                             "checkpoint-15min", "deepseek-v3-h800"})
        QTest::newRow(name) << name;
}

void LostTimeTest::eachClassIsOneLine()
{
    QFETCH(QString, example);
    const Explanation why(cw::testplans::example(qPrintable(example)), cw::text::Language::English);
    for (const char* path : kClasses) {
        const Reason reason = why.reasonOf(path);
        if (reason.value == 0)
            continue;
        QVERIFY2(reason.formula.size() <= 120, qPrintable(QString::fromStdString(reason.formula)));
        std::set<cw::explain::NodeId> seen;
        unfold(why, reason, seen);
        if (QTest::currentTestFailed())
            return;
        const auto node = why.find(path);
        QVERIFY(node);
        QCOMPARE(why.trace().replay(*node), reason.value);
    }
}

void LostTimeTest::theClassIsLengthTimesShare()
{
    const Explanation why(cw::testplans::example("superpod-8192"), cw::text::Language::English);
    const Reason reason = why.reasonOf("run.lost_time.start_up");
    QCOMPARE(reason.inputs.size(), std::size_t{2});
    const Reason length = why.reason(reason.inputs[0]);
    const Reason share = why.reason(reason.inputs[1]);
    QCOMPARE(length.key, std::string("run.wall_s"));
    QCOMPARE(share.key, std::string("run.share.start_up"));
    QCOMPARE(length.value * share.value, reason.value);
}

void LostTimeTest::zerosLeaveBraces()
{
    // 0 + (a + b), times c: a sum that a loop started from nothing keeps its braces.
    const Explanation why(cw::testplans::example("superpod-8192"), cw::text::Language::English);
    const Reason lost = why.reasonOf("run.lost_time.start_up");
    const Reason share = why.reason(lost.inputs[1]);
    QVERIFY2(share.formula.front() == '(' && share.formula.find(") · ") != std::string::npos,
             qPrintable(QString::fromStdString(share.formula)));
}

QTEST_APPLESS_MAIN(LostTimeTest)
#include "tst_losttime.moc"
