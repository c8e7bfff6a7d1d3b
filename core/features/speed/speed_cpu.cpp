// SPDX-License-Identifier: BSD-2-Clause-Patent
// The CPU path of SpEED: speed_vectors.cpp plane by plane. Only rows that kept samples depend on are converted and
// resized, and only such columns are resized.
#include <algorithm>

#include "base/align.hpp"
#include "features/speed/speed.hpp"
#include "features/speed/speed_functions.hpp"
#include "features/speed/speed_matrix.hpp"
#include "features/speed/speed_resample.hpp"
#include "features/speed/speed_taps.hpp"

namespace isovmaf {

ISOVMAF_LEVEL_TABLE(SpeedFunctions, speed_functions);

namespace {

int speed_stride(int width) { return align_up(width, speed_row_step); }

/// Rows of f32 in memory of a workspace, at first 0. `margin` values lie in front of each row, and more behind it.
class SpeedBuffer {
  public:
    SpeedBuffer(Workspace &workspace, int width, int rows, int margin = 0)
        : stride_(speed_stride(width) + 2 * margin), margin_(margin),
          values_(workspace.take<float>(static_cast<std::size_t>(stride_) * static_cast<std::size_t>(rows))) {
        std::ranges::fill(values_, 0.0F);
    }

    [[nodiscard]] float *row(int y) const { return values_.data() + std::ptrdiff_t{y} * stride_ + margin_; }
    [[nodiscard]] int stride() const { return stride_; }

  private:
    int stride_, margin_;
    std::span<float> values_;
};

constexpr int speed_margin = 2 * speed_row_step; ///< more than half of the most taps
static_assert(speed_margin > SPEED_MOST_TAPS / 2);

/// Mirrors a row of `width` values beyond both ends.
void speed_extend(float *row, int width, int reach) {
    for (int i = 1; i <= reach; i++) {
        row[-i] = row[speed_mirror(-i, width)];
        row[width - 1 + i] = row[speed_mirror(width - 1 + i, width)];
    }
}

/// The last rows that were made, each in the place of its number modulo `count`.
class SpeedRowCache {
  public:
    SpeedRowCache(Workspace &workspace, int width, int count) : rows_(workspace, width, count) {
        made_ = workspace.take<int>(static_cast<std::size_t>(count));
        std::ranges::fill(made_, -1);
    }

    template <class Make>
    const float *get(int row, const Make &make) {
        const int place = row % static_cast<int>(made_.size());
        if (int &made = made_[static_cast<std::size_t>(place)]; made != row) {
            make(row, rows_.row(place));
            made = row;
        }
        return rows_.row(place);
    }

  private:
    SpeedBuffer rows_;
    std::span<int> made_;
};

/// What analyses of one kind have in common.
struct SpeedWay {
    SpeedGeometry sizes;
    SpeedMethod method;
    SpeedTaps taps;
    SpeedAxis down; ///< empty unless the picture is resized, as are the next two
    std::vector<std::int32_t> columns;
    std::vector<float> column_weights;
    int column_taps = 0;
    int row_width; ///< values of a row that is filtered: its samples, or those of them that kept ones depend on
    int step = SPEED_DECIMATION; ///< from the values of a kept sample to those of the next

    SpeedWay(const SpeedGeometry &geometry, const SpeedPreparation &options)
        : sizes(geometry), method(options.method), taps(speed_taps(options.kernelscale)),
          row_width(geometry.scaled_width) {
        if (!sizes.resampled)
            return;
        down = speed_axis(method, sizes.height, sizes.scaled_height);
        step = std::min(count(), SPEED_DECIMATION);
        row_width = step * (sizes.kept_width - 1) + count();
        choose_columns();
    }

    [[nodiscard]] int count() const { return static_cast<int>(taps.low_pass.size()); }
    [[nodiscard]] int reach() const { return count() / 2; }

