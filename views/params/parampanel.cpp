// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/params/parampanel.h"

#include <QButtonGroup>
#include <QCheckBox>
#include <QFontMetrics>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QTimer>
#include <QVBoxLayout>
#include <algorithm>
#include <utility>

#include "model/scenario/presets.h"
#include "model/scenario/values.h"
#include "views/params/paramgroup.h"
#include "views/params/relevance.h"
#include "views/params/valuetext.h"
#include "views/text/words.h"
#include "views/theme/icons.h"
#include "views/theme/theme.h"

namespace cw::views {

using namespace Qt::StringLiterals;
using scenario::Kind;
using scenario::Parameter;

namespace {

constexpr const char* kOpenAtFirst[] = {"model", "workload", "parallelism", "chip"};

/// As the panel shows them: the size of the whole model stands right below its preset.
std::vector<Parameter> ordered(const scenario::Scenario& s)
{
    std::vector<Parameter> all = scenario::parameters(s);
    const auto totals = std::stable_partition(
        all.begin(), all.end(), [](const Parameter& p) { return p.part == "model.scale_to"; });
    const auto preset = std::find_if(totals, all.end(),
                                     [](const Parameter& p) { return p.path == "model.preset"; });
    if (preset != all.end())
        std::rotate(all.begin(), totals, preset + 1);
    for (Parameter& p : all)
        if (p.part == "model.scale_to")
            p.part = "model";
    return all;
}

QString text(const std::string& s)
{
    return QString::fromStdString(s);
}

} // namespace

ParamPanel::ParamPanel(Degrees degrees, QWidget* parent)
    : QWidget(parent), m_degrees(std::move(degrees))
{
    build();
    bindText(this, [this] {
        m_filter->setPlaceholderText(say("window.filter.placeholder"));
        m_filter->setAccessibleName(say("window.filter.name"));
        m_all->setText(say("window.filter.all"));
        m_legend->setText(say("window.panel.legend"));
        updateCounts();
    });
}

ParamPanel::~ParamPanel() = default;

void ParamPanel::build()
{
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 8, 0, 0);
    column->setSpacing(4);
    auto* top = new QHBoxLayout;
    top->setContentsMargins(8, 0, 8, 0);
    m_filter = new QLineEdit(this);
    m_filter->setClearButtonEnabled(true);
    m_filter->addAction(icon(Icon::Search), QLineEdit::LeadingPosition);
    top->addWidget(m_filter);
    column->addLayout(top);
    m_all = new QCheckBox(this);
    auto* second = new QHBoxLayout;
    second->setContentsMargins(10, 0, 8, 0);
    second->addWidget(m_all);
    column->addLayout(second);
    m_scroll = new QScrollArea(this);
    m_scroll->setWidgetResizable(true);
    m_scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_scroll->setFocusPolicy(Qt::NoFocus);
    auto* content = new QWidget;
    m_column = new QVBoxLayout(content);
    m_column->setContentsMargins(0, 0, 0, 0);
    m_column->setSpacing(0);
    m_column->addStretch(1);
    m_scroll->setWidget(content);
    column->addWidget(m_scroll, 1);
    m_legend = new QLabel(this);
    m_legend->setContentsMargins(10, 3, 4, 4);
    m_legend->setWordWrap(true);
    setRole(m_legend, "role", u"note"_s);
    column->addWidget(m_legend);
    setMinimumWidth(270);
    connect(m_filter, &QLineEdit::textChanged, this, &ParamPanel::applyFilter);
    connect(m_filter, &QLineEdit::returnPressed, this, [this] {
        const auto first = std::find_if(m_items.begin(), m_items.end(),
                                        [](const Item& i) { return i.row && i.row->isVisible(); });
        if (first != m_items.end())
            first->row->focusEditor();
    });
    connect(m_all, &QCheckBox::toggled, this, &ParamPanel::applyFilter);
    addKeepFixed();
}

