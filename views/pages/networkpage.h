// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTimer>
#include <functional>

#include "views/pages/networkfigures.h"
#include "views/pages/page.h"

class QBoxLayout;
class QButtonGroup;
class QLabel;
class QLineEdit;
class QPushButton;
class QScrollArea;

namespace cw::views {

class ChartFrame;
class ElidedLabel;
class HiddenExposedBars;
class LinkLegend;

/// The machine from the site to the chip, what passes its links, and the groups of a rank.
class NetworkPage final : public Page
{
    Q_OBJECT

public:
    explicit NetworkPage(QWidget* parent = nullptr);
    [[nodiscard]] QString key() const override { return QStringLiteral("network"); }
    /// Chooses the chip of a rank and brings it into sight; whether there is such a rank.
    bool findRank(std::int64_t rank);
    /// The same plan on other networks; read when the plan has been still for a moment.
    void setAlternatives(std::vector<TopologyAlternative> alternatives);

protected:
    void refresh(const PageData& figures) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    QBoxLayout* buildPlaces();
    QBoxLayout* buildChoices();
    QWidget* buildSide();
    QPushButton* addTool(QBoxLayout* line, const char* text, const char* tip);
    void search();
    void hover(std::int64_t first, std::int64_t chips);
    void choose(std::int64_t first, std::int64_t chips);
    void follow(const QString& level);
    void showPath();
    void showLit(std::int64_t chip);
    void arrange();
    void fitSide();
    /// A card of the side is filled when it is in sight, or when the plan has been still.
    void addCard(QWidget* chart, std::function<void()> fill);
    void fillCards(bool all);

    struct LazyCard
    {
        QWidget* chart;
        std::function<void()> fill;
        bool stale = false;
    };
    TopologyPicture* m_picture;
    ChartFrame* m_pictureFrame;
    MatrixTable* m_traffic;
    HiddenExposedBars* m_wire;
    MatrixTable* m_others;
    FactList* m_built;
    FactList* m_hot;
    FactList* m_rank;
    ChartFrame* m_trafficFrame = nullptr;
    QButtonGroup* m_kinds;
    QButtonGroup* m_loads;
    QLabel* m_path;
    ElidedLabel* m_sentence;
    QLineEdit* m_search;
    QBoxLayout* m_line = nullptr;    ///< picture, then side
    QBoxLayout* m_columns = nullptr; ///< the two columns of the side
    QScrollArea* m_scroll = nullptr;
    QWidget* m_side = nullptr;
    NetworkFiguresPtr m_figures;
    std::vector<TopologyAlternative> m_alternatives;
    NetworkChoice m_choice;
    std::vector<LazyCard> m_cards;
    QTimer m_still;
    int m_narrow = -1; ///< -1: not arranged yet
};

} // namespace cw::views
