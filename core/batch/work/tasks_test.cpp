// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "batch/work/task_source.hpp"

#include <algorithm>
#include <chrono>
#include <numeric>
#include <set>
#include <thread>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock.h>

#include "base/testing/temporary_folder.hpp"
#include "batch/work/tasks.hpp"

namespace isovmaf::testing::tasks_test {
namespace {

using batch::OwnTasks;
using batch::RowTable;
using batch::Shard;
using batch::Task;
using batch::Unit;
using batch::UnitEnd;
using batch::UnitOutcome;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using Numbers = std::vector<std::size_t>;

/// Rows of so many encodes for each reference, and their units.
class Rows {
  public:
    explicit Rows(const Numbers &encodes, std::int64_t frames = 0, std::int64_t segment_frames = 0)
        : segment_frames_(segment_frames) {
        std::string text;
        for (std::size_t reference = 0; reference < encodes.size(); reference++)
            for (std::size_t i = 0; i < encodes[reference]; i++) {
                batch::Row row{1, fmt::format("r{}", reference), fmt::format("d{}-{}", reference, i)};
                if (frames > 0)
                    row.frames = frames;
                text += *encode_row(row) + '\n';
            }
        table_.emplace(*RowTable::open(folder_.write("rows.jsonl", text)));
        units_ = *batch::plan_units(*table_, segment_frames);
    }

    [[nodiscard]] const RowTable &table() const { return *table_; }
    [[nodiscard]] const std::vector<Unit> &units() const { return units_; }
    [[nodiscard]] std::size_t rows() const { return table_->size(); }
    [[nodiscard]] const TemporaryFolder &folder() const { return folder_; }
    [[nodiscard]] std::string name(std::size_t unit) const {
        return unit_name(*table_->row(units_[unit].row), units_[unit].frames);
    }

    [[nodiscard]] std::vector<Task> tasks(std::size_t workers, std::size_t group,
                                          const std::map<std::string, batch::UnitDeaths> &deaths = {}) const {
        return *plan_tasks(units_, *table_, deaths, {workers, group});
    }

    /// The names of the units of each shard, as its process reads them.
    [[nodiscard]] std::vector<std::vector<std::string>> shards(std::size_t count, std::size_t at_once,
                                                               std::vector<std::uint64_t> bytes = {}) const {
        bytes.resize(rows(), 1000);
        const auto numbers = plan_shards(units_, bytes, {count, at_once});
        const std::string file = folder_.file("shards.jsonl");
        EXPECT_TRUE(batch::write_shards(file, *rows_of_shards(units_, *table_, numbers, count)));
        std::vector<std::vector<std::string>> names(count);
        for (std::size_t i = 0; i < count; i++) {
            const RowTable own = *RowTable::open(file, Shard{i, count});
            const std::vector<Unit> units = *batch::plan_units(own, segment_frames_);
            for (const Unit &unit : units)
                names[i].push_back(unit_name(*own.row(unit.row), unit.frames));
        }
        return names;
    }

