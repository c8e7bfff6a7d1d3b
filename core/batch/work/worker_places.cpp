// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "batch/work/worker_places.hpp"

#include <algorithm>

namespace isovmaf::batch {

namespace {

constexpr int most_threads_beside_cpu = 2;

bool is_cpu(const ListedDevice &device) { return !device.index; }

/// The share of worker number `i` of `count` in `threads`, at least 1. The first workers get the remainder, one each.
int share(int threads, int count, int i) { return std::max(1, threads / count + (i < threads % count ? 1 : 0)); }

} // namespace

std::vector<ListedDevice> devices_of(const HostShare &share, const std::vector<ListedDevice> &devices) {
    const auto first = static_cast<std::size_t>(share.process), step = static_cast<std::size_t>(share.processes);
    if (devices.size() < step)
        return {devices[first % devices.size()]};
    std::vector<ListedDevice> mine;
    for (std::size_t i = first; i < devices.size(); i += step)
        mine.push_back(devices[i]);
    return mine;
}

std::vector<WorkerPlace> place_workers(std::span<const ListedDevice> devices, int workers, int threads) {
    std::vector<WorkerPlace> places;
    for (int i = 0; i < workers; i++)
        for (const ListedDevice &device : devices)
            places.push_back({device});
    const int count = static_cast<int>(places.size());
    const int on_cpu = static_cast<int>(std::ranges::count_if(devices, is_cpu)) * workers;
    const bool mixed = on_cpu > 0 && on_cpu < count;
    const int of_device = mixed ? std::clamp(threads / count, 1, most_threads_beside_cpu) : 0;
    const int shared = threads - of_device * (count - on_cpu);
    int sharing = 0;
    for (WorkerPlace &place : places)
        place.threads =
            mixed && !is_cpu(place.device) ? of_device : share(std::max(1, shared), mixed ? on_cpu : count, sharing++);
    return places;
}

} // namespace isovmaf::batch
