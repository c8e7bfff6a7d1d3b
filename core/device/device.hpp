// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "device/plugin.hpp"
#include "isovmaf/backend.h"
#include "isovmaf/result.hpp"

/// The plugin contract (backend.h) as C++: objects that own what they create, failures as Result.
namespace isovmaf {

class Device;

/// The Error for what a plugin's function returned.
[[nodiscard]] Error device_error(isovmaf_status status, const isovmaf_message &message);

template <class Object, void (*isovmaf_backend::*destroy)(Object *)>
struct Destroy {
    const isovmaf_backend *backend = nullptr;
    void operator()(Object *object) const { (backend->*destroy)(object); }
};

/// An object of a plugin, which goes through the plugin's table.
template <class Object, void (*isovmaf_backend::*destroy)(Object *)>
using Owned = std::unique_ptr<Object, Destroy<Object, destroy>>;

/// Memory of a device, or host memory that its copies reach. Destroyed before its device.
class Buffer {
  public:
    Buffer() = default;

    [[nodiscard]] isovmaf_range at(std::uint64_t offset) const { return {handle_.get(), offset}; }

    /// Host memory of a mapped buffer, else nullptr.
    [[nodiscard]] std::byte *host() const { return host_; }

    /// Address on the device; 0 when it has none there.
    [[nodiscard]] std::uint64_t address() const;

    [[nodiscard]] explicit operator bool() const { return handle_ != nullptr; }

  private:
    friend class Device;
    Buffer(const isovmaf_backend *backend, isovmaf_buffer *handle)
        : handle_(handle, {backend}), host_(static_cast<std::byte *>(backend->buffer_map(handle))) {}

    Owned<isovmaf_buffer, &isovmaf_backend::buffer_destroy> handle_;
    std::byte *host_ = nullptr;
};

/// A recorded sequence, ready to submit.
class Commands {
  public:
    Commands() = default;

    /// Kernel launches of one submission.
    [[nodiscard]] std::int64_t launches() const { return launches_; }

    /// Milliseconds between the marks of the last submission, which has ended.
    [[nodiscard]] Result<std::vector<double>> times() const;

    /// Has launches read other memory: see backend.h. Only on a device that moves_ranges. The last submission has
    /// ended.
    [[nodiscard]] Result<void> move(std::span<const isovmaf_move> moves);

    [[nodiscard]] explicit operator bool() const { return handle_ != nullptr; }

  private:
    friend class Queue;
    friend class Recorder;
    Owned<isovmaf_commands, &isovmaf_backend::commands_destroy> handle_;
    std::int64_t launches_ = 0;
    std::uint32_t marks_ = 0;
};

/// Runs submissions in order. The destructor waits for them.
class Queue {
  public:
    Queue() = default;
    Queue(Queue &&) noexcept = default;
    Queue &operator=(Queue &&) noexcept = default;
    ~Queue();

    /// Starts when `waits` and what was submitted before are done. One submission of `commands` at a time.
    [[nodiscard]] Result<isovmaf_ticket> submit(const Commands &commands, std::span<const isovmaf_ticket> waits = {});

    /// Waits until a ticket of this queue is done. May run beside `submit`.
    [[nodiscard]] Result<void> wait(std::uint64_t ticket) const;

    /// Submits `commands` and waits until they are done.
    Result<void> run(const Commands &commands);

    /// The queue's handles for another library that uses the same runtime: see backend.h.
    [[nodiscard]] Result<isovmaf_native_queue> native() const;

    /// Whether a ticket of this queue is done; may run beside `submit`.
    [[nodiscard]] Result<bool> done(std::uint64_t ticket) const;

  private:
    friend class Device;
    Queue(const isovmaf_backend *backend, isovmaf_queue *handle) : handle_(handle, {backend}) {}

    Owned<isovmaf_queue, &isovmaf_backend::queue_destroy> handle_;
    std::uint64_t last_ = 0;
    bool submitted_ = false;
};

/// How kernels of a device get pictures that the host has.
struct HostPictures {
    bool in_place = false; ///< kernels read memory that host and device share; else pictures are uploaded
    std::string reason;    ///< why, as a part of a sentence; empty for a device that shares no memory
};

/// One opened device of a plugin. Thread-safe; what it creates is used by one thread at a time and destroyed before it.
class Device {
  public:
    [[nodiscard]] static Result<Device> open(std::shared_ptr<const Plugin> plugin, std::uint32_t index);

    [[nodiscard]] const Plugin &plugin() const { return *plugin_; }
    [[nodiscard]] const isovmaf_device_info &info() const { return info_; }
    [[nodiscard]] std::uint32_t index() const { return index_; }

    /// Whether kernels get the bits of IEEE 754 from the functions of portable/f32.h. The self-test finds out: false
    /// for a device that was opened without it.
    [[nodiscard]] bool exact_f32() const { return f32_fault_.empty(); }
    /// Why not: the operation, what it gave and what it should give. Empty when exact.
    [[nodiscard]] const std::string &f32_fault() const { return f32_fault_; }
    void set_f32_fault(std::string fault) { f32_fault_ = std::move(fault); }

    /// Uploaded, unless the device was opened with find_host_pictures.
    [[nodiscard]] const HostPictures &host_pictures() const { return host_pictures_; }
    void set_host_pictures(HostPictures pictures) { host_pictures_ = std::move(pictures); }

    /// The memory of pictures that the host fills.
    [[nodiscard]] isovmaf_memory host_picture_memory() const {
        return host_pictures_.in_place ? ISOVMAF_MEMORY_SHARED : ISOVMAF_MEMORY_UPLOAD;
    }

    [[nodiscard]] Result<Buffer> create_buffer(isovmaf_memory memory, std::uint64_t bytes) const;
    [[nodiscard]] Result<Buffer> import_buffer(std::uint64_t address, std::uint64_t bytes) const;
    [[nodiscard]] Result<Buffer> import_memory(const isovmaf_external_memory &external) const;
    [[nodiscard]] Result<Queue> create_queue(void *native = nullptr) const;
    [[nodiscard]] Result<isovmaf_kernel *> find_kernel(const std::string &name) const;

    /// Whether copies of this device read memory for uploads of `other`.
    [[nodiscard]] bool reads_uploads_of(const Device &other) const {
        return backend().shares_uploads != 0 && &backend() == &other.backend();
    }

    /// Whether recorded launches can be made to read other memory.
    [[nodiscard]] bool moves_ranges() const { return backend().commands_move != nullptr; }

    [[nodiscard]] isovmaf_memory_statistics memory() const;
    void trim_memory() const;

  private:
    friend class Recorder;
    Device() = default;
    [[nodiscard]] const isovmaf_backend &backend() const { return plugin_->backend(); }

    std::shared_ptr<const Plugin> plugin_; // its code is needed until the device is closed
    std::uint32_t index_ = 0;
    isovmaf_device_info info_{};
    std::string f32_fault_ = "the device was not tested";
    HostPictures host_pictures_;
    Owned<isovmaf_device, &isovmaf_backend::device_close> handle_;
};

/// Whether both are one device of one plugin, which may have been opened twice: they share addresses.
[[nodiscard]] bool is_same_device(const Device &a, const Device &b);

/// "cuda:1"
[[nodiscard]] std::string label_of(const Device &device);

/// Memory of a device, which is not closed before it: the owner of frames that lie there.
struct HeldMemory {
    std::shared_ptr<const Device> device;
    Buffer buffer = {};
};

} // namespace isovmaf
