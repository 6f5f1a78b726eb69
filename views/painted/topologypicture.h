// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/common/paintedchart.h"

#include <limits>

namespace cw::views {

enum class TopologyLevel : std::uint8_t
{
    Site,
    Pod,
    Rack,
    Node
};

/// A pod, a rack, a node or a chip.
struct TopologyTile
{
    QString name;
    QString valueText; ///< "62 %", shown where there is room
    /// Utilization of its link upwards, 1 = 100 %; NaN: unknown or idle.
    double utilization = std::numeric_limits<double>::quiet_NaN();
    bool lit = false;      ///< belongs to the group that is lit up
    bool alert = false;    ///< drained, degraded or the slowest
    bool switches = false; ///< holds switches instead of chips
    QString tooltip;
    QString quantity;
};

struct TopologyLink
{
    int from = 0;
    int to = 0;
    double utilization = std::numeric_limits<double>::quiet_NaN();
    QString tooltip;
    QString quantity;
};

/// One panel. Which fields count depends on the level.
struct TopologyPanel
{
    QString title;    ///< "Pod P21"
    QString subtitle; ///< "128 compute and 32 switch racks, 504 GB/s per chip across racks"
    std::vector<TopologyTile> tiles;
    int selected = -1; ///< index of the tile the next panel shows
    QStringList notes; ///< below the picture
    bool lastNoteIsWarning = false;
    QString fabricName;              ///< site: core; rack: backplane; node: switch, when switched
    QStringList fabricLines;         ///< site: lines inside the ring
    int fabricGroups = 16;           ///< site: segments of the ring
    int fabricAlert = -1;            ///< site: drained segment
    int columns = 0;                 ///< pod: racks per row; 0 chooses
    QStringList columnNames;         ///< pod: above the columns
    QStringList rowNames;            ///< pod: left of the rows
    int chipsPerTile = 0;            ///< rack: chips of a node
    std::vector<TopologyLink> links; ///< node: between chips; empty with a switched domain
    QStringList extras;              ///< node: boxes such as "2 host CPUs"
};

struct TopologyData
{
    TopologyPanel site;
    TopologyPanel pod;
    TopologyPanel rack;
    TopologyPanel node;
};

/// Site, pod, rack and node as four linked panels.
class TopologyPicture : public PaintedChart
{
    Q_OBJECT

public:
    explicit TopologyPicture(QWidget* parent = nullptr);
    void setData(TopologyData figures);
    /// Lights tiles of one picture in place of those that were lit; for hovering.
    void setLit(TopologyLevel level, const std::vector<bool>& lit);

    void paint(QPainter& painter, const QRectF& bounds, const Theme& theme) const override;
    [[nodiscard]] std::vector<Mark> marks(const QRectF& bounds) const override;
    [[nodiscard]] bool isEmpty() const override { return m_data.site.tiles.empty(); }
    [[nodiscard]] ChartTable table() const override;
    [[nodiscard]] QSize sizeHint() const override { return {1000, 640}; }
    [[nodiscard]] QSize minimumSizeHint() const override { return {380, 340}; }

    /// Legend of the six bands, for a dock or below the picture.
    static void paintBandLegend(QPainter& painter, const QRectF& rect, const Theme& theme);
    /// What a mark's tag stands for; index is -1 for a link.
    static TopologyLevel levelOf(int tag);
    static int indexOf(int tag);

Q_SIGNALS:
    void tileClicked(cw::views::TopologyLevel level, int index);
    /// Index -1: the pointer left all tiles of that picture.
    void tileHovered(cw::views::TopologyLevel level, int index);

protected:
    void activateMark(const Mark& mark) override;
    void hoverChanged(int mark) override;
    void paintHover(QPainter& painter, const Mark& mark, const Theme& theme) const override;

private:
    /// A drawn tile: one of the data, or a run of them where there are too many to draw.
    struct Shown
    {
        int first = 0;
        int count = 1;
        QRectF rect;
        double turn = 0.0;
        TopologyTile look;
    };
    struct Layout
    {
        QRectF site, pod, rack, node;
        bool tall = false; ///< the site above, the node at the left of its rack
        QPointF centre;
        double core = 0.0;
        double ring = 0.0;
        QRectF backplane;
        QRectF nodeSwitch;
        std::vector<Shown> pods, racks, nodes, chips;
        double podNames = 0.0;
        int podColumns = 1;
    };
    [[nodiscard]] Layout layoutFor(const QRectF& bounds) const;
    void placeTall(Layout& l, const QRectF& bounds) const;
    void placePods(Layout& l) const;
    void placeRacks(Layout& l) const;
    void placeNodes(Layout& l) const;
    void placeChips(Layout& l) const;

    void paintPanel(QPainter& painter, const QRectF& box, const TopologyPanel& panel,
                    const Theme& theme, bool framed) const;
    void paintNotes(QPainter& painter, const QRectF& box, const TopologyPanel& panel,
                    const Theme& theme) const;
    void paintWedges(QPainter& painter, const Layout& l, const Theme& theme) const;
    void paintSite(QPainter& painter, const Layout& l, const Theme& theme) const;
    void paintCore(QPainter& painter, const Layout& l, const Theme& theme) const;
    void paintPodNames(QPainter& painter, const Layout& l, const Theme& theme) const;
    void paintPod(QPainter& painter, const Layout& l, const Theme& theme) const;
    void paintRack(QPainter& painter, const Layout& l, const Theme& theme) const;
    void paintRackRow(QPainter& painter, const Shown& tile, const Theme& theme) const;
    void paintNode(QPainter& painter, const Layout& l, const Theme& theme) const;
    void paintNodeLinks(QPainter& painter, const Layout& l, const Theme& theme) const;
    void paintTile(QPainter& painter, const Shown& tile, bool selected, const Theme& theme) const;

    TopologyData m_data;
};

} // namespace cw::views
