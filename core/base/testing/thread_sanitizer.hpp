// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#if defined(__has_feature) // of clang
#if __has_feature(thread_sanitizer)
#define ISOVMAF_TEST_UNDER_TSAN
#endif
#elif defined(__SANITIZE_THREAD__)
#define ISOVMAF_TEST_UNDER_TSAN
#endif

namespace isovmaf::testing {

/// Whether the test is compiled for ThreadSanitizer, under which the lanes of the stand-in take a hundred times as
/// long.
#ifdef ISOVMAF_TEST_UNDER_TSAN
inline constexpr bool under_thread_sanitizer = true;
#else
inline constexpr bool under_thread_sanitizer = false;
#endif

} // namespace isovmaf::testing
