// SPDX-License-Identifier: BSD-2-Clause-Patent
// The CPU path of CIEDE2000: ciede_vectors.cpp row by row. Whole frames only: the sum is an f64 in raster order, which
// is no sum of bands' sums.
#include <algorithm>
#include <array>
#include <bit>

#include "features/ciede/ciede.hpp"
#include "features/ciede/ciede_chroma.hpp"
#include "features/ciede/ciede_functions.hpp"
#include "math/atan_table.hpp"
#include "math/exp_table.hpp"
#include "math/log_table.hpp"
#include "math/pow_table.hpp"
#include "math/sin_cos_table.hpp"
#include "math/table_rows.hpp"

namespace isovmaf {

ISOVMAF_LEVEL_TABLE(CiedeFunctions, ciede_functions);

namespace {

constexpr auto ciede_log_rows = math::table_rows<4>(math::pow_log_table, [](const auto &entry) {
    return std::array{entry.inverse, entry.log, entry.log_tail, 0.0};
});
constexpr auto ciede_exp_rows = math::table_rows<2>(math::exp_table, [](const auto &entry) {
    return std::array{std::bit_cast<double>(entry[0]), std::bit_cast<double>(entry[1])};
});
constexpr auto ciede_log2_rows = math::reciprocal_rows(math::powf_log2_table);
constexpr auto ciede_sine_rows = math::table_rows<4>(math::sin_cos_table, [](const auto &entry) {
    return std::array{entry.sine, entry.sine_rest, entry.cosine, entry.cosine_rest};
});
constexpr auto ciede_arctangent_rows = math::table_rows<8>(math::atan_table, [](const auto &entry) {
    return std::array{entry.at, entry.a1, entry.a2, entry.a3, entry.a4, entry.a5, entry.a6, 0.0};
});
constexpr CiedeTables ciede_tables{ciede_log_rows.data(), ciede_exp_rows.data(),  ciede_log2_rows.data(),
                                   math::powf_exp2_table, ciede_sine_rows.data(), ciede_arctangent_rows.data()};

std::size_t ciede_row_size(int width) {
    return static_cast<std::size_t>((width + ciede_row_unit - 1) / ciede_row_unit * ciede_row_unit);
}

/// Memory for a row of one side.
class CiedeRowMemory {
  public:
    CiedeRowMemory(Workspace &workspace, int width)
        : samples_{take<std::uint16_t>(workspace, width), take<std::uint16_t>(workspace, width),
                   take<std::uint16_t>(workspace, width)},
          colours_{take<float>(workspace, width), take<float>(workspace, width), take<float>(workspace, width)} {}

    template <class Sample>
    void compute(const HostPicture &picture, int y, const CiedeFunctions &functions) {
        const CiedeChroma<Sample> u(picture, 1), v(picture, 2);
        const Plane &luma = picture.plane(0);
        for (int x = 0; x < luma.width; x++) {
            samples_[0][x] = luma.row<Sample>(y)[x];
            samples_[1][x] = u.at(y, x);
            samples_[2][x] = v.at(y, x);
        }
        functions.colours(ciede_tables, samples_[0], samples_[1], samples_[2], picture.format().bit_depth, luma.width,
                          colours_);
    }

    const CiedeRow &colours() const { return colours_; }

    void put(Taps taps, int stage, int y, int width) const {
        for (int x = 0; x < width; x++) {
            taps.put(stage, x, y, word_of(colours_.lightness[x]));
            taps.put(stage + 1, x, y, word_of(colours_.a[x]));
            taps.put(stage + 2, x, y, word_of(colours_.b[x]));
        }
    }

  private:
    /// All values are 0.
    template <class T>
    static T *take(Workspace &workspace, int width) {
        const std::span<T> memory = workspace.take<T>(ciede_row_size(width));
        std::fill(memory.begin(), memory.end(), T{});
        return memory.data();
    }

    std::uint16_t *samples_[3];
    CiedeRow colours_;
};

template <class Sample>
class CiedePath final : public Extractor {
  public:
    CiedePath(CpuLevel level, const CiedeFunctions &functions) : level_(level), functions_(functions) {}

    std::string_view level() const override { return cpu_level_name(level_); }

    void extract(const PictureWindow &frames, Workspace &workspace, Words sums, Taps taps) const override {
        const int width = frames.reference->format().width, height = frames.reference->format().height;
        CiedeRowMemory reference(workspace, width), distorted(workspace, width);
        float *const differences = workspace.take<float>(ciede_row_size(width)).data();
        double sum = 0;
        for (int y = 0; y < height; y++) {
            reference.compute<Sample>(*frames.reference, y, functions_);
            distorted.compute<Sample>(*frames.distorted, y, functions_);
            functions_.differences(ciede_tables, reference.colours(), distorted.colours(), width, differences);
            for (int x = 0; x < width; x++)
                sum += differences[x];
            if (taps.memory) {
                reference.put(taps, 0, y, width);
                distorted.put(taps, ciede_distorted_stage, y, width);
                for (int x = 0; x < width; x++)
                    taps.put(ciede_difference_stage, x, y, word_of(differences[x]));
            }
        }
        sums[0] = word_of(sum);
    }

  private:
    CpuLevel level_;
    const CiedeFunctions &functions_;
};

} // namespace

const CiedeFunctions *ciede_functions(CpuLevel level) {
    return functions_of<CiedeFunctions>(ciede_functions_levels, level);
}

std::unique_ptr<Extractor> make_ciede_cpu(const VideoFormat &format, CpuLevel cap) {
    const LevelEntry<CiedeFunctions> *const newest = newest_entry<CiedeFunctions>(ciede_functions_levels, cap);
    if (!newest)
        return nullptr;
    if (format.bytes_per_sample() == 1)
        return std::make_unique<CiedePath<std::uint8_t>>(newest->level, *newest->functions);
    return std::make_unique<CiedePath<std::uint16_t>>(newest->level, *newest->functions);
}

} // namespace isovmaf
