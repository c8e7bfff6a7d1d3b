// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <cstddef>

#if !defined(__x86_64__)
#include <ucontext.h>
#endif

namespace isovmaf::host {

/// A stack and the registers with which execution continues on it. A fiber belongs to one thread of the operating
/// system. The class neither allocates nor locks. It is not instrumented for ThreadSanitizer, for which a switch orders
/// nothing.
class Fiber {
  public:
    /// Makes this object stand for the calling thread on its own stack.
    void adopt_thread();

    /// Creates a fiber that starts in `entry` at the first switch to it. `entry` must not return.
    void create(std::byte *stack, std::size_t stack_bytes, void (*entry)());

    /// Ends a created fiber at its current point. Objects on its stack are not destroyed.
    void abandon();

    /// Suspends this fiber, which has to be the running one, and continues `next`.
    void switch_to(Fiber &next);

    /// `entry` has to call this function first.
    static void entered();

  private:
#if defined(__x86_64__)
    void *stack_pointer_ = nullptr;
#else
    ucontext_t context_{};
#endif
    const void *stack_ = nullptr;
    std::size_t stack_bytes_ = 0;
    [[maybe_unused]] void *fake_stack_ = nullptr; ///< for AddressSanitizer
    [[maybe_unused]] void *tsan_fiber_ = nullptr;
};

} // namespace isovmaf::host
