// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/pages/startpage.h"

#include "views/pages/frames.h"

#include <QButtonGroup>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QJsonDocument>
#include <QJsonObject>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QScrollArea>
#include <QVBoxLayout>
#include <algorithm>
#include <utility>

#include "model/scenario/presets.h"
#include "resources/embedded.h"
#include "views/text/words.h"
#include "views/theme/icons.h"

namespace cw::views {

using namespace Qt::StringLiterals;

namespace {

/// As the examples name them; the first stands for all.
constexpr const char* kCategories[] = {"",      "compute",  "memory", "network",
                                       "power", "failures", "ladders"};
constexpr std::string_view kFolder = "examples/";
constexpr int kLegendWidth = 1380; ///< of the page that has room for the marks' names
constexpr QStringView kFirst = u"superpod-8192";

/// A text of an example in the language of the moment, whichever way round it is nested.
QString textIn(const QJsonObject& example, const QString& name, Language language)
{
    const QString code = languageCode(language);
    const QJsonValue value = example.value(name);
    if (value.isObject())
        return value.toObject().value(code).toString(value.toObject().value(u"en"_s).toString());
    if (value.isString())
        return value.toString();
    return example.value(code).toObject().value(name).toString();
}

QJsonObject exampleOf(const QString& id)
{
    const std::string_view json =
        resources::file(std::string(kFolder) + id.toStdString() + ".clusterwright");
    return QJsonDocument::fromJson(
               QByteArray::fromRawData(json.data(), static_cast<qsizetype>(json.size())))
        .object();
}

/// How many examples a category has; all, where it has no name. They are compiled in.
int examplesIn(const QString& category)
{
    static const QStringList categories = [] {
        QStringList all;
        for (const QString& id : StartPage::exampleIds())
            all << exampleOf(id).value(u"example"_s).toObject().value(u"category"_s).toString();
        return all;
    }();
    return static_cast<int>(category.isEmpty() ? categories.size() : categories.count(category));
}

void clearLayout(QLayout* layout)
{
    while (QLayoutItem* item = layout->takeAt(0)) {
        if (item->widget()) {
            item->widget()->hide();
            item->widget()->deleteLater();
        }
        delete item;
    }
}

QLabel* titleLabel(const char* key, QWidget* parent, double size)
{
    auto* label = new QLabel(parent);
    label->setFont(Theme::font(size, true));
    bindText(label, [label, key] { label->setText(say(key)); });
    return label;
}

} // namespace

QStringList StartPage::exampleIds()
{
    QStringList ids;
    for (const std::string_view name : resources::filesBelow(kFolder)) {
        QString id = QString::fromUtf8(name.data(), static_cast<qsizetype>(name.size()));
        id = id.mid(static_cast<qsizetype>(kFolder.size()));
        if (id.endsWith(u".clusterwright"_s))
            ids << id.chopped(14);
    }
    // The example that shows the whole of the program stands first.
    std::stable_partition(ids.begin(), ids.end(), [](const QString& id) { return id == kFirst; });
    return ids;
}

StartPage::StartPage(QWidget* parent) : QWidget(parent)
{
    auto* line = new QHBoxLayout(this);
    line->setContentsMargins(0, 0, 0, 0);
    line->setSpacing(0);
    auto* left = new QWidget(this);
    left->setFixedWidth(380);
    auto* leftColumn = new QVBoxLayout(left);
    leftColumn->setContentsMargins(28, 24, 24, 16);
    leftColumn->setSpacing(8);
    buildLeft(leftColumn);
    auto* scroll = new QScrollArea(this);
    scroll->setWidgetResizable(true);
    scroll->setFixedWidth(392);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll->setWidget(left);
    line->addWidget(scroll);
    auto* right = new QWidget(this);
    auto* rightColumn = new QVBoxLayout(right);
    rightColumn->setContentsMargins(20, 24, 20, 8);
    buildRight(rightColumn);
    line->addWidget(right, 1);
    bindText(this, [this] { fillExamples(); });
}

void StartPage::buildLeft(QVBoxLayout* column)
{
    auto* name = new QLabel(u"Clusterwright"_s, this);
    name->setFont(Theme::font(22, true));
    column->addWidget(name);
    auto* claim = new QLabel(this);
    claim->setWordWrap(true);
    setRole(claim, "role", u"secondary"_s);
    bindText(claim, [claim] { claim->setText(say("window.start.claim")); });
    column->addWidget(claim);
    m_leftovers = new QVBoxLayout;
    column->addLayout(m_leftovers);
    column->addWidget(titleLabel("window.start.new", this, 13));
    auto* fresh = new StartCard(this);
    fresh->setRightText(u"Ctrl+N"_s);
    auto* open = new StartCard(this);
    open->setRightText(u"Ctrl+O"_s);
    bindText(fresh, [fresh, open] {
        const auto count = [](const char* kind) {
            return QString::number(static_cast<int>(scenario::presetsOf(kind).size()));
        };
        fresh->setTexts(say("window.start.preset"),
                        say("window.start.presetLine", {{"chips", count("chip")},
                                                        {"models", count("model")},
                                                        {"systems", count("system")}}));
        open->setTexts(say("window.start.open"), say("window.start.openLine"));
    });
    connect(fresh, &QAbstractButton::clicked, this, &StartPage::newWanted);
    connect(open, &QAbstractButton::clicked, this, &StartPage::openWanted);
    column->addWidget(fresh);
    column->addWidget(open);
    auto* drop = new QLabel(this);
    drop->setAlignment(Qt::AlignCenter);
    drop->setMinimumHeight(40);
    setRole(drop, "tag", u"plain"_s);
    bindText(drop, [drop] { drop->setText(say("window.start.drop")); });
    column->addWidget(drop);
    m_recentTitle = titleLabel("window.start.recent", this, 13);
    column->addSpacing(8);
    column->addWidget(m_recentTitle);
    m_recent = new QVBoxLayout;
    m_recent->setSpacing(4);
    column->addLayout(m_recent);
    column->addStretch(1);
}

void StartPage::buildRight(QVBoxLayout* column)
{
    auto* head = new QHBoxLayout;
    head->addWidget(titleLabel("window.start.examples", this, 16));
    auto* hint = new QLabel(this);
    setRole(hint, "role", u"secondary"_s);
    bindText(hint, [hint] { hint->setText(say("window.start.examplesLine")); });
    hint->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    head->addWidget(hint, 1);
    m_filter = new QLineEdit(this);
    m_filter->setClearButtonEnabled(true);
    m_filter->addAction(icon(Icon::Search), QLineEdit::LeadingPosition);
    m_filter->setFixedWidth(220);
    head->addWidget(m_filter);
    column->addLayout(head);
    auto* second = new QHBoxLayout;
    second->setSpacing(0);
    addCategories(second);
    m_legend = new QWidget(this);
    // What does not fit is left out; it must not keep the window wide.
    m_legend->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    second->addWidget(m_legend, 1000);
    second->addStretch(1); // where the names are left out
    auto* marks = new QHBoxLayout(m_legend);
    marks->setContentsMargins(0, 0, 0, 0);
    marks->setSpacing(0);
    marks->addStretch(1);
    for (const auto& [status, key] : {std::pair(Status::Ok, "window.start.holds"),
                                      std::pair(Status::Warning, "window.start.off"),
                                      std::pair(Status::Advice, "window.start.question")}) {
        auto* mark = new QLabel(m_legend);
        mark->setPixmap(icon(iconOf(status)).pixmap(12, 12));
        auto* text = new QLabel(m_legend);
        setRole(text, "role", u"secondary"_s);
        bindText(text, [text, key = key] { text->setText(say(key)); });
        marks->addSpacing(14);
        marks->addWidget(mark);
        marks->addSpacing(4);
        marks->addWidget(text);
    }
    column->addLayout(second);
    auto* scroll = new QScrollArea(this);
    scroll->setWidgetResizable(true);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_right = new QWidget;
    auto* rows = new QVBoxLayout(m_right);
    rows->setContentsMargins(0, 4, 6, 4);
    m_grid = new QGridLayout;
    m_grid->setSpacing(10);
    rows->addLayout(m_grid);
    m_nothing = new QLabel(m_right);
    rows->addWidget(m_nothing);
    rows->addStretch(1);
    scroll->setWidget(m_right);
    column->addWidget(scroll, 1);
    connect(m_filter, &QLineEdit::textChanged, this, &StartPage::applyFilter);
}

void StartPage::addCategories(QHBoxLayout* line)
{
    auto* group = new QButtonGroup(this);
    int id = 0;
    for (const char* name : kCategories) {
        auto* button = new QPushButton(this);
        button->setCheckable(true);
        button->setChecked(id == 0);
        button->setProperty("segment", true);
        const std::string key = std::string("window.category.") + (*name ? name : "all");
        const QString category = QString::fromLatin1(name);
        bindText(button, [button, key, category] {
            setSegmentText(button, say(key) + u"  "_s + QString::number(examplesIn(category)));
        });
        group->addButton(button, id++);
        line->addWidget(button);
    }
    connect(group, &QButtonGroup::idClicked, this, [this](int chosen) {
        m_category = QString::fromLatin1(kCategories[chosen]);
        applyFilter();
    });
}

void StartPage::fillExamples()
{
    const QStringList ids = exampleIds();
    m_filter->setPlaceholderText(say("window.start.filter", {{"n", QString::number(ids.size())}}));
    m_filter->setAccessibleName(m_filter->placeholderText());
    m_nothing->setText(say(ids.isEmpty() ? "window.start.noExamples" : "window.start.noMatch"));
    while (m_cards.size() < static_cast<std::size_t>(ids.size())) {
        auto* card = new StartCard(m_right);
        const QString id = ids[static_cast<qsizetype>(m_cards.size())];
        connect(card, &QAbstractButton::clicked, this, [this, id] { Q_EMIT exampleWanted(id); });
        m_cards.push_back(card);
    }
    m_search.clear();
    m_categories.clear();
    for (std::size_t i = 0; i < m_cards.size(); ++i) {
        const QString id = ids[static_cast<qsizetype>(i)];
        const QJsonObject plan = exampleOf(id);
        const QJsonObject example = plan.value(u"example"_s).toObject();
        const auto in = [&](const QString& name) {
            return textIn(example, name, language());
        };
        QString title = in(u"title"_s);
        if (title.isEmpty())
            title = plan.value(u"name"_s).toString(id);
        QString line = in(u"claim"_s);
        if (line.isEmpty())
            line = in(u"question"_s);
        const QString answer = in(u"answer"_s);
        m_cards[i]->setTexts(title, line, answer.isEmpty() ? in(u"note"_s) : answer);
        m_cards[i]->setToolTip(in(u"note"_s));
        const QString holds = example.value(u"holds"_s).toString();
        m_cards[i]->setStatus(holds == u"yes"_s  ? Status::Ok
                              : holds == u"no"_s ? Status::Warning
                                                 : Status::Advice);
        m_cards[i]->setStrong(id == kFirst);
        QString search = id + u'\n' + title + u'\n' + line + u'\n' + in(u"note"_s);
        for (const Language both : {Language::English, Language::Chinese})
            search += u'\n' + textIn(example, u"title"_s, both);
        m_search.push_back(search);
        m_categories.push_back(example.value(u"category"_s).toString());
        m_cards[i]->setGlyph(m_categories.back().isEmpty() ? u"compute"_s : m_categories.back());
    }
    applyFilter();
}

int StartPage::columns() const
{
    return std::clamp((width() - 440) / 330, 1, 6);
}

void StartPage::applyFilter()
{
    const QStringList parts = m_filter->text().split(u' ', Qt::SkipEmptyParts);
    for (std::size_t i = 0; i < m_cards.size(); ++i)
        m_cards[i]->setVisible(
            (m_category.isEmpty() || m_categories[i] == m_category) &&
            std::all_of(parts.begin(), parts.end(), [this, i](const QString& part) {
                return m_search[i].contains(part, Qt::CaseInsensitive);
            }));
    arrange();
}

void StartPage::arrange()
{
    while (m_grid->count() > 0)
        delete m_grid->takeAt(0);
    m_columns = columns();
    for (int c = 0; c < 8; ++c)
        m_grid->setColumnStretch(c, c < m_columns ? 1 : 0);
    int place = 0;
    for (StartCard* card : m_cards) {
        if (card->isHidden())
            continue;
        m_grid->addWidget(card, place / m_columns, place % m_columns);
        ++place;
    }
    m_nothing->setVisible(place == 0);
}

void StartPage::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    m_legend->setVisible(width() >= kLegendWidth);
    if (columns() != m_columns)
        arrange();
}

