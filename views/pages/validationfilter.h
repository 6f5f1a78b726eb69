// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <map>
#include <vector>

#include "model/calibrate/comparison.h"

class QCheckBox;
class QComboBox;
class QPushButton;

namespace cw::views {

/// What a validation is looked at for; the order of the buttons.
enum class ValidationMode : std::uint8_t
{
    Step,
    Memory,
    Collectives,
    Verdict, ///< fits or does not fit
    Order    ///< of the layouts of a sweep
};

/// Chooses which rows of a validation are looked at.
class ValidationFilter final : public QWidget
{
    Q_OBJECT

public:
    explicit ValidationFilter(QWidget* parent = nullptr);
    /// The rows there are to choose from; they must outlive the filter's next call.
    void setRows(const calibrate::Validation* rows);
    [[nodiscard]] ValidationMode mode() const { return m_mode; }
    [[nodiscard]] const calibrate::Selection& selection() const { return m_selection; }
    /// Whether rows of what is looked at differ in a trait.
    [[nodiscard]] bool offers(calibrate::Trait trait) const;
    void choose(calibrate::Trait trait, const std::string& value);
    void clear();

    [[nodiscard]] QComboBox* combo(calibrate::Trait trait) const { return m_combos.at(trait); }
    [[nodiscard]] QCheckBox* keptBackOnly() const { return m_keptBack; }
    [[nodiscard]] QPushButton* clearButton() const { return m_clear; }
    [[nodiscard]] QPushButton* quantityButton(int index) const;

Q_SIGNALS:
    void changed();

private:
    void addQuantities();
    void addCombo(calibrate::Trait trait);
    void fill();
    void fillCombo(calibrate::Trait trait);
    void fillSweeps();
    void setMode(ValidationMode mode);
    void dropWhatNoRowHas();

    const calibrate::Validation* m_rows = nullptr;
    ValidationMode m_mode = ValidationMode::Step;
    calibrate::Selection m_selection;
    std::vector<QPushButton*> m_quantities;
    std::map<calibrate::Trait, QComboBox*> m_combos;
    QCheckBox* m_keptBack;
    QPushButton* m_clear;
};

/// A trait and its values in words; collectives have other names for some.
QString traitWord(calibrate::Trait trait, ValidationMode mode = ValidationMode::Step);
QString traitValue(calibrate::Trait trait, const std::string& value);

} // namespace cw::views
