// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/theme/theme.h"

#include <QApplication>
#include <QLineF>
#include <QPaintEngine>
#include <QPainter>
#include <QPixmap>
#include <QPixmapCache>
#include <QRectF>
#include <QStyle>
#include <QStyleFactory>
#include <QVariant>
#include <QWidget>
#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <utility>

namespace cw::views {

using namespace Qt::StringLiterals;

namespace {

QColor rgb(unsigned value)
{
    return QColor::fromRgb(value);
}

Theme makeLight()
{
    Theme t;
    t.dark = false;
    t.window = rgb(0xF1F3F5);
    t.card = rgb(0xFFFFFF);
    t.sunken = rgb(0xE9ECEF);
    t.border = rgb(0xD3D8DE);
    t.hairline = rgb(0xE4E7EB);
    t.text = rgb(0x1A1F25);
    t.secondary = rgb(0x525C67);
    t.weak = rgb(0x636D78);
    t.accent = rgb(0x1F63C9);
    t.selection = rgb(0xD6E5FB);
    t.onAccent = rgb(0xFFFFFF);
    t.ok = rgb(0x1B7A57);
    t.warning = rgb(0x8A5B00);
    t.violation = rgb(0xB3261E);
    t.advice = rgb(0x1F63C9);
    t.better = rgb(0x1764A8);
    t.worse = rgb(0xA8480A);
    t.chip = rgb(0xE3E7EB);
    t.total = rgb(0x3E434A);
    return t;
}

Theme makeNight()
{
    Theme t;
    t.dark = true;
    t.window = rgb(0x14171B);
    t.card = rgb(0x1C2025);
    t.sunken = rgb(0x121518);
    t.border = rgb(0x39414A);
    t.hairline = rgb(0x2A3037);
    t.text = rgb(0xE7EBEF);
    t.secondary = rgb(0xA9B3BE);
    t.weak = rgb(0x8993A0);
    t.accent = rgb(0x6EA8FF);
    t.selection = rgb(0x22406B);
    t.onAccent = rgb(0x10141A);
    t.ok = rgb(0x5CC79B);
    t.warning = rgb(0xE5B449);
    t.violation = rgb(0xFF8A80);
    t.advice = rgb(0x6EA8FF);
    t.better = rgb(0x78B7F2);
    t.worse = rgb(0xF2A05C);
    t.chip = rgb(0x2C333B);
    t.total = rgb(0xB4BDC7);
    return t;
}

QColor mix(const QColor& a, const QColor& b, double share)
{
    const auto part = [share](int x, int y) {
        return static_cast<int>(std::lround(x * share + y * (1.0 - share)));
    };
    return {part(a.red(), b.red()), part(a.green(), b.green()), part(a.blue(), b.blue())};
}

QPalette paletteOf(const Theme& t)
{
    QPalette p;
    p.setColor(QPalette::Window, t.window);
    p.setColor(QPalette::WindowText, t.text);
    p.setColor(QPalette::Base, t.card);
    p.setColor(QPalette::AlternateBase, t.sunken);
    p.setColor(QPalette::Text, t.text);
    p.setColor(QPalette::Button, t.card);
    p.setColor(QPalette::ButtonText, t.text);
    p.setColor(QPalette::BrightText, t.violation);
    p.setColor(QPalette::ToolTipBase, t.card);
    p.setColor(QPalette::ToolTipText, t.text);
    p.setColor(QPalette::PlaceholderText, t.weak);
    p.setColor(QPalette::Highlight, t.selection);
    p.setColor(QPalette::HighlightedText, t.text);
    p.setColor(QPalette::Link, t.accent);
    p.setColor(QPalette::LinkVisited, t.accent);
    p.setColor(QPalette::Light, t.dark ? t.chip : t.card);
    p.setColor(QPalette::Midlight, t.hairline);
    p.setColor(QPalette::Mid, t.border);
    p.setColor(QPalette::Dark, t.weak);
    p.setColor(QPalette::Shadow, t.dark ? QColor(Qt::black) : t.weak);
    for (const auto role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText}) {
        p.setColor(QPalette::Disabled, role, mix(t.weak, t.card, 0.6));
    }
    return p;
}

QPixmap hatchTile(const QColor& colour, double spacing, double width, double ratio)
{
    const QString key =
        u"cw-hatch-%1-%2-%3-%4"_s.arg(colour.rgba()).arg(spacing).arg(width).arg(ratio);
    QPixmap tile;
    if (QPixmapCache::find(key, &tile)) {
        return tile;
    }
    const int side = static_cast<int>(std::lround(spacing * ratio));
    tile = QPixmap(side, side);
    tile.setDevicePixelRatio(ratio);
    tile.fill(Qt::transparent);
    QPainter painter(&tile);
    painter.setPen(QPen(colour, width));
    for (const double c : {0.0, spacing, 2 * spacing}) {
        painter.drawLine(QPointF(c - spacing * 2, spacing * 2), QPointF(c + spacing, -spacing));
    }
    painter.end();
    QPixmapCache::insert(key, tile);
    return tile;
}

// Colours of a series, light then dark.
struct SeriesRow
{
    Series series;
    unsigned light;
    unsigned dark;
    Hatch hatch = Hatch::None;
};

constexpr std::array<SeriesRow, 33> kSeries = {{
    {Series::Compute, 0x2C67AE, 0x5B9BE6},
    {Series::Weights, 0x2C67AE, 0x5B9BE6},
    {Series::Chips, 0x2C67AE, 0x5B9BE6},
    {Series::LostEfficiency, 0x80A4CE, 0x426A98},
    {Series::BandwidthBound, 0x74AEDD, 0x9CCBF0},
    {Series::Hosts, 0x74AEDD, 0x9CCBF0},
    {Series::Recompute, 0x2C67AE, 0x5B9BE6, Hatch::Slash},
    {Series::TensorParallel, 0xD4751C, 0xEE9A48},
    {Series::Gradients, 0xD4751C, 0xEE9A48},
    {Series::ExpertParallel, 0xAF4388, 0xDB7DB8},
    {Series::Network, 0xAF4388, 0xDB7DB8},
    {Series::PipelineSends, 0x8B7B1E, 0xCDBB55},
    {Series::DataParallel, 0x14877B, 0x43BBAB},
    {Series::Activations, 0x14877B, 0x43BBAB},
    {Series::Cooling, 0x14877B, 0x43BBAB},
    {Series::Optimizer, 0x6752B5, 0xA291EE},
    {Series::Storage, 0x6752B5, 0xA291EE},
    {Series::Temporaries, 0xB59F2E, 0xCDBB55},
    {Series::Site, 0xB59F2E, 0xCDBB55},
    {Series::Fixed, 0x8A949E, 0x7D8792},
    {Series::Other, 0xB5BCC4, 0x5C6670},
    {Series::Bubble, 0x8A949E, 0x8993A0, Hatch::Slash},
    {Series::Jitter, 0xA9B1B9, 0x727C87, Hatch::Slash},
    {Series::Fragmentation, 0x8A949E, 0x8993A0, Hatch::Slash},
    {Series::Losses, 0x8A949E, 0x8993A0, Hatch::Slash},
    {Series::UsefulWork, 0x3B8F6E, 0x4FAE87},
    {Series::LostProgress, 0xB3261E, 0xE5695F},
    {Series::Restore, 0x8A5B00, 0xB98A2C},
    {Series::Detection, 0xD4751C, 0xEE9A48},
    {Series::SwapIn, 0x6752B5, 0xA291EE},
    {Series::CheckpointSave, 0x14877B, 0x43BBAB},
    {Series::Stragglers, 0x7D8792, 0x8993A0, Hatch::Slash},
    {Series::Total, 0x3E434A, 0xB4BDC7},
}};

} // namespace

