// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest/QTest>

#include <QLabel>
#include <algorithm>

#include "views/common/chartframe.h"
#include "views/common/elidedlabel.h"

// The head of a card: a subtitle that does not fit beside the title gets its own line.

using namespace cw::views;
using namespace Qt::StringLiterals;

class CardHeadTest : public QObject
{
    Q_OBJECT

private:
    static ElidedLabel* subtitleOf(const Card& card)
    {
        const auto labels = card.findChildren<ElidedLabel*>();
        const auto found = std::find_if(labels.begin(), labels.end(), [&card](auto* label) {
            return label->text() == card.subtitle();
        });
        return found == labels.end() ? nullptr : *found;
    }

private Q_SLOTS:
    void longSubtitleGoesBelow()
    {
        Card card(u"Loss forecast"_s, u"at 160 T tokens; critical batch 352 M tokens"_s);
        card.resize(900, 200);
        card.show();
        QVERIFY(QTest::qWaitForWindowExposed(&card));
        ElidedLabel* subtitle = subtitleOf(card);
        QVERIFY(subtitle != nullptr);
        const int beside = subtitle->mapTo(&card, QPoint()).x();
        QTRY_VERIFY(subtitle->neededWidth() <= subtitle->width());
        card.resize(int(subtitle->neededWidth()) + 60, 200);
        QTRY_VERIFY(subtitle->mapTo(&card, QPoint()).x() < beside);
        QTRY_VERIFY(subtitle->neededWidth() <= subtitle->width());
        // A short text goes back beside the title.
        card.setSubtitle(u"at 1 T"_s);
        QTRY_COMPARE(subtitle->mapTo(&card, QPoint()).x(), beside);
    }
};

QTEST_MAIN(CardHeadTest)
#include "tst_cardhead.moc"
