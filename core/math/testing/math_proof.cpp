// SPDX-License-Identifier: BSD-2-Clause-Patent
// Compares the functions of core/math with digests of what they should return, or with a C library, value by value.
// It needs nothing but core/math and xxHash's header, so that it runs on any machine.
#include <algorithm>
#include <array>
#include <atomic>
#include <charconv>
#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <limits>
#include <map>
#include <mutex>
#include <optional>
#include <sstream>
#include <string>
#include <string_view>
#include <system_error>
#include <thread>
#include <tuple>
#include <utility>
#include <vector>

#include <dlfcn.h>

#include "math/testing/series.hpp"

namespace {

using namespace isovmaf::math;

constexpr const char *usage = R"(usage:
  math_proof check FILE [BLOCKS]    Compares with the digests of FILE: a sample of each series, computed in all ways
                                    that this machine has, and its first BLOCKS blocks of 2^24 arguments, computed in
                                    the way that scores are (ISOVMAF_FMA=software: in integers). 1 if not given.
  math_proof write FILE             Writes the digests of all blocks.
  math_proof libm LIBRARY [BLOCKS]  Compares with the functions of a C library, such as libm.so.6: all blocks if not
                                    given.
)";

constexpr int sample = -1; ///< in place of the number of a block

/// By series and block.
using Digests = std::map<std::pair<std::string, int>, std::uint64_t>;

struct Task {
    const Series *series;
    int block;
};

std::vector<Task> tasks_of(int most_blocks) {
    std::vector<Task> tasks;
    for (const Series &series : all_series())
        for (int block = 0; block < std::min(series.blocks, most_blocks); block++)
            tasks.push_back({&series, block});
    return tasks;
}

/// Calls `work` for each task, on all processors.
void for_each(const std::vector<Task> &tasks, const std::function<void(const Task &)> &work) {
    std::atomic<std::size_t> next = 0;
    const auto loop = [&] {
        for (std::size_t i = next++; i < tasks.size(); i = next++)
            work(tasks[i]);
    };
    std::vector<std::thread> threads;
    for (unsigned i = 1; i < std::max(1U, std::thread::hardware_concurrency()); i++)
        threads.emplace_back(loop);
    loop();
    for (std::thread &thread : threads)
        thread.join();
}

Digests digests_of(const std::vector<Task> &tasks) {
    Digests digests;
    std::mutex mutex;
    for_each(tasks, [&](const Task &task) {
        const std::uint64_t digest = block_digest(*task.series, functions(), task.block);
        const std::lock_guard lock(mutex);
        digests[{std::string(task.series->name), task.block}] = digest;
    });
    return digests;
}

int write(const char *path) {
    const Digests digests = digests_of(tasks_of(std::numeric_limits<int>::max()));
    std::ofstream file(path);
    file << "# Digests of core/math's results, written by math_proof: series, block, XXH3-64.\n" << std::hex;
    for (const Series &series : all_series())
        file << series.name << " sample " << sample_digest(series, functions()) << '\n';
    for (const auto &[key, digest] : digests)
        file << key.first << ' ' << std::dec << key.second << ' ' << std::hex << digest << '\n';
    file.close();
    if (!file)
        std::fprintf(stderr, "%s cannot be written\n", path);
    return file ? 0 : 1;
}

/// Empty if the file cannot be read.
Digests read(const char *path) {
    Digests digests;
    std::ifstream file(path);
    for (std::string line; std::getline(file, line);) {
        std::istringstream fields(line);
        std::string name, block;
        std::uint64_t digest = 0;
        if (fields >> name >> block >> std::hex >> digest)
            digests[{name, block == "sample" ? sample : std::atoi(block.c_str())}] = digest;
    }
    return digests;
}

