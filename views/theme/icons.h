// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/theme/theme.h"

#include <QIcon>

namespace cw::views {

enum class Icon : std::uint8_t
{
    Ok,
    Warning,
    Violation,
    Advice,
    Lock,
    Unlock,
    Reset,
    Pin,
    Search,
    ChevronRight,
    ChevronDown,
    ChevronLeft,
    ChevronUp,
    Undo,
    Redo,
    Close,
    Float,
    Plus,
    Document,
    Folder,
    ArrowUp,
    ArrowDown,
    Preset,
    Baseline
};

/// Colour an icon has by its meaning (status) or the secondary text colour.
QColor iconColour(Icon icon, const Theme& theme);
/// Paints an icon as vectors into a square; the colour may be overridden.
void paintIcon(QPainter& painter, const QRectF& square, Icon icon, const Theme& theme,
               const QColor& colour = {});
/// An icon that follows the application's palette, at any size and pixel ratio.
QIcon icon(Icon icon);
Icon iconOf(Status status);

} // namespace cw::views
