// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/common/paintedchart.h"

namespace cw::views {

struct SankeyNode
{
    int column = 0;
    Series series = Series::Other;
    double value = 0.0;
    QString name;
    QString valueText;
    bool loss = false; ///< hatched
    QString tooltip;
    QString quantity;
};

/// A flow between two nodes by index; from lies in an earlier column than to.
struct SankeyLink
{
    int from = 0;
    int to = 0;
    double value = 0.0;
    Series series = Series::Other;
    bool loss = false;
    QString tooltip;
    QString quantity;
};

struct SankeyData
{
    std::vector<SankeyNode> nodes; ///< order within a column is top to bottom
    std::vector<SankeyLink> links; ///< order at a node is top to bottom
    QString unit;                  ///< for the table
};

/// Flows from left to right; the height of a ribbon is its value, at one scale for the picture.
/// Each flow that ends has a line of its own, so that no name lies on another flow's; what ends
/// early stands at the bottom.
class Sankey : public PaintedChart
{
    Q_OBJECT

public:
    explicit Sankey(QWidget* parent = nullptr);
    void setData(SankeyData figures);

    void paint(QPainter& painter, const QRectF& bounds, const Theme& theme) const override;
    [[nodiscard]] std::vector<Mark> marks(const QRectF& bounds) const override;
    [[nodiscard]] bool isEmpty() const override { return m_data.nodes.empty(); }
    [[nodiscard]] ChartTable table() const override;
    [[nodiscard]] QSize sizeHint() const override { return {760, 380}; }

protected:
    void paintHover(QPainter& painter, const Mark& mark, const Theme& theme) const override;

private:
    struct Ribbon;
    struct Layout;
    [[nodiscard]] Layout layoutFor(const QRectF& bounds) const;
    [[nodiscard]] double scaleFor(const QRectF& area) const;
    [[nodiscard]] bool isEarly(std::size_t node) const;
    [[nodiscard]] bool isFirst(std::size_t node) const;
    [[nodiscard]] std::vector<std::size_t> childrenOf(std::size_t node) const;
    [[nodiscard]] std::vector<std::size_t> roots() const;
    [[nodiscard]] double slotHeight(std::size_t node, double scale, std::vector<char>& seen) const;
    double placeNode(Layout& l, std::size_t node, double y, std::vector<char>& seen) const;
    void placeEarly(Layout& l) const;
    void paintHead(QPainter& painter, const Layout& l, std::size_t node, const Theme& theme) const;
    void placeRibbons(Layout& l) const;
    [[nodiscard]] bool isLeaf(std::size_t node) const;
    void paintRibbon(QPainter& painter, const Ribbon& r, const SankeyLink& link, const Theme& theme,
                     double strength) const;
    void paintNode(QPainter& painter, const Layout& l, std::size_t node, const Theme& theme) const;

    SankeyData m_data;
};

} // namespace cw::views
