// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/common/paintedchart.h"
#include "views/painted/maplayout.h"

#include <functional>
#include <limits>
#include <optional>

namespace cw::views {

enum class TopologyLevel : std::uint8_t
{
    Site,
    Pod,
    Rack,
    Node,
    Links ///< a bar of the histogram
};

/// A rack, a node or a chip of a panel.
struct TopologyTile
{
    QString name;
    std::int64_t first = 0; ///< chip of the machine
    std::int64_t chips = 1;
    QString valueText; ///< "62 %", shown where there is room
    /// Utilization of its link upwards, 1 = 100 %; NaN: unknown or idle.
    double utilization = std::numeric_limits<double>::quiet_NaN();
    bool idle = false;  ///< holds no rank
    bool alert = false; ///< degraded or the slowest
    QString tooltip;
    QString quantity;
    bool lit = false;              ///< holds a chip of a group that is lit; set by the picture
    Series series = Series::Chips; ///< of that group; set by the picture
    /// Rack: pipeline stage of its ranks, and the numbers of their groups, both last included; -1:
    /// none.
    std::int64_t stage = -1;
    std::int64_t stageLast = -1;
    std::int64_t groupFirst = -1;
    std::int64_t groupLast = -1;
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
    QString fabricName;              ///< rack: backplane; node: switch, when switched
    int columns = 0;                 ///< pod: racks per row; 0 chooses
    bool byStage = false;            ///< pod: a column for each stage
    QString columnHead;              ///< pod: "stage", above the columns
    QString rowHead;                 ///< pod: "EP", before the numbers of a row's groups
    int together = 1;                ///< pod: racks of one group, kept in a row where they fit
    int switches = 0;                ///< pod: drawn in the middle as racks of their own
    int nodesPerTile = 0;            ///< pod: nodes of a rack, drawn where there is room
    int chipsPerTile = 0;            ///< rack: chips of a node
    std::vector<TopologyLink> links; ///< node: between chips; empty with a switched domain
    QStringList extras;              ///< node: boxes such as "2 host CPUs"
};

/// How many links are filled how far, and what is to be said of the fullest.
struct TopologyHistogram
{
    QString title;
    std::vector<double>
        links;              ///< one number for each tenth of utilization; the last is above 100 %
    QStringList tips;       ///< of each bar
    QStringList quantities; ///< of each bar: explained by a click
    QStringList notes;      ///< beside it
    bool warning = false;   ///< the first note tells of links over their capacity
};

struct TopologyData
{
    MapData map;
    QString title; ///< above the map
    QString subtitle;
    TopologyHistogram histogram;
    TopologyPanel pod;
    TopologyPanel rack;
    TopologyPanel node;
    ChartTable table;                    ///< the twin: what the page knows of each tier and kind
    std::function<ChartTable()> tableOf; ///< the same, made when it is asked for
    /// Text of a tile's tip, made when it is asked for; tiles with a tip of their own keep it.
    std::function<QString(TopologyLevel, const TopologyTile&)> describe;
};

/// The machine as a map that is zoomed and moved, from the site to the chip; beside it pod, rack
/// and node of the chosen chip, each drawn out of the one before.
class TopologyPicture : public PaintedChart
{
    Q_OBJECT

public:
    explicit TopologyPicture(QWidget* parent = nullptr);
    void setData(TopologyData figures);
    /// Lights groups in place of those that were lit; for hovering.
    void setGroups(std::vector<MapGroup> groups);
    [[nodiscard]] const MapData& map() const { return m_data.map; }

    /// The map alone, over the whole picture.
    void setMapOnly(bool only);
    [[nodiscard]] const MapSight& sight() const { return m_sight; }
    void zoomBy(double factor); ///< about the middle
    void zoomToPart(int level, std::int64_t first);
    void zoomOut(); ///< to the whole machine
    [[nodiscard]] QRectF mapArea() const;
    /// Where a part of the map is drawn at the moment.
    [[nodiscard]] QRectF rectOfPart(int level, std::int64_t first) const;
    [[nodiscard]] MapPart partAt(const QPointF& position) const;

    void paint(QPainter& painter, const QRectF& bounds, const Theme& theme) const override;
    [[nodiscard]] std::vector<Mark> marks(const QRectF& bounds) const override;
    [[nodiscard]] bool isEmpty() const override { return m_data.map.levels.empty(); }
    [[nodiscard]] ChartTable table() const override;
    [[nodiscard]] QSize sizeHint() const override { return {1000, 640}; }
    [[nodiscard]] QSize minimumSizeHint() const override { return {380, 340}; }

