// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "batch/work/worker.hpp"

#include <gmock/gmock.h>

namespace isovmaf::testing::worker_places_test {
namespace {

using ::testing::ElementsAre;

const ListedDevice cpu{"cpu"}, first{"hip", 0}, second{"hip", 1};

std::vector<std::string> places(std::vector<ListedDevice> devices, int workers, int threads) {
    std::vector<std::string> texts;
    for (const batch::WorkerPlace &place : batch::place_workers(devices, workers, threads))
        texts.push_back(place.device.label() + " " + std::to_string(place.threads));
    return texts;
}

TEST(WorkerPlaces, WorkersOfOneKindShareTheThreads) {
    EXPECT_THAT(places({cpu}, 1, 16), ElementsAre("cpu 16"));
    EXPECT_THAT(places({cpu}, 3, 16), ElementsAre("cpu 6", "cpu 5", "cpu 5"));
    EXPECT_THAT(places({first, second}, 1, 16), ElementsAre("hip:0 8", "hip:1 8"));
    EXPECT_THAT(places({first, second}, 2, 2), ElementsAre("hip:0 1", "hip:1 1", "hip:0 1", "hip:1 1"));
    EXPECT_THAT(places({cpu}, 4, 1), ElementsAre("cpu 1", "cpu 1", "cpu 1", "cpu 1"));
}

TEST(WorkerPlaces, AGpuHasAsManyWorkersAsProcessorsFeed) {
    EXPECT_THAT(places({cpu}, 0, 16), ElementsAre("cpu 16"));
    EXPECT_THAT(places({first}, 0, 2), ElementsAre("hip:0 2"));
    EXPECT_THAT(places({first}, 0, 64), ElementsAre("hip:0 32", "hip:0 32"));
    EXPECT_THAT(places({first, second}, 0, 8), ElementsAre("hip:0 2", "hip:1 2", "hip:0 2", "hip:1 2"));
    EXPECT_THAT(places({first, cpu}, 0, 4), ElementsAre("hip:0 1", "cpu 2", "hip:0 1"));
}

TEST(WorkerPlaces, BesideTheCpuDevicesHaveFewThreads) {
    EXPECT_THAT(places({first, cpu, second}, 1, 16), ElementsAre("hip:0 2", "cpu 12", "hip:1 2"));
    EXPECT_THAT(places({first, cpu}, 2, 9), ElementsAre("hip:0 2", "cpu 3", "hip:0 2", "cpu 2"));
    EXPECT_THAT(places({first, second, cpu}, 1, 1), ElementsAre("hip:0 1", "hip:1 1", "cpu 1"));
}

TEST(WorkerPlaces, ProcessesOfAHostHaveDifferentDevices) {
    const ListedDevice third{"hip", 2};
    const auto devices_of = [&](int process, int processes) {
        std::vector<std::string> labels;
        for (const ListedDevice &device : batch::devices_of({process, processes}, {first, second, third}))
            labels.push_back(device.label());
        return labels;
    };
    EXPECT_THAT(devices_of(0, 1), ElementsAre("hip:0", "hip:1", "hip:2"));
    EXPECT_THAT(devices_of(0, 2), ElementsAre("hip:0", "hip:2"));
    EXPECT_THAT(devices_of(1, 2), ElementsAre("hip:1"));
    EXPECT_THAT(devices_of(2, 3), ElementsAre("hip:2"));
    EXPECT_THAT(devices_of(4, 5), ElementsAre("hip:1"));
}

} // namespace
} // namespace isovmaf::testing::worker_places_test
