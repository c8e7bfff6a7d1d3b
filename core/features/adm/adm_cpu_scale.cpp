// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "features/adm/adm_cpu_scale.hpp"

#include "portable/edges.h"

namespace isovmaf {

namespace {

AdmFilteredRow take_filtered_row(int width, bool with_lower, Workspace &workspace) {
    // column -1 starts a vector
    const auto take = [&] { return adm_take_row<std::int16_t>(width, workspace); };
    AdmFilteredRow row{take(), nullptr};
    if (with_lower)
        row.lower = take();
    return row;
}

void mirror_row(std::int16_t *row, int width) {
    for (const int x : {-1, width, width + 1})
        row[x] = row[mirror_asymmetric(x, width)];
}

void mirror_columns(const AdmFilteredRow &row, int width) {
    if (row.upper)
        mirror_row(row.upper, width);
    if (row.lower)
        mirror_row(row.lower, width);
}

AdmGainRows take_gain(const AdmJob &job, double limit, int width) {
    return adm_gain_rows(limit, adm_take_rows(width, job.workspace), adm_take_rows(width, job.workspace));
}

} // namespace

AdmScalePath::AdmScalePath(const AdmJob &job, int scale)
    : job_(job), scale_(scale), size_(job.geometry[static_cast<std::size_t>(scale)]),
      work_(job.work[static_cast<std::size_t>(scale)]), stages_(job.stages.scale[static_cast<std::size_t>(scale)]),
      functions_(scale == 0 ? job.functions.first : job.functions.later), next_(work_.top()), masked_(job, scale) {}

AdmScalePath::AdmScalePath(const AdmJob &job, const Plane &reference, const Plane &distorted, int bit_depth)
    : AdmScalePath(job, 0) {
    planes_[0] = &reference;
    planes_[1] = &distorted;
    bit_depth_ = bit_depth;
    input_width_ = reference.width;
    input_height_ = reference.height;
    take_rows(input_width_);
}

AdmScalePath::AdmScalePath(const AdmJob &job, int scale, AdmScalePath &finer) : AdmScalePath(job, scale) {
    finer_ = &finer;
    input_width_ = finer.size_.width;
    input_height_ = finer.size_.height;
    take_rows(input_width_);
}

void AdmScalePath::take_rows(int input_width) {
    filtered_ = {take_filtered_row(input_width, scale_ > 0, job_.workspace),
                 take_filtered_row(input_width, scale_ > 0, job_.workspace)};
    for (Picture &picture : pictures_) {
        for (void *&row : picture.approximation)
            if (scale_ == 0)
                row = adm_take_row<std::int16_t>(size_.width, job_.workspace);
            else
                row = adm_take_row<std::int32_t>(size_.width, job_.workspace);
        picture.details = adm_take_rows(size_.width, job_.workspace);
    }
    take_gains();
    if (job_.taps.memory)
        for (std::int64_t *&row : record_.cubes)
            row = adm_take_row<std::int64_t>(size_.width, job_.workspace);
}

/// An added picture waits for its next row only if it is the signal of a masking.
void AdmScalePath::take_gains() {
    const bool waits = std::ranges::any_of(job_.demand.maskings, &AdmMasking::aim);
    for (std::span<AdmGainRows> &gains : gains_)
        gains = job_.workspace.take<AdmGainRows>(job_.demand.gain_limits.size());
    for (std::size_t i = 0; i < gains_[0].size(); i++) {
        for (std::span<AdmGainRows> &gains : gains_)
            gains[i] = take_gain(job_, job_.demand.gain_limits[i], size_.width);
        if (!waits)
            gains_[1][i].added = gains_[0][i].added;
    }
}

void AdmScalePath::run_to(int end) {
    for (; next_ < end; next_++)
        run_row(next_);
}

void AdmScalePath::run_row(int y) {
    const bool with_details = y >= work_.details.top && y < work_.details.bottom;
    const bool with_approximation = y >= work_.approximation.top && y < work_.approximation.bottom;
    if (!with_details && !with_approximation)
        return;
    if (finer_)
        finer_->run_to(std::min(2 * y + ADM_TAP_COUNT - 1, input_height_));
    for (int p = 0; p < pictures; p++) {
        Picture &picture = pictures_[p];
        filter(p, y, with_details);
        if (with_approximation) {
            functions_.approximation(filtered_.low, scale_, {work_.left, work_.approximation.right},
                                     picture.approximation[y % ring_rows]);
            if (job_.taps.memory)
                put_approximation(p, y);
        }
        if (with_details)
            functions_.details(filtered_, scale_, {work_.details_begin(), work_.details.right}, picture.details);
    }
    if (with_details)
        add_row(y);
}

/// Vertical filters of one picture.
void AdmScalePath::filter(int picture, int y, bool with_details) {
    const AdmFunctions &functions = job_.functions;
    AdmFilteredRows rows = filtered_;
    if (!with_details)
        rows.high = {};
    const AdmColumns columns{std::max(2 * work_.left - adm_column_step, 0),
                             std::min(2 * work_.right + 1, input_width_)};
    const auto gather = [&](auto row) {
        std::array<decltype(row(0)), ADM_TAP_COUNT + adm_rows_ahead> in;
        for (int k = 0; k < ADM_TAP_COUNT + adm_rows_ahead; k++)
            in[static_cast<std::size_t>(k)] =
                row(mirror_asymmetric(std::min(2 * y - 1 + k, input_height_ + 1), input_height_));
        return in;
    };
    if (!finer_ && bit_depth_ == 8) {
        const auto in = gather([&](int at) { return planes_[picture]->row<std::uint8_t>(at); });
        functions.vertical_8(in.data(), input_width_, columns, rows);
    } else if (!finer_) {
        const auto in = gather([&](int at) { return planes_[picture]->row<std::uint16_t>(at); });
        functions.vertical_16(in.data(), input_width_, bit_depth_, columns, rows);
    } else if (scale_ == 1) {
        const auto in = gather([&](int at) {
            return static_cast<const std::int16_t *>(finer_->pictures_[picture].approximation[at % ring_rows]);
        });
        functions.vertical_1(in.data(), columns, rows);
    } else {
        const auto in = gather([&](int at) {
            return static_cast<const std::int32_t *>(finer_->pictures_[picture].approximation[at % ring_rows]);
        });
        functions.vertical_2(in.data(), columns, rows);
    }
    mirror_columns(rows.low, input_width_);
    mirror_columns(rows.high, input_width_);
}

/// Everything of a row behind the wavelet.
void AdmScalePath::add_row(int y) {
    const bool summed = y >= work_.sums.top && y < work_.sums.bottom;
    if (job_.taps.memory)
        put_details(y);
    if (summed)
        add_reference(y);
    const std::span<AdmGainRows> gains = gains_[y % 2];
    functions_.decouple(pictures_[0].details, pictures_[1].details, {work_.details_begin(), work_.details.right},
                        gains.data(), static_cast<int>(gains.size()));
    if (job_.taps.memory && summed)
        put_pictures(y);
    masked_.add_row(y, gains_[(y + 1) % 2].data(), gains.data());
}

void AdmScalePath::add_reference(int y) {
    std::uint64_t sums[ADM_BAND_COUNT];
    functions_.reference(pictures_[0].details, scale_, size_.reference_cube_shift, {work_.sums.left, work_.sums.right},
                         sums, job_.taps.memory ? &record_ : nullptr);
    for (int band = 0; band < ADM_BAND_COUNT; band++) {
        job_.add(AdmSums::denominator + AdmSums::at(scale_, band),
                 adm_round_unsigned(sums[band], size_.reference_row_shift));
        if (!job_.taps.memory)
            continue;
        adm_put_row(job_.taps, adm_reference_cube_stage(stages_.reference, band), y, work_.sums.left, work_.sums.right,
                    record_.cubes[band]);
        job_.taps.put(adm_reference_row_sums_stage(stages_.reference), band, y, static_cast<std::int64_t>(sums[band]));
    }
}

void AdmScalePath::put_approximation(int picture, int y) const {
    const void *const row = pictures_[picture].approximation[y % ring_rows];
    const int stage = stages_.approximation + picture;
    if (scale_ == 0)
        adm_put_row(job_.taps, stage, y, 0, size_.width, static_cast<const std::int16_t *>(row));
    else
        adm_put_row(job_.taps, stage, y, 0, size_.width, static_cast<const std::int32_t *>(row));
}

void AdmScalePath::put_details(int y) const {
    for (int picture = 0; picture < pictures; picture++)
        for (int band = 0; band < ADM_BAND_COUNT; band++)
            adm_put_row(job_.taps, stages_.detail + picture * ADM_BAND_COUNT + band, y, work_.details.left,
                        work_.details.right, pictures_[picture].details.of[band]);
}

void AdmScalePath::put_pictures(int y) const {
    for (std::size_t m = 0; m < job_.demand.maskings.size(); m++) {
        const AdmMasking &masking = job_.demand.maskings[m];
        if (scale_ == 0 && !masking.scale0)
            continue;
        const AdmGainRows &rows = gains_[y % 2][masking.gain];
        for (int band = 0; band < ADM_BAND_COUNT; band++) {
            adm_put_row(job_.taps, adm_picture_stage(stages_.maskings[m], ADM_PART_RESTORED, band), y, work_.sums.left,
                        work_.sums.right, rows.restored.of[band]);
            adm_put_row(job_.taps, adm_picture_stage(stages_.maskings[m], ADM_PART_ADDED, band), y, work_.sums.left,
                        work_.sums.right, rows.added.of[band]);
        }
    }
}

} // namespace isovmaf
