// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "vulkan/shaders/cache_file.hpp"

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include <gmock/gmock.h>

#include "base/testing/temporary_folder.hpp"

extern const char isovmaf_build_id[];
const char isovmaf_build_id[] = "0123456789abcdef"; // the build generates that of the plugin

namespace isovmaf::vulkan {
namespace {

namespace fs = std::filesystem;
using ::testing::ElementsAreArray;
using ::testing::IsEmpty;

class VulkanCacheFile : public ::testing::Test {
  protected:
    fs::path path() const { return folder_.path() / "isovmaf" / "a.cache"; }

    std::string content() const {
        std::ifstream file(path(), std::ios::binary);
        return {std::istreambuf_iterator<char>(file), {}};
    }
    void write(const std::string &content) const { std::ofstream(path(), std::ios::binary) << content; }

    std::vector<std::byte> read() const {
        const CacheFile file(path());
        return {file.data().begin(), file.data().end()};
    }

    const testing::TemporaryFolder folder_;
    const std::vector<std::byte> data_{std::byte{1}, std::byte{2}, std::byte{0}, std::byte{255}, std::byte{5}};
};

TEST_F(VulkanCacheFile, ReturnsWhatWasStored) {
    EXPECT_THAT(read(), IsEmpty());
    CacheFile(path()).store(data_);
    EXPECT_THAT(read(), ElementsAreArray(data_));
    EXPECT_EQ(std::distance(fs::directory_iterator(path().parent_path()), {}), 1) << "a temporary file was left";
}

TEST_F(VulkanCacheFile, ADamagedFileIsIgnoredAndReplaced) {
    CacheFile(path()).store(data_);
    const std::string whole = content();
    for (std::size_t i = 0; i < whole.size(); i++) {
        std::string damaged = whole;
        damaged[i] = static_cast<char>(damaged[i] ^ 0x10);
        write(damaged);
        EXPECT_THAT(read(), IsEmpty()) << "byte " << i;
        write(whole.substr(0, i));
        EXPECT_THAT(read(), IsEmpty()) << "cut at " << i;
    }
    write(whole + "x");
    EXPECT_THAT(read(), IsEmpty());
    CacheFile(path()).store(data_);
    EXPECT_EQ(content(), whole);
}

TEST_F(VulkanCacheFile, IsWrittenOnlyWhenItChanged) {
    CacheFile(path()).store(data_);
    const CacheFile file(path());
    fs::remove(path());
    file.store(data_);
    EXPECT_FALSE(fs::exists(path()));
    file.store(std::span(data_).first(3));
    EXPECT_TRUE(fs::exists(path()));
}

TEST_F(VulkanCacheFile, AFolderThatCannotBeCreatedIsNoFailure) {
    std::ofstream(folder_.path() / "isovmaf") << "a file where the folder should be";
    const CacheFile file(path());
    EXPECT_THAT(file.data(), IsEmpty());
    file.store(data_);
    CacheFile(fs::path()).store(data_);
}

TEST_F(VulkanCacheFile, AFolderWithTheFilesNameIsNoFailure) {
    fs::create_directories(path());
    const CacheFile file(path());
    EXPECT_THAT(file.data(), IsEmpty());
    file.store(data_);
    EXPECT_EQ(std::distance(fs::directory_iterator(path().parent_path()), {}), 1) << "a temporary file was left";
}

TEST_F(VulkanCacheFile, DevicesDriversAndUsersHaveFilesOfTheirOwn) {
    VkPhysicalDeviceProperties properties{};
    properties.pipelineCacheUUID[0] = 0xab;
    properties.driverVersion = 0x17;
    setenv("XDG_CACHE_HOME", "/somewhere", 1);
    EXPECT_EQ(CacheFile::of_device(properties).path(),
              "/somewhere/isovmaf/vulkan-ab000000000000000000000000000000-17-0123456789abcdef.cache");
    setenv("XDG_CACHE_HOME", "relative", 1);
    setenv("HOME", "/home/somebody", 1);
    EXPECT_EQ(CacheFile::of_device(properties).path().parent_path(), "/home/somebody/.cache/isovmaf");
    unsetenv("HOME");
    EXPECT_EQ(CacheFile::of_device(properties).path(), "");
}

} // namespace
} // namespace isovmaf::vulkan
