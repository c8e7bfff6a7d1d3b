// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "input/convert/compare_colours.hpp"

#include <array>
#include <cmath>
#include <string_view>

#include <fmt/format.h>

namespace isovmaf {

namespace {

/// The finding for a field that both videos specify differently.
struct Rule {
    std::string_view field;
    std::string ColourDescription::*value;
    FindingKind different;
    std::string_view advice;   ///< follows the two values, after a semicolon
    std::string_view fit = ""; ///< follows the advice where both sides state a value
};

constexpr std::string_view as_is = "or --as-is to score the samples as they are";
constexpr std::array<Rule, 5> rules{{
    {"colour range", &ColourDescription::range, FindingKind::error,
     "use --convert dis:range to convert the distorted video to the reference's range, --convert ref:range for the "
     "reverse, ",
     "--fit to let isovmaf choose and say what it did, "},
    {"colour matrix", &ColourDescription::matrix, FindingKind::warning,
     "the same colours have different samples; convert one of them, for example with ffmpeg -vf colorspace, "},
    {"transfer", &ColourDescription::transfer, FindingKind::warning,
     "the same light has different samples; convert one of them, for example with ffmpeg -vf zscale, "},
    {"primaries", &ColourDescription::primaries, FindingKind::warning,
     "the same colours have different samples; convert one of them, for example with ffmpeg -vf colorspace, "},
    {"chroma location", &ColourDescription::chroma_location, FindingKind::note, ""},
}};

/// A name of the same thing: a matrix of equal coefficients, or a function of equal values.
struct Synonym {
    std::string ColourDescription::*value;
    std::string_view name, same;
};

constexpr std::array<Synonym, 4> synonyms{{
    {&ColourDescription::matrix, "bt470bg", "smpte170m"},
    {&ColourDescription::transfer, "smpte170m", "bt709"},
    {&ColourDescription::transfer, "bt2020-10", "bt709"},
    {&ColourDescription::transfer, "bt2020-12", "bt709"},
}};

std::string_view canonical(const Rule &rule, std::string_view value) {
    for (const Synonym &synonym : synonyms)
        if (synonym.value == rule.value && synonym.name == value)
            return synonym.same;
    return value;
}

/// "reference a.mp4 has LEFT, distorted b.mp4 has RIGHT"
std::string both(const SourceInfo &reference, const SourceInfo &distorted, std::string_view left,
                 std::string_view right) {
    return fmt::format("reference {} has {}, distorted {} has {}", display_name(reference.name), left,
                       display_name(distorted.name), right);
}

std::string with_advice(std::string sentence, std::string_view advice) {
    return advice.empty() ? sentence : fmt::format("{}; {}{}", sentence, advice, as_is);
}

std::string value_text(const Rule &rule, const std::string &value) {
    return value.empty() ? fmt::format("an unspecified {}", rule.field) : fmt::format("{} {}", rule.field, value);
}

/// The finding when one side is R'G'B' and the other side does not specify the matrix with which the first one should
/// be converted.
Finding assumed_matrix(const SourceInfo &reference, const SourceInfo &distorted) {
    const SourceInfo &converted = reference.matrix_assumed ? reference : distorted;
    const SourceInfo &other = reference.matrix_assumed ? distorted : reference;
    return {FindingKind::warning,
            fmt::format("{0} is R'G'B' and is converted with the matrix {1}, but {2} does not say which matrix it has; "
                        "use --convert {3}:bt601 if ffmpeg encoded {2} from R'G'B' and was told no matrix, --convert "
                        "{3}:bt709 if {1} is right, {4}",
                        display_name(converted.name), converted.colour.matrix, display_name(other.name),
                        reference.matrix_assumed ? "ref" : "dis", as_is)};
}

void apply(const Rule &rule, const SourceInfo &reference, const SourceInfo &distorted, std::vector<Finding> &findings) {
    const std::string &r = reference.colour.*rule.value, &d = distorted.colour.*rule.value;
    if (canonical(rule, r) == canonical(rule, d))
        return;
    std::string sentence = both(reference, distorted, value_text(rule, r), value_text(rule, d));
    if (!r.empty() && !d.empty()) {
        findings.push_back(
            {rule.different, with_advice(std::move(sentence), fmt::format("{}{}", rule.advice, rule.fit))});
        return;
    }
    if (rule.value == &ColourDescription::matrix && (reference.matrix_assumed || distorted.matrix_assumed)) {
        findings.push_back(assumed_matrix(reference, distorted));
        return;
    }
    // Samples without a range are taken for limited ones nearly everywhere.
    const bool beside_full = rule.value == &ColourDescription::range && (r == "full" || d == "full");
    findings.push_back(beside_full ? Finding{FindingKind::range_doubt, with_advice(sentence, rule.advice)}
                                   : Finding{FindingKind::note, std::move(sentence)});
}

void compare_rotation(const SourceInfo &reference, const SourceInfo &distorted, std::vector<Finding> &findings) {
    const std::string r = rotation_text(reference.colour), d = rotation_text(distorted.colour);
    if (r != d)
        findings.push_back(
            {FindingKind::error,
             with_advice(
                 both(reference, distorted, "rotation " + r, "rotation " + d),
                 "players turn them differently; use --convert ref:rotate and --convert dis:rotate to turn them as "
                 "their files say, as ffmpeg does when it transcodes, ")});
}

std::string ratio_text(const std::optional<Rational> &ratio) {
    return ratio ? "sample aspect ratio " + aspect_text(*ratio) : "an unspecified sample aspect ratio";
}

/// Encoders round aspect ratios: 853x480 for 16:9.
bool ratios_differ(double a, double b) { return std::abs(a / b - 1) > 0.01; }

/// Scaling the distorted video to the reference's size stretches its samples by this factor.
double stretch_of(const VideoFormat &reference, const VideoFormat &distorted) {
    return static_cast<double>(distorted.width) * reference.height /
           (static_cast<double>(distorted.height) * reference.width);
}

void compare_sample_shapes(const SourceInfo &reference, const SourceInfo &distorted, bool scaled,
                           std::vector<Finding> &findings) {
    const VideoFormat &r = reference.format, &d = distorted.format;
    if (!scaled && (r.width != d.width || r.height != d.height))
        return;
    const auto &left = reference.colour.sample_aspect_ratio, &right = distorted.colour.sample_aspect_ratio;
    const std::string sentence = both(reference, distorted, ratio_text(left), ratio_text(right));
    if (left.has_value() != right.has_value())
        findings.push_back({FindingKind::note, sentence});
    if (!left || !right)
        return;
    if (!ratios_differ(right->value() * stretch_of(r, d), left->value()))
        return;
    if (ratios_differ(right->value(), left->value()))
        findings.push_back({FindingKind::error,
                            with_advice(sentence, "their pictures have different shapes; scale one to square samples "
                                                  "first, or correct its header, ")});
    else
        findings.push_back(
            {FindingKind::warning,
             fmt::format("reference {} is {}x{}, distorted {} is {}x{}: scaling changes the shape of the picture; crop "
                         "one of them first, or use --as-is to score them as they are",
                         display_name(reference.name), r.width, r.height, display_name(distorted.name), d.width,
                         d.height)});
}

void check_interlacing(const SourceInfo &video, std::string_view side, std::vector<Finding> &findings) {
    if (video.colour.interlaced())
        findings.push_back({FindingKind::warning, interlaced_text(side, video, video.colour.field_order)});
}

/// "PQ" or "HLG"; empty for SDR.
std::string hdr_kind(std::string_view transfer) {
    return transfer == "smpte2084" ? "PQ" : transfer == "arib-std-b67" ? "HLG" : "";
}

/// The same of a video, whose container may state Dolby Vision in place of a transfer.
std::string hdr_kind(const ColourDescription &colour) {
    const std::string kind = hdr_kind(colour.transfer);
    return !kind.empty() || colour.dolby_vision.empty() ? kind : "Dolby Vision " + colour.dolby_vision;
}

std::string hdr_text(std::string_view side, const SourceInfo &video, std::string_view kind) {
    return fmt::format("{} {} is HDR ({}), and the model is trained on SDR video; take its score as a comparison "
                       "between encodes, or score SDR versions of both",
                       side, display_name(video.name), kind);
}

void check_hdr(const SourceInfo &video, std::string_view side, std::vector<Finding> &findings) {
    if (const std::string kind = hdr_kind(video.colour); !kind.empty())
        findings.push_back({FindingKind::warning, hdr_text(side, video, kind)});
}

} // namespace

FindingKind settled_kind(FindingKind kind, ColourPolicy policy, bool strict) {
    if (policy == ColourPolicy::accept || kind == FindingKind::note)
        return FindingKind::note;
    const bool refused = kind == FindingKind::error || (strict && kind == FindingKind::warning);
    return refused && policy == ColourPolicy::refuse ? FindingKind::error : FindingKind::warning;
}

std::string interlaced_text(std::string_view side, const SourceInfo &video, std::string_view field_order) {
    return fmt::format("{} {} is interlaced ({}), and features compare whole frames; deinterlace both videos first, "
                       "for example with ffmpeg -vf bwdif",
                       side, display_name(video.name), field_order);
}

std::vector<Finding> compare_colours(const SourceInfo &reference, const SourceInfo &distorted, bool scaled,
                                     bool predicts) {
    std::vector<Finding> findings;
    compare_rotation(reference, distorted, findings);
    for (const Rule &rule : rules)
        apply(rule, reference, distorted, findings);
    compare_sample_shapes(reference, distorted, scaled, findings);
    check_interlacing(reference, "reference", findings);
    check_interlacing(distorted, "distorted", findings);
    if (predicts) {
        check_hdr(reference, "reference", findings);
        check_hdr(distorted, "distorted", findings);
    }
    return findings;
}

namespace {

/// The two videos of a pair of frames.
class ComparedFrames {
  public:
    ComparedFrames(const VideoAtFrame &reference, const VideoAtFrame &distorted, bool scaled)
        : sides_{Side{"reference", reference, colour_at(reference)},
                 Side{"distorted", distorted, colour_at(distorted)}},
          scaled_(scaled) {}