void StartPage::setRecent(const std::vector<Recent>& recent)
{
    clearLayout(m_recent);
    m_recentTitle->setVisible(!recent.empty());
    for (const Recent& file : recent) {
        auto* card = new StartCard(this);
        card->setTexts(file.title, file.line);
        card->setToolTip(file.fileName);
        connect(card, &QAbstractButton::clicked, this,
                [this, name = file.fileName] { Q_EMIT recentWanted(name); });
        m_recent->addWidget(card);
    }
}

void StartPage::setLeftovers(const std::vector<Leftover>& leftovers)
{
    clearLayout(m_leftovers);
    for (std::size_t i = 0; i < leftovers.size(); ++i) {
        auto* frame = new QFrame(this);
        setRole(frame, "card", u"warning"_s);
        auto* column = new QVBoxLayout(frame);
        auto* text = new QLabel(frame);
        text->setWordWrap(true);
        const Leftover leftover = leftovers[i];
        bindText(text, [text, leftover] {
            text->setText(
                say("window.recovery.text", {{"title", leftover.title}, {"time", leftover.time}}));
        });
        column->addWidget(text);
        auto* line = new QHBoxLayout;
        line->addStretch(1);
        auto* discard = new QPushButton(frame);
        auto* recover = new QPushButton(frame);
        recover->setProperty("primary", true);
        bindText(frame, [discard, recover] {
            discard->setText(say("window.recovery.discard"));
            recover->setText(say("window.recovery.recover"));
        });
        line->addWidget(discard);
        line->addWidget(recover);
        column->addLayout(line);
        const int index = static_cast<int>(i);
        connect(discard, &QPushButton::clicked, this,
                [this, index] { Q_EMIT discardWanted(index); });
        connect(recover, &QPushButton::clicked, this,
                [this, index] { Q_EMIT recoverWanted(index); });
        m_leftovers->addWidget(frame);
    }
}

} // namespace cw::views
