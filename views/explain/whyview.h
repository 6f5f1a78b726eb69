// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QWidget>
#include <functional>
#include <map>
#include <set>
#include <vector>

class QLabel;
class QTreeWidget;
class QTreeWidgetItem;

namespace cw::views {

/// One named figure and the formula it comes from.
struct WhyNode
{
    QString key;  ///< tells it from its sisters, stays the same from one evaluation to the next
    QString path; ///< of an input, where it is one; else of a quantity or constant
    QString label;
    QString value;   ///< with unit
    QString formula; ///< in symbols
    QString numbers; ///< the same with the numbers put in
    QString source;
    QString status; ///< "input", "assumed", "published", "measured"; empty for what is computed
    bool isInput = false;
    bool hasInputs = false;
    /// What the formula refers to, made when it is first opened.
    std::function<std::vector<WhyNode>()> inputs;
};

/// The formula tree of one quantity. It keeps open what the reader opened while numbers change.
class WhyView : public QWidget
{
    Q_OBJECT

public:
    explicit WhyView(QWidget* parent = nullptr);

    void setTree(const WhyNode& root);
    /// Says why there is no tree.
    void setNothing(const QString& text);
    [[nodiscard]] QTreeWidget* tree() const { return m_tree; }

Q_SIGNALS:
    void inputWanted(const QString& path);

private:
    QTreeWidgetItem* itemFor(const WhyNode& node, const QString& place);
    void show(QTreeWidgetItem* item, const WhyNode& node, const QString& place);
    /// Shows a newer node in the items there are; false where they are of another shape.
    bool renew(QTreeWidgetItem* item, const WhyNode& node, const QString& place);
    void clearBelow(QTreeWidgetItem* item);
    void fill(QTreeWidgetItem* item);
    void openWhatWasOpen(QTreeWidgetItem* item);
    void showDetails();

    QTreeWidget* m_tree;
    QLabel* m_details;
    QString m_root;
    std::set<QString> m_open;
    std::map<QTreeWidgetItem*, WhyNode> m_nodes;
};

} // namespace cw::views
