// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/log.hpp"
#include "isovmaf/frame.hpp"
#include "isovmaf/result.hpp"
#include "isovmaf/scores.hpp"
#include "score_page/small_picture.hpp"

namespace isovmaf {

/// A frame with one of the lowest scores. Pictures are JPEG files, and empty where they could not be made.
struct WorstFrame {
    std::int64_t frame = 0;
    double score = 0;
    int width = 0, height = 0; ///< of the pictures
    std::string reference = {}, distorted = {}, difference = {};
    int difference_factor = 1; ///< see DifferencePicture
    std::string map = {};      ///< picture of the maps of a feature; empty where no feature has maps
};

/// Finds the frames with the lowest scores while a video is scored, and makes small pictures of them.
///
/// A frame that is nearer than `distance` to a worse one is left out, so that one bad scene does not fill the list. The
/// frame with the lowest score of all is always in it.
///
/// A pair of frames is kept, without a copy, until its score arrives. Only the worst pair of the last `distance` frames
/// is kept longer. Pictures are made of it when it can no longer be replaced, so that they are made at most once in
/// `distance` frames.
class WorstFrames {
  public:
    struct Options {
        std::size_t column = 0;    ///< of the scores
        std::size_t count = 8;     ///< of frames, at most
        std::int64_t distance = 1; ///< between frames that are kept; 1: they may be neighbours
        int subsample = 1;         ///< every n-th frame is scored
        PictureColour reference = {}, distorted = {};
        /// Makes the maps of a pair, on the thread that calls `scored`; empty: no feature of the run has maps.
        std::function<std::vector<MapShares>(const FramePair &)> maps = {};
    };

    explicit WorstFrames(Options options) : options_(std::move(options)) {}

    /// Sees the next pair, in order from 0, before or after it is pushed into the session.
    void pushed(const FramePair &pair);

    /// Sees the scores of a frame, in frame order.
    void scored(const FrameScores &scores);

    /// Makes the pictures of frames whose pairs `pushed` has not seen: `read` gives the pair of a frame. After the last
    /// `scored`.
    void read_pairs(const std::function<Result<FramePair>(std::int64_t frame)> &read);

    /// The frames, the lowest score first. Says in the log why pictures are missing. Must be called once, at the end.
    [[nodiscard]] std::vector<WorstFrame> finish(const LogSink &log);

  private:
    struct Held {
        std::int64_t frame;
        FramePair pair;
    };
    struct Candidate {
        std::int64_t frame;
        double score, rank; ///< `rank` is the score, and the lowest of all when that is no number
        std::optional<FramePair> pair;
    };
    struct Kept {
        Candidate candidate;
        SmallPicture reference, distorted;
        DifferencePicture difference;
        SmallPicture map;
    };

    [[nodiscard]] std::optional<FramePair> take_pair(std::int64_t frame);
    void settle();
    void make_pictures(const FramePair &pair, Kept &kept) const;

    Options options_;
    std::int64_t next_frame_ = 0;
    std::deque<Held> held_;            ///< pairs whose scores have not arrived
    std::optional<Candidate> current_; ///< the worst of the last frames
    std::vector<Kept> kept_;           ///< in ascending order of their ranks
    std::string failure_;              ///< why pictures are missing
};

/// The numbers of the frames that WorstFrames lists of these scores, the worst first.
[[nodiscard]] std::vector<std::int64_t> find_worst_frames(const ScoreTable &scores, WorstFrames::Options options);

} // namespace isovmaf
