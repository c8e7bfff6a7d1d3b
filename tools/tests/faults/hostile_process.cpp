// SPDX-License-Identifier: BSD-2-Clause-Patent
#include <cfenv>
#include <clocale>
#include <cstdio>
#include <cstdlib>
#include <locale>
#include <string>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

// Loaded with LD_PRELOAD, before the program's main function:
//     HOSTILE_LOCALE=NAME   the locale of C is NAME; of C++ one with ',' for the decimal point and '.' between
//     thousands HOSTILE_FLOATS=1      the main thread rounds upward, and drops subnormal numbers where the processor
//     can

namespace {

class Punctuation final : public std::numpunct<char> {
  protected:
    char do_decimal_point() const override { return ','; }
    char do_thousands_sep() const override { return '.'; }
    std::string do_grouping() const override { return "\3"; }
};

[[gnu::constructor]] void set_up() {
    if (const char *const name = std::getenv("HOSTILE_LOCALE")) {
        std::locale::global(std::locale(std::locale::classic(), new Punctuation));
        if (!std::setlocale(LC_ALL, name)) {
            std::fprintf(stderr, "there is no locale %s\n", name);
            std::_Exit(99);
        }
    }
    if (std::getenv("HOSTILE_FLOATS")) {
        std::fesetround(FE_UPWARD);
#if defined(__x86_64__)
        _mm_setcsr(_mm_getcsr() | 0x8040u);
#endif
    }
}

} // namespace
