// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

/// Which sanitizers this translation unit is part of. The scheduler's are not instrumented for
/// ThreadSanitizer, so they are told of it by ISOVMAF_HOST_TSAN.
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
