// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/pages/networkpage.h"

#include <QAction>
#include <QButtonGroup>
#include <QHBoxLayout>
#include <QIntValidator>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QVBoxLayout>
#include <algorithm>

#include "views/common/elidedlabel.h"
#include "views/pages/figures.h"
#include "views/pages/frames.h"
#include "views/painted/linklegend.h"
#include "views/text/words.h"

namespace cw::views {

using namespace Qt::StringLiterals;

namespace {

constexpr int kNarrow = 900; ///< below this the side stands under the picture
constexpr int kSideWidth = 332;
constexpr int kPictureHeight = 690;
constexpr int kStill = 150;    ///< ms after the last change
constexpr int kSentence = 240; ///< width from which the sentence stands beside the choices

QPushButton* segment(QButtonGroup* group, int id, QHBoxLayout* line, QWidget* parent)
{
    auto* button = new QPushButton(parent);
    button->setCheckable(true);
    button->setProperty("segment", true);
    group->addButton(button, id);
    line->addWidget(button);
    return button;
}

void addLabel(QHBoxLayout* line, const char* key, QWidget* parent)
{
    auto* label = new QLabel(parent);
    setRole(label, "role", u"secondary"_s);
    bindText(label, [label, key] { label->setText(say(key)); });
    line->addWidget(label);
    line->addSpacing(6);
}

} // namespace

NetworkPage::NetworkPage(QWidget* parent)
    : Page(parent), m_picture(new TopologyPicture(this)),
      m_pictureFrame(framed(this, m_picture, "window.network.title")),
      m_traffic(new MatrixTable(this)), m_wire(new HiddenExposedBars(this)),
      m_others(new MatrixTable(this)), m_built(new FactList(false, this)),
      m_hot(new FactList(false, this)), m_rank(new FactList(false, this)),
      m_kinds(new QButtonGroup(this)), m_loads(new QButtonGroup(this)), m_path(new QLabel(this)),
      m_sentence(new ElidedLabel), m_search(new QLineEdit(this))
{
    m_line = new QBoxLayout(QBoxLayout::LeftToRight, this);
    m_line->setContentsMargins(12, 12, 12, 12);
    m_line->setSpacing(10);
    auto* left = new QVBoxLayout;
    left->setSpacing(6);
    left->addLayout(buildPlaces());
    left->addLayout(buildChoices());
    left->addWidget(m_pictureFrame, 1);
    m_line->addLayout(left, 1);
    m_scroll = new QScrollArea(this);
    m_scroll->setWidgetResizable(true);
    m_scroll->setFrameShape(QFrame::NoFrame);
    m_scroll->setFocusPolicy(Qt::NoFocus);
    m_scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_side = buildSide();
    m_scroll->setWidget(m_side);
    m_line->addWidget(m_scroll);
    connect(m_picture, &TopologyPicture::chipChosen, this, &NetworkPage::choose);
    connect(m_picture, &TopologyPicture::chipsHovered, this, &NetworkPage::hover);
    auto* find = new QAction(this);
    find->setShortcuts({QKeySequence(u"/"_s), QKeySequence(u"Ctrl+G"_s)});
    find->setShortcutContext(Qt::WidgetWithChildrenShortcut);
    connect(find, &QAction::triggered, this, [this] {
        m_search->setFocus(Qt::ShortcutFocusReason);
        m_search->selectAll();
    });
    addAction(find);
    m_still.setSingleShot(true);
    m_still.setInterval(kStill);
    connect(&m_still, &QTimer::timeout, this, [this] { fillCards(true); });
    connect(m_scroll->verticalScrollBar(), &QScrollBar::valueChanged, this,
            [this] { fillCards(false); });
}

QPushButton* NetworkPage::addTool(QBoxLayout* line, const char* text, const char* tip)
{
    auto* button = new QPushButton(this);
    button->setProperty("small", true);
    bindText(button, [button, text, tip] {
        button->setText(say(text));
        button->setToolTip(say(tip));
        button->setAccessibleName(say(tip));
    });
    line->addWidget(button);
    return button;
}

QBoxLayout* NetworkPage::buildPlaces()
{
    auto* line = new QHBoxLayout;
    line->setSpacing(4);
    m_path->setTextFormat(Qt::RichText);
    m_path->setTextInteractionFlags(Qt::LinksAccessibleByMouse | Qt::LinksAccessibleByKeyboard);
    m_path->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    connect(m_path, &QLabel::linkActivated, this, &NetworkPage::follow);
    line->addWidget(m_path, 1);
    m_search->setValidator(new QIntValidator(0, std::numeric_limits<int>::max(), m_search));
    m_search->setFixedWidth(96);
    m_search->setClearButtonEnabled(true);
    bindText(m_search, [this] {
        m_search->setPlaceholderText(say("window.network.search"));
        m_search->setToolTip(say("window.network.searchTip"));
        m_search->setAccessibleName(say("window.network.searchTip"));
    });
    connect(m_search, &QLineEdit::returnPressed, this, &NetworkPage::search);
    line->addWidget(m_search);
    line->addSpacing(6);
    auto* in = addTool(line, "window.network.in", "window.network.inTip");
    auto* out = addTool(line, "window.network.out", "window.network.outTip");
    auto* whole = addTool(line, "window.network.whole", "window.network.wholeTip");
    auto* only = addTool(line, "window.network.mapOnly", "window.network.mapOnlyTip");
    only->setCheckable(true);
    constexpr double kStep = 1.6;
    connect(in, &QPushButton::clicked, m_picture, [this] { m_picture->zoomBy(kStep); });
    connect(out, &QPushButton::clicked, m_picture, [this] { m_picture->zoomBy(1 / kStep); });
    connect(whole, &QPushButton::clicked, m_picture, &TopologyPicture::zoomOut);
    connect(only, &QPushButton::toggled, m_picture, &TopologyPicture::setMapOnly);
    return line;
}

QBoxLayout* NetworkPage::buildChoices()
{
    auto* line = new QHBoxLayout;
    line->setSpacing(0);
    addLabel(line, "window.network.load", this);
    for (const char* key : {"window.network.mean", "window.network.whileInUse"}) {
        auto* button = segment(m_loads, static_cast<int>(m_loads->buttons().size()), line, this);
        button->setChecked(m_loads->id(button) == 1);
        bindText(button, [button, key] { setSegmentText(button, say(key)); });
    }
    line->addSpacing(12);
    addLabel(line, "window.network.light", this);
    auto* all = segment(m_kinds, static_cast<int>(kShownKinds.size()), line, this);
    all->setChecked(true);
    bindText(all, [all] { setSegmentText(all, say("window.network.all")); });
    for (std::size_t i = 0; i < kShownKinds.size(); ++i)
        segment(m_kinds, static_cast<int>(i), line, this)
            ->setText(QString::fromLatin1(kShownKinds[i].name));
    line->addSpacing(14);
    m_sentence->setParent(this);
    m_sentence->setObjectName(u"sentence"_s);
    setRole(m_sentence, "role", u"accent"_s);
    line->addWidget(m_sentence, 1);
    connect(m_kinds, &QButtonGroup::idClicked, this, [this](int id) {
        m_choice.kind = id < static_cast<int>(kShownKinds.size()) ? id : -1;
        if (current().evaluation)
            refresh(current());
    });
    connect(m_loads, &QButtonGroup::idClicked, this, [this](int id) {
        m_choice.inUse = id == 1;
        if (current().evaluation)
            refresh(current());
    });
    return line;
}

QWidget* NetworkPage::buildSide()
{
    auto* side = new QWidget(m_scroll);
    m_columns = new QBoxLayout(QBoxLayout::TopToBottom, side);
    m_columns->setContentsMargins(0, 0, 0, 0);
    m_columns->setSpacing(10);
    m_trafficFrame = framed(this, m_traffic, "window.network.traffic");
    bindText(m_trafficFrame,
             [this] { m_trafficFrame->setSubtitle(say("window.network.trafficUnit")); });
    const std::vector<std::vector<QWidget*>> columns = {
        {m_trafficFrame, framed(this, m_wire, "window.network.wire"),
         framed(this, m_built, "window.network.built")},
        {framed(this, m_others, "window.network.others"),
         framed(this, new LinkLegend(this), "window.network.legend"),
         framed(this, m_hot, "window.network.hot"),
         framed(this, m_rank, "window.network.rankTitle")}};
    for (const auto& cards : columns) {
        auto* column = new QVBoxLayout;
        column->setSpacing(10);
        for (QWidget* card : cards) {
            card->setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Maximum);
            column->addWidget(card);
        }
        column->addStretch(1);
        m_columns->addLayout(column, 1);
    }
    connect(m_others, &MatrixTable::rowClicked, this, [this](int row) {
        const auto& other = m_alternatives[static_cast<std::size_t>(row)];
        if (!other.own)
            Q_EMIT editsWanted(other.edits, other.name, 0);
    });
    bindText(m_others, [this] {
        m_others->setEmptyText(say("window.network.noOthers"));
        m_others->setData(alternativesTable(m_alternatives));
    });
    m_rank->setDetailWidth(96);
    m_hot->setDetailWidth(0);
    m_built->setDetailWidth(0);
    addCard(m_traffic, [this] { m_traffic->setData(trafficTable(*m_figures, m_choice.inUse)); });
    addCard(m_wire, [this] { m_wire->setData(communicationBars(*current().evaluation)); });
    addCard(m_built, [this] { m_built->setRows(builtRows(*m_figures)); });
    addCard(m_hot, [this] { m_hot->setRows(hotRows(*m_figures)); });
    addCard(m_rank, [this] { m_rank->setRows(rankRows(*m_figures, m_choice.chip)); });
    return side;
}

