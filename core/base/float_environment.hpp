// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <cstdint>

#if !defined(__x86_64__) && !defined(__aarch64__)
#include <cfenv>
#endif

#if defined(__FAST_MATH__) || (defined(__FINITE_MATH_ONLY__) && __FINITE_MATH_ONLY__)
#error "scores would differ from those of other builds: compile without -ffast-math and what is like it"
#endif
#if defined(__FLT_EVAL_METHOD__) && __FLT_EVAL_METHOD__ != 0
#error "scores would differ from those of other builds: compile for a processor that computes in double, as SSE2 does"
#endif

namespace isovmaf {

/// The registers of this thread that say how numbers are rounded, whether subnormal numbers count as zero, and which
/// floating-point exceptions were raised or end the program. Compilers do not know that arithmetic depends on them: the
/// statement that writes them keeps loads and stores on their sides.
class FloatRegisters {
  public:
    [[nodiscard]] static FloatRegisters read();
    void write() const;

    /// Whether a thread with these computes as IEEE 754 has it by default; exceptions may have been raised.
    [[nodiscard]] bool are_default() const;
    [[nodiscard]] static FloatRegisters defaults();

    bool operator==(const FloatRegisters &) const = default;

  private:
#if defined(__x86_64__)
    static constexpr std::uint32_t exceptions = 0x3f;
    std::uint32_t mxcsr_ = 0x1f80;       ///< of SSE and AVX
    std::uint16_t x87_control_ = 0x037f; ///< glibc's strtod and printf ask this one for the rounding of their results
#elif defined(__aarch64__)
    std::uint64_t control_ = 0, status_ = 0;
#else
    int rounding_ = FE_TONEAREST; ///< all that is known of other processors
#endif
};

/// Sets this thread to what IEEE 754 has by default while it exists: round to nearest even, subnormal numbers are kept,
/// exceptions end nothing. Its destructor puts back what its constructor found, the raised exceptions too. Where the
/// default is set already, nothing is written.
class FloatEnvironment {
  public:
    FloatEnvironment() {
        if (!before_.are_default())
            FloatRegisters::defaults().write();
    }
    ~FloatEnvironment() {
        if (FloatRegisters::read() != before_)
            before_.write();
    }
    FloatEnvironment(const FloatEnvironment &) = delete;
    FloatEnvironment &operator=(const FloatEnvironment &) = delete;

  private:
    const FloatRegisters before_ = FloatRegisters::read();
};

inline FloatRegisters FloatRegisters::defaults() { return {}; }

#if defined(__x86_64__)

inline FloatRegisters FloatRegisters::read() {
    FloatRegisters registers;
    asm volatile("stmxcsr %0" : "=m"(registers.mxcsr_));
    asm volatile("fnstcw %0" : "=m"(registers.x87_control_));
    return registers;
}

/// The x87 unit's record of raised exceptions stays as it is, because nothing computes there.
inline void FloatRegisters::write() const {
    asm volatile("ldmxcsr %0\n\tfldcw %1" : : "m"(mxcsr_), "m"(x87_control_) : "memory");
}

inline bool FloatRegisters::are_default() const {
    return (mxcsr_ & ~exceptions) == defaults().mxcsr_ && x87_control_ == defaults().x87_control_;
}

#elif defined(__aarch64__)

inline FloatRegisters FloatRegisters::read() {
    FloatRegisters registers;
    asm volatile("mrs %0, fpcr\n\tmrs %1, fpsr" : "=&r"(registers.control_), "=r"(registers.status_));
    return registers;
}

inline void FloatRegisters::write() const {
    asm volatile("msr fpcr, %0\n\tmsr fpsr, %1" : : "r"(control_), "r"(status_) : "memory");
}

inline bool FloatRegisters::are_default() const { return control_ == 0; }

#else

inline FloatRegisters FloatRegisters::read() {
    FloatRegisters registers;
    registers.rounding_ = std::fegetround();
    return registers;
}

inline void FloatRegisters::write() const { std::fesetround(rounding_); }

inline bool FloatRegisters::are_default() const { return *this == defaults(); }

#endif

} // namespace isovmaf
