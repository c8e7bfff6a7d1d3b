// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "input/convert/compare_colours.hpp"

#include <functional>
#include <memory>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace isovmaf::compare_colours_test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

SourceInfo video(const std::string &name) {
    SourceInfo info{{640, 480}, name, "matroska,webm", "ffv1"};
    info.colour = {.range = "limited",
                   .matrix = "bt709",
                   .primaries = "bt709",
                   .transfer = "bt709",
                   .chroma_location = "left",
                   .sample_aspect_ratio = Rational{1, 1},
                   .field_order = "progressive"};
    return info;
}

using Change = std::function<void(SourceInfo &)>;

std::vector<Finding> findings(const Change &reference, const Change &distorted, bool scaled = false) {
    SourceInfo a = video("a.mkv"), b = video("-");
    reference(a);
    distorted(b);
    return compare_colours(a, b, scaled, true);
}

const Change none = [](SourceInfo &) {};

TEST(CompareColours, EqualVideosGiveNoFinding) { EXPECT_THAT(findings(none, none), IsEmpty()); }

TEST(CompareColours, WhatDiffersIsNamedWithBothSidesAndAdvice) {
    const struct {
        Change distorted;
        FindingKind kind;
        const char *values;
        const char *advice;
    } cases[] = {
        {[](SourceInfo &v) { v.colour.range = "full"; }, FindingKind::error,
         "reference a.mkv has colour range limited, distorted standard input has colour range full",
         "--convert dis:range"},
        {[](SourceInfo &v) { v.colour.rotation = 90; }, FindingKind::error,
         "has rotation none, distorted standard input has rotation 90 degrees", "--as-is"},
        {[](SourceInfo &v) {
             v.colour.sample_aspect_ratio = Rational{16, 15};
         },
         FindingKind::error, "has sample aspect ratio 1:1, distorted standard input has sample aspect ratio 16:15",
         "--as-is"},
        {[](SourceInfo &v) { v.colour.matrix = "smpte170m"; }, FindingKind::warning,
         "has colour matrix bt709, distorted standard input has colour matrix smpte170m", "--as-is"},
        {[](SourceInfo &v) { v.colour.transfer = "linear"; }, FindingKind::warning, "has transfer linear", "--as-is"},
        {[](SourceInfo &v) { v.colour.primaries = "bt2020"; }, FindingKind::warning, "has primaries bt2020", "--as-is"},
        {[](SourceInfo &v) { v.colour.field_order = "top field first"; }, FindingKind::warning,
         "distorted standard input is interlaced (top field first)", "deinterlace"},
        {[](SourceInfo &v) { v.colour.chroma_location = "center"; }, FindingKind::note, "chroma location center", ""},
        {[](SourceInfo &v) { v.colour.range = ""; }, FindingKind::note, "has an unspecified colour range", ""},
        {[](SourceInfo &v) { v.colour.matrix = ""; }, FindingKind::note, "has an unspecified colour matrix", ""},
        {[](SourceInfo &v) { v.colour.sample_aspect_ratio.reset(); }, FindingKind::note,
         "has an unspecified sample aspect ratio", ""},
    };
    for (const auto &c : cases) {
        const auto found = findings(none, c.distorted);
        ASSERT_THAT(found, SizeIs(1)) << c.values;
        EXPECT_EQ(found.front().kind, c.kind) << c.values;
        EXPECT_THAT(found.front().sentence, AllOf(HasSubstr(c.values), HasSubstr(c.advice)));
    }
}

TEST(CompareColours, FullRangeBesideAnUnspecifiedOneIsInDoubt) {
    const auto found =
        findings([](SourceInfo &v) { v.colour.range = ""; }, [](SourceInfo &v) { v.colour.range = "full"; });
    ASSERT_THAT(found, SizeIs(1));
    EXPECT_EQ(found.front().kind, FindingKind::range_doubt);
}

TEST(CompareColours, NamesOfTheSameThingAreEqual) {
    const auto set = [](const char *matrix, const char *transfer) {
        return [=](SourceInfo &v) { v.colour.matrix = matrix, v.colour.transfer = transfer; };
    };
    EXPECT_THAT(findings(set("bt470bg", "smpte170m"), set("smpte170m", "bt2020-10")), IsEmpty());
}

TEST(CompareColours, HdrIsAWarningForModels) {
    const Change pq = [](SourceInfo &v) { v.colour.transfer = "smpte2084"; };
    const auto found = findings(pq, pq);
    ASSERT_THAT(found, SizeIs(2));
    EXPECT_THAT(found.front().sentence, HasSubstr("a.mkv is HDR (PQ), and the model is trained on SDR"));
    SourceInfo hlg = video("b");
    hlg.colour.transfer = "arib-std-b67";
    EXPECT_THAT(compare_colours(hlg, hlg, false, true), SizeIs(2));
    EXPECT_THAT(compare_colours(hlg, hlg, false, false), IsEmpty());
}