void ParamPanel::addKeepFixed()
{
    m_keep = new QWidget(this);
    auto* line = new QHBoxLayout(m_keep);
    line->setContentsMargins(12, 2, 8, 2);
    line->setSpacing(0);
    m_keepLabel = new QLabel(m_keep);
    line->addWidget(m_keepLabel, 1);
    m_keepButtons = new QButtonGroup(this);
    QList<QPushButton*> buttons;
    for (int i = 0; i < 2; ++i) {
        auto* button = new QPushButton(m_keep);
        button->setCheckable(true);
        button->setProperty("segment", u"true"_s);
        m_keepButtons->addButton(button, i);
        line->addWidget(button);
        buttons << button;
    }
    bindText(m_keep, [this, buttons] {
        m_keepLabel->setText(say("window.keep.label"));
        buttons[0]->setText(say("window.keep.chips"));
        buttons[1]->setText(say("window.keep.data"));
        for (QPushButton* button : buttons) {
            button->setAccessibleName(say("window.keep.label") + u' ' + button->text());
            // The one that is chosen is set strong, and no letter of it is cut.
            const QFontMetrics strong(Theme::font(11, true));
            button->setMinimumWidth(strong.horizontalAdvance(button->text()) + 24);
        }
    });
    connect(m_keepButtons, &QButtonGroup::idClicked, this,
            [this](int id) { Q_EMIT keepDataWanted(id == 1); });
    m_keep->hide();
}

void ParamPanel::setShowAll(bool all)
{
    m_all->setChecked(all);
}

void ParamPanel::setState(const PanelState& state)
{
    m_state = state;
    m_scenario = *state.scenario;
    m_state.scenario = &m_scenario;
    const Values now = scenario::valuesByPath(*state.scenario);
    // The paths follow from the lengths of the plan's lists: as long as they are the same, so are
    // the rows.
    const bool same = now.size() == m_items.size() &&
                      std::all_of(m_items.begin(), m_items.end(),
                                  [&now](const Item& i) { return now.contains(i.parameter.path); });
    if (!same)
        rebuild(ordered(*state.scenario));
    readValues(now, state);
    const bool shifted = readRelevance();
    m_keepButtons->button(state.keepData ? 1 : 0)->setChecked(true);
    for (Item& item : m_items)
        if (item.row)
            updateRow(item);
    m_state.preset = nullptr;
    m_state.baseline = nullptr;
    if (!same || shifted)
        applyFilter();
    updateCounts();
}

const ParamPanel::Values& ParamPanel::Kept::of(const scenario::Scenario* now)
{
    if (!now) {
        plan.reset();
        values.clear();
    } else if (plan != *now) {
        plan = *now;
        values = scenario::valuesByPath(*now);
    }
    return values;
}

void ParamPanel::readValues(const Values& now, const PanelState& state)
{
    const Values& preset = m_preset.of(state.preset);
    const Values& baseline = m_baseline.of(state.baseline);
    const auto at = [](const Values& values, const std::string& path) {
        const auto found = values.find(path);
        return found == values.end() ? std::nullopt : std::optional(found->second);
    };
    for (Item& item : m_items) {
        const std::string& path = item.parameter.path;
        item.value = at(now, path).value_or(scenario::Value());
        item.preset = at(preset, path).value_or(item.value);
        item.baseline = at(baseline, path);
    }
}

bool ParamPanel::readRelevance()
{
    bool changed = false;
    for (Item& item : m_items) {
        const bool relevant = isRelevant(m_scenario, item.parameter.path);
        changed = changed || relevant != item.relevant;
        item.relevant = relevant;
    }
    return changed;
}

