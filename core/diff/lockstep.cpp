// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "diff/lockstep.hpp"

#include <algorithm>

#include "engine/shared_frame.hpp"

namespace isovmaf::diff {

namespace {

/// A session, and the results that wait for those of the other sides.
struct Lane {
    const Side *side;
    Session session;
    std::deque<FrameScores> results;

    void drain() {
        while (std::optional<FrameScores> scores = session.next_result())
            results.push_back(*std::move(scores));
    }
};

SessionOptions options_for(const Side &side, SessionOptions options) {
    options.backend = side.backend;
    options.device = side.device;
    options.frames_in_flight = side.frames_in_flight;
    options.device_queues = side.streams;
    options.keep_words = true;
    return options;
}

/// Hands out the frames that every side has scored.
void hand_out(std::vector<Lane> &lanes, const LockstepVisitor &visitor) {
    while (std::ranges::none_of(lanes, [](const Lane &lane) { return lane.results.empty(); })) {
        FrameOnSides frame;
        for (Lane &lane : lanes) {
            frame.push_back(std::move(lane.results.front()));
            lane.results.pop_front();
        }
        visitor.frame(frame);
    }
}

std::optional<SideFailure> push_all(std::vector<Lane> &lanes, PairStream &stream, const LockstepVisitor &visitor) {
    while (!visitor.stop()) {
        const Result<std::optional<FramePair>> pair = stream();
        if (!pair)
            return SideFailure{"", pair.error()};
        if (!*pair)
            break;
        for (Lane &lane : lanes) {
            if (Result<void> pushed = lane.session.push(share((*pair)->reference), share((*pair)->distorted)); !pushed)
                return SideFailure{lane.side->name, pushed.error()};
            lane.drain();
        }
        hand_out(lanes, visitor);
    }
    for (Lane &lane : lanes) {
        if (Result<void> finished = lane.session.finish(); !finished)
            return SideFailure{lane.side->name, finished.error()};
        lane.drain();
    }
    hand_out(lanes, visitor);
    return std::nullopt;
}

} // namespace

std::optional<SideFailure> run_lockstep(const std::vector<Side> &sides, SessionOptions options,
                                        const Pictures &pictures, const LockstepVisitor &visitor) {
    options.format = pictures.format;
    Result<PairStream> stream = pictures.open();
    if (!stream)
        return SideFailure{"", stream.error()};
    std::vector<Lane> lanes;
    for (const Side &side : sides) {
        Result<Session> session = Session::create(options_for(side, options));
        if (!session)
            return SideFailure{side.name, session.error()};
        lanes.push_back({&side, *std::move(session), {}});
    }
    visitor.started(lanes.front().session.score_names(), lanes.front().session.score_sources());
    if (std::optional<SideFailure> failure = push_all(lanes, *stream, visitor)) {
        std::vector<Execution> executions;
        for (const Lane &lane : lanes)
            executions.push_back(lane.session.execution());
        visitor.failed(executions);
        return failure;
    }
    std::vector<EndOfSide> ends;
    for (const Lane &lane : lanes)
        ends.push_back({lane.session.aggregates(), lane.session.execution()});
    visitor.ended(ends);
    return std::nullopt;
}

} // namespace isovmaf::diff
