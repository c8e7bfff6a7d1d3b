// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "input/libav/tiff_tags.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <optional>

namespace isovmaf {

namespace {

using Bytes = std::span<const std::uint8_t>;

constexpr std::size_t entry_bytes = 12; ///< a tag: its number, its type, how many values, and them or where they lie
constexpr unsigned type_short = 3;

/// TIFF 6.0, section 2: the byte order, 42, and where the list of the first picture's tags begins.
class TiffFile {
  public:
    [[nodiscard]] static std::optional<TiffFile> open(Bytes file) {
        constexpr std::array<std::uint8_t, 4> little{'I', 'I', 42, 0}, big{'M', 'M', 0, 42};
        if (file.size() < 8)
            return std::nullopt;
        const bool is_little = std::equal(little.begin(), little.end(), file.begin());
        if (!is_little && !std::equal(big.begin(), big.end(), file.begin()))
            return std::nullopt;
        TiffFile tiff(file, is_little);
        tiff.list_ = tiff.u32(4);
        if (tiff.list_ > file.size() - 2)
            return std::nullopt;
        tiff.count_ = tiff.u16(tiff.list_);
        // Behind the tags the place of the next picture's list is stored.
        if (tiff.entry(tiff.count_) + 4 > file.size())
            return std::nullopt;
        return tiff;
    }

    [[nodiscard]] std::size_t count() const { return count_; }
    [[nodiscard]] std::size_t list() const { return list_; }
    [[nodiscard]] std::size_t entry(std::size_t i) const { return list_ + 2 + i * entry_bytes; }
    [[nodiscard]] unsigned tag(std::size_t i) const { return u16(entry(i)); }

    /// Whether the tag's values are 16-bit numbers that are all among two.
    [[nodiscard]] bool has_only(std::size_t i, unsigned a, unsigned b) const {
        const std::size_t count = u32(entry(i) + 4);
        const std::size_t values = count <= 2 ? entry(i) + 8 : u32(entry(i) + 8);
        if (u16(entry(i) + 2) != type_short || values > file_.size() || count > (file_.size() - values) / 2)
            return false;
        for (std::size_t n = 0; n < count; n++)
            if (const unsigned value = u16(values + 2 * n); value != a && value != b)
                return false;
        return true;
    }

    /// The two bytes of a number in the file's byte order.
    [[nodiscard]] std::array<std::uint8_t, 2> bytes_of(std::size_t number) const {
        const auto low = static_cast<std::uint8_t>(number & 0xff), high = static_cast<std::uint8_t>(number >> 8);
        return little_ ? std::array{low, high} : std::array{high, low};
    }

  private:
    TiffFile(Bytes file, bool little) : file_(file), little_(little) {}

    [[nodiscard]] unsigned u16(std::size_t at) const {
        const unsigned first = file_[at], second = file_[at + 1];
        return little_ ? first | second << 8 : first << 8 | second;
    }
    [[nodiscard]] std::size_t u32(std::size_t at) const {
        const std::size_t first = u16(at), second = u16(at + 2);
        return little_ ? first | second << 16 : first << 16 | second;
    }

    Bytes file_;
    bool little_;
    std::size_t list_ = 0;
    std::size_t count_ = 0;
};

/// Whether samples mean the same without the tag. Orientation, alpha and number formats do with the values that
/// libavcodec takes for granted; with others the tag stays, and libavcodec refuses the picture.
bool is_harmless(const TiffFile &tiff, std::size_t i) {
    constexpr unsigned orientation = 274, extra_samples = 338, sample_format = 339;
    constexpr std::array<unsigned, 13> never_about_samples{
        286,   // XPosition
        287,   // YPosition
        296,   // ResolutionUnit
        318,   // WhitePoint
        319,   // PrimaryChromaticities
        532,   // ReferenceBlackWhite
        700,   // XMP
        33723, // IPTC
        34377, // Photoshop's resources
        34665, // Exif
        34675, // ICC profile
        34853, // GPS
        37724, // Photoshop's layers
    };
    switch (const unsigned tag = tiff.tag(i)) {
    case orientation: // first row above, first column left
        return tiff.has_only(i, 1, 1);
    case extra_samples: // of unknown use, or alpha by which samples are not multiplied
        return tiff.has_only(i, 0, 2);
    case sample_format: // unsigned integers
        return tiff.has_only(i, 1, 1);
    default:
        return std::ranges::find(never_about_samples, tag) != never_about_samples.end();
    }
}

} // namespace

std::size_t remove_harmless_tags(std::span<std::uint8_t> file, bool only_count) {
    const std::optional<TiffFile> tiff = TiffFile::open(file);
    if (!tiff)
        return 0;
    std::size_t kept = 0;
    for (std::size_t i = 0; i < tiff->count(); i++) {
        if (is_harmless(*tiff, i))
            continue;
        if (!only_count)
            std::memmove(&file[tiff->entry(kept)], &file[tiff->entry(i)], entry_bytes);
        kept++;
    }
    const std::size_t removed = tiff->count() - kept;
    if (removed > 0 && !only_count) {
        std::memmove(&file[tiff->entry(kept)], &file[tiff->entry(tiff->count())], 4);
        std::ranges::copy(tiff->bytes_of(kept), &file[tiff->list()]);
    }
    return removed;
}

} // namespace isovmaf
