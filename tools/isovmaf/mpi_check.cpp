// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "tools/isovmaf/batch/batch_ranks.hpp"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <optional>

#include <fmt/format.h>

#include "base/try.hpp"
#include "batch/work/worker.hpp"
#include "device/backends.hpp"
#include "ranks/device_values.hpp"
#include "tools/isovmaf/batch/batch_folders.hpp"
#include "tools/isovmaf/console.hpp"

namespace isovmaf::tool {

namespace {

using Clock = std::chrono::steady_clock;
using ranks::DeviceWay;
using Integers = std::vector<std::int64_t>;

/// Any bits, the same on every rank (SplitMix64).
std::uint64_t bits_of(int rank, std::size_t i) {
    std::uint64_t bits = (i * 4099 + static_cast<std::uint64_t>(rank) + 1) * 0x9E3779B97F4A7C15;
    bits = (bits ^ (bits >> 30)) * 0xBF58476D1CE4E5B9;
    bits = (bits ^ (bits >> 27)) * 0x94D049BB133111EB;
    return bits ^ (bits >> 31);
}

/// An integer of either sign whose sum over 2^23 ranks has no overflow.
std::int64_t integer_of(int rank, std::size_t i) { return static_cast<std::int64_t>(bits_of(rank, i)) >> 24; }

std::int64_t combine(isovmaf_mpi_operation operation, std::int64_t a, std::int64_t b) {
    if (operation == ISOVMAF_MPI_SUM)
        return a + b;
    return operation == ISOVMAF_MPI_MIN ? std::min(a, b) : std::max(a, b);
}

/// The collective that is checked: an operation on integers, or, without one, a gather of the bits of floats.
struct Check {
    const char *name;
    std::optional<isovmaf_mpi_operation> operation;

    [[nodiscard]] Integers values(int rank, std::size_t count) const {
        Integers values(count);
        for (std::size_t i = 0; i < count; i++)
            values[i] = operation ? integer_of(rank, i) : static_cast<std::int64_t>(bits_of(rank, i));
        return values;
    }

    [[nodiscard]] Integers expected(int ranks, std::size_t count) const {
        Integers expected = values(0, count);
        for (int rank = 1; rank < ranks; rank++) {
            const Integers more = values(rank, count);
            if (operation)
                std::ranges::transform(expected, more, expected.begin(),
                                       [this](auto a, auto b) { return combine(*operation, a, b); });
            else
                expected.insert(expected.end(), more.begin(), more.end());
        }
        return expected;
    }
};

constexpr std::array<Check, 4> checks{
    {{"sum", ISOVMAF_MPI_SUM}, {"min", ISOVMAF_MPI_MIN}, {"max", ISOVMAF_MPI_MAX}, {"gather", std::nullopt}}};

/// The time of one collective, and whether its results are right on all ranks.
struct Outcome {
    double milliseconds;
    bool equal;
};

/// Where the values of this rank lie.
class ValueMemory {
  public:
    static Result<std::unique_ptr<ValueMemory>> create(ranks::Ranks &job, const MpiCheckArguments &arguments) {
        std::unique_ptr<ValueMemory> memory(new ValueMemory(job));
        if (arguments.backend.empty())
            return memory;
        const ListedDevices found = TRY(choose_devices(arguments.backend + ":*", arguments.backend_folders));
        const batch::HostShare share{job.info().local_rank, job.info().local_ranks};
        const ListedDevice mine = batch::devices_of(share, found.devices).front();
        memory->device_ = std::move(TRY(choose_backend({mine.backend, mine.index, arguments.backend_folders})).device);
        memory->values_ = TRY(ranks::DeviceValues::create(
            job, *memory->device_, static_cast<std::size_t>(arguments.max_count) * sizeof(std::int64_t)));
        memory->label_ = fmt::format("{} ({})", mine.label(), mine.name);
        memory->choose_ways(arguments.device_buffers);
        return memory;
    }

    [[nodiscard]] const std::vector<const char *> &ways() const { return ways_; }
    [[nodiscard]] const std::string &label() const { return label_; }

    Result<Outcome> run(std::size_t way, const Check &check, std::size_t count) {
        const Integers values = check.values(job_.rank(), count), expected = check.expected(job_.info().ranks, count);
        Integers outcome(expected.size());
        const double milliseconds =
            values_ ? TRY(run_on_device(static_cast<DeviceWay>(device_ways_[way]), check, values, outcome))
                    : TRY(run_on_host(check, values, outcome));
        const std::int64_t equal = TRY(job_.reduce(ISOVMAF_MPI_MIN, outcome == expected ? 1 : 0));
        return Outcome{milliseconds, equal != 0};
    }

  private:
    explicit ValueMemory(ranks::Ranks &job) : job_(job) {}

