// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QMainWindow>
#include <vector>

#include "app/appearance.h"
#include "app/controllers/filecontroller.h"
#include "app/controllers/idlereader.h"
#include "app/controllers/panelcontroller.h"
#include "app/controllers/validationreader.h"
#include "app/document/document.h"
#include "app/document/evaluationpump.h"

class QDockWidget;
class QLabel;
class QStackedWidget;
class QTabWidget;
class QToolBar;

namespace cw::views {
class HeadlineStrip;
class IssuesView;
class Page;
class ParamPanel;
class StartPage;
class WhyView;
} // namespace cw::views

namespace cw::app {

class Menus;

/// The window: inputs at the left, the headline strip above the pages, Why and Checks at the right.
class MainWindow final : public QMainWindow
{
    Q_OBJECT

public:
    explicit MainWindow(Appearance& appearance, QWidget* parent = nullptr);
    ~MainWindow() override;

    [[nodiscard]] Document& document() { return m_document; }
    [[nodiscard]] EvaluationPump& pump() { return m_pump; }
    [[nodiscard]] IdleReader& idle() { return m_idle; }
    [[nodiscard]] ValidationReader& validation() { return *m_validation; }
    [[nodiscard]] FileController& files() { return *m_files; }
    [[nodiscard]] Appearance& appearance() { return m_appearance; }
    [[nodiscard]] views::ParamPanel& inputs() { return *m_inputs; }
    [[nodiscard]] views::HeadlineStrip& strip() { return *m_strip; }
    [[nodiscard]] views::StartPage& startPage() { return *m_start; }
    [[nodiscard]] const std::vector<views::Page*>& pages() const { return m_pages; }
    [[nodiscard]] std::vector<QDockWidget*> docks() const;

    /// By its key; false where there is no such page.
    bool showPage(const QString& key);
    void showPage(int index);
    /// Explains a quantity in the Why dock from now on.
    void explain(const QString& path);
    void setPresenting(bool presenting);
    [[nodiscard]] bool isPresenting() const { return m_presenting; }
    void resetLayout();
    /// Puts the keyboard into the filter of the inputs.
    void findInput();

protected:
    void closeEvent(QCloseEvent* event) override;
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dropEvent(QDropEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;
    void showEvent(QShowEvent* event) override;

private:
    void buildCentre();
    void addPages();
    void buildDocks();
    void connectAll();
    QDockWidget* addDock(const char* key, QWidget* content, Qt::DockWidgetArea area);
    void updateOpenState();
    void updateTitle();
    void updateStart();
    void updateStatus();
    void showEvaluation();
    void showWhy();
    void showIssues();
    void showHeadlines();
    void showIdle();
    void applyFix(int index);
    void headlineChosen(const QString& path, const QString& page);
    void restoreLayout();
    void saveLayout() const;

    Appearance& m_appearance;
    Document m_document;
    EvaluationPump m_pump;
    IdleReader m_idle;
    ValidationReader* m_validation = nullptr;
    FileController* m_files = nullptr;
    PanelController* m_panel = nullptr;
    Menus* m_menus = nullptr;
    QStackedWidget* m_stack = nullptr;
    QTabWidget* m_tabs = nullptr;
    QToolBar* m_stripBar = nullptr;
    views::StartPage* m_start = nullptr;
    views::HeadlineStrip* m_strip = nullptr;
    views::ParamPanel* m_inputs = nullptr;
    views::WhyView* m_why = nullptr;
    views::IssuesView* m_issues = nullptr;
    QDockWidget* m_inputsDock = nullptr;
    QDockWidget* m_whyDock = nullptr;
    QDockWidget* m_checksDock = nullptr;
    QLabel* m_statusLeft = nullptr;
    QLabel* m_statusRight = nullptr;
    std::vector<views::Page*> m_pages;
    QString m_explained = QStringLiteral("step.time_s");
    QByteArray m_defaultLayout;
    QByteArray m_layoutBefore;
    bool m_presenting = false;
    bool m_layoutRestored = false;
};

} // namespace cw::app
