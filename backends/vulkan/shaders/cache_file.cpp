// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "vulkan/shaders/cache_file.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <string>
#include <system_error>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

extern const char isovmaf_build_id[]; // generated

namespace isovmaf::vulkan {

namespace {

namespace fs = std::filesystem;

/// The start of a file, before the data.
struct Header {
    std::array<char, 8> magic;
    std::uint64_t bytes;    ///< of data
    std::uint64_t checksum; ///< of data
};

constexpr std::array<char, 8> magic{'i', 's', 'o', 'v', 'm', 'a', 'f', 'c'};

/// FNV-1a with 64 bits. It detects damage, not intent; the driver checks its data itself.
std::uint64_t checksum(std::span<const std::byte> data) {
    std::uint64_t sum = 0xcbf29ce484222325;
    for (const std::byte byte : data)
        sum = (sum ^ std::to_integer<std::uint64_t>(byte)) * 0x100000001b3;
    return sum;
}

/// Empty when the file cannot be read. Reading a folder, for example, makes the stream buffer throw.
std::string read_text(const fs::path &path) {
    try {
        std::ifstream file(path, std::ios::binary);
        return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
    } catch (const std::ios_base::failure &) {
        return {};
    }
}

/// Empty when there is no file, or when it is not as `store` wrote it.
std::vector<std::byte> read(const fs::path &path) {
    const std::string text = read_text(path);
    Header header;
    if (text.size() < sizeof header)
        return {};
    std::memcpy(&header, text.data(), sizeof header);
    const std::span data = std::as_bytes(std::span(text)).subspan(sizeof header);
    if (header.magic != magic || header.bytes != data.size() || header.checksum != checksum(data))
        return {};
    return {data.begin(), data.end()};
}

/// The folder that the XDG base directory specification defines; empty when the user has none.
fs::path cache_folder() {
    const char *const cache = std::getenv("XDG_CACHE_HOME");
    if (cache && fs::path(cache).is_absolute())
        return fs::path(cache) / "isovmaf";
    const char *const home = std::getenv("HOME");
    if (home && fs::path(home).is_absolute())
        return fs::path(home) / ".cache" / "isovmaf";
    return {};
}

/// A file name that no other writer uses, in this process or another.
fs::path temporary(const fs::path &path) {
    static std::atomic<unsigned> count{0};
    return fmt::format("{}.{}.{}", path.string(), getpid(), count++);
}

} // namespace

CacheFile::CacheFile(fs::path path) : path_(std::move(path)) {
    if (!path_.empty())
        data_ = read(path_);
}

CacheFile CacheFile::of_device(const VkPhysicalDeviceProperties &properties) {
    const fs::path folder = cache_folder();
    if (folder.empty())
        return CacheFile(fs::path());
    return CacheFile(folder / fmt::format("vulkan-{:02x}-{:x}-{}.cache", fmt::join(properties.pipelineCacheUUID, ""),
                                          properties.driverVersion, isovmaf_build_id));
}

void CacheFile::store(std::span<const std::byte> data) const noexcept {
    if (path_.empty() || std::ranges::equal(data, data_))
        return;
    try {
        std::error_code error;
        fs::create_directories(path_.parent_path(), error);
        const fs::path written = temporary(path_);
        const Header header{magic, data.size(), checksum(data)};
        std::ofstream file(written, std::ios::binary);
        file.write(reinterpret_cast<const char *>(&header), sizeof header);
        file.write(reinterpret_cast<const char *>(data.data()), static_cast<std::streamsize>(data.size()));
        file.close();
        if (file)
            fs::rename(written, path_, error);
        if (!file || error)
            fs::remove(written, error);
    } catch (const std::exception &) { // lack of host memory: the next run compiles the kernels again
    }
}

} // namespace isovmaf::vulkan