TEST(CompareColours, ShapesAreThoseAfterScaling) {
    const auto shape = [](int width, int height, std::optional<Rational> ratio) {
        return [=](SourceInfo &v) {
            v.format.width = width;
            v.format.height = height;
            v.colour.sample_aspect_ratio = ratio;
        };
    };
    const Change wide = shape(1920, 1080, Rational{1, 1});
    EXPECT_THAT(findings(wide, shape(854, 480, Rational{1280, 1281}), true), IsEmpty());
    EXPECT_THAT(findings(wide, shape(853, 480, Rational{1, 1}), true), IsEmpty());
    EXPECT_THAT(findings(wide, shape(720, 576, Rational{64, 45}), true), IsEmpty());
    const auto stretched = findings(wide, shape(720, 576, Rational{1, 1}), true);
    ASSERT_THAT(stretched, SizeIs(1));
    EXPECT_EQ(stretched.front().kind, FindingKind::warning);
    EXPECT_THAT(stretched.front().sentence, HasSubstr("scaling changes the shape"));
    const auto wrong = findings(wide, shape(720, 576, Rational{16, 15}), true);
    ASSERT_THAT(wrong, SizeIs(1));
    EXPECT_EQ(wrong.front().kind, FindingKind::error);
    EXPECT_THAT(findings(wide, shape(720, 576, Rational{16, 15})), IsEmpty()); // the sizes are refused elsewhere
}

/// What the distorted frame number 7 changes.
std::vector<ChangeFinding> changes(const Change &reference, const Change &began, const Change &now,
                                   bool predicts = true) {
    SourceInfo a = video("a.mkv"), b = video("-");
    reference(a);
    began(b);
    SourceInfo later = b;
    now(later);
    return compare_changes({a, nullptr, 9}, {b, std::make_shared<ColourChange>(ColourChange{later.colour}), 7}, false,
                           predicts);
}

TEST(CompareChanges, AreAsSeriousAsDifferencesAtTheBeginning) {
    const struct {
        Change now;
        FindingKind kind;
        const char *sentence, *about;
    } cases[] = {
        {[](SourceInfo &v) { v.colour.range = "full"; }, FindingKind::error,
         "frame 7 of distorted standard input changes the colour range from limited to full, and reference a.mkv has "
         "limited; cut both videos there and score their parts, or --as-is to score the samples as they are",
         "colour range of distorted"},
        {[](SourceInfo &v) { v.colour.rotation = 90; }, FindingKind::error,
         "changes the rotation from none to 90 degrees, and reference a.mkv has none; ", "rotation of distorted"},
        {[](SourceInfo &v) {
             v.colour.sample_aspect_ratio = Rational{16, 15};
         },
         FindingKind::error, "changes the sample aspect ratio from 1:1 to 16:15, and reference a.mkv has 1:1; ",
         "sample aspect ratio of distorted"},
        {[](SourceInfo &v) { v.colour.matrix = "smpte170m"; }, FindingKind::warning,
         "changes the colour matrix from bt709 to smpte170m, ", "colour matrix of distorted"},
        {[](SourceInfo &v) { v.colour.transfer = "linear"; }, FindingKind::warning,
         "changes the transfer from bt709 to linear, ", "transfer of distorted"},
        {[](SourceInfo &v) { v.colour.primaries = "bt2020"; }, FindingKind::warning,
         "changes the primaries from bt709 to bt2020, ", "primaries of distorted"},
        {[](SourceInfo &v) { v.colour.chroma_location = "center"; }, FindingKind::note,
         "changes the chroma location from left to center, and reference a.mkv has left",
         "chroma location of distorted"},
    };
    for (const auto &c : cases) {
        const auto found = changes(none, none, c.now);
        ASSERT_THAT(found, SizeIs(1)) << c.sentence;
        EXPECT_EQ(found.front().kind, c.kind) << c.sentence;
        EXPECT_THAT(found.front().sentence, HasSubstr(c.sentence));
        EXPECT_EQ(found.front().about, c.about);
    }
}

TEST(CompareChanges, GoFromOneStatedValueToAnother) {
    const Change unspecified = [](SourceInfo &v) { v.colour = {}; };
    const Change other = [](SourceInfo &v) {
        v.colour.range = "full";
        v.colour.matrix = "bt470bg";
        v.colour.primaries = "bt470bg";
        v.colour.transfer = "linear";
        v.colour.sample_aspect_ratio = Rational{2, 1};
    };
    EXPECT_THAT(changes(none, unspecified, other), IsEmpty());
    const auto beside_nothing = changes(unspecified, none, other);
    ASSERT_THAT(beside_nothing, SizeIs(5)) << "half of the video is not what the other one is";
    EXPECT_THAT(beside_nothing.front().sentence, HasSubstr("and reference a.mkv has an unspecified one; "));
    EXPECT_THAT(changes(other, none, other), IsEmpty()) << "it becomes what the reference is";
    EXPECT_THAT(changes(none, none, [](SourceInfo &v) { v.colour.transfer = "bt2020-10"; }), IsEmpty());
    EXPECT_THAT(changes(none, none,
                        [](SourceInfo &v) {
                            v.colour.sample_aspect_ratio = Rational{1281, 1280};
                        }),
                IsEmpty());
}

TEST(CompareChanges, HdrNeedNotBeStatedFromTheBeginning) {
    const Change hlg = [](SourceInfo &v) { v.colour.transfer = "arib-std-b67"; };
    const auto found = changes(
        none, [](SourceInfo &v) { v.colour.transfer = ""; }, hlg);
    ASSERT_THAT(found, SizeIs(1));
    EXPECT_EQ(found.front().kind, FindingKind::warning);
    EXPECT_THAT(found.front().sentence, HasSubstr("from frame 7 on, distorted standard input is HDR (HLG), and the "));
    EXPECT_EQ(found.front().about, "HDR of distorted");
    EXPECT_THAT(changes(none, none, hlg), SizeIs(2));
    EXPECT_THAT(changes(none, none, hlg, false), SizeIs(1));
    EXPECT_THAT(changes(hlg, hlg, [](SourceInfo &v) { v.colour.primaries = "bt2020"; }), SizeIs(1));
}

} // namespace
} // namespace isovmaf::compare_colours_test
