// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/dialogs/faultsdialog.h"

#include <QDialogButtonBox>
#include <QLabel>
#include <QPlainTextEdit>
#include <QVBoxLayout>

#include "views/text/words.h"

namespace cw::app {

using namespace Qt::StringLiterals;

QStringList FaultsDialog::linesOf(const scenario::Faults& faults)
{
    QStringList lines;
    for (const scenario::Fault& fault : faults) {
        const QString pointer = QString::fromStdString(fault.pointer);
        lines << (pointer.isEmpty() ? QString() : pointer + u": "_s) +
                     views::sayMessage(fault.code, fault.arguments);
    }
    return lines;
}

FaultsDialog::FaultsDialog(const QString& title, const QString& summary,
                           const scenario::Faults& faults, QWidget* parent)
    : QDialog(parent)
{
    setWindowTitle(title);
    auto* column = new QVBoxLayout(this);
    auto* label = new QLabel(summary, this);
    label->setWordWrap(true);
    label->setTextFormat(Qt::PlainText);
    column->addWidget(label);
    if (!faults.empty()) {
        auto* list = new QPlainTextEdit(linesOf(faults).join(u'\n'), this);
        list->setObjectName(u"faults"_s);
        list->setReadOnly(true);
        list->setLineWrapMode(QPlainTextEdit::NoWrap);
        list->setAccessibleName(title);
        column->addWidget(list, 1);
    }
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, this);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    column->addWidget(buttons);
    resize(640, faults.empty() ? 120 : 320);
}

} // namespace cw::app
