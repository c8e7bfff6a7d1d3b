// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <utility>

#include "engine/frame_loop.hpp"
#include "isovmaf/score_video.hpp"

namespace isovmaf {

/// ScoreObserver for several sessions.
struct FeedObserver {
    std::function<void()> pushed = [] {}; ///< all sessions have taken one more pair
    std::function<void(std::size_t session, FrameScores)> scored;
    std::function<bool()> stop = [] { return false; };
};

/// The error that ended the feeding, and the number of the session that it came from. Without a number, the pairs could
/// not be read.
struct FeedError {
    std::optional<std::size_t> session;
    Error error;
};

/// Sessions that all get the same pairs. Each step gives `scored` what is ready after it.
class SessionSink final : public GroupSink {
  public:
    /// The sessions outlive the sink.
    SessionSink(std::span<Session> sessions, std::function<void(std::size_t session, FrameScores)> scored)
        : sessions_(sessions), scored_(std::move(scored)) {}

    Result<void> push(const Frame &reference, std::span<const Frame> distorted) override;
    Result<void> end(std::size_t, bool) override;

    /// The session that failed; nothing when none did.
    [[nodiscard]] std::optional<std::size_t> failed() const { return failed_; }

  private:
    template <class Step>
    Result<void> on_each(const Step &step);

    std::span<Session> sessions_;
    std::function<void(std::size_t, FrameScores)> scored_;
    std::optional<std::size_t> failed_;
};

/// Feeds the same pairs to all sessions, one pair at a time, and finishes the sessions. score_video is the same for one
/// session, and describes it.
[[nodiscard]] tl::expected<VideoEnd, FeedError> feed(std::span<Session> sessions, const PairReader &read,
                                                     const FeedObserver &observer);

/// Reads `count` pairs without a copy; `pair_of(n)` returns number n, from 0 on.
template <class PairOf>
[[nodiscard]] PairReader read_numbered(std::size_t count, PairOf pair_of) {
    return [count, pair_of = std::move(pair_of), n = std::size_t{0}]() mutable -> Result<std::optional<FramePair>> {
        if (n == count)
            return std::nullopt;
        return pair_of(n++);
    };
}

/// Reads a clip that is in memory, without a copy. `clip` outlives the reader.
[[nodiscard]] inline PairReader read_clip(std::span<const FramePair> clip) {
    return read_numbered(clip.size(), [clip](std::size_t n) -> FramePair { return clip[n]; });
}

} // namespace isovmaf
