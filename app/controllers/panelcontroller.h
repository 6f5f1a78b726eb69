// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

#include "app/document/document.h"
#include "app/document/evaluationpump.h"

namespace cw::views {
class ParamPanel;
}

namespace cw::app {

/// Binds the input panel to the document.
class PanelController final : public QObject
{
    Q_OBJECT

public:
    PanelController(Document& document, EvaluationPump& pump, views::ParamPanel& panel,
                    QObject* parent);

    /// Shows the plan as it is now.
    void refresh();
    void pickPreset(const QString& path);
    /// Edits of a page or a check, as one undo step.
    void editTogether(const std::vector<Edit>& edits, const QString& text,
                      GestureToken gesture = 0);

Q_SIGNALS:
    /// An edit was refused, with the reason.
    void refused(const QString& text);

private:
    void edit(const QString& path, const scenario::Value& value, quint64 gesture);
    void say(const std::optional<scenario::Refusal>& refusal, const std::string& path);
    void summarize();

    Document& m_document;
    EvaluationPump& m_pump;
    views::ParamPanel& m_panel;
};

/// Names the part that a preset parameter starts: "cluster.chip.preset" is "cluster.chip".
std::string partOfPreset(const std::string& path);

} // namespace cw::app
