// SPDX-License-Identifier: BSD-2-Clause-Patent
// From eigenvalues and variances to scores: speed.md §5 step 7 and §8.
#include <algorithm>
#include <cmath>

#include "features/speed/speed.hpp"
#include "features/speed/speed_functions.hpp"
#include "math/math.hpp"
#include "math/table_rows.hpp"

namespace isovmaf {

namespace {

constexpr auto speed_log2_rows = math::reciprocal_rows(math::log2_table);

/// One analysis' words as floats.
struct Analysed {
    std::vector<float> eigenvalues, variances;
    bool bad = false;

    Analysed(ConstWords words, const SpeedWords &at, int blocks) : bad(words[at.bad] != 0) {
        std::ranges::transform(words.subspan(at.eigenvalues, SPEED_VALUES), std::back_inserter(eigenvalues), f32_of);
        std::ranges::transform(words.subspan(at.variances, static_cast<std::size_t>(blocks)),
                               std::back_inserter(variances), f32_of);
    }
};

/// log2 of all values, in vectors where the level and the values allow it.
void take_log2(const SpeedFunctions *functions, std::vector<double> &values) {
    if (!functions || !functions->log2(speed_log2_rows.data(), values.data(), static_cast<int>(values.size())))
        std::ranges::transform(values, values.begin(), math::log2);
}

/// The entropy of each block. Eigenvalues are positive unless the analysis is bad.
std::vector<float> entropies(const SpeedFunctions *functions, const Analysed &analysed, float sigma) {
    const std::vector<float> &variances = analysed.variances;
    std::vector<float> result(variances.size());
    std::vector<double> logs(variances.size());
    for (const float eigenvalue : analysed.eigenvalues) {
        for (std::size_t b = 0; b < logs.size(); b++)
            logs[b] = double{eigenvalue * variances[b] + sigma};
        take_log2(functions, logs);
        for (std::size_t b = 0; b < logs.size(); b++)
            result[b] = static_cast<float>(double{result[b]} + (logs[b] + SPEED_LOG2_2PI_E));
    }
    return result;
}

/// Weights of a block's entropies, from the variances of both pictures.
struct Weights {
    double reference, distorted;
};

Weights weights(float r, float d, int mode) {
    const double sum = double{r + d}, own = math::log2(double{1 + r});
    switch (mode) {
    case 1:
        return {own, own};
    case 2: {
        const double other = math::log2(double{1 + d});
        return {other, other};
    }
    case 3: {
        const double mean = math::log2(1 + sum / 2);
        return {mean, mean};
    }
    case 4:
        return {own, math::log2(1 + sum / 2)};
    case 5:
        return {own, math::log2(1 + (0.75 * double{r} + 0.25 * double{d}))};
    case 6:
        return {own, math::log2(1 + (0.25 * double{r} + 0.75 * double{d}))};
    default:
        return {own, math::log2(double{1 + d})};
    }
}

/// The entropy below which a block does not count unless the other picture's does.
float base_entropy(const SpeedScoring &scoring) {
    const float noise = (1 + static_cast<float>(scoring.nn_floor)) * static_cast<float>(scoring.sigma_nn);
    return static_cast<float>(SPEED_VALUES * (math::log2(double{noise}) + SPEED_LOG2_2PI_E));
}

class SpeedCompletion final : public Completion {
  public:
    SpeedCompletion(const SpeedDemand &demand, CpuLevel cap)
        : demand_(demand), words_(demand.words()), functions_(newest_speed_functions(cap)) {
        for (const SpeedComparison &comparison : demand.comparisons)
            bases_.push_back(base_entropy(comparison.scoring));
    }

    void complete(ConstWords extracted, Words kept) const override {
        std::vector<Analysed> analysed;
        for (std::size_t i = 0; i < words_.size(); i++)
            analysed.emplace_back(extracted, words_[i], demand_.geometry(i).block_count());
        EntropyCache cache;
        for (std::size_t i = 0; i < demand_.comparisons.size(); i++) {
            const SpeedComparison &comparison = demand_.comparisons[i];
            const bool bad = analysed[comparison.reference].bad || analysed[comparison.distorted].bad;
            kept[SpeedDemand::score_word(i)] = speed_word(bad ? 0 : score(i, analysed, cache));
            kept[SpeedDemand::bad_word(i)] = bad ? 1 : 0;
        }
    }

  private:
    /// Entropies of a frame so far: comparisons that differ in floor or weights alone share them.
    struct CachedEntropies {
        std::size_t analysis;
        double sigma_nn;
        std::vector<float> values;
    };
    using EntropyCache = std::vector<std::unique_ptr<CachedEntropies>>;

    const std::vector<float> &cached(std::size_t analysis, double sigma_nn, const std::vector<Analysed> &analysed,
                                     EntropyCache &cache) const {
        for (const auto &entry : cache)
            if (entry->analysis == analysis && entry->sigma_nn == sigma_nn)
                return entry->values;
        cache.push_back(std::make_unique<CachedEntropies>(CachedEntropies{
            analysis, sigma_nn, entropies(functions_, analysed[analysis], static_cast<float>(sigma_nn))}));
        return cache.back()->values;
    }

    [[nodiscard]] float score(std::size_t number, const std::vector<Analysed> &analysed, EntropyCache &cache) const {
        const auto &[r, d, scoring] = demand_.comparisons[number];
        const std::vector<float> &er = cached(r, scoring.sigma_nn, analysed, cache);
        const std::vector<float> &ed = cached(d, scoring.sigma_nn, analysed, cache);
        const float base = bases_[number];
        float sum = 0;
        for (std::size_t b = 0; b < er.size(); b++) {
            if (er[b] < base && ed[b] < base)
                continue;
            const Weights weight = weights(analysed[r].variances[b], analysed[d].variances[b], scoring.weight_mode);
            sum += std::abs(static_cast<float>(double{er[b]} * weight.reference) -
                            static_cast<float>(double{ed[b]} * weight.distorted));
        }
        return sum / static_cast<float>(er.size());
    }

    SpeedDemand demand_;
    std::vector<SpeedWords> words_;
    std::vector<float> bases_; ///< of each comparison
    const SpeedFunctions *functions_;
};

} // namespace

std::unique_ptr<Completion> make_speed_completion(const SpeedDemand &demand, CpuLevel cap) {
    return std::make_unique<SpeedCompletion>(demand, cap);
}

} // namespace isovmaf
