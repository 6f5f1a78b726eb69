// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/params/paramrow.h"

#include <QCheckBox>
#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QPainter>
#include <QSignalBlocker>
#include <QToolButton>
#include <QToolTip>
#include <QVBoxLayout>
#include <algorithm>
#include <utility>

#include "views/params/flowlayout.h"
#include "views/params/undopass.h"
#include "views/params/valueslider.h"
#include "views/params/valuetext.h"
#include "views/params/wheelguard.h"
#include "views/text/words.h"
#include "views/theme/icons.h"

namespace cw::views {

using namespace Qt::StringLiterals;
using scenario::Kind;
using scenario::Value;

namespace {

constexpr int kFieldWidth = 104;
constexpr int kWideField = 136;

std::optional<double> numberOf(const std::optional<Value>& value)
{
    if (!value)
        return {};
    const auto* x = std::get_if<double>(&*value);
    return x ? std::optional<double>(*x) : std::nullopt;
}

QToolButton* smallButton(Icon picture, QWidget* parent)
{
    auto* button = new QToolButton(parent);
    button->setIcon(icon(picture));
    button->setIconSize({13, 13});
    button->setFixedSize(18, 18);
    button->setAutoRaise(true);
    return button;
}

} // namespace

ParamRow::ParamRow(scenario::Parameter parameter, QWidget* parent)
    : QWidget(parent), m_parameter(std::move(parameter))
{
    build();
    bindText(this, [this] { retranslate(); });
}

ParamRow::~ParamRow() = default;

void ParamRow::build()
{
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(12, 2, 6, 3);
    column->setSpacing(1);
    auto* line = new QHBoxLayout;
    line->setSpacing(3);
    m_label = new QLabel(this);
    m_label->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    line->addWidget(m_label, 1);
    QWidget* editor = createEditor();
    line->addWidget(editor);
    m_label->setBuddy(editor);
    m_lock = smallButton(Icon::Unlock, this);
    m_lock->setCheckable(true);
    m_reset = smallButton(Icon::Reset, this);
    line->addWidget(m_lock);
    line->addWidget(m_reset);
    column->addLayout(line);
    createBelow(column);
    const QString path = QString::fromStdString(m_parameter.path);
    connect(m_lock, &QToolButton::toggled, this,
            [this, path](bool on) { Q_EMIT lockToggled(path, on); });
    connect(m_reset, &QToolButton::clicked, this, [this, path] { Q_EMIT resetWanted(path); });
}

QWidget* ParamRow::createEditor()
{
    switch (m_parameter.kind) {
    case Kind::Flag:
        m_check = new QCheckBox(this);
        connect(m_check, &QCheckBox::clicked, this, [this](bool on) { emitValue(Value(on)); });
        return m_check;
    case Kind::Choice:
        return createCombo();
    case Kind::Choices:
        return createChoices();
    case Kind::Preset:
        m_menuButton = new QToolButton(this);
        m_menuButton->setFixedWidth(kWideField);
        m_menuButton->setProperty("segment", u"true"_s);
        connect(m_menuButton, &QToolButton::clicked, this,
                [this] { Q_EMIT presetWanted(QString::fromStdString(m_parameter.path)); });
        return m_menuButton;
    default:
        return createField();
    }
}

QWidget* ParamRow::createCombo()
{
    m_combo = new QComboBox(this);
    m_combo->setFixedWidth(kWideField);
    m_combo->setFocusPolicy(Qt::StrongFocus);
    m_combo->installEventFilter(new WheelGuard(m_combo));
    if (m_parameter.nullable)
        m_combo->addItem(QString(), QVariant());
    for (const auto& name : m_parameter.names)
        m_combo->addItem(QString(), QVariant(QString::fromUtf8(
                                        name.data(), static_cast<qsizetype>(name.size()))));
    connect(m_combo, &QComboBox::activated, this, [this](int index) {
        const QVariant name = m_combo->itemData(index);
        emitValue(name.isValid() ? Value(name.toString().toStdString()) : Value());
    });
    return m_combo;
}

QWidget* ParamRow::createField()
{
    m_field = new QLineEdit(this);
    new UndoPass(m_field);
    m_field->setAlignment(Qt::AlignRight);
    m_field->setFixedWidth(m_parameter.kind == Kind::Number || m_parameter.kind == Kind::Integer
                               ? kFieldWidth
                               : kWideField);
    connect(m_field, &QLineEdit::editingFinished, this, &ParamRow::commitField);
    connect(m_field, &QLineEdit::textEdited, this,
            [this] { setRole(m_field, "wrong", u"false"_s); });
    return m_field;
}

QWidget* ParamRow::createChoices()
{
    m_menuButton = new QToolButton(this);
    m_menuButton->setFixedWidth(kWideField);
    m_menuButton->setProperty("segment", u"true"_s);
    m_menuButton->setPopupMode(QToolButton::InstantPopup);
    auto* menu = new QMenu(m_menuButton);
    m_menuButton->setMenu(menu);
    for (const auto& name : m_parameter.names) {
        auto* action = menu->addAction(QString());
        action->setCheckable(true);
        action->setData(QString::fromUtf8(name.data(), static_cast<qsizetype>(name.size())));
        connect(action, &QAction::triggered, this, [this, action](bool on) {
            auto names = std::get<std::vector<std::string>>(m_state.value);
            const std::string own = action->data().toString().toStdString();
            std::erase(names, own);
            if (on)
                names.push_back(own);
            emitValue(Value(names));
        });
    }
    return m_menuButton;
}

void ParamRow::createBelow(QVBoxLayout* column)
{
    if (m_parameter.kind != Kind::Number && m_parameter.kind != Kind::Integer)
        return;
    if (m_parameter.spec.scale == scenario::Scale::Degree) {
        m_chips = new QWidget(this);
        m_chips->setLayout(new FlowLayout(m_chips, 3));
        column->addWidget(m_chips);
        return;
    }
    const ValueScale scale(m_parameter.spec, m_parameter.kind == Kind::Integer);
    if (!scale.isUsable())
        return;
    m_slider = new ValueSlider(scale, this);
    m_slider->installEventFilter(new WheelGuard(m_slider));
    connect(m_slider, &ValueSlider::moved, this,
            [this](double value, quint64 gesture) { emitValue(Value(value), gesture); });
    connect(m_slider, &ValueSlider::gestureFinished, this, &ParamRow::gestureFinished);
    auto* line = new QHBoxLayout;
    line->setContentsMargins(0, 0, 40, 0);
    line->addWidget(m_slider);
    column->addLayout(line);
}

void ParamRow::retranslate()
{
    const QString label = parameterLabel(m_parameter);
    const QString symbol = shortLabelOf(m_parameter);
    m_label->setText(label.endsWith(symbol)
                         ? label
                         : label + u" <span style='color:gray'>"_s + symbol + u"</span>"_s);
    QString help = helpOf(m_parameter.textKey);
    help += (help.isEmpty() ? QString() : u"\n"_s) + QString::fromStdString(m_parameter.path);
    m_label->setToolTip(help);
    for (QWidget* editor :
         std::initializer_list<QWidget*>{m_field, m_combo, m_check, m_menuButton, m_slider})
        if (editor)
            editor->setAccessibleName(label);
    m_lock->setAccessibleName(say("window.lock.name", {{"input", label}}));
    m_reset->setAccessibleName(say("window.reset.name", {{"input", label}}));
    m_lock->setToolTip(say("window.lock.tip"));
    if (m_combo)
        for (int i = 0; i < m_combo->count(); ++i) {
            const QVariant name = m_combo->itemData(i);
            m_combo->setItemText(i, name.isValid()
                                        ? nameOf(m_parameter.textKey, name.toString().toStdString())
                                        : say("window.value.none"));
        }
    if (m_menuButton && m_menuButton->menu())
        for (QAction* action : m_menuButton->menu()->actions())
            action->setText(nameOf(m_parameter.textKey, action->data().toString().toStdString()));
    showValue();
}

void ParamRow::setState(RowState state)
{
    // A drag changes few of the rows; the others need no layout and no paint.
    if (m_hasState && state == m_state)
        return;
    m_hasState = true;
    m_state = std::move(state);
    showValue();
}

ParamRow::Edge ParamRow::edgeOf(const RowState& state)
{
    if (!state.problem.isEmpty())
        return Edge::Problem;
    return state.isChanged() ? Edge::Changed : Edge::None;
}

void ParamRow::showValue()
{
    const Value& value = m_state.value;
    if (m_field && !(m_field->hasFocus() && m_field->isModified())) {
        const bool null = std::holds_alternative<std::monostate>(value);
        if (m_field->property("wrong").toString() == u"true"_s)
            markWrong({}); // the value that stands here again is right
        m_field->setText(null ? QString()
                              : fieldText(m_parameter, m_state.scaled ? *m_state.scaled : value));
        if (m_state.scaled || m_field->property("derived").toString() == u"true"_s) {
            setRole(m_field, "derived", m_state.scaled ? u"true"_s : u"false"_s);
            m_field->setToolTip(m_state.scaled ? say("window.value.scaled",
                                                     {{"value", shownText(m_parameter, value)}})
                                               : QString());
        }
        m_field->setPlaceholderText(
            null && !m_state.derived.isEmpty() ? m_state.derived : say("window.value.derived"));
        m_field->setCursorPosition(0);
    }
    if (m_combo) {
        const auto* name = std::get_if<std::string>(&value);
        m_combo->setCurrentIndex(name ? m_combo->findData(QString::fromStdString(*name)) : 0);
        m_combo->setToolTip(m_combo->currentText());
    }
    if (m_check && std::holds_alternative<bool>(value))
        m_check->setChecked(std::get<bool>(value));
    if (m_menuButton)
        showChoices();
    if (m_slider) {
        if (!m_slider->isSliderDown())
            m_slider->setCurrent(numberOf(m_state.scaled ? m_state.scaled : value)
                                     .value_or(m_state.derivedNumber.value_or(0)));
        m_slider->setMarks(numberOf(m_state.preset),
                           m_state.isChanged() ? numberOf(m_state.baseline) : std::nullopt);
    }
    if (m_chips)
        showDegrees();
    const bool differs = m_state.preset != value;
    m_reset->setEnabled(differs && !m_state.locked);
    m_reset->setToolTip(
        say("window.reset.tip", {{"value", shownText(m_parameter, m_state.preset)}}));
    const QSignalBlocker blocker(m_lock);
    m_lock->setChecked(m_state.locked);
    if (const Icon picture = m_state.locked ? Icon::Lock : Icon::Unlock; picture != m_lockIcon) {
        m_lockIcon = picture;
        m_lock->setIcon(icon(picture));
    }
    for (QWidget* editor :
         std::initializer_list<QWidget*>{m_combo, m_check, m_menuButton, m_slider, m_chips})
        if (editor)
            editor->setEnabled(!m_state.locked);
    if (m_field)
        m_field->setReadOnly(m_state.locked);
    QFont font = m_label->font();
    if (font.bold() != m_state.isChanged()) {
        font.setBold(m_state.isChanged());
        m_label->setFont(font);
        if (m_field)
            m_field->setFont(font);
    }
    setToolTip(m_state.problem);
    if (const Edge edge = edgeOf(m_state); edge != m_edge) {
        m_edge = edge;
        update();
    }
}

void ParamRow::showChoices()
{
    if (m_parameter.kind == Kind::Preset) {
        const QString name =
            m_state.presetName.isEmpty() ? say("window.value.noPreset") : m_state.presetName;
        m_menuButton->setText(
            m_menuButton->fontMetrics().elidedText(name, Qt::ElideRight, kWideField - 16));
        m_menuButton->setToolTip(name);
        return;
    }
    const auto* names = std::get_if<std::vector<std::string>>(&m_state.value);
    if (!names)
        return;
    m_menuButton->setText(
        names->size() > 2
            ? say("window.value.chosen", {{"n", QString::number(static_cast<int>(names->size()))}})
            : shownText(m_parameter, m_state.value));
    m_menuButton->setToolTip(shownText(m_parameter, m_state.value));
    for (QAction* action : m_menuButton->menu()->actions())
        action->setChecked(std::find(names->begin(), names->end(),
                                     action->data().toString().toStdString()) != names->end());
}

void ParamRow::showDegrees()
{
    auto* layout = static_cast<FlowLayout*>(m_chips->layout());
    const auto& degrees = m_state.degrees;
    bool relaid = layout->count() != static_cast<int>(degrees.size());
    while (layout->count() < static_cast<int>(degrees.size())) {
        auto* chip = new QToolButton(m_chips);
        chip->setFocusPolicy(Qt::StrongFocus);
        layout->addWidget(chip);
        connect(chip, &QToolButton::clicked, this,
                [this, chip] { emitValue(Value(chip->property("degree").toDouble())); });
        chip->show();
    }
    while (layout->count() > static_cast<int>(degrees.size())) {
        QLayoutItem* item = layout->takeAt(layout->count() - 1);
        delete item->widget();
        delete item;
    }
    const auto current = numberOf(m_state.value);
    const auto baseline = m_state.isChanged() ? numberOf(m_state.baseline) : std::nullopt;
    for (std::size_t i = 0; i < degrees.size(); ++i) {
        auto* chip = static_cast<QToolButton*>(layout->itemAt(static_cast<int>(i))->widget());
        const DegreeChoice& degree = degrees[i];
        QString text = numberLocale().toString(degree.value, 'f', 0);
        chip->setAccessibleName(parameterLabel(m_parameter) + u' ' + text);
        if (baseline == degree.value)
            text += u" ○"_s;
        relaid = relaid || chip->text() != text;
        chip->setText(text);
        chip->setToolTip(degree.reason);
        chip->setProperty("degree", degree.value);
        const QString look = current == degree.value ? u"current"_s
                             : degree.legal          ? u"plain"_s
                                                     : u"excluded"_s;
        if (chip->property("chip").toString() != look)
            setRole(chip, "chip", look);
    }
    if (relaid)
        m_chips->updateGeometry();
}

void ParamRow::markWrong(const QString& why)
{
    setRole(m_field, "wrong", why.isEmpty() ? u"false"_s : u"true"_s);
    m_field->setToolTip(why);
    if (!why.isEmpty())
        QToolTip::showText(m_field->mapToGlobal(QPoint(0, m_field->height())), why, m_field);
}

void ParamRow::commitField()
{
    if (!m_field->isModified())
        return;
    const QString typed = m_field->text();
    m_field->setModified(false);
    const auto value = readText(m_parameter, typed);
    if (!value) {
        markWrong(say("window.field.unreadable", {{"text", typed}}));
        return;
    }
    markWrong({});
    if (*value == m_state.value)
        showValue();
    else
        emitValue(*value);
}

void ParamRow::emitValue(const Value& value, quint64 gesture)
{
    Q_EMIT edited(QString::fromStdString(m_parameter.path), value, gesture);
    // A refused or equal edit leaves the state as it was: show that.
    if (gesture == 0)
        showValue();
}

void ParamRow::focusEditor()
{
    for (QWidget* editor : std::initializer_list<QWidget*>{m_field, m_combo, m_check, m_menuButton})
        if (editor) {
            editor->setFocus(Qt::OtherFocusReason);
            return;
        }
}

void ParamRow::setHighlighted(bool highlighted)
{
    m_highlighted = highlighted;
    update();
}

void ParamRow::paintEvent(QPaintEvent* /*event*/)
{
    const Theme& theme = Theme::of(this);
    QPainter painter(this);
    if (m_highlighted)
        painter.fillRect(rect(), theme.selection);
    if (m_edge != Edge::None)
        painter.fillRect(QRect(0, 0, 3, height()),
                         m_edge == Edge::Problem ? theme.violation : theme.accent);
}

} // namespace cw::views
