// SPDX-License-Identifier: GPL-3.0-or-later
// Dynamic properties read here:
//   QFrame   card="true" | "selected" | "warning"        a card
//   QFrame   rule="below"                                a hairline below
//   QLabel   role="headline" | "title" | "secondary" | "note" | "weak" | "strong"
//   QLabel   tag="plain" | "assumed" | "changed"          a small framed word
//   QLabel   change="better" | "worse"                    a difference against the baseline
//   QAbstractButton  chip="plain" | "current" | "excluded"; primary="true"; small="true";
//                    segment="true" (checkable parts of a switch); flat="true" (icon only)
#include "views/theme/theme.h"

#include <QHash>

namespace cw::views {

using namespace Qt::StringLiterals;

namespace {

QString frameRules()
{
    return uR"(
QFrame[card="true"] { background: @card; border: 1px solid @border; border-radius: 4px; }
QFrame[card="selected"] { background: @selection; border: 1px solid @accent; border-radius: 4px; }
QFrame[card="warning"] { background: @warnwash; border: 1px solid @warning; border-radius: 4px; }
QFrame[rule="below"] { border: none; border-bottom: 1px solid @hairline; }
QToolTip { background: @card; color: @text; border: 1px solid @weak; padding: 4px; font-size: 11px; }
QLabel { background: transparent; }
QLabel[role="headline"] { font-size: 19px; font-weight: 600; }
QLabel[role="title"] { font-size: 13px; font-weight: 600; }
QLabel[role="strong"] { font-weight: 600; }
QLabel[role="accent"] { color: @accent; }
QLabel[role="secondary"] { font-size: 11px; color: @secondary; }
QLabel[role="note"] { font-size: 10px; color: @secondary; }
QLabel[role="weak"] { font-size: 10px; color: @weak; }
QLabel[role="violation"] { font-size: 12px; font-weight: 600; color: @violation; }
QLabel[tag] { font-size: 10px; border-radius: 3px; padding: 0px 4px; }
QLabel[tag="plain"] { border: 1px solid @border; color: @secondary; }
QLabel[tag="assumed"] { border: 1px dashed @warning; color: @warning; }
QLabel[tag="changed"] { border: 1px solid @accent; color: @accent; }
QLabel[change="better"] { color: @better; }
QLabel[change="worse"] { color: @worse; }
)"_s;
}

QString dockRules()
{
    return uR"(
QMainWindow::separator { background: @border; width: 1px; height: 1px; }
QMenuBar { background: @window; border-bottom: 1px solid @hairline; }
QMenuBar::item { padding: 4px 10px; background: transparent; }
QMenuBar::item:selected { background: @selection; }
QMenu { background: @card; border: 1px solid @border; padding: 4px 0px; }
QMenu::item { padding: 4px 24px 4px 24px; }
QMenu::item:selected { background: @selection; color: @text; }
QMenu::item:disabled { color: @weak; }
QMenu::separator { height: 1px; background: @hairline; margin: 4px 0px; }
QStatusBar { background: @sunken; border-top: 1px solid @border; font-size: 11px; color: @secondary; }
QStatusBar::item { border: none; }
QDockWidget { font-weight: 600; titlebar-close-icon: none; }
QDockWidget::title { background: @sunken; border-bottom: 1px solid @border; padding: 6px 10px;
    text-align: left; }
QTabWidget::pane { border: none; border-top: 1px solid @border; }
QTabWidget::tab-bar { left: 8px; }
QTabBar { background: transparent; }
QTabBar::tab { background: transparent; color: @secondary; padding: 6px 9px 7px 9px; border: none;
    border-top: 2px solid transparent; }
QTabBar::tab:selected { background: @card; color: @text; font-weight: 600;
    border-left: 1px solid @border; border-right: 1px solid @border;
    border-top: 2px solid @accent; border-top-left-radius: 3px; border-top-right-radius: 3px; }
QTabBar::tab:hover:!selected { color: @text; }
QTabBar::tab:focus { color: @accent; }
)"_s;
}

