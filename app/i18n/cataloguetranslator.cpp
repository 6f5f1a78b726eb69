// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/i18n/cataloguetranslator.h"

#include <string>

#include "views/text/words.h"

namespace cw::app {

QString CatalogueTranslator::translate(const char* context, const char* sourceText,
                                       const char* /*disambiguation*/, int /*n*/) const
{
    if (std::string_view(context).substr(0, 4) != "cw::")
        return {};
    const std::string key = std::string("chart.") + sourceText;
    return views::isKnown(key) ? views::say(key) : QString();
}

} // namespace cw::app
