// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/params/wheelguard.h"

#include <QAbstractSpinBox>
#include <QComboBox>
#include <QEvent>
#include <QSlider>

namespace cw::views {

bool WheelGuard::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() == QEvent::Wheel &&
        (qobject_cast<QSlider*>(watched) || qobject_cast<QComboBox*>(watched) ||
         qobject_cast<QAbstractSpinBox*>(watched))) {
        event->ignore(); // so that it goes on to the scroll area
        return true;
    }
    return QObject::eventFilter(watched, event);
}

} // namespace cw::views