int check(const char *path, int blocks) {
    const Digests wanted = read(path);
    int compared = 0, wrong = 0;
    const auto compare = [&](const std::string &name, int block, const char *way, std::uint64_t digest) {
        const auto found = wanted.find({name, block});
        compared++;
        if (found != wanted.end() && found->second == digest)
            return;
        wrong++;
        std::printf("%s, block %d (-1: the sample), %s: %s\n", name.c_str(), block, way,
                    found == wanted.end() ? "the file has no digest" : "the results are not those of the digest");
    };
    for (const Series &series : all_series()) {
        compare(std::string(series.name), sample, "in integers", sample_digest(series, software_functions()));
        if (hardware_functions())
            compare(std::string(series.name), sample, "in hardware", sample_digest(series, *hardware_functions()));
    }
    for (const auto &[key, digest] : digests_of(tasks_of(blocks)))
        compare(key.first, key.second, "as scores are computed", digest);
    std::printf("compared %d digests, %d differ; fused multiply-add: %s\n", compared, wrong,
                &functions() == &software_functions() ? "in integers" : "in hardware");
    return wrong == 0 ? 0 : 1;
}

/// Whether the library has all functions.
bool load(const char *path, Functions &functions) {
    void *const library = dlopen(path, RTLD_NOW);
    const auto find = [library](auto &function, const char *name) {
        function = reinterpret_cast<std::decay_t<decltype(function)>>(library ? dlsym(library, name) : nullptr);
        return function != nullptr;
    };
    if (find(functions.exp, "exp") && find(functions.log, "log") && find(functions.log2, "log2") &&
        find(functions.log10, "log10") && find(functions.pow, "pow") && find(functions.powf, "powf") &&
        find(functions.sin, "sin") && find(functions.cos, "cos") && find(functions.atan2, "atan2"))
        return true;
    const char *const error = dlerror();
    std::fprintf(stderr, "%s: %s\n", path, error ? error : "it has no such functions");
    return false;
}

int compare_with_library(const char *path, int blocks) {
    Functions theirs{};
    if (!load(path, theirs))
        return 1;
    std::map<std::string, std::array<std::atomic<std::uint64_t>, 2>> counts; // compared, different
    std::vector<Task> tasks = tasks_of(blocks);
    std::erase_if(tasks, [](const Task &task) { return !task.series->in_libraries; });
    for (const Task &task : tasks)
        std::ignore = counts[std::string(task.series->name)];
    for_each(tasks, [&](const Task &task) {
        std::uint64_t wrong = 0;
        const std::uint64_t start = static_cast<std::uint64_t>(task.block) * block_size;
        for (std::uint64_t i = start; i < start + block_size; i++)
            wrong += task.series->result(functions(), i) != task.series->result(theirs, i);
        auto &count = counts.at(std::string(task.series->name));
        count[0] += block_size;
        count[1] += wrong;
    });
    std::uint64_t wrong = 0;
    for (const auto &[name, count] : counts) {
        std::printf("%s: compared %" PRIu64 " values, %" PRIu64 " differ\n", name.c_str(), count[0].load(),
                    count[1].load());
        wrong += count[1];
    }
    return wrong == 0 ? 0 : 1;
}

/// Nothing if the text is none.
std::optional<int> whole_number(std::string_view text) {
    int number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    return error == std::errc{} && end == text.data() + text.size() ? std::optional(number) : std::nullopt;
}

} // namespace

int main(int argc, char **argv) {
    const std::vector<std::string> arguments(argv + 1, argv + argc);
    const std::optional<int> blocks = argc == 4 ? whole_number(argv[3]) : std::nullopt;
    if (argc == 3 && arguments[0] == "write")
        return write(argv[2]);
    if ((argc == 3 || blocks >= 0) && arguments[0] == "check")
        return check(argv[2], blocks.value_or(1));
    if ((argc == 3 || blocks >= 1) && arguments[0] == "libm") // with 0 it would compare nothing, and find no difference
        return compare_with_library(argv[2], blocks.value_or(std::numeric_limits<int>::max()));
    std::fputs(usage, stderr);
    return 2;
}
