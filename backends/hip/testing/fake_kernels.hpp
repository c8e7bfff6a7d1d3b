// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string_view>

/// What launches of the fake runtime do. Each of its libraries links one set of these functions. All calls but
/// `prepare`, and launches that run, exclude each other.
namespace fake_kernels {

/// Device memory, which kernels may read and write. Memory is `watched` if nothing but kernels and copies can write it.
void add_memory(void *memory, std::size_t bytes, bool watched);
void remove_memory(void *memory);

/// Work of a stream copied memory, or filled it if `from` is null. False, after a message on standard error, if other
/// work may access the memory at the same time.
bool memory_written(const void *stream, const void *memory, const void *from, std::size_t bytes);

/// What orders the work of streams. Streams and events are known by their addresses.
void work_submitted(const void *stream);
void event_recorded(const void *event, const void *stream);
void stream_waited(const void *stream, const void *event);
void host_waited(const void *event);

/// Runs a kernel to its end on a stream. False, after a message on standard error, if the kernel did what it may not.
using Launch = std::function<bool(const void *stream)>;

/// What launches need of a code object, which outlives it.
using Image = std::shared_ptr<void>;
Image load(std::string_view code_object);

/// `arguments` are pointers to the values of the kernel's arguments, which are read now.
Launch prepare(const Image &image, std::string_view kernel, const std::array<std::uint32_t, 3> &groups,
               const std::array<std::uint32_t, 3> &size, void *const *arguments);

} // namespace fake_kernels
