// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/network/placement.h"
#include "views/pages/page.h"

class QButtonGroup;
class QLabel;

namespace cw::views {

class ChartFrame;
class FactList;
class TopologyPicture;
enum class TopologyLevel : std::uint8_t;

/// The machine from the site to the chip, with the group of the chosen chip lit up.
class NetworkPage final : public Page
{
    Q_OBJECT

public:
    explicit NetworkPage(QWidget* parent = nullptr);
    [[nodiscard]] QString key() const override { return QStringLiteral("network"); }

protected:
    void refresh(const PageData& figures) override;

private:
    void hover(TopologyLevel level, int index);
    /// Whether the group holds one of the chips from `first` up to `end`.
    [[nodiscard]] bool isLit(std::int64_t first, std::int64_t end) const;
    void choose(TopologyLevel level, int index);
    void showBuilt(const PageData& figures);
    void showGroup(const PageData& figures);
    void showPicture(const PageData& figures);

    TopologyPicture* m_picture;
    FactList* m_built;
    FactList* m_groups;
    ChartFrame* m_pictureFrame;
    QButtonGroup* m_kinds;
    QLabel* m_lit;
    std::vector<std::int64_t> m_chips; ///< of the group that is lit, sorted
    std::int64_t m_hovered = -1;       ///< chip under the pointer
    int m_kind = 0;
    int m_pod = 0;
    int m_rack = 0;
    int m_node = 0;
    int m_chip = 0;
};

} // namespace cw::views
