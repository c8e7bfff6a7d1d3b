// SPDX-License-Identifier: BSD-2-Clause-Patent
// The places of differences hint at their cause. Differences at the border of a picture suggest its edge rules,
// differences at the seams of tiles a missing barrier or a halo that is too small, every n-th column an assumption on
// the wave width, everything after some row a wrong stride.
#include "diff/stage_fault.hpp"

#include <algorithm>
#include <bit>
#include <functional>
#include <limits>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "base/hashes.hpp"
#include "features/words.hpp"

namespace isovmaf::diff {

namespace {

constexpr int most_cells = 256; ///< of a heat map's side

HeatMap heat_map(const Stage &stage, StagePlane expected, StagePlane found) {
    HeatMap map;
    map.cell_width = (stage.width + most_cells - 1) / most_cells;
    map.cell_height = (stage.height + most_cells - 1) / most_cells;
    map.width = (stage.width + map.cell_width - 1) / map.cell_width;
    map.height = (stage.height + map.cell_height - 1) / map.cell_height;
    map.heat.resize(static_cast<std::size_t>(map.width) * static_cast<std::size_t>(map.height));
    std::size_t i = 0;
    for (int y = 0; y < stage.height; y++)
        for (int x = 0; x < stage.width; x++, i++) {
            const int cell = y / map.cell_height * map.width + x / map.cell_width;
            std::uint8_t &heat = map.heat[static_cast<std::size_t>(cell)];
            heat = std::max(
                heat, static_cast<std::uint8_t>(std::bit_width(word_distance(expected[i], found[i], stage.kind))));
        }
    return map;
}

} // namespace

std::string stage_hash(StagePlane values) {
    Sha256 sha256;
    sha256.add(std::as_bytes(values)); // little-endian hosts alone are built for
    return std::move(sha256).hex();
}

std::optional<StageFault> compare_stage(const Stage &stage, StagePlane expected, StagePlane found) {
    const auto first = std::ranges::mismatch(expected, found);
    if (first.in1 == expected.end())
        return std::nullopt;
    StageFault fault;
    fault.stage = stage.name;
    fault.width = stage.width;
    fault.height = stage.height;
    fault.kind = stage.kind;
    const auto at = static_cast<int>(first.in1 - expected.begin());
    fault.x = at % stage.width;
    fault.y = at / stage.width;
    fault.expected = *first.in1;
    fault.found = *first.in2;
    std::vector<bool> differs(expected.size());
    for (std::size_t i = 0; i < expected.size(); i++) {
        differs[i] = expected[i] != found[i];
        fault.different += differs[i];
    }
    fault.patterns = find_patterns(stage, differs);
    fault.expected_hash = stage_hash(expected);
    fault.found_hash = stage_hash(found);
    fault.heat = heat_map(stage, expected, found);
    return fault;
}

namespace {

constexpr int widest_reach = 8; ///< of a filter to one side: a border is no wider

struct Point {
    int x, y;
};

/// Tiles along one axis. A stage without tiles is one tile.
struct Tiling {
    int start, tile, extent;

    Tiling(int first, int size, int length) : start(first), tile(size > 1 ? size : length), extent(length) {}

    [[nodiscard]] int index(int i) const { return (i - start + tile) / tile; }
    [[nodiscard]] int count() const { return index(extent - 1) - index(0) + 1; }

    /// The distance to the nearest seam between two tiles. The edges of the picture are not seams.
    [[nodiscard]] int to_seam(int i) const {
        const int before = (i - start + tile) % tile, after = tile - 1 - before;
        const int none = std::numeric_limits<int>::max();
        return std::min(index(i) == index(0) ? none : before, index(i) == index(extent - 1) ? none : after);
    }
};

class Patterns {
  public:
    Patterns(const Stage &stage, const std::vector<bool> &differs) : stage_(stage), total_(differs.size()) {
        for (std::size_t i = 0; i < differs.size(); i++)
            if (differs[i])
                points_.push_back({static_cast<int>(i) % stage.width, static_cast<int>(i) / stage.width});
    }

    std::vector<std::string> find() {
        if (points_.empty())
            return {};
        if (points_.size() == total_)
            return {"every value"};
        if (points_.size() == 1)
            add("a single value");
        borders();
        rows_and_columns();
        tiles();
        lanes();
        return std::move(phrases_);
    }

