// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "batch/work/rank_units.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <set>
#include <thread>
#include <utility>
#include <vector>

#include "base/try.hpp"
#include "engine/guarded.hpp"

namespace isovmaf::batch {

namespace {

constexpr std::chrono::milliseconds between_asks{100}; ///< for units, while others have all that are left

enum class Request : std::int64_t {
    next,     ///< any unit
    take,     ///< this one, if it waits
    settle,   ///< it is done
    put_back, ///< it is not
    leave,    ///< no more questions
};
struct Ask {
    Request request;
    std::uint64_t unit = 0;          ///< of all but next and leave
    UnitEnd end = UnitEnd::finished; ///< of settle
    std::int64_t frames = 0;         ///< of settle
};
struct Answer {
    UnitOffer::Kind kind;
    std::uint64_t unit = 0;
};

/// Calls `look` again and again, with growing pauses, until it fails or finds something.
template <class Look>
auto poll(const Look &look) -> decltype(look()) {
    constexpr std::chrono::microseconds first{20}, longest{2000};
    for (auto pause = first;; pause = std::min(2 * pause, longest)) {
        auto found = look();
        if (!found || *found)
            return found;
        std::this_thread::sleep_for(pause);
    }
}

/// The source of the first rank, which answers the others on a thread of its own.
class Giver final : public RankUnits {
  public:
    Giver(ranks::Ranks &ranks, std::size_t units, Shard shard)
        : ranks_(ranks), shard_(units, shard), held_(static_cast<std::size_t>(ranks.info().ranks)),
          left_(held_.size()) {
        left_[0] = true;
        thread_ = std::jthread([this] { outcome_ = guarded([this] { return serve(); }); });
    }

    [[nodiscard]] std::size_t size() const override { return shard_.size(); }
    Result<std::optional<std::size_t>> next(const std::function<bool()> &stop) override { return shard_.next(stop); }
    Result<bool> take(std::size_t unit) override { return shard_.take(unit); }
    Result<void> settle(std::size_t unit, const UnitOutcome &outcome) override { return shard_.settle(unit, outcome); }
    Result<void> put_back(std::size_t unit) override { return shard_.put_back(unit); }

    Result<void> finish(bool stopped) override {
        stopped_ = stopped;
        thread_.join();
        return outcome_;
    }

    [[nodiscard]] WorkCounts of_others() override {
        const std::lock_guard lock(mutex_);
        return others_;
    }

    [[nodiscard]] bool all_settled() override { return shard_.offer().kind == UnitOffer::Kind::none; }

  private:
    using Message = ranks::Received<Ask>;

    Result<void> serve() {
        while (std::ranges::find(left_, false) != left_.end()) {
            const std::optional<Message> message = TRY(poll([this]() -> Result<std::optional<Message>> {
                TRY(bury());
                if (std::ranges::find(left_, false) == left_.end())
                    return Message{0, {Request::leave}};
                return ranks_.receive<Ask>();
            }));
            TRY(answer(message->from, message->message));
        }
        return {};
    }

    Result<void> answer(int rank, const Ask &ask) {
        std::set<std::size_t> &held = held_[static_cast<std::size_t>(rank)];
        switch (ask.request) {
        case Request::next:
        case Request::take: {
            const UnitOffer offer = TRY(offer_for(ask));
            if (offer.kind == UnitOffer::Kind::unit)
                held.insert(offer.unit);
            return ranks_.send(rank, Answer{offer.kind, offer.unit});
        }
        case Request::settle: // a unit that the rank has no more: it has died meanwhile, and others get it
            return held.erase(ask.unit) > 0 ? settle_of_other(ask) : Result<void>();
        case Request::put_back:
            return held.erase(ask.unit) > 0 ? shard_.put_back(ask.unit) : Result<void>();
        case Request::leave:
            left_[static_cast<std::size_t>(rank)] = true;
        }
        return {};
    }

    Result<UnitOffer> offer_for(const Ask &ask) {
        if (stopped_)
            return UnitOffer{UnitOffer::Kind::none};
        if (ask.request == Request::next)
            return shard_.offer();
        return TRY(shard_.take(ask.unit)) ? UnitOffer{UnitOffer::Kind::unit, ask.unit}
                                          : UnitOffer{UnitOffer::Kind::wait};
    }

    Result<void> settle_of_other(const Ask &ask) {
        const UnitOutcome outcome{ask.end, ask.frames};
        {
            const std::lock_guard lock(mutex_);
            others_.add(outcome);
        }
        return shard_.settle(ask.unit, outcome);
    }

    /// Takes back the units of ranks that have died.
    Result<void> bury() {
        if (ranks_.info().survives == 0)
            return {};
        for (const int rank : TRY(ranks_.lost())) {
            const auto dead = static_cast<std::size_t>(rank);
            left_[dead] = true;
            for (const std::size_t unit : std::exchange(held_[dead], {}))
                TRY(shard_.put_back(unit));
        }
        return {};
    }

    ranks::Ranks &ranks_;
    ShardUnits shard_;
    std::atomic<bool> stopped_ = false;
    std::vector<std::set<std::size_t>> held_; ///< units in work, by rank
    std::vector<bool> left_;                  ///< ranks that ask for no more units
    Result<void> outcome_;
    std::mutex mutex_;
    WorkCounts others_;   ///< guarded by mutex_
    std::jthread thread_; // declared after the members that it uses
};

/// The source of any other rank.
class Taker final : public RankUnits {
  public:
    Taker(ranks::Ranks &ranks, std::size_t size) : ranks_(ranks), size_(size) {}

    [[nodiscard]] std::size_t size() const override { return size_; }

    Result<std::optional<std::size_t>> next(const std::function<bool()> &stop) override {
        while (!stop()) {
            const Answer answer = TRY(ask({Request::next}));
            if (answer.kind == UnitOffer::Kind::unit)
                return answer.unit;
            if (answer.kind == UnitOffer::Kind::none)
                break;
            std::this_thread::sleep_for(between_asks);
        }
        return std::nullopt;
    }

    Result<void> settle(std::size_t unit, const UnitOutcome &outcome) override {
        return ranks_.send(0, Ask{Request::settle, unit, outcome.end, outcome.frames});
    }
    Result<void> put_back(std::size_t unit) override { return ranks_.send(0, Ask{Request::put_back, unit}); }
    Result<bool> take(std::size_t unit) override {
        return TRY(ask({Request::take, unit})).kind == UnitOffer::Kind::unit;
    }
    Result<void> finish(bool) override { return ranks_.send(0, Ask{Request::leave}); }
    [[nodiscard]] WorkCounts of_others() override { return {}; } // only the first rank knows
    [[nodiscard]] bool all_settled() override { return false; }

  private:
    Result<Answer> ask(const Ask &question) {
        const std::lock_guard lock(mutex_);
        TRY(ranks_.send(0, question));
        return TRY(poll([this] { return ranks_.receive<Answer>(0); }))->message;
    }

    ranks::Ranks &ranks_;
    std::size_t size_;
    std::mutex mutex_; ///< of a question until its answer
};

} // namespace

std::unique_ptr<RankUnits> RankUnits::create(ranks::Ranks &ranks, std::size_t units, Shard shard) {
    if (ranks.is_first())
        return std::make_unique<Giver>(ranks, units, shard);
    return std::make_unique<Taker>(ranks, shard.size(units));
}

} // namespace isovmaf::batch
