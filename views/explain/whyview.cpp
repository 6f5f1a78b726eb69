// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/explain/whyview.h"

#include <QHeaderView>
#include <QLabel>
#include <QPainter>
#include <QScrollBar>
#include <QSplitter>
#include <QStyledItemDelegate>
#include <QTreeWidget>
#include <QVBoxLayout>
#include <algorithm>

#include "views/common/layoutguard.h"
#include "views/painted/paintutil.h"
#include "views/text/words.h"
#include "views/theme/theme.h"

namespace cw::views {

using namespace Qt::StringLiterals;

namespace {

enum Role
{
    PlaceRole = Qt::UserRole,
    PathRole,
    ValueRole,
    FormulaRole,
    StatusRole,
    DetailsRole,
    InputRole
};

/// Two lines: label and value, below them the formula.
class WhyDelegate final : public QStyledItemDelegate
{
public:
    using QStyledItemDelegate::QStyledItemDelegate;

    [[nodiscard]] QSize sizeHint(const QStyleOptionViewItem& option,
                                 const QModelIndex& index) const override
    {
        const int height = index.data(FormulaRole).toString().isEmpty() ? 22 : 36;
        return {option.rect.width(), height};
    }

    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override
    {
        const Theme& theme = Theme::of(option.palette);
        const QRect r = option.rect.adjusted(2, 0, -8, 0);
        if (option.state.testFlag(QStyle::State_Selected))
            painter->fillRect(option.rect, theme.selection);
        double right = r.right();
        const QString status = index.data(StatusRole).toString();
        if (!status.isEmpty()) {
            const QString word = say("window.why.status." + status.toStdString());
            painter->setFont(Theme::font(10));
            const double width = textWidth(word, painter->font()) + 9;
            const bool assumed = status == u"assumed"_s;
            const QColor colour = assumed ? theme.warning : theme.secondary;
            painter->setPen(QPen(assumed ? theme.warning : theme.border, 1,
                                 assumed ? Qt::DashLine : Qt::SolidLine));
            const QRectF tag(right - width, r.top() + 4.5, width, 14);
            painter->drawRoundedRect(tag, 3, 3);
            painter->setPen(colour);
            drawText(*painter, tag, Qt::AlignCenter, word);
            right -= width + 6;
        }
        painter->setFont(Theme::font(12, true));
        painter->setPen(theme.text);
        const QString value = index.data(ValueRole).toString();
        const double valueWidth = textWidth(value, painter->font());
        drawText(*painter, QPointF(right - valueWidth, r.top() + 15), value);
        right -= valueWidth + 8;
        painter->setFont(Theme::font(12, !index.parent().isValid()));
        drawText(*painter, QPointF(r.left(), r.top() + 15),
                 fitted(index.data(Qt::DisplayRole).toString(), painter->font(),
                        std::max(20.0, right - r.left())));
        painter->setFont(Theme::font(10.5));
        painter->setPen(theme.secondary);
        drawText(*painter, QPointF(r.left(), r.top() + 29),
                 fitted(index.data(FormulaRole).toString(), painter->font(), r.width()));
    }
};

QString detailsOf(const WhyNode& node)
{
    QStringList lines;
    lines << u"<b>"_s + node.label.toHtmlEscaped() + u"</b> "_s + node.value.toHtmlEscaped();
    if (!node.formula.isEmpty())
        lines << node.formula.toHtmlEscaped();
    if (!node.numbers.isEmpty())
        lines << u"= "_s + node.numbers.toHtmlEscaped();
    if (!node.source.isEmpty())
        lines << say("window.why.source", {{"source", node.source.toHtmlEscaped()}});
    return lines.join(u"<br>"_s);
}

} // namespace

WhyView::WhyView(QWidget* parent)
    : QWidget(parent), m_tree(new QTreeWidget(this)), m_details(new QLabel(this))
{
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    m_tree->setHeaderHidden(true);
    m_tree->setIndentation(14);
    m_tree->setItemDelegate(new WhyDelegate(m_tree));
    m_tree->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    column->addWidget(m_tree, 1);
    m_details->setWordWrap(true);
    m_details->setTextFormat(Qt::RichText);
    m_details->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_details->setContentsMargins(10, 6, 10, 6);
    m_details->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Minimum);
    setRole(m_details, "role", u"secondary"_s);
    column->addWidget(new LayoutGuard(m_details, this));
    bindText(this, [this] { m_tree->setAccessibleName(say("window.dock.why")); });
    connect(m_tree, &QTreeWidget::currentItemChanged, this, &WhyView::showDetails);
    connect(m_tree, &QTreeWidget::itemExpanded, this, [this](QTreeWidgetItem* item) {
        m_open.insert(item->data(0, PlaceRole).toString());
        fill(item);
    });
    connect(m_tree, &QTreeWidget::itemCollapsed, this,
            [this](QTreeWidgetItem* item) { m_open.erase(item->data(0, PlaceRole).toString()); });
    connect(m_tree, &QTreeWidget::itemActivated, this, [this](QTreeWidgetItem* item) {
        if (item->data(0, InputRole).toBool())
            Q_EMIT inputWanted(item->data(0, PathRole).toString());
    });
}

