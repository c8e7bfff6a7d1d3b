// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <array>
#include <vector>

#include "base/align.hpp"
#include "features/cambi/cambi.hpp"
#include "features/cambi/cambi_functions.hpp"

namespace isovmaf {

/// Rows of values with cambi_row_room at both ends.
template <class T>
struct CambiRows {
    T *first = nullptr; ///< value 0 of row 0
    std::ptrdiff_t stride = 0;

    [[nodiscard]] T *row(int y) const { return first + y * stride; }

    static CambiRows take(int width, int height, Workspace &workspace) {
        const auto stride = static_cast<std::size_t>(align_up(width, cambi_word_bits) + 2 * cambi_row_room);
        T *const memory = workspace.take<T>(stride * static_cast<std::size_t>(height)).data();
        return {memory + cambi_row_room, static_cast<std::ptrdiff_t>(stride)};
    }
};

/// One scale of a picture.
struct CambiCpuScale {
    int width = 0, height = 0;
    CambiRows<std::uint16_t> samples; ///< filtered
    std::uint64_t *mask = nullptr;    ///< rows of mask_words words
    int mask_words = 0;

    [[nodiscard]] std::uint64_t *mask_row(int y) const { return mask + std::ptrdiff_t{y} * mask_words; }
};
using CambiCpuScales = std::array<CambiCpuScale, CAMBI_SCALE_COUNT>;

/// Which samples of a luma plane a picture is made of; empty for all of them.
struct CambiPositions {
    std::vector<int> columns = {}, rows = {};
};

/// Makes the scales of a picture from a luma plane, in `workspace`. With taps it fills the stages of picture `index`.
template <class Sample>
[[nodiscard]] CambiCpuScales make_cambi_scales(const CambiFunctions &functions, const Plane &luma, int bit_depth,
                                               const CambiPicture &picture, const CambiPositions &positions,
                                               Workspace &workspace, Taps taps, const CambiStages &stages,
                                               std::size_t index);

} // namespace isovmaf
