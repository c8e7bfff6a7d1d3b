// SPDX-License-Identifier: BSD-2-Clause-Patent
// Measures what looking for samples above the bit depth costs for a 1080p picture of 10 bit, in time of the processor.
// Pictures take turns and fill more than the caches of a core. What is compared takes turns, too.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <ctime>
#include <vector>

#include "frame/frame_pool.hpp"
#include "frame/sample_range.hpp"

using namespace isovmaf;

namespace {

constexpr VideoFormat format{.width = 1920, .height = 1080, .bit_depth = 10};
constexpr int pictures = 24, rounds = 200;

double milliseconds() {
    timespec time{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return 1e3 * static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_nsec);
}

/// The first quartile, the median and the third quartile.
void print(const char *what, std::vector<double> times) {
    std::ranges::sort(times);
    const std::size_t n = times.size();
    std::printf("| %s | %.2f | %.2f | %.2f |\n", what, times[n / 4], times[n / 2], times[3 * n / 4]);
}

} // namespace

int main() {
    constexpr std::size_t luma = 1920 * 1080;
    const std::vector<std::vector<std::uint16_t>> memory(pictures, std::vector<std::uint16_t>(luma * 3 / 2, 512));
    FramePool pool(format);
    std::vector<double> look, look_again, copy_all, copy_all_checked, copy_luma_checked;
    bool sound = true;
    for (int round = 0, next = 0; round < rounds; round++) {
        const auto frame = [&] {
            const std::uint16_t *const samples = memory[static_cast<std::size_t>(next++ % pictures)].data();
            return Frame(format, nullptr, {samples, samples + luma, samples + luma * 5 / 4}, {3840, 1920, 1920});
        };
        const auto measure = [&](std::vector<double> &times, const auto &work) {
            const double start = milliseconds();
            sound = work() && sound;
            times.push_back(milliseconds() - start);
        };
        const Frame seen = frame();
        measure(look, [&] { return check_samples(seen, "", 0, 1).has_value(); });
        measure(look_again, [&] { return check_samples(seen, "", 0, 1).has_value(); });
        measure(copy_all, [&] { return static_cast<bool>(pool.copy(frame())); });
        measure(copy_all_checked, [&] { return pool.copy_checked(frame(), "", 0, 1).has_value(); });
        measure(copy_luma_checked, [&] { return pool.copy_checked(frame(), "", 0, 1, 1).has_value(); });
    }
    print("look at luma that no cache of the core holds", look);
    print("look at it once more", look_again);
    print("copy all planes", copy_all);
    print("copy all planes, and look at luma", copy_all_checked);
    print("copy luma alone, and look at it", copy_luma_checked);
    return sound ? 0 : 1;
}
