// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "diff/content.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/ranges.h>

#include "base/try.hpp"
#include "diff/fills.hpp"
#include "frame/validate.hpp"

namespace isovmaf::diff {

std::span<const std::string_view> content_names() {
    static const std::vector<std::string_view> names = [] {
        std::vector<std::string_view> all;
        for (const Fill &fill : fills())
            all.push_back(fill.name);
        return all;
    }();
    return names;
}

std::string_view content_summary(std::string_view fill) {
    const Fill *const found = find_fill(fill);
    return found ? found->summary : std::string_view{};
}

Result<FramePair> make_frame(const Content &content, int index) {
    const Fill *const fill = find_fill(content.fill);
    if (!fill)
        return fail(ErrorCode::not_found, fmt::format("there is no content \"{}\"; there are {}", content.fill,
                                                      fmt::join(content_names(), ", ")));
    TRY(validate_format(content.format));
    if (index < 0)
        return fail(ErrorCode::invalid_argument, fmt::format("frames are counted from 0, there is no frame {}", index));
    return fill->make({content.format, content.seed, index, fill->pitch});
}

std::string describe(const Content &content) {
    const VideoFormat &format = content.format;
    return fmt::format("{} of seed {}, {}x{}, {}, {} bit, {} frame{}", content.fill, content.seed, format.width,
                       format.height, chroma_text(format.chroma), format.bit_depth, content.frames,
                       content.frames == 1 ? "" : "s");
}

namespace {

struct Size {
    int width, height;

    friend bool operator==(const Size &, const Size &) = default;
};

constexpr std::array kernel_tiles{8, 16, 32, 60, 64, 112}; ///< widths and heights of kernels' tiles, in samples
constexpr std::int64_t sweep_area = 20000; ///< luma samples of a frame: the slowest backend runs them all

constexpr std::array every_depth{8, 10, 12, 16};
constexpr std::array every_chroma{Chroma::k400, Chroma::k420, Chroma::k422, Chroma::k444};

/// The first multiple of a tile that is greater than `smallest`.
int tile_multiple(int tile, int smallest) { return (smallest + tile) / tile * tile; }

/// Sizes of sweeps: around tiles, odd ones, flat and narrow ones, then the smallest ones. This order pairs the smallest
/// ones with noises, the last fills of the list.
class SweepSizes {
  public:
    SweepSizes(int smallest_side, int longer_side) : smallest_(smallest_side), longer_(longer_side) {
        for (std::size_t i = 0; i < kernel_tiles.size(); i++)
            for (const int beside : {-1, 0, 1})
                add(tile_multiple(kernel_tiles[i], smallest_) + beside,
                    tile_multiple(kernel_tiles[(i + 2) % kernel_tiles.size()], smallest_) - beside);
        for (const auto &[width, height] : {Size{97, 53}, Size{131, 67}, Size{75, 119}, Size{149, 101}})
            add(width, height);
        for (const int side : {257, 513, 600, 1025}) {
            add(side, smallest_);
            add(smallest_, side);
        }
        const int longer = std::max(smallest_, longer_);
        for (const auto &[width, height] : {Size{0, 0}, Size{1, 0}, Size{0, 1}, Size{1, 2}})
            add(longer + width, smallest_ + height);
        if (longer > smallest_)
            add(smallest_, longer);
    }

    std::vector<Size> take() { return std::move(sizes_); }

  private:
    /// Adds a size unless it is too small, too large or listed already.
    void add(int width, int height) {
        const Size size{width, height};
        if (std::min(width, height) < smallest_ || std::max(width, height) < longer_ ||
            std::find(sizes_.begin(), sizes_.end(), size) != sizes_.end())
            return;
        if (size == Size{smallest_, smallest_} || std::int64_t{width} * height <= sweep_area)
            sizes_.push_back(size);
    }

    int smallest_, longer_;
    std::vector<Size> sizes_;
};

/// A choice whose empty lists are filled with all that there is.
struct Alternatives {
    explicit Alternatives(const ContentChoice &choice)
        : fills(choice.fills), chroma(choice.chroma), bit_depths(choice.bit_depths) {
        if (fills.empty())
            fills.assign(content_names().begin(), content_names().end());
        if (chroma.empty())
            chroma.assign(every_chroma.begin(), every_chroma.end());
        if (bit_depths.empty())
            bit_depths.assign(every_depth.begin(), every_depth.end());
        for (const VideoFormat &format : choice.sizes)
            sizes.push_back({format.width, format.height});
    }

    std::vector<std::string> fills;
    std::vector<Chroma> chroma;
    std::vector<int> bit_depths;
    std::vector<Size> sizes; ///< the given ones; may be empty
};

/// Hands out every size once before any size a second time, except where a fill would show nothing.
class SizeDealer {
  public:
    explicit SizeDealer(std::vector<Size> all) : all_(std::move(all)), left_(all_) {}

    [[nodiscard]] bool dealt_all() const { return dealt_all_; }

    /// A size whose longer side is greater than the fill's pitch. With `any_left`, a size that was not handed out yet,
    /// even if the fill shows nothing there.
    Size deal(int pitch, bool any_left) {
        const auto shows = [&](const Size &size) { return std::max(size.width, size.height) > pitch; };
        auto place = std::find_if(left_.begin(), left_.end(), shows);
        if (place == left_.end() && !any_left)
            if (const auto again = std::find_if(all_.begin(), all_.end(), shows); again != all_.end())
                return *again;
        if (place == left_.end())
            place = left_.begin();
        const Size size = *place;
        left_.erase(place);
        if (left_.empty()) {
            dealt_all_ = true;
            left_ = all_;
        }
        return size;
    }