void NetworkPage::addCard(QWidget* chart, std::function<void()> fill)
{
    m_cards.push_back({chart, std::move(fill), false});
}

void NetworkPage::fillCards(bool all)
{
    if (!m_figures || !current().evaluation)
        return;
    bool filled = false;
    for (LazyCard& card : m_cards) {
        if (!card.stale || (!all && card.chart->visibleRegion().isEmpty()))
            continue;
        card.stale = false;
        card.fill();
        filled = true;
    }
    if (filled)
        fitSide();
}

void NetworkPage::arrange()
{
    const int narrow = width() < kNarrow ? 1 : 0;
    if (narrow == m_narrow)
        return;
    m_narrow = narrow;
    m_line->setDirection(narrow ? QBoxLayout::TopToBottom : QBoxLayout::LeftToRight);
    m_columns->setDirection(narrow ? QBoxLayout::LeftToRight : QBoxLayout::TopToBottom);
    // Beside the picture the side scrolls by itself; below it the page does.
    m_scroll->setVerticalScrollBarPolicy(narrow ? Qt::ScrollBarAlwaysOff : Qt::ScrollBarAsNeeded);
    m_scroll->setMinimumWidth(narrow ? 0 : kSideWidth);
    m_scroll->setMaximumWidth(narrow ? QWIDGETSIZE_MAX : kSideWidth);
    m_scroll->setMinimumHeight(narrow ? m_side->sizeHint().height() : 0);
    m_pictureFrame->setMinimumHeight(narrow ? kPictureHeight : 0);
}

