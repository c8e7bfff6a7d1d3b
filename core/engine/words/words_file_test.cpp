// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "engine/words/words_file.hpp"

#include <limits>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/testing/sealed_words.hpp"
#include "features/testing/mixed_semantics.hpp"

namespace isovmaf::words_file_test {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

/// Frames 5 to 7, of which 6 is scored: one feature that runs on every frame, one that does not.
WordsFile sample() {
    WordsFile file;
    file.schema.format = {.width = 1920, .height = 1080, .chroma = Chroma::k422, .bit_depth = 10};
    file.schema.semantics = Semantics::libvmaf_3_0;
    file.schema.subsample = 3;
    file.schema.features = {
        {"motion", true, {{{"debug", "false"}}, {{"debug", "true"}}}, {{"sum", WordKind::i64, SumOrder::any}}},
        {"ssim",
         false,
         {{}},
         {{"mean", WordKind::f32, SumOrder::raster}, {"variance", WordKind::f64, SumOrder::block_raster}}}};
    file.first_frame = 5;
    file.ends_video = true;
    file.lead_in = {{1, 2}};
    file.frame_count = 3;
    file.last = {{5, 6}, {7, std::numeric_limits<std::uint64_t>::max()}};
    file.words = {-1, 20, 21, std::numeric_limits<std::int64_t>::min(), 30};
    return file;
}

std::string refusal(std::span<const std::byte> bytes) {
    const Result<WordsFile> file = decode_words(bytes, "a.words");
    return file ? "accepted" : file.error().message;
}

std::span<const std::byte> body(std::span<const std::byte> file) { return file.subspan(words_layout::body_at); }

TEST(WordsFile, ReadsWhatWasWritten) {
    const WordsFile written = sample();
    const Result<WordsFile> read = decode_words(encode_words(written), "a.words");
    ASSERT_TRUE(read) << read.error().message;
    EXPECT_EQ(read->name, "a.words");
    EXPECT_EQ(read->schema, written.schema);
    EXPECT_EQ(read->first_frame, written.first_frame);
    EXPECT_EQ(read->ends_video, written.ends_video);
    EXPECT_EQ(read->lead_in, written.lead_in);
    EXPECT_EQ(read->frame_count, written.frame_count);
    EXPECT_EQ(read->last, written.last);
    EXPECT_EQ(read->words, written.words);
}

TEST(WordsFile, SemanticsThatAreNotListedAreRefused) {
    WordsFile file = sample();
    file.schema.semantics = testing::mixed_semantics;
    EXPECT_THAT(refusal(encode_words(file)), HasSubstr("this version does not know the semantics \"mixed\""));
}

TEST(WordsFile, IsRefusedWhenTruncatedAtAnyByte) {
    const std::vector<std::byte> file = encode_words(sample());
    for (std::size_t length = 0; length < file.size(); length++) {
        const std::string message = refusal(std::span(file).first(length));
        EXPECT_THAT(message, StartsWith("cannot read words file a.words: it is truncated")) << length;
    }
}

TEST(WordsFile, IsRefusedWhenAnyByteIsDamaged) {
    std::vector<std::byte> file = encode_words(sample());
    for (std::byte &byte : file) {
        byte ^= std::byte{0x10};
        EXPECT_THAT(refusal(file), StartsWith("cannot read words file a.words: it "));
        byte ^= std::byte{0x10};
    }
    EXPECT_EQ(refusal(file), "accepted");
    file.back() ^= std::byte{1};
    EXPECT_THAT(refusal(file), HasSubstr("it is damaged: its checksum is"));
}

TEST(WordsFile, IsRefusedWithAReason) {
    std::vector<std::byte> file = encode_words(sample());
    file.push_back({});
    EXPECT_THAT(refusal(file), HasSubstr("goes on after its end"));
    file = encode_words(sample());
    file[words_layout::version_at] = std::byte{9};
    EXPECT_THAT(refusal(file), HasSubstr("has version 9 of the format, and this isovmaf reads version 3"));
    file = encode_words(sample());
    file[0] = std::byte{'i'};
    EXPECT_THAT(refusal(file), HasSubstr("it is no words file"));
}

TEST(WordsFile, ContradictionsAreFoundBehindARightChecksum) {
    const auto message = [](auto change) {
        WordsFile file = sample();
        change(file);
        return refusal(encode_words(file));
    };
    EXPECT_EQ(message([](WordsFile &) {}), "accepted");
    EXPECT_THAT(message([](WordsFile &file) { file.schema.format.width = 0; }), HasSubstr("width"));
    EXPECT_THAT(message([](WordsFile &file) { file.schema.format.bit_depth = 7; }), HasSubstr("bit depth"));
    EXPECT_THAT(message([](WordsFile &file) { file.schema.format.chroma = Chroma{4}; }), HasSubstr("chroma"));
    EXPECT_THAT(message([](WordsFile &file) { file.schema.features[1].name = "motion"; }), HasSubstr("twice"));
    EXPECT_THAT(message([](WordsFile &file) { file.schema.features[0].words.clear(); }), HasSubstr("no words"));
    EXPECT_THAT(message([](WordsFile &file) { file.schema.features[0].option_sets.clear(); }), HasSubstr("no options"));
    EXPECT_THAT(message([](WordsFile &file) { file.schema.features.clear(); }), HasSubstr("no features"));
    EXPECT_THAT(message([](WordsFile &file) { file.lead_in.resize(3); }), HasSubstr("3 lead-in frames"));
    EXPECT_THAT(message([](WordsFile &file) { file.first_frame = -1; }), HasSubstr("frames from frame"));
    EXPECT_THAT(message([](WordsFile &file) { file.frame_count = 0; }), HasSubstr("0 frames"));
    EXPECT_THAT(message([](WordsFile &file) { file.frame_count = 3'000; }), HasSubstr("no words for its 3000 frames"));
    EXPECT_THAT(message([](WordsFile &file) { file.frame_count = std::int64_t{1} << 62; }), HasSubstr("frames from"));
    EXPECT_THAT(message([](WordsFile &file) { file.words.pop_back(); }), HasSubstr("bytes are wanted"));
}

// Lengths that promise more than there is, kinds that do not exist: each byte of the body takes several values. What is
// accepted nevertheless is written again as it was.
TEST(WordsFile, NoNumberInItIsTrusted) {
    const std::vector<std::byte> file = encode_words(sample());
    std::vector<std::byte> changed(body(file).begin(), body(file).end());
    EXPECT_EQ(refusal(testing::sealed_words(changed)), "accepted");
    int refused = 0;
    for (std::byte &byte : changed) {
        const std::byte right = byte;
        for (const int value : {0x00, 0x01, 0x7f, 0x80, 0xff}) {
            byte = static_cast<std::byte>(value);
            const std::vector<std::byte> sealed = testing::sealed_words(changed);
            const Result<WordsFile> read = decode_words(sealed, "a.words");
            if (read)
                EXPECT_EQ(encode_words(*read), sealed);
            else
                refused++;
        }
        byte = right;
    }
    EXPECT_GT(refused, 200);
}

TEST(WordsFile, IsRefusedWhenItsBodyEndsEarlyBehindARightChecksum) {
    const std::vector<std::byte> file = encode_words(sample());
    for (std::size_t length = 0; length < body(file).size(); length++)
        EXPECT_THAT(refusal(testing::sealed_words(body(file).first(length))), HasSubstr("its content is not"));
}

} // namespace
} // namespace isovmaf::words_file_test
