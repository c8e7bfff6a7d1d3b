// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "align/offset_costs.hpp"

namespace isovmaf {

void OffsetCosts::add(const Thumbnail &reference, const Thumbnail &distorted) {
    const std::size_t frame = motion_.size();
    motion_.push_back(frame == 0 ? std::uint16_t{0} : difference(reference, reference_.front()));
    costs_.resize(position(frame + 1, -reach_), missing);
    reference_.push_front(reference);
    distorted_.push_front(distorted);
    costs_[position(frame, 0)] = difference(reference, distorted);
    for (std::size_t age = 1; age < reference_.size(); age++) {
        const int offset = static_cast<int>(age);
        costs_[position(frame, -offset)] = difference(reference, distorted_[age]);
        costs_[position(frame - age, offset)] = difference(reference_[age], distorted);
    }
    if (reference_.size() > static_cast<std::size_t>(reach_)) {
        reference_.pop_back();
        distorted_.pop_back();
    }
}

std::optional<int> OffsetCosts::cost(std::size_t frame, int offset) const {
    const std::uint16_t cost = costs_[position(frame, offset)];
    return cost == missing ? std::nullopt : std::optional<int>(cost);
}

} // namespace isovmaf