void ParamPanel::rebuild(const std::vector<Parameter>& parameters)
{
    std::set<std::string> open;
    const bool first = m_groups.empty();
    for (ParamGroup* group : m_groups)
        if (group->isOpen())
            open.insert(group->key());
    m_keep->setParent(this);
    m_keep->hide();
    qDeleteAll(m_groups);
    m_groups.clear();
    m_items.clear();
    m_index.clear();
    std::map<std::string, std::size_t> groups;
    for (const Parameter& parameter : parameters) {
        const std::string key = groupOf(parameter.part);
        if (!groups.contains(key)) {
            groups[key] = m_groups.size();
            auto* group = new ParamGroup(key);
            const std::size_t index = m_groups.size();
            connect(group, &ParamGroup::opened, this, [this, index] { fillGroup(index); });
            m_column->insertWidget(static_cast<int>(index), group);
            m_groups.push_back(group);
        }
        m_index[parameter.path] = m_items.size();
        m_items.push_back({.parameter = parameter, .value = {}, .preset = {}, .baseline = {}});
        m_items.back().group = groups[key];
    }
    for (const auto& [key, summary] : m_summaries)
        if (groups.contains(key))
            m_groups[groups[key]]->setSummary(summary);
    if (first)
        open.insert(std::begin(kOpenAtFirst), std::end(kOpenAtFirst));
    // Values are read before any row is shown.
    QTimer::singleShot(0, this, [this, open] {
        for (ParamGroup* group : m_groups)
            if (open.contains(group->key()) && !group->isOpen())
                group->setOpen(true);
    });
}

void ParamPanel::fillGroup(std::size_t index)
{
    ParamGroup* group = m_groups[index];
    const bool whole = m_filter->text().trimmed().isEmpty();
    if (group->key() == "parallelism" && m_keep->parentWidget() != group->body()->parentWidget()) {
        group->body()->insertWidget(0, m_keep);
    }
    m_keep->setVisible(whole);
    std::string part;
    QLabel* caption = nullptr;
    for (Item& item : m_items) {
        if (item.group != index)
            continue;
        if (item.parameter.part != part) {
            part = item.parameter.part;
            caption = group->findChild<QLabel*>(text("caption:" + part));
            if (!caption && !captionOf(part).isEmpty()) {
                caption = group->addCaption(part);
                caption->setObjectName(text("caption:" + part));
            }
            if (caption)
                caption->hide();
        }
        const bool shown = matches(item);
        if (shown)
            ensureRow(item);
        if (item.row)
            item.row->setVisible(shown);
        if (shown && caption)
            caption->show();
    }
}

ParamRow* ParamPanel::ensureRow(Item& item)
{
    if (item.row)
        return item.row;
    ParamGroup* group = m_groups[item.group];
    auto* row = new ParamRow(item.parameter);
    item.row = row;
    // Its place: behind the last row of the same group that stands before it in the registry.
    QVBoxLayout* body = group->body();
    int place = -1;
    for (std::size_t i = m_index[item.parameter.path]; i-- > 0 && place < 0;)
        if (m_items[i].group == item.group && m_items[i].row &&
            m_items[i].parameter.part == item.parameter.part)
            place = body->indexOf(m_items[i].row) + 1;
    if (place < 0)
        if (auto* caption = group->findChild<QLabel*>(text("caption:" + item.parameter.part)))
            place = body->indexOf(caption) + 1;
    if (place < 0)
        place = m_keep->parentWidget() == group->body()->parentWidget() ? 1 : 0;
    body->insertWidget(place, row);
    connect(row, &ParamRow::edited, this,
            [this](const QString& path, const scenario::Value& value, quint64 gesture) {
                m_gesture = gesture != 0;
                Q_EMIT edited(path, value, gesture);
            });
    connect(row, &ParamRow::gestureFinished, this, [this, row] {
        Q_EMIT gestureFinished();
        m_gesture = false;
        // Behind the last evaluation of the gesture.
        QTimer::singleShot(0, this, &ParamPanel::updateStale);
        QTimer::singleShot(0, row, &ParamRow::showAgain);
    });
    connect(row, &ParamRow::presetWanted, this, &ParamPanel::presetWanted);
    connect(row, &ParamRow::lockToggled, this, &ParamPanel::lockToggled);
    connect(row, &ParamRow::resetWanted, this, &ParamPanel::resetWanted);
    updateRow(item);
    return row;
}

void ParamPanel::updateStale()
{
    for (Item& item : m_items)
        if (item.row && item.stale)
            updateRow(item);
}

