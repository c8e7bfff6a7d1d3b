// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "align/offset_costs.hpp"

#include <algorithm>
#include <cmath>

namespace isovmaf {

std::uint16_t difference(const Thumbnail &a, const Thumbnail &b) {
    std::uint64_t sum = 0;
    for (std::size_t i = 0; i < a.samples.size(); i++) {
        const std::int32_t gap = a.samples[i] - b.samples[i]; // its square fits 31 bits
        sum += static_cast<std::uint32_t>(gap * gap);
    }
    return static_cast<std::uint16_t>(std::sqrt(sum / a.samples.size()));
}

void OffsetCosts::add_unpaired(const Thumbnail &moving) {
    const std::size_t number = moving_frames_++;
    const auto reach = static_cast<std::size_t>(reach_);
    while (!fixed_.empty() && fixed_.back().partner + reach < number)
        fixed_.pop_back();
    for (std::size_t age = 0; age < fixed_.size(); age++)
        costs_[position(frames() - 1 - age, static_cast<int>(number - fixed_[age].partner))] =
            difference(fixed_[age].picture, moving);
    moving_.push_front(moving);
    if (moving_.size() > reach + 1)
        moving_.pop_back();
}

void OffsetCosts::add(const Thumbnail &fixed, const Thumbnail &moving) {
    add_unpaired(moving);
    const std::size_t frame = motion_.size();
    motion_.push_back(frame == 0 ? std::uint16_t{0} : difference(fixed, last_fixed_));
    costs_.resize(position(frame + 1, -reach_), missing);
    for (std::size_t age = 0; age < moving_.size(); age++)
        costs_[position(frame, -static_cast<int>(age))] = difference(fixed, moving_[age]);
    fixed_.push_front({fixed, moving_frames_ - 1});
    last_fixed_ = fixed;
    if (first_.size() < static_cast<std::size_t>(reach_))
        first_.push_back({fixed, moving});
}

OffsetCosts::Part OffsetCosts::part() const {
    Part part{costs_, motion_, first_, {}};
    for (std::size_t age = std::min(first_.size(), fixed_.size()); age-- > 0;)
        part.last.push_back({fixed_[age].picture, moving_[age]});
    return part;
}

void OffsetCosts::append(const Part &part) {
    const std::size_t before = frames();
    for (const auto &[fixed, moving] : part.first)
        add(fixed, moving);
    costs_.resize((before + part.motion.size()) * row_size(), missing);
    for (std::size_t i = 0; i < part.costs.size(); i++)
        if (std::uint16_t &cost = costs_[before * row_size() + i]; cost == missing)
            cost = part.costs[i];
    if (frames() == before + part.motion.size())
        return;
    motion_.insert(motion_.end(), part.motion.begin() + std::ssize(part.first), part.motion.end());
    go_on_after(part.last);
}

/// Makes these pairs, which the costs include, the last ones that the next pair is compared with.
void OffsetCosts::go_on_after(const std::vector<PairThumbnails> &last) {
    moving_frames_ = frames() - last.size();
    moving_.clear();
    fixed_.clear();
    for (const auto &[fixed, moving] : last) {
        moving_.push_front(moving);
        fixed_.push_front({fixed, moving_frames_++});
    }
    last_fixed_ = last.back().reference;
}

std::optional<int> OffsetCosts::cost(std::size_t frame, int offset) const {
    const std::uint16_t cost = costs_[position(frame, offset)];
    return cost == missing ? std::nullopt : std::optional<int>(cost);
}

} // namespace isovmaf
