// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "diff/locate.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "base/align.hpp"

namespace isovmaf::diff {

namespace {

class Shrinker {
  public:
    Shrinker(const FeatureCase &whole, const StillFails &fails, int attempts)
        : whole_(whole), fails_(fails), attempts_(attempts) {}

    SmallCase shrink() {
        fewer_option_sets();
        fewer_frames();
        smaller_crop();
        fewer_bits();
        return {reduce(whole_, reduction_), dropped_, reduction_};
    }

  private:
    bool fails(const FeatureCase &c) { return attempts_-- > 0 && fails_(c); }

    void fewer_option_sets() {
        for (std::size_t i = 0; i < whole_.option_sets.size() && whole_.option_sets.size() > 1;) {
            FeatureCase fewer = whole_;
            fewer.option_sets.erase(fewer.option_sets.begin() + static_cast<std::ptrdiff_t>(i));
            if (fails(fewer))
                whole_ = std::move(fewer);
            else
                i++;
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

    /// Cuts strips from all four sides, from half of the picture down to one row or column. Strips at the left and the
    /// top are whole chroma samples.
    void smaller_crop() {
        const VideoFormat &format = whole_.format();
        Crop crop{format.width, format.height, 0, 0};
        for (int wide = crop.width / 2, high = crop.height / 2; wide > 0 || high > 0; wide /= 2, high /= 2)
            while (cut(crop, wide, high)) {
            }
    }

    /// Cuts one strip from the first side on which the smaller case still fails.
    bool cut(Crop &crop, int wide, int high) {
        const VideoFormat &format = whole_.format();
        const int left = align_up(wide, 1 << format.chroma_shift_x());
        const int top = align_up(high, 1 << format.chroma_shift_y());
        const std::array<Crop, 4> smaller{{{crop.width - left, crop.height, crop.left + left, crop.top},
                                           {crop.width - wide, crop.height, crop.left, crop.top},
                                           {crop.width, crop.height - top, crop.left, crop.top + top},
                                           {crop.width, crop.height - high, crop.left, crop.top}}};
        const auto possible = [&](const Crop &next) {
            return next != crop && next.width > 0 && next.height > 0 && takes(next) && try_crop(next);
        };
        const auto found = std::ranges::find_if(smaller, possible);
        if (found == smaller.end())
            return false;
        crop = *found;
        return true;
    }

    /// Whether the feature takes pictures of that size.
    [[nodiscard]] bool takes(const Crop &crop) const {
        VideoFormat format = whole_.format();
        format.width = crop.width;
        format.height = crop.height;
        return std::ranges::all_of(whole_.option_sets, [&](const OptionSet &options) {
            return check_needs(*whole_.feature, format, options).has_value();
        });
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
            if (reduction.keep_bits != 0) // --keep_bits does not take 0
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
