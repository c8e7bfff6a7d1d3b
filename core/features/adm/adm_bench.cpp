// SPDX-License-Identifier: BSD-2-Clause-Patent
// The functions of ADM's CPU path, for as many rows as a frame has, on both pictures where there are two. Scale 0 reads
// the pictures; everything else repeats the rows from the middle of the frame, of scale 0 or 1.
#include <memory>

#include "features/adm/adm_cpu_masking.hpp"
#include "features/testing/bench_functions.hpp"

namespace isovmaf::adm_bench {
namespace {

using testing::BenchPictures;
using testing::BenchWork;

/// All that a row of one scale goes through.
class Rows {
  public:
    Rows(const BenchPictures &pictures, CpuLevel level, int scale)
        : pictures_(pictures), functions_(*adm_functions(level)), scale_(scale),
          row_functions_(scale == 0 ? functions_.first : functions_.later), geometry_(adm_geometry(pictures.format())),
          size_(geometry_[static_cast<std::size_t>(scale)]), csf_{csf(ADM_BAND_H), csf(ADM_BAND_V), csf(ADM_BAND_D)} {
        for (int picture = 0; picture < 2; picture++) {
            for (AdmFilteredRow *const row : {&filtered_[picture].low, &filtered_[picture].high})
                *row = {take<std::int16_t>(), take<std::int16_t>()};
            details_[picture] = adm_take_rows(format().width, workspace_);
            filter_middle(picture);
            row_functions_.details(filtered_[picture], scale_, columns(), details_[picture]);
        }
        gain_ =
            adm_gain_rows(100, adm_take_rows(format().width, workspace_), adm_take_rows(format().width, workspace_));
        shares_ = {take<std::int32_t>(), take<std::int32_t>()};
        decouple();
        shares();
    }

    void vertical() {
        for (int y = 0; y < size_.height; y++)
            for (int picture = 0; picture < 2; picture++)
                filter_samples(picture, y);
    }
    void details() {
        for (int y = 0; y < size_.height; y++)
            for (int picture = 0; picture < 2; picture++)
                row_functions_.details(filtered_[picture], scale_, columns(), details_[picture]);
    }
    void reference() {
        for (int y = 0; y < size_.height; y++)
            row_functions_.reference(details_[0], scale_, size_.reference_cube_shift, columns(), sums_, nullptr);
    }
    void decouple() {
        for (int y = 0; y < size_.height; y++)
            row_functions_.decouple(details_[0], details_[1], columns(), &gain_, 1);
    }
    void shares() {
        for (int y = 0; y < size_.height; y++)
            row_functions_.shares(gain_.added, csf_, ADM_MINUS_HALF, columns(), shares_, nullptr);
    }
    void visible() {
        const AdmMaskedRow row{
            shares_.neighbour,      shares_.neighbour, shares_.neighbour, shares_.own, gain_.restored, csf_,
            size_.cube_shift.data()};
        for (int y = 0; y < size_.height; y++)
            row_functions_.visible(row, columns(), sums_, nullptr);
    }

  private:
    const VideoFormat &format() const { return pictures_.format(); }
    AdmColumns columns() const { return {0, size_.width}; }
    std::uint32_t csf(int band) const { return adm_csf({})->fixed.of(scale_, band); }

    template <class T>
    T *take() {
        return adm_take_row<T>(format().width, workspace_);
    }

    /// Vertical filters of scale 0, without edges.
    void filter_samples(int picture, int y) {
        const Plane &plane = (picture == 0 ? pictures_.second.reference : pictures_.second.distorted).plane(0);
        const std::uint8_t *in_8[ADM_TAP_COUNT + adm_rows_ahead];
        const std::uint16_t *in_16[ADM_TAP_COUNT + adm_rows_ahead];
        for (int k = 0; k < ADM_TAP_COUNT + adm_rows_ahead; k++) {
            const int row = std::clamp(2 * y - 1 + k, 0, plane.height - 1);
            in_8[k] = plane.row<std::uint8_t>(row);
            in_16[k] = plane.row<std::uint16_t>(row);
        }
        if (format().bytes_per_sample() == 1)
            functions_.vertical_8(in_8, plane.width, {0, plane.width}, filtered_[picture]);
        else
            functions_.vertical_16(in_16, plane.width, format().bit_depth, {0, plane.width}, filtered_[picture]);
    }

    void filter_middle(int picture) {
        const int middle = format().height / 4;
        if (scale_ == 0) {
            filter_samples(picture, middle);
            return;
        }
        const std::int16_t *in[ADM_TAP_COUNT];
        for (int k = 0; k < ADM_TAP_COUNT; k++) {
            auto *const row = take<std::int16_t>();
            filter_samples(picture, middle + k);
            functions_.first.approximation(filtered_[picture].low, 0, {0, geometry_[0].width}, row);
            in[k] = row;
        }
        functions_.vertical_1(in, {0, geometry_[0].width}, filtered_[picture]);
    }

    const BenchPictures &pictures_;
    const AdmFunctions &functions_;
    int scale_;
    const AdmRowFunctions &row_functions_;
    AdmGeometry geometry_;
    const AdmScale &size_;
    std::uint32_t csf_[ADM_BAND_COUNT];
    Workspace workspace_;
    AdmFilteredRows filtered_[2];
    AdmRows details_[2];
    AdmGainRows gain_;
    AdmShareRows shares_;
    std::uint64_t sums_[ADM_BAND_COUNT];
};

template <int scale, void (Rows::*work)()>
BenchWork run(const BenchPictures &pictures, CpuLevel level) {
    return [rows = std::make_shared<Rows>(pictures, level, scale)] { ((*rows).*work)(); };
}

const testing::BenchFunctions functions{
    {"adm_vertical_0", run<0, &Rows::vertical>},   {"adm_details_0", run<0, &Rows::details>},
    {"adm_details_1", run<1, &Rows::details>},     {"adm_reference_0", run<0, &Rows::reference>},
    {"adm_reference_1", run<1, &Rows::reference>}, {"adm_decouple_0", run<0, &Rows::decouple>},
    {"adm_decouple_1", run<1, &Rows::decouple>},   {"adm_shares_0", run<0, &Rows::shares>},
    {"adm_shares_1", run<1, &Rows::shares>},       {"adm_visible_0", run<0, &Rows::visible>},
    {"adm_visible_1", run<1, &Rows::visible>}};

} // namespace
} // namespace isovmaf::adm_bench
