// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <vector>

#include "views/pages/page.h"

class QGridLayout;

namespace cw::views {

/// A change of the plan that may save memory, with what it saves and what it costs.
struct Remedy
{
    QString name;
    QString saves;     ///< on the fullest stage, with sign
    QString step;      ///< change of the step's time, with sign
    QString why;       ///< how it does so; may be empty
    double saved = 0;  ///< bytes
    double slower = 0; ///< seconds of a step, with sign
    bool helps = false;
    bool fits = false; ///< the plan fits with it
    PageEdits edits;

    bool operator==(const Remedy&) const = default;
};

/// Remedies below each other, each with a button that applies it.
class RemedyList final : public QWidget
{
    Q_OBJECT

public:
    explicit RemedyList(QWidget* parent = nullptr);
    void setRemedies(std::vector<Remedy> remedies);
    [[nodiscard]] const std::vector<Remedy>& remedies() const { return m_remedies; }

Q_SIGNALS:
    void wanted(int index);

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void rebuild();
    void addRow(int row, const Remedy& remedy);

    std::vector<Remedy> m_remedies;
    QGridLayout* m_grid;
    /// How much there is room for: names above their figures, in one line, with bars, with
    /// reasons too.
    enum class Room : std::uint8_t
    {
        Stacked,
        Line,
        Bars,
        Wide
    };
    [[nodiscard]] Room room() const;
    Room m_room = Room::Line;
};

} // namespace cw::views
