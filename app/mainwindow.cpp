// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/mainwindow.h"

#include <QApplication>
#include <QCloseEvent>
#include <QDockWidget>
#include <QDragEnterEvent>
#include <QFileInfo>
#include <QKeyEvent>
#include <QLabel>
#include <QLayout>
#include <QLineEdit>
#include <QMenuBar>
#include <QMimeData>
#include <QScreen>
#include <QScrollArea>
#include <QSettings>
#include <QStackedWidget>
#include <QStatusBar>
#include <QTabBar>
#include <QTabWidget>
#include <QToolBar>
#include <algorithm>

#include "app/controllers/reading.h"
#include "app/menus.h"
#include "app/pagelist.h"
#include "views/common/layoutguard.h"
#include "views/explain/whyview.h"
#include "views/issues/issuesview.h"
#include "views/metrics/headlinestrip.h"
#include "views/pages/memorypage.h"
#include "views/pages/networkpage.h"
#include "views/pages/overviewpage.h"
#include "views/pages/page.h"
#include "views/pages/startpage.h"
#include "views/pages/validationpage.h"
#include "views/params/parampanel.h"
#include "views/text/words.h"

namespace cw::app {

using namespace Qt::StringLiterals;
using views::bindText;
using views::say;

namespace {
constexpr int kLayoutVersion = 1;
constexpr int kNarrow = 1400;          ///< below, the docks leave more to the pages
constexpr double kPresentWidth = 1300; ///< the strip's width at its own size
constexpr double kPresentLeast = 1.25;
constexpr double kPresentMost = 1.8;
} // namespace

MainWindow::MainWindow(Appearance& appearance, QWidget* parent)
    : QMainWindow(parent), m_appearance(appearance), m_pump(m_document), m_idle(m_document, m_pump)
{
    m_files = new FileController(m_document, this);
    setAcceptDrops(true);
    setDockOptions(AnimatedDocks | AllowNestedDocks | AllowTabbedDocks);
    setCorner(Qt::BottomLeftCorner, Qt::LeftDockWidgetArea);
    setCorner(Qt::BottomRightCorner, Qt::RightDockWidgetArea);
    buildCentre();
    buildDocks();
    m_panel = new PanelController(m_document, m_pump, *m_inputs, this);
    m_menus = new Menus(*this);
    m_statusLeft = new QLabel(this);
    m_statusRight = new QLabel(this);
    for (QLabel* label : {m_statusLeft, m_statusRight})
        views::setRole(label, "role", u"secondary"_s);
    m_statusLeft->setContentsMargins(8, 0, 0, 0);
    m_statusRight->setContentsMargins(0, 0, 8, 0);
    statusBar()->addWidget(new views::LayoutGuard(m_statusLeft, this), 1);
    statusBar()->addPermanentWidget(m_statusRight);
    connectAll();
    resize(1440, 900);
    m_defaultLayout = saveState(kLayoutVersion);
    bindText(this, [this] {
        updateTitle();
        updateStart();
        showEvaluation();
    });
    updateOpenState();
    qApp->installEventFilter(this);
}

MainWindow::~MainWindow()
{
    qApp->removeEventFilter(this);
}

void MainWindow::buildCentre()
{
    m_strip = new views::HeadlineStrip(this);
    m_stripBar = new QToolBar(this);
    m_stripBar->setObjectName(u"headlines"_s);
    m_stripBar->setMovable(false);
    m_stripBar->setFloatable(false);
    m_stripBar->toggleViewAction()->setEnabled(false);
    m_stripBar->setContentsMargins(0, 0, 0, 0);
    m_stripBar->layout()->setContentsMargins(0, 0, 0, 0);
    m_strip->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    m_stripBar->addWidget(m_strip);
    m_stripBar->setContextMenuPolicy(Qt::PreventContextMenu);
    addToolBar(Qt::TopToolBarArea, m_stripBar);
    m_stack = new QStackedWidget(this);
    m_start = new views::StartPage(m_stack);
    m_tabs = new QTabWidget(m_stack);
    m_tabs->setDocumentMode(true);
    m_tabs->tabBar()->setExpanding(false);
    m_tabs->tabBar()->setUsesScrollButtons(true);
    m_tabs->tabBar()->setElideMode(Qt::ElideNone);
    m_stack->addWidget(m_start);
    m_stack->addWidget(m_tabs);
    setCentralWidget(m_stack);
    addPages();
}

void MainWindow::addPages()
{
    m_pages = createPages(m_tabs);
    for (std::size_t i = 0; i < m_pages.size(); ++i) {
        views::Page* page = m_pages[i];
        auto* scroll = new QScrollArea(m_tabs);
        scroll->setWidgetResizable(true);
        scroll->setFocusPolicy(Qt::NoFocus);
        scroll->setWidget(page);
        m_tabs->addTab(scroll, QString());
        if (auto* validation = qobject_cast<views::ValidationPage*>(page))
            m_validation = new ValidationReader(*validation, this);
        connect(page, &views::Page::quantityClicked, this, &MainWindow::explain);
        connect(page, &views::Page::inputWanted, this, [this](const QString& path) {
            m_inputsDock->show();
            m_inputs->reveal(path);
        });
        connect(page, &views::Page::editsWanted, this,
                [this](const views::PageEdits& edits, const QString& text, quint64 gesture) {
                    m_panel->editTogether(edits, text, gesture);
                });
    }
    bindText(m_tabs, [this] {
        for (std::size_t i = 0; i < m_pages.size(); ++i) {
            const QString title = say("window.page." + m_pages[i]->key().toStdString());
            const int index = static_cast<int>(i);
            const bool numbered = i < 9 && m_pages[i]->key() != u"validation"_s;
            m_tabs->setTabText(index, numbered ? title + u' ' + QString::number(index + 1) : title);
        }
    });
}

QDockWidget* MainWindow::addDock(const char* key, QWidget* content, Qt::DockWidgetArea area)
{
    auto* dock = new QDockWidget(this);
    dock->setObjectName(QString::fromLatin1(key));
    dock->setWidget(content);
    addDockWidget(area, dock);
    bindText(dock, [dock, key] { dock->setWindowTitle(say(key)); });
    return dock;
}

void MainWindow::buildDocks()
{
    m_inputs = new views::ParamPanel(&degreesOf, this);
    m_why = new views::WhyView(this);
    m_issues = new views::IssuesView(this);
    m_inputsDock = addDock("window.dock.inputs", m_inputs, Qt::LeftDockWidgetArea);
    m_whyDock = addDock("window.dock.why", m_why, Qt::RightDockWidgetArea);
    m_checksDock = addDock("window.dock.checks", m_issues, Qt::RightDockWidgetArea);
    resizeDocks({m_inputsDock, m_whyDock}, {316, 320}, Qt::Horizontal);
    resizeDocks({m_whyDock, m_checksDock}, {520, 300}, Qt::Vertical);
}

std::vector<QDockWidget*> MainWindow::docks() const
{
    return {m_inputsDock, m_whyDock, m_checksDock};
}

void MainWindow::connectAll()
{
    connect(&m_document, &Document::fileChanged, this, &MainWindow::updateOpenState);
    connect(&m_pump, &EvaluationPump::evaluated, this, &MainWindow::showEvaluation);
    connect(&m_idle, &IdleReader::read, this, &MainWindow::showIdle);
    connect(m_strip, &views::HeadlineStrip::chosen, this, &MainWindow::headlineChosen);
    connect(m_start, &views::StartPage::exampleWanted, m_files, &FileController::openExample);
    connect(m_start, &views::StartPage::newWanted, m_files, &FileController::newFromPreset);
    connect(m_start, &views::StartPage::openWanted, m_files, &FileController::openDialog);
    connect(m_start, &views::StartPage::recentWanted, m_files, &FileController::open);
    connect(m_start, &views::StartPage::recoverWanted, m_files, &FileController::recover);
    connect(m_start, &views::StartPage::discardWanted, m_files, &FileController::discard);
    connect(m_files, &FileController::leftoversChanged, this, &MainWindow::updateStart);
    connect(&m_files->recent(), &RecentFiles::changed, this, &MainWindow::updateStart);
    const auto notice = [this](const QString& text) {
        statusBar()->showMessage(text, 8000);
    };
    connect(m_files, &FileController::notice, this, notice);
    connect(m_panel, &PanelController::refused, this, notice);
    connect(m_issues, &views::IssuesView::fixWanted, this, &MainWindow::applyFix);
    const auto reveal = [this](const QString& path) {
        m_inputsDock->show();
        m_inputs->reveal(path);
    };
    connect(m_issues, &views::IssuesView::inputWanted, this, reveal);
    connect(m_why, &views::WhyView::inputWanted, this, reveal);
    connect(m_inputs, &views::ParamPanel::changedCountChanged, this, [this](int count) {
        m_inputsDock->setWindowTitle(
            count == 0 ? say("window.dock.inputs")
                       : say("window.dock.inputsChanged", {{"n", QString::number(count)}}));
    });
}

void MainWindow::updateOpenState()
{
    const bool open = m_document.isOpen();
    const bool was = m_stack->currentWidget() == m_tabs;
    // What is hidden shall not keep the window wide.
    const auto sized = [](QWidget* widget, bool counts) {
        const auto policy = counts ? QSizePolicy::Preferred : QSizePolicy::Ignored;
        widget->setSizePolicy(policy, policy);
    };
    sized(m_start, !open);
    sized(m_tabs, open);
    m_stack->setCurrentWidget(open ? static_cast<QWidget*>(m_tabs) : m_start);
    m_stripBar->setVisible(open);
    m_menus->setPlanOpen(open);
    if (open && !was) {
        restoreLayout();
    } else if (!open) {
        if (was)
            saveLayout();
        for (QDockWidget* dock : docks())
            dock->hide();
        updateStart();
    }
    updateTitle();
    updateStatus();
}

void MainWindow::updateTitle()
{
    if (!m_document.isOpen()) {
        setWindowTitle(u"Clusterwright"_s);
        setWindowModified(false);
        return;
    }
    setWindowTitle(m_document.title() + u"[*] — Clusterwright"_s);
    setWindowModified(m_document.isModified());
}

void MainWindow::updateStart()
{
    std::vector<views::StartPage::Recent> recent;
    for (const QString& file : m_files->recent().files()) {
        const QFileInfo info(file);
        recent.push_back(
            {file, info.completeBaseName(),
             views::numberLocale().toString(info.lastModified(), QLocale::ShortFormat)});
    }
    m_start->setRecent(recent);
    std::vector<views::StartPage::Leftover> leftovers;
    for (const auto& leftover : m_files->leftovers())
        leftovers.push_back(
            {leftover.title, views::numberLocale().toString(leftover.time, QLocale::ShortFormat)});
    m_start->setLeftovers(leftovers);
}

void MainWindow::updateStatus()
{
    QStringList left;
    if (!m_document.isOpen())
        left << say("window.status.noPlan");
    else
        left << say("window.status.evaluated",
                    {{"ms", views::numberLocale().toString(m_pump.milliseconds(), 'f', 1)}});
    if (const auto assumed = m_idle.newest().assumed.size(); m_document.isOpen() && assumed > 0)
        left << say("window.status.assumptions",
                    {{"n", QString::number(static_cast<int>(assumed))}});
    m_statusLeft->setText(left.join(u"    "_s));
    m_statusRight->setText(
        m_document.fileName().isEmpty() ? QString() : QFileInfo(m_document.fileName()).fileName());
}

void MainWindow::showEvaluation()
{
    const auto& newest = m_pump.newest();
    if (!newest || !m_document.isOpen())
        return;
    showHeadlines();
    const views::PageData figures{std::make_shared<const scenario::Scenario>(m_document.scenario()),
                                  newest, m_pump.baseline()};
    for (views::Page* page : m_pages)
        page->setData(figures);
    showIssues();
    showWhy();
    updateStatus();
}

void MainWindow::showHeadlines()
{
    m_strip->setHeadlines(headlinesOf(m_document.scenario(), *m_pump.newest(),
                                      m_pump.baseline().get(), m_document.baselineName(),
                                      m_idle.newest()));
    m_strip->setCurrent(m_explained);
}

void MainWindow::showIdle()
{
    if (!m_pump.newest() || !m_document.isOpen())
        return;
    showHeadlines();
    updateStatus();
    // Not before the hand rests: a line that comes and goes would move what is being dragged.
    m_strip->setProblem(problemOf(m_document.scenario(), *m_pump.newest()));
    for (views::Page* page : m_pages)
        if (auto* memory = qobject_cast<views::MemoryPage*>(page))
            memory->setRemedies(
                remedyRows(m_document.scenario(), *m_pump.newest(), m_idle.newest()));
        else if (auto* network = qobject_cast<views::NetworkPage*>(page))
            network->setAlternatives(
                topologyRows(m_document.scenario(), *m_pump.newest(), m_idle.newest()));
        else if (auto* overview = qobject_cast<views::OverviewPage*>(page))
            overview->setLimits(m_idle.newest().limits);
}

void MainWindow::showWhy()
{
    if (!m_document.isOpen() || !m_whyDock->isVisible())
        return;
    m_whyDock->setWindowTitle(say("window.dock.why") + u"  "_s +
                              views::labelOf(m_explained.toStdString()));
    if (const auto tree = whyOf(m_document.scenario(), m_explained))
        m_why->setTree(*tree);
    else
        m_why->setNothing(say("window.why.nothing"));
}

void MainWindow::showIssues()
{
    m_issues->setIssues(issuesOf(m_document.scenario(), *m_pump.newest()));
}

void MainWindow::applyFix(int index)
{
    const auto& issues = m_issues->issues();
    if (index < 0 || index >= static_cast<int>(issues.size()))
        return;
    const views::Issue issue = issues[static_cast<std::size_t>(index)];
    m_panel->editTogether(issue.fix, issue.fixText.isEmpty() ? issue.title : issue.fixText);
}

void MainWindow::explain(const QString& path)
{
    if (path.isEmpty())
        return;
    m_explained = path;
    m_strip->setCurrent(path);
    if (!m_presenting)
        m_whyDock->show();
    showWhy();
}

void MainWindow::headlineChosen(const QString& path, const QString& page)
{
    if (path.isEmpty()) {
        m_document.pinBaseline();
        return;
    }
    showPage(page);
    explain(path);
}

bool MainWindow::showPage(const QString& key)
{
    const auto found = std::find_if(m_pages.begin(), m_pages.end(),
                                    [&key](const views::Page* p) { return p->key() == key; });
    if (found == m_pages.end())
        return false;
    showPage(static_cast<int>(found - m_pages.begin()));
    return true;
}

void MainWindow::showPage(int index)
{
    m_tabs->setCurrentIndex(index);
}

void MainWindow::findInput()
{
    m_inputsDock->show();
    m_inputs->filterBox()->setFocus(Qt::ShortcutFocusReason);
    m_inputs->filterBox()->selectAll();
}

void MainWindow::setPresenting(bool presenting)
{
    if (presenting == m_presenting)
        return;
    m_presenting = presenting;
    m_menus->setPresenting(presenting);
    const double scale =
        std::clamp(screen()->availableSize().width() / kPresentWidth, kPresentLeast, kPresentMost);
    m_strip->setScale(presenting ? scale : 1.0);
    menuBar()->setVisible(!presenting);
    if (presenting) {
        m_layoutBefore = saveState(kLayoutVersion);
        for (QDockWidget* dock : docks())
            dock->hide();
        showFullScreen();
    } else {
        showNormal();
        restoreState(m_layoutBefore, kLayoutVersion);
        m_stripBar->setVisible(m_document.isOpen());
    }
}

void MainWindow::resetLayout()
{
    for (QDockWidget* dock : docks()) {
        dock->setFloating(false);
        dock->setVisible(m_document.isOpen());
    }
    addDockWidget(Qt::LeftDockWidgetArea, m_inputsDock);
    addDockWidget(Qt::RightDockWidgetArea, m_whyDock);
    splitDockWidget(m_whyDock, m_checksDock, Qt::Vertical);
    const bool narrow = width() < kNarrow;
    resizeDocks({m_inputsDock, m_whyDock}, {narrow ? 292 : 316, narrow ? 250 : 320},
                Qt::Horizontal);
    resizeDocks({m_whyDock, m_checksDock}, {height() * 5 / 9, height() * 3 / 9}, Qt::Vertical);
}

void MainWindow::restoreLayout()
{
    const QByteArray kept = QSettings().value(u"layout"_s).toByteArray();
    if (kept.isEmpty() || !restoreState(kept, kLayoutVersion))
        resetLayout();
    m_stripBar->setVisible(true);
    m_layoutRestored = true;
}

void MainWindow::saveLayout() const
{
    QSettings settings;
    settings.setValue(u"geometry"_s, saveGeometry());
    if (m_layoutRestored && !m_presenting)
        settings.setValue(u"layout"_s, saveState(kLayoutVersion));
}

void MainWindow::showEvent(QShowEvent* event)
{
    QMainWindow::showEvent(event);
    if (m_document.isOpen())
        showEvaluation();
}

void MainWindow::closeEvent(QCloseEvent* event)
{
    if (!m_files->mayLeave()) {
        event->ignore();
        return;
    }
    if (m_document.isOpen())
        saveLayout();
    m_document.close();
    event->accept();
}

void MainWindow::dragEnterEvent(QDragEnterEvent* event)
{
    if (!FileController::planFiles(event->mimeData()).isEmpty())
        event->acceptProposedAction();
}

void MainWindow::dropEvent(QDropEvent* event)
{
    const QStringList files = FileController::planFiles(event->mimeData());
    if (files.isEmpty())
        return;
    event->acceptProposedAction();
    m_files->open(files.front());
}

bool MainWindow::eventFilter(QObject* watched, QEvent* event)
{
    // Alt held down shows the baseline; whichever widget has the keyboard.
    if (event->type() == QEvent::KeyPress || event->type() == QEvent::KeyRelease) {
        const auto* key = static_cast<QKeyEvent*>(event);
        if (key->key() == Qt::Key_Alt && !key->isAutoRepeat())
            m_strip->setShowsBaseline(event->type() == QEvent::KeyPress);
    } else if (event->type() == QEvent::WindowDeactivate) {
        m_strip->setShowsBaseline(false);
    }
    return QMainWindow::eventFilter(watched, event);
}

} // namespace cw::app
