// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>

#include <nlohmann/json.hpp>

#include "app/cli/session.h"
#include "model/calibrate/refit.h"
#include "model/calibrate/validate.h"
#include "model/report/document.h"

// What `validate` answers, in its forms.

namespace cw::cli {

struct ValidateAnswer
{
    calibrate::Validation validation;
    const calibrate::Refit* refit = nullptr; ///< where constants were fitted again
    std::optional<calibrate::Refit::LeftOut> leftOut;
};

nlohmann::ordered_json toJson(const ValidateAnswer& answer);
report::Document documentOf(const Session& session, const ValidateAnswer& answer);
/// The rows alone, as `validate --format json` names them.
std::string csvOf(const ValidateAnswer& answer);

} // namespace cw::cli
