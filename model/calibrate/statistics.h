// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

namespace cw::calibrate {

/// Quantile with linear interpolation between order statistics (Hyndman and Fan 1996, type 7);
/// 0 of no values.
double quantile(std::vector<double> values, double share);

/// Rank correlation of two equally long lists, ties at their mean rank; 0 where one is constant.
double spearman(const std::vector<double>& a, const std::vector<double>& b);

} // namespace cw::calibrate
