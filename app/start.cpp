// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/start.h"

#include <QApplication>
#include <QCommandLineParser>
#include <QElapsedTimer>
#include <QPixmap>
#include <QSettings>
#include <QTextStream>
#include <QTimer>

#include "app/mainwindow.h"
#include "views/pages/page.h"
#include "views/params/wheelguard.h"

#ifndef CLUSTERWRIGHT_VERSION
#define CLUSTERWRIGHT_VERSION "0"
#endif

namespace cw::app {

using namespace Qt::StringLiterals;

namespace {

constexpr int kWrongCommandLine = 2;

void addOptions(QCommandLineParser& parser)
{
    parser.setApplicationDescription(
        u"Plans the training of a very large language model as one system."_s);
    parser.addHelpOption();
    parser.addVersionOption();
    parser.addPositionalArgument(u"plan"_s, u"A plan file, or the name of a worked example."_s,
                                 u"[plan]"_s);
    parser.addOptions({
        {u"language"_s, u"Language of the window: en or zh_CN."_s, u"language"_s},
        {u"theme"_s, u"Colours: light, dark or system."_s, u"theme"_s},
        {u"page"_s, u"The page to show first: overview, memory, step, ..."_s, u"page"_s},
        {u"size"_s, u"Size of the window, as 1440x900."_s, u"size"_s},
        {u"screenshot"_s, u"Writes a picture of the window and ends."_s, u"file"_s},
    });
}

QSize sizeOf(const QString& text)
{
    const QStringList parts = text.split(u'x');
    return parts.size() == 2 ? QSize(parts[0].toInt(), parts[1].toInt()) : QSize();
}

/// Wrong values of options, one line each.
QStringList faultsOf(const QCommandLineParser& parser)
{
    QStringList faults;
    const auto check = [&](const QString& name, const QStringList& allowed) {
        if (parser.isSet(name) && !allowed.contains(parser.value(name)))
            faults << u"--"_s + name + u": "_s + allowed.join(u", "_s);
    };
    check(u"language"_s, {u"en"_s, u"zh_CN"_s});
    check(u"theme"_s, {u"light"_s, u"dark"_s, u"system"_s});
    const QSize size = sizeOf(parser.value(u"size"_s));
    if (parser.isSet(u"size"_s) && (size.width() < 300 || size.height() < 200 ||
                                    size.width() > 10000 || size.height() > 10000))
        faults << u"--size: WIDTHxHEIGHT, 300x200 to 10000x10000"_s;
    if (parser.positionalArguments().size() > 1)
        faults << u"more than one plan"_s;
    return faults;
}

/// Runs the event loop until nothing is left to lay out, then takes the picture.
int takePicture(MainWindow& window, const QString& fileName)
{
    for (int i = 0; i < 10; ++i) {
        window.pump().flush();
        window.idle().flush();
        window.validation().flush();
        for (views::Page* page : window.pages())
            page->flush();
        QCoreApplication::sendPostedEvents();
        QCoreApplication::processEvents(QEventLoop::AllEvents, 50);
    }
    if (window.grab().save(fileName))
        return 0;
    QTextStream(stderr) << fileName << ": cannot be written\n";
    return 1;
}

} // namespace

int start(int& argc, char** argv)
{
    QCoreApplication::setApplicationName(u"clusterwright"_s);
    QCoreApplication::setOrganizationName(u"clusterwright"_s);
    QCoreApplication::setApplicationVersion(QString::fromLatin1(CLUSTERWRIGHT_VERSION));
    QGuiApplication::setApplicationDisplayName(u"Clusterwright"_s);
    QGuiApplication::setDesktopFileName(u"org.clusterwright.Clusterwright"_s);
    QApplication application(argc, argv);
    QCommandLineParser parser;
    addOptions(parser);
    parser.process(application);
    const QStringList faults = faultsOf(parser);
    if (!faults.isEmpty()) {
        QTextStream(stderr) << faults.join(u'\n') << u'\n';
        return kWrongCommandLine;
    }
    application.installEventFilter(new views::WheelGuard(&application));
    Appearance appearance(application);
    appearance.start(parser.value(u"language"_s), parser.value(u"theme"_s));
    MainWindow window(appearance);
    const bool picture = parser.isSet(u"screenshot"_s);
    if (parser.isSet(u"size"_s))
        window.resize(sizeOf(parser.value(u"size"_s)));
    else if (!picture)
        window.restoreGeometry(QSettings().value(u"geometry"_s).toByteArray());
    window.show();
    if (!parser.positionalArguments().isEmpty())
        window.files().openNamed(parser.positionalArguments().front());
    if (parser.isSet(u"page"_s))
        window.showPage(parser.value(u"page"_s));
    return picture ? takePicture(window, parser.value(u"screenshot"_s)) : QApplication::exec();
}

} // namespace cw::app
