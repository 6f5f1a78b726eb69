// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>

#include "model/scenario/plan.h"

class QLineEdit;
class QPushButton;

namespace cw::app {

/// A new plan from presets: a model, a machine, and how many chips.
class NewPlanDialog : public QDialog
{
    Q_OBJECT

public:
    explicit NewPlanDialog(QWidget* parent = nullptr);

    [[nodiscard]] scenario::Plan plan() const;
    /// A plan of these presets; an id that does not exist leaves its part at the defaults.
    [[nodiscard]] static scenario::Plan planOf(const std::string& model, const std::string& system,
                                               std::int64_t chips);

private:
    void choose(const char* kind, std::string& id);
    void showChoice();

    std::string m_model = "llama3.1-70b";
    std::string m_system = "dgx-h100";
    QPushButton* m_modelButton;
    QPushButton* m_systemButton;
    QLineEdit* m_chips;
};

} // namespace cw::app
