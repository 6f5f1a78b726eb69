// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/presets/presetpicker.h"

#include <QCoreApplication>
#include <QDialogButtonBox>
#include <QHeaderView>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QTreeWidget>
#include <QVBoxLayout>
#include <utility>

#include "model/scenario/presets.h"
#include "views/params/valuetext.h"
#include "views/text/words.h"
#include "views/theme/icons.h"

namespace cw::views {

using namespace Qt::StringLiterals;

namespace {

constexpr int kIdRole = Qt::UserRole;
constexpr int kSearchRole = Qt::UserRole + 1;

QString text(const std::string& s)
{
    return QString::fromStdString(s);
}

QJsonObject jsonOf(const std::string& kind, const std::string& id)
{
    const auto* preset = scenario::findPreset(kind, id);
    if (!preset)
        return {};
    return QJsonDocument::fromJson(
               QByteArray::fromRawData(preset->json.data(),
                                       static_cast<qsizetype>(preset->json.size())))
        .object();
}

QString chipNumbers(const QJsonObject& values)
{
    QStringList items;
    const QJsonObject matrix = values.value(u"matrix_flops"_s).toObject();
    for (const auto& format : {u"bf16"_s, u"fp8"_s})
        if (matrix.value(format).isDouble())
            items << format.toUpper() + u' ' +
                         shownNumber(matrix.value(format).toDouble(), units::Unit::FlopPerSecond);
    if (values.value(u"hbm_bytes"_s).isDouble())
        items << shownNumber(values.value(u"hbm_bytes"_s).toDouble(), units::Unit::VendorBytes);
    if (values.value(u"hbm_bandwidth"_s).isDouble())
        items << shownNumber(values.value(u"hbm_bandwidth"_s).toDouble(),
                             units::Unit::BytesPerSecond);
    if (values.value(u"power_limit"_s).isDouble())
        items << shownNumber(values.value(u"power_limit"_s).toDouble(), units::Unit::Watts);
    return items.join(u" · "_s);
}

QString modelNumbers(const QJsonObject& json)
{
    QStringList items;
    const QJsonObject published = json.value(u"published"_s).toObject();
    if (published.value(u"total"_s).isDouble())
        items << say(
            "window.picker.total",
            {{"n", shownNumber(published.value(u"total"_s).toDouble(), units::Unit::Parameters)}});
    if (published.value(u"active"_s).isDouble())
        items << say(
            "window.picker.active",
            {{"n", shownNumber(published.value(u"active"_s).toDouble(), units::Unit::Parameters)}});
    int layers = 0;
    const QJsonArray groups = json.value(u"values"_s).toObject().value(u"groups"_s).toArray();
    for (const auto& group : groups)
        layers += group.toObject().value(u"count"_s).toInt(1);
    if (layers > 0)
        items << say("window.picker.layers", {{"n", QString::number(layers)}});
    return items.join(u" · "_s);
}

QString systemNumbers(const QJsonObject& values)
{
    const QJsonObject cluster = values.value(u"cluster"_s).toObject();
    QStringList items;
    items << say("window.picker.chips",
                 {{"n", numberLocale().toString(cluster.value(u"chips"_s).toInt())}});
    const std::string chip =
        cluster.value(u"chip"_s).toObject().value(u"preset"_s).toString().toStdString();
    if (const auto* preset = scenario::findPreset("chip", chip))
        items << text(preset->name);
    const QJsonObject facility = values.value(u"facility"_s).toObject();
    if (facility.value(u"rack_power_limit"_s).isDouble())
        items << say("window.picker.rack",
                     {{"n", shownNumber(facility.value(u"rack_power_limit"_s).toDouble(),
                                        units::Unit::Watts)}});
    return items.join(u" · "_s);
}

QString networkNumbers(const QJsonObject& values)
{
    const QJsonObject out = values.value(u"scale_out"_s).toObject();
    QStringList items;
    items << nameOf("cluster.network.scale_out.topology",
                    out.value(u"topology"_s).toString().toStdString());
    if (out.value(u"bandwidth"_s).isDouble())
        items << shownNumber(out.value(u"bandwidth"_s).toDouble(), units::Unit::BytesPerSecond);
    if (out.value(u"radix"_s).isDouble())
        items << say("window.picker.ports",
                     {{"n", QString::number(out.value(u"radix"_s).toInt())}});
    return items.join(u" · "_s);
}

} // namespace

QString keyNumbersOf(const std::string& kind, const std::string& id)
{
    const QJsonObject json = jsonOf(kind, id);
    const QJsonObject values = json.value(u"values"_s).toObject();
    if (kind == "chip")
        return chipNumbers(values);
    if (kind == "model")
        return modelNumbers(json);
    if (kind == "system")
        return systemNumbers(values);
    if (kind == "network")
        return networkNumbers(values);
    return {};
}

PresetPicker::PresetPicker(std::string kind, const QString& current, QWidget* parent)
    : QDialog(parent), m_kind(std::move(kind)), m_filter(new QLineEdit(this)),
      m_list(new QTreeWidget(this)), m_notes(new QLabel(this))
{
    setWindowTitle(say("window.picker.title." + m_kind));
    auto* column = new QVBoxLayout(this);
    m_filter->setPlaceholderText(say("window.picker.filter"));
    m_filter->setAccessibleName(say("window.picker.filter"));
    m_filter->addAction(icon(Icon::Search), QLineEdit::LeadingPosition);
    m_filter->installEventFilter(this);
    column->addWidget(m_filter);
    m_list->setRootIsDecorated(false);
    m_list->setUniformRowHeights(true);
    m_list->setAlternatingRowColors(true);
    m_list->setAccessibleName(windowTitle());
    m_list->setHeaderLabels({say("window.picker.name"), say("window.picker.vendor"),
                             say("window.picker.year"), say("window.picker.status"),
                             say("window.picker.numbers")});
    column->addWidget(m_list, 1);
    m_notes->setWordWrap(true);
    m_notes->setMinimumHeight(34);
    m_notes->setAlignment(Qt::AlignTop | Qt::AlignLeft);
    setRole(m_notes, "role", u"secondary"_s);
    column->addWidget(m_notes);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel, this);
    m_accept = buttons->button(QDialogButtonBox::Ok);
    m_accept->setText(say("window.picker.use"));
    column->addWidget(buttons);
    connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(m_list, &QTreeWidget::itemActivated, this, &QDialog::accept);
    connect(m_list, &QTreeWidget::currentItemChanged, this, &PresetPicker::showNotes);
    connect(m_filter, &QLineEdit::textChanged, this, &PresetPicker::applyFilter);
    fill(current);
    resize(820, 520);
    m_filter->setFocus();
}

