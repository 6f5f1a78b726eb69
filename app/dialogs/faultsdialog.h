// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>

#include "model/scenario/fault.h"

namespace cw::app {

/// Says all that is wrong with a file, one line for each fault; the text can be copied.
class FaultsDialog : public QDialog
{
    Q_OBJECT

public:
    FaultsDialog(const QString& title, const QString& summary, const scenario::Faults& faults,
                 QWidget* parent = nullptr);

    [[nodiscard]] static QStringList linesOf(const scenario::Faults& faults);
};

} // namespace cw::app
