// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

/// Marks what the shared library exports.
#if defined(__GNUC__)
#define ISOVMAF_API __attribute__((visibility("default")))
#else
#define ISOVMAF_API
#endif
