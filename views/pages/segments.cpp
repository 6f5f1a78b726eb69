// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/pages/segments.h"

#include <QButtonGroup>
#include <QHBoxLayout>
#include <QPushButton>

#include "views/pages/frames.h"
#include "views/text/words.h"

namespace cw::views {

QButtonGroup* addSegments(ChartFrame* frame, std::initializer_list<const char*> keys, int chosen)
{
    auto* group = new QButtonGroup(frame);
    auto* line = new QHBoxLayout;
    line->setSpacing(0);
    int id = 0;
    for (const char* key : keys) {
        auto* button = new QPushButton(frame);
        button->setCheckable(true);
        button->setChecked(id == chosen);
        button->setProperty("segment", true);
        bindText(button, [button, key] { setSegmentText(button, say(key)); });
        group->addButton(button, id++);
        line->addWidget(button);
    }
    line->addStretch(1);
    frame->body()->insertLayout(0, line);
    return group;
}

} // namespace cw::views
