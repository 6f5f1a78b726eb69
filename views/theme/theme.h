// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QBrush>
#include <QColor>
#include <QFont>
#include <QPalette>
#include <cstdint>

class QApplication;
class QPainter;
class QRectF;
class QWidget;

namespace cw::views {

/// What a coloured mark stands for. A series has its colour by identity, the same on every page.
enum class Series : std::uint8_t
{
    Compute,
    Weights,
    Chips,
    LostEfficiency,
    BandwidthBound,
    Hosts,
    Recompute,
    TensorParallel,
    Gradients,
    ExpertParallel,
    Network,
    PipelineSends,
    DataParallel,
    Activations,
    Cooling,
    Optimizer,
    Storage,
    Temporaries,
    Site,
    Fixed,
    Other,
    Bubble,
    Jitter,
    Fragmentation,
    Losses,
    UsefulWork,
    LostProgress,
    Restore,
    Detection,
    SwapIn,
    CheckpointSave,
    Stragglers,
    Total
};

enum class Hatch : std::uint8_t
{
    None,
    Slash
};
enum class Status : std::uint8_t
{
    Ok,
    Warning,
    Violation,
    Advice
};
enum class Change : std::uint8_t
{
    Better,
    Worse,
    Neutral
};

/// Colour and second channel of one series.
struct SeriesStyle
{
    QColor colour;
    Hatch hatch = Hatch::None;
};

/// All colours and fonts of one appearance. Obtain one by Theme::of(widget).
struct Theme
{
    bool dark = false;
    QColor window, card, sunken, border, hairline;
    QColor text, secondary, weak, accent, selection, onAccent;
    QColor ok, warning, violation, advice;
    QColor better, worse;
    QColor chip;  ///< fill of an idle tile or value chip
    QColor total; ///< fill of a bar that closes a sum

    static const Theme& light();
    static const Theme& night();
    static const Theme& of(const QPalette& palette);
    static const Theme& of(const QWidget* widget);

    [[nodiscard]] SeriesStyle series(Series series) const;
    [[nodiscard]] QColor colour(Series s) const { return series(s).colour; }
    [[nodiscard]] QColor status(Status status) const;
    [[nodiscard]] QColor change(Change change) const;
    /// A wash of a colour on the card, opaque, so that it looks alike in SVG and on screen.
    [[nodiscard]] QColor wash(const QColor& colour, double share) const;
    /// Readable text colour on a fill.
    [[nodiscard]] static QColor textOn(const QColor& fill);
    /// Interface font at a size in px at 100 %; weights 400 and 600 only.
    [[nodiscard]] static QFont font(double px, bool strong = false);

    /// Six bands of link utilization: 0 is below 20 %, 5 is above 100 %. NaN is band 0.
    static int band(double utilization);
    [[nodiscard]] QColor bandColour(int band) const;
    static double bandWidth(int band);
};

/// Fills a rectangle in the style of a series; hatches are drawn as lines so that they survive SVG.
void fillSeries(QPainter& painter, const QRectF& rect, const SeriesStyle& style,
                const Theme& theme);
/// 45 degree lines inside a rectangle.
void hatchRect(QPainter& painter, const QRectF& rect, const QColor& colour, double spacing = 5.0,
               double width = 1.0);

enum class ThemeMode : std::uint8_t
{
    Light,
    Dark,
    System
};

/// Sets Fusion, palette and style sheet. System follows the palette the platform started with.
void applyTheme(QApplication& application, ThemeMode mode);
/// Style sheet of the appearance; widgets are addressed by dynamic properties, see stylesheet.cpp.
QString styleSheetOf(const Theme& theme);
/// Sets a dynamic property the style sheet reads, and repolishes.
void setRole(QWidget* widget, const char* property, const QString& value);

} // namespace cw::views