void PresetPicker::fill(const QString& current)
{
    for (const scenario::Preset& preset : scenario::presetsOf(m_kind)) {
        const QString numbers = keyNumbersOf(m_kind, preset.id);
        const QString status = isKnown("window.status." + preset.status)
                                   ? say("window.status." + preset.status)
                                   : text(preset.status);
        auto* item = new QTreeWidgetItem(
            {text(preset.name), text(preset.vendor),
             preset.year > 0 ? QString::number(preset.year) : QString(), status, numbers});
        item->setData(0, kIdRole, text(preset.id));
        QString search = item->text(0) + u'\n' + item->text(1) + u'\n' + item->text(2) + u'\n' +
                         status + u'\n' + numbers + u'\n' + text(preset.id);
        for (const std::string& alias : preset.aliases)
            search += u'\n' + text(alias);
        item->setData(0, kSearchRole, search);
        m_list->addTopLevelItem(item);
        if (text(preset.id) == current)
            m_list->setCurrentItem(item);
    }
    for (int i = 0; i < m_list->columnCount(); ++i)
        m_list->resizeColumnToContents(i);
    m_accept->setEnabled(m_list->currentItem() != nullptr);
}

void PresetPicker::applyFilter(const QString& words)
{
    const QStringList parts = words.split(u' ', Qt::SkipEmptyParts);
    QTreeWidgetItem* first = nullptr;
    for (int i = 0; i < m_list->topLevelItemCount(); ++i) {
        QTreeWidgetItem* item = m_list->topLevelItem(i);
        const QString search = item->data(0, kSearchRole).toString();
        bool shown = true;
        for (const QString& part : parts)
            shown = shown && search.contains(part, Qt::CaseInsensitive);
        item->setHidden(!shown);
        if (shown && !first)
            first = item;
    }
    const QTreeWidgetItem* current = m_list->currentItem();
    if (!current || current->isHidden())
        m_list->setCurrentItem(first);
    showNotes();
}

void PresetPicker::showNotes()
{
    m_accept->setEnabled(m_list->currentItem() != nullptr);
    const auto* preset = scenario::findPreset(m_kind, chosenId().toStdString());
    QStringList notes;
    if (preset)
        for (const std::string& note : preset->notes)
            notes << text(note);
    m_notes->setText(notes.join(u"\n"_s));
}

QString PresetPicker::chosenId() const
{
    const QTreeWidgetItem* item = m_list->currentItem();
    return item && !item->isHidden() ? item->data(0, kIdRole).toString() : QString();
}

bool PresetPicker::eventFilter(QObject* watched, QEvent* event)
{
    // Arrow keys in the filter walk through the list.
    if (watched == m_filter && event->type() == QEvent::KeyPress) {
        const int key = static_cast<QKeyEvent*>(event)->key();
        if (key == Qt::Key_Up || key == Qt::Key_Down || key == Qt::Key_PageUp ||
            key == Qt::Key_PageDown)
            return QCoreApplication::sendEvent(m_list, event);
    }
    return QDialog::eventFilter(watched, event);
}

} // namespace cw::views
