// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace isovmaf::batch {

/// Which of some units are still to be done. Used by one thread at a time.
class UnitQueue {
  public:
    explicit UnitQueue(std::size_t count) : states_(count, State::waiting), waiting_(count) {}

    /// Takes the next waiting unit of the circle into work. Returns nothing when all units are settled or in work, and
    /// when other processes have every waiting unit (`rest`).
    [[nodiscard]] std::optional<std::size_t> take() {
        if (rest())
            return std::nullopt;
        std::size_t unit = next_;
        while (states_[unit] != State::waiting)
            unit = (unit + 1) % states_.size();
        states_[unit] = State::in_work;
        waiting_--;
        next_ = (unit + 1) % states_.size();
        return unit;
    }

    /// Takes this unit into work if it waits; returns whether it waited.
    [[nodiscard]] bool take(std::size_t unit) {
        if (states_[unit] != State::waiting)
            return false;
        states_[unit] = State::in_work;
        waiting_--;
        return true;
    }

    /// Another process has the unit: it waits until the other waiting units were tried. At the first such unit in a row
    /// the queue goes on at the place `jump` of the circle: random places separate processes that start together.
    void put_back(std::size_t unit, std::size_t jump) {
        states_[unit] = State::waiting;
        waiting_++;
        busy_in_a_row_++;
        if (busy_in_a_row_ == 1)
            next_ = jump % states_.size();
    }

    void settle(std::size_t unit) {
        states_[unit] = State::settled;
        settled_++;
        busy_in_a_row_ = 0;
    }

    /// True when no unit waits, and when other processes have every waiting unit: each was put back since a unit was
    /// last settled or resume() was called.
    [[nodiscard]] bool rest() const { return waiting_ == 0 || busy_in_a_row_ > waiting_; }

    /// Looks at the waiting units again.
    void resume() { busy_in_a_row_ = 0; }

    [[nodiscard]] bool all_settled() const { return settled_ == states_.size(); }

  private:
    enum class State : std::uint8_t { waiting, in_work, settled };

    std::vector<State> states_;
    std::size_t waiting_, settled_ = 0, next_ = 0, busy_in_a_row_ = 0;
};

} // namespace isovmaf::batch
