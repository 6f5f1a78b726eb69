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
#include "views/pages/validationtable.h"
#include "views/pages/validationverdict.h"
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
      m_alike(new FactList(false, this)), m_alikeText(new QLabel(this)),
      m_verdict(new StackedBars(this)), m_matrix(new MatrixTable(this)), m_skipped(new QLabel(this))
{
    m_alikeFrame = framed(this, m_alike, "window.validation.alike.title");
    m_verdictFrame = framed(this, m_verdict, "window.validation.verdict.title");
    m_matrixFrame = framed(this, m_matrix, "window.validation.verdict.confusion");
    buildScatter();
    buildStatistics();
    buildAlike();
    buildMatrix();
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(12, 12, 12, 12);
    column->setSpacing(10);
    column->addWidget(m_filter);
    column->addWidget(m_progress);
    auto* top = new QHBoxLayout;
    top->setSpacing(10);
    top->addWidget(m_scatterFrame, 5);
    top->addWidget(m_verdictFrame, 5);
    top->addWidget(m_alikeFrame, 2);
    top->addWidget(m_matrixFrame, 2);
    column->addLayout(top, 5);
    column->addWidget(m_tableCard, 3);
    column->addWidget(m_skipped);
    setRole(m_skipped, "role", u"note"_s);
    m_verdictFrame->hide();
    m_matrixFrame->hide();
    m_skipped->hide();
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
    m_by->setSizeAdjustPolicy(QComboBox::AdjustToContents);
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

void ValidationPage::buildMatrix()
{
    m_matrixFrame->setMinimumWidth(270);
    m_matrix->setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Expanding);
}

Trait ValidationPage::trait() const
{
    return static_cast<Trait>(m_by->currentData().toInt());
}

ValidationMode ValidationPage::mode() const
{
    return m_filter->mode();
}

bool ValidationPage::comparesPlan() const
{
    return mode() == ValidationMode::Step || mode() == ValidationMode::Memory;
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
    m_filter->setRows(m_rows.get());
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
    showChart();
    showSide();
    showTraits();
    showRow(-1);
    showCounts();
    showSkipped();
    showStatistics();
    showPlan();
}

void ValidationPage::showChart()
{
    const bool verdict = mode() == ValidationMode::Verdict;
    m_scatterFrame->setVisible(!verdict);
    m_verdictFrame->setVisible(verdict);
    ChartFrame* frame = verdict ? m_verdictFrame : m_scatterFrame;
    if (verdict) {
        m_verdict->setEmptyText(say("window.validation.nothing"));
        m_verdict->setData(verdictBars(m_rows, m_filter->selection()));
        m_verdict->setSelectedBar(fullBar(m_rows, m_filter->selection()));
    } else {
        m_scatter->setEmptyText(say("window.validation.nothing"));
        m_scatter->setData(validationPoints(m_rows, m_filter->selection()));
        if (!comparesPlan())
            m_scatter->setPlan(std::nullopt);
    }
    if (frame->isTableShown())
        frame->refreshTable();
}

/// Beside the chart: rows like the plan, the sweep's order, or a small table.
void ValidationPage::showSide()
{
    const bool facts = comparesPlan() || mode() == ValidationMode::Order;
    m_alikeFrame->setVisible(facts);
    m_matrixFrame->setVisible(!facts);
    m_matrixFrame->setMinimumWidth(mode() == ValidationMode::Collectives ? 310 : 270);
    m_alikeFrame->setTitle(
        say(comparesPlan() ? "window.validation.alike.title" : "window.validation.order.title"));
    m_matrixFrame->setTitle(say(mode() == ValidationMode::Verdict
                                    ? "window.validation.verdict.confusion"
                                    : "window.validation.collective.bias"));
    if (mode() == ValidationMode::Order) {
        m_alike->setRows(orderFacts(m_rows, m_filter->selection()));
        m_alikeText->setText(orderSentence(m_rows));
    } else if (mode() == ValidationMode::Verdict) {
        m_matrix->setData(confusion(m_rows, m_filter->selection()));
    } else if (mode() == ValidationMode::Collectives) {
        m_matrix->setData(collectiveBias(m_rows));
    }
    m_matrix->setAccessibleName(m_matrixFrame->title());
    m_alike->setAccessibleName(m_alikeFrame->title());
}

