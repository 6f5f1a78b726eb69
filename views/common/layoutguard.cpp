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
    const int height = m_content->heightForWidth(width);
    m_told[width] = height;
    return height;
}

bool LayoutGuard::event(QEvent* event)
{
    // What the content asks for ends here: this widget has no layout.
    if (event->type() == QEvent::LayoutRequest) {
        const auto told = m_told.constFind(width());
        if (told == m_told.cend() || *told != m_content->heightForWidth(width())) {
            m_told.clear();
            updateGeometry();
        }
    }
    return QWidget::event(event);
}

void LayoutGuard::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    m_content->setGeometry(rect());
}

} // namespace cw::views