  private:
    void add(std::string phrase) { phrases_.push_back(std::move(phrase)); }

    [[nodiscard]] int greatest(const std::function<int(Point)> &measure) const {
        int most = 0;
        for (const Point &point : points_)
            most = std::max(most, measure(point));
        return most;
    }

    /// Adds a phrase when all differences are less than `widest_reach` away from `where` and most other values are not.
    void near(const std::function<int(Point)> &away, int extent, const std::string &where) {
        const int farthest = greatest(away);
        if (farthest < widest_reach && 4 * (farthest + 1) <= extent)
            add(fmt::format("only within {} of {}", farthest + 1, where));
    }

    void borders() {
        const int right = stage_.width - 1, bottom = stage_.height - 1;
        const auto to_border = [&](Point p) { return std::min({p.x, right - p.x, p.y, bottom - p.y}); };
        const std::size_t before = phrases_.size();
        near([](Point p) { return p.x; }, stage_.width, "the left edge");
        near([&](Point p) { return right - p.x; }, stage_.width, "the right edge");
        near([](Point p) { return p.y; }, stage_.height, "the top edge");
        near([&](Point p) { return bottom - p.y; }, stage_.height, "the bottom edge");
        if (phrases_.size() == before && std::min(stage_.width, stage_.height) > 1)
            near(to_border, std::min(stage_.width, stage_.height), "the picture's border");
    }

    void rows_and_columns() {
        const int first = points_.front().y;
        const auto rest = static_cast<std::size_t>(stage_.height - first) * static_cast<std::size_t>(stage_.width);
        if (first > 0 && 10 * points_.size() >= 9 * rest)
            add(fmt::format("everything from row {} on", first));
        std::set<int> rows, columns;
        for (const Point &point : points_) {
            rows.insert(point.y);
            columns.insert(point.x);
        }
        if (stage_.height > 4 && rows.size() == 1)
            add(fmt::format("only in row {}", *rows.begin()));
        if (stage_.width > 4 && columns.size() == 1 && points_.size() > 1)
            add(fmt::format("only in column {}", *columns.begin()));
        parity(rows, "rows", stage_.height);
        parity(columns, "columns", stage_.width);
    }

    void parity(const std::set<int> &which, const char *what, int extent) {
        if (which.size() < 3 || extent < 8)
            return;
        for (const int odd : {0, 1})
            if (std::ranges::all_of(which, [&](int i) { return i % 2 == odd; }))
                add(fmt::format("only in {} {}", odd ? "odd" : "even", what));
    }

    void tiles() {
        const Tiling columns{stage_.tile_left, stage_.tile_width, stage_.width};
        const Tiling rows{stage_.tile_top, stage_.tile_height, stage_.height};
        if (columns.count() > 1)
            near([&](Point p) { return columns.to_seam(p.x); }, columns.tile,
                 fmt::format("the seams of tiles {} wide", columns.tile));
        if (rows.count() > 1)
            near([&](Point p) { return rows.to_seam(p.y); }, rows.tile,
                 fmt::format("the seams of tiles {} high", rows.tile));
        std::set<std::pair<int, int>> hit;
        for (const Point &point : points_)
            hit.insert({rows.index(point.y), columns.index(point.x)});
        const auto count = static_cast<int>(hit.size());
        if (const int all = columns.count() * rows.count(); count < all)
            add(fmt::format("in {} of {} tiles of {}x{}", count, all, columns.tile, rows.tile));
    }

    /// Neighbouring lanes of a wave usually compute neighbouring values of a row.
    void lanes() {
        for (const int wave : {64, 32}) {
            if (stage_.width < 2 * wave || points_.size() < 3)
                continue;
            const int lane = points_.front().x % wave;
            if (std::ranges::any_of(points_, [&](Point p) { return p.x % wave != lane; }))
                continue;
            add(fmt::format("only in columns that are {} modulo {}: a multiple of a wave's width", lane, wave));
            return;
        }
    }

    const Stage &stage_;
    std::size_t total_;
    std::vector<Point> points_;
    std::vector<std::string> phrases_;
};

} // namespace

std::vector<std::string> find_patterns(const Stage &stage, const std::vector<bool> &differs) {
    return Patterns(stage, differs).find();
}

} // namespace isovmaf::diff
