// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/chartframe.h"

#include "views/common/elidedlabel.h"

#include <QAction>
#include <QApplication>
#include <QBuffer>
#include <QClipboard>
#include <QContextMenuEvent>
#include <QFileDialog>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QMenu>
#include <QMessageBox>
#include <QMimeData>
#include <QSaveFile>
#include <QStackedLayout>
#include <QStandardItemModel>
#include <QTableView>
#include <QTimer>
#include <QVBoxLayout>

namespace cw::views {

using namespace Qt::StringLiterals;

namespace {

constexpr double kPictureRatio = 2.0;

bool looksNumeric(const QString& text)
{
    return !text.isEmpty() && (text[0].isDigit() || text[0] == u'+' || text[0] == u'\u2212' ||
                               text[0] == u'-' || text[0] == u'—');
}

/// Title, subtitle and what stands at the right, in one line. A subtitle that would be cut gets a
/// line of its own below; it comes back only with room to spare, so that a number that grows by a
/// digit does not move the card.
class HeadLayout final : public QHBoxLayout
{
public:
    explicit HeadLayout(ElidedLabel* subtitle) : m_subtitle(subtitle) {}

    [[nodiscard]] QSize sizeHint() const override { return grown(QHBoxLayout::sizeHint()); }
    [[nodiscard]] QSize minimumSize() const override { return grown(QHBoxLayout::minimumSize()); }

    void setGeometry(const QRect& r) override
    {
        const int below = m_wraps ? lineHeight() : 0;
        invalidate(); // else the line is not laid anew, and the subtitle keeps the room below
        QHBoxLayout::setGeometry(r.adjusted(0, 0, 0, -below));
        m_room = m_subtitle->width();
        if (m_wraps)
            m_subtitle->setGeometry(r.left(), r.bottom() + 1 - below, r.width(), below);
        check();
    }

    /// Whether the text of now still suits the lines; if not, the layout is asked anew.
    void check()
    {
        const double needed = m_subtitle->neededWidth();
        const bool wraps = needed > 0 && needed > m_room - (m_wraps ? kSpare : 0);
        if (wraps == m_wraps || m_room <= 0)
            return;
        m_wraps = wraps;
        // Not while the layout that told the width is at work.
        QTimer::singleShot(0, this, [this] { update(); });
    }

private:
    static constexpr int kSpare = 24;
    [[nodiscard]] int lineHeight() const { return m_subtitle->sizeHint().height() + 1; }
    [[nodiscard]] QSize grown(QSize size) const
    {
        return m_wraps ? size + QSize(0, lineHeight()) : size;
    }

