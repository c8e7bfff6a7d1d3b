// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <vector>

#include "isovmaf/result.hpp"

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

struct UnitOutcome;

/// Every N-th unit of a run: those whose number is `index` modulo `count`.
struct Shard {
    std::size_t index = 0, count = 1;

    /// How many of `units` units the shard has.
    [[nodiscard]] std::size_t size(std::size_t units) const {
        return units > index ? (units - index - 1) / count + 1 : 0;
    }
};

/// Says which unit a worker of this process does next. Units are named by their numbers in the run. Thread-safe.
class UnitSource {
  public:
    UnitSource() = default;
    virtual ~UnitSource() = default;
    UnitSource(const UnitSource &) = delete;
    UnitSource &operator=(const UnitSource &) = delete;

    /// How many units this process and those that it shares the source with are to settle.
    [[nodiscard]] virtual std::size_t size() const = 0;

    /// A unit for this worker, which calls settle() or put_back() with it afterwards. While all remaining units are in
    /// work elsewhere, the call waits, and from time to time returns such a unit again. Returns nothing when all units
    /// are settled, or when `stop` returns true; `stop` is called at least twice a second.
    [[nodiscard]] virtual Result<std::optional<std::size_t>> next(const std::function<bool()> &stop) = 0;

    /// Whether this worker may do `unit` beside the one that `next` gave it: the unit waits, and belongs to this
    /// process. Then it is in work, as if `next` had given it. A source that only gives units one by one returns false.
    [[nodiscard]] virtual Result<bool> take(std::size_t /*unit*/) { return false; }

    /// The unit is finished or has failed, here or elsewhere.
    virtual Result<void> settle(std::size_t unit, const UnitOutcome &outcome) = 0;

    /// The unit is in work elsewhere, or was stopped.
    virtual Result<void> put_back(std::size_t unit) = 0;
};

/// What a worker may do next.
struct UnitOffer {
    enum class Kind : std::int64_t {
        unit, ///< this one
        wait, ///< all that is left is in work: ask again later
        none, ///< all units are settled
    };
    Kind kind;
    std::size_t unit = 0;
};

/// The units of a shard, in their order. The source asks no other process: leases show which units others have.
class ShardUnits final : public UnitSource {
  public:
    ShardUnits(std::size_t units, Shard shard) : shard_(shard), size_(shard.size(units)), queue_(size_) {}

    [[nodiscard]] std::size_t size() const override { return size_; }
    [[nodiscard]] Result<std::optional<std::size_t>> next(const std::function<bool()> &stop) override;
    [[nodiscard]] Result<bool> take(std::size_t unit) override;
    Result<void> settle(std::size_t unit, const UnitOutcome &outcome) override;
    Result<void> put_back(std::size_t unit) override;

    /// What next() would give, without waiting.
    [[nodiscard]] UnitOffer offer();

  private:
    UnitOffer offer_locked();
    [[nodiscard]] std::size_t place(std::size_t unit) const { return unit / shard_.count; }

    Shard shard_;
    std::size_t size_;
    std::mutex mutex_; ///< guards the members below
    std::condition_variable changed_;
    UnitQueue queue_;                                 ///< of places in the shard
    std::chrono::steady_clock::time_point next_look_; ///< at units that others have, once each was looked at
};

} // namespace isovmaf::batch
