// SPDX-License-Identifier: GPL-3.0-or-later
// Prints how long a frame of the network's picture takes while it is zoomed and moved, at 524,288
// chips and 2560 x 1440, for each way the machine is laid out: processor time, which others on the
// machine do not stretch. Times are told, not judged: machines differ.
#include <QApplication>
#include <QImage>
#include <QPainter>
#include <QTextStream>
#include <algorithm>
#include <cmath>
#include <ctime>
#include <vector>

#include "views/painted/topologypicture.h"

using namespace cw::views;
using namespace Qt::StringLiterals;

namespace {

constexpr std::int64_t kChips = 524288;
constexpr int kFrames = 240;

MapLevel level(std::int64_t chips, const QString& prefix, MapCables cables = MapCables::Up)
{
    MapLevel l;
    l.chips = chips;
    l.prefix = prefix;
    l.cables = cables;
    l.utilization = 0.55;
    return l;
}

/// Groups as a plan of this size has them: a few near chips, and thousands far apart.
std::vector<MapGroup> groups()
{
    std::vector<MapGroup> all(3);
    all[0] = {u"TP"_s, Series::TensorParallel, {}};
    all[1] = {u"EP"_s, Series::ExpertParallel, {}};
    all[2] = {u"DP"_s, Series::DataParallel, {}};
    for (std::int64_t i = 0; i < 8; ++i)
        all[0].chips.push_back(i);
    for (std::int64_t i = 0; i < 64; ++i)
        all[1].chips.push_back(8 * i);
    for (std::int64_t i = 0; i < 4096; ++i)
        all[2].chips.push_back(128 * i);
    return all;
}

TopologyData machine(MapShape shape, std::int64_t pod)
{
    TopologyData d;
    d.map.chips = kChips;
    d.map.shape = shape;
    if (shape == MapShape::Rows) {
        d.map.levels = {level(4096, u"S"_s, MapCables::Ring), level(1, u"C"_s, MapCables::Ring)};
        d.map.levels[1].columns = 64;
        d.map.levels[1].twoAxes = true;
    } else {
        d.map.levels = {level(pod, u"P"_s), level(64, u"R"_s), level(8, u"N"_s), level(1, u"C"_s)};
        d.map.levels[2].wide = true;
        for (std::int64_t i = 0; i < kChips / pod; ++i)
            d.map.levels[0].each.push_back(0.3 + 0.1 * static_cast<double>(i * 7 % 8));
        d.map.levels[0].eachChips = pod;
    }
    d.map.coreName = u"Core"_s;
    d.map.groups = groups();
    d.map.selected = 0;
    d.title = u"Site"_s;
    return d;
}

/// Frames of a journey from the whole machine to one chip and back, moving all the while.
std::vector<double> journey(TopologyPicture& picture, double& deepest)
{
    std::vector<double> times;
    QImage screen(picture.size(), QImage::Format_RGB32);
    const Theme& theme = Theme::of(&picture);
    picture.zoomToPart(static_cast<int>(picture.map().levels.size()) - 1, kChips / 3);
    deepest = picture.sight().zoom;
    picture.zoomOut();
    const double step = std::pow(deepest, 2.0 / kFrames);
    for (int i = 0; i < kFrames; ++i) {
        const std::clock_t before = std::clock();
        const int half = kFrames / 2;
        if (i < half) {
            picture.zoomToPart(static_cast<int>(picture.map().levels.size()) - 1, kChips / 3);
            const double back = deepest / std::pow(step, i + 1);
            picture.zoomBy(1.0 / std::max(1.0, back));
        } else {
            picture.zoomBy(1.0 / step);
        }
        QPainter painter(&screen);
        painter.fillRect(screen.rect(), theme.card);
        painter.setRenderHint(QPainter::TextAntialiasing);
        picture.paint(painter, QRectF(screen.rect()), theme);
        painter.end();
        times.push_back(static_cast<double>(std::clock() - before) * 1e3 / CLOCKS_PER_SEC);
        if (qEnvironmentVariableIsSet("CLUSTERWRIGHT_BENCH_PICTURES") && i % 12 == 0)
            screen.save(qEnvironmentVariable("CLUSTERWRIGHT_BENCH_PICTURES") +
                        u"/%1-%2.png"_s.arg(picture.objectName()).arg(i));
    }
    std::sort(times.begin(), times.end());
    return times;
}

void run(QTextStream& out, const QString& name, TopologyData figures)
{
    TopologyPicture picture;
    picture.setObjectName(name);
    picture.resize(2560, 1440);
    picture.setMapOnly(true);
    picture.setData(std::move(figures));
    double deepest = 1.0;
    const auto times = journey(picture, deepest);
    out << name << ": median " << times[times.size() / 2] << " ms, 95% "
        << times[times.size() * 95 / 100] << " ms, worst " << times.back() << " ms, zoom to "
        << deepest << "\n";
}

} // namespace

int main(int argc, char** argv)
{
    QApplication application(argc, argv);
    applyTheme(application, ThemeMode::Light);
    QTextStream out(stdout);
    run(out, u"star of 64 pods"_s, machine(MapShape::Star, 8192));
    run(out, u"star of 2048 pods"_s, machine(MapShape::Star, 256));
    run(out, u"dragonfly of 512 groups"_s, machine(MapShape::Pairs, 1024));
    run(out, u"torus of 128 sheets"_s, machine(MapShape::Rows, 4096));
    return 0;
}
