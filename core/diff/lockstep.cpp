// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "diff/lockstep.hpp"

#include <algorithm>
#include <deque>

#include "engine/feed.hpp"

namespace isovmaf::diff {

namespace {

SessionOptions options_for(const Side &side, SessionOptions options) {
    options.execution.backend = side.backend;
    options.execution.devices = side.devices;
    options.execution.cpu_level = side.cpu_level;
    options.execution.frames_in_flight = side.frames_in_flight;
    options.execution.device_queues = side.streams;
    options.scoring.keep_words = true;
    return options;
}

/// Keeps the scores of each side until all sides have scored the same frame, and hands that frame out.
class Alignment {
  public:
    Alignment(std::size_t sides, const LockstepVisitor &visitor) : waiting_(sides), visitor_(visitor) {}

    void add(std::size_t side, FrameScores scores) {
        waiting_[side].push_back(std::move(scores));
        if (std::ranges::any_of(waiting_, [](const std::deque<FrameScores> &frames) { return frames.empty(); }))
            return;
        FrameOnSides frame;
        for (std::deque<FrameScores> &results : waiting_) {
            frame.push_back(std::move(results.front()));
            results.pop_front();
        }
        visitor_.frame(frame);
    }

  private:
    std::vector<std::deque<FrameScores>> waiting_; ///< for each side
    const LockstepVisitor &visitor_;
};

void report_end(const std::vector<Session> &sessions, const LockstepVisitor &visitor) {
    std::vector<EndOfSide> ends;
    for (const Session &session : sessions)
        ends.push_back({session.aggregates(), session.execution()});
    visitor.ended(ends);
}

void report_failure(const std::vector<Session> &sessions, const LockstepVisitor &visitor) {
    std::vector<Execution> executions;
    for (const Session &session : sessions)
        executions.push_back(session.execution());
    visitor.failed(executions);
}

} // namespace

std::optional<SideFailure> run_lockstep(const std::vector<Side> &sides, SessionOptions options,
                                        const Pictures &pictures, const LockstepVisitor &visitor) {
    options.format = pictures.format;
    const Result<PairStream> stream = pictures.open();
    if (!stream)
        return SideFailure{"", stream.error()};
    std::vector<Session> sessions;
    for (const Side &side : sides) {
        Result<Session> session = Session::create(options_for(side, options));
        if (!session)
            return SideFailure{side.name, session.error()};
        sessions.push_back(*std::move(session));
    }
    visitor.started(sessions.front());
    Alignment alignment(sides.size(), visitor);
    const auto scored = [&](std::size_t side, FrameScores scores) { alignment.add(side, std::move(scores)); };
    const auto end = feed(sessions, *stream, {.scored = scored, .stop = visitor.stop});
    if (!end) {
        report_failure(sessions, visitor);
        const FeedError &failed = end.error();
        return SideFailure{failed.session ? sides[*failed.session].name : "", failed.error};
    }
    report_end(sessions, visitor);
    return std::nullopt;
}

} // namespace isovmaf::diff
