// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "base/parallel.hpp"

#include <algorithm>
#include <atomic>
#include <system_error>
#include <thread>
#include <vector>

namespace isovmaf {

void for_each_number(std::size_t count, std::size_t threads, const std::function<void(std::size_t)> &work) {
    std::atomic<std::size_t> next = 0;
    const auto take_numbers = [&] {
        for (std::size_t number = next++; number < count; number = next++)
            work(number);
    };
    std::vector<std::jthread> others;
    try {
        while (others.size() + 1 < std::min(threads, count))
            others.emplace_back(take_numbers);
    } catch (const std::system_error &) { // the threads that there are do the work
    }
    take_numbers();
}

} // namespace isovmaf
