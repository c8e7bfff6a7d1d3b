// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "isovmaf/frame.hpp"
#include "isovmaf/result.hpp"

namespace isovmaf::diff {

/// Generated pictures that are hard cases for arithmetic and kernels. Equal contents give equal pictures on every
/// machine.
struct Content {
    std::string fill = {}; ///< one of content_names()
    VideoFormat format = {};
    std::uint32_t seed = 1;
    int frames = 1;

    friend bool operator==(const Content &, const Content &) = default;
};

/// The names of all fills, in the order of sweeps.
[[nodiscard]] std::span<const std::string_view> content_names();

/// One sentence about a fill, for --help.
[[nodiscard]] std::string_view content_summary(std::string_view fill);

/// Frame `index` of the content; it may lie behind the last one. Fails on an unknown fill, naming those that exist,
/// and on a format that frames cannot have.
[[nodiscard]] Result<FramePair> make_frame(const Content &content, int index);

/// "checkerboard-7 of seed 3, 131x67, 4:2:0, 10 bit, 4 frames"
[[nodiscard]] std::string describe(const Content &content);

/// The contents that a sweep chooses from.
struct ContentChoice {
    std::vector<std::string> fills = {}; ///< all when empty
    std::vector<VideoFormat> sizes = {}; ///< width and height alone count, taken as they are; when empty, sizes from
                                         ///< `smallest_side` on whose chroma planes are not empty
    std::vector<Chroma> chroma = {};     ///< all when empty
    std::vector<int> bit_depths = {};    ///< 8, 10, 12 and 16 when empty
    int smallest_side = 1;               ///< of the features that are compared
    int longer_side = 1;                 ///< and the longer side has at least that many samples
    int frames = 3;                      ///< at most; sweeps take as many
    int largest_width = 300, largest_height = 160; ///< of random sizes
};

/// A short fixed list that contains every fill, every bit depth with every chroma format, and sizes around tiles,
/// around the smallest ones, flat and narrow ones. Pictures are larger than the pitch of their fill and have at most
/// 20,000 luma samples, as far as the choice permits. `seed` is that of the fills.
[[nodiscard]] std::vector<Content> short_sweep(const ContentChoice &choice, std::uint32_t seed);

/// An endless sequence of random contents. Many sizes are odd or multiples of tiles plus or minus 1. Equal seeds and
/// choices give equal sequences.
class RandomContents {
  public:
    RandomContents(ContentChoice choice, std::uint32_t seed);
    [[nodiscard]] Content next();

  private:
    ContentChoice choice_;
    std::uint64_t state_;
};

} // namespace isovmaf::diff