QString inputRules()
{
    return uR"(
QLineEdit, QComboBox, QAbstractSpinBox { background: @card; border: 1px solid @border;
    border-radius: 3px; padding: 1px 6px; min-height: 18px; selection-background-color: @selection;
    selection-color: @text; }
QLineEdit:focus, QComboBox:focus, QAbstractSpinBox:focus { border: 1px solid @accent; }
QLineEdit[derived="true"] { color: @secondary; font-style: italic; }
QLineEdit[wrong="true"] { border: 1px solid @violation; }
QLineEdit:disabled, QLineEdit:read-only { color: @secondary; background: @sunken; }
QComboBox::drop-down { border: none; width: 18px; }
QComboBox QAbstractItemView { background: @card; border: 1px solid @border; }
QPushButton { background: @card; border: 1px solid @border; border-radius: 3px; padding: 2px 10px;
    min-height: 18px; }
QPushButton:hover { border-color: @weak; }
QPushButton:focus { border-color: @accent; }
QPushButton:pressed { background: @selection; }
QPushButton:disabled { color: @weak; background: @sunken; }
QPushButton[small="true"] { min-height: 14px; padding: 1px 8px; font-size: 11px; }
QPushButton[primary="true"] { background: @primary; border-color: @primary; color: @onprimary;
    font-weight: 600; }
QPushButton[segment="true"], QToolButton[segment="true"] { border: 1px solid @border;
    border-radius: 0px; background: @card; padding: 2px 9px; font-size: 11px; }
QPushButton[segment="true"]:checked, QToolButton[segment="true"]:checked { background: @selection;
    font-weight: 600; color: @text; }
QAbstractButton[chip] { font-size: 11px; border-radius: 3px; padding: 0px 4px; min-height: 15px;
    border: 1px solid @border; background: @card; color: @text; }
QAbstractButton[chip="current"] { background: @primary; border-color: @primary; color: @onprimary;
    font-weight: 600; }
QAbstractButton[chip="excluded"] { border: 1px dashed @border; color: @weak;
    text-decoration: line-through; background: transparent; }
QAbstractButton[chip]:hover, QAbstractButton[chip]:focus { border-color: @accent; }
QToolButton { border: 1px solid transparent; border-radius: 3px; padding: 1px; background: transparent; }
QToolButton:hover { border-color: @border; }
QToolButton:focus { border-color: @accent; }
QToolButton:checked { background: @selection; }
)"_s;
}

QString itemRules()
{
    return uR"(
QAbstractScrollArea { border: none; background: transparent; }
QScrollArea > QWidget > QWidget { background: transparent; }
QAbstractItemView { background: @card; border: none; alternate-background-color: @sunken;
    selection-background-color: @selection; selection-color: @text; gridline-color: @hairline; }
QAbstractItemView::item { padding: 1px 2px; }
QAbstractItemView::item:selected { background: @selection; color: @text; }
QHeaderView { background: @card; border: none; }
QHeaderView::section { background: @card; color: @secondary; border: none;
    border-bottom: 1px solid @border; padding: 3px 6px; font-size: 11px; font-weight: 400; }
QTableCornerButton::section { background: @card; border: none; }
QScrollBar:vertical { background: transparent; width: 10px; margin: 0px; }
QScrollBar:horizontal { background: transparent; height: 10px; margin: 0px; }
QScrollBar::handle { background: @border; border-radius: 3px; margin: 2px; min-height: 24px;
    min-width: 24px; }
QScrollBar::handle:hover { background: @weak; }
QScrollBar::add-line, QScrollBar::sub-line { width: 0px; height: 0px; }
QScrollBar::add-page, QScrollBar::sub-page { background: transparent; }
QSplitter::handle { background: @border; }
QProgressBar { border: 1px solid @border; border-radius: 3px; background: @sunken; text-align: center;
    max-height: 14px; font-size: 10px; }
QProgressBar::chunk { background: @accent; }
)"_s;
}

} // namespace

QString styleSheetOf(const Theme& theme)
{
    QString sheet = frameRules() + dockRules() + inputRules() + itemRules();
    // Longer names first: @windowx would otherwise be cut by @window.
    const QList<std::pair<QString, QColor>> names = {
        {u"@warnwash"_s, theme.wash(theme.warning, theme.dark ? 0.22 : 0.14)},
        {u"@onprimary"_s, theme.onAccent},
        {u"@primary"_s, theme.accent},
        {u"@secondary"_s, theme.secondary},
        {u"@selection"_s, theme.selection},
        {u"@violation"_s, theme.violation},
        {u"@hairline"_s, theme.hairline},
        {u"@warning"_s, theme.warning},
        {u"@accent"_s, theme.accent},
        {u"@border"_s, theme.border},
        {u"@window"_s, theme.window},
        {u"@sunken"_s, theme.sunken},
        {u"@better"_s, theme.better},
        {u"@worse"_s, theme.worse},
        {u"@card"_s, theme.card},
        {u"@text"_s, theme.text},
        {u"@weak"_s, theme.weak},
    };
    for (const auto& [name, colour] : names) {
        sheet.replace(name, colour.name());
    }
    return sheet;
}

} // namespace cw::views
