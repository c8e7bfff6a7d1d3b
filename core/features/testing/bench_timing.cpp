// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "features/testing/bench_timing.hpp"

#include <algorithm>
#include <chrono>
#include <limits>

#include <benchmark/benchmark.h>

#include "base/failure.hpp"

namespace isovmaf::testing {

namespace {

/// Keeps the least time of each benchmark. Their names are numbers.
class LeastTimes final : public benchmark::BenchmarkReporter {
  public:
    explicit LeastTimes(std::size_t count) : times(count, std::numeric_limits<double>::infinity()) {}

    bool ReportContext(const Context &) override { return true; }
    void ReportRuns(const std::vector<Run> &runs) override {
        for (const Run &run : runs)
            if (run.run_type == Run::RT_Iteration) {
                double &time = times.at(std::stoul(run.run_name.function_name));
                time = std::min(time, run.cpu_accumulated_time / static_cast<double>(run.iterations));
            }
    }

    std::vector<double> times;
};

/// In turns: another load on the machine then slows all of them down, not one.
void take_turns() {
    char name[] = "kernel_bench", turns[] = "--benchmark_enable_random_interleaving=true";
    char *arguments[] = {name, turns, nullptr};
    int count = 2;
    benchmark::Initialize(&count, arguments);
}

} // namespace

double measured_clock() {
    constexpr int rounds = 1 << 15; // few enough that some attempts are not interrupted
    double best = 0;
    for (int attempt = 0; attempt < 50; attempt++) {
        std::uint64_t x = 3;
        const auto start = std::chrono::steady_clock::now();
#if defined(__x86_64__)
        constexpr double cycles_per_round = 12; // 3 for each, on every x86 processor since 2008
        for (int i = 0; i < rounds; i++)
            asm volatile("imul %0, %0\n\timul %0, %0\n\timul %0, %0\n\timul %0, %0" : "+r"(x));
#elif defined(__aarch64__)
        constexpr double cycles_per_round = 8;
        for (int i = 0; i < rounds; i++)
            asm volatile("add %0, %0, %0\n\tadd %0, %0, %0\n\tadd %0, %0, %0\n\tadd %0, %0, %0\n\t"
                         "add %0, %0, %0\n\tadd %0, %0, %0\n\tadd %0, %0, %0\n\tadd %0, %0, %0"
                         : "+r"(x));
#else
#error "there is no chain of instructions for this processor"
#endif
        const std::chrono::duration<double> time = std::chrono::steady_clock::now() - start;
        best = std::max(best, rounds * cycles_per_round / time.count());
    }
    return best;
}

std::vector<double> least_times(const std::vector<BenchWork> &works, int repetitions, double seconds) {
    take_turns();
    benchmark::ClearRegisteredBenchmarks();
    for (std::size_t i = 0; i < works.size(); i++)
        benchmark::RegisterBenchmark(std::to_string(i).c_str(),
                                     [&work = works[i]](benchmark::State &state) {
                                         for (auto _ : state)
                                             work();
                                     })
            ->MinTime(seconds)
            ->Repetitions(repetitions);
    LeastTimes reporter(works.size());
    benchmark::RunSpecifiedBenchmarks(&reporter);
    for (const double time : reporter.times)
        if (time == std::numeric_limits<double>::infinity())
            throw Failure({ErrorCode::internal, "a function was not timed"});
    return reporter.times;
}

} // namespace isovmaf::testing