QTreeWidgetItem* WhyView::itemFor(const WhyNode& node, const QString& place)
{
    auto* item = new QTreeWidgetItem;
    show(item, node, place);
    return item;
}

void WhyView::show(QTreeWidgetItem* item, const WhyNode& node, const QString& place)
{
    item->setText(0, node.label);
    item->setData(0, PlaceRole, QString(place + u'/' + node.key));
    item->setData(0, PathRole, node.path);
    item->setData(0, ValueRole, node.value);
    item->setData(0, FormulaRole, node.formula);
    item->setData(0, StatusRole, node.status);
    item->setData(0, DetailsRole, detailsOf(node));
    item->setData(0, InputRole, node.isInput);
    item->setToolTip(0, node.numbers.isEmpty() ? node.formula
                                               : node.formula + u"\n= "_s + node.numbers);
    item->setData(0, Qt::AccessibleTextRole, QString(node.label + u", "_s + node.value));
    const auto policy = node.hasInputs ? QTreeWidgetItem::ShowIndicator
                                       : QTreeWidgetItem::DontShowIndicatorWhenChildless;
    if (item->childIndicatorPolicy() != policy)
        item->setChildIndicatorPolicy(policy);
    m_nodes[item] = node;
}

void WhyView::clearBelow(QTreeWidgetItem* item)
{
    for (QTreeWidgetItem* child : item->takeChildren()) {
        clearBelow(child);
        m_nodes.erase(child);
        delete child;
    }
}

bool WhyView::renew(QTreeWidgetItem* item, const WhyNode& node, const QString& place)
{
    const QString here = place + u'/' + node.key;
    if (item->data(0, PlaceRole).toString() != here)
        return false;
    show(item, node, place);
    if (!item->isExpanded()) {
        clearBelow(item); // made again when it is opened
        return true;
    }
    const std::vector<WhyNode> inputs = node.inputs ? node.inputs() : std::vector<WhyNode>();
    if (static_cast<int>(inputs.size()) != item->childCount())
        return false;
    for (std::size_t i = 0; i < inputs.size(); ++i)
        if (!renew(item->child(static_cast<int>(i)), inputs[i], here))
            return false;
    return true;
}

void WhyView::fill(QTreeWidgetItem* item)
{
    const auto node = m_nodes.find(item);
    if (item->childCount() > 0 || node == m_nodes.end() || !node->second.inputs)
        return;
    const QString place = item->data(0, PlaceRole).toString();
    for (const WhyNode& input : node->second.inputs())
        item->addChild(itemFor(input, place));
}

void WhyView::openWhatWasOpen(QTreeWidgetItem* item)
{
    if (!m_open.contains(item->data(0, PlaceRole).toString()))
        return;
    fill(item);
    item->setExpanded(true);
    for (int i = 0; i < item->childCount(); ++i)
        openWhatWasOpen(item->child(i));
}

void WhyView::setTree(const WhyNode& root)
{
    if (root.key != m_root) {
        m_root = root.key;
        m_open = {u'/' + root.key};
    }
    // While a plan changes its numbers change, its formulas seldom.
    if (m_tree->topLevelItemCount() == 1 && renew(m_tree->topLevelItem(0), root, {})) {
        showDetails();
        return;
    }
    const QString selected =
        m_tree->currentItem() ? m_tree->currentItem()->data(0, PlaceRole).toString() : QString();
    const int scroll = m_tree->verticalScrollBar()->value();
    m_nodes.clear();
    m_tree->clear();
    QTreeWidgetItem* top = itemFor(root, {});
    m_tree->addTopLevelItem(top);
    openWhatWasOpen(top);
    QTreeWidgetItem* current = top;
    for (QTreeWidgetItemIterator it(m_tree); *it; ++it)
        if ((*it)->data(0, PlaceRole).toString() == selected)
            current = *it;
    m_tree->setCurrentItem(current);
    m_tree->verticalScrollBar()->setValue(scroll);
    showDetails();
}

void WhyView::setNothing(const QString& text)
{
    m_root.clear();
    m_nodes.clear();
    m_tree->clear();
    m_details->setText(text.toHtmlEscaped());
}

void WhyView::showDetails()
{
    if (const QTreeWidgetItem* item = m_tree->currentItem())
        m_details->setText(item->data(0, DetailsRole).toString());
}

} // namespace cw::views
