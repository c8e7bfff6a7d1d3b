// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "diff/shrink.hpp"

#include <algorithm>
#include <array>

namespace isovmaf::diff {

namespace {

class Shrinker {
  public:
    Shrinker(const FeatureCase &whole, const StillFails &fails, int attempts)
        : whole_(whole), fails_(fails), attempts_(attempts) {}

    SmallCase shrink() {
        one_option_set();
        fewer_frames();
        smaller_crop();
        fewer_bits();
        return {reduce(whole_, reduction_), dropped_, reduction_};
    }

  private:
    bool fails(const FeatureCase &c) { return attempts_-- > 0 && fails_(c); }

    void one_option_set() {
        if (whole_.option_sets.size() < 2)
            return;
        for (const OptionSet &set : whole_.option_sets) {
            FeatureCase alone = whole_;
            alone.option_sets = {set};
            if (!fails(alone))
                continue;
            whole_ = std::move(alone);
            return;
        }
    }

    void fewer_frames() {
        while (whole_.frames.size() > 1) {
            FeatureCase fewer = whole_;
            fewer.frames.erase(fewer.frames.begin());
            if (!fails(fewer))
                return;
            whole_ = std::move(fewer);
            dropped_++;
        }
    }

    bool try_reduction(const Reduction &reduction) {
        if (!fails(reduce(whole_, reduction)))
            return false;
        reduction_ = reduction;
        return true;
    }

    /// Cuts ever smaller strips from all four sides.
    void smaller_crop() {
        const VideoFormat &format = whole_.format();
        Crop crop{format.width, format.height, 0, 0};
        const int unit_x = 1 << format.chroma_shift_x(), unit_y = 1 << format.chroma_shift_y();
        const int least = whole_.feature->smallest_side;
        for (int part = 2; part <= std::max(crop.width, crop.height); part *= 2) {
            const int wide = crop.width / part / unit_x * unit_x, high = crop.height / part / unit_y * unit_y;
            bool cut = true;
            while (cut) {
                cut = false;
                const std::array<Crop, 4> smaller{{{crop.width - wide, crop.height, crop.left + wide, crop.top},
                                                   {crop.width - wide, crop.height, crop.left, crop.top},
                                                   {crop.width, crop.height - high, crop.left, crop.top + high},
                                                   {crop.width, crop.height - high, crop.left, crop.top}}};
                for (const Crop &next : smaller) {
                    const bool less = next.width < crop.width || next.height < crop.height;
                    if (!less || next.width < least || next.height < least || !try_crop(next))
                        continue;
                    crop = next;
                    cut = true;
                    break;
                }
            }
        }
    }

    bool try_crop(const Crop &crop) {
        Reduction reduction = reduction_;
        reduction.crop = crop;
        return try_reduction(reduction);
    }

    void fewer_bits() {
        for (int bit = whole_.format().bit_depth - 1; bit >= 0; bit--) {
            Reduction reduction = reduction_;
            reduction.keep_bits &= ~(1u << bit) & ((1u << whole_.format().bit_depth) - 1);
            if (reduction.keep_bits != 0) // no bits at all is nothing that the command line can ask for
                try_reduction(reduction);
        }
    }

    FeatureCase whole_;
    const StillFails &fails_;
    int attempts_;
    std::size_t dropped_ = 0;
    Reduction reduction_;
};

} // namespace

SmallCase shrink(const FeatureCase &whole, const StillFails &fails, int attempts) {
    return Shrinker(whole, fails, attempts).shrink();
}

} // namespace isovmaf::diff