  private:
    /// Value `i` of a resized row is of this column: those that a kept sample depends on lie side by side.
    [[nodiscard]] int column_of(int i) const {
        const int kept = std::min(i / step, sizes.kept_width - 1);
        return speed_mirror(SPEED_DECIMATION * kept - reach() + (i - kept * step), sizes.scaled_width);
    }

    void choose_columns() {
        const SpeedAxis across = speed_axis(method, sizes.width, sizes.scaled_width);
        column_taps = across.taps;
        const auto stride = static_cast<std::size_t>(speed_stride(row_width));
        columns.resize(static_cast<std::size_t>(column_taps) * stride);
        column_weights.resize(columns.size());
        for (int i = 0; i < row_width; i++)
            for (int tap = 0; tap < column_taps; tap++) {
                const auto from = static_cast<std::size_t>(column_of(i) * column_taps + tap);
                const auto to = static_cast<std::size_t>(tap) * stride + static_cast<std::size_t>(i);
                columns[to] = across.index[from];
                column_weights[to] = across.weight[from];
            }
    }
};

void speed_convert(const SpeedFunctions &functions, const std::uint8_t *a, const std::uint8_t *b, int width, float unit,
                   float *values) {
    functions.convert_8(a, b, width, unit, values);
}
void speed_convert(const SpeedFunctions &functions, const std::uint16_t *a, const std::uint16_t *b, int width,
                   float unit, float *values) {
    functions.convert_16(a, b, width, unit, values);
}

/// Rows of the picture that is filtered, made when they are asked for.
template <class Sample>
class SpeedRows {
  public:
    SpeedRows(const SpeedFunctions &functions, const SpeedWay &way, const SpeedInput &input, int bit_depth,
              Workspace &workspace)
        : functions_(functions), way_(way), input_(input), unit_(1.0F / static_cast<float>(1 << (bit_depth - 8))),
          rows_(workspace, std::max(way.row_width, way.sizes.width), way.count()),
          sources_(workspace, way.sizes.resampled ? way.sizes.width : 0, most_row_taps) {}

    const float *row(int y) {
        return rows_.get(y, [this](int made, float *values) {
            if (way_.sizes.resampled)
                resize(made, values);
            else
                convert(made, values);
        });
    }

  private:
    static constexpr int most_row_taps = 16; ///< more than a method has

    void convert(int y, float *values) {
        const Sample *const subtracted = input_.subtracted ? input_.subtracted->row<Sample>(y) : nullptr;
        speed_convert(functions_, input_.samples->row<Sample>(y), subtracted, way_.sizes.width, unit_, values);
    }

    void resize(int y, float *values) {
        const float *sources[most_row_taps];
        for (int j = 0; j < way_.down.taps; j++)
            sources[j] = sources_.get(way_.down.index[static_cast<std::size_t>(y * way_.down.taps + j)],
                                      [this](int row, float *converted) { convert(row, converted); });
        functions_.resample({sources, &way_.down.weight[static_cast<std::size_t>(y * way_.down.taps)], way_.down.taps,
                             way_.columns.data(), way_.column_weights.data(), way_.column_taps,
                             speed_stride(way_.row_width), way_.row_width, way_.method == SpeedMethod::lanczos4},
                            values);
    }

    const SpeedFunctions &functions_;
    const SpeedWay &way_;
    SpeedInput input_;
    float unit_;
    SpeedRowCache rows_;
    SpeedRowCache sources_; ///< of the plane; without room unless the picture is resized
};

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

std::unique_ptr<Extractor> make_speed_cpu(const SpeedDemand &demand, CpuLevel cap) {
    const LevelEntry<SpeedFunctions> *const newest = newest_entry<SpeedFunctions>(speed_functions_levels, cap);
    if (!newest)
        return nullptr;
    if (demand.format.bytes_per_sample() == 1)
        return std::make_unique<SpeedPath<std::uint8_t>>(demand, newest->level, *newest->functions);
    return std::make_unique<SpeedPath<std::uint16_t>>(demand, newest->level, *newest->functions);
}

} // namespace isovmaf
