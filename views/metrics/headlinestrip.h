// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractButton>
#include <QWidget>
#include <optional>
#include <vector>

#include "views/theme/theme.h"

class QHBoxLayout;
class QLabel;

namespace cw::views {

/// One figure of the strip, as text.
struct Headline
{
    QString path; ///< of the quantity; empty for a cell that only stands for an action
    QString page; ///< the page that tells more
    QString label;
    QString value;
    QString unit;
    QString sub;   ///< below, where there is no change to show
    QString band;  ///< range of the value; stands for `sub`, after `delta` where there is room
    QString delta; ///< change against the baseline, with sign and unit
    int direction = 0;
    Change change = Change::Neutral;
    std::optional<Status> status; ///< a mark before the value, and its colour
    bool assumed = false;         ///< rests on an assumption
    QString assumedText;          ///< the word on its tag
    QString baselineValue;        ///< shown instead while Alt is held
    QString tip;
    friend bool operator==(const Headline&, const Headline&) = default;
};

class HeadlineCell final : public QAbstractButton
{
    Q_OBJECT

public:
    explicit HeadlineCell(QWidget* parent = nullptr);
    void setHeadline(const Headline& headline);
    [[nodiscard]] const Headline& headline() const { return m_headline; }
    void setShowsBaseline(bool shows);
    void setScale(double scale);
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    [[nodiscard]] double px(double size) const { return size * m_scale; }
    void paintValue(QPainter& painter, const Theme& theme) const;
    void paintAssumed(QPainter& painter, const Theme& theme) const;
    void paintBelow(QPainter& painter, const Theme& theme) const;

    Headline m_headline;
    bool m_showsBaseline = false;
    double m_scale = 1.0;
};

/// The figures that are always in sight.
class HeadlineStrip : public QWidget
{
    Q_OBJECT

public:
    explicit HeadlineStrip(QWidget* parent = nullptr);

    void setHeadlines(const std::vector<Headline>& headlines);
    /// One sentence on why the plan cannot be; empty where it can.
    void setProblem(const QString& text);
    [[nodiscard]] QString problem() const;
    /// Marks the cell whose quantity is explained.
    void setCurrent(const QString& path);
    /// The baseline's values in place of the plan's.
    void setShowsBaseline(bool shows);
    /// Larger type for an audience.
    void setScale(double scale);
    [[nodiscard]] const std::vector<HeadlineCell*>& cells() const { return m_cells; }

Q_SIGNALS:
    void chosen(const QString& path, const QString& page);

private:
    std::vector<HeadlineCell*> m_cells;
    QHBoxLayout* m_line;
    QLabel* m_problem;
    QString m_current;
    double m_scale = 1.0;
};

} // namespace cw::views