/// By what the table can be broken down: where rows differ.
void ValidationPage::showTraits()
{
    const int before = m_by->count() > 0 ? m_by->currentData().toInt() : 0;
    m_by->clear();
    for (const Trait trait : calibrate::kTraits)
        if (m_filter->offers(trait))
            m_by->addItem(say("window.validation.byTrait", {{"trait", traitWord(trait, mode())}}),
                          static_cast<int>(trait));
    m_by->setVisible(m_by->count() > 0);
    m_by->setCurrentIndex(std::max(0, m_by->findData(before)));
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
    // A verdict is counted whatever is doubted of the row; errors are told with and without.
    if (doubtful > 0)
        line += u", "_s + say(mode() == ValidationMode::Verdict ? "window.validation.doubtfulAmong"
                                                                : "window.validation.doubtful",
                              {{"n", text(doubtful)}});
    if (mode() == ValidationMode::Order)
        line = say("window.validation.order.layouts", {{"n", text(which.size())}});
    m_scatterFrame->setSubtitle(line);
    m_verdictFrame->setSubtitle(line);
}

void ValidationPage::showSkipped()
{
    m_skipped->setVisible(!m_rows->skipped.empty());
    m_skipped->setText(skippedLine(m_rows));
    m_skipped->setToolTip(skippedTip(m_rows));
}

void ValidationPage::showStatistics()
{
    if (!m_rows)
        return;
    m_lines->clear();
    // Names of sweeps differ at their end.
    m_table->setTextElideMode(mode() == ValidationMode::Order ? Qt::ElideMiddle : Qt::ElideRight);
    const StatisticsTable table = statisticsOf(m_rows, mode(), m_filter->selection(),
                                               m_by->count() > 0 ? trait() : Trait::Part);
    m_lines->setHorizontalHeaderLabels(table.header);
    for (int column = 0; column < table.header.size(); ++column)
        m_lines->horizontalHeaderItem(column)->setToolTip(table.help[column]);
    for (const StatisticsLine& line : table.lines) {
        QList<QStandardItem*> items;
        for (const QString& cell : line.cells) {
            auto* item = new QStandardItem(cell);
            item->setTextAlignment((items.isEmpty() ? Qt::AlignLeft : Qt::AlignRight) |
                                   Qt::AlignVCenter);
            if (line.strong) {
                QFont strong = item->font();
                strong.setWeight(QFont::DemiBold);
                item->setFont(strong);
            }
            items << item;
        }
        items.front()->setData(line.group, Qt::UserRole);
        items.front()->setToolTip(line.cells.front());
        m_lines->appendRow(items);
    }
    m_table->resizeColumnsToContents();
    m_table->horizontalHeader()->setDefaultAlignment(Qt::AlignRight | Qt::AlignVCenter);
    m_table->horizontalHeader()->setMinimumSectionSize(40);
    m_table->horizontalHeader()->setSectionResizeMode(0, QHeaderView::Stretch);
    if (m_lines->columnCount() > 0)
        m_lines->horizontalHeaderItem(0)->setTextAlignment(Qt::AlignLeft | Qt::AlignVCenter);
}

void ValidationPage::chooseGroup(int row)
{
    const QModelIndex index = m_lines->index(row, 0);
    const std::string group = index.data(Qt::UserRole).toString().toStdString();
    if (mode() != ValidationMode::Order)
        m_filter->choose(trait(), group);
    else if (!group.empty())
        m_filter->choose(Trait::Sweep, group);
}

void ValidationPage::showPlan()
{
    const PageData& figures = current();
    if (!m_rows || !figures.evaluation || !figures.scenario || !comparesPlan())
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
