// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/scenario/inputs.h"
#include "model/transformer/layer.h"
#include "model/units/quantity.h"

// How long one chip takes for one operator: the longer of its FLOPs at what the chip sustains and
// its bytes at what memory streams. [Williams et al. 2009, roofline]

namespace cw::chip {

/// Dense peak for products of a format. Where the chip has no units for it, the nearest wider
/// format that it has.
template <class T>
units::FlopPerSecond<T> peakOf(const scenario::Inputs<T>& in, scenario::Format format);

/// What of it is sustained on large products. A chip's number for the format, or of its kin.
template <class T>
T sustainedShare(const scenario::Inputs<T>& in, scenario::Format format);

template <class T>
units::BytesPerSecond<T> memoryRate(const scenario::Inputs<T>& in);

/// M rows times N columns over K. Sustained share, ramp K/(K + K0), whole tiles, and at least one
/// tile for each core.
template <class T>
units::Seconds<T> gemmTime(const scenario::Inputs<T>& in, scenario::Format format, const T& m,
                           const T& n, const T& k);

/// `groups` products of M rows each at once, as the experts of a rank run: slower than one product
/// where the rows of an expert are few.
template <class T>
units::Seconds<T> groupedGemmTime(const scenario::Inputs<T>& in, scenario::Format format,
                                  const T& groups, const T& m, const T& n, const T& k);

/// Forward of the attention core of one layer: `tokens` queries on this rank, heads cut by t.
template <class T>
units::Seconds<T> attentionTime(const scenario::Inputs<T>& in, const transformer::Layer<T>& layer,
                                const T& tokens, const T& tensor);

/// Bytes streamed through memory.
template <class T>
units::Seconds<T> streamTime(const scenario::Inputs<T>& in, const units::Bytes<T>& bytes);

} // namespace cw::chip
