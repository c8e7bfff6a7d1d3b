// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <chrono>
#include <cstddef>
#include <map>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

/// A libamdhip64 for tests: one device whose memory is the host's, streams that work when they are told to, and kernels
/// that are only written down. Tests set it up and read its log through `fake_hip()`.
struct FakeHip {
    std::mutex mutex; ///< held in every call; tests take it while others call

    int devices = 1;  ///< FAKE_HIP_DEVICES to begin with
    std::string arch; ///< of the device: "gfx90a:sramecc+:xnack-"; FAKE_HIP_ARCH to begin with
    std::size_t memory_bytes = std::size_t{1} << 30;

    /// Submitted work runs at once; else when an event is synchronized with or `run` is called.
    bool eager = true;

    /// Error that the calls of a name return from now on, instead of doing something.
    std::map<std::string, int> errors;
    int failed_calls = 0; ///< calls that `errors` made fail

    std::chrono::milliseconds loading_takes{0}; ///< hipModuleLoadData, without holding the mutex

    /// A kernel of this name makes the device fail for good when it runs.
    std::string faulting_kernel;

    /// What ran, in order: "fill", "copy 1" (its kind), "copy rows 1", "launch motion_sad_8 2x1x1 of 256x1x1".
    std::vector<std::string> log;
    int graph_launches = 0;
    std::vector<std::string_view> modules; ///< the images of those that are loaded, in order
    int module_loads = 0;                  ///< hipModuleLoadData calls that loaded
    int mallocs = 0;                       ///< hipMalloc calls
    std::size_t allocated_bytes = 0;       ///< of device memory now
    int live_objects = 0;                  ///< allocations, streams, events, modules and graphs together

    /// Runs whatever can run. A pointer, since tests do not link to the library.
    void (*run)() = nullptr;
};

/// The state of the library, in a function it exports.
extern "C" FakeHip *fake_hip();
