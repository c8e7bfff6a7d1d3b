// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

/// Which sanitizers this translation unit is part of. ISOVMAF_HOST_TSAN is given to those of the scheduler, which are
/// not instrumented themselves.
#if defined(__has_feature)
#define ISOVMAF_HAS_FEATURE(x) __has_feature(x)
#else
#define ISOVMAF_HAS_FEATURE(x) 0
#endif

#if defined(__SANITIZE_ADDRESS__) || ISOVMAF_HAS_FEATURE(address_sanitizer)
#define ISOVMAF_HOST_ASAN 1
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#endif

#if defined(ISOVMAF_HOST_TSAN)
#include <sanitizer/tsan_interface.h>
#endif
