// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/log.hpp"
#include "frame/frame.hpp"
#include "frame/frame_pool.hpp"
#include "input/hardware.hpp"
#include "input/read_content.hpp"
#include "input/source_info.hpp"
#include "input/stated_format.hpp"
#include "isovmaf/result.hpp"

namespace isovmaf {

/// A stream of a file, counted from 0.
struct StreamChoice {
    int number = 0;
    bool among_video = true; ///< counts video streams only; else all streams

    friend auto operator<=>(const StreamChoice &, const StreamChoice &) = default;
};

/// Parses "v:1", the second video stream, or "3", the fourth stream.
[[nodiscard]] Result<StreamChoice> parse_stream_choice(std::string_view text);

/// The text that parse_stream_choice reads.
[[nodiscard]] std::string stream_choice_text(const StreamChoice &choice);

class FrameIndexes;
class PipeGroup;

/// What is wanted of a video's frames.
struct FrameNeeds {
    int planes = 3;          ///< the first ones; the content of the others may be anything
    FrameMemory memory = {}; ///< where frames lie if that is as well for the source; empty: anywhere
    int readers = 1;         ///< threads that may read the file at a time
    Decoding decoding = {};  ///< of coded video
};

/// A video read frame by frame, in display order. Used by one thread at a time.
class FrameSource {
  public:
    virtual ~FrameSource() = default;

    [[nodiscard]] virtual const SourceInfo &info() const = 0;

    /// The next frame, or nothing at the end. When the last frame is truncated, the video ends before it and
    /// `end_warning` says so; with `strict`, and for raw video without `allow_partial`, that is an error. Damage before
    /// the end is an error. Frames of video files have ChromaEdge::present, and their presentation time if the file
    /// says it.
    [[nodiscard]] virtual Result<std::optional<Frame>> read() = 0;

    /// What the frame that `read` gave last says about its colours where that is not what `info` says.
    [[nodiscard]] virtual ColourChangeHandle change() const { return nullptr; }

    /// When `read` or `skip` has come to the end: a sentence that says how the file was cut short. Empty for a whole
    /// file.
    [[nodiscard]] virtual std::string end_warning() const { return {}; }

    /// Passes over the next `count` frames as `read` does, and returns how many there were: fewer only at the end.
    /// Sources that know where a later frame begins do not read those before it: what is wrong in them stays unseen.
    [[nodiscard]] virtual Result<std::int64_t> skip(std::int64_t count);

    /// Whether `go_to` is possible, from the first `read` or `skip` on.
    [[nodiscard]] virtual bool can_go_to() const { return false; }

    /// Goes to a frame, counted from 0, from wherever the source is, and keeps what is open: `read` gives that frame
    /// next. False when the video ends before it.
    [[nodiscard]] virtual Result<bool> go_to(std::int64_t frame);

    /// The conversion target of samples that features cannot read, such as R'G'B'; nothing when no conversion is
    /// needed.
    [[nodiscard]] virtual std::optional<ConversionTarget> conversion() const { return std::nullopt; }

    /// How long the conversion of frames has taken so far, in seconds. May be called from any thread.
    [[nodiscard]] virtual double conversion_seconds() const { return 0; }

    /// Chooses another target, of the same size, before the first `read`. Only for sources that convert.
    virtual Result<void> convert_to(const ConversionTarget &target);

    /// States what is wanted of all frames, before the first `read` or `skip`. Sources that cannot do with less read
    /// everything. What is wrong in samples that are not wanted stays unseen. Fails when a device is required to decode
    /// coded video, and cannot.
    [[nodiscard]] virtual Result<void> prepare(const FrameNeeds &needs);

    /// Makes a read in progress, even one that waits for a pipe, and all later reads fail soon. May be called from any
    /// thread.
    virtual void cancel() = 0;

  private:
    /// Passes over one frame; false at the end.
    [[nodiscard]] virtual Result<bool> pass_over();
};

struct SourceOptions {
    StatedFormat stated = {}; ///< how to read a file without a header; checked against the header of all others
    std::optional<StreamChoice> stream = {}; ///< of a container; without it the stream that ffmpeg takes
    bool allow_partial = false;              ///< raw video may end inside a frame, which is left out with a warning
    bool strict = false;    ///< a video that ends inside a frame or too early is an error, not a warning
    int decode_threads = 0; ///< for codecs; 0: libavcodec chooses
    bool film_grain = true; ///< of coded video is applied as the file says; false: left out, or an error
    /// For a part of a video: skipping goes to the key frame before the next frame, where an index says for certain
    /// which frame that is, and frames that do not come as the index says are an error. The indexes outlive the source.
    FrameIndexes *indexes = nullptr;
    /// With indexes: does not wait for the one of this file. Frames are read without it, and compared with it from when
    /// it is there, which shows whether those before came as it says. FrameSource::go_to is possible from then on.
    bool index_later = false;
    std::shared_ptr<ReadContent> content = {}; ///< gets the bytes that are read of a file; see ByteReader::open
    std::shared_ptr<PipeGroup> pipes = {};     ///< open already, for videos that are read side by side; see PipeGroup
    LogSink log = {}; ///< gets notices about how the file is read; what is wrong with the video is in end_warning
};

/// Opens Y4M when the file starts like Y4M, else any file that libavformat can read. With a complete `stated` format, a
/// file is raw planar YUV if it has a whole number of such frames, or begins like no video known to libavformat; its
/// name does not matter. "-" is standard input. The error says whether the file is missing, empty, a directory, of an
/// unknown format, or of another format than `stated`. A path that names no file can be a URL ("https://..."), or a
/// pattern for numbered pictures ("%04d.png").
[[nodiscard]] Result<std::unique_ptr<FrameSource>> open_source(const std::string &path, const SourceOptions &options);

/// The next frame of a source, or nothing at the end. Exceptions come back as errors: one that leaves a
/// thread would end the process.
[[nodiscard]] Result<std::optional<Frame>> read_frame(FrameSource &source) noexcept;

/// Goes to a frame of a source: see FrameSource::go_to. Exceptions come back as errors.
[[nodiscard]] Result<bool> go_to_frame(FrameSource &source, std::int64_t frame) noexcept;

/// Passes over frames of a source: see FrameSource::skip. Exceptions come back as errors.
[[nodiscard]] Result<std::int64_t> skip_frames(FrameSource &source, std::int64_t count) noexcept;

} // namespace isovmaf
