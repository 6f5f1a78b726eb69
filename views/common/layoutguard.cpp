// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/layoutguard.h"

#include <QEvent>
#include <QResizeEvent>

namespace cw::views {

LayoutGuard::LayoutGuard(QWidget* content, QWidget* parent) : QWidget(parent), m_content(content)
{
    content->setParent(this);
    setSizePolicy(content->sizePolicy());
}

int LayoutGuard::heightForWidth(int width) const
{
    return m_content->heightForWidth(width);
}

bool LayoutGuard::event(QEvent* event)
{
    // What the content asks for ends here: this widget has no layout.
    if (event->type() == QEvent::LayoutRequest) {
        const int height = heightForWidth(width());
        if (height != m_height) {
            m_height = height;
            updateGeometry();
        }
    }
    return QWidget::event(event);
}

void LayoutGuard::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    m_content->setGeometry(rect());
    if (event->size().width() != event->oldSize().width())
        m_height = heightForWidth(width());
}

} // namespace cw::views
