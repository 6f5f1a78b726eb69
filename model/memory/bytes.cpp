// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/memory/ledger.h"

namespace cw::memory {

double bytesOf(scenario::Format format)
{
    switch (format) {
    case scenario::Format::Fp64:
        return 8;
    case scenario::Format::Fp32:
    case scenario::Format::Tf32:
        return 4;
    case scenario::Format::Bf16:
    case scenario::Format::Fp16:
        return 2;
    case scenario::Format::Fp8: // 128 x 128 blocks: their scales are negligible
    case scenario::Format::Int8:
        return 1;
    case scenario::Format::Mxfp8: // one byte for 32 elements [OCP MX v1.0]
        return 1.0 + 1.0 / 32.0;
    case scenario::Format::Fp4:
        return 0.5;
    case scenario::Format::Mxfp4:
        return 0.5 + 1.0 / 32.0;
    case scenario::Format::Nvfp4: // one byte for 16 elements
        return 0.5 + 1.0 / 16.0;
    }
    return 2;
}

} // namespace cw::memory
