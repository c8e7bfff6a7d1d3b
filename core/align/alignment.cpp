// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "align/alignment.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>

namespace isovmaf {

namespace {

// When a part counts as shifted, against the offset of the part before: frames that were compared, ratio of the mean
// differences, gain in mean difference (absolute, and as a share of what one frame of motion changes), and share of
// frames that fit better. docs/research/alignment.md has the study behind these numbers.
constexpr int least_frames = 8;
constexpr double largest_ratio = 0.8;
constexpr double least_gain = Thumbnail::levels / 16.0;
constexpr double least_gain_of_motion = 0.2;
constexpr double least_share_of_wins = 0.8;

/// A frame has a vote only if it differs by this share of the motion: repeated pictures have none.
constexpr double least_vote_of_motion = 0.1;

/// Differences above this say no more than "another picture": at cuts they are far larger.
constexpr int largest_cost = 16 * Thumbnail::levels;

/// A change of the offset has to explain as much as the motion of this many frames.
constexpr double frames_per_change = 5;

double mean_motion(const OffsetCosts &costs) {
    double sum = 0;
    for (std::size_t frame = 1; frame < costs.frames(); frame++)
        sum += std::min(costs.motion(frame), largest_cost);
    return sum / static_cast<double>(costs.frames() - 1);
}

/// The cheapest path through all frames, one offset for each, where each change of the offset costs `change` and the
/// path starts at offset 0.
class OffsetPath {
  public:
    OffsetPath(const OffsetCosts &costs, double change)
        : costs_(costs), change_(change), states_(static_cast<std::size_t>(2 * costs.reach() + 1)),
          total_(states_, change), came_from_(costs.frames() * states_) {
        total_[static_cast<std::size_t>(costs.reach())] = 0;
    }

    std::vector<int> find() {
        for (std::size_t frame = 0; frame < costs_.frames(); frame++)
            step(frame);
        std::vector<int> offsets(costs_.frames());
        auto state = static_cast<std::size_t>(std::ranges::min_element(total_) - total_.begin());
        for (std::size_t frame = costs_.frames(); frame-- > 0;) {
            offsets[frame] = static_cast<int>(state) - costs_.reach();
            state = came_from_[frame * states_ + state];
        }
        return offsets;
    }

  private:
    /// The costs of one frame. An offset that leads outside the video costs as much as the best of the others.
    std::vector<double> row(std::size_t frame) const {
        std::vector<double> values(states_);
        double least = largest_cost;
        for (std::size_t s = 0; s < states_; s++) {
            const auto cost = costs_.cost(frame, static_cast<int>(s) - costs_.reach());
            values[s] = cost ? std::min(*cost, largest_cost) : -1;
            least = cost ? std::min(least, values[s]) : least;
        }
        std::ranges::replace(values, -1.0, least);
        return values;
    }

    void step(std::size_t frame) {
        const auto cheapest = static_cast<std::size_t>(std::ranges::min_element(total_) - total_.begin());
        const double jump = total_[cheapest] + change_;
        const std::vector<double> values = row(frame);
        for (std::size_t s = 0; s < states_; s++) {
            const bool stay = frame == 0 || total_[s] <= jump;
            came_from_[frame * states_ + s] = static_cast<std::uint16_t>(stay ? s : cheapest);
            total_[s] = (stay ? total_[s] : jump) + values[s];
        }
    }

    const OffsetCosts &costs_;
    double change_;
    std::size_t states_;
    std::vector<double> total_;            ///< of the cheapest path that ends in each state
    std::vector<std::uint16_t> came_from_; ///< frame by frame: the state before
};

/// Two offsets compared on the frames that have both.
struct Contest {
    double sum = 0, sum_before = 0;
    int frames = 0, wins = 0, losses = 0;

    [[nodiscard]] double mean(double total) const { return frames > 0 ? total / frames : 0; }

    [[nodiscard]] bool is_clear(double motion) const {
        const double gain = mean(sum_before - sum);
        return frames >= least_frames && sum <= largest_ratio * sum_before && gain >= least_gain &&
               gain >= least_gain_of_motion * motion && wins >= least_share_of_wins * (wins + losses);
    }
};

Contest compare(const OffsetCosts &costs, std::size_t begin, std::size_t end, int offset, int before, double motion) {
    Contest contest;
    const double least = std::max(least_gain, least_vote_of_motion * motion);
    for (std::size_t frame = begin; frame < end; frame++) {
        const auto cost = costs.cost(frame, offset), cost_before = costs.cost(frame, before);
        if (!cost || !cost_before)
            continue;
        contest.frames++;
        contest.sum += std::min(*cost, largest_cost);
        contest.sum_before += std::min(*cost_before, largest_cost);
        contest.wins += *cost_before - *cost >= least;
        contest.losses += *cost - *cost_before >= least;
    }
    return contest;
}

} // namespace

std::vector<AlignedPart> find_alignment(const OffsetCosts &costs) {
    std::vector<AlignedPart> parts{{}};
    if (costs.frames() < static_cast<std::size_t>(least_frames))
        return parts;
    const double motion = mean_motion(costs);
    const std::vector<int> offsets = OffsetPath(costs, frames_per_change * std::max(motion, 1.0)).find();
    for (std::size_t begin = 0, end = 0; begin < offsets.size(); begin = end) {
        while (end < offsets.size() && offsets[end] == offsets[begin])
            end++;
        const int before = parts.back().offset;
        if (offsets[begin] == before)
            continue;
        const Contest contest = compare(costs, begin, end, offsets[begin], before, motion);
        if (!contest.is_clear(motion))
            continue;
        // Nothing is known about a part that is too short to be compared: it belongs to the first finding.
        const bool is_first = begin < static_cast<std::size_t>(least_frames);
        const AlignedPart part{is_first ? 0 : begin, offsets[begin], contest.mean(contest.sum) / Thumbnail::levels,
                               contest.mean(contest.sum_before) / Thumbnail::levels};
        if (is_first)
            parts.front() = part;
        else
            parts.push_back(part);
    }
    return parts;
}

bool is_aligned(const std::vector<AlignedPart> &parts) { return parts.size() == 1 && parts.front().offset == 0; }

} // namespace isovmaf
