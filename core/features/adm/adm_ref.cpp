// SPDX-License-Identifier: BSD-2-Clause-Patent
// The definition of adm's sums: features.md §4.1 to §4.7. Everything goes row by row, so that a frame of any size needs
// little more memory than its approximation bands.
#include "features/adm/adm.hpp"

#include <algorithm>
#include <optional>

#include "features/adm/adm_masking.hpp"
#include "features/adm/adm_wavelet.hpp"

namespace isovmaf {

namespace {

template <class T>
AdmBandRows<T> take_band_rows(int width, Workspace &workspace) {
    AdmBandRows<T> rows;
    for (T *&row : rows)
        row = workspace.take<T>(static_cast<std::size_t>(width)).data();
    return rows;
}

/// Columns [left, right) of the restored bands r from the reference's o and the distorted t, and whether the direction
/// is kept (§4.3).
template <class T>
void restore_row(const AdmBandRows<T> &o, const AdmBandRows<T> &t, int left, int right, const AdmBandRows<T> &r,
                 std::uint8_t *kept) {
    for (int x = left; x < right; x++) {
        const std::int64_t oh = o[ADM_BAND_H][x], ov = o[ADM_BAND_V][x], th = t[ADM_BAND_H][x], tv = t[ADM_BAND_V][x];
        kept[x] = adm_same_direction(oh * th + ov * tv, oh * oh + ov * ov, th * th + tv * tv);
    }
    for (std::size_t band = 0; band < ADM_BAND_COUNT; band++)
        for (int x = left; x < right; x++) {
            if constexpr (std::is_same_v<T, std::int16_t>)
                r[band][x] = adm_restore_0(o[band][x], t[band][x]);
            else
                r[band][x] = adm_restore(o[band][x], t[band][x]);
        }
}

/// The restored bands held to a gain limit, and what the distortion added: the rest of t (§4.3).
template <class T>
void limit_row(const AdmBandRows<T> &r, const AdmBandRows<T> &t, const std::uint8_t *kept, double limit, int left,
               int right, const AdmBandRows<T> &restored, const AdmBandRows<T> &added) {
    for (std::size_t band = 0; band < ADM_BAND_COUNT; band++)
        for (int x = left; x < right; x++) {
            const std::int32_t limited = adm_limit_gain(r[band][x], t[band][x], limit);
            restored[band][x] = kept[x] ? static_cast<T>(limited) : r[band][x];
            added[band][x] = static_cast<T>(t[band][x] - restored[band][x]);
        }
}

/// Adds a row of the reference to the denominator, one sum per band (§4.7).
template <class T>
void add_reference_row(int scale, const AdmScale &size, const AdmBandRows<T> &o, std::int64_t *sums) {
    for (std::size_t band = 0; band < ADM_BAND_COUNT; band++) {
        std::uint64_t row = 0;
        for (int x = size.core.left; x < size.core.right; x++) {
            if constexpr (std::is_same_v<T, std::int16_t>)
                row += adm_reference_cube_0(o[band][x]);
            else
                row += adm_reference_cube(o[band][x], adm_reference_square_shift[scale], size.reference_cube_shift);
        }
        const std::uint64_t rounded = adm_round_unsigned(row, size.reference_row_shift);
        sums[band] = static_cast<std::int64_t>(static_cast<std::uint64_t>(sums[band]) + rounded);
    }
}

/// The pictures of one gain limit: the current row and the one before it.
template <class T>
struct LimitedRows {
    LimitedRows(int width, Workspace &workspace)
        : restored{take_band_rows<T>(width, workspace), take_band_rows<T>(width, workspace)},
          added{take_band_rows<T>(width, workspace), take_band_rows<T>(width, workspace)} {}

    static std::size_t slot(int y) { return static_cast<std::size_t>(y) % 2; }

    std::array<AdmBandRows<T>, 2> restored, added;
};

/// The sums of one masking at one scale: the restored picture seen through the added one, and the other way round.
template <class T>
class MaskingSums {
  public:
    MaskingSums(int scale, const AdmScale &size, const AdmMasking &masking, std::int64_t *restored, std::int64_t *added,
                Workspace &workspace)
        : size_(size), num_(scale, size, masking.csf, workspace), restored_(restored), added_(added) {
        if (masking.aim)
            aim_.emplace(scale, size, masking.csf, workspace);
    }

    /// Takes in row y of the wide region. The row before it is then complete, and at the picture's end row y too.
    void add_row(int y, const LimitedRows<T> &rows) {
        num_.add_mask_row(y, rows.added[rows.slot(y)]);
        if (aim_)
            aim_->add_mask_row(y, rows.restored[rows.slot(y)]);
        if (y > 0)
            add_signal_row(y - 1, rows);
        if (y == size_.height - 1)
            add_signal_row(y, rows);
    }

  private:
    void add_signal_row(int y, const LimitedRows<T> &rows) {
        if (y < size_.core.top || y >= size_.core.bottom)
            return;
        num_.add_signal_row(y, rows.restored[rows.slot(y)], restored_);
        if (aim_)
            aim_->add_signal_row(y, rows.added[rows.slot(y)], added_);
    }