    void choose_ways(const std::string &device_buffers) {
        ways_ = {"staged"};
        device_ways_ = {DeviceWay::staged};
        if (device_buffers == "on" ||
            (device_buffers == "auto" && ranks::takes_memory_of(job_.info(), device_->plugin().name()))) {
            ways_.push_back("direct");
            device_ways_.push_back(DeviceWay::direct);
        }
    }

    /// Starts all ranks together, and takes the time until this one is done.
    template <class Collective>
    Result<double> timed(const Collective &collective) {
        TRY(job_.wait_for_all());
        const Clock::time_point start = Clock::now();
        TRY(collective());
        return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
    }

    Result<double> run_on_host(const Check &check, const Integers &values, Integers &outcome) {
        return timed([&] {
            return check.operation ? job_.reduce(*check.operation, values.data(), outcome.data(), values.size())
                                   : job_.gather(values.data(), values.size() * sizeof values[0], outcome.data());
        });
    }

    Result<double> run_on_device(DeviceWay way, const Check &check, const Integers &values, Integers &outcome) {
        TRY(values_->write(std::as_bytes(std::span(values))));
        const double milliseconds = TRY(timed([&] {
            return check.operation ? values_->reduce(way, *check.operation, values.size())
                                   : values_->gather(way, values.size() * sizeof values[0]);
        }));
        const std::span<const std::byte> bytes = TRY(values_->read(outcome.size() * sizeof outcome[0]));
        std::memcpy(outcome.data(), bytes.data(), bytes.size());
        return milliseconds;
    }

    ranks::Ranks &job_;
    std::vector<const char *> ways_{"host"};
    std::vector<DeviceWay> device_ways_;
    std::string label_ = "host memory";
    std::optional<Device> device_;
    std::unique_ptr<ranks::DeviceValues> values_; // before its device
};

const char *yes_or_no(std::int32_t answer) { return answer < 0 ? "it does not say" : answer != 0 ? "yes" : "no"; }

void print_mpi(const ranks::Ranks &job, const ValueMemory &memory) {
    const isovmaf_mpi_info &info = job.info();
    print_output("library: {}\nstandard: MPI {}\nranks: {}, {} of them on this host\nGPU-aware: CUDA {}, ROCm {}\n"
                 "goes on when a rank dies (ULFM): {}\nvalues of rank 0: {}\n",
                 info.library, info.standard, info.ranks, info.local_ranks, yes_or_no(info.takes_cuda),
                 yes_or_no(info.takes_rocm), yes_or_no(info.survives), memory.label());
}

/// 1, 2, 3, 4, 7, 8, 15, 16 and so on, up to `most`.
std::vector<std::size_t> counts_up_to(std::int64_t most) {
    std::vector<std::size_t> counts;
    for (std::size_t power = 1; power <= static_cast<std::size_t>(most); power *= 2) {
        if (power > 2)
            counts.push_back(power - 1);
        counts.push_back(power);
    }
    return counts;
}

/// Prints one line for each count. Returns whether all results are right.
Result<bool> sweep(ranks::Ranks &job, ValueMemory &memory, std::int64_t most) {
    std::string header = fmt::format("{:>10}", "count");
    for (const char *const way : memory.ways())
        for (const Check &check : checks)
            header += fmt::format(" {:>14}", fmt::format("{} {}", way, check.name));
    if (job.is_first())
        print_output("{}  bits\n", header);
    bool all_equal = true;
    for (const std::size_t count : counts_up_to(most)) {
        std::string line = fmt::format("{:>10}", count);
        bool equal = true;
        for (std::size_t way = 0; way < memory.ways().size(); way++)
            for (const Check &check : checks) {
                const Outcome outcome = TRY(memory.run(way, check, count));
                line += fmt::format(" {:>11.3f} ms", outcome.milliseconds);
                equal = equal && outcome.equal;
            }
        if (job.is_first())
            print_output("{}  {}\n", line, equal ? "equal" : "DIFFERENT");
        all_equal = all_equal && equal;
    }
    return all_equal;
}

Result<ExitCode> check(const MpiCheckArguments &arguments, ranks::Ranks &job) {
    const auto memory = TRY(ValueMemory::create(job, arguments));
    if (job.is_first())
        print_mpi(job, *memory);
    return TRY(sweep(job, *memory, arguments.max_count)) ? exit_ok : exit_failed;
}

} // namespace

int run_mpi_check(const MpiCheckArguments &arguments) {
    const auto job = start_ranks("mpi");
    if (!job)
        return print_failure(tl::unexpected(job.error()));
    const Result<ExitCode> code = check(arguments, **job);
    if (!code)
        (*job)->abandon(); // others may wait for this rank
    return print_failure(code);
}

} // namespace isovmaf::tool
