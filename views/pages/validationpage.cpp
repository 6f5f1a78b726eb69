// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/pages/validationpage.h"

#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QProgressBar>
#include <QSignalBlocker>
#include <QStandardItemModel>
#include <QTableView>
#include <QVBoxLayout>
#include <algorithm>
#include <utility>

#include "views/pages/figures.h"
#include "views/pages/frames.h"
#include "views/pages/validationfigures.h"
#include "views/pages/validationfilter.h"
#include "views/text/words.h"

namespace cw::views {

using namespace Qt::StringLiterals;
using calibrate::Trait;

namespace {

/// All that is shown of a table, for a spreadsheet.
QString asText(const QStandardItemModel& model)
{
    ChartTable table;
    for (int column = 0; column < model.columnCount(); ++column)
        table.header << model.headerData(column, Qt::Horizontal).toString();
    for (int row = 0; row < model.rowCount(); ++row) {
        QStringList cells;
        for (int column = 0; column < model.columnCount(); ++column)
            cells << model.index(row, column).data().toString();
        table.rows.push_back(cells);
    }
    return table.tsv();
}

} // namespace

ValidationPage::ValidationPage(QWidget* parent)
    : Page(parent), m_filter(new ValidationFilter(this)), m_progress(new QProgressBar(this)),
      m_scatter(new ScatterPlot(this)),
      m_scatterFrame(framed(this, m_scatter, "window.validation.title")),
      m_rowText(new QLabel(this)), m_tableCard(new Card({}, {}, this)), m_by(new QComboBox(this)),
      m_table(new QTableView(this)), m_lines(new QStandardItemModel(m_table)),
      m_alike(new FactList(false, this)), m_alikeText(new QLabel(this))
{
    m_alikeFrame = framed(this, m_alike, "window.validation.alike.title");
    buildScatter();
    buildStatistics();
    buildAlike();
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(12, 12, 12, 12);
    column->setSpacing(10);
    column->addWidget(m_filter);
    column->addWidget(m_progress);
    auto* top = new QHBoxLayout;
    top->setSpacing(10);
    top->addWidget(m_scatterFrame, 5);
    top->addWidget(m_alikeFrame, 2);
    column->addLayout(top, 5);
    column->addWidget(m_tableCard, 3);
    m_progress->setVisible(false);
    connect(m_filter, &ValidationFilter::changed, this, &ValidationPage::showRows);
    bindText(this, [this] {
        m_progress->setAccessibleName(say("window.validation.progress"));
        m_progress->setFormat(say("window.validation.progress"));
        showRows();
    });
}

void ValidationPage::buildScatter()
{
    setRole(m_rowText, "role", u"note"_s);
    m_rowText->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
    m_scatter->setMinimumHeight(220);
    m_scatterFrame->body()->addWidget(m_rowText);
    connect(m_scatter, &ScatterPlot::pointTouched, this, &ValidationPage::showRow);
    connect(m_scatter, &PaintedChart::quantityHovered, this, [this] {
        if (m_scatter->focusedMark() >= 0)
            showRow(m_scatter->pointOf(m_scatter->focusedMark()));
    });
}

void ValidationPage::buildStatistics()
{
    m_table->setModel(m_lines);
    m_table->setEditTriggers(QAbstractItemView::NoEditTriggers);
    m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_table->setSelectionMode(QAbstractItemView::SingleSelection);
    m_table->setTabKeyNavigation(false);
    m_table->verticalHeader()->hide();
    m_table->verticalHeader()->setDefaultSectionSize(22);
    m_table->setShowGrid(false);
    m_table->setWordWrap(false);
    m_table->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Ignored);
    m_table->setMinimumHeight(120);
    m_tableCard->body()->addWidget(m_table, 1);
    m_tableCard->addRightWidget(m_by);
    for (const Trait trait : calibrate::kTraits)
        m_by->addItem(QString(), static_cast<int>(trait));
    connect(m_by, &QComboBox::activated, this, &ValidationPage::showStatistics);
    connect(m_table, &QTableView::activated, this,
            [this](const QModelIndex& index) { chooseGroup(index.row()); });
    auto* copy = new QAction(m_table);
    copy->setShortcut(QKeySequence::Copy);
    copy->setShortcutContext(Qt::WidgetShortcut);
    connect(copy, &QAction::triggered, this,
            [this] { QApplication::clipboard()->setText(asText(*m_lines)); });
    m_table->addAction(copy);
    m_table->setContextMenuPolicy(Qt::ActionsContextMenu);
    bindText(m_table, [this, copy] {
        copy->setText(say("window.validation.copyTable"));
        m_tableCard->setTitle(say("window.validation.statistics"));
        m_table->setAccessibleName(say("window.validation.statistics"));
        m_by->setAccessibleName(say("window.validation.by"));
        for (int i = 0; i < m_by->count(); ++i)
            m_by->setItemText(
                i, say("window.validation.byTrait",
                       {{"trait", traitWord(static_cast<Trait>(m_by->itemData(i).toInt()))}}));
    });
}

void ValidationPage::buildAlike()
{
    setRole(m_alikeText, "role", u"note"_s);
    m_alikeText->setWordWrap(true);
    m_alike->setDetailWidth(0);
    m_alikeText->setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Minimum);
    m_alikeFrame->body()->addWidget(m_alikeText);
    m_alikeFrame->setMinimumWidth(270);
}

