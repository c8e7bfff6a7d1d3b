// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "diff/reports.hpp"

#include <algorithm>
#include <numeric>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "device/backend_names.hpp"
#include "diff/report_text.hpp"
#include "features/feature.hpp"

namespace isovmaf::diff {

namespace {

/// In characters. Sides that do not fit go into another table below.
constexpr std::size_t widest_table = 100;

enum class Colour : std::uint8_t { none, bold, red, green, yellow };

/// Collects lines of text, with colours if they are wanted.
class Terminal {
  public:
    explicit Terminal(bool colour) : colour_(colour) {}

    std::string paint(Colour colour, std::string_view text) const {
        constexpr std::array<std::string_view, 5> codes{"", "1", "31", "32", "33"};
        if (!colour_ || colour == Colour::none)
            return std::string(text);
        return fmt::format("\x1B[{}m{}\x1B[0m", codes[static_cast<std::size_t>(colour)], text);
    }

    void line(std::string_view text) { (out_ += text) += '\n'; }
    std::string take() { return std::move(out_); }

  private:
    bool colour_;
    std::string out_;
};

/// How many columns of the terminal a text takes: one per code point.
std::size_t width_of(std::string_view text) {
    return static_cast<std::size_t>(
        std::ranges::count_if(text, [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

std::string padding(std::string_view text, std::size_t width) {
    return std::string(width - std::min(width, width_of(text)), ' ');
}

struct Cell {
    std::string text;
    Colour colour = Colour::none;
    bool right = false; ///< aligned to the right, as numbers are
};
using Column = std::vector<Cell>; ///< heading and a cell per row

std::size_t width_of(const Column &column) {
    std::size_t width = 0;
    for (const Cell &cell : column)
        width = std::max(width, width_of(cell.text));
    return width;
}

std::vector<Column> head_columns(const Grid &grid) {
    std::vector<Column> columns{{{"feature"}}, {{"values", Colour::none, true}}, {{"words", Colour::none, true}}};
    for (const Grid::Row &row : grid.rows) {
        columns[0].push_back({plain(row.subject)});
        columns[1].push_back({count_text(row.values), Colour::none, true});
        columns[2].push_back({count_text(row.words), Colour::none, true});
    }
    return columns;
}

Column side_column(const Grid &grid, std::size_t side) {
    Column column{{plain(grid.sides[side])}};
    for (const Grid::Row &row : grid.rows) {
        const Tally *tally = row.sides[side];
        const Colour colour = tally == nullptr ? Colour::none : differs(*tally) ? Colour::red : Colour::green;
        column.push_back({cell_text(row, side), colour});
    }
    return column;
}

void add_columns(const std::vector<Column> &columns, Terminal &terminal) {
    terminal.line("");
    for (std::size_t row = 0; row < columns.front().size(); row++) {
        std::string line;
        std::size_t gap = 0; // spaces before the next cell; the last cell has none behind it
        for (const Column &column : columns) {
            const Cell &cell = column[row];
            const std::string pad = padding(cell.text, width_of(column));
            line.append(gap, ' ');
            line += (cell.right ? pad : "") + terminal.paint(row == 0 ? Colour::bold : cell.colour, cell.text);
            gap = 2 + (cell.right ? 0 : pad.size());
        }
        terminal.line(line);
    }
}

void add_table(const Grid &grid, Terminal &terminal) {
    const std::vector<Column> head = head_columns(grid);
    const auto wider = [](std::size_t width, const Column &column) { return width + width_of(column) + 2; };
    const std::size_t head_width = std::accumulate(head.begin(), head.end(), std::size_t{0}, wider);
    for (std::size_t side = 0; side < grid.sides.size();) {
        std::vector<Column> columns = head;
        std::size_t width = head_width;
        do {
            columns.push_back(side_column(grid, side));
            width = wider(width, columns.back());
            side++;
        } while (side < grid.sides.size() && wider(width, side_column(grid, side)) <= widest_table);
        add_columns(columns, terminal);
    }
}

/// Names the features that CPU paths computed, each with the path's level: ", motion by avx2".
std::string cpu_paths_text(const Execution &execution) {
    std::string text;
    for (const FeaturePlacement &place : execution.placement)
        if (place.backend == cpu_backend && place.code != Extractor::definition_level)
            text += fmt::format(", {} by {}", plain(place.feature), plain(place.code));
    return text;
}

void add_head(const DiffResult &result, const Grid &grid, Terminal &terminal) {
    std::vector<std::string> sides;
    for (const std::string &side : grid.sides)
        sides.push_back(plain(side));
    terminal.line(fmt::format("isovmaf {}: {} compared with {}", plain(result.version),
                              sides.empty() ? "nothing" : fmt::format("{}", fmt::join(sides, ", ")),
                              plain(result.reference)));
    for (const Proof &proof : result.proofs) {
        const Execution &execution = proof.execution;
        std::int64_t launches = 0;
        for (const FeatureWork &work : execution.work)
            launches += work.launches;
        terminal.line(fmt::format("  {}: {}{}{}{}", plain(proof.side), plain(device_name(execution)),
                                  execution.driver.empty() ? "" : ", driver " + plain(execution.driver),
                                  launches == 0 ? "" : fmt::format(", {} launches", count_text(launches)),
                                  cpu_paths_text(execution)));
    }
    if (result.seed)
        terminal.line(fmt::format("  seed {}", *result.seed));
}

void add_facts(const std::vector<Fact> &facts, Terminal &terminal) {
    for (const Fact &fact : facts)
        terminal.line(fmt::format("  {:<15}{}", fact.label, fact.text));
}

void add_fault(const Fault &fault, Terminal &terminal) {
    terminal.line("");
    std::string title = fmt::format("{} on {}", plain(fault.subject), plain(fault.side));
    if (fault.tally != nullptr)
        title += ": " + tally_text(*fault.tally);
    terminal.line(terminal.paint(Colour::bold, title));
    if (fault.tally != nullptr)
        add_facts(facts(*fault.tally), terminal);
    for (const FeatureDifference *finding : fault.findings)
        add_facts(facts(*finding), terminal);
}

} // namespace

std::string terminal_table(const DiffResult &result, bool colour) {
    Terminal terminal(colour);
    const Grid grid = tally_grid(result);
    add_head(result, grid, terminal);
    add_table(grid, terminal);
    for (const Fault &fault : faults(result))
        add_fault(fault, terminal);
    terminal.line("");
    for (const Absent &absent : result.absent)
        terminal.line(terminal.paint(Colour::yellow,
                                     fmt::format("{} was not compared: {}", plain(absent.side), plain(absent.reason))));
    for (const std::string &flagged : flagged_texts(result))
        terminal.line(terminal.paint(Colour::yellow, flagged));
    if (!result.failure.empty())
        terminal.line(terminal.paint(Colour::red, verdict_text(result)));
    terminal.line(terminal.paint(result.verdict == Verdict::equal ? Colour::green : Colour::red, counts_text(result)));
    return terminal.take();
}

} // namespace isovmaf::diff