    ElidedLabel* m_subtitle;
    int m_room = 0; ///< for the subtitle beside the title
    bool m_wraps = false;
};

} // namespace

Card::Card(const QString& title, const QString& subtitle, QWidget* parent)
    : QFrame(parent), m_title(new QLabel(title)), m_subtitle(new ElidedLabel),
      m_right(new ElidedLabel), m_head(new HeadLayout(m_subtitle)), m_body(new QVBoxLayout)
{
    setRole(this, "card", u"true"_s);
    setRole(m_title, "role", u"title"_s);
    setRole(m_subtitle, "role", u"secondary"_s);
    setRole(m_right, "role", u"secondary"_s);
    m_subtitle->setText(subtitle);
    m_right->setKeepsWidth(true);
    m_head->setContentsMargins(0, 0, 0, 0);
    m_head->setSpacing(8);
    m_head->addWidget(m_title);
    m_head->addWidget(m_subtitle, 1);
    m_head->addWidget(m_right);
    m_body->setContentsMargins(0, 0, 0, 0);
    m_body->setSpacing(8);
    auto* all = new QVBoxLayout(this);
    all->setContentsMargins(12, 10, 12, 10);
    all->setSpacing(8);
    all->addLayout(m_head);
    all->addLayout(m_body, 1);
    m_right->setVisible(false);
    setAccessibleName(title);
}

void Card::setTitle(const QString& title)
{
    m_title->setText(title);
    setAccessibleName(title);
}

void Card::setSubtitle(const QString& subtitle)
{
    m_subtitle->setText(subtitle);
    if (m_subtitle->toolTip() != subtitle)
        m_subtitle->setToolTip(subtitle);
    static_cast<HeadLayout*>(m_head)->check();
}

void Card::setRightText(const QString& text)
{
    m_right->setText(text);
    m_right->setVisible(!text.isEmpty());
}

QString Card::title() const
{
    return m_title->text();
}
QString Card::subtitle() const
{
    return m_subtitle->text();
}

void Card::addRightWidget(QWidget* widget)
{
    m_head->addWidget(widget);
}

ChartFrame::ChartFrame(const QString& title, const QString& subtitle, QWidget* parent)
    : Card(title, subtitle, parent), m_table(new QTableView), m_stack(new QStackedLayout)
{
    m_table->setModel(new QStandardItemModel(m_table));
    m_table->setEditTriggers(QAbstractItemView::NoEditTriggers);
    m_table->verticalHeader()->hide();
    m_table->verticalHeader()->setDefaultSectionSize(22);
    m_table->setShowGrid(false);
    m_table->setAccessibleName(tr("%1, as a table").arg(title));
    // The table scrolls: what it would like to be must not stretch the card.
    m_table->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Ignored);
    m_stack->addWidget(m_table);
    body()->addLayout(m_stack, 1);

    auto* copy = new QAction(tr("Copy picture"), this);
    copy->setShortcut(QKeySequence::Copy);
    copy->setShortcutContext(Qt::WidgetWithChildrenShortcut);
    connect(copy, &QAction::triggered, this, &ChartFrame::copyPicture);
    addAction(copy);
}

void ChartFrame::setChart(ChartContent* chart)
{
    if (m_chart != nullptr) {
        m_stack->removeWidget(m_chart->widget());
        m_chart->widget()->deleteLater();
    }
    m_chart = chart;
    m_stack->insertWidget(0, chart->widget());
    m_stack->setCurrentIndex(0);
    if (chart->widget()->accessibleName().isEmpty()) {
        chart->widget()->setAccessibleName(title());
    }
}

bool ChartFrame::isTableShown() const
{
    return m_stack->currentWidget() == m_table;
}

void ChartFrame::setTableShown(bool shown)
{
    if (shown) {
        refreshTable();
        m_stack->setCurrentWidget(m_table);
    } else if (m_chart != nullptr) {
        m_stack->setCurrentWidget(m_chart->widget());
    }
}

void ChartFrame::refreshTable()
{
    if (m_chart == nullptr) {
        return;
    }
    Q_EMIT aboutToRead();
    const ChartTable figures = m_chart->table();
    auto* model = static_cast<QStandardItemModel*>(m_table->model());
    model->clear();
    model->setHorizontalHeaderLabels(figures.header);
    for (const auto& row : figures.rows) {
        QList<QStandardItem*> items;
        for (const auto& cell : row) {
            auto* item = new QStandardItem(cell);
            item->setTextAlignment(
                (looksNumeric(cell) && !items.isEmpty() ? Qt::AlignRight : Qt::AlignLeft) |
                Qt::AlignVCenter);
            items.append(item);
        }
        model->appendRow(items);
    }
    m_table->resizeColumnsToContents();
}

QSize ChartFrame::pictureSize() const
{
    const QSize own = m_chart->widget()->size();
    return own.expandedTo(QSize(480, 240)) + QSize(24, 54);
}

QImage ChartFrame::picture() const
{
    return chartImage(*m_chart, title(), subtitle(), Theme::of(this), pictureSize(), kPictureRatio);
}

QByteArray ChartFrame::svg() const
{
    QBuffer buffer;
    buffer.open(QIODevice::WriteOnly);
    writeChartSvg(*m_chart, title(), subtitle(), Theme::of(this), pictureSize(), buffer);
    return buffer.data();
}