void NetworkPage::resizeEvent(QResizeEvent* event)
{
    Page::resizeEvent(event);
    arrange();
    // Once the lines are laid out: whether the sentence has room beside the choices.
    QTimer::singleShot(0, this, [this] {
        if (m_figures)
            showLit(m_choice.chip);
    });
}

void NetworkPage::refresh(const PageData& figures)
{
    const bool first = !m_figures;
    m_figures = std::make_shared<const NetworkFigures>(figures);
    m_choice.chip = std::clamp<std::int64_t>(m_choice.chip, 0, m_figures->ranks.chips() - 1);
    m_picture->setData(topologyOf(m_figures, m_choice));
    for (LazyCard& card : m_cards)
        card.stale = true;
    fillCards(first);
    m_still.start();
    if (m_pictureFrame->isTableShown())
        m_pictureFrame->refreshTable();
    showPath();
    showLit(m_choice.chip);
}

void NetworkPage::setAlternatives(std::vector<TopologyAlternative> alternatives)
{
    m_alternatives = std::move(alternatives);
    m_others->setData(alternativesTable(m_alternatives));
    fitSide();
}

void NetworkPage::fitSide()
{
    // The side scrolls, so that its charts may be as high as they want to be.
    for (QWidget* chart :
         std::initializer_list<QWidget*>{m_traffic, m_wire, m_rank, m_built, m_hot, m_others})
        chart->setMinimumHeight(chart->sizeHint().height());
    if (m_narrow == 1)
        m_scroll->setMinimumHeight(m_side->sizeHint().height());
}

