// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace isovmaf::batch {

/// Which units of a process are still to be done. Used by one thread at a time.
class UnitQueue {
  public:
    enum class State : std::uint8_t { waiting, in_work, settled };

    explicit UnitQueue(std::size_t count) : states_(count, State::waiting), waiting_(count) {}

    /// The next waiting unit in a circle, which is in work then; nothing when there is none.
    [[nodiscard]] std::optional<std::size_t> take() {
        for (std::size_t i = 0; waiting_ > 0 && i < states_.size(); i++) {
            const std::size_t unit = (next_ + i) % states_.size();
            if (states_[unit] != State::waiting)
                continue;
            states_[unit] = State::in_work;
            waiting_--;
            next_ = unit + 1;
            return unit;
        }
        return std::nullopt;
    }

    /// Another process has the unit: it waits until the others were looked at.
    void put_back(std::size_t unit) {
        states_[unit] = State::waiting;
        waiting_++;
    }

    void settle(std::size_t unit) {
        states_[unit] = State::settled;
        settled_++;
    }

    /// Continues at another place of the circle: processes that start together part there.
    void jump_to(std::size_t place) { next_ = states_.empty() ? 0 : place % states_.size(); }

    [[nodiscard]] std::size_t waiting() const { return waiting_; }
    [[nodiscard]] bool all_settled() const { return settled_ == states_.size(); }

  private:
    std::vector<State> states_;
    std::size_t waiting_, settled_ = 0, next_ = 0;
};

} // namespace isovmaf::batch
