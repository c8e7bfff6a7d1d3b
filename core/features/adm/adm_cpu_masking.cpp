// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "features/adm/adm_cpu_masking.hpp"

namespace isovmaf {

namespace {

AdmMaskedPart take_part(const AdmJob &job, int scale, std::size_t masking, int part) {
    const AdmMasking &asked = job.demand.maskings[masking];
    const int width = job.geometry[static_cast<std::size_t>(scale)].width;
    AdmMaskedPart taken{};
    taken.part = part;
    taken.gain = asked.gain;
    taken.stages = job.stages.scale[static_cast<std::size_t>(scale)].maskings[masking];
    taken.first_word = (part == ADM_PART_RESTORED ? AdmSums::restored(masking) : AdmSums::added(masking)) +
                       AdmSums::at(scale, ADM_BAND_H);
    for (int band = 0; band < ADM_BAND_COUNT; band++)
        taken.csf[band] = asked.csf.of(scale, band);
    for (int i = 0; i < AdmMaskedPart::ring_rows; i++) {
        taken.neighbour[i] = adm_take_row<std::int32_t>(width, job.workspace);
        taken.own[i] = adm_take_row<std::int32_t>(width, job.workspace);
    }
    return taken;
}

} // namespace

AdmMaskedParts::AdmMaskedParts(const AdmJob &job, int scale)
    : job_(job), size_(job.geometry[static_cast<std::size_t>(scale)]), work_(job.work[static_cast<std::size_t>(scale)]),
      functions_(scale == 0 ? job.functions.first : job.functions.later) {
    if (work_.sums.height() == 0)
        return;
    std::size_t count = 0;
    parts_ = job.workspace.take<AdmMaskedPart>(2 * job.demand.maskings.size());
    for (std::size_t m = 0; m < job.demand.maskings.size(); m++) {
        if (scale == 0 && !job.demand.maskings[m].scale0)
            continue;
        parts_[count++] = take_part(job, scale, m, ADM_PART_RESTORED);
        if (job.demand.maskings[m].aim)
            parts_[count++] = take_part(job, scale, m, ADM_PART_ADDED);
    }
    parts_ = parts_.first(count);
    if (job.taps.memory) {
        weighted_ = adm_take_rows(size_.width, job.workspace);
        record_.threshold = adm_take_row<std::int32_t>(size_.width, job.workspace);
        for (std::int64_t *&row : record_.cubes)
            row = adm_take_row<std::int64_t>(size_.width, job.workspace);
    }
}

void AdmMaskedParts::add_row(int y, const AdmGainRows *before, const AdmGainRows *here) {
    for (const AdmMaskedPart &part : parts_) {
        const bool restored = part.part == ADM_PART_RESTORED;
        const auto signal = [&](const AdmGainRows &rows) -> const AdmRows & {
            return restored ? rows.restored : rows.added;
        };
        add_mask(part, y, restored ? here[part.gain].added : here[part.gain].restored);
        if (is_summed(y - 1))
            add_signal(part, y - 1, signal(before[part.gain]));
        if (y == size_.height - 1 && is_summed(y))
            add_signal(part, y, signal(here[part.gain]));
    }
}

/// Outside the subband, column -1 is 1 and column w is w - 1.
void AdmMaskedParts::add_mask(const AdmMaskedPart &part, int y, const AdmRows &mask) {
    const AdmShareRows rows = part.share_rows(y);
    const bool recorded = job_.taps.memory != nullptr;
    functions_.shares(mask, part.csf, job_.demand.share_rounding, {work_.details_begin(), work_.details.right}, rows,
                      recorded ? &weighted_ : nullptr);
    rows.neighbour[-1] = rows.neighbour[1];
    if (work_.details.right == size_.width)
        rows.neighbour[size_.width] = rows.neighbour[size_.width - 1];
    if (recorded && is_summed(y))
        put_mask(part, y);
}

/// Outside the subband, row -1 is 1 and row h is h - 1.
void AdmMaskedParts::add_signal(const AdmMaskedPart &part, int y, const AdmRows &signal) {
    const AdmShareRows above = part.share_rows(y == 0 ? 1 : y - 1), here = part.share_rows(y);
    const AdmShareRows below = part.share_rows(y == size_.height - 1 ? y : y + 1);
    const AdmMaskedRow row{above.neighbour, here.neighbour, below.neighbour,        here.own,
                           signal,          part.csf,       size_.cube_shift.data()};
    std::uint64_t sums[ADM_BAND_COUNT];
    functions_.visible(row, {work_.sums.left, work_.sums.right}, sums, job_.taps.memory ? &record_ : nullptr);
    for (std::size_t band = 0; band < ADM_BAND_COUNT; band++)
        job_.add(part.first_word + band,
                 static_cast<std::uint64_t>(adm_round(static_cast<std::int64_t>(sums[band]), size_.row_shift)));
    if (job_.taps.memory)
        put_signal(part, y, sums);
}

void AdmMaskedParts::put_mask(const AdmMaskedPart &part, int y) const {
    for (int band = 0; band < ADM_BAND_COUNT; band++)
        adm_put_row(job_.taps, adm_weighted_mask_stage(part.stages, part.part, band), y, work_.sums.left,
                    work_.sums.right, weighted_.of[band]);
}

void AdmMaskedParts::put_signal(const AdmMaskedPart &part, int y, const std::uint64_t *sums) const {
    const int left = work_.sums.left, right = work_.sums.right;
    adm_put_row(job_.taps, adm_threshold_stage(part.stages, part.part), y, left, right, record_.threshold);
    for (int band = 0; band < ADM_BAND_COUNT; band++) {
        adm_put_row(job_.taps, adm_visible_cube_stage(part.stages, part.part, band), y, left, right,
                    record_.cubes[band]);
        job_.taps.put(adm_visible_row_sums_stage(part.stages, part.part), band, y,
                      static_cast<std::int64_t>(sums[band]));
    }
}

} // namespace isovmaf