    std::vector<ChangeFinding> findings(bool predicts) && {
        for (const Side &side : sides_)
            check_conversion(side);
        compare_rotations();
        for (const Rule &rule : rules)
            compare(rule);
        compare_shapes();
        for (const Side &side : sides_)
            if (predicts && side.video.change)
                check_transfer(side);
        return std::move(findings_);
    }

  private:
    struct Side {
        std::string_view name;
        const VideoAtFrame &video;
        ColourDescription now;
    };

    /// What counts as stated: a field without a value at the beginning has none later.
    static ColourDescription colour_at(const VideoAtFrame &video) {
        const ColourDescription &began = video.info.colour;
        ColourDescription now = video.change ? video.change->colour : began;
        for (const Rule &rule : rules)
            if ((began.*rule.value).empty())
                (now.*rule.value).clear();
        if (!began.sample_aspect_ratio)
            now.sample_aspect_ratio.reset();
        return now;
    }

    /// Adds a finding about one side, or none. Of two sides that changed, the distorted one is named.
    void add(FindingKind kind, std::string_view field, bool reference_changed, bool distorted_changed,
             const auto &value_of) {
        if (!reference_changed && !distorted_changed)
            return;
        const Side &changed = sides_[distorted_changed ? 1 : 0], &other = sides_[distorted_changed ? 0 : 1];
        add(kind, field, changed,
            fmt::format("{} from {} to {}, and {} {} has {}", field, value_of(changed.video.info.colour),
                        value_of(changed.now), other.name, display_name(other.video.info.name), value_of(other.now)));
    }

