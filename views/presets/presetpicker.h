// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>
#include <string>

class QLabel;
class QLineEdit;
class QPushButton;
class QTreeWidget;

namespace cw::views {

/// Chooses a preset of a kind: a filter above a list with the key numbers beside the names.
class PresetPicker : public QDialog
{
    Q_OBJECT

public:
    /// `current` is selected at first.
    PresetPicker(std::string kind, const QString& current, QWidget* parent = nullptr);

    [[nodiscard]] QString chosenId() const;
    [[nodiscard]] QLineEdit* filterBox() const { return m_filter; }
    [[nodiscard]] QTreeWidget* list() const { return m_list; }

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void fill(const QString& current);
    void applyFilter(const QString& text);
    void showNotes();

    std::string m_kind;
    QLineEdit* m_filter;
    QTreeWidget* m_list;
    QLabel* m_notes;
    QPushButton* m_accept;
};

/// The numbers a reader chooses a preset by, as text: "989 TFLOP/s bf16, 85.5 GB, 700 W".
QString keyNumbersOf(const std::string& kind, const std::string& id);

} // namespace cw::views
