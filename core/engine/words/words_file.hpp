// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "isovmaf/request.hpp"
#include "isovmaf/result.hpp"
#include "isovmaf/video_format.hpp"
#include "isovmaf/words.hpp"

/// A words file holds the words of a run of frames, and what it takes to turn them into scores: docs/words-file.md.
namespace isovmaf {

/// Digests of a reference frame and of the distorted frame beside it: of each XXH64 of the samples of all planes, row
/// by row, where the hash of a row is the seed of the next. Bytes between rows do not count. Different pictures have
/// different digests unless they are made to collide.
struct PairDigest {
    std::uint64_t reference = 0;
    std::uint64_t distorted = 0;

    friend bool operator==(const PairDigest &, const PairDigest &) = default;
};

/// What is extracted for one feature.
struct WordsFeature {
    std::string name;
    bool every_frame = false;             ///< a temporal feature: it runs on frames that subsampling skips, too
    std::vector<OptionTexts> option_sets; ///< each with a value for every option of the feature
    std::vector<WordSpec> words;          ///< of one frame, shared by all option sets

    friend bool operator==(const WordsFeature &, const WordsFeature &) = default;
};

/// What the words mean. The words files of one video have equal schemas.
struct WordsSchema {
    VideoFormat format;
    Semantics semantics = Semantics::libvmaf_3_2;
    int subsample = 1;
    std::vector<WordsFeature> features;

    [[nodiscard]] bool runs_on_frame(const WordsFeature &feature, std::int64_t frame) const {
        return feature.every_frame || frame % subsample == 0;
    }

    friend bool operator==(const WordsSchema &, const WordsSchema &) = default;
};

/// Most earlier frames that an extractor reads.
inline constexpr int max_lead_in = 2;

/// The content of a words file.
struct WordsFile {
    std::string name; ///< the file's path, for messages; not part of the file
    WordsSchema schema;
    std::int64_t first_frame = 0;
    bool ends_video = false;         ///< the last frame is the last frame of the video
    std::vector<PairDigest> lead_in; ///< of the earlier frames that were read before first_frame, oldest first
    std::int64_t frame_count = 0;
    std::vector<PairDigest> last;    ///< of the last `last_count()` frames, oldest first
    std::vector<std::int64_t> words; ///< frame after frame; in a frame feature after feature, as the schema lists them

    [[nodiscard]] std::int64_t end_frame() const { return first_frame + frame_count; }

    /// How many frames a segment behind this one may have as its lead-in.
    [[nodiscard]] std::size_t last_count() const {
        return static_cast<std::size_t>(std::min<std::int64_t>(frame_count, max_lead_in));
    }
};

/// The bytes of a words file.
[[nodiscard]] std::vector<std::byte> encode_words(const WordsFile &file);

/// Reads the bytes of a words file called `name`. Bytes that `encode_words` did not make are refused: the error names
/// the file and says whether it is of another kind or version, truncated, damaged or contradictory. No number in the
/// file is trusted before it is checked against the bytes that are there.
[[nodiscard]] Result<WordsFile> decode_words(std::span<const std::byte> bytes, const std::string &name);

} // namespace isovmaf

/// What the reader and the writer of words files agree on beyond the order of the fields (docs/words-file.md).
namespace isovmaf::words_layout {

static_assert(std::endian::native == std::endian::little, "numbers are copied to and from the file as they are");

inline constexpr std::array<char, 8> magic{'I', 'S', 'O', 'W', 'O', 'R', 'D', 'S'};
inline constexpr std::uint32_t format_version = 3; ///< changes with every change of the format

/// Before the body: magic, version, length of the file in bytes, XXH64 of the body.
inline constexpr std::size_t version_at = magic.size(), length_at = version_at + 4, checksum_at = length_at + 8,
                             body_at = checksum_at + 8;

} // namespace isovmaf::words_layout