const Theme& Theme::light()
{
    static const Theme theme = makeLight();
    return theme;
}

const Theme& Theme::night()
{
    static const Theme theme = makeNight();
    return theme;
}

const Theme& Theme::of(const QPalette& palette)
{
    return palette.color(QPalette::Window).lightness() < 128 ? night() : light();
}

const Theme& Theme::of(const QWidget*)
{
    // A style sheet changes the palettes of single widgets; the application's own tells the truth.
    return of(QApplication::palette());
}

SeriesStyle Theme::series(Series s) const
{
    for (const auto& row : kSeries) {
        if (row.series == s) {
            return {rgb(dark ? row.dark : row.light), row.hatch};
        }
    }
    return {weak, Hatch::None};
}

QColor Theme::status(Status s) const
{
    switch (s) {
    case Status::Ok:
        return ok;
    case Status::Warning:
        return warning;
    case Status::Violation:
        return violation;
    case Status::Advice:
        break;
    }
    return advice;
}

QColor Theme::change(Change c) const
{
    return c == Change::Better ? better : c == Change::Worse ? worse : secondary;
}

QColor Theme::wash(const QColor& colour, double share) const
{
    return mix(colour, card, share);
}

QColor Theme::textOn(const QColor& fill)
{
    const double luma = 0.299 * fill.red() + 0.587 * fill.green() + 0.114 * fill.blue();
    return luma < 140.0 ? QColor(0xFF, 0xFF, 0xFF) : QColor(0x10, 0x14, 0x1A);
}

