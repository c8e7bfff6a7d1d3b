// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <chrono>
#include <cstddef>
#include <map>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

/// A libamdhip64 for tests. It has one device, whose memory is host memory. Streams run their work at once or when a
/// test asks for it. A kernel adds a line to the log; the library
/// of the folder `executing` executes it too. Tests set the library up and read its log through
/// `fake_hip()`.
struct FakeHip {
    std::mutex mutex; ///< held in every call; tests take it while others call

    int devices = 1;         ///< FAKE_HIP_DEVICES to begin with
    std::string arch;        ///< of the device: "gfx90a:sramecc+:xnack-"; FAKE_HIP_ARCH to begin with
    bool integrated = false; ///< the device shares the host's memory; FAKE_HIP_INTEGRATED to begin with
    std::size_t memory_bytes = std::size_t{1} << 30;

    /// Whether submitted work runs at once. Otherwise it runs when a thread waits for an event or calls `run`.
    bool eager = true;

    /// The error that the function of a name returns from now on instead of doing its work.
    std::map<std::string, int> errors;
    int failed_calls = 0; ///< calls that `errors` made fail

    std::chrono::milliseconds loading_takes{0}; ///< hipModuleLoadData, without holding the mutex

    /// When the kernel of this name runs, the device is lost.
    std::string faulting_kernel;

    /// What ran, in order: "fill", "copy 1" (its kind), "copy rows 1", "launch motion_sad_8 2x1x1 of 256x1x1".
    std::vector<std::string> log;
    int graph_launches = 0;
    std::vector<std::string_view> modules; ///< the images of those that are loaded, in order
    int module_loads = 0;                  ///< hipModuleLoadData calls that loaded
    int mallocs = 0;                       ///< hipMalloc calls
    std::size_t allocated_bytes = 0;       ///< of device memory now
    int live_objects = 0;                  ///< allocations, streams, events, modules and graphs together

    /// Runs all work that can run. A pointer, because tests do not link to the library.
    void (*run)() = nullptr;
};

/// The state of the library. The library exports this function.
extern "C" FakeHip *fake_hip();
