// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "tools/isovmaf/batch/batch_ranks.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "base/try.hpp"

namespace isovmaf::tool {

namespace {

/// Counters of a rank, which are added up.
using Counters = std::array<std::int64_t, 5>;

Counters counters_of(const batch::WorkCounts &counts) {
    const auto number = [](std::size_t count) { return static_cast<std::int64_t>(count); };
    return {number(counts.finished), number(counts.known), number(counts.permanent), number(counts.transient),
            counts.frames};
}

batch::WorkCounts counts_of(const Counters &counters, std::size_t units) {
    const auto number = [](std::int64_t counter) { return static_cast<std::size_t>(counter); };
    return {.units = units,
            .known = number(counters[1]),
            .finished = number(counters[0]),
            .permanent = number(counters[2]),
            .transient = number(counters[3]),
            .frames = counters[4]};
}

/// The identity of a rank, which all ranks receive.
struct Name {
    std::int32_t rank = 0;
    std::array<char, 60> host{}, place{};
};

template <std::size_t size>
void set_text(std::array<char, size> &to, const std::string &text) {
    text.copy(to.data(), size - 1);
}

std::string line(const std::string &rank, const std::string &host, const std::string &place, const Counters &counters,
                 double seconds) {
    return fmt::format("{:>6}  {:<20} {:<14} {:>10} {:>10} {:>8} {:>12} {:>10.1f}\n", rank, host, place, counters[0],
                       counters[1], counters[2] + counters[3], counters[4], seconds);
}

} // namespace

Result<RankSummary> summarise_ranks(ranks::Ranks &job, const batch::WorkCounts &counts, double seconds,
                                    const std::string &place) {
    Name name{job.rank()};
    set_text(name.host, job.info().host);
    set_text(name.place, place);
    const Counters mine = counters_of(counts);
    Counters all{}, least{}, most{};
    TRY(job.wait_for_all());
    TRY(job.reduce(ISOVMAF_MPI_SUM, mine.data(), all.data(), all.size()));
    TRY(job.reduce(ISOVMAF_MPI_MIN, mine.data(), least.data(), least.size()));
    TRY(job.reduce(ISOVMAF_MPI_MAX, mine.data(), most.data(), most.size()));
    const std::vector<Name> names = TRY(job.gather(name));
    const std::vector<Counters> counters = TRY(job.gather(mine));
    const std::vector<double> times = TRY(job.gather(seconds));
    RankSummary summary{counts_of(all, counts.units), {}};
    summary.table = fmt::format("{:>6}  {:<20} {:<14} {:>10} {:>10} {:>8} {:>12} {:>10}\n", "rank", "host", "device",
                                "finished", "known", "failed", "frames", "seconds");
    for (std::size_t i = 0; i < names.size(); i++)
        summary.table +=
            line(fmt::format("{}", names[i].rank), names[i].host.data(), names[i].place.data(), counters[i], times[i]);
    const auto [shortest, longest] = std::ranges::minmax(times);
    summary.table += line("least", "", "", least, shortest) + line("most", "", "", most, longest);
    double total = 0;
    for (const double time : times)
        total += time;
    summary.table += line("all", "", "", all, total);
    return summary;
}

} // namespace isovmaf::tool
