// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "align/alignment.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <optional>

namespace isovmaf {

namespace {

// When a part counts as shifted, against the offset of the part before. docs/research/alignment.md has the study behind
// these numbers.
constexpr int least_frames = 8;             ///< that were compared
constexpr double least_share_of_wins = 0.7; ///< of the frames with a vote that fit better
constexpr double largest_ratio = 0.97;      ///< of the mean differences

/// A frame has a vote only if its squared difference changes by this share of the motion: repeated pictures have none.
constexpr double least_vote_of_motion = 0.1;
constexpr double least_vote = 16; ///< a sixteenth of a level, squared

/// An encoder repeats what it coded before, so its pictures fit a time between two frames. They are taken to be late by
/// up to this share of a frame; the rest of a frame, in which they would be early, is for errors of the measurement.
constexpr double most_lag = 0.75;

// What is left of the squared difference at the best offset, as a multiple of the motion of one frame. The worse the
// pictures are, the later they can seem; and slow motion, below one level per frame, is what encoders drop first.
constexpr double most_rest_of_motion = 6, most_rest_of_slow_motion = 1.7;
constexpr double slow_motion = 1, least_motion = 0.125; ///< levels per frame

/// Differences above this say no more than "another picture": at cuts they are far larger.
constexpr int largest_cost = 16 * Thumbnail::levels;

/// A change of the offset has to explain as much as the motion of this many frames.
constexpr double frames_per_change = 5;

/// The error of the encoder and the difference that a shift makes add up in squares.
double squared(int cost) {
    const double limited = std::min(cost, largest_cost);
    return limited * limited;
}

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

/// A parabola through the mean squared differences at three offsets in a row, of which the middle one is the least.
struct Fit {
    double bottom; ///< offset, in frames
    double motion; ///< squared difference that a shift by one frame makes
    double rest;   ///< squared difference at the middle offset

    [[nodiscard]] bool is_clear() const {
        const auto squared_levels = [](double levels) {
            return levels * levels * Thumbnail::levels * Thumbnail::levels;
        };
        const double most = motion < squared_levels(slow_motion) ? most_rest_of_slow_motion : most_rest_of_motion;
        return motion >= squared_levels(least_motion) && rest <= most * motion;
    }

    /// The offset of the frames that the encoder was given. Its lag is a share of its own frames, which can be longer
    /// than those of the moving video.
    [[nodiscard]] int offset(const MovingSide &side) const {
        const double late = side.reference ? -bottom : bottom;
        const bool in_time = late >= most_lag - 1 && late < most_lag * side.distorted_frame;
        const int frames = in_time ? 0 : static_cast<int>(std::floor(late + 1 - most_lag));
        return side.reference ? -frames : frames;
    }
};

/// Nothing where too few frames have all three offsets, or where the middle one is not the least.
std::optional<Fit> fit(const OffsetCosts &costs, std::size_t begin, std::size_t end, int offset) {
    if (std::abs(offset) == costs.reach())
        return std::nullopt;
    std::array<double, 3> sums{};
    int frames = 0;
    for (std::size_t frame = begin; frame < end; frame++) {
        const auto early = costs.cost(frame, offset - 1), at = costs.cost(frame, offset),
                   late = costs.cost(frame, offset + 1);
        if (!early || !at || !late)
            continue;
        frames++;
        sums[0] += squared(*early);
        sums[1] += squared(*at);
        sums[2] += squared(*late);
    }
    const double bend = sums[0] - 2 * sums[1] + sums[2];
    if (frames < least_frames || sums[1] > sums[0] || sums[1] > sums[2] || bend <= 0)
        return std::nullopt;
    return Fit{offset + (sums[0] - sums[2]) / (2 * bend), bend / 2 / frames, sums[1] / frames};
}

/// Two offsets compared on the frames that have both.
struct Contest {
    double sum = 0, sum_before = 0;
    int frames = 0, wins = 0, losses = 0;

    [[nodiscard]] double mean(double total) const { return frames > 0 ? total / frames : 0; }

    [[nodiscard]] bool is_clear() const {
        return frames >= least_frames && wins > 0 && wins >= least_share_of_wins * (wins + losses) &&
               sum <= largest_ratio * sum_before;
    }
};

Contest compare(const OffsetCosts &costs, std::size_t begin, std::size_t end, int offset, int before, double motion) {
    Contest contest;
    const double least = std::max(least_vote, least_vote_of_motion * motion);
    for (std::size_t frame = begin; frame < end; frame++) {
        const auto cost = costs.cost(frame, offset), cost_before = costs.cost(frame, before);
        if (!cost || !cost_before)
            continue;
        const double gain = squared(*cost_before) - squared(*cost);
        contest.frames++;
        contest.sum += std::min(*cost, largest_cost);
        contest.sum_before += std::min(*cost_before, largest_cost);
        contest.wins += gain >= least;
        contest.losses += -gain >= least;
    }
    return contest;
}

/// The finding in a part whose cheapest path has `offset`, against the offset before it; nothing when there is doubt.
std::optional<AlignedPart> judge(const OffsetCosts &costs, const MovingSide &side, std::size_t begin, std::size_t end,
                                 int path_offset, int before) {
    const std::optional<Fit> found = fit(costs, begin, end, path_offset);
    if (!found || !found->is_clear())
        return std::nullopt;
    const int offset = found->offset(side);
    if (offset == before || std::abs(offset) > costs.reach())
        return std::nullopt;
    const Contest contest = compare(costs, begin, end, offset, before, found->motion);
    if (!contest.is_clear())
        return std::nullopt;
    return AlignedPart{begin, offset, contest.mean(contest.sum) / Thumbnail::levels,
                       contest.mean(contest.sum_before) / Thumbnail::levels};
}

/// Whether the frames before `end` fit `offset` no worse than 0, or are too few to be compared.
bool includes_start(const OffsetCosts &costs, std::size_t end, int offset) {
    const Contest contest = compare(costs, 0, end, offset, 0, 0);
    return contest.frames < least_frames || contest.sum <= contest.sum_before;
}

} // namespace

std::vector<AlignedPart> find_alignment(const OffsetCosts &costs, const MovingSide &side) {
    std::vector<AlignedPart> parts{{}};
    if (costs.frames() < static_cast<std::size_t>(least_frames))
        return parts;
    const std::vector<int> offsets = OffsetPath(costs, frames_per_change * std::max(mean_motion(costs), 1.0)).find();
    for (std::size_t begin = 0, end = 0; begin < offsets.size(); begin = end) {
        while (end < offsets.size() && offsets[end] == offsets[begin])
            end++;
        const int before = parts.back().offset;
        if (offsets[begin] == before)
            continue;
        std::optional<AlignedPart> part = judge(costs, side, begin, end, offsets[begin], before);
        if (!part)
            continue;
        if (parts.size() == 1 && before == 0 && includes_start(costs, begin, part->offset)) {
            part->first_frame = 0;
            parts.front() = *part;
        } else {
            parts.push_back(*part);
        }
    }
    return parts;
}

bool is_aligned(const std::vector<AlignedPart> &parts) { return parts.size() == 1 && parts.front().offset == 0; }

} // namespace isovmaf
