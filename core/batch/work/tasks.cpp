// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "batch/work/tasks.hpp"

#include <algorithm>
#include <functional>
#include <queue>
#include <unordered_map>
#include <utility>

#include "base/try.hpp"

namespace isovmaf::batch {

namespace {

using Numbers = std::vector<std::size_t>;

/// The units of each group, in the order of the groups' first units.
std::vector<Numbers> groups_of(std::span<const Unit> units, const std::function<bool(std::size_t)> &is_member) {
    std::vector<Numbers> groups;
    std::unordered_map<std::uint64_t, std::size_t> places; // of groups
    for (std::size_t i = 0; i < units.size(); i++) {
        if (!is_member(i))
            continue;
        const auto [place, added] = places.try_emplace(units[i].group, groups.size());
        if (added)
            groups.emplace_back();
        groups[place->second].push_back(i);
    }
    return groups;
}

/// Cuts numbers into parts of about the same length.
std::vector<Numbers> cut(const Numbers &numbers, std::size_t parts) {
    std::vector<Numbers> cut_parts;
    const auto place = [&](std::size_t part) {
        return numbers.begin() + static_cast<std::ptrdiff_t>(numbers.size() * part / parts);
    };
    for (std::size_t i = 0; i < parts; i++)
        cut_parts.emplace_back(place(i), place(i + 1));
    return cut_parts;
}

std::size_t divided_up(std::size_t a, std::size_t b) { return (a + b - 1) / b; }

/// Whether a process died with the unit in work, by the units' numbers.
Result<std::vector<bool>> suspects(std::span<const Unit> units, const RowTable &rows,
                                   const std::map<std::string, UnitDeaths> &deaths) {
    std::vector<bool> found(units.size());
    if (!deaths.empty())
        for (std::size_t i = 0; i < units.size(); i++)
            found[i] = deaths.contains(unit_name(TRY(rows.row(units[i].row)), units[i].frames));
    return found;
}

} // namespace

Result<std::vector<Task>> plan_tasks(std::span<const Unit> units, const RowTable &rows,
                                     const std::map<std::string, UnitDeaths> &deaths, const TaskOptions &options) {
    const std::vector<bool> is_suspect = TRY(suspects(units, rows, deaths));
    const std::size_t share = std::max<std::size_t>(1, divided_up(units.size(), options.workers));
    const std::size_t most = std::min(options.most_in_group, share);
    std::vector<Task> tasks;
    for (const Numbers &group : groups_of(units, [&](std::size_t unit) { return !is_suspect[unit]; }))
        for (Numbers &part : cut(group, divided_up(group.size(), most)))
            tasks.push_back({std::move(part)});
    std::ranges::sort(tasks, {}, [](const Task &task) { return task.units.front(); });
    for (std::size_t i = 0; i < units.size(); i++)
        if (is_suspect[i])
            tasks.push_back({{i}, true});
    return tasks;
}

std::vector<std::size_t> plan_shards(std::span<const Unit> units, std::span<const std::uint64_t> bytes,
                                     const ShardOptions &options) {
    Numbers units_of_row(bytes.size());
    for (const Unit &unit : units)
        units_of_row[unit.row]++;
    const auto weight = [&](const Numbers &numbers) { // a unit without bytes is work, too
        double sum = 0;
        for (const std::size_t i : numbers)
            sum += 1 + static_cast<double>(bytes[units[i].row]) / static_cast<double>(units_of_row[units[i].row]);
        return sum;
    };
    const std::vector<Numbers> groups = groups_of(units, [](std::size_t) { return true; });
    double all = 0;
    for (const Numbers &group : groups)
        all += weight(group);
    std::vector<std::pair<double, Numbers>> parts; // with their weights
    for (const Numbers &group : groups) {
        // Two parts for each shard at work: one of them may turn out to be much longer.
        const double share = weight(group) / all * 2 * static_cast<double>(options.at_once);
        const std::size_t count = groups.size() >= options.at_once
                                      ? 1
                                      : std::clamp<std::size_t>(static_cast<std::size_t>(share + 0.5), 1, group.size());
        for (Numbers &part : cut(group, count))
            parts.emplace_back(weight(part), std::move(part));
    }
    std::ranges::stable_sort(parts, std::greater(), &std::pair<double, Numbers>::first);
    using Load = std::pair<double, std::size_t>; // of a shard
    std::priority_queue<Load, std::vector<Load>, std::greater<>> shards;
    for (std::size_t i = 0; i < options.shards; i++)
        shards.emplace(0, i);
    std::vector<std::size_t> shard_of_unit(units.size());
    for (const auto &[weight_of_part, part] : parts) {
        const Load least = shards.top();
        shards.pop();
        shards.emplace(least.first + weight_of_part, least.second);
        for (const std::size_t unit : part)
            shard_of_unit[unit] = least.second;
    }
    return shard_of_unit;
}

Result<std::vector<std::string>> rows_of_shards(std::span<const Unit> units, const RowTable &rows,
                                                std::span<const std::size_t> shard_of_unit, std::size_t shards) {
    std::vector<std::string> texts(shards);
    for (std::size_t i = 0; i < units.size();) {
        const std::size_t number = units[i].row;
        std::map<std::size_t, std::vector<std::int64_t>> segments; // by shard
        std::int64_t segment = 0;
        for (; i < units.size() && units[i].row == number; i++)
            segments[shard_of_unit[i]].push_back(segment++);
        Row row = TRY(rows.row(number));
        for (auto &[shard, of_shard] : segments) {
            row.segments = segments.size() > 1 ? std::move(of_shard) : std::vector<std::int64_t>();
            texts[shard] += TRY(encode_row(row)) + '\n';
        }
    }
    return texts;
}

} // namespace isovmaf::batch