    /// What a mark's tag stands for; index is -1 for a link.
    static TopologyLevel levelOf(int tag);
    static int indexOf(int tag);

Q_SIGNALS:
    void chipChosen(std::int64_t first, std::int64_t chips);
    /// The pointer came to a part of so many chips; 0 chips: it left all of them.
    void chipsHovered(std::int64_t first, std::int64_t chips);
    void sightChanged();

protected:
    bool event(QEvent* event) override;
    void activateMark(const Mark& mark) override;
    [[nodiscard]] QString markTip(const Mark& mark) const override;
    [[nodiscard]] QString markSpoken(const Mark& mark) const override;
    void hoverChanged(int mark) override;
    void paintHover(QPainter& painter, const Mark& mark, const Theme& theme) const override;
    void paintEvent(QPaintEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void leaveEvent(QEvent* event) override;

private:
    /// A drawn tile: one of the data, or a run of them where there are too many to draw.
    struct Shown
    {
        int first = 0;
        int count = 1;
        QRectF rect;
        TopologyTile look;
    };
    struct Label
    {
        QRectF rect;
        QString text;
        int align = 0;
        bool own = false; ///< of the chosen rack
    };
    struct Row ///< of the pod: the groups of its racks
    {
        std::int64_t low = -1;
        std::int64_t high = -1;
        double y = 0.0;
    };
    struct Layout
    {
        QRectF site, map, histogram, pod, rack, node;
        bool tall = false; ///< the site above, the node at the left of its rack
        QRectF backplane;
        QRectF nodeSwitch;
        std::vector<Shown> racks, nodes, chips;
        std::vector<Label> podLabels; ///< of columns and rows
        std::vector<QRectF> switches; ///< in the middle of the pod
    };
    /// Kept until the data or the bounds change.
    [[nodiscard]] const Layout& layoutFor(const QRectF& bounds) const;
    [[nodiscard]] Layout laidOut(const QRectF& bounds) const;
    [[nodiscard]] MapPart partOf(int tag) const;
    void zoomTo(bool in);
    void placeSite(Layout& l) const;
    void placeTall(Layout& l, const QRectF& bounds) const;
    void placeRacks(Layout& l) const;
    void placeColumns(Layout& l, int columns, const QRectF& area) const;
    void placeLabels(Layout& l, const std::vector<int>& columnOf, const std::vector<int>& rowOf,
                     double labels) const;
    static std::vector<Row> rowsOf(const Layout& l, const std::vector<int>& rowOf);
    [[nodiscard]] int podColumns(const QRectF& area, int count) const;
    void placeNodes(Layout& l) const;
    void placeChips(Layout& l) const;
    [[nodiscard]] MapLayout mapLayout(const QRectF& area) const;
    void setSight(const MapSight& sight);
    /// What is painted anew when the map has moved.
    static QRect movedRect(const Layout& l);
    void light();
    void hoverMap(const QPointF& position);
    [[nodiscard]] const TopologyTile* tileOf(int tag) const;
    bool moveByKey(QKeyEvent* event);

    void paintSite(QPainter& painter, const Layout& l, const Theme& theme) const;
    void paintHistogram(QPainter& painter, const QRectF& box, const Theme& theme) const;
    /// Bars of the histogram: as wide as their tenth, as high as they count.
    [[nodiscard]] std::vector<QRectF> bars(const QRectF& box) const;
    void paintPodWedge(QPainter& painter, const Layout& l, const Theme& theme) const;
    void paintPanel(QPainter& painter, const QRectF& box, const TopologyPanel& panel,
                    const Theme& theme) const;
    void paintTitle(QPainter& painter, const QPointF& at, double right, const QString& title,
                    const QString& subtitle, const Theme& theme) const;
    void paintNotes(QPainter& painter, const QRectF& box, const TopologyPanel& panel,
                    const Theme& theme) const;
    void paintWedges(QPainter& painter, const Layout& l, const Theme& theme) const;
    void paintPod(QPainter& painter, const Layout& l, const Theme& theme) const;
    void paintPodMarks(QPainter& painter, const Layout& l, const Theme& theme) const;
    void paintPodFrame(QPainter& painter, const Layout& l, const Theme& theme) const;
    void paintPodPath(QPainter& painter, const Layout& l, const Theme& theme) const;
    void paintNodesOf(QPainter& painter, const Shown& rack, const Theme& theme) const;
    void paintRoomyRack(QPainter& painter, const Shown& rack, bool own, const Theme& theme) const;
    void paintRack(QPainter& painter, const Layout& l, const Theme& theme) const;
    void paintRackRow(QPainter& painter, const Shown& tile, const Theme& theme) const;
    void paintNode(QPainter& painter, const Layout& l, const Theme& theme) const;
    void paintNodeLinks(QPainter& painter, const Layout& l, const Theme& theme) const;
    void paintNodeExtras(QPainter& painter, const QRectF& box, const Theme& theme) const;
    void paintTile(QPainter& painter, const Shown& tile, bool selected, const Theme& theme) const;

    static constexpr double kLeastExtras = 185.0; ///< height of a node's panel that has room

    TopologyData m_data;
    mutable std::optional<Layout> m_layout;
    mutable QRectF m_layoutBounds;
    MapSight m_sight;
    bool m_mapOnly = false;
    MapPart m_over;      ///< part of the map under the pointer
    MapPart m_pressed;   ///< where the button went down
    QPointF m_grip;      ///< last place of the pointer while the map is moved
    bool m_down = false; ///< the button went down on the map
    bool m_moving = false;
};

} // namespace cw::views
