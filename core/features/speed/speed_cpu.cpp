// SPDX-License-Identifier: BSD-2-Clause-Patent
// The CPU path of SpEED: speed_vectors.cpp plane by plane.
#include "features/speed/speed_cpu_rows.hpp"
#include "features/speed/speed_matrix.hpp"

namespace isovmaf {

ISOVMAF_LEVEL_TABLE(SpeedFunctions, speed_functions);

namespace {

/// One analysis on its way.
class SpeedRun {
  public:
    SpeedRun(const SpeedFunctions &functions, const SpeedWay &way, Workspace &workspace)
        : functions_(functions), way_(way), workspace_(workspace),
          kept_(workspace, way.sizes.kept_width, way.sizes.kept_height, speed_margin),
          local_(workspace, way.sizes.kept_width, way.sizes.kept_height + 1, speed_margin),
          covariances_(workspace, speed_matrix_stride, SPEED_VALUES) {}

    template <class Sample>
    void keep(const SpeedInput &input, int bit_depth) {
        SpeedRows<Sample> rows(functions_, way_, input, bit_depth, workspace_);
        const SpeedBuffer line(workspace_, way_.row_width, 1, speed_margin);
        const int reach = way_.reach();
        for (int y = 0; y < way_.sizes.kept_height; y++) {
            const float *window[SPEED_MOST_TAPS];
            for (int k = 0; k < way_.count(); k++)
                window[k] = rows.row(speed_mirror(SPEED_DECIMATION * y - reach + k, way_.sizes.scaled_height));
            filter(window, way_.taps.low_pass, way_.row_width, line.row(0));
            const float *first = line.row(0); // a resized row has its mirrored columns already
            if (!way_.sizes.resampled) {
                speed_extend(line.row(0), way_.row_width, reach);
                first -= reach;
            }
            functions_.decimate(first, way_.step, way_.taps.low_pass.data(), way_.count(), way_.sizes.kept_width,
                                kept_.row(y));
        }
    }

    void remove_local_mean() {
        const SpeedBuffer line(workspace_, way_.sizes.kept_width, 1, speed_margin);
        const int count = static_cast<int>(way_.taps.local_mean.size()), reach = count / 2;
        for (int y = 0; y < way_.sizes.kept_height; y++) {
            const float *window[SPEED_MOST_TAPS];
            for (int k = 0; k < count; k++)
                window[k] = kept_.row(speed_mirror(y - reach + k, way_.sizes.kept_height));
            filter(window, way_.taps.local_mean, way_.sizes.kept_width, line.row(0));
            speed_extend(line.row(0), way_.sizes.kept_width, reach);
            functions_.remove_mean(line.row(0) - reach, way_.taps.local_mean.data(), count, kept_.row(y),
                                   way_.sizes.kept_width, local_.row(y));
        }
    }

    /// Fills means, covariances and eigenvalues.
    void take_statistics() {
        const SpeedPlaces places{local_.row(0), local_.stride(), way_.sizes.places_across(), way_.sizes.places_down()};
        functions_.means(places, means.data());
        const auto scratch = workspace_.take<double>(speed_chunk_places * speed_matrix_stride);
        functions_.covariances(places, means.data(), scratch.data(), covariances_.row(0));
        const SpeedBuffer copy(workspace_, speed_matrix_stride, SPEED_VALUES);
        std::copy_n(covariances_.row(0), SPEED_VALUES * speed_matrix_stride, copy.row(0));
        SpeedTridiagonal tridiagonal;
        functions_.tridiagonal(copy.row(0), tridiagonal.diagonal.data(), tridiagonal.beside.data());
        eigenvalues = speed_eigenvalues(tridiagonal);
    }

    /// Fills `variances` unless the covariances are singular.
    void solve() {
        if (speed_is_singular(eigenvalues))
            return;
        const int blocks = way_.sizes.block_count();
        const SpeedBuffer data(workspace_, blocks, SPEED_VALUES), x(workspace_, blocks, SPEED_VALUES);
        for (int e = 0; e < SPEED_VALUES; e++)
            for (int b = 0; b < blocks; b++)
                data.row(e)[b] =
                    local_.row(SPEED_BLOCK * (b / way_.sizes.blocks_across) +
                               e / SPEED_BLOCK)[SPEED_BLOCK * (b % way_.sizes.blocks_across) + e % SPEED_BLOCK];
        const SpeedBuffer scratch(workspace_, speed_matrix_stride, speed_scratch_matrices * SPEED_VALUES);
        const SpeedBuffer product(workspace_, blocks, SPEED_VALUES);
        const SpeedSystem system{covariances_.row(0), data.row(0), x.row(0),     scratch.row(0),
                                 product.row(0),      blocks,      data.stride()};
        const SpeedSolved solved = functions_.solve(system);
        if (solved == SpeedSolved::singular || (solved == SpeedSolved::unusual && !solve_by_definition(data, x)))
            return;
        const SpeedBuffer result(workspace_, blocks, 1);
        functions_.variances(system, result.row(0));
        variances = {result.row(0), static_cast<std::size_t>(blocks)};
    }

