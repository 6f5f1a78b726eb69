// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/common/paintedchart.h"

#include <QFrame>

class QBoxLayout;
class QContextMenuEvent;
class QHBoxLayout;
class QLabel;
class QMenu;
class QStackedLayout;
class QTableView;
class QVBoxLayout;

namespace cw::views {

class ElidedLabel;

/// A card: title, subtitle beside it, a slot at the right of the title, and a body.
class Card : public QFrame
{
    Q_OBJECT

public:
    explicit Card(const QString& title = {}, const QString& subtitle = {},
                  QWidget* parent = nullptr);

    void setTitle(const QString& title);
    void setSubtitle(const QString& subtitle);
    /// Text at the right end of the title line; parts between <b> and </b> are strong.
    void setRightText(const QString& text);
    [[nodiscard]] QString title() const;
    [[nodiscard]] QString subtitle() const;
    /// Widgets at the right of the title, after the right text.
    void addRightWidget(QWidget* widget);
    [[nodiscard]] QVBoxLayout* body() const { return m_body; }

private:
    QLabel* m_title;
    ElidedLabel* m_subtitle;
    ElidedLabel* m_right;
    QHBoxLayout* m_head;
    QVBoxLayout* m_body;
};

/// A card around one chart: copies and saves its picture and its data, and shows it as a table.
class ChartFrame : public Card
{
    Q_OBJECT

public:
    explicit ChartFrame(const QString& title = {}, const QString& subtitle = {},
                        QWidget* parent = nullptr);

    /// Takes the chart's widget into the card.
    void setChart(ChartContent* chart);
    [[nodiscard]] ChartContent* chart() const { return m_chart; }
    void setTableShown(bool shown);
    [[nodiscard]] bool isTableShown() const;
    /// The table twin reads the chart's data anew; ChartFrame does so itself when it is shown.
    void refreshTable();

    void copyPicture();
    void copySvg();
    void copyData();
    bool savePicture(const QString& fileName); ///< PNG at twice the size, or SVG by the suffix
    /// Menu of the chart; the caller owns it.
    QMenu* createMenu();

Q_SIGNALS:
    /// The chart is going to be read for a picture or a table: what waits can be shown before.
    void aboutToRead();
    /// Copying or saving went wrong; the text is translated.
    void failed(const QString& message);

protected:
    void contextMenuEvent(QContextMenuEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void askAndSave();
    [[nodiscard]] QSize pictureSize() const;
    [[nodiscard]] QByteArray svg() const;
    [[nodiscard]] QImage picture() const;

    ChartContent* m_chart = nullptr;
    QTableView* m_table;
    QStackedLayout* m_stack;
};

} // namespace cw::views
