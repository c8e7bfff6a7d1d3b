// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "align/wide_search.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace isovmaf {

namespace {

constexpr std::size_t most_samples = 48;
constexpr int least_samples = 8;                ///< that have a partner at an offset
constexpr double least_difference = 1;          ///< levels: pictures that differ by less fit as they are
constexpr double largest_share = 0.25;          ///< of the mean squared difference, against that of the pairs
constexpr double largest_share_elsewhere = 0.5; ///< the same against the best offset that is no neighbour
constexpr double least_rest = 0.25;             ///< squared levels: smaller differences say nothing
constexpr double most_rest = 6;                 ///< of pictures that fit, in squared differences of one frame of motion
constexpr double most_error = 2;                ///< levels, of pictures that hardly move
constexpr double most_share_of_contrast = 0.05; ///< the same of pictures with contrast, squared
constexpr int neighbours = 3;                   ///< offsets on both sides whose pictures may fit nearly as well
constexpr double least_share_of_better = 0.9;   ///< of the samples
constexpr double least_contrast = 3;            ///< levels, the root of a picture's mean square
constexpr double least_correlation = 0.5;       ///< of pictures that show the same, however they were coded
constexpr double least_share_alike = 0.25;

double mean_square(const Thumbnail &picture) {
    double sum = 0;
    for (const std::int16_t sample : picture.samples)
        sum += static_cast<double>(sample) * sample;
    return sum / static_cast<double>(picture.samples.size()) / (Thumbnail::levels * Thumbnail::levels);
}

double correlation(const Thumbnail &a, const Thumbnail &b) {
    double sum = 0;
    for (std::size_t i = 0; i < a.samples.size(); i++)
        sum += static_cast<double>(a.samples[i]) * b.samples[i];
    const double mean = sum / static_cast<double>(a.samples.size()) / (Thumbnail::levels * Thumbnail::levels);
    return mean / std::sqrt(mean_square(a) * mean_square(b));
}

double squared_levels(const Thumbnail &a, const Thumbnail &b) {
    const double levels = static_cast<double>(difference(a, b)) / Thumbnail::levels;
    return levels * levels;
}

} // namespace

/// Mean squared differences of the samples that have a partner at an offset, there and as they were paired.
struct WideSearch::Means {
    double at = 0, paired = 0;
    int frames = 0, better = 0;
};

/// A pair, and the squared difference of its pictures as they were paired.
struct WideSearch::Sample {
    std::size_t pair;
    double paired;
};

void WideSearch::add(const Thumbnail &reference, const Thumbnail &distorted) {
    if (first_pair_ + reference_.size() >= most_pairs)
        return;
    reference_.push_back(reference);
    distorted_.push_back(distorted);
}

/// Pairs that are evenly spread.
std::vector<WideSearch::Sample> WideSearch::samples() const {
    const std::size_t count = std::min(most_samples, reference_.size());
    std::vector<Sample> samples;
    for (std::size_t i = 0; i < count; i++) {
        const std::size_t n = i * reference_.size() / count;
        samples.push_back({n, squared_levels(reference_[n], distorted_[n])});
    }
    return samples;
}

WideSearch::Means WideSearch::means_at(const std::vector<Sample> &samples, int offset) const {
    Means means;
    for (const auto &[n, paired] : samples) {
        const std::ptrdiff_t partner = static_cast<std::ptrdiff_t>(n) + offset;
        if (partner < 0 || partner >= std::ssize(distorted_))
            continue;
        const double at = squared_levels(reference_[n], distorted_[static_cast<std::size_t>(partner)]);
        means.frames++;
        means.at += at;
        means.paired += paired;
        means.better += at < paired;
    }
    if (means.frames > 0) {
        means.at /= means.frames;
        means.paired /= means.frames;
    }
    return means;
}

std::optional<AlignedPart> WideSearch::find_offset() const {
    const std::vector<Sample> sampled = samples();
    if (means_at(sampled, 0).at < least_difference * least_difference)
        return std::nullopt;
    const int reach = static_cast<int>(reference_.size());
    std::vector<Means> all;
    for (int offset = -reach; offset <= reach; offset++)
        all.push_back(means_at(sampled, offset));
    const auto index = [&](int offset) { return static_cast<std::size_t>(offset + reach); };
    int best = 0;
    for (int offset = -reach; offset <= reach; offset++)
        if (const Means &means = all[index(offset)]; means.frames >= least_samples && means.at < all[index(best)].at)
            best = offset;
    const Means &found = all[index(best)];
    if (best == 0 || found.at > largest_share * found.paired || found.better < least_share_of_better * found.frames)
        return std::nullopt;
    for (int offset = -reach; offset <= reach; offset++)
        if (std::abs(offset - best) > neighbours && all[index(offset)].frames >= least_samples &&
            std::max(found.at, least_rest) > largest_share_elsewhere * all[index(offset)].at)
            return std::nullopt;
    return AlignedPart{0, best, std::sqrt(found.at), std::sqrt(found.paired)};
}

bool WideSearch::fit_as_paired() const {
    const std::vector<Sample> sampled = samples();
    const auto count = static_cast<double>(sampled.size());
    double motion = 0, contrast = 0;
    for (const auto &[n, paired] : sampled) {
        motion += n > 0 ? squared_levels(reference_[n], reference_[n - 1]) / count : 0;
        contrast += mean_square(reference_[n]) / count;
    }
    const double most_of_bad_encodes = std::max(most_error * most_error, most_share_of_contrast * contrast);
    return means_at(sampled, 0).at <= std::max(most_rest * motion, most_of_bad_encodes);
}

bool WideSearch::look_alike() const {
    int shown = 0, alike = 0;
    for (const auto &[n, paired] : samples()) {
        const double least = least_contrast * least_contrast;
        if (mean_square(reference_[n]) < least || mean_square(distorted_[n]) < least)
            continue;
        shown++;
        alike += correlation(reference_[n], distorted_[n]) >= least_correlation;
    }
    return shown < least_samples || alike > least_share_alike * shown;
}

} // namespace isovmaf
