// SPDX-License-Identifier: BSD-2-Clause-Patent
// Simulates many workers on one run folder. Leases are real files and taken by the real code; the time that units and
// operations of the file system take is simulated. docs/research/lease-contention.md has results.
//
//     contention_bench FOLDER WORKERS UNITS SECONDS LATENCY_MS CAPACITY [start]
//
// start: ends when all workers have had a unit, or all units are finished.
// SECONDS: of work in a unit, on average. LATENCY_MS: of one metadata operation. CAPACITY: metadata operations that the
// server of the file system does in a second.
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <queue>
#include <random>
#include <system_error>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "base/try.hpp"
#include "batch/work/lease.hpp"
#include "batch/work/unit_source.hpp"

namespace isovmaf::batch {
namespace {

/// What the calls of a worker cost in metadata operations, counted by strace.
namespace cost {
constexpr double start = 60;         ///< the run folder, the rows, files of its own
constexpr double taken = 1;          ///< link
constexpr double busy = 5;           ///< link, open, stat, touch, stat
constexpr double given_back = 3;     ///< open, stat, unlink
constexpr double video = 10;         ///< open and look at the files of a pair
constexpr double stored = 2;         ///< words and record on disk
constexpr double rest_seconds = 0.5; ///< between looks at units of others
} // namespace cost

struct Setting {
    std::size_t workers = 0, units = 0;
    double unit_seconds = 0, latency = 0, capacity = 0;
    bool only_start = false;
};

struct Counts {
    double refresh = 0, leases = 0, work = 0; ///< operations
    std::size_t refused = 0, twice = 0, first_units = 0, done = 0;
    double all_started = 0, all_finished = 0, last_exit = 0, worked = 0;
};

/// The server of the file system, behind a network with a latency. It serves all that wait in turn.
class Server {
  public:
    explicit Server(const Setting &setting) : latency_(setting.latency), capacity_(setting.capacity) {}

    /// When `operations` of one worker that follow each other, the first at `time`, are done. Times do not fall.
    double serve(double time, double operations) {
        while (!ends_.empty() && ends_.top() <= time)
            ends_.pop();
        const auto waiting = static_cast<double>(ends_.size() + 1);
        ends_.push(time + operations * std::max(latency_, waiting / capacity_));
        return time + operations * std::max(latency_, waiting / capacity_);
    }

  private:
    double latency_, capacity_;
    std::priority_queue<double, std::vector<double>, std::greater<>> ends_; ///< of what is in work
};

struct Worker {
    explicit Worker(std::size_t units) : queue(units) {}

    std::unique_ptr<Leases> leases;
    UnitQueue queue;
    double refreshed = -1; ///< when it read the stores
    std::optional<std::size_t> unit = {};
    bool has_worked = false;
};

class Simulation {
  public:
    Simulation(const Setting &setting, std::filesystem::path folder)
        : setting_(setting), folder_(std::move(folder)), server_(setting), finished_(setting.units, never) {}

    Result<Counts> run() {
        for (std::size_t i = 0; i < setting_.workers; i++) {
            workers_.emplace_back(setting_.units);
            workers_[i].leases = TRY(Leases::create(folder_, Leases::Seconds(3600)));
            events_.push({0, i});
        }
        while (!events_.empty() && !(setting_.only_start && is_started())) {
            const auto [time, worker] = events_.top();
            events_.pop();
            if (const double next = TRY(step(workers_[worker], time)); next >= 0)
                events_.push({next, worker});
            else
                counts_.last_exit = std::max(counts_.last_exit, time);
        }
        return counts_;
    }

  private:
    bool is_started() const { return counts_.all_started > 0 || counts_.all_finished > 0; }

    static constexpr double never = 1e300;

    static std::string name(std::size_t unit) { return fmt::format("{:040x}", unit); }

    double operate(double time, double operations, double &sort) {
        sort += operations;
        return server_.serve(time, operations);
    }

    /// Looks at every store.
    double refresh(Worker &worker, double time) {
        worker.refreshed = time;
        return operate(time, static_cast<double>(1 + stores_), counts_.refresh);
    }

    /// What a worker does at `time`; returns when it does the next step, or a negative number when it leaves.
    Result<double> step(Worker &worker, double time) {
        if (worker.refreshed < 0) {
            stores_++;
            return refresh(worker, operate(time, cost::start, counts_.work));
        }
        if (worker.unit)
            return finish(worker, time);
        const std::optional<std::size_t> unit = worker.queue.take();
        if (unit)
            return attempt(worker, *unit, time);
        if (worker.queue.all_settled())
            return -1.0;
        worker.queue.resume();
        return time + cost::rest_seconds;
    }

