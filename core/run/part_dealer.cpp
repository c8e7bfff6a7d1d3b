// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "run/part_dealer.hpp"

#include <algorithm>
#include <functional>
#include <numeric>
#include <utility>

namespace isovmaf {

void PartDealer::set_plan(PartPlan plan) {
    const std::lock_guard lock(mutex_);
    plan_ = std::move(plan);
    const auto begun = std::ranges::find_if(parts_, [](const std::optional<Part> &part) { return part.has_value(); });
    const std::int64_t first = begun != parts_.end() ? (*begun)->next : 0;
    const auto workers = static_cast<std::int64_t>(parts_.size());
    share_ = std::clamp((plan_->frames - first + workers - 1) / workers, plan_->least_frames, plan_->most_frames);
    if (begun != parts_.end()) // without an end so far
        free_ = (*begun)->end = end_of_share(first);
    changed_.notify_all();
}

std::optional<std::int64_t> PartDealer::begin(std::size_t worker) {
    std::unique_lock lock(mutex_);
    std::optional<Part> &part = parts_[worker];
    part.reset();
    for (;; changed_.wait(lock)) {
        if (stopped_)
            return std::nullopt;
        if (free_ && may_deal()) {
            part.emplace(Part{.next = *free_});
            part->end = deal();
        } else if (plan_) {
            part = halve_longest();
        }
        if (part)
            return part->next;
        if (plan_ && !free_)
            return std::nullopt;
    }
}

bool PartDealer::goes_on(std::size_t worker, std::int64_t frame) {
    const std::lock_guard lock(mutex_);
    std::optional<Part> &part = parts_[worker];
    if (part->end && part->end == free_ && frame >= *free_ && !stopped_ && may_deal())
        part->end = deal();
    if (part->end && frame >= *part->end) {
        part.reset();
        return false;
    }
    part->next = std::max(part->next, frame + 1);
    return true;
}

void PartDealer::scored(std::int64_t frame) {
    const std::lock_guard lock(mutex_);
    scored_ = frame;
    changed_.notify_all();
}

void PartDealer::stop() {
    const std::lock_guard lock(mutex_);
    stopped_ = true;
    changed_.notify_all();
}

/// Whether the free frames may be begun: what is extracted of them waits in memory for the frames before them.
bool PartDealer::may_deal() const {
    if (!plan_)
        return free_ == 0;
    const auto workers = static_cast<std::int64_t>(parts_.size());
    return *free_ < scored_ + 2 * workers * plan_->most_frames;
}

/// Takes the first of the free frames, and returns where they end; nothing: with the videos.
std::optional<std::int64_t> PartDealer::deal() {
    free_ = plan_ ? end_of_share(*free_) : std::nullopt;
    return free_;
}

/// Where a share that begins with `first` ends; nothing: with the videos.
std::optional<std::int64_t> PartDealer::end_of_share(std::int64_t first) const {
    const bool leaves_a_part = first + share_ + plan_->least_frames <= plan_->frames;
    return leaves_a_part ? plan_->border_near(first + share_, first, plan_->frames) : std::nullopt;
}

/// The later half of the part that has most frames left, or of the next one where that has no border.
std::optional<PartDealer::Part> PartDealer::halve_longest() {
    std::vector<Part *> longest;
    for (std::optional<Part> &part : parts_)
        if (part)
            longest.push_back(&*part);
    std::ranges::stable_sort(longest, std::greater(), [this](const Part *part) { return frames_left(*part); });
    for (Part *const part : longest) {
        const std::int64_t end = part->end.value_or(plan_->frames);
        if (const auto border = plan_->border_near(std::midpoint(part->next, end), part->next, end)) {
            const Part later{*border, part->end};
            part->end = *border;
            return later;
        }
    }
    return std::nullopt;
}

std::int64_t PartDealer::frames_left(const Part &part) const { return part.end.value_or(plan_->frames) - part.next; }

} // namespace isovmaf
