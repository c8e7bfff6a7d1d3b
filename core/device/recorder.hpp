// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <type_traits>

#include "device/device.hpp"

namespace isovmaf {

/// Threads of a block, or blocks of a launch, in x, y and z.
using Extent3 = std::array<std::uint32_t, 3>;

/// Records a sequence of commands. Calls after the first failure do nothing; `finish` returns that failure.
class Recorder {
  public:
    /// `timed` sequences measure the time between their marks.
    explicit Recorder(const Device &device, bool timed = false);

    /// Records nothing: `dispatch` only looks its kernel up. Ranges may be empty.
    [[nodiscard]] static Recorder kernel_lookup(const Device &device);

    void fill(isovmaf_range range, std::uint64_t bytes, std::uint32_t word);
    void copy(const isovmaf_copy &copy);
    void copy(isovmaf_range from, isovmaf_range to, std::uint64_t bytes) { copy({from, to, bytes, bytes, bytes, 1}); }
    void mark(); ///< nothing unless timed

    /// From now on every launch is of the kernel's twin that fills taps: NAME_taps, which takes their memory after the
    /// other ranges.
    void tap(isovmaf_range taps) { taps_ = taps; }

    /// Whether the device has the kernel `name`, for kernels that only some devices have.
    [[nodiscard]] bool has_kernel(const std::string &name) const { return device_.find_kernel(name).has_value(); }

    /// Launches the kernel `name`: its parameters are the addresses of `ranges`, then `params` if there are any.
    template <class Params>
    void dispatch(const std::string &name, Extent3 groups, Extent3 group_size,
                  std::initializer_list<isovmaf_range> ranges, const Params &params) {
        static_assert(std::is_trivially_copyable_v<Params> && sizeof(Params) % 4 == 0 &&
                      sizeof(Params) <= ISOVMAF_MAX_PARAMS_BYTES);
        dispatch(name, groups, group_size, ranges, &params, sizeof(Params));
    }
    void dispatch(const std::string &name, Extent3 groups, Extent3 group_size,
                  std::initializer_list<isovmaf_range> ranges) {
        dispatch(name, groups, group_size, ranges, nullptr, 0);
    }

    [[nodiscard]] std::int64_t launches() const { return commands_.launches_; }
    [[nodiscard]] Result<Commands> finish();

  private:
    enum class Mode : std::uint8_t { record, record_timed, lookup };
    Recorder(const Device &device, Mode mode);

    void dispatch(const std::string &name, Extent3 groups, Extent3 group_size,
                  std::initializer_list<isovmaf_range> ranges, const void *params, std::uint32_t params_bytes);
    template <class Call>
    void record(const Call &call);

    const Device &device_;
    Mode mode_;
    std::optional<isovmaf_range> taps_;
    Commands commands_;
    std::optional<Error> failure_;
};

/// Memory of the device that holds `bytes`. Waits until they are there.
[[nodiscard]] Result<Buffer> upload_bytes(const Device &device, Queue &queue, std::span<const std::byte> bytes);

} // namespace isovmaf