    const AdmScale &size_;
    AdmContrastMasking<T> num_;
    std::optional<AdmContrastMasking<T>> aim_;
    std::int64_t *restored_, *added_; ///< one sum per band each
};

/// Everything of one scale after the wavelet, a row of both pictures' detail bands at a time.
template <class T>
class ScaleSums {
  public:
    ScaleSums(int scale, const AdmScale &size, const AdmDemand &demand, Sums sums, Workspace &workspace)
        : scale_(scale), size_(size), demand_(demand), restored_(take_band_rows<T>(size.width, workspace)),
          kept_(workspace.take<std::uint8_t>(static_cast<std::size_t>(size.width)).data()),
          denominator_(&sums[AdmSums::denominator + AdmSums::at(scale, 0)]) {
        for (std::size_t gain = 0; gain < demand.gain_limits.size(); gain++)
            limited_.emplace_back(size.width, workspace);
        for (std::size_t m = 0; m < demand.maskings.size(); m++)
            if (scale > 0 || demand.maskings[m].scale0)
                maskings_.emplace_back(demand.maskings[m].gain,
                                       MaskingSums<T>(scale, size, demand.maskings[m],
                                                      &sums[AdmSums::restored(m) + AdmSums::at(scale, 0)],
                                                      &sums[AdmSums::added(m) + AdmSums::at(scale, 0)], workspace));
    }

    /// Row y of the wide region.
    void add_row(int y, const AdmBandRows<T> &reference, const AdmBandRows<T> &distorted) {
        const int left = size_.wide.left, right = size_.wide.right;
        if (y >= size_.core.top && y < size_.core.bottom)
            add_reference_row(scale_, size_, reference, denominator_);
        restore_row(reference, distorted, left, right, restored_, kept_);
        for (std::size_t gain = 0; gain < limited_.size(); gain++) {
            LimitedRows<T> &rows = limited_[gain];
            limit_row(restored_, distorted, kept_, demand_.gain_limits[gain], left, right, rows.restored[rows.slot(y)],
                      rows.added[rows.slot(y)]);
        }
        for (auto &[gain, masking] : maskings_)
            masking.add_row(y, limited_[gain]);
    }

  private:
    int scale_;
    const AdmScale &size_;
    const AdmDemand &demand_;
    AdmBandRows<T> restored_; ///< before any gain limit
    std::uint8_t *kept_;
    std::int64_t *denominator_;
    std::vector<LimitedRows<T>> limited_;                          ///< one per gain limit
    std::vector<std::pair<std::size_t, MaskingSums<T>>> maskings_; ///< with the index of their gain limit
};

/// Luma of both pictures, or their approximation bands.
struct PlanePair {
    Plane reference, distorted;
};

template <class Sample>
class AdmReference final : public Extractor {
  public:
    AdmReference(const VideoFormat &format, AdmDemand demand)
        : bit_depth_(format.bit_depth), geometry_(adm_geometry(format)), demand_(std::move(demand)) {}

    std::size_t sums_count() const override { return AdmSums::count(demand_.maskings.size()); }

    void extract(const FrameInputs &frames, Workspace &workspace, Sums sums, Taps) const override {
        std::ranges::fill(sums, 0);
        const PlanePair luma{frames.reference->plane(0), frames.distorted->plane(0)};
        const PlanePair a0 = add_scale<Sample, std::int16_t>(0, luma, workspace, sums);
        const PlanePair a1 = add_scale<std::int16_t, std::int32_t>(1, a0, workspace, sums);
        const PlanePair a2 = add_scale<std::int32_t, std::int32_t>(2, a1, workspace, sums);
        add_scale<std::int32_t, std::int32_t>(3, a2, workspace, sums);
    }

  private:
    /// Splits both pictures into the bands of one scale and adds that scale's sums. Gives the approximation bands,
    /// which the last scale leaves out.
    template <class Input, class T>
    PlanePair add_scale(int scale, const PlanePair &input, Workspace &workspace, Sums sums) const {
        const AdmScale &size = geometry_[static_cast<std::size_t>(scale)];
        AdmWavelet<Input, T> reference(input.reference, scale, bit_depth_, workspace);
        AdmWavelet<Input, T> distorted(input.distorted, scale, bit_depth_, workspace);
        const auto o = take_band_rows<T>(size.width, workspace), t = take_band_rows<T>(size.width, workspace);
        ScaleSums<T> scale_sums(scale, size, demand_, sums, workspace);
        const bool summed = scale > 0 || demand_.scale0(), last = scale == ADM_SCALE_COUNT - 1;
        const Approximation<T> a(size, last, workspace), b(size, last, workspace);
        for (int y = 0; y < size.height; y++) {
            reference.approximation(y, a.row(y));
            distorted.approximation(y, b.row(y));
            if (!summed || y < size.wide.top || y >= size.wide.bottom)
                continue;
            reference.details(y, size.wide.left, size.wide.right, o);
            distorted.details(y, size.wide.left, size.wide.right, t);
            scale_sums.add_row(y, o, t);
        }
        return {a.plane(), b.plane()};
    }

    /// Memory for an approximation band; none when `absent`.
    template <class T>
    class Approximation {
      public:
        Approximation(const AdmScale &size, bool absent, Workspace &workspace)
            : size_(size),
              data_(absent ? nullptr
                           : workspace
                                 .take<T>(static_cast<std::size_t>(size.width) * static_cast<std::size_t>(size.height))
                                 .data()) {}

        T *row(int y) const { return data_ ? data_ + std::ptrdiff_t{y} * size_.width : nullptr; }

        Plane plane() const {
            return {reinterpret_cast<const std::byte *>(data_), size_.width * std::ptrdiff_t{sizeof(T)}, size_.width,
                    size_.height};
        }

      private:
        const AdmScale &size_;
        T *data_;
    };

    int bit_depth_;
    AdmGeometry geometry_;
    AdmDemand demand_;
};

} // namespace

std::unique_ptr<Extractor> make_adm_reference(const VideoFormat &format, AdmDemand demand) {
    if (format.bytes_per_sample() == 1)
        return std::make_unique<AdmReference<std::uint8_t>>(format, std::move(demand));
    return std::make_unique<AdmReference<std::uint16_t>>(format, std::move(demand));
}

} // namespace isovmaf
