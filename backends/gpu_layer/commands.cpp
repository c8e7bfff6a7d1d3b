// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "gpu_layer/commands.hpp"

#include <utility>

using namespace isovmaf::gpu;

namespace {

/// A graph of a single operation is no faster than the operation.
constexpr std::size_t fewest_in_a_graph = 2;

} // namespace

void isovmaf_commands::require_recording() const {
    if (finished_)
        throw FailedOutcome(ISOVMAF_INVALID, "the recording has ended");
}

void isovmaf_commands::add(Operation operation) {
    require_recording();
    segments_.back().operations.push_back(std::move(operation));
}

void isovmaf_commands::mark() {
    require_recording();
    if (!timed_)
        throw FailedOutcome(ISOVMAF_INVALID, "a mark in a sequence that is not timed");
    marks_.emplace_back(device_.api(), Event::Timing::on);
    segments_.emplace_back();
}

void isovmaf_commands::finish() {
    require_recording();
    if (device_.uses_graphs())
        for (Segment &segment : segments_)
            if (segment.operations.size() >= fewest_in_a_graph)
                segment.graph = device_.capture([&](hipStream_t stream) { submit(segment, stream); });
    finished_ = true;
}

void isovmaf_commands::submit(const Segment &segment, hipStream_t stream) const {
    const Api &api = device_.api();
    if (segment.graph) {
        check(api, api.hipGraphLaunch(segment.graph.get(), stream), "submitting recorded commands");
        return;
    }
    for (const Operation &operation : segment.operations)
        std::visit([&](const auto &call) { call.submit(api, stream); }, operation);
}

void isovmaf_commands::submit(hipStream_t stream) {
    if (!finished_)
        throw FailedOutcome(ISOVMAF_INVALID, "commands are submitted before their recording has ended");
    for (std::size_t i = 0; i < segments_.size(); i++) {
        submit(segments_[i], stream);
        if (i < marks_.size())
            marks_[i].record(stream);
    }
    submitted_ = true;
}

void isovmaf_commands::times(double *milliseconds, std::uint32_t count) const {
    if (!submitted_ || std::size_t{count} + 1 != marks_.size())
        throw FailedOutcome(ISOVMAF_INVALID, "there are no such times: they were not measured");
    for (std::size_t i = 0; i < count; i++)
        milliseconds[i] = marks_[i + 1].milliseconds_since(marks_[i]);
}