  private:
    TemporaryFolder folder_;
    std::int64_t segment_frames_;
    std::optional<RowTable> table_;
    std::vector<Unit> units_;
};

std::vector<Numbers> numbers_of(const std::vector<Task> &tasks) {
    std::vector<Numbers> numbers;
    for (const Task &task : tasks)
        numbers.push_back(task.units);
    return numbers;
}

TEST(Tasks, EncodesOfAReferenceStandTogetherAndEachWorkerGetsSome) {
    const Rows rows({2, 5, 1});
    EXPECT_THAT(numbers_of(rows.tasks(1, 8)), ElementsAre(Numbers{0, 1}, Numbers{2, 3, 4, 5, 6}, Numbers{7}));
    EXPECT_THAT(numbers_of(rows.tasks(1, 4)), ElementsAre(Numbers{0, 1}, Numbers{2, 3}, Numbers{4, 5, 6}, Numbers{7}));
    EXPECT_THAT(numbers_of(rows.tasks(4, 8)),
                ElementsAre(Numbers{0, 1}, Numbers{2}, Numbers{3, 4}, Numbers{5, 6}, Numbers{7}));
    EXPECT_EQ(rows.tasks(1, 1).size(), 8U);
    EXPECT_EQ(rows.tasks(100, 8).size(), 8U);
    EXPECT_THAT(Rows({}).tasks(1, 8), IsEmpty());
}

TEST(Tasks, UnitsThatMayHaveKilledAProcessAreAloneAndLast) {
    const Rows rows({3, 1});
    const std::vector<Task> tasks = rows.tasks(1, 8, {{rows.name(1), {1, 0}}});
    EXPECT_THAT(numbers_of(tasks), ElementsAre(Numbers{0, 2}, Numbers{3}, Numbers{1}));
    EXPECT_FALSE(tasks[0].alone);
    EXPECT_TRUE(tasks[2].alone);
}

TEST(Shards, HaveAllUnitsOnce) {
    for (const std::int64_t segment_frames : {0, 4})
        for (const std::size_t count : {1U, 2U, 3U, 50U}) {
            const Rows rows({3, 1, 4, 2}, 10, segment_frames);
            std::multiset<std::string> names, all;
            for (const auto &shard : rows.shards(count, count))
                names.insert(shard.begin(), shard.end());
            for (std::size_t i = 0; i < rows.units().size(); i++)
                all.insert(rows.name(i));
            EXPECT_EQ(names, all) << count;
        }
}

/// How many shards have encodes of each reference.
Numbers shards_of_references(const Rows &rows, std::size_t count, std::size_t at_once) {
    std::vector<std::uint64_t> bytes(rows.rows(), 1000);
    const auto shard_of_unit = plan_shards(rows.units(), bytes, {count, at_once});
    std::map<std::uint64_t, std::set<std::size_t>> shards;
    for (std::size_t i = 0; i < rows.units().size(); i++)
        shards[rows.units()[i].group].insert(shard_of_unit[i]);
    Numbers counts;
    for (const auto &[group, of_group] : shards)
        counts.push_back(of_group.size());
    return counts;
}

TEST(Shards, AReferenceStaysTogetherUnlessShardsWouldWait) {
    EXPECT_THAT(shards_of_references(Rows({8, 8, 8, 8}), 16, 4), ElementsAre(1, 1, 1, 1));
    EXPECT_THAT(shards_of_references(Rows({8}), 4, 4), ElementsAre(4)); // all four have work
    EXPECT_THAT(shards_of_references(Rows({8, 8}), 4, 4), ElementsAre(4, 4));
}

TEST(Shards, HaveAboutTheSameBytes) {
    const Rows rows(Numbers(100, 1));
    std::vector<std::uint64_t> bytes(100);
    std::iota(bytes.begin(), bytes.end(), 1000);
    bytes[3] = 20'000;
    const auto shard_of_unit = plan_shards(rows.units(), bytes, {10, 10});
    std::vector<std::uint64_t> sums(10);
    for (std::size_t i = 0; i < 100; i++)
        sums[shard_of_unit[i]] += bytes[i];
    const auto [least, most] = std::ranges::minmax(sums);
    EXPECT_EQ(most, 20'000U);
    EXPECT_GT(least, 8'500U);
}

TEST(Shards, AFileThatIsCutIsFound) {
    const Rows rows({4});
    (void)rows.shards(2, 2);
    const std::string file = rows.folder().file("shards.jsonl");
    EXPECT_TRUE(RowTable::open(file, Shard{1, 2}));
    std::filesystem::resize_file(file, 40);
    EXPECT_FALSE(RowTable::open(file, Shard{1, 2}));
}

bool never() { return false; }

TEST(OwnTasks, GiveAllUnitsAndLookAgainAtThoseOfOthers) {
    OwnTasks source({{{0, 1}}, {{2}}});
    EXPECT_EQ(source.units(), 3U);
    int looks = 0; // of the worker, which waits between two of them
    const auto count = [&] {
        looks++;
        return false;
    };
    const Task first = **source.next(count);
    EXPECT_EQ(first.units, (Numbers{0, 1}));
    const auto start = std::chrono::steady_clock::now();
    ASSERT_TRUE(source.done(first, std::vector<UnitOutcome>{{UnitEnd::finished}, {UnitEnd::busy}}));
    const Task second = **source.next(count);
    EXPECT_EQ(second.units, Numbers{2});
    ASSERT_TRUE(source.done(second, std::vector<UnitOutcome>{{UnitEnd::transient}}));
    EXPECT_EQ(looks, 2) << "no task was waited for";
    const Task again = **source.next(count);
    EXPECT_EQ(again.units, Numbers{1});
    EXPECT_GT(std::chrono::steady_clock::now() - start, std::chrono::milliseconds(400));
    ASSERT_TRUE(source.done(again, std::vector<UnitOutcome>{{UnitEnd::known}}));
    EXPECT_FALSE(source.next(never)->has_value());
}

TEST(OwnTasks, AWorkerLeavesWhenTheLastTaskIsDoneOrItHasToStop) {
    OwnTasks source(std::vector<Task>{{{0}}});
    const Task task = **source.next(never);
    EXPECT_FALSE(source.next([] { return true; })->has_value());
    std::jthread other([&] { EXPECT_FALSE(source.next(never)->has_value()); });
    ASSERT_TRUE(source.done(task, std::vector<UnitOutcome>{{UnitEnd::finished}}));
}

} // namespace
} // namespace isovmaf::testing::tasks_test
