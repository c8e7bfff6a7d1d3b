// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "isovmaf/frame.hpp"
#include "isovmaf/result.hpp"
#include "isovmaf/score_video.hpp"

/// The loop that moves frames from a source to whatever reads them: every video that isovmaf scores goes through it.
/// Several distorted videos may share one reference. They are members, numbered from 0; a member may end early, or
/// fail, without disturbing the others.
namespace isovmaf {

/// Where frames come from. Used by one thread.
class GroupSource {
  public:
    virtual ~GroupSource() = default;

    /// How many members there are.
    [[nodiscard]] virtual std::size_t members() const = 0;

    /// Begins the next frame of all members.
    virtual void next_frame() {}

    /// The distorted frame of a member, or nothing at its end. After its end, or a failure, a member is not asked
    /// again.
    [[nodiscard]] virtual Result<std::optional<Frame>> read(std::size_t member) = 0;

    /// The reference of the frame that was read.
    [[nodiscard]] virtual const Frame &reference() const = 0;
};

/// What reads the frames. An error of any function but `fail` ends the loop.
class GroupSink {
  public:
    virtual ~GroupSink() = default;

    /// Takes the next frame: the distorted frames of members that have ended are empty.
    virtual Result<void> push(const Frame &reference, std::span<const Frame> distorted) = 0;

    /// A member gets no more frames. `ends_video`: its video has none behind those that were pushed.
    virtual Result<void> end(std::size_t member, bool ends_video) = 0;

    /// A member's video cannot be read any further. An error, by default the one that it failed with, ends the loop.
    virtual Result<void> fail(std::size_t, const Error &error) { return tl::unexpected(error); }
};

/// Which frames are pushed. Frames are counted from the start of the video.
struct LoopFrames {
    std::int64_t opened = 0;              ///< the frame that the source gives first
    std::int64_t first = 0;               ///< the first one to push, at least `opened`; those before it are passed over
    std::optional<std::int64_t> end = {}; ///< the frame behind the last one to push; none: to the end of the video
};

/// Seconds of the thread that runs a loop.
struct LoopTimes {
    double reading = 0; ///< waiting for the source
    double pushing = 0; ///< waiting for the sink
};

/// Functions that a loop calls on its own thread.
struct LoopObserver {
    std::function<void()> pushed = [] {}; ///< one more frame was pushed
    /// Asked before each frame is pushed. True: the members end with the frames that were pushed, and a source that
    /// fails because it was told to give up is no error.
    std::function<bool()> stop = [] { return false; };
    /// Asked before each frame that is to be pushed is read, with its number. True: the members end there, as at
    /// LoopFrames::end.
    std::function<bool(std::int64_t)> ends = [](std::int64_t) { return false; };
    /// Asked before each frame is read. True: the loop fails with `interrupted`, and members do not end.
    std::function<bool()> cancel = [] { return false; };
};

/// One run of the loop.
class FrameLoop {
  public:
    /// `source` and `sink` outlive the loop.
    FrameLoop(GroupSource &source, GroupSink &sink, const LoopFrames &frames, LoopObserver observer);

    /// Reads and pushes until all members have ended. Where `frames` or the observer end them, one more frame of each
    /// member is read, which shows whether its video ends too. Returns `stopped` when the observer stopped the loop.
    Result<VideoEnd> run();

    /// The frame that comes next.
    [[nodiscard]] std::int64_t next_frame() const { return next_; }

    /// So far.
    [[nodiscard]] const LoopTimes &times() const { return times_; }

  private:
    [[nodiscard]] bool at_end() const { return (frames_.end && next_ >= *frames_.end) || observer_.ends(next_); }
    [[nodiscard]] bool any_left() const;
    Result<bool> read();
    Result<void> read(std::size_t member);
    Result<void> push();
    Result<VideoEnd> end_rest(VideoEnd end);
    Result<void> end(std::size_t member, bool ends_video);

    GroupSource &source_;
    GroupSink &sink_;
    const LoopFrames frames_;
    const LoopObserver observer_;
    std::vector<bool> left_;       ///< per member: it has not ended
    std::vector<Frame> distorted_; ///< of the frame that was read; empty for members that have ended
    std::int64_t next_;
    bool stopped_ = false; ///< by the observer
    LoopTimes times_;
};

} // namespace isovmaf
