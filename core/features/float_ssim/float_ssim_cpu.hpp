// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include "features/float_ssim/float_ssim.hpp"
#include "features/float_ssim/float_ssim_functions.hpp"

/// The parts of SSIM's CPU path that MS-SSIM shares: float_ssim_cpu.cpp defines them.
namespace isovmaf {

/// A picture whose rows have the room behind them that SsimFunctions ask for.
SsimPicture take_ssim_picture(Workspace &workspace, int width, int height);

/// A row with that room.
template <class T>
T *take_ssim_row(Workspace &workspace, int width) {
    const int room = (width + ssim_row_step - 1) / ssim_row_step * ssim_row_step + ssim_row_step;
    return workspace.take<T>(static_cast<std::size_t>(room)).data();
}

/// ssim_load and ssim_compare with vector code.
SsimPicture load_ssim_picture(const SsimFunctions &functions, const Plane &luma, int bit_depth, Workspace &workspace);
SsimMeans compare_ssim_pictures(const SsimFunctions &functions, const SsimPicture &reference,
                                const SsimPicture &distorted, Workspace &workspace, Taps taps, int first_stage);

} // namespace isovmaf
