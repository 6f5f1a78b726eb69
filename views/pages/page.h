// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "model/evaluation/evaluation.h"
#include "model/scenario/registry.h"

namespace cw::views {

/// What a page shows: the plan, its evaluation, and that of the pinned baseline (may be null).
struct PageData
{
    std::shared_ptr<const scenario::Scenario> scenario;
    std::shared_ptr<const evaluation::Evaluation> evaluation;
    std::shared_ptr<const evaluation::Evaluation> baseline;
};

using PageEdits = std::vector<std::pair<std::string, scenario::Value>>;

/// A page of the window. It keeps no state of the plan; while it is hidden it only remembers the
/// newest data.
class Page : public QWidget
{
    Q_OBJECT

public:
    explicit Page(QWidget* parent = nullptr);

    /// Key of its title, "overview"; also its name on the command line.
    [[nodiscard]] virtual QString key() const = 0;
    void setData(const PageData& figures);
    /// Reads now what is read once the plan is still; for tests and pictures.
    virtual void flush() {}

Q_SIGNALS:
    /// A number was clicked: explain it.
    void quantityClicked(const QString& path);
    /// Edits that make one undo step; those of one gesture are one step together.
    void editsWanted(const cw::views::PageEdits& edits, const QString& text, quint64 gesture);
    /// Show the row of an input.
    void inputWanted(const QString& path);

protected:
    /// Shows the data; called when it is visible only.
    virtual void refresh(const PageData& figures) = 0;
    [[nodiscard]] const PageData& current() const { return m_data; }
    void showEvent(QShowEvent* event) override;

private:
    PageData m_data;
    bool m_waiting = false;
};

} // namespace cw::views
