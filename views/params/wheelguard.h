// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

namespace cw::views {

/// Keeps the mouse wheel from changing values: over a slider, field or combo box it scrolls what
/// lies around. Installed on each such widget, or on the application.
class WheelGuard final : public QObject
{
    Q_OBJECT

public:
    using QObject::QObject;
    bool eventFilter(QObject* watched, QEvent* event) override;
};

} // namespace cw::views
