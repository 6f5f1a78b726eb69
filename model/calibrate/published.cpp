// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/calibrate/published.h"

#include "resources/embedded.h"

namespace cw::calibrate {

std::vector<RowsFile> publishedRows()
{
    constexpr std::string_view kFolder = "measured/";
    constexpr std::string_view kFailures = "measured/failure_goodput.json";
    std::vector<RowsFile> files;
    for (const std::string_view name : resources::filesBelow(kFolder))
        if (name != kFailures)
            files.push_back(
                {std::string(name.substr(kFolder.size())), std::string(resources::file(name))});
    return files;
}

} // namespace cw::calibrate