void ParamPanel::updateRow(Item& item)
{
    const std::string& path = item.parameter.path;
    RowState state;
    state.value = item.value;
    state.preset = item.preset;
    state.baseline = item.baseline;
    state.locked = m_state.locked.contains(path);
    if (const auto it = m_state.derived.find(path); it != m_state.derived.end())
        state.derived = it->second;
    if (const auto it = m_state.derivedNumbers.find(path); it != m_state.derivedNumbers.end())
        state.derivedNumber = it->second;
    if (const auto it = m_state.scaled.find(path); it != m_state.scaled.end())
        state.scaled = it->second;
    if (const auto it = m_state.problems.find(path); it != m_state.problems.end())
        state.problem = it->second;
    if (item.parameter.kind == Kind::Integer &&
        item.parameter.spec.scale == scenario::Scale::Degree && m_degrees) {
        // Which degrees are legal takes a while: rows out of sight learn it when the hand rests.
        item.stale = m_gesture && item.row->visibleRegion().isEmpty();
        state.degrees = item.stale ? item.row->state().degrees : m_degrees(m_scenario, path);
    }
    if (item.parameter.kind == Kind::Preset)
        if (const auto* id = std::get_if<std::string>(&item.value)) {
            const auto* preset = scenario::findPreset(item.parameter.presetKind, *id);
            state.presetName = text(preset ? preset->name : *id);
        }
    item.row->setState(std::move(state));
}

bool ParamPanel::matches(const Item& item) const
{
    const QString words = m_filter->text().trimmed();
    const Parameter& p = item.parameter;
    if (words.isEmpty())
        return (!p.spec.expert && item.relevant) || m_all->isChecked() || item.isChanged() ||
               text(p.path) == m_highlighted;
    const QString all = parameterLabel(p) + u'\n' + shortLabelOf(p) + u'\n' + text(p.path) + u'\n' +
                        helpOf(p.textKey) + u'\n' + captionOf(p.part) + u'\n' +
                        otherLabelOf(p.textKey);
    const QStringList parts = words.split(u' ', Qt::SkipEmptyParts);
    return std::all_of(parts.begin(), parts.end(), [&all](const QString& part) {
        return all.contains(part, Qt::CaseInsensitive);
    });
}

void ParamPanel::applyFilter()
{
    const bool whole = m_filter->text().trimmed().isEmpty();
    std::vector<bool> any(m_groups.size(), whole);
    if (!whole)
        for (const Item& item : m_items)
            any[item.group] = any[item.group] || matches(item);
    for (std::size_t i = 0; i < m_groups.size(); ++i) {
        m_groups[i]->setVisible(any[i]);
        m_groups[i]->setForced(!whole && any[i]);
        if (m_groups[i]->isShown())
            fillGroup(i);
    }
}

void ParamPanel::updateCounts()
{
    const int changed = static_cast<int>(
        std::count_if(m_items.begin(), m_items.end(), [](const Item& i) { return i.isChanged(); }));
    if (changed != m_changed) {
        m_changed = changed;
        Q_EMIT changedCountChanged(changed);
    }
}

void ParamPanel::setSummary(const std::string& group, const QString& summary)
{
    m_summaries[group] = summary;
    for (ParamGroup* g : m_groups)
        if (g->key() == group)
            g->setSummary(summary);
}

ParamRow* ParamPanel::row(const std::string& path)
{
    const auto it = m_index.find(path);
    if (it == m_index.end())
        return nullptr;
    Item& item = m_items[it->second];
    ParamGroup* group = m_groups[item.group];
    if (!group->isOpen())
        group->setOpen(true);
    ParamRow* found = ensureRow(item);
    found->show();
    return found;
}

bool ParamPanel::reveal(const QString& path)
{
    if (const auto old = m_index.find(m_highlighted.toStdString()); old != m_index.end())
        if (ParamRow* before = m_items[old->second].row)
            before->setHighlighted(false);
    m_highlighted = path;
    m_filter->clear();
    ParamRow* found = row(path.toStdString());
    if (!found)
        return false;
    found->setHighlighted(true);
    // The layout of a row just made is known one turn later.
    QTimer::singleShot(0, found, [this, found] {
        m_scroll->ensureWidgetVisible(found, 0, 60);
        found->focusEditor();
    });
    return true;
}

} // namespace cw::views
