// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/log.hpp"
#include "engine/plan/bind_models.hpp"
#include "frame/crop.hpp"
#include "input/convert/compare_colours.hpp"
#include "input/convert/sample_format.hpp"
#include "input/convert/scaled_source.hpp"
#include "input/pair/pair_source.hpp"
#include "input/source.hpp"
#include "isovmaf/result.hpp"
#include "run/decoding.hpp"

namespace isovmaf {

/// Grows whenever pairs are scored that were refused before: batches try again what they failed at with a lower number.
inline constexpr int accepted_pairs_revision = 2;

/// Applies the policy to findings but for a doubt about ranges, see range_doubt. Returns the notes for the report;
/// warnings go to `log`. `strict`: see settled_kind.
[[nodiscard]] Result<std::vector<std::string>> apply_policy(const std::vector<Finding> &findings, ColourPolicy policy,
                                                            bool strict, const LogSink &log);

/// The doubt about ranges among the findings, which PairSource decides; nothing where the policy accepts all samples.
[[nodiscard]] std::optional<RangeDoubt> range_doubt(const std::vector<Finding> &findings, ColourPolicy policy,
                                                    const SourceInfo &reference);

/// How the video with fewer bits gets as many as the other.
enum class BitsAdded : std::uint8_t {
    by_range, ///< as its range wants, with a note; not at all when strict
    by_shift, ///< as libvmaf's program does: samples times a power of two
};

/// One video file, and how it is read.
struct VideoSide {
    std::string path;         ///< "-" is standard input
    StatedFormat stated = {}; ///< how raw video is read; other files are compared with it
    std::optional<StreamChoice> stream = {};
    bool convert_range = false;                ///< to the colour range of the other video
    std::optional<int> convert_bit_depth = {}; ///< to this bit depth, which may not be lower
    std::string convert_matrix =
        {};                        ///< libav's name of the matrix for R'G'B'; empty: that of the other video, or BT.709
    std::optional<Crop> crop = {}; ///< this part of the pictures is scored
    std::optional<SampleFormat> convert_format = {}; ///< to this chroma and bit depth, which may be lower
    bool rotate = false;                             ///< turned and mirrored as the file says
    std::shared_ptr<ReadContent> content = {};       ///< hashes the file while it is read: see ByteReader::open
};

/// Which side is scaled to the other's size, and how.
struct Resize {
    bool reference = false; ///< true: the reference is scaled; false: the distorted video
    std::string flags = default_scaler_flags;
};

/// What was decided about a pair before it was scored, as the option that says the same by hand: see settle_videos.
struct SettledOption {
    std::string name, value; ///< "resize" and "dis:bicubic+exact"; both empty: nothing was done
    std::string reason;      ///< a sentence about the two videos
};

/// "REASON: --resize dis:bicubic+exact", as reports say it.
[[nodiscard]] std::string settled_text(const SettledOption &option);

/// Two video files, and how they are read.
struct VideoRequest {
    VideoSide reference, distorted;
    bool allow_partial = false; ///< raw video may end inside a frame
    BitsAdded bits_added = BitsAdded::by_range;
    bool predicts = false; ///< a model predicts a score: HDR video gets a warning
    /// What the features read of videos of a format. With it, and when none reads chroma, the luma of videos with
    /// different chroma, or without, is compared; else they are an error.
    std::function<Result<FormatReaders>(const VideoFormat &)> readers = {};
    ColourPolicy colours = ColourPolicy::refuse;
    std::optional<Resize> resize = {}; ///< after cropping; sizes that are equal stay
    /// For a part of the frames: see SourceOptions. Not for a report of both videos, since frames that do not come as
    /// the index says are an error.
    FrameIndexes *indexes = nullptr;
    bool index_later = false; ///< see SourceOptions
    HardwareDecoding hwaccel = HardwareDecoding::none;
    int decode_threads = 0;                  ///< of each codec; 0: libavcodec chooses
    bool film_grain = true;                  ///< see SourceOptions
    std::shared_ptr<PipeGroup> pipes = {};   ///< of all videos of the run; null: open_videos opens those of both
    PairOptions pair = {};                   ///< its log is not used: see open_videos
    bool fit = false;                        ///< what the two need to be compared is decided: see settle_videos
    std::optional<int> find_offset = {};     ///< so is the offset, which is looked for up to this many frames first
    std::vector<SettledOption> settled = {}; ///< what was decided
};

} // namespace isovmaf
