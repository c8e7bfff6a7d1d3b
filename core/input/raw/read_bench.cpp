// SPDX-License-Identifier: BSD-2-Clause-Patent
// Measures what reading raw video of 1080p from a file in memory costs, with and without a digest of what is read, in
// time of the processor and of the clock. What is compared takes turns.
//     read_bench FILE      which is written first
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <ctime>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

#include "input/raw/planar_reader.hpp"
#include "input/read_content.hpp"
#include "input/source.hpp"

using namespace isovmaf;

namespace {

constexpr int frames = 96, rounds = 15;

struct Case {
    int bit_depth, planes, readers;
    bool hashed;
    std::vector<double> processor_ms = {}, wall_ms = {}; ///< a frame
};

VideoFormat format_of(int bit_depth) { return {.width = 1920, .height = 1080, .bit_depth = bit_depth}; }

void write_video(const std::string &path, const VideoFormat &format) {
    std::ofstream file(path, std::ios::binary);
    std::string frame(stored_frame_bytes(format), '\1');
    for (int n = 0; n < frames; n++) {
        for (std::size_t i = 0; i < frame.size(); i += 2)
            frame[i] = static_cast<char>(i / 97 + static_cast<std::size_t>(n));
        file << frame;
    }
}

double processor_seconds() {
    timespec time{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

/// Whether all frames came.
bool measure(const std::string &path, Case &tested) {
    const auto start = std::chrono::steady_clock::now();
    const double processor = processor_seconds();
    const auto content = std::make_shared<ReadContent>();
    SourceOptions options;
    options.stated = format_of(tested.bit_depth);
    options.content = tested.hashed ? content : nullptr;
    const auto source = open_source(path, options);
    if (!source)
        return false;
    (*source)->prepare({.planes = tested.planes, .readers = tested.readers});
    int count = 0;
    for (auto frame = (*source)->read(); frame && *frame; frame = (*source)->read())
        count++;
    const std::chrono::duration<double> wall = std::chrono::steady_clock::now() - start;
    tested.processor_ms.push_back(1e3 * (processor_seconds() - processor) / frames);
    tested.wall_ms.push_back(1e3 * wall.count() / frames);
    return count == frames;
}

double median(std::vector<double> values) {
    std::ranges::sort(values);
    return values[values.size() / 2];
}

} // namespace

int main(int count, char **arguments) {
    if (count != 2)
        return 2;
    const std::string path = arguments[1];
    bool sound = true;
    for (const int bit_depth : {8, 10}) {
        write_video(path, format_of(bit_depth));
        std::vector<Case> cases;
        for (const int planes : {1, 3})
            for (const int readers : {1, 2, 4})
                for (const bool hashed : {false, true})
                    cases.push_back({bit_depth, planes, readers, hashed});
        for (int round = 0; round < rounds; round++)
            for (Case &tested : cases)
                sound = measure(path, tested) && sound;
        for (const Case &tested : cases)
            std::printf("| %d bit | %d | %d | %s | %.3f | %.3f |\n", tested.bit_depth, tested.planes, tested.readers,
                        tested.hashed ? "yes" : "no", median(tested.processor_ms), median(tested.wall_ms));
    }
    (void)std::remove(path.c_str());
    return sound ? 0 : 1;
}
