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

/// Chooses which rows of a validation are looked at.
class ValidationFilter final : public QWidget
{
    Q_OBJECT

public:
    explicit ValidationFilter(QWidget* parent = nullptr);
    /// The rows there are to choose from; they must outlive the filter's next call.
    void setRows(const std::vector<calibrate::RowResult>* rows);
    [[nodiscard]] const calibrate::Selection& selection() const { return m_selection; }
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
    void setQuantity(int index);

    const std::vector<calibrate::RowResult>* m_rows = nullptr;
    calibrate::Selection m_selection;
    std::vector<QPushButton*> m_quantities;
    std::map<calibrate::Trait, QComboBox*> m_combos;
    QCheckBox* m_keptBack;
    QPushButton* m_clear;
};

/// A trait and its values in words.
QString traitWord(calibrate::Trait trait);
QString traitValue(calibrate::Trait trait, const std::string& value);

} // namespace cw::views
