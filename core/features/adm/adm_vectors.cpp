// SPDX-License-Identifier: BSD-2-Clause-Patent
// ADM's rows in vectors (features.md §4), once per level.
#include "features/adm/adm_vectors_wavelet.hpp"

#include "features/adm/adm_vectors_decouple.hpp"
#include "features/adm/adm_vectors_masking.hpp"

namespace isovmaf {

extern const AdmFunctions ISOVMAF_AT_LEVEL(adm_functions);
const AdmFunctions ISOVMAF_AT_LEVEL(adm_functions) = {
    .vertical_8 = vertical_8,
    .vertical_16 = filter_samples<std::uint16_t>,
    .vertical_1 = vertical_1,
    .vertical_2 = vertical_2,
    .first = {first_approximation, first_details, first_reference, decouple<true>, shares<true>, visible<true>},
    .later = {later_approximation, later_details, later_reference, decouple<false>, shares<false>, visible<false>},
};

} // namespace isovmaf
