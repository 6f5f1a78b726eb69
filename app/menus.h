// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <functional>
#include <vector>

class QAction;
class QActionGroup;
class QKeySequence;
class QMenu;

namespace cw::app {

class MainWindow;

/// All actions of the window, in its menus.
class Menus final : public QObject
{
    Q_OBJECT

public:
    explicit Menus(MainWindow& window);

    /// Actions that need an open plan follow it.
    void setPlanOpen(bool open);
    void setPresenting(bool presenting);
    [[nodiscard]] std::vector<QAction*> actions() const { return m_all; }

private:
    QMenu* menu(const char* key);
    QAction* add(QMenu* menu, const char* key, const QKeySequence& shortcut,
                 const std::function<void()>& run, bool needsPlan = false);
    void buildFile();
    void buildEdit();
    void buildView();
    void buildLanguage(QMenu* view);
    void buildTheme(QMenu* view);
    void buildHelp();
    void fillRecent(QMenu* recent);

    MainWindow& m_window;
    std::vector<QAction*> m_all;
    std::vector<QAction*> m_needPlan;
    QAction* m_present = nullptr;
};

} // namespace cw::app
