// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "host/fiber.hpp"

#include <pthread.h>

#include "host/sanitizer.hpp"

namespace isovmaf::host {

#if defined(__x86_64__)

namespace {

constexpr std::size_t saved_registers = 6;

// Pushes the registers that a function has to preserve, stores the stack pointer in *from, and continues where `to` did
// the same. The floating-point control words are not saved: no kernel changes them.
[[gnu::naked, gnu::noinline]] void switch_stack([[maybe_unused]] void **from, [[maybe_unused]] void *to) {
    asm volatile("pushq %rbp\n"
                 "pushq %rbx\n"
                 "pushq %r12\n"
                 "pushq %r13\n"
                 "pushq %r14\n"
                 "pushq %r15\n"
                 "movq %rsp, (%rdi)\n"
                 "movq %rsi, %rsp\n"
                 "popq %r15\n"
                 "popq %r14\n"
                 "popq %r13\n"
                 "popq %r12\n"
                 "popq %rbx\n"
                 "popq %rbp\n"
                 "ret\n");
}

// The initial stack of a fiber: registers, then `entry` as return address of the switch, then a return address for
// `entry` that ends the call chain. At `entry` the stack pointer is 8 beyond a multiple of 16, as after a call.
void *first_stack_pointer(std::byte *stack_end, void (*entry)()) {
    void **top = reinterpret_cast<void **>(stack_end) - 2;
    *--top = nullptr;
    *--top = reinterpret_cast<void *>(entry);
    for (std::size_t i = 0; i < saved_registers; i++)
        *--top = nullptr;
    return top;
}

} // namespace

#endif

void Fiber::adopt_thread() {
#if defined(ISOVMAF_HOST_ASAN)
    pthread_attr_t attributes;
    if (pthread_getattr_np(pthread_self(), &attributes) == 0) {
        void *stack = nullptr;
        pthread_attr_getstack(&attributes, &stack, &stack_bytes_);
        pthread_attr_destroy(&attributes);
        stack_ = stack;
    }
#endif
#if defined(ISOVMAF_HOST_TSAN)
    tsan_fiber_ = __tsan_get_current_fiber();
#endif
}

void Fiber::create(std::byte *stack, std::size_t stack_bytes, void (*entry)()) {
    stack_ = stack;
    stack_bytes_ = stack_bytes;
#if defined(__x86_64__)
    stack_pointer_ = first_stack_pointer(stack + stack_bytes, entry);
#else
    getcontext(&context_);
    context_.uc_stack.ss_sp = stack;
    context_.uc_stack.ss_size = stack_bytes;
    context_.uc_link = nullptr;
    makecontext(&context_, entry, 0);
#endif
#if defined(ISOVMAF_HOST_TSAN)
    tsan_fiber_ = __tsan_create_fiber(0);
#endif
}

void Fiber::abandon() {
#if defined(ISOVMAF_HOST_ASAN)
    __asan_unpoison_memory_region(stack_, stack_bytes_);
    fake_stack_ = nullptr;
#endif
#if defined(ISOVMAF_HOST_TSAN)
    void *const here = __tsan_get_current_fiber();
    // Switching there and back orders the fiber's accesses before later accesses here.
    __tsan_switch_to_fiber(tsan_fiber_, 0);
    __tsan_switch_to_fiber(here, 0);
    __tsan_destroy_fiber(tsan_fiber_);
#endif
}

void Fiber::switch_to(Fiber &next) {
#if defined(ISOVMAF_HOST_ASAN)
    __sanitizer_start_switch_fiber(&fake_stack_, next.stack_, next.stack_bytes_);
#endif
#if defined(ISOVMAF_HOST_TSAN)
    __tsan_switch_to_fiber(next.tsan_fiber_, __tsan_switch_to_fiber_no_sync);
#endif
#if defined(__x86_64__)
    switch_stack(&stack_pointer_, next.stack_pointer_);
#else
    swapcontext(&context_, &next.context_);
#endif
#if defined(ISOVMAF_HOST_ASAN)
    __sanitizer_finish_switch_fiber(fake_stack_, nullptr, nullptr);
#endif
}

void Fiber::entered() {
#if defined(ISOVMAF_HOST_ASAN)
    __sanitizer_finish_switch_fiber(nullptr, nullptr, nullptr);
#endif
}

} // namespace isovmaf::host