Trait ValidationPage::trait() const
{
    return static_cast<Trait>(m_by->currentData().toInt());
}

void ValidationPage::showEvent(QShowEvent* event)
{
    Page::showEvent(event);
    if (m_asked)
        return;
    m_asked = true;
    Q_EMIT rowsWanted();
}

void ValidationPage::setProgress(int done, int total)
{
    m_progress->setVisible(done < total);
    m_progress->setRange(0, total);
    m_progress->setValue(done);
    if (!m_rows)
        m_scatter->setEmptyText(say("window.validation.progress"));
}

void ValidationPage::setRows(std::shared_ptr<const calibrate::Validation> rows)
{
    m_progress->setVisible(false);
    m_rows = std::move(rows);
    m_filter->setRows(m_rows ? &m_rows->rows : nullptr);
    showRows();
}

void ValidationPage::refresh(const PageData&)
{
    showPlan();
}

void ValidationPage::showRows()
{
    if (!m_rows) {
        m_scatter->setEmptyText(say("window.validation.progress"));
        return;
    }
    m_scatter->setEmptyText(say("window.validation.nothing"));
    m_scatter->setData(validationPoints(m_rows, m_filter->selection()));
    if (m_scatterFrame->isTableShown())
        m_scatterFrame->refreshTable();
    showRow(-1);
    showCounts();
    showStatistics();
    showPlan();
}

void ValidationPage::showCounts()
{
    const auto text = [](std::size_t n) {
        return numberLocale().toString(static_cast<qulonglong>(n));
    };
    const calibrate::Selection& chosen = m_filter->selection();
    const auto which = calibrate::select(m_rows->rows, chosen);
    const auto doubtful =
        static_cast<std::size_t>(std::count_if(which.begin(), which.end(), [this](std::size_t i) {
            return !m_rows->rows[i].doubt.empty();
        }));
    const std::size_t all = calibrate::select(m_rows->rows, {chosen.quantity, {}}).size();
    QString line =
        say("window.validation.filters", {{"shown", text(which.size())}, {"all", text(all)}});
    if (doubtful > 0)
        line += u", "_s + say("window.validation.doubtful", {{"n", text(doubtful)}});
    m_scatterFrame->setSubtitle(line);
}

void ValidationPage::showStatistics()
{
    if (!m_rows)
        return;
    m_lines->clear();
    QStringList header;
    for (const char* name :
         {"group", "count", "median", "mean", "p90", "worst", "bias", "coverage"})
        header << say(std::string("window.validation.statistic.") + name);
    m_lines->setHorizontalHeaderLabels(header);
    const auto lines = calibrate::summaryBy(m_rows->rows, m_filter->selection(), trait());
    for (const calibrate::SummaryRow& s : lines) {
        const bool all = s.group == "all";
        const auto share = [](double x) {
            return shown(x, Unit::Percent);
        };
        const QString group = all ? say("window.validation.shown") : traitValue(trait(), s.group);
        const QStringList cells = {group,
                                   numberLocale().toString(static_cast<qulonglong>(s.count)),
                                   share(s.medianAbsError),
                                   share(s.meanAbsError),
                                   share(s.p90AbsError),
                                   share(s.worstAbsError),
                                   signedShare(s.bias),
                                   share(s.bandCoverage)};
        QList<QStandardItem*> items;
        for (const QString& cell : cells) {
            auto* item = new QStandardItem(cell);
            item->setTextAlignment((items.isEmpty() ? Qt::AlignLeft : Qt::AlignRight) |
                                   Qt::AlignVCenter);
            if (all) {
                QFont strong = item->font();
                strong.setWeight(QFont::DemiBold);
                item->setFont(strong);
            }
            items << item;
        }
        items.front()->setData(all ? QString() : QString::fromStdString(s.group), Qt::UserRole);
        items.front()->setToolTip(group);
        m_lines->appendRow(items);
    }
    m_table->resizeColumnsToContents();
    m_table->horizontalHeader()->setDefaultAlignment(Qt::AlignRight | Qt::AlignVCenter);
    m_table->horizontalHeader()->setMinimumSectionSize(40);
    m_table->horizontalHeader()->setSectionResizeMode(0, QHeaderView::Stretch);
    m_lines->horizontalHeaderItem(0)->setTextAlignment(Qt::AlignLeft | Qt::AlignVCenter);
}

void ValidationPage::chooseGroup(int row)
{
    const QModelIndex index = m_lines->index(row, 0);
    m_filter->choose(trait(), index.data(Qt::UserRole).toString().toStdString());
}

void ValidationPage::showPlan()
{
    const PageData& figures = current();
    if (!m_rows || !figures.evaluation || !figures.scenario)
        return;
    const std::string& quantity = m_filter->selection().quantity;
    const auto alike = calibrate::alike(m_rows->rows, *figures.scenario, quantity,
                                        validationValue(*figures.evaluation, quantity));
    m_scatter->setPlan(validationPlan(figures, quantity, alike));
    m_alike->setRows(alikeFacts(figures, quantity, alike));
    m_alikeText->setText(alikeSentence(figures, alike));
}

void ValidationPage::showRow(int index)
{
    const ScatterData& chart = m_scatter->figures();
    const bool isPoint = index >= 0 && index < static_cast<int>(chart.points.size());
    m_rowText->setText(isPoint && chart.spoken ? chart.spoken(index)
                                               : say("window.validation.hint"));
}

} // namespace cw::views
