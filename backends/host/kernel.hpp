// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <type_traits>
#include <utility>

/// A kernel as the plugin sees it.
struct isovmaf_kernel {
    const char *name;
    std::uint32_t threads;      ///< number of threads of a block, from ISOVMAF_KERNEL
    std::uint32_t range_count;  ///< number of pointers among its parameters
    std::uint32_t params_bytes; ///< size of the structure after them; 0 without one
    void (*call)(std::byte *const *addresses, const std::byte *params);
};

namespace isovmaf::host {

/// The kernels of one source file.
using KernelTable = std::span<const isovmaf_kernel>;

/// All kernels of this plugin; generated.
[[nodiscard]] std::span<const KernelTable> kernel_tables();

/// Describes a kernel by its signature: pointers and then at most one structure without pointers.
template <class... Parameters>
class Signature {
    static constexpr std::size_t ranges = (std::size_t{0} + ... + std::size_t{std::is_pointer_v<Parameters>});
    static constexpr std::size_t params =
        (std::size_t{0} + ... + (std::is_pointer_v<Parameters> ? 0 : sizeof(Parameters)));
    static_assert(sizeof...(Parameters) - ranges <= 1, "at most one structure");
    static_assert((... && (std::is_pointer_v<Parameters> || std::is_trivially_copyable_v<Parameters>)));
    static_assert(params % 4 == 0);

    template <class Parameter, std::size_t i>
    static Parameter get(std::byte *const *addresses, const std::byte *values) {
        static_assert(std::is_pointer_v<Parameter> == (i < ranges), "the structure is the last parameter");
        if constexpr (std::is_pointer_v<Parameter>) {
            return reinterpret_cast<Parameter>(addresses[i]);
        } else {
            Parameter value;
            std::memcpy(&value, values, sizeof value);
            return value;
        }
    }

    template <void (*function)(Parameters...), std::size_t... i>
    static void call_with(std::byte *const *addresses, const std::byte *values, std::index_sequence<i...>) {
        function(get<Parameters, i>(addresses, values)...);
    }

  public:
    explicit constexpr Signature(void (*)(Parameters...)) {}

    template <void (*function)(Parameters...)>
    static void call(std::byte *const *addresses, const std::byte *values) {
        call_with<function>(addresses, values, std::index_sequence_for<Parameters...>());
    }

    template <void (*function)(Parameters...)>
    static constexpr isovmaf_kernel describe(const char *name, std::uint32_t threads) {
        return {name, threads, ranges, params, &call<function>};
    }
};

template <auto function>
constexpr isovmaf_kernel make_kernel(const char *name, std::uint32_t threads) {
    return decltype(Signature(function))::template describe<function>(name, threads);
}

} // namespace isovmaf::host
