// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "diff/report_text.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include <fmt/format.h>

#include "base/ulp.hpp"

namespace isovmaf::diff {

std::string decimal_text(double value) {
    std::string out;
    append_number(out, value, Precision::max);
    return out;
}

std::string hex_text(double value) {
    if (!std::isfinite(value))
        return fmt::format("0x{:016x}", std::bit_cast<std::uint64_t>(value));
    std::string out;
    append_number(out, value, Precision::hex);
    return out;
}

std::string hex_text(std::int64_t value) { return fmt::format("0x{:x}", static_cast<std::uint64_t>(value)); }

std::string ulp_text(std::uint64_t distance) {
    if (distance == beyond_ulp)
        return "NaN or infinite";
    if (distance > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max()))
        return fmt::format("{} ULP", distance);
    return count_text(static_cast<std::int64_t>(distance)) + " ULP";
}

std::string_view verdict_name(Verdict verdict) {
    switch (verdict) {
    case Verdict::equal:
        return "equal";
    case Verdict::differ:
        return "differ";
    case Verdict::could_not_run:
        return "could_not_run";
    case Verdict::not_executed:
        return "not_executed";
    }
    return {};
}

std::string verdict_text(const DiffResult &result) {
    const std::string why = result.failure.empty() ? "." : ": " + plain(result.failure);
    const std::string end = result.failure.empty() ? "" : fmt::format(" The run was {}.", plain(result.failure));
    switch (result.verdict) {
    case Verdict::equal:
        return "Everything that was compared is equal to the last bit." + end;
    case Verdict::differ:
        return fmt::format("{} of {} values and words differ.{}", count_text(result.different),
                           count_text(result.values + result.words), end);
    case Verdict::could_not_run:
        return "The comparison could not run" + why;
    case Verdict::not_executed:
        return "A side did not execute" + why;
    }
    return {};
}

std::string counts_text(const DiffResult &result) {
    return fmt::format("compared {}, {}, {} and {}: {} differ", counted(result.cases, "case"),
                       counted(result.frames, "frame"), counted(result.values, "value"), counted(result.words, "word"),
                       count_text(result.different));
}

std::string tally_text(const Tally &tally) {
    if (tally.values + tally.words == 0)
        return "nothing compared";
    if (!differs(tally))
        return "equal";
    std::string text;
    if (tally.different > 0)
        text = fmt::format("{}{}, {} of {}", tally.max_ulp == beyond_ulp ? "" : "max ", ulp_text(tally.max_ulp),
                           count_text(tally.different), count_text(tally.values));
    if (tally.words_different > 0)
        text += fmt::format("{}{} of {} words", text.empty() ? "" : "; ", count_text(tally.words_different),
                            count_text(tally.words));
    return text;
}

Grid tally_grid(const DiffResult &result) {
    Grid grid;
    for (const Tally &tally : result.tallies)
        if (std::ranges::find(grid.sides, tally.side) == grid.sides.end())
            grid.sides.push_back(tally.side);
    for (const Tally &tally : result.tallies) {
        auto row = std::ranges::find(grid.rows, tally.subject, &Grid::Row::subject);
        if (row == grid.rows.end())
            row = grid.rows.insert(row, Grid::Row{tally.subject, 0, 0, std::vector<const Tally *>(grid.sides.size())});
        row->values = std::max(row->values, tally.values);
        row->words = std::max(row->words, tally.words);
        row->sides[static_cast<std::size_t>(std::ranges::find(grid.sides, tally.side) - grid.sides.begin())] = &tally;
    }
    return grid;
}

std::string cell_text(const Grid::Row &row, std::size_t side) {
    const Tally *tally = row.sides[side];
    if (tally == nullptr)
        return "-";
    std::string text = tally_text(*tally);
    if (tally->values + tally->words > 0 && (tally->values != row.values || tally->words != row.words))
        text += fmt::format(" ({}, {})", counted(tally->values, "value"), counted(tally->words, "word"));
    return text;
}

} // namespace isovmaf::diff
