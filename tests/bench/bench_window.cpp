// SPDX-License-Identifier: GPL-3.0-or-later
// Prints how long it takes from a move of the mouse on a slider until all that is visible is
// painted anew, page by page, or for the pages named as arguments; a number among them says how
// many moves. Times are told, not judged: machines differ.
#include <QApplication>
#include <QElapsedTimer>
#include <QMouseEvent>
#include <QStandardPaths>
#include <QTextStream>
#include <algorithm>
#include <ctime>
#include <vector>

#include "app/mainwindow.h"
#include "views/params/parampanel.h"
#include "views/params/valueslider.h"

using namespace cw;
using namespace Qt::StringLiterals;

namespace {

constexpr int kMoves = 60;

void settle()
{
    for (int i = 0; i < 3; ++i)
        QCoreApplication::processEvents();
}

void mouse(QWidget* widget, QEvent::Type type, const QPoint& at)
{
    const bool up = type == QEvent::MouseButtonRelease;
    const auto button = type == QEvent::MouseMove ? Qt::NoButton : Qt::LeftButton;
    QMouseEvent event(type, at, widget->mapToGlobal(at), button, up ? Qt::NoButton : Qt::LeftButton,
                      Qt::NoModifier);
    QCoreApplication::sendEvent(widget, &event);
}

double processorMs()
{
    return static_cast<double>(std::clock()) * 1e3 / CLOCKS_PER_SEC;
}

/// What the moves of a drag took, sorted.
struct Times
{
    std::vector<double> clock;     ///< ms until painted
    std::vector<double> processor; ///< ms of it that this program was busy
};

QString told(const std::vector<double>& sorted)
{
    return QStringLiteral("median %1, 95% %2, worst %3 ms")
        .arg(sorted[sorted.size() / 2], 0, 'f', 1)
        .arg(sorted[sorted.size() * 95 / 100], 0, 'f', 1)
        .arg(sorted.back(), 0, 'f', 1);
}

Times drag(views::ValueSlider* slider, int moves)
{
    Times times;
    const QPoint from = slider->handleCentre();
    mouse(slider, QEvent::MouseButtonPress, from);
    for (int i = 0; i < moves; ++i) {
        QElapsedTimer clock;
        clock.start();
        const double before = processorMs();
        mouse(slider, QEvent::MouseMove, from + QPoint(i % 2 == 0 ? 3 + i % 7 : -3 - i % 5, 0));
        settle();
        times.clock.push_back(static_cast<double>(clock.nsecsElapsed()) / 1e6);
        times.processor.push_back(processorMs() - before);
    }
    mouse(slider, QEvent::MouseButtonRelease, from);
    settle();
    std::sort(times.clock.begin(), times.clock.end());
    std::sort(times.processor.begin(), times.processor.end());
    return times;
}

} // namespace

int main(int argc, char** argv)
{
    QStandardPaths::setTestModeEnabled(true);
    QCoreApplication::setOrganizationName(u"clusterwright-test"_s);
    QCoreApplication::setApplicationName(u"bench"_s);
    QApplication application(argc, argv);
    app::Appearance appearance(application);
    appearance.start(u"en"_s, u"light"_s);
    app::MainWindow window(appearance);
    window.resize(1600, 1000);
    window.show();
    window.files().openNamed(u"superpod-8192"_s);
    settle();
    views::ValueSlider* slider = window.inputs().row("model.scale_to.total")->slider();
    settle();
    QTextStream out(stdout);
    int moves = kMoves;
    QStringList pages;
    for (const QString& argument : QCoreApplication::arguments().mid(1))
        if (const int number = argument.toInt(); number > 0)
            moves = number;
        else
            pages << argument;
    if (pages.isEmpty())
        pages = {u"overview"_s, u"memory"_s, u"step"_s, u"network"_s,
                 u"run"_s,      u"power"_s,  u"cost"_s};
    for (const QString& page : pages) {
        window.showPage(page);
        settle();
        const Times times = drag(slider, moves);
        out << page << ": " << told(times.clock) << "; of the processor " << told(times.processor)
            << Qt::endl;
    }
    window.document().history().setClean();
    return 0;
}
