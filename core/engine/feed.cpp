// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "engine/feed.hpp"

#include <utility>

namespace isovmaf {

namespace {

class Feed {
  public:
    Feed(std::span<Session> sessions, const PairReader &read, const FeedObserver &observer)
        : sessions_(sessions), read_(read), observer_(observer) {}

    tl::expected<VideoEnd, FeedError> run() {
        while (!observer_.stop()) {
            const Result<std::optional<FramePair>> pair = read_();
            if (!pair)
                return tl::unexpected(FeedError{std::nullopt, pair.error()});
            if (!*pair)
                return finish(VideoEnd::reached);
            if (std::optional<FeedError> error = push(**pair))
                return tl::unexpected(*std::move(error));
            observer_.pushed();
        }
        return finish(VideoEnd::stopped);
    }

  private:
    std::optional<FeedError> push(const FramePair &pair) {
        return on_each([&pair](Session &session) { return session.push(pair.reference, pair.distorted); });
    }

    tl::expected<VideoEnd, FeedError> finish(VideoEnd end) {
        if (std::optional<FeedError> error = on_each([](Session &session) { return session.finish(); }))
            return tl::unexpected(*std::move(error));
        return end;
    }

    /// Takes one step with each session and hands out the scores that are ready then.
    template <class Step>
    std::optional<FeedError> on_each(const Step &step) {
        for (std::size_t i = 0; i < sessions_.size(); i++) {
            if (const Result<void> done = step(sessions_[i]); !done)
                return FeedError{i, done.error()};
            while (std::optional<FrameScores> scores = sessions_[i].next_result())
                observer_.scored(i, *std::move(scores));
        }
        return std::nullopt;
    }

    std::span<Session> sessions_;
    const PairReader &read_;
    const FeedObserver &observer_;
};

} // namespace

tl::expected<VideoEnd, FeedError> feed(std::span<Session> sessions, const PairReader &read,
                                       const FeedObserver &observer) {
    return Feed(sessions, read, observer).run();
}

} // namespace isovmaf
