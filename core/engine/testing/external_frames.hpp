// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <functional>
#include <thread>

#include "engine/testing/external_pool.hpp"
#include "engine/testing/session_scores.hpp"

/// Tests of imported memory that every exporter has to pass. `allocate` gives exported memory of a size.
namespace isovmaf::testing {

using Allocate = std::function<std::unique_ptr<ExportedMemory>(std::uint64_t bytes)>;

/// Odd sides, which are no multiple of any tile's, and little more than ADM needs.
inline VideoFormat external_format(int bits) { return {.width = 37, .height = 35, .bit_depth = bits}; }

/// A clip in one allocation gives the CPU's scores, and the session holds no frame at its end.
inline void expect_imported_clip_scores(const Allocate &allocate, int bits) {
    const VideoFormat format = external_format(bits);
    const auto clip = clip_of(format, 11);
    const ExternalPool pool(format);
    const auto exported = allocate(pool.bytes(2 * clip.size()));
    for (std::size_t n = 0; n < clip.size(); n++) {
        pool.write(*exported, 2 * n, clip[n].reference);
        pool.write(*exported, 2 * n + 1, clip[n].distorted);
    }
    Result<Session> session = Session::create(on_device(format));
    ASSERT_TRUE(session) << session.error().message;
    const std::uint64_t allocated = session->execution().memory.allocated;
    const Result<ImportedMemory> memory = session->import_memory(exported->external());
    ASSERT_TRUE(memory) << memory.error().message;
    const std::uint64_t bytes = exported->external().bytes;
    exported->close();
    EXPECT_EQ(memory->bytes, bytes);
    EXPECT_EQ(session->execution().memory.allocated, allocated) << "it was allocated elsewhere";
    const auto place = [&](std::size_t n) { return pool.at(*session, *memory, n); };
    const PairReader pairs = read_numbered(clip.size(), [&](std::size_t n) -> FramePair {
        return {place(2 * n), place(2 * n + 1)};
    });
    expect_equal(score(*session, pairs), score(on_cpu(format), clip));
    EXPECT_EQ(memory->owner.use_count(), 1) << "a frame is still held";
}

/// A decoder has few frames and fills them again and again: each frame is scored before it is filled again.
inline void expect_refilled_frames_score(const Allocate &allocate) {
    constexpr std::size_t places = 12; // more pairs than are in flight
    const VideoFormat format = external_format(8);
    const auto clip = clip_of(format, 20);
    const ExternalPool pool(format);
    const auto exported = allocate(pool.bytes(places));
    SessionOptions options = on_device(format);
    options.execution.frames_in_flight = 4;
    Result<Session> session = Session::create(options);
    ASSERT_TRUE(session) << session.error().message;
    const Result<ImportedMemory> memory = session->import_memory(exported->external());
    ASSERT_TRUE(memory) << memory.error().message;

    Outcome outcome;
    const auto keep = [&](FrameScores scores) { outcome.frames.push_back(std::move(scores)); };
    std::array<std::weak_ptr<const void>, places> used;
    const auto fill = [&](std::size_t place, const Frame &frame) {
        while (!used[place].expired()) {
            if (std::optional<FrameScores> scores = session->next_result())
                keep(*std::move(scores));
            std::this_thread::yield();
        }
        pool.write(*exported, place, frame);
        Frame placed = pool.at(*session, *memory, place);
        used[place] = placed.owner();
        return placed;
    };
    const PairReader pairs = read_numbered(clip.size(), [&](std::size_t n) -> FramePair {
        return {fill(2 * n % places, clip[n].reference), fill((2 * n + 1) % places, clip[n].distorted)};
    });
    ASSERT_TRUE(score_video(*session, pairs, {.scored = keep}));
    outcome.aggregates = session->aggregates();
    expect_equal(outcome, score(on_cpu(format), clip));
}

/// A session is destroyed with frames in flight; imported memory may outlive it.
inline void expect_memory_outlives_its_session(const Allocate &allocate) {
    const VideoFormat format = external_format(8);
    const auto clip = clip_of(format, 6);
    const ExternalPool pool(format);
    const auto exported = allocate(pool.bytes(2));
    pool.write(*exported, 0, clip[0].reference);
    pool.write(*exported, 1, clip[0].distorted);
    Result<ImportedMemory> memory;
    {
        Result<Session> session = Session::create(on_device(format));
        ASSERT_TRUE(session) << session.error().message;
        memory = session->import_memory(exported->external());
        ASSERT_TRUE(memory) << memory.error().message;
        for (int n = 0; n < 6; n++)
            ASSERT_TRUE(session->push(pool.at(*session, *memory, 0), pool.at(*session, *memory, 1)));
    }
    EXPECT_EQ(memory->owner.use_count(), 1) << "a frame is still held";
}

/// Memory that is described wrongly is refused with a sentence, and the session goes on.
inline void expect_refusals(const std::vector<ExternalMemory> &wrong) {
    const VideoFormat format = external_format(8);
    const auto clip = clip_of(format, 3);
    Result<Session> session = Session::create(on_device(format));
    ASSERT_TRUE(session) << session.error().message;
    for (const ExternalMemory &external : wrong) {
        const Result<ImportedMemory> memory = session->import_memory(external);
        ASSERT_FALSE(memory) << "descriptor " << external.fd << ", " << external.bytes << " bytes";
        EXPECT_EQ(memory.error().code, ErrorCode::invalid_argument) << memory.error().message;
        EXPECT_NE(memory.error().message, "");
    }
    expect_equal(score(*session, read_clip(clip)), score(on_cpu(format), clip));
}

} // namespace isovmaf::testing
