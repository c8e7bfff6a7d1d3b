// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "batch/inputs/inputs.hpp"

#include <chrono>
#include <filesystem>
#include <fstream>
#include <functional>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/testing/temporary_folder.hpp"
#include "input/raw/byte_reader.hpp"
#include "input/source.hpp"

namespace isovmaf::testing::inputs_test {
namespace {

using namespace batch;

bool never() { return false; }

std::string content(std::size_t bytes, char seed) {
    std::string text(bytes, seed);
    for (std::size_t i = 0; i < bytes; i += 7)
        text[i] = static_cast<char>(i / 7);
    return text;
}

class InputsTest : public ::testing::Test {
  protected:
    InputsTest() : index_(folder_.path()), lists_(index_), store_(*StoreWriter::create(folder_.path())) {}

    Inputs inputs(bool fast = false) { return Inputs(index_, lists_, *store_, fast, never, nullptr); }

    /// The digest of a file that is hashed alone.
    std::string digest(const std::string &path) { return *inputs().digest({path, true}); }

    TemporaryFolder folder_;
    StoreIndex index_;
    Lists lists_;
    std::unique_ptr<StoreWriter> store_;
};

/// The reading that begins, unless the digest is settled.
std::optional<Inputs::Reading> begin_reading(Inputs &&tested, const std::string &path) {
    const auto begun = tested.begin_reading({path, true});
    EXPECT_TRUE(begun) << begun.error().message;
    return begun->settled().empty() ? std::optional(*begun) : std::nullopt;
}
std::optional<Inputs::Reading> begin_reading(Inputs &tested, const std::string &path) {
    return begin_reading(std::move(tested), path);
}

/// Reads `read` bytes, passes over `skipped`, and reads the rest.
void read(const std::string &path, const Inputs::Reading &reading, std::size_t read, std::uint64_t skipped) {
    const auto reader = ByteReader::open(path, reading.content);
    std::vector<std::byte> buffer(read);
    ASSERT_EQ(*(*reader)->read(buffer), read);
    ASSERT_EQ(*(*reader)->skip(skipped), skipped);
    buffer.resize(*(*reader)->remaining());
    ASSERT_EQ(*(*reader)->read(buffer), buffer.size());
}

TEST_F(InputsTest, WhatIsReadIsHashed) {
    constexpr std::size_t size = 3'000'000;
    const std::string path = folder_.write("a", content(size, 'a')), expected = digest(path);
    for (const auto &[begin, skipped] :
         {std::pair{size, 0U}, {std::size_t{300'000}, 0U}, {std::size_t{1}, 1'900'000U}}) {
        Inputs tested = inputs();
        std::optional<Inputs::Reading> reading = begin_reading(tested, path);
        ASSERT_TRUE(reading);
        read(path, *reading, begin, skipped);
        EXPECT_EQ(reading->content->hashes(size).count_missing() == 0, skipped == 0) << "parts that the reader hashed";
        EXPECT_EQ(*tested.end_reading(*reading), expected);
        EXPECT_FALSE(begin_reading(tested, path)) << "its digest is known";
        EXPECT_EQ(*tested.digest({path, true}), expected);
    }
}

TEST_F(InputsTest, ASecondReaderIsNotHashed) {
    const std::string path = folder_.write("a", content(600'000, 'a')), expected = digest(path);
    Inputs tested = inputs();
    const auto reading = begin_reading(tested, path);
    ASSERT_TRUE(reading);
    const auto first = ByteReader::open(path, reading->content);
    read(path, *reading, 10, 0);
    std::vector<std::byte> buffer(600'000);
    ASSERT_EQ(*(*first)->read(buffer), buffer.size());
    EXPECT_EQ(*tested.end_reading(*reading), expected);
}

TEST_F(InputsTest, CopiesAreHashedBeforeTheyAreRead) {
    const std::string text = content(200'000, 'a'), first = folder_.write("a", text);
    Inputs tested = inputs();
    const std::string expected = *tested.digest({first, true});
    const std::string copy = folder_.write("b", text);
    EXPECT_FALSE(begin_reading(tested, copy));
    EXPECT_EQ(*tested.digest({copy, true}), expected);
    std::string other = text;
    other[100'001] = '?'; // in the block in the middle
    EXPECT_TRUE(begin_reading(tested, folder_.write("c", other)));
    EXPECT_TRUE(begin_reading(tested, folder_.write("d", text + "?")));
    other = text;
    other[50'000] = '?'; // in none of the blocks: it may be a copy
    const std::string similar = folder_.write("e", other);
    EXPECT_FALSE(begin_reading(tested, similar));
    EXPECT_NE(*tested.digest({similar, true}), expected);
}

TEST_F(InputsTest, CopiesOfOtherProcessesFilesAreHashedBefore) {
    const std::string text = content(200'000, 'a'), first = folder_.write("a", text);
    {
        const auto other = *StoreWriter::create(folder_.path());
        Inputs writing(index_, lists_, *other, false, never, nullptr);
        ASSERT_TRUE(writing.digest({first, true}));
    }
    EXPECT_TRUE(begin_reading(inputs(), folder_.write("b", text)));
    ASSERT_TRUE(index_.refresh());
    EXPECT_FALSE(begin_reading(inputs(), folder_.write("c", text)));
    EXPECT_FALSE(begin_reading(inputs(), first));
}

TEST_F(InputsTest, SmallFilesAndSamplesNeedNoReading) {
    EXPECT_FALSE(begin_reading(inputs(), folder_.write("a", content(30'000, 'a'))));
    EXPECT_FALSE(begin_reading(inputs(true), folder_.write("b", content(200'000, 'a'))));
    EXPECT_FALSE(inputs().begin_reading({folder_.file("none"), true}).has_value());
}

/// Raw video of 16x16 and 8 bit, of 500 frames.
constexpr VideoFormat raw_format{.width = 16, .height = 16};
constexpr std::size_t raw_bytes = 500 * 384;

/// Reads up to `frames` frames as a unit does that wants so many planes.
void read_frames(const std::string &path, const std::optional<Inputs::Reading> &reading, FrameNeeds needs,
                 int frames = 1000) {
    SourceOptions options;
    options.stated = raw_format;
    options.content = reading ? reading->content : nullptr;
    const auto source = *open_source(path, options);
    EXPECT_TRUE(source->prepare(needs));
    for (int n = 0; n < frames && *source->read(); n++) {
    }
}

/// The digest of what a unit reads that wants so many planes, by so many threads.
std::string digest_of_frames(Inputs &tested, const std::string &path, FrameNeeds needs, int frames = 1000) {
    const auto reading = begin_reading(tested, path);
    EXPECT_TRUE(reading);
    read_frames(path, reading, needs, frames);
    return *tested.end_reading(*reading);
}

TEST_F(InputsTest, FramesHaveOneDigestHoweverTheyAreRead) {
    const std::string text = content(raw_bytes, 'a');
    std::set<std::string> digests;
    for (const int planes : {1, 3})
        for (const int readers : {1, 2, 4})
            for (const int frames : {3, 1000}) {
                Inputs tested = inputs();
                digests.insert(
                    digest_of_frames(tested, folder_.write("a", text), {.planes = planes, .readers = readers}, frames));
            }
    EXPECT_EQ(digests.size(), 2U) << "of luma, and of all planes";
    for (const std::string &digest : digests)
        EXPECT_FALSE(is_of_whole_file(digest));
}

TEST_F(InputsTest, PlanesThatNobodyReadsDoNotCount) {
    std::string text = content(raw_bytes, 'a');
    const auto digests = [&] {
        Inputs tested = inputs();
        const std::string path = folder_.write("a", text);
        return std::pair(digest_of_frames(tested, path, {.planes = 1, .readers = 3}),
                         digest_of_frames(tested, path, {.planes = 3, .readers = 3}));
    };
    const auto [luma, all] = digests();
    text[400 * 384 + 256] ^= 1; // chroma
    EXPECT_EQ(digests().first, luma);
    EXPECT_NE(digests().second, all);
    text[400 * 384 + 256] ^= 1;
    text[400 * 384 + 255] ^= 1; // luma
    EXPECT_NE(digests().first, luma);
    EXPECT_NE(digests().second, all);
}

TEST_F(InputsTest, ADigestThatIsKnownIsNotMadeAgain) {
    const std::string path = folder_.write("a", content(raw_bytes, 'a'));
    Inputs tested = inputs();
    const std::string luma = digest_of_frames(tested, path, {.planes = 1, .readers = 2});
    const auto again = begin_reading(tested, path);
    ASSERT_TRUE(again);
    EXPECT_EQ(again->digests, std::vector{luma});
    read_frames(path, again, {.planes = 1, .readers = 2}, 1);
    EXPECT_EQ(again->content->known_digest(), luma);
    EXPECT_EQ(*tested.end_reading(*again), luma);
    const std::string all = digest_of_frames(tested, path, {.planes = 3, .readers = 2});
    EXPECT_THAT(begin_reading(tested, path)->digests, ::testing::UnorderedElementsAre(luma, all));
    const std::string whole = *tested.digest({path, true});
    const auto settled = tested.begin_reading({path, true});
    ASSERT_TRUE(settled);
    EXPECT_EQ(settled->settled(), whole);
    EXPECT_EQ(settled->digests.size(), 3U);
}

TEST_F(InputsTest, CopiesAreHashedAsTheirOriginalsWere) {
    const std::string text = content(raw_bytes, 'a');
    Inputs tested = inputs();
    const std::string luma = digest_of_frames(tested, folder_.write("a", text), {.planes = 1});
    const auto copy = begin_reading(tested, folder_.write("b", text));
    ASSERT_TRUE(copy) << "a unit may want more";
    EXPECT_EQ(copy->digests, std::vector{luma});
}

/// It is cut, it grows, or a frame that was read or was not becomes another: all by a change of what the file looks
/// like.
TEST_F(InputsTest, AFileOfFramesThatChangesWhileItIsReadHasNoDigest) {
    const std::string text = content(raw_bytes, 'a');
    const auto write_at = [](const std::string &path, std::size_t at) {
        std::fstream file(path, std::ios::in | std::ios::out | std::ios::binary);
        file.seekp(static_cast<std::streamoff>(at)).put('?');
    };
    const std::vector<std::function<void(const std::string &)>> changes{
        [](const std::string &path) { std::filesystem::resize_file(path, raw_bytes / 2 + 10); },
        [](const std::string &path) { std::filesystem::resize_file(path, raw_bytes + 384); },
        [&](const std::string &path) { write_at(path, 5); },
        [&](const std::string &path) { write_at(path, raw_bytes - 384); }};
    for (const auto &change : changes)
        for (const int readers : {1, 3})
            for (const int frames : {100, 1000}) {
                Inputs tested = inputs();
                const std::string path = folder_.write("a", text);
                const auto reading = begin_reading(tested, path);
                ASSERT_TRUE(reading);
                std::this_thread::sleep_for(std::chrono::milliseconds(10)); // times of files may be as coarse
                SourceOptions options;
                options.stated = raw_format;
                options.content = reading->content;
                {
                    const auto source = *open_source(path, options);
                    source->prepare({.planes = 1, .readers = readers});
                    ASSERT_TRUE(source->read());
                    change(path);
                    for (int n = 1; n < frames; n++)
                        if (const auto frame = source->read(); !frame || !*frame)
                            break;
                }
                const auto digest = tested.end_reading(*reading);
                ASSERT_FALSE(digest);
                EXPECT_THAT(digest.error().message, ::testing::HasSubstr("changed while it was read"));
            }
}

TEST_F(InputsTest, FramesThatAreNotAsExpectedLeaveTheWholeFile) {
    std::string y4m = "YUV4MPEG2 W16 H16 F25:1 C420\n";
    for (int n = 0; n < 200; n++)
        y4m += (n == 150 ? "FRAME Ip\n" : "FRAME\n") + content(384, static_cast<char>(n));
    const std::string path = folder_.write("a", y4m), whole = digest(path);
    for (const int readers : {1, 3}) {
        Inputs tested = inputs();
        const auto reading = begin_reading(tested, path);
        SourceOptions options;
        options.content = reading->content;
        {
            const auto source = *open_source(path, options);
            EXPECT_TRUE(source->prepare({.planes = 1, .readers = readers}));
            for (int n = 0; n < 200; n++)
                ASSERT_TRUE((*source->read()).has_value()) << n;
        }
        EXPECT_EQ(*tested.end_reading(*reading), whole);
    }
}

TEST_F(InputsTest, AFileThatChangedMeanwhileIsAnError) {
    const std::string path = folder_.write("a", content(200'000, 'a'));
    Inputs tested = inputs();
    const auto reading = begin_reading(tested, path);
    read(path, *reading, 200'000, 0);
    folder_.write("a", content(200'001, 'a'));
    const auto digest = tested.end_reading(*reading);
    ASSERT_FALSE(digest);
    EXPECT_THAT(digest.error().message, ::testing::HasSubstr("changed while it was read"));
}

/// Of videos that read their own bytes alone the record of an earlier build holds; of a list it does not.
TEST_F(InputsTest, RecordsOfListsByTheirOwnBytesDoNotCount) {
    for (const auto &[name, text, is_list] :
         {std::tuple{"list", std::string("ffconcat version 1.0\nfile none.mkv\n"), true},
          {"video", content(1000, 'a'), false},
          {"text", std::string("YUV4MPEG2 W16 H16 F25:1 C420\n"), false}}) {
        const std::string path = folder_.write(name, text);
        InputRecord earlier = *look_at(path);
        earlier.digest = *inputs().digest({path}); // as of a file that may be no list
        ASSERT_FALSE(earlier.self_contained);
        ASSERT_TRUE(store_->flush());
        ASSERT_TRUE(index_.refresh());
        ASSERT_EQ(known_digests_of(index_, earlier, false), std::vector{earlier.digest});
        const auto known = known_digests(index_, lists_, {path, true}, false, never);
        EXPECT_EQ(known.value_or(std::vector<std::string>()),
                  is_list ? std::vector<std::string>() : std::vector{earlier.digest})
            << name;
        EXPECT_EQ(known.has_value(), !is_list) << "the list names a file that is not there";
        EXPECT_EQ(*inputs().is_list(path), is_list) << name;
        EXPECT_EQ(inputs().begin_reading({path, true}).has_value(), !is_list);
    }
}

TEST_F(InputsTest, WhatIsNoListIsLookedAtOnce) {
    const std::string path = folder_.write("video", content(1000, 'a'));
    ASSERT_TRUE(inputs().digest({path, true}));
    ASSERT_TRUE(store_->flush());
    ASSERT_TRUE(index_.refresh());
    ASSERT_EQ(index_.inputs(path).size(), 1U);
    EXPECT_TRUE(index_.inputs(path).front().self_contained);
    InputRecord seen = *look_at(path);
    std::filesystem::remove(path);
    EXPECT_EQ(*Lists(index_).kind_of(seen), Lists::Kind::self_contained) << "by the record";
    seen.bytes++;
    EXPECT_FALSE(Lists(index_).kind_of(seen)) << "another file, which is not there";
}

} // namespace
} // namespace isovmaf::testing::inputs_test
