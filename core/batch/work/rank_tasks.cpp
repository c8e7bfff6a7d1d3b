// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "batch/work/rank_tasks.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <deque>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <thread>
#include <utility>
#include <vector>

#include "base/try.hpp"
#include "engine/guarded.hpp"

namespace isovmaf::batch {

namespace {

constexpr std::chrono::milliseconds between_asks{100}; ///< for tasks, while others have all that are left

enum class Request : std::int64_t {
    next,  ///< any task
    done,  ///< it was tried
    leave, ///< no more questions
};

/// How many units of a task ended how.
struct Ends {
    std::int32_t known = 0, finished = 0, permanent = 0, transient = 0;
    std::int32_t left = 0; ///< not settled
    std::int64_t frames = 0;
};

struct Ask {
    Request request;
    std::uint64_t task = 0; ///< of done
    Ends ends = {};         ///< of done
};

struct Answer {
    enum class Kind : std::int64_t {
        task, ///< this one
        wait, ///< all that is left is in work: ask again later
        none, ///< all tasks are done
    };
    Kind kind;
    std::uint64_t task = 0;
};

Ends ends_of(std::span<const UnitOutcome> outcomes) {
    WorkCounts counts;
    Ends ends;
    for (const UnitOutcome &outcome : outcomes) {
        counts.add(outcome);
        ends.left += !outcome.is_settled();
    }
    const auto number = [](std::size_t count) { return static_cast<std::int32_t>(count); };
    ends.known = number(counts.known);
    ends.finished = number(counts.finished);
    ends.permanent = number(counts.permanent);
    ends.transient = number(counts.transient);
    ends.frames = counts.frames;
    return ends;
}

WorkCounts counts_of(const Ends &ends) {
    const auto number = [](std::int32_t count) { return static_cast<std::size_t>(count); };
    return {.known = number(ends.known),
            .finished = number(ends.finished),
            .permanent = number(ends.permanent),
            .transient = number(ends.transient),
            .frames = ends.frames};
}

/// Tasks by their numbers.
class NumberedTasks {
  public:
    explicit NumberedTasks(std::vector<Task> tasks) : tasks_(std::move(tasks)) {
        for (std::size_t i = 0; i < tasks_.size(); i++) {
            units_ += tasks_[i].units.size();
            numbers_[tasks_[i].units.front()] = i;
        }
    }

    [[nodiscard]] const Task &task(std::size_t number) const { return tasks_[number]; }
    [[nodiscard]] std::size_t number(const Task &task) const { return numbers_.at(task.units.front()); }
    [[nodiscard]] std::size_t size() const { return tasks_.size(); }
    [[nodiscard]] std::size_t units() const { return units_; }

  private:
    std::vector<Task> tasks_;
    std::map<std::size_t, std::size_t> numbers_; ///< by the first unit
    std::size_t units_ = 0;
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

/// Asks again and again, until there is a task, none is left, or work has to stop.
template <class AskFor>
Result<std::optional<Task>> next_task(const NumberedTasks &tasks, const std::function<bool()> &stop,
                                      const AskFor &ask) {
    while (!stop()) {
        const Answer answer = TRY(ask());
        if (answer.kind == Answer::Kind::task)
            return tasks.task(answer.task);
        if (answer.kind == Answer::Kind::none)
            break;
        std::this_thread::sleep_for(between_asks);
    }
    return std::nullopt;
}

/// The source of the first rank, which answers the others on a thread of its own.
class Giver final : public RankTasks {
  public:
    Giver(ranks::Ranks &ranks, std::vector<Task> tasks)
        : ranks_(ranks), tasks_(std::move(tasks)), held_(static_cast<std::size_t>(ranks.info().ranks)),
          left_(held_.size()), undone_(tasks_.size()) {
        for (std::size_t i = 0; i < tasks_.size(); i++)
            waiting_.push_back(i);
        left_[0] = true;
        thread_ = std::jthread([this] { outcome_ = guarded([this] { return serve(); }); });
    }

    [[nodiscard]] std::size_t units() const override { return tasks_.units(); }

    Result<std::optional<Task>> next(const std::function<bool()> &stop) override {
        return next_task(tasks_, stop, [this] { return Result<Answer>(offer(0)); });
    }

