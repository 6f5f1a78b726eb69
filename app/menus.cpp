// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/menus.h"

#include <QAction>
#include <QActionGroup>
#include <QApplication>
#include <QDockWidget>
#include <QFileInfo>
#include <QKeySequence>
#include <QMenu>
#include <QMenuBar>
#include <QMessageBox>

#include "app/mainwindow.h"
#include "app/pagelist.h"
#include "views/pages/page.h"
#include "views/params/parampanel.h"
#include "views/text/words.h"
#include "views/theme/icons.h"

namespace cw::app {

using namespace Qt::StringLiterals;
using views::bindText;
using views::Language;
using views::say;
using views::ThemeMode;

Menus::Menus(MainWindow& window) : QObject(&window), m_window(window)
{
    buildFile();
    buildEdit();
    buildView();
    buildHelp();
}

QMenu* Menus::menu(const char* key)
{
    auto* menu = new QMenu(&m_window);
    m_window.menuBar()->addMenu(menu);
    bindText(menu, [menu, key] { menu->setTitle(say(key)); });
    return menu;
}

QAction* Menus::add(QMenu* menu, const char* key, const QKeySequence& shortcut,
                    const std::function<void()>& run, bool needsPlan)
{
    auto* action = new QAction(&m_window);
    action->setShortcut(shortcut);
    bindText(action, [action, key] { action->setText(say(key)); });
    connect(action, &QAction::triggered, this, run);
    menu->addAction(action);
    // Also where the menu bar is hidden.
    m_window.addAction(action);
    m_all.push_back(action);
    if (needsPlan)
        m_needPlan.push_back(action);
    return action;
}

void Menus::buildFile()
{
    QMenu* file = menu("window.menu.file");
    FileController& files = m_window.files();
    add(file, "window.action.new", QKeySequence::New, [&files] { files.newFromPreset(); });
    add(file, "window.action.open", QKeySequence::Open, [&files] { files.openDialog(); });
    auto* recent = file->addMenu(QString());
    bindText(recent, [recent] { recent->setTitle(say("window.action.recent")); });
    connect(recent, &QMenu::aboutToShow, this, [this, recent] { fillRecent(recent); });
    file->addSeparator();
    add(
        file, "window.action.save", QKeySequence::Save, [&files] { files.save(); }, true);
    add(
        file, "window.action.saveAs", QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_S),
        [&files] { files.saveAs(); }, true);
    file->addSeparator();
    add(
        file, "window.action.close", QKeySequence(Qt::CTRL | Qt::Key_W),
        [&files] { files.closePlan(); }, true);
    add(file, "window.action.quit", QKeySequence(Qt::CTRL | Qt::Key_Q),
        [this] { m_window.close(); });
}

void Menus::fillRecent(QMenu* recent)
{
    recent->clear();
    const QStringList files = m_window.files().recent().files();
    for (const QString& file : files)
        connect(recent->addAction(QFileInfo(file).fileName()), &QAction::triggered, this,
                [this, file] { m_window.files().open(file); });
    if (files.isEmpty()) {
        recent->addAction(say("window.action.recentNone"))->setEnabled(false);
        return;
    }
    recent->addSeparator();
    connect(recent->addAction(say("window.action.recentClear")), &QAction::triggered, this,
            [this] { m_window.files().recent().clear(); });
}

void Menus::buildEdit()
{
    QMenu* edit = menu("window.menu.edit");
    QUndoStack& history = m_window.document().history();
    for (const bool undo : {true, false}) {
        QAction* action =
            add(edit, undo ? "window.action.undo" : "window.action.redo",
                undo ? QKeySequence(QKeySequence::Undo) : QKeySequence(QKeySequence::Redo),
                [&history, undo] { undo ? history.undo() : history.redo(); });
        if (!undo) // both keys that people know, whichever of them is the platform's own
            action->setShortcuts({QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_Z),
                                  QKeySequence(Qt::CTRL | Qt::Key_Y)});
        action->setIcon(views::icon(undo ? views::Icon::Undo : views::Icon::Redo));
        const auto update = [action, &history, undo] {
            const QString what = undo ? history.undoText() : history.redoText();
            const QString key = say(undo ? "window.action.undo" : "window.action.redo");
            action->setText(what.isEmpty()
                                ? key
                                : say(undo ? "window.action.undoOf" : "window.action.redoOf",
                                      {{"what", what}}));
            action->setEnabled(undo ? history.canUndo() : history.canRedo());
        };
        connect(&history, &QUndoStack::indexChanged, action, update);
        bindText(action, update);
    }
    edit->addSeparator();
    add(
        edit, "window.action.find", QKeySequence::Find, [this] { m_window.findInput(); }, true);
    edit->addSeparator();
    add(
        edit, "window.action.pin", QKeySequence(Qt::CTRL | Qt::Key_B),
        [this] { m_window.document().pinBaseline(); }, true);
    add(
        edit, "window.action.unpin", QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_B),
        [this] { m_window.document().unpinBaseline(); }, true);
}

