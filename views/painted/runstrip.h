// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/common/paintedchart.h"

namespace cw::views {

/// A stretch of the hour that is shown in full; seconds from its start.
struct StripStretch
{
    double begin = 0.0;
    double end = 0.0;
    Series series = Series::Other;
    QString name;
    double height = 1.0; ///< share of full height: of replicas at work
};

struct RunStripData
{
    std::vector<double> hours; ///< goodput of each, 24 to a day
    double mean = 0.0;         ///< the colours turn around it
    double step = 0.05;        ///< width of one band of colour below it
    double stepAbove = 0.05;   ///< and above
    int selected = -1;         ///< hour shown in full
    QString selectedName;      ///< two lines: day and hour
    std::vector<StripStretch> stretches;
    std::vector<double> failures;     ///< seconds from the start of that hour
    std::vector<StripStretch> legend; ///< series and name alone
    QString failureName;
    QString dayName;  ///< left of the numbers of the days
    QString hourName; ///< heads the table
    QString valueName;
    std::vector<QString> bandNames; ///< seven, from the worst
    QString bandTitle;
    QString note;
};

/// A month as one cell for each hour, and one of them as a strip of work, saves, losses and
/// restarts.
class RunStrip : public PaintedChart
{
    Q_OBJECT

public:
    static constexpr int kBands = 7;

    explicit RunStrip(QWidget* parent = nullptr);
    void setData(RunStripData figures);
    [[nodiscard]] const RunStripData& figures() const { return m_data; }
    [[nodiscard]] QRectF cellRect(int hour) const;

    void paint(QPainter& painter, const QRectF& bounds, const Theme& theme) const override;
    [[nodiscard]] std::vector<Mark> marks(const QRectF& bounds) const override;
    [[nodiscard]] bool isEmpty() const override { return m_data.hours.empty(); }
    [[nodiscard]] ChartTable table() const override;
    [[nodiscard]] QSize sizeHint() const override { return {700, 190}; }
    [[nodiscard]] QSize minimumSizeHint() const override { return {380, 210}; }

Q_SIGNALS:
    void hourClicked(int hour);

protected:
    void activateMark(const Mark& mark) override;
    [[nodiscard]] QString markTip(const Mark& mark) const override;
    [[nodiscard]] QString markSpoken(const Mark& mark) const override;

private:
    struct Layout;
    [[nodiscard]] Layout layoutFor(const QRectF& bounds) const;
    [[nodiscard]] int bandOf(double goodput) const;
    [[nodiscard]] QString hourText(int hour) const;
    void paintHours(QPainter& painter, const Layout& l, const Theme& theme) const;
    void paintHour(QPainter& painter, const Layout& l, const Theme& theme) const;
    void paintLegends(QPainter& painter, const Layout& l, const Theme& theme) const;

    RunStripData m_data;
};

} // namespace cw::views
