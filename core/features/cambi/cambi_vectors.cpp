// SPDX-License-Identifier: BSD-2-Clause-Patent
// CAMBI in vectors (cambi.md), once per level.
#include "features/cambi/cambi_vectors_counts.hpp"
#include "features/cambi/cambi_vectors_picture.hpp"

HWY_BEFORE_NAMESPACE();

namespace isovmaf {

extern const CambiFunctions ISOVMAF_AT_LEVEL(cambi_functions);
const CambiFunctions ISOVMAF_AT_LEVEL(cambi_functions) = {
    cambi_convert_8,  cambi_convert_16, cambi_average,     cambi_flat_columns, cambi_mask,     cambi_decimate,
    cambi_mode_along, cambi_mode_down,  cambi_mark_values, cambi_move_windows, cambi_c_values, cambi_total};

} // namespace isovmaf

HWY_AFTER_NAMESPACE();