void Menus::buildView()
{
    QMenu* view = menu("window.menu.view");
    const auto& pages = m_window.pages();
    for (std::size_t i = 0; i < pages.size(); ++i) {
        const QString key = pages[i]->key();
        auto* action = new QAction(&m_window);
        action->setShortcut(pageShortcut(*pages[i], i));
        bindText(action,
                 [action, key] { action->setText(say("window.page." + key.toStdString())); });
        connect(action, &QAction::triggered, this, [this, key] { m_window.showPage(key); });
        view->addAction(action);
        m_window.addAction(action);
        m_all.push_back(action);
        m_needPlan.push_back(action);
    }
    view->addSeparator();
    for (QDockWidget* dock : m_window.docks())
        view->addAction(dock->toggleViewAction());
    add(view, "window.action.resetLayout", {}, [this] { m_window.resetLayout(); });
    m_present = add(view, "window.action.present", QKeySequence(Qt::Key_F11),
                    [this] { m_window.setPresenting(!m_window.isPresenting()); });
    m_present->setCheckable(true);
    view->addSeparator();
    buildLanguage(view);
    buildTheme(view);
}

void Menus::buildLanguage(QMenu* view)
{
    auto* menu = view->addMenu(QString());
    bindText(menu, [menu] { menu->setTitle(say("window.action.language")); });
    auto* group = new QActionGroup(this);
    // Each language under its own name, so that who cannot read the other finds it.
    for (const auto& [language, name] : {std::pair(Language::English, u"English"_s),
                                         std::pair(Language::Chinese, u"简体中文"_s)}) {
        auto* action = menu->addAction(name);
        action->setCheckable(true);
        group->addAction(action);
        action->setObjectName(u"language."_s + views::languageCode(language));
        connect(action, &QAction::triggered, this,
                [this, l = language] { m_window.appearance().setLanguage(l); });
        bindText(action, [action, l = language] { action->setChecked(views::language() == l); });
    }
}

void Menus::buildTheme(QMenu* view)
{
    auto* menu = view->addMenu(QString());
    bindText(menu, [menu] { menu->setTitle(say("window.action.theme")); });
    auto* group = new QActionGroup(this);
    for (const auto& [mode, key] : {std::pair(ThemeMode::System, "window.theme.system"),
                                    std::pair(ThemeMode::Light, "window.theme.light"),
                                    std::pair(ThemeMode::Dark, "window.theme.dark")}) {
        auto* action = menu->addAction(QString());
        action->setCheckable(true);
        action->setChecked(m_window.appearance().theme() == mode);
        group->addAction(action);
        bindText(action, [action, k = key] { action->setText(say(k)); });
        connect(action, &QAction::triggered, this,
                [this, m = mode] { m_window.appearance().setTheme(m); });
    }
}

void Menus::buildHelp()
{
    QMenu* help = menu("window.menu.help");
    add(help, "window.action.about", {}, [this] {
        QMessageBox::about(
            &m_window, u"Clusterwright"_s,
            say("window.about", {{"version", QCoreApplication::applicationVersion()}}));
    });
}

void Menus::setPlanOpen(bool open)
{
    for (QAction* action : m_needPlan)
        action->setEnabled(open);
}

void Menus::setPresenting(bool presenting)
{
    m_present->setChecked(presenting);
}

} // namespace cw::app
