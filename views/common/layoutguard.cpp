// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/layoutguard.h"

#include <QEvent>
#include <QResizeEvent>

namespace cw::views {

namespace {
constexpr qsizetype kMost = 4; ///< widths, after which the layouts are asked to begin anew
} // namespace

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
        // Layouts keep what they were told for each width, such as with a scroll bar and without.
        bool same = m_told.contains(width()) && m_told.size() <= kMost;
        for (auto it = m_told.cbegin(); same && it != m_told.cend(); ++it)
            same = it.value() == m_content->heightForWidth(it.key());
        if (!same) {
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
