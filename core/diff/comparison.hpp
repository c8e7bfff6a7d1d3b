// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "diff/lockstep.hpp"
#include "diff/result.hpp"

namespace isovmaf::diff {

/// The subject of scores that are no frame's.
inline constexpr std::string_view whole_video = "whole video";

/// A feature that was found to differ.
struct Suspect {
    std::size_t side; ///< index
    std::string feature;
    std::int64_t frame; ///< of the pictures at hand
    bool words = false; ///< whether its words differ
};

/// Counts what differs between the first side and each other one. Values are compared as bits.
class Comparison {
  public:
    /// `sides`: names; the first is the one that the others are compared with.
    explicit Comparison(std::vector<std::string> sides) : sides_(std::move(sides)), strips_(sides_.size()) {}

    /// From now on frames belong to these pictures, scores have these names and sources, and features these words.
    void start(std::string content, std::vector<std::string> names, std::vector<std::string> sources,
               std::vector<FeatureWordSpecs> words = {});

    void add_frame(const FrameOnSides &frame);

    /// Frames that were compared by their values alone.
    void add_frames(std::int64_t count) { frames_ += count; }

    /// Scores of the whole video, per side.
    void add_aggregates(std::size_t side, const std::vector<std::pair<std::string, double>> &expected,
                        const std::vector<std::pair<std::string, double>> &found);

    /// One value of a score; `subject` is a feature, a model or whole_video. Gives the distance.
    std::uint64_t add_value(std::size_t side, std::string_view subject, std::string_view score, std::int64_t frame,
                            double expected, double found);

    /// The same for distances that are known, as those from rounded numbers are.
    void add_distance(std::size_t side, std::string_view subject, const Difference &difference);

    /// Why a feature is suspected.
    enum class Evidence : bool {
        score, ///< may have come from another frame: motion3 of the first frame comes from the second one
        words, ///< have come from this frame
    };

    /// Remembers a feature as differing; a model or the whole video is none.
    void suspect(std::size_t side, std::string_view subject, std::int64_t frame, Evidence evidence);

    [[nodiscard]] const std::string &content() const { return content_; }

    /// Features that differ on the pictures at hand, with the first frame whose words differ, else the first one
    /// whose scores do.
    [[nodiscard]] const std::vector<Suspect> &suspects() const { return suspects_; }

    /// Moves the counts into the result.
    void finish(DiffResult &result) &&;

  private:
    Tally &tally(std::size_t side, std::string_view subject);
    std::size_t add_words(std::size_t side, std::int64_t frame, const std::vector<FeatureWords> &expected,
                          const std::vector<FeatureWords> &found);
    [[nodiscard]] WordSpec word_spec(std::string_view feature, std::size_t word) const;

    std::vector<std::string> sides_;
    std::string content_;
    std::vector<std::string> names_, sources_;
    std::vector<FeatureWordSpecs> words_;
    std::map<std::pair<std::size_t, std::string>, Tally, std::less<>> tallies_;
    std::vector<std::string> subjects_; ///< in the order in which they came
    std::vector<std::vector<std::uint8_t>> strips_;
    std::vector<Suspect> suspects_;
    std::int64_t frames_ = 0;
};

} // namespace isovmaf::diff