    void add(FindingKind kind, std::string_view field, const Side &changed, const std::string &change) {
        std::string sentence = fmt::format("frame {} of {} {} changes the {}", changed.video.frame, changed.name,
                                           display_name(changed.video.info.name), change);
        if (kind != FindingKind::note)
            sentence += fmt::format("; cut both videos there and score their parts, {}", as_is);
        findings_.push_back({kind, std::move(sentence), fmt::format("{} of {}", field, changed.name)});
    }

    void check_conversion(const Side &side) {
        if (side.video.change && !side.video.change->conflict.empty())
            add(FindingKind::error, "conversion", side,
                side.video.change->conflict + ", and its samples are converted as before");
    }

    void compare(const Rule &rule) {
        const auto changed = [&](const Side &side) {
            return canonical(rule, side.now.*rule.value) != canonical(rule, side.video.info.colour.*rule.value);
        };
        if (canonical(rule, sides_[0].now.*rule.value) != canonical(rule, sides_[1].now.*rule.value))
            add(rule.different, rule.field, changed(sides_[0]), changed(sides_[1]),
                [&](const ColourDescription &colour) {
                    const std::string &value = colour.*rule.value;
                    return value.empty() ? "an unspecified one" : value;
                });
    }

    void compare_rotations() {
        const auto changed = [](const Side &side) {
            return rotation_text(side.now) != rotation_text(side.video.info.colour);
        };
        if (rotation_text(sides_[0].now) != rotation_text(sides_[1].now))
            add(FindingKind::error, "rotation", changed(sides_[0]), changed(sides_[1]), rotation_text);
    }

    void compare_shapes() {
        const auto changed = [](const Side &side) {
            const auto &now = side.now.sample_aspect_ratio, &began = side.video.info.colour.sample_aspect_ratio;
            return now && ratios_differ(now->value(), began->value());
        };
        const auto &left = sides_[0].now.sample_aspect_ratio, &right = sides_[1].now.sample_aspect_ratio;
        const VideoFormat &r = sides_[0].video.info.format, &d = sides_[1].video.info.format;
        const double stretch = scaled_ ? stretch_of(r, d) : 1;
        if (!left || !right || ratios_differ(right->value() * stretch, left->value()))
            add(FindingKind::error, "sample aspect ratio", changed(sides_[0]), changed(sides_[1]),
                [](const ColourDescription &colour) {
                    return colour.sample_aspect_ratio ? aspect_text(*colour.sample_aspect_ratio) : "an unspecified one";
                });
    }

    /// HDR is no comparison: it need not be stated from the beginning.
    void check_transfer(const Side &side) {
        const std::string &now = side.video.change->colour.transfer;
        if (const std::string kind = hdr_kind(now); !kind.empty() && hdr_kind(side.video.info.colour).empty())
            findings_.push_back(
                {FindingKind::warning,
                 fmt::format("from frame {} on, {}", side.video.frame, hdr_text(side.name, side.video.info, kind)),
                 fmt::format("HDR of {}", side.name)});
    }

    const std::array<Side, 2> sides_;
    const bool scaled_;
    std::vector<ChangeFinding> findings_;
};

} // namespace

std::vector<ChangeFinding> compare_changes(const VideoAtFrame &reference, const VideoAtFrame &distorted, bool scaled,
                                           bool predicts) {
    return ComparedFrames(reference, distorted, scaled).findings(predicts);
}

} // namespace isovmaf
