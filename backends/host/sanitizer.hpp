// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

/// The sanitizers that this translation unit is compiled with. Those of the scheduler are not instrumented for
/// ThreadSanitizer; the build defines ISOVMAF_HOST_TSAN for them.
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

#if !defined(ISOVMAF_HOST_TSAN) && (defined(__SANITIZE_THREAD__) || ISOVMAF_HAS_FEATURE(thread_sanitizer))
#define ISOVMAF_HOST_TSAN 1
#endif
#if defined(ISOVMAF_HOST_TSAN)
#include <sanitizer/tsan_interface.h>
#endif
