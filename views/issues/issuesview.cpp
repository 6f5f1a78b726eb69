// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/issues/issuesview.h"

#include <QEvent>
#include <QFrame>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>
#include <utility>

#include "views/common/layoutguard.h"
#include "views/text/words.h"
#include "views/theme/icons.h"

namespace cw::views {

using namespace Qt::StringLiterals;

namespace {

/// Text that is a button: the whole of an issue can be clicked and reached by Tab.
class IssueText final : public QToolButton
{
public:
    explicit IssueText(QWidget* parent)
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

} // namespace

struct IssuesView::Row
{
    QWidget* all = nullptr;
    QLabel* mark = nullptr;
    IssueText* text = nullptr;
    QPushButton* apply = nullptr;
    std::optional<Status> status; ///< of the mark
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
    column->addWidget(new LayoutGuard(m_counts, this));
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
            &IssuesView::showIssues);
    showIssues();
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
    m_issues = std::move(issues);
    showIssues();
}

/// Rows are kept and shown again: while something is dragged issues come and go, and to make a
/// widget takes far longer than to change its text.
void IssuesView::showIssues()
{
    showCounts();
    while (m_shown.size() < m_issues.size())
        addRow();
    for (std::size_t i = 0; i < m_shown.size(); ++i) {
        if (i < m_issues.size())
            showRow(m_shown[i], m_issues[i]);
        m_shown[i].all->setVisible(i < m_issues.size());
    }
}

/// Its colour is the theme's.
void IssuesView::showMark(Row& row)
{
    if (row.status)
        row.mark->setPixmap(icon(iconOf(*row.status)).pixmap(14, 14));
}

void IssuesView::showRow(Row& row, const Issue& issue)
{
    if (row.status != issue.status) {
        row.status = issue.status;
        showMark(row);
    }
    row.text->setIssue(issue);
    row.apply->setVisible(!issue.fix.empty());
    row.apply->setText(say("window.checks.apply"));
    row.apply->setAccessibleName(row.apply->text() + u": "_s + issue.title);
    row.apply->setToolTip(issue.fixText);
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

void IssuesView::addRow()
{
    const std::size_t index = m_shown.size();
    Row made;
    made.all = new QFrame(this);
    made.all->setProperty("rule", u"below"_s);
    auto* line = new QHBoxLayout(made.all);
    line->setContentsMargins(4, 6, 4, 7);
    line->setSpacing(7);
    made.mark = new QLabel(made.all);
    made.mark->setAlignment(Qt::AlignTop);
    made.mark->setContentsMargins(0, 3, 0, 0);
    line->addWidget(made.mark);
    made.text = new IssueText(made.all);
    line->addWidget(new LayoutGuard(made.text, made.all), 1);
    made.apply = new QPushButton(made.all);
    made.apply->setProperty("small", true);
    line->addWidget(made.apply, 0, Qt::AlignTop);
    connect(made.text, &QToolButton::clicked, this, [this, index] {
        if (!m_issues[index].input.isEmpty())
            Q_EMIT inputWanted(m_issues[index].input);
    });
    connect(made.apply, &QPushButton::clicked, this,
            [this, index] { Q_EMIT fixWanted(static_cast<int>(index)); });
    m_rows->insertWidget(static_cast<int>(index), made.all);
    m_shown.push_back(made);
}

void IssuesView::changeEvent(QEvent* event)
{
    if (event->type() == QEvent::PaletteChange)
        for (Row& row : m_shown)
            showMark(row);
    QWidget::changeEvent(event);
}

} // namespace cw::views
