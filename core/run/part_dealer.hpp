// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <optional>
#include <vector>

#include "run/part_plan.hpp"

namespace isovmaf {

/// Deals the frames of a pair of videos to workers. A worker begins a part once, and goes on with the frames behind it
/// while nobody else has them. A worker without frames takes the later half of what another has before it: so all end
/// at about the same time, and each begins few parts. Thread-safe.
class PartDealer {
  public:
    explicit PartDealer(std::size_t workers) : parts_(workers) {}

    /// Says how the videos can be cut, once. Before that one worker begins with frame 0, and the others wait.
    void set_plan(PartPlan plan);

    /// The first frame of another part for a worker, which has none. Waits for the plan, and while the free frames lie
    /// too far behind those that are scored. Nothing: no frames are left for it.
    [[nodiscard]] std::optional<std::int64_t> begin(std::size_t worker);

    /// Whether the worker's part goes on with this frame, which is the one behind those that were asked for before. If
    /// not, the part ends.
    [[nodiscard]] bool goes_on(std::size_t worker, std::int64_t frame);

    /// The frames before this one are scored.
    void scored(std::int64_t frame);

    /// Parts go on to their ends, and none is begun any more.
    void stop();

  private:
    struct Part {
        std::int64_t next = 0;                ///< the first frame that the worker was not given
        std::optional<std::int64_t> end = {}; ///< none: it goes on to the end of the videos
    };

    [[nodiscard]] bool may_deal() const;
    std::optional<std::int64_t> deal();
    [[nodiscard]] std::optional<std::int64_t> end_of_share(std::int64_t first) const;
    std::optional<Part> halve_longest();
    [[nodiscard]] std::int64_t frames_left(const Part &part) const;

    std::mutex mutex_; ///< guards the members below
    std::condition_variable changed_;
    std::optional<PartPlan> plan_;
    std::vector<std::optional<Part>> parts_; ///< of each worker
    std::optional<std::int64_t> free_ = 0;   ///< nobody has the frames from here on; nothing: all are dealt
    std::int64_t share_ = 0;                 ///< frames that are dealt at a time
    std::int64_t scored_ = 0;
    bool stopped_ = false;
};

} // namespace isovmaf
