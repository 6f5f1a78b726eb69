// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/common/paintedchart.h"

namespace cw::views {

/// A fact beside a pipe: a label, a value below it, a smaller line below that.
struct RackFact
{
    QString label;
    QString value;
    QString detail;
    QString quantity;
    bool large = false;
    bool warm = false; ///< in the colour of the return
    bool cold = false; ///< in the colour of the supply
};

struct RackViewData
{
    int nodes = 0;
    int chipsPerNode = 0;
    QString nodePrefix;          ///< before the number of a node, "N"
    std::vector<RackFact> left;  ///< beside the supply
    std::vector<RackFact> right; ///< beside the return
    RackFact rack;               ///< below the nodes
    RackFact plant;              ///< the box below the pipes
    bool liquid = true;          ///< pipes; else arrows of air
    double supply = 0.0;         ///< temperature that can be dragged, C
    double least = 10.0;         ///< range of the drag
    double most = 50.0;
    QString supplyQuantity;
};

/// One rack between its supply and return. The handle on the supply is its temperature: it can be
/// dragged up and down, or moved by the Up and Down keys.
class RackView : public PaintedChart
{
    Q_OBJECT

public:
    explicit RackView(QWidget* parent = nullptr);
    void setData(RackViewData figures);
    [[nodiscard]] const RackViewData& figures() const { return m_data; }
    /// Where the handle can be taken.
    [[nodiscard]] QRectF handleRect() const;
    /// Pixel of a temperature on the supply.
    [[nodiscard]] double pixelOf(double celsius) const;

    void paint(QPainter& painter, const QRectF& bounds, const Theme& theme) const override;
    [[nodiscard]] std::vector<Mark> marks(const QRectF& bounds) const override;
    [[nodiscard]] bool isEmpty() const override { return m_data.nodes <= 0; }
    [[nodiscard]] ChartTable table() const override;
    [[nodiscard]] QSize sizeHint() const override { return {300, 380}; }

Q_SIGNALS:
    void supplyDragStarted();
    void supplyDragged(double celsius);
    void supplyDragFinished();

protected:
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    struct Layout;
    [[nodiscard]] Layout layoutFor(const QRectF& bounds) const;
    void paintPipes(QPainter& painter, const Layout& l, const Theme& theme) const;
    void paintNodes(QPainter& painter, const Layout& l, const Theme& theme) const;
    static void paintChips(QPainter& painter, const QRectF& box, int chips, const Theme& theme);
    void paintFacts(QPainter& painter, const Layout& l, const Theme& theme) const;
    void paintHandle(QPainter& painter, const Layout& l, const Theme& theme) const;
    void moveSupply(double celsius);

    RackViewData m_data;
    bool m_dragging = false;
};

} // namespace cw::views
