// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractButton>
#include <QWidget>
#include <vector>

#include "views/theme/theme.h"

class QButtonGroup;
class QGridLayout;
class QHBoxLayout;
class QLabel;
class QLineEdit;
class QVBoxLayout;

namespace cw::views {

/// A card that can be clicked: an icon, a title, a line below, a result.
class StartCard final : public QAbstractButton
{
    Q_OBJECT

public:
    explicit StartCard(QWidget* parent = nullptr);
    void setTexts(const QString& title, const QString& line, const QString& result = {});
    void setRightText(const QString& text);
    /// The mark before the result.
    void setStatus(Status status)
    {
        m_status = status;
        m_hasStatus = true;
    }
    void setStrong(bool strong) { m_strong = strong; }
    /// A small picture of what an example is about: a category of examples.
    void setGlyph(const QString& category)
    {
        m_glyph = category;
        updateGeometry();
    }
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] bool hasHeightForWidth() const override { return true; }
    [[nodiscard]] int heightForWidth(int width) const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    double draw(QPainter* painter, int width, const Theme& theme) const;

    QString m_title;
    QString m_line;
    QString m_result;
    QString m_right;
    QString m_glyph; ///< empty: none
    Status m_status = Status::Ok;
    bool m_hasStatus = false;
    bool m_strong = false;
};

/// Where nothing is open: worked examples, new, open, recent, recovery.
class StartPage : public QWidget
{
    Q_OBJECT

public:
    struct Recent
    {
        QString fileName;
        QString title;
        QString line;
    };
    struct Leftover
    {
        QString title;
        QString time;
    };

    explicit StartPage(QWidget* parent = nullptr);

    void setRecent(const std::vector<Recent>& recent);
    void setLeftovers(const std::vector<Leftover>& leftovers);
    [[nodiscard]] QLineEdit* filterBox() const { return m_filter; }
    [[nodiscard]] const std::vector<StartCard*>& exampleCards() const { return m_cards; }
    /// Ids of the examples there are.
    [[nodiscard]] static QStringList exampleIds();

Q_SIGNALS:
    void exampleWanted(const QString& id);
    void newWanted();
    void openWanted();
    void recentWanted(const QString& fileName);
    void recoverWanted(int index);
    void discardWanted(int index);

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void buildLeft(QVBoxLayout* column);
    void buildRight(QVBoxLayout* column);
    void addCategories(QHBoxLayout* line);
    void fillExamples();
    void applyFilter();
    void arrange();
    [[nodiscard]] int columns() const;

    QLineEdit* m_filter = nullptr;
    QWidget* m_right = nullptr;
    QWidget* m_legend = nullptr;
    QGridLayout* m_grid = nullptr;
    QVBoxLayout* m_recent = nullptr;
    QVBoxLayout* m_leftovers = nullptr;
    QLabel* m_recentTitle = nullptr;
    QLabel* m_nothing = nullptr;
    std::vector<StartCard*> m_cards;
    std::vector<QString> m_search;
    std::vector<QString> m_categories; ///< of each card
    QString m_category;                ///< shown alone; empty: all
    int m_columns = 0;
};

} // namespace cw::views
