// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QWidget>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "model/scenario/registry.h"
#include "views/theme/theme.h"

class QLabel;
class QVBoxLayout;

namespace cw::views {

/// Something about the plan that a reader should know.
struct Issue
{
    Status status = Status::Advice;
    QString title; ///< short; one line where it can be
    QString text;  ///< the whole of it, in sentences; may be empty
    QString input; ///< path of the input it is about; may be empty
    QString about; ///< that input in words
    std::vector<std::pair<std::string, scenario::Value>> fix; ///< empty where none is known
    QString fixText;                                          ///< names the fix, for the undo step

    bool operator==(const Issue&) const = default;
};

/// Violations, warnings and advice; a click goes to the input, a button applies the fix.
class IssuesView : public QWidget
{
    Q_OBJECT

public:
    explicit IssuesView(QWidget* parent = nullptr);
    ~IssuesView() override;

    void setIssues(std::vector<Issue> issues);
    [[nodiscard]] const std::vector<Issue>& issues() const { return m_issues; }
    [[nodiscard]] int count(Status status) const;

Q_SIGNALS:
    void inputWanted(const QString& path);
    void fixWanted(int index);

protected:
    void changeEvent(QEvent* event) override;

private:
    struct Row; ///< the widgets of one issue

    void showIssues();
    void showCounts();
    static void showMark(Row& row);
    static void showRow(Row& row, const Issue& issue);
    void addRow();

    std::vector<Issue> m_issues;
    QLabel* m_counts;
    QVBoxLayout* m_rows;
    std::vector<Row> m_shown; ///< as many as were ever needed; those at the end are hidden
};

} // namespace cw::views
