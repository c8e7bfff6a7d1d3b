// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "features/stages.hpp"

namespace isovmaf {

StageMemory::StageMemory(const std::vector<Stage> &stages) {
    std::vector<std::int64_t> places;
    std::size_t end = ISOVMAF_TAPS_WORDS_PER_STAGE * stages.size();
    for (const Stage &stage : stages) {
        places.insert(places.end(), {static_cast<std::int64_t>(end), stage.width});
        size_.push_back(static_cast<std::size_t>(stage.width) * static_cast<std::size_t>(stage.height));
        end += size_.back();
    }
    words_ = std::move(places);
    words_.resize(end);
}

std::span<const std::int64_t> StageMemory::plane(std::size_t stage) const {
    const std::int64_t place = words_[ISOVMAF_TAPS_WORDS_PER_STAGE * stage];
    return words().subspan(static_cast<std::size_t>(place), size_[stage]);
}

} // namespace isovmaf
