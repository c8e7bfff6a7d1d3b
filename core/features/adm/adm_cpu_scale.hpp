// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include "features/adm/adm_cpu_masking.hpp"
#include "frame/frame.hpp"

namespace isovmaf {

/// One scale of one band of a frame. Rows go from scale to scale without a picture between them: a scale asks the finer
/// one for the rows of the approximation that its next row needs.
class AdmScalePath {
  public:
    /// Scale 0, which reads the pictures.
    AdmScalePath(const AdmJob &job, const Plane &reference, const Plane &distorted, int bit_depth);

    /// A later scale.
    AdmScalePath(const AdmJob &job, int scale, AdmScalePath &finer);

    /// Does all rows above `end` that are left.
    void run_to(int end);
    void run() { run_to(work_.bottom()); }

  private:
    static constexpr int pictures = 2, ring_rows = ADM_TAP_COUNT;

    /// One picture's rows.
    struct Picture {
        AdmRows details;
        void *approximation[ring_rows]; ///< of 16 bits at scale 0
    };

    AdmScalePath(const AdmJob &job, int scale);
    void take_rows(int input_width);
    void take_gains();
    void run_row(int y);
    void filter(int picture, int y, bool with_details);
    void add_row(int y);
    void add_reference(int y);
    void put_approximation(int picture, int y) const;
    void put_details(int y) const;
    void put_pictures(int y) const;

    const AdmJob &job_;
    int scale_;
    const AdmScale &size_;
    const AdmScaleWork &work_;
    const AdmScaleStages &stages_;
    const AdmRowFunctions &functions_;
    const Plane *planes_[pictures] = {};
    int bit_depth_ = 0;
    AdmScalePath *finer_ = nullptr;
    int input_width_ = 0, input_height_ = 0;
    int next_;                   ///< row
    AdmFilteredRows filtered_{}; ///< of one picture, then of the other
    Picture pictures_[pictures];
    std::span<AdmGainRows> gains_[2]; ///< of even and of odd rows
    AdmReferenceRecord record_{};
    AdmMaskedParts masked_;
};

} // namespace isovmaf
