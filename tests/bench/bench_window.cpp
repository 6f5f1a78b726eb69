// SPDX-License-Identifier: GPL-3.0-or-later
// Prints how long it takes from a move of the mouse on a slider until all that is visible is
// painted anew, page by page, or for the pages named as arguments. Times are told, not judged:
// machines differ.
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

std::vector<double> drag(views::ValueSlider* slider)
{
    std::vector<double> times;
    const QPoint from = slider->handleCentre();
    mouse(slider, QEvent::MouseButtonPress, from);
    for (int i = 0; i < kMoves; ++i) {
        QElapsedTimer clock;
        clock.start();
        mouse(slider, QEvent::MouseMove, from + QPoint(i % 2 == 0 ? 3 + i % 7 : -3 - i % 5, 0));
        settle();
        times.push_back(static_cast<double>(clock.nsecsElapsed()) / 1e6);
    }
    mouse(slider, QEvent::MouseButtonRelease, from);
    settle();
    std::sort(times.begin(), times.end());
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
    QStringList pages = QCoreApplication::arguments().mid(1);
    if (pages.isEmpty())
        pages = {u"overview"_s, u"memory"_s, u"step"_s, u"network"_s,
                 u"run"_s,      u"power"_s,  u"cost"_s};
    for (const QString& page : pages) {
        window.showPage(page);
        settle();
        const std::clock_t before = std::clock();
        const auto times = drag(slider);
        const double busy = static_cast<double>(std::clock() - before) * 1e3 / CLOCKS_PER_SEC;
        out << page << ": median " << times[times.size() / 2] << " ms, 95% "
            << times[times.size() * 95 / 100] << " ms, worst " << times.back()
            << " ms; processor time " << busy / kMoves << " ms a move\n";
    }
    window.document().history().setClean();
    return 0;
}
