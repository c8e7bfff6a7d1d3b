// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "engine/feed.hpp"

#include <utility>

#include "base/float_environment.hpp"
#include "base/try.hpp"
#include "engine/reader_source.hpp"

namespace isovmaf {

/// Takes one step with each session and hands out the scores that are ready then.
template <class Step>
Result<void> SessionSink::on_each(const Step &step) {
    for (std::size_t i = 0; i < sessions_.size(); i++) {
        if (const Result<void> done = step(sessions_[i]); !done) {
            failed_ = i;
            return done;
        }
        while (std::optional<FrameScores> scores = sessions_[i].next_result())
            scored_(i, *std::move(scores));
    }
    return {};
}

Result<void> SessionSink::push(const Frame &reference, std::span<const Frame> distorted) {
    return on_each([&](Session &session) { return session.push(reference, distorted.front()); });
}

Result<void> SessionSink::end(std::size_t, bool) {
    return on_each([](Session &session) { return session.finish(); });
}

tl::expected<VideoEnd, FeedError> feed(std::span<Session> sessions, const PairReader &read,
                                       const FeedObserver &observer) {
    ReaderSource source(read);
    SessionSink sink(sessions, observer.scored);
    const LoopObserver watched{.pushed = observer.pushed, .stop = observer.stop};
    return FrameLoop(source, sink, {}, watched).run().map_error([&](Error error) {
        return FeedError{sink.failed(), std::move(error)};
    });
}

Result<VideoEnd> score_video(Session &session, const PairReader &read, const ScoreObserver &observer) {
    const FloatEnvironment floats;
    const auto scored = [&](std::size_t, FrameScores scores) { observer.scored(std::move(scores)); };
    return feed({&session, 1}, read, {.pushed = observer.pushed, .scored = scored, .stop = observer.stop})
        .map_error([](FeedError failed) { return std::move(failed.error); });
}

} // namespace isovmaf
