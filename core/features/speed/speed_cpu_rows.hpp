// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <algorithm>
#include <vector>

#include "base/align.hpp"
#include "features/speed/speed.hpp"
#include "features/speed/speed_functions.hpp"
#include "features/speed/speed_resample.hpp"
#include "features/speed/speed_taps.hpp"

/// The rows that SpEED's CPU path filters. Only rows that kept samples depend on are converted and resized, and only
/// such columns are resized.
namespace isovmaf {

inline int speed_stride(int width) { return align_up(width, speed_row_step); }

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
inline void speed_extend(float *row, int width, int reach) {
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

inline void speed_convert(const SpeedFunctions &functions, const std::uint8_t *a, const std::uint8_t *b, int width,
                          float unit, float *values) {
    functions.convert_8(a, b, width, unit, values);
}
inline void speed_convert(const SpeedFunctions &functions, const std::uint16_t *a, const std::uint16_t *b, int width,
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

} // namespace isovmaf
