// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include <sys/uio.h>

#include "base/content_blocks.hpp"
#include "frame/frame_pool.hpp"

namespace isovmaf {

/// Frames that lie at equal distances in a regular file: the bytes of a header, which are the same for all, and then
/// the planes.
struct EvenFrames {
    int descriptor = -1;
    std::uint64_t offset = 0; ///< of the first frame's header
    std::uint64_t distance = 0;
    std::int64_t count = 0;
    std::string header = {};
    VideoFormat format = {};
    int planes = 3;                ///< that are read
    BlockHashes *hashes = nullptr; ///< get the hashes of what is read, header and planes; null: nothing is hashed
    std::size_t number = 0;        ///< of the first frame's part of them
    decltype(&preadv) read = preadv;

    /// Of a frame's header; frames are numbered from 0 here.
    [[nodiscard]] std::uint64_t offset_of(std::int64_t frame) const {
        return offset + static_cast<std::uint64_t>(frame) * distance;
    }
};

/// Whether that frame begins with the header. Reads no more than the header.
[[nodiscard]] bool has_usual_header(const EvenFrames &frames, std::int64_t number);

/// Reads such frames with several threads, ahead of who takes them by twice as many frames as there are threads: a
/// thread need not wait for a slower one. It has no error: a frame that it cannot read, or that is not what was
/// expected, is left to a reader that goes through the file in order and can say why.
class ReadAhead {
  public:
    /// The descriptor and the pool outlive this; the descriptor's offset is neither used nor changed. The pool's frames
    /// have room for as many planes as are read. Throws std::system_error when a thread cannot be started.
    ReadAhead(EvenFrames frames, FramePool &pool, int readers);

    /// Waits for the reads that were begun.
    ~ReadAhead();
    ReadAhead(const ReadAhead &) = delete;
    ReadAhead &operator=(const ReadAhead &) = delete;

    /// The next frame, of which all samples that were read fit the bit depth. Nothing after the last one, and from a
    /// frame on that has to be read in order.
    [[nodiscard]] std::optional<Frame> next();

    /// How many threads read frames that take so many bytes: as many as wanted, fewer when frames are large.
    [[nodiscard]] static int readers_for(std::uint64_t frame_bytes, int wanted);

  private:
    struct Place {
        bool done = false;
        std::optional<Frame> frame = {}; ///< nothing: it has to be read in order
    };

    void work(const std::stop_token &stop);
    [[nodiscard]] std::optional<Frame> read(std::int64_t number);
    [[nodiscard]] bool read_planes(const WritableFrame &frame, std::uint64_t offset, ContentHash *hash) const;
    [[nodiscard]] bool is_whole(std::int64_t number) const;

    const EvenFrames frames_;
    std::mutex mutex_;
    std::condition_variable_any taken_one_, read_one_;
    FramePool &pool_;
    std::vector<Place> places_; ///< of the frames from number `taken_` on, each at its number modulo their count
    std::int64_t begun_ = 0;    ///< frames that threads have begun to read
    std::int64_t taken_ = 0;
    std::vector<std::jthread> threads_;
};

} // namespace isovmaf