    void put(Taps taps, const SpeedStages &stages) const {
        put_rows(taps, stages.kept(), kept_, way_.sizes.kept_width, way_.sizes.kept_height);
        put_rows(taps, stages.local(), local_, way_.sizes.kept_width, way_.sizes.kept_height);
        put_rows(taps, stages.covariances(), covariances_, SPEED_VALUES, SPEED_VALUES);
        for (int e = 0; e < SPEED_VALUES; e++) {
            taps.put(stages.means(), e, 0, speed_word(means[static_cast<std::size_t>(e)]));
            taps.put(stages.eigenvalues(), e, 0, speed_word(eigenvalues[static_cast<std::size_t>(e)]));
        }
        for (int b = 0; b < static_cast<int>(variances.size()); b++)
            taps.put(stages.variances(), b % way_.sizes.blocks_across, b / way_.sizes.blocks_across,
                     speed_word(variances[static_cast<std::size_t>(b)]));
    }

    SpeedVector means{}, eigenvalues{};
    std::span<const float> variances = {}; ///< of the blocks; empty where the covariances are singular

  private:
    void filter(const float *const *rows, const std::vector<float> &taps, int width, float *values) const {
        functions_.filter_rows(rows, taps.data(), static_cast<int>(taps.size()), width, values);
    }

    [[nodiscard]] bool solve_by_definition(const SpeedBuffer &data, const SpeedBuffer &x) const {
        SpeedMatrix matrix;
        std::vector<float> rows, solution;
        const int blocks = way_.sizes.block_count();
        for (int e = 0; e < SPEED_VALUES; e++) {
            std::copy_n(covariances_.row(e), SPEED_VALUES, matrix[static_cast<std::size_t>(e)].begin());
            rows.insert(rows.end(), data.row(e), data.row(e) + blocks);
        }
        if (!speed_solve(matrix, rows, blocks, solution))
            return false;
        for (int e = 0; e < SPEED_VALUES; e++)
            std::copy_n(solution.begin() + e * blocks, blocks, x.row(e));
        return true;
    }

    static void put_rows(Taps taps, int stage, const SpeedBuffer &rows, int width, int height) {
        for (int y = 0; y < height; y++)
            for (int x = 0; x < width; x++)
                taps.put(stage, x, y, speed_word(rows.row(y)[x]));
    }

    const SpeedFunctions &functions_;
    const SpeedWay &way_;
    Workspace &workspace_;
    SpeedBuffer kept_, local_, covariances_;
};

/// A band has some of the analyses: a plane is too small to be cut.
template <class Sample>
class SpeedPath final : public BandedExtractor {
  public:
    SpeedPath(const SpeedDemand &demand, CpuLevel level, const SpeedFunctions &functions)
        : BandedExtractor(level), demand_(demand), words_(demand.words()), functions_(functions) {
        for (std::size_t i = 0; i < demand.analyses.size(); i++)
            ways_.emplace_back(demand.geometry(i), demand.analyses[i].preparation);
    }

    [[nodiscard]] int most_bands() const override { return static_cast<int>(ways_.size()); }

    void extract_band(const PictureWindow &frames, Band band, Workspace &workspace, Words words,
                      Taps taps) const override {
        std::ranges::fill(words, 0);
        const int count = static_cast<int>(ways_.size());
        for (int i = band.begin(count); i < band.end(count); i++) {
            const auto analysis = static_cast<std::size_t>(i);
            if (const SpeedInput input = speed_input(demand_.analyses[analysis].source, frames); input.samples)
                analyse(analysis, input, workspace, words, taps);
        }
    }

  private:
    void analyse(std::size_t analysis, const SpeedInput &input, Workspace &workspace, Words words, Taps taps) const {
        SpeedRun run(functions_, ways_[analysis], workspace);
        run.template keep<Sample>(input, demand_.format.bit_depth);
        run.remove_local_mean();
        run.take_statistics();
        run.solve();
        if (taps.memory)
            run.put(taps, demand_.stages(analysis));
        const SpeedWords &at = words_[analysis];
        words[at.bad] = run.variances.empty() ? 1 : 0;
        if (run.variances.empty())
            return;
        std::ranges::transform(run.eigenvalues, words.subspan(at.eigenvalues).begin(), speed_word);
        std::ranges::transform(run.variances, words.subspan(at.variances).begin(), speed_word);
    }

    SpeedDemand demand_;
    std::vector<SpeedWords> words_;
    std::vector<SpeedWay> ways_;
    const SpeedFunctions &functions_;
};

} // namespace

const SpeedFunctions *speed_functions(CpuLevel level) {
    return functions_of<SpeedFunctions>(speed_functions_levels, level);
}

const SpeedFunctions *newest_speed_functions(CpuLevel cap) {
    const LevelEntry<SpeedFunctions> *const newest = newest_entry<SpeedFunctions>(speed_functions_levels, cap);
    return newest ? newest->functions : nullptr;
}

std::unique_ptr<Extractor> make_speed_cpu(const SpeedDemand &demand, CpuLevel cap) {
    const LevelEntry<SpeedFunctions> *const newest = newest_entry<SpeedFunctions>(speed_functions_levels, cap);
    if (!newest)
        return nullptr;
    if (demand.format.bytes_per_sample() == 1)
        return std::make_unique<SpeedPath<std::uint8_t>>(demand, newest->level, *newest->functions);
    return std::make_unique<SpeedPath<std::uint16_t>>(demand, newest->level, *newest->functions);
}

} // namespace isovmaf
