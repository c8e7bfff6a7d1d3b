// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "base/cpu_quota.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include "base/file_io.hpp"
#include "base/text.hpp"

namespace isovmaf {

namespace {

namespace fs = std::filesystem;

constexpr std::int64_t usual_period = 100'000; ///< microseconds, the kernel's default

/// The words of a small file; none where it is not there.
std::vector<std::string> read_words(const fs::path &path) {
    constexpr std::size_t most_bytes = 1 << 16;
    std::string text;
    if (read_whole_file(path.string(), text, most_bytes) != 0)
        return {};
    std::vector<std::string> words;
    for (std::size_t begin = 0; (begin = text.find_first_not_of(" \n", begin)) != std::string::npos;) {
        const std::size_t end = std::min(text.find_first_of(" \n", begin), text.size());
        words.push_back(text.substr(begin, end - begin));
        begin = end;
    }
    return words;
}

/// A file has "max" or -1 where there is no quota.
std::optional<int> processors_of(std::string_view quota_text, std::string_view period_text) {
    const std::optional<std::int64_t> quota = parse_integer(quota_text), period = parse_integer(period_text);
    if (!quota || !period || *quota <= 0 || *period <= 0)
        return std::nullopt;
    const std::int64_t processors = (*quota - 1) / *period + 1;
    return static_cast<int>(std::min<std::int64_t>(processors, std::numeric_limits<int>::max()));
}

/// The quota of a folder of cgroup v2.
std::optional<int> quota_v2(const fs::path &group) {
    const std::vector<std::string> words = read_words(group / "cpu.max");
    if (words.empty())
        return std::nullopt;
    return processors_of(words[0], words.size() > 1 ? words[1] : std::to_string(usual_period));
}

/// The quota of a folder of cgroup v1.
std::optional<int> quota_v1(const fs::path &group) {
    const std::vector<std::string> quota = read_words(group / "cpu.cfs_quota_us");
    const std::vector<std::string> period = read_words(group / "cpu.cfs_period_us");
    if (quota.empty())
        return std::nullopt;
    return processors_of(quota[0], period.empty() ? std::to_string(usual_period) : period[0]);
}

/// The names of the folders of a group, from the top on. "..", in the path of a group above the namespace of the
/// process, is left out: that group is not to be seen.
std::vector<fs::path> folder_names(std::string_view group) {
    std::vector<fs::path> names;
    for (const fs::path &name : fs::path(group).relative_path())
        if (!name.empty() && name != "." && name != "..")
            names.push_back(name);
    return names;
}

/// The least quota of a group, and of the groups above it, in a hierarchy that is mounted at `mount`. In a container
/// without a namespace of cgroups the group's path begins above the folder that is mounted, and folders of its
/// beginning are not there.
template <class Quota>
std::optional<int> least_quota(const fs::path &mount, std::string_view group, const Quota &quota_of) {
    const std::vector<fs::path> names = folder_names(group);
    std::optional<int> least;
    for (std::size_t first = 0; first <= names.size(); first++) {
        fs::path folder = mount;
        std::vector<fs::path> folders{folder};
        for (std::size_t i = first; i < names.size(); i++)
            folders.push_back(folder /= names[i]);
        std::error_code missing;
        if (!fs::is_directory(folder, missing))
            continue;
        for (const fs::path &one : folders)
            if (const std::optional<int> quota = quota_of(one))
                least = std::min(least.value_or(*quota), *quota);
        break;
    }
    return least;
}

bool has_controller(std::string_view controllers, std::string_view wanted) {
    while (!controllers.empty()) {
        const std::size_t comma = std::min(controllers.find(','), controllers.size());
        if (controllers.substr(0, comma) == wanted)
            return true;
        controllers.remove_prefix(std::min(comma + 1, controllers.size()));
    }
    return false;
}

} // namespace

std::optional<int> processors_of_quota(const fs::path &root) {
    constexpr std::size_t most_bytes = 1 << 20;
    std::string lines;
    if (read_whole_file((root / "proc/self/cgroup").string(), lines, most_bytes) != 0)
        return std::nullopt;
    const fs::path mounts = root / "sys/fs/cgroup";
    std::optional<int> least;
    const auto add = [&](std::optional<int> quota) {
        if (quota)
            least = std::min(least.value_or(*quota), *quota);
    };
    for (std::string_view rest = lines; !rest.empty();) { // NUMBER:CONTROLLERS:PATH
        const std::string_view line = rest.substr(0, rest.find('\n'));
        rest.remove_prefix(std::min(line.size() + 1, rest.size()));
        const std::size_t first = line.find(':'), second = line.find(':', first + 1);
        if (first == std::string_view::npos || second == std::string_view::npos)
            continue;
        const std::string_view controllers = line.substr(first + 1, second - first - 1);
        const std::string_view group = line.substr(second + 1);
        if (controllers.empty())
            for (const fs::path &mount : {mounts, mounts / "unified"})
                add(least_quota(mount, group, quota_v2));
        else if (has_controller(controllers, "cpu"))
            for (const fs::path &mount : {mounts / controllers, mounts / "cpu"})
                add(least_quota(mount, group, quota_v1));
    }
    return least;
}

} // namespace isovmaf
