// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string_view>

/// What launches of the fake runtime do. Each of its libraries links one set of these functions. Calls of `add_memory`
/// and `remove_memory`, and launches that run, exclude each other.
namespace fake_kernels {

/// Device memory, which kernels may read and write.
void add_memory(void *memory, std::size_t bytes);
void remove_memory(void *memory);

/// Runs a kernel to its end. False, after a message on standard error, if the kernel did what it may not.
using Launch = std::function<bool()>;

/// `arguments` are pointers to the values of the kernel's arguments, which are read now.
Launch prepare(std::string_view image, std::string_view kernel, const std::array<std::uint32_t, 3> &groups,
               const std::array<std::uint32_t, 3> &size, void *const *arguments);

} // namespace fake_kernels
