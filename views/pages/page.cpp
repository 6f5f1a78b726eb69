// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/pages/page.h"

#include "views/text/words.h"

namespace cw::views {

Page::Page(QWidget* parent) : QWidget(parent)
{
    connect(&LanguageSignal::instance(), &LanguageSignal::languageChanged, this,
            [this] { setData(m_data); });
}

void Page::setData(const PageData& figures)
{
    m_data = figures;
    m_waiting = !isVisible();
    if (!m_waiting && m_data.evaluation)
        refresh(m_data);
}

void Page::showEvent(QShowEvent* event)
{
    QWidget::showEvent(event);
    if (m_waiting && m_data.evaluation) {
        m_waiting = false;
        refresh(m_data);
    }
}

} // namespace cw::views
