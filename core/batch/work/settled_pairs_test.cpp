// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "batch/work/settled_pairs.hpp"

#include <gtest/gtest.h>

#include "base/failure.hpp"
#include "base/testing/temporary_folder.hpp"

namespace isovmaf::batch::settled_pairs_test {
namespace {

using testing::TemporaryFolder;

/// A frame of grey.
std::string write_clip(const TemporaryFolder &folder, const std::string &name, int width, int height) {
    return folder.write(name, "YUV4MPEG2 W" + std::to_string(width) + " H" + std::to_string(height) +
                                  " F25:1\nFRAME\n" +
                                  std::string(static_cast<std::size_t>(width * height * 3 / 2), '\x80'));
}

TEST(SettledPairs, AreRememberedWhileFilesAndOptionsAreTheSame) {
    const TemporaryFolder folder;
    PairJob asked;
    asked.videos.reference.path = write_clip(folder, "r.y4m", 64, 48);
    asked.videos.distorted.path = write_clip(folder, "d.y4m", 32, 24);
    asked.videos.fit = true;
    SettledPairs pairs;
    const auto decide = [&](const std::string &options, bool may_remember, const std::string &copy = "") {
        PairJob job = asked;
        if (!copy.empty())
            job.videos.distorted.path = copy;
        value_of(pairs.settle(asked, options, may_remember, job));
        EXPECT_TRUE(is_settled(job.videos));
        return job.videos.resize.has_value();
    };
    const std::string same_size = write_clip(folder, "copy.y4m", 64, 48);
    EXPECT_TRUE(decide("a", true));
    EXPECT_TRUE(decide("a", true, same_size)) << "remembered by the row's own file";
    EXPECT_FALSE(decide("b", true, same_size)) << "other options";
    EXPECT_FALSE(decide("a", false, same_size)) << "what opens other files is looked at each time";
    write_clip(folder, "d.y4m", 64, 48);
    EXPECT_FALSE(decide("a", true)) << "another file";
}

} // namespace
} // namespace isovmaf::batch::settled_pairs_test
