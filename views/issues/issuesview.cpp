// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/issues/issuesview.h"

#include <QFrame>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>
#include <utility>

#include "views/text/words.h"
#include "views/theme/icons.h"

namespace cw::views {

using namespace Qt::StringLiterals;

namespace {

/// Text that is a button: the whole of an issue can be clicked and reached by Tab.
class IssueText final : public QToolButton
{
public:
    IssueText(const Issue& issue, QWidget* parent)
        : QToolButton(parent), m_title(new QLabel(this)), m_text(new QLabel(this))
    {
        setAutoRaise(true);
        setFocusPolicy(Qt::StrongFocus);
        setCursor(Qt::PointingHandCursor);
        QSizePolicy policy(QSizePolicy::Expanding, QSizePolicy::Minimum);
        policy.setHeightForWidth(true);
        setSizePolicy(policy);
        auto* column = new QVBoxLayout(this);
        column->setContentsMargins(2, 2, 2, 2);
        column->setSpacing(1);
        for (const auto& [label, role] :
             {std::pair(m_title, u"strong"_s), std::pair(m_text, u"secondary"_s)}) {
            label->setWordWrap(true);
            label->setTextFormat(Qt::PlainText);
            label->setAttribute(Qt::WA_TransparentForMouseEvents);
            setRole(label, "role", role);
            column->addWidget(label);
        }
        setIssue(issue);
    }
    void setIssue(const Issue& issue)
    {
        QStringList lines;
        for (const QString& line : {issue.text, issue.fixText})
            if (!line.isEmpty())
                lines << line;
        const QString text = lines.join(u'\n');
        setAccessibleName(issue.title + u". "_s + issue.about + u". "_s + text);
        setToolTip(issue.about);
        m_title->setText(issue.title);
        m_text->setText(text);
        m_text->setVisible(!text.isEmpty());
    }
    [[nodiscard]] QSize sizeHint() const override
    {
        return {160, layout()->heightForWidth(std::max(120, width()))};
    }
    [[nodiscard]] QSize minimumSizeHint() const override { return {80, 20}; }
    [[nodiscard]] bool hasHeightForWidth() const override { return true; }
    [[nodiscard]] int heightForWidth(int w) const override { return layout()->heightForWidth(w); }

private:
    QLabel* m_title;
    QLabel* m_text;
};

/// Whether one can be shown with the other's widgets.
bool sameShape(const Issue& a, const Issue& b)
{
    return a.status == b.status && a.fix.empty() == b.fix.empty();
}

void nameFix(QPushButton* apply, const Issue& issue)
{
    apply->setAccessibleName(say("window.checks.apply") + u": "_s + issue.title);
    apply->setToolTip(issue.fixText);
}

} // namespace

struct IssuesView::Row
{
    IssueText* text = nullptr;
    QPushButton* apply = nullptr;
};

IssuesView::IssuesView(QWidget* parent)
    : QWidget(parent), m_counts(new QLabel(this)), m_rows(nullptr)
{
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    m_counts->setContentsMargins(12, 6, 12, 4);
    m_counts->setWordWrap(true);
    setRole(m_counts, "role", u"secondary"_s);
    column->addWidget(m_counts);
    auto* scroll = new QScrollArea(this);
    scroll->setWidgetResizable(true);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    auto* content = new QWidget;
    m_rows = new QVBoxLayout(content);
    m_rows->setContentsMargins(8, 0, 8, 4);
    m_rows->setSpacing(0);
    m_rows->addStretch(1);
    scroll->setWidget(content);
    column->addWidget(scroll, 1);
    connect(&LanguageSignal::instance(), &LanguageSignal::languageChanged, this,
            &IssuesView::rebuild);
    rebuild();
}

IssuesView::~IssuesView() = default;

int IssuesView::count(Status status) const
{
    return static_cast<int>(std::count_if(m_issues.begin(), m_issues.end(),
                                          [status](const Issue& i) { return i.status == status; }));
}

void IssuesView::setIssues(std::vector<Issue> issues)
{
    if (issues == m_issues)
        return;
    // While something is dragged the numbers in the texts change, and seldom more than that.
    const bool same =
        std::equal(issues.begin(), issues.end(), m_issues.begin(), m_issues.end(), sameShape);
    m_issues = std::move(issues);
    if (!same) {
        rebuild();
        return;
    }
    showCounts();
    for (std::size_t i = 0; i < m_issues.size(); ++i) {
        m_shown[i].text->setIssue(m_issues[i]);
        if (m_shown[i].apply != nullptr)
            nameFix(m_shown[i].apply, m_issues[i]);
    }
}

void IssuesView::showCounts()
{
    const auto number = [this](Status s) {
        return QString::number(count(s));
    };
    m_counts->setText(m_issues.empty()
                          ? say("window.checks.none")
                          : say("window.checks.counts", {{"violations", number(Status::Violation)},
                                                         {"warnings", number(Status::Warning)},
                                                         {"advice", number(Status::Advice)}}));
}

void IssuesView::rebuild()
{
    showCounts();
    m_shown.assign(m_issues.size(), {});
    while (m_rows->count() > 1) {
        QLayoutItem* item = m_rows->takeAt(0);
        item->widget()->hide();
        item->widget()->deleteLater();
        delete item;
    }
    for (std::size_t i = 0; i < m_issues.size(); ++i)
        m_rows->insertWidget(static_cast<int>(i), rowFor(i));
}

QWidget* IssuesView::rowFor(std::size_t index)
{
    const Issue& issue = m_issues[index];
    auto* row = new QFrame(this);
    row->setProperty("rule", u"below"_s);
    auto* line = new QHBoxLayout(row);
    line->setContentsMargins(4, 6, 4, 7);
    line->setSpacing(7);
    auto* mark = new QLabel(row);
    mark->setPixmap(icon(iconOf(issue.status)).pixmap(14, 14));
    mark->setAlignment(Qt::AlignTop);
    mark->setContentsMargins(0, 3, 0, 0);
    line->addWidget(mark);
    auto* text = new IssueText(issue, row);
    m_shown[index].text = text;
    line->addWidget(text, 1);
    connect(text, &QToolButton::clicked, this, [this, index] {
        if (!m_issues[index].input.isEmpty())
            Q_EMIT inputWanted(m_issues[index].input);
    });
    if (!issue.fix.empty()) {
        auto* apply = new QPushButton(say("window.checks.apply"), row);
        apply->setProperty("small", true);
        nameFix(apply, issue);
        m_shown[index].apply = apply;
        line->addWidget(apply, 0, Qt::AlignTop);
        connect(apply, &QPushButton::clicked, this,
                [this, index] { Q_EMIT fixWanted(static_cast<int>(index)); });
    }
    return row;
}

} // namespace cw::views
