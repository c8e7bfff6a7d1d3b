// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "batch/results/failure_reasons.hpp"

#include <algorithm>
#include <iterator>
#include <ranges>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/text.hpp"
#include "report/number_text.hpp"

namespace isovmaf::batch {

namespace {

std::string hosts_text(const std::set<std::string> &hosts) {
    constexpr std::size_t most_shown = 3;
    const std::size_t shown = std::min(hosts.size(), most_shown);
    std::string text =
        hosts.empty() ? "-" : escape_controls(fmt::format("{}", fmt::join(hosts | std::views::take(shown), ", ")));
    if (hosts.size() > shown)
        text += fmt::format(" and {} more", count_text(static_cast<std::int64_t>(hosts.size() - shown)));
    return text;
}

} // namespace

void FailureReasons::add(FailureKind kind, const std::string &message, const std::string &host) {
    FailureReason &reason = reasons_.try_emplace({message, kind}, FailureReason{kind, message}).first->second;
    reason.units++;
    if (!host.empty())
        reason.hosts.insert(host);
}

std::vector<FailureReason> FailureReasons::most_frequent_first() const {
    std::vector<FailureReason> sorted;
    std::ranges::copy(reasons_ | std::views::values, std::back_inserter(sorted));
    std::ranges::stable_sort(sorted, std::ranges::greater(), &FailureReason::units);
    return sorted;
}

std::string reasons_table(std::span<const FailureReason> reasons) {
    constexpr std::size_t most_shown = 10;
    if (reasons.empty())
        return {};
    const std::span<const FailureReason> shown = reasons.first(std::min(reasons.size(), most_shown));
    std::vector<std::string> hosts{"hosts"};
    for (const FailureReason &reason : shown)
        hosts.push_back(hosts_text(reason.hosts));
    const std::size_t width =
        std::ranges::max(hosts | std::views::transform([](const std::string &host) { return host.size(); }));
    std::string text = fmt::format("{:>9}  {:<9}  {:<{}}  reason\n", "units", "kind", hosts.front(), width);
    for (std::size_t i = 0; i < shown.size(); i++)
        text += fmt::format("{:>9}  {:<9}  {:<{}}  {}\n", count_text(static_cast<std::int64_t>(shown[i].units)),
                            failure_kind_name(shown[i].kind), hosts[i + 1], width, escape_controls(shown[i].message));
    if (reasons.size() > shown.size())
        text += fmt::format("and {}: --json prints all of them\n",
                            counted(static_cast<std::int64_t>(reasons.size() - shown.size()), "more reason"));
    return text;
}

} // namespace isovmaf::batch
