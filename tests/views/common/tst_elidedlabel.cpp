// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/views/painted/charttestmain.h"
#include "views/common/elidedlabel.h"
#include "views/painted/paintutil.h"

#include <QPainter>
#include <cstdlib>

using namespace cw::views;
using namespace Qt::StringLiterals;

class ElidedLabelTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void strongPartsAreNoMarkup()
    {
        ElidedLabel label;
        label.setText(u"MFU <b>41.0</b> of <b>50</b>"_s);
        QCOMPARE(label.text(), u"MFU <b>41.0</b> of <b>50</b>"_s);
        QCOMPARE(label.accessibleName(), u"MFU 41.0 of 50"_s);
        label.setText(u"<b>41.0</b>"_s);
        QCOMPARE(label.accessibleName(), u"41.0"_s);
    }
    void aNarrowOneAsksForNoWidth()
    {
        ElidedLabel label;
        label.setText(u"a long text that would make its card as wide as itself"_s);
        QCOMPARE(label.sizeHint().width(), 0);
        label.setKeepsWidth(true);
        label.setText(u"another"_s);
        QVERIFY(label.sizeHint().width() > 20);
        QVERIFY(label.minimumSizeHint().width() == 0);
    }
    void whatDoesNotFitEndsInAnEllipsis()
    {
        const QFont font = Theme::font(11);
        const QString text = u"usable memory of one chip"_s;
        QCOMPARE(fitted(text, font, textWidth(text, font)), text);
        const QString cut = fitted(text, font, textWidth(text, font) / 2);
        QVERIFY(cut.endsWith(u'…'));
        QVERIFY(textWidth(cut, font) <= textWidth(text, font) / 2 + 0.5);
    }
    void keptTextIsDrawnAsNewTextIs()
    {
        // What is drawn from the kept glyphs lies where Qt's own drawing puts it.
        const auto drawn = [](bool kept) {
            QImage image(160, 30, QImage::Format_ARGB32_Premultiplied);
            image.fill(Qt::white);
            QPainter painter(&image);
            painter.setFont(Theme::font(12, true));
            const QRectF box(5, 4, 150, 20);
            if (kept)
                drawText(painter, box, Qt::AlignRight | Qt::AlignVCenter, u"118.6 GiB"_s);
            else
                painter.drawText(box, Qt::AlignRight | Qt::AlignVCenter, u"118.6 GiB"_s);
            return image;
        };
        const auto inkOf = [](const QImage& image) {
            QRect ink;
            for (int y = 0; y < image.height(); ++y)
                for (int x = 0; x < image.width(); ++x)
                    if (image.pixelColor(x, y).lightness() < 160)
                        ink |= QRect(x, y, 1, 1);
            return ink;
        };
        const QRect kept = inkOf(drawn(true));
        const QRect plain = inkOf(drawn(false));
        QVERIFY(kept.width() > 30);
        QVERIFY(std::abs(kept.left() - plain.left()) <= 1);
        QVERIFY(std::abs(kept.right() - plain.right()) <= 1);
        QVERIFY(std::abs(kept.top() - plain.top()) <= 1);
        QVERIFY(std::abs(kept.bottom() - plain.bottom()) <= 1);
    }
};

int main(int argc, char** argv)
{
    return cw::test::runChartTest<ElidedLabelTest>(argc, argv);
}
#include "tst_elidedlabel.moc"
