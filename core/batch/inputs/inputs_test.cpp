// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "batch/inputs/inputs.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/testing/temporary_folder.hpp"
#include "input/raw/byte_reader.hpp"

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
    InputsTest() : index_(folder_.path()), store_(*StoreWriter::create(folder_.path())) {}

    Inputs inputs(bool fast = false) { return Inputs(index_, *store_, fast, never, nullptr); }

    /// The digest of a file that is hashed alone.
    std::string digest(const std::string &path) { return *inputs().digest(path); }

    TemporaryFolder folder_;
    StoreIndex index_;
    std::unique_ptr<StoreWriter> store_;
};

/// The reading that begins, if one does.
std::optional<Inputs::Reading> begin_reading(Inputs &&tested, const std::string &path) {
    const auto begun = tested.begin_reading(path);
    EXPECT_TRUE(begun) << begun.error().message;
    const auto *const reading = std::get_if<Inputs::Reading>(&*begun);
    return reading ? std::optional(*reading) : std::nullopt;
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
    constexpr std::size_t size = 1'000'000;
    const std::string path = folder_.write("a", content(size, 'a')), expected = digest(path);
    for (const auto &[begin, skipped] : {std::pair{size, 0U}, {std::size_t{300'000}, 0U}, {std::size_t{1}, 900'000U}}) {
        Inputs tested = inputs();
        std::optional<Inputs::Reading> reading = begin_reading(tested, path);
        ASSERT_TRUE(reading);
        read(path, *reading, begin, skipped);
        EXPECT_EQ(reading->content->bytes() == size, skipped == 0) << "bytes that were hashed by the reader";
        EXPECT_EQ(*tested.end_reading(*reading), expected);
        EXPECT_FALSE(begin_reading(tested, path)) << "its digest is known";
        EXPECT_EQ(*tested.digest(path), expected);
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
    const std::string expected = *tested.digest(first);
    const std::string copy = folder_.write("b", text);
    EXPECT_FALSE(begin_reading(tested, copy));
    EXPECT_EQ(*tested.digest(copy), expected);
    std::string other = text;
    other[100'001] = '?'; // in the block in the middle
    EXPECT_TRUE(begin_reading(tested, folder_.write("c", other)));
    EXPECT_TRUE(begin_reading(tested, folder_.write("d", text + "?")));
    other = text;
    other[50'000] = '?'; // in none of the blocks: it may be a copy
    const std::string similar = folder_.write("e", other);
    EXPECT_FALSE(begin_reading(tested, similar));
    EXPECT_NE(*tested.digest(similar), expected);
}

TEST_F(InputsTest, CopiesOfOtherProcessesFilesAreHashedBefore) {
    const std::string text = content(200'000, 'a'), first = folder_.write("a", text);
    {
        const auto other = *StoreWriter::create(folder_.path());
        Inputs writing(index_, *other, false, never, nullptr);
        ASSERT_TRUE(writing.digest(first));
    }
    EXPECT_TRUE(begin_reading(inputs(), folder_.write("b", text)));
    ASSERT_TRUE(index_.refresh());
    EXPECT_FALSE(begin_reading(inputs(), folder_.write("c", text)));
    EXPECT_FALSE(begin_reading(inputs(), first));
}

TEST_F(InputsTest, SmallFilesAndSamplesNeedNoReading) {
    EXPECT_FALSE(begin_reading(inputs(), folder_.write("a", content(30'000, 'a'))));
    EXPECT_FALSE(begin_reading(inputs(true), folder_.write("b", content(200'000, 'a'))));
    EXPECT_FALSE(inputs().begin_reading(folder_.file("none")).has_value());
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

} // namespace
} // namespace isovmaf::testing::inputs_test
