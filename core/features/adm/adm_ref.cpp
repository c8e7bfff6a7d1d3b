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

template <class T>
std::uint64_t reference_cube(int scale, const AdmScale &size, T o) {
    if constexpr (std::is_same_v<T, std::int16_t>)
        return adm_reference_cube_0(o);
    else
        return adm_reference_cube(o, adm_reference_square_shift[scale], size.reference_cube_shift);
}

/// Adds a row of the reference to the denominator, one sum per band (§4.7).
template <class T>
void add_reference_row(int y, int scale, const AdmScale &size, const AdmBandRows<T> &o, std::int64_t *sums, Taps taps,
                       const AdmReferenceStages &stages) {
    for (int b = 0; b < ADM_BAND_COUNT; b++) {
        const auto band = static_cast<std::size_t>(b);
        std::uint64_t row = 0;
        for (int x = size.core.left; x < size.core.right; x++)
            row += reference_cube(scale, size, o[band][x]);
        if (taps.memory) {
            for (int x = size.core.left; x < size.core.right; x++)
                taps.put(adm_reference_cube_stage(stages, b), x, y,
                         static_cast<std::int64_t>(reference_cube(scale, size, o[band][x])));
            taps.put(adm_reference_row_sums_stage(stages), b, y, static_cast<std::int64_t>(row));
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
    MaskingSums(int scale, const AdmScale &size, const AdmMasking &masking, std::int64_t share_rounding,
                std::int64_t *restored, std::int64_t *added, Workspace &workspace, Taps taps,
                const AdmMaskingStages &stages)
        : size_(size), num_(scale, size, masking.csf, share_rounding, workspace, taps, stages, ADM_PART_RESTORED),
          restored_(restored), added_(added), taps_(taps), stages_(stages) {
        if (masking.aim)
            aim_.emplace(scale, size, masking.csf, share_rounding, workspace, taps, stages, ADM_PART_ADDED);
    }

    /// Takes in row y of the wide region. The row before it is then complete, and at the picture's end row y too.
    void add_row(int y, const LimitedRows<T> &rows) {
        if (taps_.memory && in_core(y))
            put_pictures(y, rows);
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
        if (!in_core(y))
            return;
        num_.add_signal_row(y, rows.restored[rows.slot(y)], restored_);
        if (aim_)
            aim_->add_signal_row(y, rows.added[rows.slot(y)], added_);
    }

    bool in_core(int y) const { return y >= size_.core.top && y < size_.core.bottom; }

    void put_pictures(int y, const LimitedRows<T> &rows) const {
        const std::size_t slot = rows.slot(y);
        const auto put = [&](int part, int band, const AdmBandRows<T> &bands) {
            adm_put_row(taps_, adm_picture_stage(stages_, part, band), y, size_.core.left, size_.core.right,
                        bands[static_cast<std::size_t>(band)]);
        };
        for (int band = 0; band < ADM_BAND_COUNT; band++) {
            put(ADM_PART_RESTORED, band, rows.restored[slot]);
            put(ADM_PART_ADDED, band, rows.added[slot]);
        }
    }

    const AdmScale &size_;
    AdmContrastMasking<T> num_;
    std::optional<AdmContrastMasking<T>> aim_;
    std::int64_t *restored_, *added_; ///< one sum per band each
    Taps taps_;
    AdmMaskingStages stages_;
};

/// Everything of one scale after the wavelet, a row of both pictures' detail bands at a time.
template <class T>
class ScaleSums {
  public:
    ScaleSums(int scale, const AdmScale &size, const AdmDemand &demand, Words sums, Workspace &workspace, Taps taps,
              const AdmScaleStages &stages)
        : scale_(scale), size_(size), demand_(demand), taps_(taps), stages_(stages), seen_(adm_seen(size)),
          restored_(take_band_rows<T>(size.width, workspace)),
          kept_(workspace.take<std::uint8_t>(static_cast<std::size_t>(size.width)).data()),
          denominator_(&sums[AdmSums::denominator + AdmSums::at(scale, 0)]) {
        for (std::size_t gain = 0; gain < demand.gain_limits.size(); gain++)
            limited_.emplace_back(size.width, workspace);
        for (std::size_t m = 0; m < demand.maskings.size(); m++)
            if (scale > 0 || demand.maskings[m].scale0)
                maskings_.emplace_back(demand.maskings[m].gain,
                                       MaskingSums<T>(scale, size, demand.maskings[m], demand.share_rounding,
                                                      &sums[AdmSums::restored(m) + AdmSums::at(scale, 0)],
                                                      &sums[AdmSums::added(m) + AdmSums::at(scale, 0)], workspace, taps,
                                                      stages.maskings[m]));
    }

    /// Row y of the wide region.
    void add_row(int y, const AdmBandRows<T> &reference, const AdmBandRows<T> &distorted) {
        const int left = size_.wide.left, right = size_.wide.right;
        if (taps_.memory && y >= seen_.top && y < seen_.bottom)
            put_details(y, reference, distorted);
        if (y >= size_.core.top && y < size_.core.bottom)
            add_reference_row(y, scale_, size_, reference, denominator_, taps_, stages_.reference);
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
    void put_details(int y, const AdmBandRows<T> &reference, const AdmBandRows<T> &distorted) const {
        for (int band = 0; band < ADM_BAND_COUNT; band++) {
            const auto b = static_cast<std::size_t>(band);
            adm_put_row(taps_, stages_.detail + band, y, seen_.left, seen_.right, reference[b]);
            adm_put_row(taps_, stages_.detail + ADM_BAND_COUNT + band, y, seen_.left, seen_.right, distorted[b]);
        }
    }

    int scale_;
    const AdmScale &size_;
    const AdmDemand &demand_;
    Taps taps_;
    const AdmScaleStages &stages_;
    AdmRegion seen_;
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
        : bit_depth_(format.bit_depth), geometry_(adm_geometry(format)), demand_(std::move(demand)),
          stages_(adm_stages(demand_)) {}

    void extract(const PictureWindow &frames, Workspace &workspace, Words sums, Taps taps) const override {
        std::ranges::fill(sums, 0);
        const PlanePair luma{frames.reference->plane(0), frames.distorted->plane(0)};
        const PlanePair a0 = add_scale<Sample, std::int16_t>(0, luma, workspace, sums, taps);
        const PlanePair a1 = add_scale<std::int16_t, std::int32_t>(1, a0, workspace, sums, taps);
        const PlanePair a2 = add_scale<std::int32_t, std::int32_t>(2, a1, workspace, sums, taps);
        add_scale<std::int32_t, std::int32_t>(3, a2, workspace, sums, taps);
    }

  private:
    /// Splits both pictures into the bands of one scale and adds that scale's sums. Gives the approximation bands,
    /// which the last scale leaves out.
    template <class Input, class T>
    PlanePair add_scale(int scale, const PlanePair &input, Workspace &workspace, Words sums, Taps taps) const {
        const AdmScaleStages &stages = stages_.scale[static_cast<std::size_t>(scale)];
        const AdmScale &size = geometry_[static_cast<std::size_t>(scale)];
        AdmWavelet<Input, T> reference(input.reference, scale, bit_depth_, workspace);
        AdmWavelet<Input, T> distorted(input.distorted, scale, bit_depth_, workspace);
        const auto o = take_band_rows<T>(size.width, workspace), t = take_band_rows<T>(size.width, workspace);
        ScaleSums<T> scale_sums(scale, size, demand_, sums, workspace, taps, stages);
        const bool summed = scale > 0 || demand_.scale0(), last = scale == ADM_SCALE_COUNT - 1;
        const Approximation<T> a(size, last, workspace), b(size, last, workspace);
        for (int y = 0; y < size.height; y++) {
            reference.approximation(y, a.row(y));
            distorted.approximation(y, b.row(y));
            if (!last) {
                adm_put_row(taps, stages.approximation, y, 0, size.width, a.row(y));
                adm_put_row(taps, stages.approximation + 1, y, 0, size.width, b.row(y));
            }
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
    AdmStages stages_;
};

} // namespace

std::unique_ptr<Extractor> make_adm_reference(const VideoFormat &format, AdmDemand demand) {
    if (format.bytes_per_sample() == 1)
        return std::make_unique<AdmReference<std::uint8_t>>(format, std::move(demand));
    return std::make_unique<AdmReference<std::uint16_t>>(format, std::move(demand));
}

} // namespace isovmaf
