// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <string>

class QLabel;
class QToolButton;
class QVBoxLayout;

namespace cw::views {

class ElidedLabel;

/// A part of the plan in the input panel: a title that opens and closes what is below it.
class ParamGroup : public QWidget
{
    Q_OBJECT

public:
    explicit ParamGroup(std::string key, QWidget* parent = nullptr);

    [[nodiscard]] const std::string& key() const { return m_key; }
    [[nodiscard]] bool isOpen() const { return m_open; }
    void setOpen(bool open);
    /// Opened by the filter for a while; closing the filter gives back what was before.
    void setForced(bool forced);
    [[nodiscard]] bool isShown() const { return m_open || m_forced; }
    void setSummary(const QString& text);
    [[nodiscard]] QVBoxLayout* body() const { return m_bodyColumn; }
    /// A small title above the rows of an inner part.
    QLabel* addCaption(const std::string& part);

Q_SIGNALS:
    void opened();

private:
    void show();

    std::string m_key;
    bool m_open = false;
    bool m_forced = false;
    QToolButton* m_title;
    ElidedLabel* m_summary;
    QWidget* m_body;
    QVBoxLayout* m_bodyColumn;
};

/// The group of the panel that a part belongs to ("cluster.chip.efficiency": "chip").
std::string groupOf(const std::string& part);
/// Name of an inner part, for its caption; empty for the group's own rows.
QString captionOf(const std::string& part);

} // namespace cw::views
