// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <optional>
#include <string>
#include <vector>

#include "model/scenario/registry.h"
#include "views/theme/icons.h"

class QCheckBox;
class QComboBox;
class QLabel;
class QLineEdit;
class QToolButton;
class QVBoxLayout;

namespace cw::views {

class ValueSlider;

/// A degree of parallelism on offer.
struct DegreeChoice
{
    double value = 1;
    bool legal = true;
    QString reason; ///< why not
    friend bool operator==(const DegreeChoice&, const DegreeChoice&) = default;
};

/// All that a row shows.
struct RowState
{
    scenario::Value value;
    scenario::Value preset;                  ///< of the preset or default
    std::optional<scenario::Value> baseline; ///< of the pinned plan, where there is one
    bool locked = false;
    std::vector<DegreeChoice> degrees;     ///< of a parameter with Scale::Degree
    QString derived;                       ///< what null stands for at the moment
    std::optional<double> derivedNumber;   ///< the same as a number, where the slider stands
    std::optional<scenario::Value> scaled; ///< what the evaluation makes of the value, if another
    QString problem;                       ///< what is wrong with the value; empty when nothing is
    QString presetName;                    ///< of a Preset parameter: its name

    [[nodiscard]] bool isChanged() const { return baseline && *baseline != value; }
    friend bool operator==(const RowState&, const RowState&) = default;
};

/// One input: label, exact field with unit, lock, reset; below it a slider or the legal degrees.
class ParamRow : public QWidget
{
    Q_OBJECT

public:
    explicit ParamRow(scenario::Parameter parameter, QWidget* parent = nullptr);
    ~ParamRow() override;

    [[nodiscard]] const scenario::Parameter& parameter() const { return m_parameter; }
    void setState(RowState state);
    /// Shows the state again where the reader has moved or typed over it.
    void showAgain() { showValue(); }
    [[nodiscard]] const RowState& state() const { return m_state; }
    /// Puts the focus on the exact field or what stands for it.
    void focusEditor();
    /// Draws attention for a moment, after a jump.
    void setHighlighted(bool highlighted);

    [[nodiscard]] ValueSlider* slider() const { return m_slider; }
    [[nodiscard]] QLineEdit* field() const { return m_field; }
    [[nodiscard]] QToolButton* lockButton() const { return m_lock; }
    [[nodiscard]] QToolButton* resetButton() const { return m_reset; }
    [[nodiscard]] QComboBox* combo() const { return m_combo; }
    [[nodiscard]] QLabel* label() const { return m_label; }

Q_SIGNALS:
    void edited(const QString& path, const cw::scenario::Value& value, quint64 gesture);
    void gestureFinished();
    void presetWanted(const QString& path);
    void lockToggled(const QString& path, bool locked);
    void resetWanted(const QString& path);

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    /// What the bar at the left edge says.
    enum class Edge : std::uint8_t
    {
        None,
        Changed,
        Problem
    };
    static Edge edgeOf(const RowState& state);
    void build();
    QWidget* createEditor();
    QWidget* createCombo();
    QWidget* createField();
    QWidget* createChoices();
    void createBelow(QVBoxLayout* column);
    void retranslate();
    void commitField();
    /// Frames the field in red and says why; empty: the field is right.
    void markWrong(const QString& why);
    void showValue();
    void showDegrees();
    void showChoices();
    void emitValue(const scenario::Value& value, quint64 gesture = 0);

    scenario::Parameter m_parameter;
    RowState m_state;
    bool m_hasState = false;
    Icon m_lockIcon = Icon::Unlock; ///< as the button is made
    Edge m_edge = Edge::None;
    bool m_highlighted = false;
    QLabel* m_label = nullptr;
    QLineEdit* m_field = nullptr;
    QComboBox* m_combo = nullptr;
    QCheckBox* m_check = nullptr;
    QToolButton* m_menuButton = nullptr;
    QToolButton* m_lock = nullptr;
    QToolButton* m_reset = nullptr;
    ValueSlider* m_slider = nullptr;
    QWidget* m_chips = nullptr;
};

} // namespace cw::views
