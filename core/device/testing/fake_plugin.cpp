// SPDX-License-Identifier: BSD-2-Clause-Patent
// The entry of one plugin for tests. Macros say how it differs from others: FAKE_NAME and FAKE_DEVICES, and those
// below.
#include "device/testing/fake_backend.hpp"

#ifndef FAKE_SYMBOL
#define FAKE_SYMBOL isovmaf_backend_entry
#endif
#ifndef FAKE_MAGIC
#define FAKE_MAGIC ISOVMAF_BACKEND_MAGIC
#endif
#ifndef FAKE_LAYOUT
#define FAKE_LAYOUT ISOVMAF_BACKEND_LAYOUT
#endif
#ifndef FAKE_CPU
#define FAKE_CPU false
#endif
#ifndef FAKE_ROUNDING
#define FAKE_ROUNDING false
#endif

using isovmaf::Defect;

extern "C" __attribute__((visibility("default"))) const isovmaf_backend FAKE_SYMBOL;
const isovmaf_backend FAKE_SYMBOL =
    isovmaf::fake_backend({FAKE_NAME, {FAKE_DEVICES}, FAKE_CPU, FAKE_ROUNDING, FAKE_MAGIC, FAKE_LAYOUT});