    Result<void> done(const Task &task, std::span<const UnitOutcome> outcomes) override {
        end(0, tasks_.number(task), ends_of(outcomes));
        return {};
    }

    Result<void> finish(bool stopped) override {
        stopped_ = stopped;
        thread_.join();
        return outcome_;
    }

    [[nodiscard]] WorkCounts of_others() override {
        const std::lock_guard lock(mutex_);
        return others_;
    }

    [[nodiscard]] bool all_settled() override { return undone_ == 0; }

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

    Result<void> answer(int from, const Ask &ask) {
        const auto rank = static_cast<std::size_t>(from);
        switch (ask.request) {
        case Request::next:
            return ranks_.send(from, stopped_ ? Answer{Answer::Kind::none} : offer(rank));
        case Request::done:
            end(rank, ask.task, ask.ends);
            break;
        case Request::leave:
            leave(rank);
        }
        return {};
    }

    Answer offer(std::size_t rank) {
        const std::lock_guard lock(mutex_);
        if (waiting_.empty())
            return {undone_ == 0 ? Answer::Kind::none : Answer::Kind::wait};
        const std::size_t task = waiting_.front();
        waiting_.pop_front();
        held_[rank].insert(task);
        return {Answer::Kind::task, task};
    }

    void end(std::size_t rank, std::size_t task, const Ends &ends) {
        const std::lock_guard lock(mutex_);
        if (held_[rank].erase(task) == 0) // it has died meanwhile, and others get the task
            return;
        if (rank != 0)
            others_.add(counts_of(ends));
        if (ends.left > 0)
            waiting_.push_back(task);
        else
            undone_--;
    }

    /// Tasks that the rank has not done go to others.
    void leave(std::size_t rank) {
        const std::lock_guard lock(mutex_);
        left_[rank] = true;
        for (const std::size_t task : std::exchange(held_[rank], {}))
            waiting_.push_front(task);
    }

    Result<void> bury() {
        if (ranks_.info().survives != 0)
            for (const int rank : TRY(ranks_.lost()))
                leave(static_cast<std::size_t>(rank));
        return {};
    }

    ranks::Ranks &ranks_;
    const NumberedTasks tasks_;
    std::atomic<bool> stopped_ = false;
    Result<void> outcome_;
    std::mutex mutex_;                        ///< guards the members below
    std::deque<std::size_t> waiting_;         ///< tasks
    std::vector<std::set<std::size_t>> held_; ///< tasks in work, by rank
    std::vector<bool> left_;                  ///< ranks that ask for no more tasks; of the thread alone
    std::size_t undone_;                      ///< tasks
    WorkCounts others_;
    std::jthread thread_; // declared after the members that it uses
};

/// The source of any other rank.
class Taker final : public RankTasks {
  public:
    Taker(ranks::Ranks &ranks, std::vector<Task> tasks) : ranks_(ranks), tasks_(std::move(tasks)) {}

    [[nodiscard]] std::size_t units() const override { return tasks_.units(); }

    Result<std::optional<Task>> next(const std::function<bool()> &stop) override {
        return next_task(tasks_, stop, [this] { return ask(); });
    }

    Result<void> done(const Task &task, std::span<const UnitOutcome> outcomes) override {
        return ranks_.send(0, Ask{Request::done, tasks_.number(task), ends_of(outcomes)});
    }
    Result<void> finish(bool) override { return ranks_.send(0, Ask{Request::leave}); }
    [[nodiscard]] WorkCounts of_others() override { return {}; } // only the first rank knows
    [[nodiscard]] bool all_settled() override { return false; }

  private:
    Result<Answer> ask() {
        const std::lock_guard lock(mutex_);
        TRY(ranks_.send(0, Ask{Request::next}));
        return TRY(poll([this] { return ranks_.receive<Answer>(0); }))->message;
    }

    ranks::Ranks &ranks_;
    const NumberedTasks tasks_;
    std::mutex mutex_; ///< of a question until its answer
};

} // namespace

std::unique_ptr<RankTasks> RankTasks::create(ranks::Ranks &ranks, std::vector<Task> tasks) {
    if (ranks.is_first())
        return std::make_unique<Giver>(ranks, std::move(tasks));
    return std::make_unique<Taker>(ranks, std::move(tasks));
}

} // namespace isovmaf::batch
