// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "base/hashes.hpp"
#include "frame/frame_pool.hpp"
#include "input/raw/byte_reader.hpp"
#include "input/source.hpp"

namespace isovmaf {

/// Number of bytes of the first planes of a frame in a file, by default of all: planes follow each other without
/// padding, and the size of subsampled chroma is rounded up. The format has to be valid.
[[nodiscard]] std::uint64_t stored_frame_bytes(const VideoFormat &format, int plane_count = 3);

/// Bytes of one row of a plane in a file.
[[nodiscard]] std::size_t stored_row_bytes(const VideoFormat &format, int plane);

/// Adds rows of a plane, without the row `end`, to a hash of what is in the file.
void add_rows(const WritableFrame &frame, const VideoFormat &format, int plane, int begin, int end, ContentHash &hash);

/// Of rows that are read before their samples are looked at: they are in the processor's cache then.
inline constexpr std::size_t bytes_looked_at_once = std::size_t{1} << 18;

/// Of the frames of one video that one thread has read and another has not taken: two of 2160p at 10 bit fit.
inline constexpr std::uint64_t most_bytes_ahead = std::uint64_t{64} << 20;

/// The treatment of a video whose bytes end inside a frame: an error, or a warning and one frame less.
enum class TruncatedEnd : std::uint8_t { error, warning };

/// Reads planar frames from bytes. Raw video and Y4M have this in common.
class PlanarReader {
  public:
    /// `reader` outlives this.
    PlanarReader(ByteReader &reader, const VideoFormat &format, TruncatedEnd truncated);

    /// See FrameSource::prepare.
    void prepare(const FrameNeeds &needs);

    /// The next frame. Bytes that end inside it are an error, or nothing and a warning: see TruncatedEnd. Adds the
    /// planes to `hash`, unless it is null.
    [[nodiscard]] Result<std::optional<Frame>> read(ContentHash *hash = nullptr);

    /// Counts a frame that somebody else has read, and passes over its `bytes`.
    [[nodiscard]] Result<void> pass(std::uint64_t bytes);

    /// The same for `frames` frames that nobody reads.
    [[nodiscard]] Result<void> pass(std::int64_t frames, std::uint64_t bytes);

    /// The reader was moved to the first frame.
    void restart() { frames_read_ = 0; }

    /// How many planes of a frame are read.
    [[nodiscard]] int planes_wanted() const { return planes_wanted_; }

    /// The memory of frames, which have room for these planes.
    [[nodiscard]] FramePool &pool() { return *pool_; }

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
    int planes_wanted_;
    std::optional<FramePool> pool_; ///< never empty
    std::int64_t frames_read_ = 0;
    std::string end_warning_;
};

} // namespace isovmaf
