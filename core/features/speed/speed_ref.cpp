// SPDX-License-Identifier: BSD-2-Clause-Patent
// The definition of SpEED's analyses: speed.md §3 and §5.
#include <algorithm>
#include <functional>

#include "features/speed/speed.hpp"
#include "features/speed/speed_matrix.hpp"
#include "features/speed/speed_resample.hpp"
#include "features/speed/speed_taps.hpp"

namespace isovmaf {

namespace {

/// A picture of f32.
struct Picture {
    int width = 0, height = 0;
    std::vector<float> values;

    Picture(int columns, int rows)
        : width(columns), height(rows), values(static_cast<std::size_t>(columns) * static_cast<std::size_t>(rows)) {}

    [[nodiscard]] float &at(int y, int x) {
        return values[static_cast<std::size_t>(y) * static_cast<std::size_t>(width) + static_cast<std::size_t>(x)];
    }
    [[nodiscard]] float at(int y, int x) const { return const_cast<Picture *>(this)->at(y, x); }
};

/// What analyses of one kind have in common.
struct Preparation {
    SpeedGeometry geometry;
    SpeedMethod method;
    SpeedTaps taps;
    SpeedAxis down, across; ///< empty unless the picture is resized

    Preparation(const SpeedGeometry &sizes, const SpeedPreparation &options)
        : geometry(sizes), method(options.method), taps(speed_taps(options.kernelscale)) {
        if (geometry.resampled) {
            down = speed_axis(method, geometry.height, geometry.scaled_height);
            across = speed_axis(method, geometry.width, geometry.scaled_width);
        }
    }
};

template <class Sample>
Picture converted(const Plane &plane, int bit_depth) {
    Picture result(plane.width, plane.height);
    const auto unit = static_cast<float>(1 << (bit_depth - 8));
    for (int y = 0; y < plane.height; y++)
        for (int x = 0; x < plane.width; x++)
            result.at(y, x) = static_cast<float>(plane.row<Sample>(y)[x]) / unit + SPEED_SAMPLE_OFFSET;
    return result;
}

template <class Sample>
Picture input_picture(const SpeedInput &input, int bit_depth) {
    Picture result = converted<Sample>(*input.samples, bit_depth);
    if (input.subtracted) {
        const Picture subtracted = converted<Sample>(*input.subtracted, bit_depth);
        std::ranges::transform(result.values, subtracted.values, result.values.begin(), std::minus<>());
    }
    return result;
}

Picture resized(const Picture &source, const Preparation &how) {
    const auto at = [&](int y, int x) { return source.at(y, x); };
    Picture result(how.geometry.scaled_width, how.geometry.scaled_height);
    for (int y = 0; y < result.height; y++)
        for (int x = 0; x < result.width; x++)
            result.at(y, x) = speed_resample(how.method, how.down, how.across, y, x, at);
    return result;
}

/// A sample filtered down, then across. The picture is mirrored at the borders of its first width x height samples.
float filtered(const Picture &picture, int width, int height, const std::vector<float> &taps, int y, int x) {
    const int count = static_cast<int>(taps.size()), reach = count / 2;
    float across = 0;
    for (int i = 0; i < count; i++) {
        float down = 0;
        for (int j = 0; j < count; j++)
            down += taps[static_cast<std::size_t>(j)] *
                    picture.at(speed_mirror(y - reach + j, height), speed_mirror(x - reach + i, width));
        across += taps[static_cast<std::size_t>(i)] * down;
    }
    return across;
}

Picture decimated(const Picture &picture, const Preparation &how) {
    const SpeedGeometry &sizes = how.geometry;
    Picture kept(sizes.kept_width, sizes.kept_height);
    for (int y = 0; y < kept.height; y++)
        for (int x = 0; x < kept.width; x++)
            kept.at(y, x) = filtered(picture, sizes.scaled_width, sizes.scaled_height, how.taps.low_pass,
                                     SPEED_DECIMATION * y, SPEED_DECIMATION * x);
    return kept;
}

Picture without_local_mean(const Picture &kept, const std::vector<float> &taps) {
    Picture result(kept.width, kept.height);
    for (int y = 0; y < kept.height; y++)
        for (int x = 0; x < kept.width; x++)
            result.at(y, x) = kept.at(y, x) - filtered(kept, kept.width, kept.height, taps, y, x);
    return result;
}

/// §5: statistics of the 25 values of a block of `picture`, over all places that a block can have.
class Statistics {
  public:
    Statistics(const Picture &picture, const SpeedGeometry &sizes) : picture_(picture), sizes_(sizes) {}

    [[nodiscard]] SpeedVector means() const {
        SpeedVector result{};
        for (int e = 0; e < SPEED_VALUES; e++) {
            float &mean = result[static_cast<std::size_t>(e)];
            for_each_place([&](int y, int x) { mean += value(y, x, e); });
            mean /= static_cast<float>(places());
        }
        return result;
    }

    [[nodiscard]] SpeedMatrix covariances(const SpeedVector &means) const {
        SpeedMatrix result;
        for (int e = 0; e < SPEED_VALUES; e++)
            for (int f = 0; f <= e; f++) {
                const auto i = static_cast<std::size_t>(e), j = static_cast<std::size_t>(f);
                double sum = 0;
                for_each_place([&](int y, int x) {
                    sum += (double{value(y, x, e)} - double{means[i]}) * (double{value(y, x, f)} - double{means[j]});
                });
                result[i][j] = result[j][i] = static_cast<float>(sum / places());
            }
        return result;
    }

