// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "engine/feed.hpp"

#include <optional>
#include <utility>

#include "base/float_environment.hpp"
#include "base/try.hpp"

namespace isovmaf {

namespace {

/// The pairs of a reader: a source with one member.
class ReaderSource final : public GroupSource {
  public:
    /// `read` outlives the source.
    explicit ReaderSource(const PairReader &read) : read_(read) {}

    [[nodiscard]] std::size_t members() const override { return 1; }
    void next_frame() override { reference_ = {}; }
    [[nodiscard]] Result<std::optional<Frame>> read(std::size_t) override {
        std::optional<FramePair> pair = TRY(read_());
        if (!pair)
            return std::nullopt;
        reference_ = std::move(pair->reference);
        return std::move(pair->distorted);
    }
    [[nodiscard]] const Frame &reference() const override { return reference_; }

  private:
    const PairReader &read_;
    Frame reference_;
};

} // namespace

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