void NetworkPage::showPath()
{
    const network::ChipPlace at = m_figures->ranks.machine().place(m_choice.chip);
    const auto link = [](const QString& level, const QString& text) -> QString {
        return u"<a style='text-decoration:none' href='"_s + level + u"'>"_s + text + u"</a>"_s;
    };
    const QString next = u" › "_s;
    m_path->setText(u"<b>"_s +
                    say("window.picker.chips", {{"n", wholeNumber(m_figures->ranks.chips())}}) +
                    u"</b>&nbsp;&nbsp;"_s + link(u"site"_s, say("window.network.site")) + next +
                    link(u"pod"_s, u"P"_s + QString::number(at.pod)) + next +
                    link(u"rack"_s, u"R"_s + QString::number(at.rack)) + next +
                    link(u"node"_s, u"N"_s + QString::number(at.node)) + next +
                    link(u"chip"_s, u"C"_s + QString::number(at.chip)));
}

void NetworkPage::follow(const QString& level)
{
    const auto& map = m_picture->map();
    if (level == u"site"_s || map.levels.empty()) {
        m_picture->zoomOut();
        return;
    }
    const network::Machine& m = m_figures->ranks.machine();
    const std::int64_t wanted = level == u"pod"_s    ? m.chipsPerPod
                                : level == u"rack"_s ? m.chipsPerRack()
                                : level == u"node"_s ? m.chipsPerNode
                                                     : 1;
    // The level of the map that is nearest: a machine of one node has no racks to zoom to.
    int best = static_cast<int>(map.levels.size()) - 1;
    while (best > 0 && map.levels[static_cast<std::size_t>(best)].chips < wanted)
        --best;
    m_picture->zoomToPart(best, m_choice.chip);
}

void NetworkPage::showLit(std::int64_t chip)
{
    const auto own = m_figures->ranks.onChip(chip);
    QStringList parts;
    for (const MapGroup& group : m_picture->map().groups)
        parts << group.name + u' ' + wholeNumber(static_cast<std::int64_t>(group.chips.size()));
    const QString sizes = !own || parts.isEmpty()
                              ? QString()
                              : say("window.network.litAll", {{"chip", wholeNumber(chip)},
                                                              {"groups", parts.join(u" · "_s)}});
    const QString sentence = groupSentence(*m_figures, chip, m_choice.kind);
    // Where there is no room beside the choices it heads the picture.
    const bool beside = m_sentence->width() >= kSentence;
    m_sentence->setText(beside && !sentence.isEmpty() ? u"<b>"_s + sentence + u"</b>"_s
                                                      : QString());
    m_pictureFrame->setSubtitle(!beside && !sentence.isEmpty() ? sentence : sizes);
}

void NetworkPage::hover(std::int64_t first, std::int64_t chips)
{
    if (!m_figures)
        return;
    const std::int64_t chip = chips > 0 ? first : m_choice.chip;
    m_picture->setGroups(groupsOf(*m_figures, chip, m_choice.kind));
    showLit(chip);
}

void NetworkPage::choose(std::int64_t first, std::int64_t chips)
{
    // Choosing a part that holds the chosen chip keeps the chip.
    if (m_choice.chip < first || m_choice.chip >= first + chips)
        m_choice.chip = first;
    if (current().evaluation)
        refresh(current());
}

void NetworkPage::search()
{
    bool good = false;
    const qlonglong rank = m_search->text().toLongLong(&good);
    if (!good || !m_figures)
        return;
    if (!findRank(rank))
        m_pictureFrame->setSubtitle(
            say("window.network.noSuchRank",
                {{"n", wholeNumber(rank)}, {"last", wholeNumber(m_figures->ranks.ranks() - 1)}}));
}

bool NetworkPage::findRank(std::int64_t rank)
{
    if (!m_figures || rank < 0 || rank >= m_figures->ranks.ranks())
        return false;
    m_choice.chip = m_figures->ranks.chipOf(rank);
    refresh(current());
    const int levels = static_cast<int>(m_picture->map().levels.size());
    m_picture->zoomToPart(std::max(0, levels - 2), m_choice.chip);
    return true;
}

} // namespace cw::views