    /// Row e has value e of every block.
    [[nodiscard]] std::vector<float> data() const {
        std::vector<float> result;
        for (int e = 0; e < SPEED_VALUES; e++)
            for (int y = 0; y < sizes_.blocks_down; y++)
                for (int x = 0; x < sizes_.blocks_across; x++)
                    result.push_back(value(SPEED_BLOCK * y, SPEED_BLOCK * x, e));
        return result;
    }

  private:
    [[nodiscard]] float value(int y, int x, int e) const {
        return picture_.at(y + e / SPEED_BLOCK, x + e % SPEED_BLOCK);
    }

    template <class Visit>
    void for_each_place(const Visit &visit) const {
        for (int y = 0; y < sizes_.places_down(); y++)
            for (int x = 0; x < sizes_.places_across(); x++)
                visit(y, x);
    }

    [[nodiscard]] int places() const { return sizes_.places_across() * sizes_.places_down(); }

    const Picture &picture_;
    const SpeedGeometry &sizes_;
};

/// The variance of each block; none where the covariances are singular.
std::vector<float> variances(const SpeedMatrix &covariances, const SpeedVector &eigenvalues,
                             const std::vector<float> &data, int blocks) {
    std::vector<float> x;
    if (speed_is_singular(eigenvalues) || !speed_solve(covariances, data, blocks, x))
        return {};
    std::vector<float> result;
    const auto count = static_cast<std::size_t>(blocks);
    for (std::size_t b = 0; b < count; b++) {
        const auto share = [&](std::size_t e) { return x[e * count + b] * data[e * count + b] / SPEED_VALUES; };
        float sum = share(0);
        for (std::size_t e = 1; e < SPEED_VALUES; e++)
            sum += share(e);
        result.push_back(sum);
    }
    return result;
}

void put(Taps taps, int stage, std::span<const float> values, int width) {
    for (int i = 0; taps.memory && i < static_cast<int>(values.size()); i++)
        taps.put(stage, i % width, i / width, speed_word(values[static_cast<std::size_t>(i)]));
}

template <class Sample>
class SpeedReference final : public Extractor {
  public:
    explicit SpeedReference(const SpeedDemand &demand) : demand_(demand), words_(demand.words()) {
        for (std::size_t i = 0; i < demand.analyses.size(); i++)
            preparations_.emplace_back(demand.geometry(i), demand.analyses[i].preparation);
    }

    void extract(const PictureWindow &frames, Workspace &, Words words, Taps taps) const override {
        std::ranges::fill(words, 0);
        for (std::size_t i = 0; i < preparations_.size(); i++)
            if (const SpeedInput input = speed_input(demand_.analyses[i].source, frames); input.samples)
                analyse(i, input, words, taps);
    }

  private:
    void analyse(std::size_t analysis, const SpeedInput &input, Words words, Taps taps) const {
        const Preparation &how = preparations_[analysis];
        const SpeedGeometry &sizes = how.geometry;
        const SpeedStages stages = demand_.stages(analysis);
        const Picture picture = input_picture<Sample>(input, demand_.format.bit_depth);
        const Picture kept = decimated(sizes.resampled ? resized(picture, how) : picture, how);
        const Picture local = without_local_mean(kept, how.taps.local_mean);
        const Statistics statistics(local, sizes);
        const SpeedVector means = statistics.means();
        const SpeedMatrix covariances = statistics.covariances(means);
        const SpeedVector eigenvalues = speed_eigenvalues(speed_tridiagonal(covariances));
        const auto block_variances = variances(covariances, eigenvalues, statistics.data(), sizes.block_count());
        put(taps, stages.kept(), kept.values, kept.width);
        put(taps, stages.local(), local.values, local.width);
        put(taps, stages.means(), means, SPEED_VALUES);
        put(taps, stages.covariances(), {covariances.front().data(), SPEED_VALUES * SPEED_VALUES}, SPEED_VALUES);
        put(taps, stages.eigenvalues(), eigenvalues, SPEED_VALUES);
        put(taps, stages.variances(), block_variances, sizes.blocks_across);
        write(block_variances, eigenvalues, words_[analysis], words);
    }

    static void write(const std::vector<float> &variances, const SpeedVector &eigenvalues, const SpeedWords &at,
                      Words words) {
        words[at.bad] = variances.empty() ? 1 : 0;
        if (variances.empty())
            return;
        std::ranges::transform(eigenvalues, words.subspan(at.eigenvalues).begin(), speed_word);
        std::ranges::transform(variances, words.subspan(at.variances).begin(), speed_word);
    }

    SpeedDemand demand_;
    std::vector<SpeedWords> words_;
    std::vector<Preparation> preparations_;
};

} // namespace

std::unique_ptr<Extractor> make_speed_reference(const SpeedDemand &demand) {
    if (demand.format.bytes_per_sample() == 1)
        return std::make_unique<SpeedReference<std::uint8_t>>(demand);
    return std::make_unique<SpeedReference<std::uint16_t>>(demand);
}

} // namespace isovmaf
