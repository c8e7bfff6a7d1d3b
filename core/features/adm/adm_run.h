// SPDX-License-Identifier: BSD-2-Clause-Patent
#ifndef ISOVMAF_ADM_RUN_H
#define ISOVMAF_ADM_RUN_H

#include "portable/portable.h"

// Samples side by side, moved at once. Their place is a multiple of the run's size.
template <class T, uint32_t count>
struct alignas(sizeof(T) * count) AdmRun {
    T at[count];
};

template <uint32_t count, class T>
ISOVMAF_FN AdmRun<T, count> adm_load_run(const T *from) {
    return *(const AdmRun<T, count> *)from;
}
template <class T, uint32_t count>
ISOVMAF_FN void adm_store_run(T *to, const AdmRun<T, count> &run) {
    *(AdmRun<T, count> *)to = run;
}

#endif
