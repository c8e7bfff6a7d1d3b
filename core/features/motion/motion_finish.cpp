// SPDX-License-Identifier: BSD-2-Clause-Patent
// From sums to motion scores: features.md §2.1 step 4, §2.2, §2.3 and §2.4.
#include "features/motion/motion.hpp"

#include <algorithm>

namespace isovmaf {

namespace {

double pixels(const VideoFormat &format) {
    return static_cast<double>(static_cast<std::uint32_t>(format.width) * static_cast<std::uint32_t>(format.height));
}

class MotionFinisher final : public Finisher {
  public:
    MotionFinisher(const VideoFormat &format, MotionBlur blur, const OptionSet &options)
        : pixels_(pixels(format)), debug_(options.flag("debug")), force_zero_(options.flag("motion_force_zero")),
          blend_factor_(options.number("motion_blend_factor")), blend_offset_(options.number("motion_blend_offset")),
          fps_weight_(options.number("motion_fps_weight")), max_val_(options.number("motion_max_val")),
          moving_average_(options.flag("motion_moving_average")),
          distance_(options.flag("motion_five_frame_window") ? 2 : 1), word_(motion_word(blur, distance_)) {}

    void push(std::int64_t frame, ConstWords sums, ScoreSink &sink) override {
        const double s = score(frame, sums);
        scores_.push_back(s);
        sink.set(frame, motion_sad_output, s);
        if (debug_)
            sink.set(frame, motion_output, s);
        settle(false, sink);
    }

    void flush(ScoreSink &sink) override { settle(true, sink); }

  private:
    static constexpr std::size_t motion_sad_output = 0, motion2_output = 1, motion3_output = 2, motion_output = 3;

    double score(std::int64_t frame, ConstWords sums) const { // §2.1 step 4
        if (frame < distance_ || force_zero_)
            return 0;
        return std::min(static_cast<double>(sums[word_]) / 256.0 / pixels_ * fps_weight_, max_val_);
    }

    double process(double m) const { // §2.3
        const double blended = m * blend_factor_ + (1 - blend_factor_) * std::min(blend_offset_, m);
        return std::min(blended, max_val_);
    }

    double motion2(std::int64_t i) const { // §2.2; frame i has a successor unless the video ended
        const auto s = [&](std::int64_t k) { return scores_[static_cast<std::size_t>(k)]; };
        if (i < distance_)
            return 0;
        if (i + 1 == count())
            return s(i);
        const std::int64_t low = i - (distance_ - 1);
        return low >= distance_ ? std::min(s(low), s(i + 1)) : s(i + 1);
    }

    /// Emits motion2 and motion3 of every frame whose later neighbours are known.
    void settle(bool ended, ScoreSink &sink) {
        const double stamp = count() > distance_ ? process(scores_[static_cast<std::size_t>(distance_)]) : 0;
        for (; settled_ < count(); settled_++) {
            const std::int64_t needs = settled_ < distance_ ? distance_ : settled_ + 1;
            if (!ended && needs >= count())
                return;
            const double m2 = motion2(settled_);
            sink.set(settled_, motion2_output, m2);
            sink.set(settled_, motion3_output, settled_ < distance_ ? start(stamp) : motion3(process(m2)));
        }
    }

    double start(double stamp) {
        previous_ = stamp;
        return stamp;
    }

    double motion3(double processed) {
        const double value = moving_average_ ? (processed + previous_) / 2.0 : processed;
        previous_ = processed;
        return value;
    }

    std::int64_t count() const { return static_cast<std::int64_t>(scores_.size()); }

    double pixels_;
    bool debug_;
    bool force_zero_;
    double blend_factor_;
    double blend_offset_;
    double fps_weight_;
    double max_val_;
    bool moving_average_;
    std::int64_t distance_; ///< frames between the two pictures compared: 1, or 2 with the five-frame window
    std::size_t word_;

    std::vector<double> scores_; ///< one per frame so far
    std::int64_t settled_ = 0;   ///< frames whose motion2 and motion3 are set
    double previous_ = 0;        ///< last processed motion2, before averaging
};

/// MotionScores::motion_and_motion2: an f32 division, and motion2 alone looks one frame ahead (§2.4).
class LegacyMotionFinisher final : public Finisher {
  public:
    LegacyMotionFinisher(const VideoFormat &format, MotionBlur blur, const OptionSet &options)
        : pixels_(
              static_cast<float>(static_cast<std::uint32_t>(format.width) * static_cast<std::uint32_t>(format.height))),
          force_zero_(options.flag("motion_force_zero")), word_(motion_word(blur, 1)) {}

    void push(std::int64_t frame, ConstWords sums, ScoreSink &sink) override {
        const auto sad = static_cast<double>(sums[word_]);
        const double s = frame == 0 || force_zero_ ? 0 : double{static_cast<float>(sad / 256.0) / pixels_};
        sink.set(frame, motion_output, s);
        if (frame > 0)
            sink.set(frame - 1, motion2_output, frame == 1 ? 0 : std::min(last_, s));
        last_ = s;
        frames_ = frame + 1;
    }

    void flush(ScoreSink &sink) override {
        if (frames_ > 0)
            sink.set(frames_ - 1, motion2_output, last_);
    }

  private:
    static constexpr std::size_t motion_output = 0, motion2_output = 1;

    float pixels_;
    bool force_zero_;
    std::size_t word_;
    double last_ = 0;
    std::int64_t frames_ = 0;
};

} // namespace

std::unique_ptr<Finisher> make_motion_finisher(const PlanContext &context, const OptionSet &options) {
    const SemanticsChoices &choices = context.semantics.row().choices;
    if (choices.motion_scores == MotionScores::motion_and_motion2)
        return std::make_unique<LegacyMotionFinisher>(context.format, choices.motion_blur, options);
    return std::make_unique<MotionFinisher>(context.format, choices.motion_blur, options);
}

} // namespace isovmaf
