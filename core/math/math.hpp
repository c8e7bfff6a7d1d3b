// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

/// The elementary functions that decide scores. Their results have the bits of glibc 2.36 as Debian 12 ships it for
/// x86-64 (2.36-9+deb12u14), on a processor with FMA, on every machine: that is where the reference values come from,
/// and C libraries differ in the last bits of such functions, glibc even from processor to processor (docs/adr/0071).
///
/// Rounding mode: to nearest, ties to even. Without flush-to-zero. A NaN is a NaN: its sign and payload are
/// unspecified. errno is left alone; the floating-point exceptions that are raised are unspecified. Threads: all
/// functions may be called at once.
namespace isovmaf::math {

/// sin and cos have their bits for angles whose magnitude, in radians, is below this. Beyond, they are NaN.
inline constexpr double angle_limit = 0x1.921fbp+26;

/// One way to compute the functions. All ways give the same bits.
struct Functions {
    double (*exp)(double);
    double (*log)(double); ///< natural; -inf of a zero, NaN of negative numbers. So do log2 and log10.
    double (*log2)(double);
    double (*log10)(double);
    double (*pow)(double, double); ///< special values as C's Annex F has them
    float (*powf)(float, float);   ///< is not pow rounded to f32
    double (*sin)(double);
    double (*cos)(double);
    double (*atan2)(double, double); ///< of y and x; special values as C's Annex F has them
};

/// With the processor's fused multiply-add; null if this processor, or this build, has none.
[[nodiscard]] const Functions *hardware_functions();

/// With a fused multiply-add in integers, for any processor.
[[nodiscard]] const Functions &software_functions();

/// The ones that scores are computed with: hardware_functions() if there are any and the environment does not say
/// ISOVMAF_FMA=software, as tests do. Chosen once.
[[nodiscard]] const Functions &functions();

[[nodiscard]] inline double exp(double x) { return functions().exp(x); }
[[nodiscard]] inline double log(double x) { return functions().log(x); }
[[nodiscard]] inline double log2(double x) { return functions().log2(x); }
[[nodiscard]] inline double log10(double x) { return functions().log10(x); }
[[nodiscard]] inline double pow(double x, double y) { return functions().pow(x, y); }
[[nodiscard]] inline float powf(float x, float y) { return functions().powf(x, y); }
[[nodiscard]] inline double sin(double x) { return functions().sin(x); }
[[nodiscard]] inline double cos(double x) { return functions().cos(x); }
[[nodiscard]] inline double atan2(double y, double x) { return functions().atan2(y, x); }

} // namespace isovmaf::math
