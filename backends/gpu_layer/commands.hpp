// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <variant>
#include <vector>

#include "gpu_layer/operation.hpp"

/// A recorded sequence. Marks divide it into segments; where the runtime has graphs, a segment of more than one
/// operation is replayed as one.
struct isovmaf_commands {
  public:
    using Operation = std::variant<isovmaf::gpu::Fill, isovmaf::gpu::Copy, isovmaf::gpu::Launch>;

    isovmaf_commands(isovmaf_device &device, bool timed) : device_(device), timed_(timed), segments_(1) {}

    [[nodiscard]] isovmaf_device &device() const { return device_; }

    /// All throw FailedOutcome, INVALID after `finish`.
    void add(Operation operation);
    void mark();
    void finish();

    /// Throws FailedOutcome.
    void submit(isovmaf::gpu::hipStream_t stream);

    /// Throws FailedOutcome, INVALID unless there are `count` + 1 marks that were submitted.
    void times(double *milliseconds, std::uint32_t count) const;

  private:
    struct Segment {
        std::vector<Operation> operations;
        isovmaf::gpu::Graph graph;
    };

    void require_recording() const;
    void submit(const Segment &segment, isovmaf::gpu::hipStream_t stream) const;

    isovmaf_device &device_;
    bool timed_;
    bool finished_ = false;
    bool submitted_ = false;
    std::vector<Segment> segments_; ///< before, between and after the marks
    std::vector<isovmaf::gpu::Event> marks_;
};
