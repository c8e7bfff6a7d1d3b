// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <cstdint>
#include <optional>

#include "frame/frame_pool.hpp"
#include "input/byte_reader.hpp"
#include "input/source.hpp"

namespace isovmaf {

/// Bytes of one frame as files hold it: planes one after the other without padding, subsampled chroma rounded up.
/// The format has to be valid.
[[nodiscard]] std::uint64_t stored_frame_bytes(const VideoFormat &format);

/// Fails when `frame`, number `index` of `name`, has a sample that needs more bits than the format says: features
/// rely on the range. The usual cause is a wrong bit depth for raw video.
[[nodiscard]] Result<void> check_samples(const Frame &frame, const std::string &name, std::int64_t index);

/// Reads planar frames from bytes, the common part of raw video and Y4M.
class PlanarReader {
  public:
    /// `reader` outlives this.
    PlanarReader(ByteReader &reader, const VideoFormat &format, LogSink log);

    /// The next frame. When the bytes end inside it: a warning to the log, and nothing.
    [[nodiscard]] Result<std::optional<Frame>> read();

    /// Frames that `read` gave.
    [[nodiscard]] std::int64_t frames_read() const { return frames_read_; }

  private:
    [[nodiscard]] Result<std::uint64_t> read_planes(const WritableFrame &frame);
    void warn_truncated(std::uint64_t found) const;

    ByteReader &reader_;
    VideoFormat format_;
    LogSink log_;
    FramePool pool_;
    std::int64_t frames_read_ = 0;
};

} // namespace isovmaf
