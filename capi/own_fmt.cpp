// SPDX-License-Identifier: BSD-2-Clause-Patent
// What the library calls of fmt, compiled into it: a program that carries its own libvmaf, such as PyAV's wheel, runs
// where there is no libfmt. In the mode below fmt has these functions in its headers. The other files are compiled
// without that mode, which takes twice as long for each; the names of the functions are the same. This file is compiled
// without inlining, so that each function that is used here can be called from there.
#ifndef FMT_VERSION
#define FMT_HEADER_ONLY
#endif
#include <fmt/format.h>
#include <fmt/ranges.h>

#ifndef FMT_HEADER_ONLY // a precompiled header has read fmt without that mode: what fmt's library has follows
#include <fmt/format-inl.h>

FMT_BEGIN_NAMESPACE
namespace detail {
template dragonbox::decimal_fp<float> dragonbox::to_decimal(float) noexcept;
template dragonbox::decimal_fp<double> dragonbox::to_decimal(double) noexcept;
template locale_ref::locale_ref(const std::locale &);
template std::locale locale_ref::get<std::locale>() const;
template thousands_sep_result<char> thousands_sep_impl(locale_ref);
template char decimal_point_impl(locale_ref);
template void buffer<char>::append(const char *, const char *);
template void vformat_to(buffer<char> &, string_view, basic_format_args<buffer_context<char>>, locale_ref);
} // namespace detail
FMT_END_NAMESPACE
#endif

namespace isovmaf::capi {

/// Uses what the other files use: numbers, escaped texts in ranges, and errors of formats that are wrong.
[[gnu::used]] std::string use_fmt(fmt::string_view format, double number, float small, int whole,
                                  std::string_view text) {
    const std::string_view texts[] = {text, text};
    try {
        return fmt::vformat(format, fmt::make_format_args(number, small, whole, text)) +
               fmt::format("{:L} {:?} {}", number, text, fmt::join(texts, ", ")) + fmt::format("{} {}", small, texts);
    } catch (const fmt::format_error &error) {
        return error.what();
    }
}

} // namespace isovmaf::capi
