// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/params/paramgroup.h"

#include <QFrame>
#include <QHBoxLayout>
#include <QLabel>
#include <QStringList>
#include <QToolButton>
#include <QVBoxLayout>
#include <utility>

#include "views/common/elidedlabel.h"
#include "views/text/words.h"
#include "views/theme/icons.h"

namespace cw::views {

using namespace Qt::StringLiterals;

std::string groupOf(const std::string& part)
{
    if (part.starts_with("cluster.chip"))
        return "chip";
    if (part.starts_with("cluster.network"))
        return "network";
    return part.substr(0, part.find('.'));
}

QString captionOf(const std::string& part)
{
    QStringList words;
    const QStringList steps = QString::fromStdString(part).split(u'.');
    const std::string group = groupOf(part);
    const int skip = group == "chip" || group == "network" ? 2 : 1;
    for (qsizetype i = skip; i < steps.size(); ++i) {
        bool number = false;
        const int index = steps[i].toInt(&number);
        if (number && !words.isEmpty())
            words.last() += u' ' + QString::number(index + 1);
        else
            words << say("window.part." + steps[i].toStdString());
    }
    return words.join(u" · "_s);
}

ParamGroup::ParamGroup(std::string key, QWidget* parent) : QWidget(parent), m_key(std::move(key))
{
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    auto* head = new QFrame(this);
    head->setObjectName(u"groupHead"_s);
    auto* line = new QHBoxLayout(head);
    line->setContentsMargins(4, 1, 10, 1);
    m_title = new QToolButton(head);
    m_title->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    m_title->setIconSize({12, 12});
    m_title->setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    m_title->setFont([font = m_title->font()]() mutable {
        font.setBold(true);
        return font;
    }());
    m_summary = new ElidedLabel(head);
    m_summary->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    setRole(m_summary, "role", u"secondary"_s);
    line->addWidget(m_title);
    line->addWidget(m_summary, 1);
    column->addWidget(head);
    m_body = new QWidget(this);
    m_bodyColumn = new QVBoxLayout(m_body);
    m_bodyColumn->setContentsMargins(0, 2, 0, 6);
    m_bodyColumn->setSpacing(2);
    column->addWidget(m_body);
    connect(m_title, &QToolButton::clicked, this, [this] { setOpen(!m_open); });
    bindText(this, [this] { m_title->setText(say("window.group." + m_key)); });
    show();
}

void ParamGroup::setOpen(bool open)
{
    m_open = open;
    show();
    if (open)
        Q_EMIT opened();
}

void ParamGroup::setForced(bool forced)
{
    m_forced = forced;
    show();
}

void ParamGroup::show()
{
    m_body->setVisible(isShown());
    m_title->setIcon(icon(isShown() ? Icon::ChevronDown : Icon::ChevronRight));
    m_title->setAccessibleDescription(say(isShown() ? "window.group.open" : "window.group.closed"));
}

void ParamGroup::setSummary(const QString& text)
{
    if (m_summary->text() == text)
        return;
    m_summary->setText(text);
    m_summary->setToolTip(text);
}

QLabel* ParamGroup::addCaption(const std::string& part)
{
    auto* caption = new QLabel(m_body);
    caption->setContentsMargins(12, 4, 0, 0);
    setRole(caption, "role", u"secondary"_s);
    bindText(caption, [caption, part] { caption->setText(captionOf(part)); });
    m_bodyColumn->addWidget(caption);
    return caption;
}

} // namespace cw::views
