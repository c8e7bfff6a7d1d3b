// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "input/libav/tiff_tags.hpp"

#include <array>
#include <initializer_list>
#include <vector>

#include <gtest/gtest.h>

namespace isovmaf::tiff_tags_test {
namespace {

struct Tag {
    unsigned number;
    std::vector<unsigned> values; ///< of 16 bit
};

/// A TIFF file of tags alone; the list of the next picture's tags begins at 0x01020304.
class Writer {
  public:
    explicit Writer(bool little) : little_(little) {}

    std::vector<std::uint8_t> write(const std::vector<Tag> &tags) {
        bytes_.assign(2, little_ ? 'I' : 'M');
        add(42, 2);
        add(8, 4);
        add(tags.size(), 2);
        std::size_t behind = 8 + 2 + 12 * tags.size() + 4;
        std::vector<unsigned> far;
        for (const auto &[number, values] : tags) {
            add(number, 2);
            add(3, 2);
            add(values.size(), 4);
            if (values.size() > 2) {
                add(behind, 4);
                far.insert(far.end(), values.begin(), values.end());
                behind += 2 * values.size();
                continue;
            }
            for (std::size_t i = 0; i < 2; i++)
                add(i < values.size() ? values[i] : 0, 2);
        }
        add(0x01020304, 4);
        for (const unsigned value : far)
            add(value, 2);
        return bytes_;
    }

  private:
    void add(std::size_t number, int count) {
        for (int i = 0; i < count; i++)
            bytes_.push_back(static_cast<std::uint8_t>(number >> 8 * (little_ ? i : count - 1 - i)));
    }

    bool little_;
    std::vector<std::uint8_t> bytes_;
};

std::vector<std::uint8_t> after_removal(std::vector<std::uint8_t> file) {
    const std::size_t counted = remove_harmless_tags(file, true);
    EXPECT_EQ(remove_harmless_tags(file), counted);
    EXPECT_EQ(remove_harmless_tags(file, true), 0U) << "all are gone";
    return file;
}

TEST(TiffTags, ThatSayNothingAboutSamplesAreRemoved) {
    const Tag width{256, {64}}, height{257, {48}}, resolution{296, {2}}, icc{34675, {1}}, custom{65000, {1}};
    for (const bool little : {false, true}) {
        const auto all = Writer(little).write({width, height, resolution, icc, custom});
        const auto kept = Writer(little).write({width, height, custom});
        const auto left = after_removal(all);
        ASSERT_EQ(left.size(), all.size()) << "nothing behind the tags moves";
        EXPECT_TRUE(std::equal(kept.begin(), kept.end(), left.begin())) << (little ? "little" : "big") << " endian";
    }
}

TEST(TiffTags, ThatMayChangeSamplesStayUnlessTheySayWhatIsUsual) {
    const auto removed = [](const Tag &tag) {
        for (const bool little : {false, true}) {
            auto file = Writer(little).write({{256, {64}}, tag});
            if (remove_harmless_tags(file) == 0)
                return false;
        }
        return true;
    };
    EXPECT_TRUE(removed({274, {1}}));
    for (const unsigned turned : {2U, 3U, 6U, 8U, 256U})
        EXPECT_FALSE(removed({274, {turned}})) << "orientation " << turned;
    EXPECT_TRUE(removed({338, {2}}));
    EXPECT_FALSE(removed({338, {1}})) << "colours are multiplied by alpha";
    EXPECT_TRUE(removed({339, {1, 1}}));
    EXPECT_TRUE(removed({339, {1, 1, 1}}));
    EXPECT_FALSE(removed({339, {1, 1, 3}})) << "floating point";
    EXPECT_FALSE(removed({339, {3}}));
}

TEST(TiffTags, OfFilesThatAreCutOrNoTiffStay) {
    auto file = Writer(true).write({{256, {64}}, {296, {2}}, {339, {1, 1, 1}}});
    const std::size_t end_of_list = 8 + 2 + 3 * 12 + 4;
    for (std::size_t size = 0; size < end_of_list; size++)
        EXPECT_EQ(remove_harmless_tags({file.data(), size}), 0U) << size;
    auto cut = file;
    EXPECT_EQ(remove_harmless_tags({cut.data(), end_of_list}), 1U) << "the values of tag 339 are cut off";
    file[2] = 43;
    EXPECT_EQ(remove_harmless_tags(file), 0U) << "BigTIFF";
}

} // namespace
} // namespace isovmaf::tiff_tags_test
