// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "model/step/passes.h"
#include "model/transformer/layer.h"
#include "model/units/quantity.h"

namespace cw::step {

/// Bytes that the optimizer moves for each parameter of the shard: it reads the gradient, reads and
/// writes the master copy and its moments, and writes the weights. Adam over fp32 state: 30.
double optimizerBytesPerParameter(const scenario::Precision& precision);

/// Time of the optimizer for `shard` parameters on a device. Muon also makes each matrix of the
/// rank orthogonal, the matrices of a stage dealt out over the sharding group.
/// [Kingma & Ba 2015 (1412.6980); Shazeer & Stern 2018 (1804.04235); Jordan et al. 2024, Muon: five
/// Newton-Schulz steps; Liu et al. 2025 (2502.16982), its distribution]
template <class T>
units::Seconds<T> optimizerTime(const StepContext<T>& context,
                                const std::vector<transformer::Layer<T>>& layers, const T& shard);

/// Multiply-adds, counted as 2, of the orthogonalization of one matrix of m x n, m <= n: each of
/// five steps takes X Xt, its square, and their product with X.
template <class T>
T newtonSchulzFlops(const T& rows, const T& columns)
{
    const T m = rows < columns ? rows : columns;
    const T n = rows < columns ? columns : rows;
    return T(5.0) * T(2.0) * (T(2.0) * m * m * n + m * m * m);
}

} // namespace cw::step
