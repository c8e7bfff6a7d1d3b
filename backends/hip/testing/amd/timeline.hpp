// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <vector>

namespace isovmaf::amd {

/// Which work of streams has to be complete before other work begins, by what streams, events and the host wait for. In
/// which order work happens to run does not matter. Streams and events are known by their addresses.
class Timeline {
  public:
    /// Begins a launch, copy or fill, and returns its number.
    std::uint32_t begin(const void *stream) {
        moments_.push_back({stream, ++clocks_[stream][stream]});
        current_ = stream;
        return static_cast<std::uint32_t>(moments_.size() - 1);
    }

    /// True if the work that began last has to begin after this work is complete.
    [[nodiscard]] bool is_complete(std::uint32_t work) const {
        const Moment &moment = moments_[work];
        const auto known = clocks_.at(current_).find(moment.stream);
        return known != clocks_.at(current_).end() && known->second >= moment.tick;
    }

    void record(const void *event, const void *stream) { events_[event] = clocks_[stream]; }
    void wait(const void *stream, const void *event) { merge(clocks_[stream], events_[event]); }

    /// The host waited for an event. What it submits from then on comes after it.
    void host_waited(const void *event) { merge(host_, events_[event]); }
    void submitted(const void *stream) { merge(clocks_[stream], host_); }

  private:
    /// By stream: how much of its work is complete.
    using Clock = std::map<const void *, std::uint32_t>;
    struct Moment {
        const void *stream = nullptr;
        std::uint32_t tick = 0;
    };

    static void merge(Clock &into, const Clock &from) {
        for (const auto &[stream, tick] : from)
            into[stream] = std::max(into[stream], tick);
    }

    std::map<const void *, Clock> clocks_, events_;
    Clock host_;
    std::vector<Moment> moments_ = {{}}; ///< of all work, by number; 0 is no work
    const void *current_ = nullptr;      ///< the stream of the work that began last
};

} // namespace isovmaf::amd
