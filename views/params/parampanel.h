// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "model/scenario/registry.h"
#include "views/params/paramrow.h"

class QButtonGroup;
class QCheckBox;
class QLabel;
class QLineEdit;
class QScrollArea;
class QToolButton;
class QVBoxLayout;

namespace cw::views {

class ParamGroup;

/// What the panel shows at one moment. The scenarios outlive the call only.
struct PanelState
{
    const scenario::Scenario* scenario = nullptr;
    const scenario::Scenario* preset = nullptr;
    const scenario::Scenario* baseline = nullptr; ///< may be null
    std::set<std::string> locked;
    bool keepData = false;                         ///< data parallelism stays, the chips follow
    std::map<std::string, QString> derived;        ///< path: what null stands for
    std::map<std::string, double> derivedNumbers;  ///< the same as numbers, for sliders
    std::map<std::string, scenario::Value> scaled; ///< path: what the evaluation makes of it
    std::map<std::string, QString> problems;       ///< path: what is wrong
};

/// All inputs of a plan, made from the registry of parameters. Rows are made when they are first
/// seen.
class ParamPanel : public QWidget
{
    Q_OBJECT

public:
    using Degrees = std::function<std::vector<DegreeChoice>(const scenario::Scenario&,
                                                            const std::string& path)>;

    /// `degrees` answers which values of a degree are legal.
    explicit ParamPanel(Degrees degrees, QWidget* parent = nullptr);
    ~ParamPanel() override;

    void setState(const PanelState& state);
    /// Text at the right of a group's title: "model", "training", "parallelism", ...
    void setSummary(const std::string& group, const QString& text);
    /// Opens the group of an input, scrolls to it and puts the focus there.
    bool reveal(const QString& path);
    [[nodiscard]] int changedCount() const { return m_changed; }
    /// The row of an input, made where it was not yet; null where there is no such input.
    ParamRow* row(const std::string& path);
    [[nodiscard]] QLineEdit* filterBox() const { return m_filter; }
    void setShowAll(bool all);

Q_SIGNALS:
    void edited(const QString& path, const cw::scenario::Value& value, quint64 gesture);
    void gestureFinished();
    void presetWanted(const QString& path);
    void lockToggled(const QString& path, bool locked);
    void resetWanted(const QString& path);
    void keepDataWanted(bool keepData);
    void changedCountChanged(int count);

private:
    friend class ParamGroup;
    using Values = std::unordered_map<std::string, scenario::Value>;
    /// The values of a plan that stays as it is while another one is edited.
    struct Kept
    {
        std::optional<scenario::Scenario> plan;
        Values values;
        const Values& of(const scenario::Scenario* now);
    };
    struct Item
    {
        scenario::Parameter parameter;
        scenario::Value value;
        scenario::Value preset;
        std::optional<scenario::Value> baseline;
        ParamRow* row = nullptr;
        std::size_t group = 0;
        bool relevant = true;
        bool stale = false; ///< its degrees are of an older plan
        [[nodiscard]] bool isChanged() const { return baseline && *baseline != value; }
    };

    void build();
    void addKeepFixed();
    void rebuild(const std::vector<scenario::Parameter>& parameters);
    void readValues(const Values& now, const PanelState& state);
    void applyFilter();
    void fillGroup(std::size_t group);
    ParamRow* ensureRow(Item& item);
    void updateRow(Item& item);
    void updateStale();
    void updateCounts();
    [[nodiscard]] bool matches(const Item& item) const;
    /// Reads anew which inputs have a meaning; whether that changed.
    bool readRelevance();

    Degrees m_degrees;
    QLineEdit* m_filter = nullptr;
    QCheckBox* m_all = nullptr;
    QScrollArea* m_scroll = nullptr;
    QVBoxLayout* m_column = nullptr;
    QWidget* m_keep = nullptr;
    QButtonGroup* m_keepButtons = nullptr;
    QLabel* m_keepLabel = nullptr;
    QLabel* m_legend = nullptr;
    std::vector<ParamGroup*> m_groups;
    std::vector<Item> m_items;
    std::map<std::string, std::size_t> m_index;
    std::map<std::string, QString> m_summaries;
    PanelState m_state;
    scenario::Scenario m_scenario;
    Kept m_preset;
    Kept m_baseline;
    QString m_highlighted;
    int m_changed = 0;
    bool m_gesture = false;
};

} // namespace cw::views
