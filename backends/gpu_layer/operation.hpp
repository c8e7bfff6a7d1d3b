// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <cstddef>
#include <optional>
#include <variant>
#include <vector>

#include "common/checks.hpp"
#include "gpu_layer/buffer.hpp"

/// The operations of a recorded sequence. Each holds the checked arguments of one call of the runtime.

namespace isovmaf::gpu {

class Fill {
  public:
    Fill(const isovmaf_device &device, const isovmaf_range &range, std::uint64_t bytes, std::uint32_t word);
    void submit(const Api &api, hipStream_t stream) const;

  private:
    std::byte *to_;
    std::uint64_t words_;
    std::uint32_t word_;
};

/// The runtimes take long to begin a copy inside the device. A kernel does those that take less time than that, and two
/// of the same size at once.
class Copy {
  public:
    Copy(isovmaf_device &device, const isovmaf_copy &copy);

    /// Whether this does what `next` does, too, from now on.
    [[nodiscard]] bool take(const Copy &next);

    void submit(const Api &api, hipStream_t stream) const;

  private:
    void launch(const Api &api, hipStream_t stream) const;

    struct Place {
        std::byte *from, *to;
    };

    plugin::CopyRows rows_;
    Place first_;
    std::optional<Place> second_;
    hipMemcpyKind kind_;
    const isovmaf_kernel *kernel_ = nullptr; ///< null: the runtime copies
};

class Launch {
  public:
    Launch(const isovmaf_device &device, const isovmaf_dispatch &dispatch);
    void submit(const Api &api, hipStream_t stream) const;

  private:
    const isovmaf_kernel *kernel_;
    isovmaf_dispatch shape_; ///< only groups and group_size are used
    std::vector<std::byte *> addresses_;
    std::vector<std::byte> params_;
    mutable std::vector<void *> arguments_; ///< addresses of the parameters, which the two above hold
};

} // namespace isovmaf::gpu

/// A recorded sequence of operations. Marks divide it into segments. Where the runtime has graphs, a segment of two or
/// more operations becomes one when it is submitted for the second time: making a graph takes longer than a submission.
struct isovmaf_commands {
  public:
    using Operation = std::variant<isovmaf::gpu::Fill, isovmaf::gpu::Copy, isovmaf::gpu::Launch>;

    isovmaf_commands(isovmaf_device &device, bool timed) : device_(device), timed_(timed), segments_(1) {}

    [[nodiscard]] isovmaf_device &device() const { return device_; }

    /// These three throw FailedOutcome, with ISOVMAF_INVALID after `finish`.
    void add(Operation operation);
    void mark();
    void finish();

    /// Throws FailedOutcome.
    void submit(isovmaf::gpu::hipStream_t stream);

    /// Writes the times between neighbouring marks. Throws FailedOutcome, with ISOVMAF_INVALID unless the sequence was
    /// submitted and has `count` + 1 marks.
    void times(double *milliseconds, std::uint32_t count) const;

  private:
    struct Segment {
        std::vector<Operation> operations;
        isovmaf::gpu::Graph graph;
    };

    void require_recording() const;
    void make_graphs();
    void submit(const Segment &segment, isovmaf::gpu::hipStream_t stream) const;

    isovmaf_device &device_;
    bool timed_;
    bool finished_ = false;
    bool submitted_ = false;
    bool has_graphs_ = false;       ///< made, as far as there are any
    std::vector<Segment> segments_; ///< before, between and after the marks
    std::vector<isovmaf::gpu::Event> marks_;
};
