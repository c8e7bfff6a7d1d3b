// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string_view>

/// What launches of the fake runtime do. Each of its libraries links one set of these functions. All calls but
/// `prepare`, and launches that run, exclude each other.
namespace fake_kernels {

/// Device memory, which kernels may read and write. Memory is `watched` if nothing but kernels and copies can write it.
void add_memory(void *memory, std::size_t bytes, bool watched);
void remove_memory(void *memory);

/// A copy, or a fill if `from` is null, wrote memory.
void memory_written(const void *memory, const void *from, std::size_t bytes);

/// Runs a kernel to its end. False, after a message on standard error, if the kernel did what it may not.
using Launch = std::function<bool()>;

/// `arguments` are pointers to the values of the kernel's arguments, which are read now.
Launch prepare(std::string_view image, std::string_view kernel, const std::array<std::uint32_t, 3> &groups,
               const std::array<std::uint32_t, 3> &size, void *const *arguments);

} // namespace fake_kernels