    bool is_finished(const Worker &worker, std::size_t unit) const { return finished_[unit] <= worker.refreshed; }

    Result<double> attempt(Worker &worker, std::size_t unit, double time) {
        time = refresh(worker, time);
        if (is_finished(worker, unit)) {
            worker.queue.settle(unit);
            return time;
        }
        if (!TRY(worker.leases->take(name(unit)))) {
            counts_.refused++;
            worker.queue.put_back(unit, random_());
            return operate(time, cost::busy, counts_.leases);
        }
        time = refresh(worker, operate(time, cost::taken, counts_.leases));
        if (is_finished(worker, unit)) {
            worker.leases->give_back(name(unit));
            worker.queue.settle(unit);
            return operate(time, cost::given_back, counts_.leases);
        }
        return begin(worker, unit, time);
    }

    double begin(Worker &worker, std::size_t unit, double time) {
        time = operate(time, cost::video, counts_.work);
        worker.unit = unit;
        if (!worker.has_worked && ++counts_.first_units == std::min(setting_.workers, setting_.units))
            counts_.all_started = time;
        worker.has_worked = true;
        const double seconds = setting_.unit_seconds * std::uniform_real_distribution(0.5, 1.5)(random_);
        counts_.worked += seconds;
        return time + seconds;
    }

    double finish(Worker &worker, double time) {
        const std::size_t unit = *std::exchange(worker.unit, {});
        time = operate(time, cost::stored, counts_.work);
        counts_.twice += finished_[unit] != never;
        finished_[unit] = std::min(finished_[unit], time);
        if (++counts_.done == setting_.units)
            counts_.all_finished = time;
        worker.leases->give_back(name(unit));
        worker.queue.settle(unit);
        return operate(time, cost::given_back, counts_.leases);
    }

    const Setting setting_;
    const std::filesystem::path folder_;
    Server server_;
    std::vector<Worker> workers_;
    std::vector<double> finished_; ///< when, by unit
    std::size_t stores_ = 0;
    Counts counts_;
    std::mt19937 random_{7};
    using Event = std::pair<double, std::size_t>;
    std::priority_queue<Event, std::vector<Event>, std::greater<>> events_;
};

void print(const Setting &setting, const Counts &counts) {
    const auto units = static_cast<double>(setting.only_start ? counts.first_units : setting.units);
    const double ideal = counts.worked / static_cast<double>(std::min(setting.workers, setting.units));
    const std::string start = counts.all_started > 0
                                  ? fmt::format("all have a unit after {:.1f} s", counts.all_started)
                                  : fmt::format("{} workers never have a unit, all are finished after {:.0f} s",
                                                setting.workers - counts.first_units, counts.all_finished);
    fmt::print("{} workers, {} units of {} s, {} ms and {}/s: {}", setting.workers, setting.units, setting.unit_seconds,
               setting.latency * 1000, setting.capacity, start);
    if (!setting.only_start)
        fmt::print(
            "; finished after {:.0f} s ({:.0f} s without waiting), the last leaves after {:.0f} s; {} units done "
            "twice",
            counts.all_finished, ideal, counts.last_exit, counts.twice);
    fmt::print("; operations of a unit: {:.0f} for stores, {:.1f} for leases, {:.1f} for work; {:.2f} leases refused\n",
               counts.refresh / units, counts.leases / units, counts.work / units,
               static_cast<double>(counts.refused) / units);
}

} // namespace
} // namespace isovmaf::batch

int main(int argc, char **argv) {
    using namespace isovmaf::batch;
    if (argc != 7 && argc != 8) {
        fmt::print(stderr, "contention_bench FOLDER WORKERS UNITS SECONDS LATENCY_MS CAPACITY [start]\n");
        return 2;
    }
    const auto number = [&](int i) { return std::strtod(argv[i], nullptr); };
    const Setting setting{static_cast<std::size_t>(number(2)),
                          static_cast<std::size_t>(number(3)),
                          number(4),
                          number(5) / 1000,
                          number(6),
                          argc == 8};
    const std::filesystem::path folder(argv[1]);
    std::error_code error; // shows when leases are made
    std::filesystem::create_directories(folder, error);
    const isovmaf::Result<Counts> counts = Simulation(setting, folder).run();
    if (!counts) {
        fmt::print(stderr, "contention_bench: {}\n", counts.error().message);
        return 1;
    }
    print(setting, *counts);
    return 0;
}
