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
    std::string_view advice; ///< follows the two values, after a semicolon
};

constexpr std::string_view as_is = "or --as-is to score the samples as they are";
constexpr std::array<Rule, 5> rules{{
    {"colour range", &ColourDescription::range, FindingKind::error,
     "use --convert dis:range to convert the distorted video to the reference's range, --convert ref:range for the "
     "reverse, "},
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
        findings.push_back({rule.different, with_advice(std::move(sentence), rule.advice)});
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
constexpr double ratio_tolerance = 0.01;

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
    // Scaling the distorted video to the reference's size stretches its samples by this factor.
    const double stretch = static_cast<double>(d.width) * r.height / (static_cast<double>(d.height) * r.width);
    const auto differs = [&](double ratio) { return std::abs(ratio / left->value() - 1) > ratio_tolerance; };
    if (!differs(right->value() * stretch))
        return;
    if (differs(right->value()))
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
        findings.push_back({FindingKind::warning,
                            fmt::format("{} {} is interlaced ({}), and features compare whole frames; deinterlace both "
                                        "videos first, for example with ffmpeg -vf bwdif",
                                        side, display_name(video.name), video.colour.field_order)});
}

void check_hdr(const SourceInfo &video, std::string_view side, std::vector<Finding> &findings) {
    const std::string &transfer = video.colour.transfer;
    if (transfer == "smpte2084" || transfer == "arib-std-b67")
        findings.push_back({FindingKind::warning,
                            fmt::format("{} {} is HDR ({}), and the model is trained on SDR video; take its score as a "
                                        "comparison between encodes, or score SDR versions of both",
                                        side, display_name(video.name), transfer == "smpte2084" ? "PQ" : "HLG")});
}

} // namespace

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

} // namespace isovmaf
