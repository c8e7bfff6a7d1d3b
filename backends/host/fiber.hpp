// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <cstddef>

#if !defined(__x86_64__)
#include <ucontext.h>
#endif

namespace isovmaf::host {

/// A place of execution: a stack and the registers to go on with. It belongs to one thread of the operating system.
/// Neither allocates nor locks; not instrumented by ThreadSanitizer, to which a switch orders nothing.
class Fiber {
  public:
    /// The thread that runs now, on its own stack.
    void adopt_thread();

    /// A fiber that starts in `entry`, which never returns, when it is first switched to.
    void create(std::byte *stack, std::size_t stack_bytes, void (*entry)());

    /// Forgets a created fiber wherever it stands. What it had on its stack is not destroyed.
    void abandon();

    /// Suspends this fiber, which runs now, and goes on with another.
    void switch_to(Fiber &next);

    /// The first thing that `entry` calls.
    static void entered();

  private:
#if defined(__x86_64__)
    void *stack_pointer_ = nullptr;
#else
    ucontext_t context_{};
#endif
    const void *stack_ = nullptr;
    std::size_t stack_bytes_ = 0;
    [[maybe_unused]] void *fake_stack_ = nullptr; ///< AddressSanitizer's
    [[maybe_unused]] void *tsan_fiber_ = nullptr;
};

} // namespace isovmaf::host