QFont Theme::font(double px, bool strong)
{
    // Made once for each size: charts ask for some hundreds in each frame.
    thread_local QFont base;
    thread_local std::map<std::pair<double, bool>, QFont> made;
    QFont f = QApplication::font();
    if (!f.isCopyOf(base)) {
        made.clear();
        base = f;
    }
    const auto key = std::pair(px, strong);
    if (const auto found = made.find(key); found != made.end())
        return found->second;
    // The interface font may be scaled by the user; 12 px is the size all others are given against.
    const double size = f.pixelSize() > 0 ? f.pixelSize() : f.pointSizeF() * 96.0 / 72.0;
    const double scale = size > 0 ? size / 12.0 : 1.0;
    f.setPixelSize(std::max(9, static_cast<int>(std::lround(px * scale))));
    f.setWeight(strong ? QFont::DemiBold : QFont::Normal);
    return made.emplace(key, f).first->second;
}

int Theme::band(double utilization)
{
    if (!(utilization > 0.0)) {
        return 0;
    }
    return utilization > 1.0 ? 5 : std::min(4, static_cast<int>(utilization * 5.0));
}

QColor Theme::bandColour(int b) const
{
    static constexpr std::array<unsigned, 6> kLight = {0xA3ACB5, 0x5C8FCC, 0x14877B,
                                                       0xC29A1B, 0xD9701A, 0xB3261E};
    static constexpr std::array<unsigned, 6> kDark = {0x525C67, 0x4A7CC0, 0x3CB3A4,
                                                      0xE5C04B, 0xF08A36, 0xFF6F61};
    const auto i = static_cast<std::size_t>(std::clamp(b, 0, 5));
    return rgb(dark ? kDark[i] : kLight[i]);
}

double Theme::bandWidth(int b)
{
    static constexpr std::array<double, 6> kWidth = {1.0, 1.5, 2.5, 3.5, 5.0, 6.0};
    return kWidth[static_cast<std::size_t>(std::clamp(b, 0, 5))];
}

void hatchRect(QPainter& painter, const QRectF& r, const QColor& colour, double spacing,
               double width)
{
    if (r.width() <= 0 || r.height() <= 0) {
        return;
    }
    const QPaintEngine* engine = painter.paintEngine();
    if (engine != nullptr && engine->type() == QPaintEngine::Raster) {
        // On pixels a tile is ten times faster than lines; vector files keep the lines.
        const QPixmap tile =
            hatchTile(colour, spacing, width, painter.device()->devicePixelRatioF());
        painter.drawTiledPixmap(r, tile,
                                {std::fmod(r.left(), spacing), std::fmod(r.top(), spacing)});
        return;
    }
    // Lines x + y = c; multiples of the spacing keep neighbouring rectangles in one pattern.
    // Clipped by arithmetic: the SVG engine knows no clip.
    QList<QLineF> lines;
    const double first = std::ceil((r.left() + r.top()) / spacing) * spacing;
    for (double c = first; c < r.right() + r.bottom(); c += spacing) {
        const double x0 = std::max(r.left(), c - r.bottom());
        const double x1 = std::min(r.right(), c - r.top());
        if (x1 > x0) {
            lines.append(QLineF(x0, c - x0, x1, c - x1));
        }
    }
    painter.save();
    painter.setPen(QPen(colour, width));
    painter.drawLines(lines);
    painter.restore();
}

void fillSeries(QPainter& painter, const QRectF& rect, const SeriesStyle& style, const Theme& theme)
{
    if (rect.width() <= 0 || rect.height() <= 0) {
        return;
    }
    if (style.hatch == Hatch::None) {
        painter.fillRect(rect, style.colour);
        return;
    }
    painter.fillRect(rect, theme.card);
    hatchRect(painter, rect, style.colour);
    if (rect.width() > 6 && rect.height() > 4) {
        painter.save();
        painter.setPen(QPen(theme.wash(style.colour, 0.7), 1));
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(rect.adjusted(0.5, 0.5, -0.5, -0.5));
        painter.restore();
    }
}

void applyTheme(QApplication& application, ThemeMode mode)
{
    // What the platform gave before our first palette tells light from dark in System mode.
    static const bool systemDark =
        QApplication::palette().color(QPalette::Window).lightness() < 128;
    const bool dark = mode == ThemeMode::Dark || (mode == ThemeMode::System && systemDark);
    const Theme& theme = dark ? Theme::night() : Theme::light();
    QApplication::setStyle(QStyleFactory::create(u"Fusion"_s));
    QApplication::setPalette(paletteOf(theme));
    application.setStyleSheet(styleSheetOf(theme));
}

void setRole(QWidget* widget, const char* property, const QString& value)
{
    if (widget->property(property).toString() == value) {
        return;
    }
    widget->setProperty(property, value);
    widget->style()->unpolish(widget);
    widget->style()->polish(widget);
    widget->update();
}

} // namespace cw::views