  private:
    std::vector<Size> all_, left_;
    bool dealt_all_ = false;
};

VideoFormat format_of(const Size &size, Chroma chroma, int bit_depth) {
    return {.width = size.width, .height = size.height, .chroma = chroma, .bit_depth = bit_depth};
}

bool has_empty_planes(const VideoFormat &format) { return format.plane_width(1) == 0 || format.plane_height(1) == 0; }

/// The format, enlarged until no plane is empty.
VideoFormat grown(VideoFormat format) {
    format.width = std::max(format.width, 1 << format.chroma_shift_x());
    format.height = std::max(format.height, 1 << format.chroma_shift_y());
    return format;
}

/// The same size with the first chroma format that leaves no plane empty, or, without such a format, enlarged.
VideoFormat with_planes(VideoFormat format, const std::vector<Chroma> &chroma) {
    const Chroma own = format.chroma;
    for (std::size_t i = 0; i < chroma.size() && has_empty_planes(format); i++)
        format.chroma = chroma[i];
    if (has_empty_planes(format))
        format.chroma = own;
    return grown(format);
}

int pitch_of(std::string_view name) {
    const Fill *const fill = find_fill(name);
    return fill ? fill->pitch : 0;
}

/// SplitMix64: turns a counter into words that look random.
class Random {
  public:
    explicit Random(std::uint64_t &state) : state_(state) {}

    std::uint32_t word() {
        std::uint64_t z = state_ += 0x9e3779b97f4a7c15;
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
        z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
        return static_cast<std::uint32_t>((z ^ (z >> 31)) >> 32);
    }

    /// From `from` to `to`, both included.
    int between(int from, int to) {
        const auto count = static_cast<std::uint64_t>(std::max(to - from, 0)) + 1;
        return from + static_cast<int>(word() * count >> 32);
    }

    template <class T>
    const T &one_of(const std::vector<T> &all) {
        return all[static_cast<std::size_t>(between(0, static_cast<int>(all.size()) - 1))];
    }

  private:
    std::uint64_t &state_;
};

/// A length from `smallest` to `largest`: half of them around multiples of tiles, a quarter odd, an eighth near the
/// smallest.
int random_side(Random &random, int smallest, int largest) {
    const int kind = random.between(0, 7);
    int side = random.between(smallest, largest);
    if (kind < 4) {
        const int tile = kernel_tiles[static_cast<std::size_t>(random.between(0, kernel_tiles.size() - 1))];
        const int below = side / tile * tile;
        side = (below < smallest ? below + tile : below) + random.between(-1, 1);
    } else if (kind < 6) {
        side |= 1;
    } else if (kind == 6) {
        side = smallest + random.between(0, 2);
    }
    return std::clamp(side, smallest, largest);
}

} // namespace

std::vector<Content> short_sweep(const ContentChoice &choice, std::uint32_t seed) {
    const Alternatives from(choice);
    const bool given = !from.sizes.empty();
    SizeDealer sizes(given ? from.sizes : SweepSizes(std::max(choice.smallest_side, 1), choice.longer_side).take());
    const std::size_t depths = from.bit_depths.size(), combinations = depths * from.chroma.size();
    const std::size_t least = std::max(from.fills.size(), combinations);
    std::vector<Content> sweep;
    for (std::size_t i = 0; i < least || !sizes.dealt_all(); i++) {
        const std::string &fill = from.fills[i % from.fills.size()];
        const Chroma chroma = from.chroma[i / depths % from.chroma.size()];
        VideoFormat format = format_of(sizes.deal(pitch_of(fill), i >= least), chroma, from.bit_depths[i % depths]);
        if (!given)
            format = i < combinations ? grown(format) : with_planes(format, from.chroma);
        sweep.push_back({fill, format, seed, choice.frames});
    }
    return sweep;
}

RandomContents::RandomContents(ContentChoice choice, std::uint32_t seed) : choice_(std::move(choice)), state_(seed) {}

Content RandomContents::next() {
    constexpr int small_side = 80; ///< how far most sides go beyond the smallest
    const Alternatives from(choice_);
    Random random(state_);
    Content content;
    content.fill = random.one_of(from.fills);
    content.format.chroma = random.one_of(from.chroma);
    content.format.bit_depth = random.one_of(from.bit_depths);
    content.seed = random.word();
    content.frames = random.between(1, choice_.frames);
    if (!from.sizes.empty()) {
        const Size size = random.one_of(from.sizes);
        content.format = format_of(size, content.format.chroma, content.format.bit_depth);
        return content;
    }
    const int smallest = std::max(choice_.smallest_side, 1);
    const auto side = [&](int largest) {
        const int small = random.between(0, 7) > 0 ? smallest + small_side : largest;
        return random_side(random, smallest, std::max(std::min(small, largest), smallest));
    };
    content.format.width = side(choice_.largest_width);
    content.format.height = side(choice_.largest_height);
    if (std::max(content.format.width, content.format.height) < choice_.longer_side)
        (random.between(0, 1) ? content.format.width : content.format.height) =
            random_side(random, choice_.longer_side, choice_.longer_side + small_side);
    content.format = grown(content.format);
    return content;
}

} // namespace isovmaf::diff
