// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "frame/frame_pool.hpp"
#include "input/raw/byte_reader.hpp"
#include "input/source.hpp"

namespace isovmaf {

/// Number of bytes of one frame in a file: planes follow each other without padding, and the size of subsampled chroma
/// is rounded up. The format has to be valid.
[[nodiscard]] std::uint64_t stored_frame_bytes(const VideoFormat &format);

/// The treatment of a video whose bytes end inside a frame: an error, or a warning and one frame less.
enum class TruncatedEnd : std::uint8_t { error, warning };

/// Reads planar frames from bytes. Raw video and Y4M have this in common.
class PlanarReader {
  public:
    /// `reader` outlives this.
    PlanarReader(ByteReader &reader, const VideoFormat &format, TruncatedEnd truncated);

    /// The next frame. Bytes that end inside it are an error, or nothing and a warning: see TruncatedEnd.
    [[nodiscard]] Result<std::optional<Frame>> read();

    /// Passes over the next frame; false at the end. Samples of a file are neither read nor checked.
    [[nodiscard]] Result<bool> skip();

    /// Number of frames that were read or skipped.
    [[nodiscard]] std::int64_t frames_read() const { return frames_read_; }

    /// See FrameSource::end_warning.
    [[nodiscard]] const std::string &end_warning() const { return end_warning_; }

  private:
    template <class LookAt>
    [[nodiscard]] Result<std::uint64_t> read_planes(const WritableFrame &frame, const LookAt &look_at);
    [[nodiscard]] Result<std::optional<Frame>> end_inside_frame(std::uint64_t found);

    ByteReader &reader_;
    VideoFormat format_;
    TruncatedEnd truncated_;
    FramePool pool_;
    std::int64_t frames_read_ = 0;
    std::string end_warning_;
};

} // namespace isovmaf
