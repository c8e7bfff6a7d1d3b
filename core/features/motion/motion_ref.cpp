// SPDX-License-Identifier: BSD-2-Clause-Patent
// The definition of motion's sums, line by line from features.md §2.1 and §2.4.
#include "features/motion/motion.hpp"

#include <cstdlib>

#include "features/motion/motion_math.h"
#include "portable/edges.h"

namespace isovmaf {

namespace {

constexpr int radius = MOTION_TAP_COUNT / 2;

/// Σ|blur(earlier - current)| over the frame: features.md §2.1 steps 1 to 3.
template <class Sample>
std::int64_t blurred_difference(const Plane &earlier, const Plane &current, int bit_depth, Workspace &workspace) {
    const int w = current.width, h = current.height;
    const auto column = workspace.take<std::int32_t>(static_cast<std::size_t>(w + 2 * radius));
    std::int32_t *const y = column.data() + radius; // y[-2..w+1], mirrored ends included
    std::int64_t sad = 0;
    for (int i = 0; i < h; i++) {
        const Sample *p[MOTION_TAP_COUNT], *c[MOTION_TAP_COUNT];
        for (int k = 0; k < MOTION_TAP_COUNT; k++) {
            const int row = mirror_101(i - radius + k, h);
            p[k] = earlier.row<Sample>(row);
            c[k] = current.row<Sample>(row);
        }
        for (int j = 0; j < w; j++) {
            std::int64_t sum = 0;
            for (int k = 0; k < MOTION_TAP_COUNT; k++)
                sum += std::int64_t{motion_taps[k]} * (std::int32_t{p[k][j]} - std::int32_t{c[k][j]});
            y[j] = motion_round_vertical(sum, bit_depth);
        }
        for (int j = 1; j <= radius; j++) {
            y[-j] = y[mirror_101(-j, w)];
            y[w - 1 + j] = y[mirror_101(w - 1 + j, w)];
        }
        for (int j = 0; j < w; j++) {
            std::int64_t sum = 0;
            for (int k = 0; k < MOTION_TAP_COUNT; k++)
                sum += std::int64_t{motion_taps[k]} * y[j - radius + k];
            sad += std::abs(motion_round_horizontal(sum));
        }
    }
    return sad;
}

/// Blurred plane of libvmaf 3.0: MASYM edges, u16 after each direction (features.md §2.4).
template <class Sample>
std::span<std::uint16_t> legacy_blur(const Plane &plane, int bit_depth, Workspace &workspace) {
    const int w = plane.width, h = plane.height;
    const auto blurred = workspace.take<std::uint16_t>(static_cast<std::size_t>(w) * static_cast<std::size_t>(h));
    const auto column = workspace.take<std::int32_t>(static_cast<std::size_t>(w));
    for (int i = 0; i < h; i++) {
        for (int j = 0; j < w; j++) {
            std::int64_t sum = 0;
            for (int k = 0; k < MOTION_TAP_COUNT; k++)
                sum += std::int64_t{motion_taps[k]} * plane.row<Sample>(mirror_asymmetric(i - radius + k, h))[j];
            column[static_cast<std::size_t>(j)] = motion_round_vertical(sum, bit_depth);
        }
        for (int j = 0; j < w; j++) {
            std::int64_t sum = 0;
            for (int k = 0; k < MOTION_TAP_COUNT; k++)
                sum += std::int64_t{motion_taps[k]} *
                       column[static_cast<std::size_t>(mirror_asymmetric(j - radius + k, w))];
            blurred[static_cast<std::size_t>(i) * static_cast<std::size_t>(w) + static_cast<std::size_t>(j)] =
                static_cast<std::uint16_t>(motion_round_horizontal(sum));
        }
    }
    return blurred;
}

template <class Sample>
std::int64_t legacy_difference(const Plane &earlier, const Plane &current, int bit_depth, Workspace &workspace) {
    const auto a = legacy_blur<Sample>(earlier, bit_depth, workspace);
    const auto b = legacy_blur<Sample>(current, bit_depth, workspace);
    std::int64_t sad = 0;
    for (std::size_t i = 0; i < a.size(); i++)
        sad += std::abs(std::int32_t{a[i]} - std::int32_t{b[i]});
    return sad;
}

template <class Sample>
class MotionReference final : public Extractor {
  public:
    MotionReference(int bit_depth, const MotionDemand &demand) : bit_depth_(bit_depth), demand_(demand) {}

    std::size_t sums_count() const override { return MotionDemand::sums_count; }

    void extract(const FrameInputs &frames, Workspace &workspace, Sums sums) const override {
        const Plane &current = frames.reference->plane(0);
        const auto [back1, back2] = frames.earlier_reference;
        sums[MotionDemand::one_back_sum] = demand_.one_back && back1 ? difference(*back1, current, workspace) : 0;
        sums[MotionDemand::two_back_sum] = demand_.two_back && back2 ? difference(*back2, current, workspace) : 0;
        sums[MotionDemand::legacy_sum] =
            demand_.legacy && back1 ? legacy_difference<Sample>(back1->plane(0), current, bit_depth_, workspace) : 0;
    }

  private:
    std::int64_t difference(const Frame &earlier, const Plane &current, Workspace &workspace) const {
        return blurred_difference<Sample>(earlier.plane(0), current, bit_depth_, workspace);
    }

    int bit_depth_;
    MotionDemand demand_;
};

} // namespace

std::unique_ptr<Extractor> make_motion_reference(const VideoFormat &format, const MotionDemand &demand) {
    if (format.bytes_per_sample() == 1)
        return std::make_unique<MotionReference<std::uint8_t>>(format.bit_depth, demand);
    return std::make_unique<MotionReference<std::uint16_t>>(format.bit_depth, demand);
}

} // namespace isovmaf