void ChartFrame::copyPicture()
{
    if (m_chart == nullptr) {
        return;
    }
    Q_EMIT aboutToRead();
    // One clip with all forms: an editor takes the picture, a spreadsheet the figures.
    auto* clip = new QMimeData;
    clip->setImageData(picture());
    clip->setData(u"image/svg+xml"_s, svg());
    clip->setText(m_chart->table().tsv());
    QApplication::clipboard()->setMimeData(clip);
}

void ChartFrame::copySvg()
{
    if (m_chart == nullptr) {
        return;
    }
    Q_EMIT aboutToRead();
    auto* clip = new QMimeData;
    const QByteArray text = svg();
    clip->setData(u"image/svg+xml"_s, text);
    clip->setText(QString::fromUtf8(text));
    QApplication::clipboard()->setMimeData(clip);
}

void ChartFrame::copyData()
{
    if (m_chart == nullptr) {
        return;
    }
    Q_EMIT aboutToRead();
    QApplication::clipboard()->setText(m_chart->table().tsv());
}

bool ChartFrame::savePicture(const QString& fileName)
{
    if (m_chart == nullptr) {
        return false;
    }
    Q_EMIT aboutToRead();
    QSaveFile file(fileName);
    const bool vector = fileName.endsWith(u".svg"_s, Qt::CaseInsensitive);
    bool good = file.open(QIODevice::WriteOnly);
    if (good && vector) {
        const QByteArray text = svg();
        good = file.write(text) == text.size();
    } else if (good) {
        good = picture().save(&file, "PNG");
    }
    good = good && file.commit();
    if (!good) {
        Q_EMIT failed(
            tr("The picture could not be written to %1: %2").arg(fileName, file.errorString()));
    }
    return good;
}

void ChartFrame::askAndSave()
{
    QString kind;
    const QString name =
        QFileDialog::getSaveFileName(this, tr("Save picture"), title() + u".png"_s,
                                     tr("PNG picture (*.png);;SVG drawing (*.svg)"), &kind);
    if (name.isEmpty()) {
        return;
    }
    QString told;
    const auto listening =
        connect(this, &ChartFrame::failed, [&told](const QString& message) { told = message; });
    // A name without an ending gets that of the kind that was chosen.
    const QString ending = kind.contains(u".svg"_s) ? u".svg"_s : u".png"_s;
    savePicture(QFileInfo(name).suffix().isEmpty() ? name + ending : name);
    disconnect(listening);
    if (!told.isEmpty()) {
        QMessageBox::critical(this, tr("Save picture"), told);
    }
}

QMenu* ChartFrame::createMenu()
{
    auto* menu = new QMenu(this);
    menu->addAction(tr("Copy picture"), this, &ChartFrame::copyPicture);
    menu->addAction(tr("Copy as SVG"), this, &ChartFrame::copySvg);
    menu->addAction(tr("Copy data"), this, &ChartFrame::copyData);
    menu->addAction(tr("Save picture…"), this, &ChartFrame::askAndSave);
    menu->addSeparator();
    auto* twin = menu->addAction(tr("Show as table"));
    twin->setCheckable(true);
    twin->setChecked(isTableShown());
    connect(twin, &QAction::toggled, this, &ChartFrame::setTableShown);
    return menu;
}

void ChartFrame::contextMenuEvent(QContextMenuEvent* event)
{
    if (m_chart == nullptr) {
        return;
    }
    QMenu* menu = createMenu();
    menu->setAttribute(Qt::WA_DeleteOnClose);
    menu->popup(event->globalPos());
    event->accept();
}

void ChartFrame::changeEvent(QEvent* event)
{
    if (event->type() == QEvent::LanguageChange && isTableShown()) {
        refreshTable();
    }
    Card::changeEvent(event);
}

} // namespace cw::views
