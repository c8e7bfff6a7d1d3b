// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "input/convert/compare_colours.hpp"
#include "input/pair/pair_warning.hpp"
#include "input/pair/sync.hpp"
#include "input/source.hpp"
#include "isovmaf/frame.hpp"

namespace isovmaf {

/// One side says that its range is full, and the other says nothing: the pictures may tell.
struct RangeDoubt {
    bool reference_is_full = false; ///< else the distorted video
    std::string sentence;           ///< the warning if the pictures do not tell; says what to do
    bool refuse = true;             ///< a limited range is an error; else a warning
};

/// What videos began with, for comparison with their frames: see compare_changes.
struct ColourComparison {
    SourceInfo reference, distorted;
    bool scaled = false, predicts = false;
    ColourPolicy policy = ColourPolicy::refuse;
};

struct PairOptions {
    std::int64_t skip_reference = 0; ///< leading frames left out
    std::int64_t skip_distorted = 0;
    std::int64_t offset = 0;                      ///< that the skips have already: see add_offset
    std::optional<std::int64_t> frame_count = {}; ///< stop after this many pairs; at least 1
    std::int64_t first_pair = 0; ///< pairs before this one are passed over; `frame_count` and warnings count them
    SyncOptions sync = {};
    bool strict = false;                          ///< makes warnings errors: different lengths, times that drift apart
    std::optional<RangeDoubt> range_doubt = {};   ///< for readers that begin with the first pair
    std::optional<ColourComparison> colours = {}; ///< nothing: what frames say about their colours is not looked at
    std::vector<PairWarning> found = {};          ///< before, in the same videos: PairSource::warnings begins with them
    LogSink log = {};

    /// Pairs reference frame n with distorted frame n + `frames`, on top of the frames that are left out.
    void add_offset(std::int64_t frames) {
        offset += frames;
        skip_distorted += std::max<std::int64_t>(frames, 0);
        skip_reference += std::max<std::int64_t>(-frames, 0);
    }
};

/// How long the thread of a side has worked, in seconds.
struct SideTimes {
    double reading = 0;    ///< and decoding
    double converting = 0; ///< samples, sizes
};

struct ReadTimes {
    SideTimes reference, distorted;

    void add(const ReadTimes &more) {
        for (const auto side : {&ReadTimes::reference, &ReadTimes::distorted}) {
            (this->*side).reading += (more.*side).reading;
            (this->*side).converting += (more.*side).converting;
        }
    }
};

/// Two videos read side by side, each decoded on a thread of its own into a short bounded queue.
///
/// `create` checks that both sides agree in size, chroma subsampling and bit depth; if not, the error
/// names both sides with their formats. Destroying a PairSource stops its threads.
class PairSource {
  public:
    [[nodiscard]] static Result<std::unique_ptr<PairSource>>
    create(std::unique_ptr<FrameSource> reference, std::unique_ptr<FrameSource> distorted, const PairOptions &options);
    virtual ~PairSource() = default;

    /// Format of the pairs.
    [[nodiscard]] virtual const VideoFormat &format() const = 0;

    /// Number of pairs after skips, first_pair and frame_count; an estimate from what the files state.
    [[nodiscard]] virtual std::optional<std::int64_t> expected_pairs() const = 0;

    /// States what is wanted of the pairs, before the first `read`, and begins to read both videos. Without it the
    /// first `read` does, and all samples are read.
    virtual Result<void> start(const FrameNeeds &needs) = 0;

    /// Whether both videos can be read from other places on: see FrameSource::can_go_to.
    [[nodiscard]] virtual bool can_go_to() const = 0;

    /// After `start`, and after the end: `read` goes on with this pair, as that of a reader which began there.
    virtual Result<void> go_to(std::int64_t first_pair) = 0;

    /// After `start`: SourceInfo::decoder of the reference and of the distorted video.
    [[nodiscard]] virtual std::pair<std::string, std::string> decoders() const = 0;

    /// The next pair, or nothing at the end of the shorter video or after frame_count. When the lengths differ, the end
    /// comes with a warning that gives both numbers of frames; with `strict` that is an error. The longer video is not
    /// decoded to its end: its number is the one that its file states, else "more than" that of the shorter video. A
    /// video without a frame after its skip is an error. After the end or an error every result is nothing.
    ///
    /// Pairs by index: when the presentation times of a pair differ by more than half a frame, counted from the first
    /// pair, frames were dropped or repeated: one warning, or with `strict` an error. Not when the rates differ.
    ///
    /// With PairOptions::colours, frames are compared with what their videos began with: see compare_changes. What a
    /// frame changes is an error, a warning or a note as it would be at the beginning.
    ///
    /// With PairOptions::range_doubt, some of the first pictures are compared. When they show that the other side has
    /// limited range, there is an error as soon as that is clear; when they show full range, a note.
    [[nodiscard]] virtual Result<std::optional<FramePair>> read() = 0;

    /// From now on `watcher` sees, in `read`, the frames that have no partner, with their luma in host
    /// memory. By index there are none.
    virtual void watch_unpaired(TimePairing::Watcher watcher) = 0;

    /// What is wrong with the videos as far as they were read. `log` got all but PairOptions::found: what counts frames
    /// at the end. Of readers that begin with different pairs see add_warnings: frames are counted in the pairs from
    /// `first` to before `end`.
    [[nodiscard]] virtual std::vector<PairWarning> warnings(std::int64_t first = 0,
                                                            std::optional<std::int64_t> end = {}) const = 0;

    /// What the report should say about the pictures that were read so far. As `warnings`.
    [[nodiscard]] virtual std::vector<PairWarning> notes(std::int64_t first = 0,
                                                         std::optional<std::int64_t> end = {}) const = 0;

    /// Whether PairOptions::range_doubt is there, and the pictures that were read so far have not told enough.
    [[nodiscard]] virtual bool doubts_range() const = 0;

    /// How the frames that were read so far were paired.
    [[nodiscard]] virtual SyncResult sync() const = 0;

    /// How long each side has read, decoded and converted so far, on its own thread.
    [[nodiscard]] virtual ReadTimes times() const = 0;

    /// Makes a read in progress, even one that waits for a pipe, and all later reads fail soon. May be called from any
    /// thread.
    virtual void cancel() = 0;
};

} // namespace isovmaf
