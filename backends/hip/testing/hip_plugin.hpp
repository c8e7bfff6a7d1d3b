// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <cstdlib>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <string>

#include <dlfcn.h>
#include <gtest/gtest.h>

#include "base/failure.hpp"
#include "device/recorder.hpp"
#include "gpu_layer/hip_types.hpp"
#include "hip/testing/fake_hip.hpp"

namespace isovmaf {

inline constexpr const char *kernel = "motion_sad_8";

struct Words {
    std::int32_t value[5];
};

inline void *fake_library() {
    static void *const opened = dlopen("libamdhip64.so.7", RTLD_NOW | RTLD_LOCAL);
    if (!opened)
        throw std::runtime_error("LD_LIBRARY_PATH has to lead to a fake libamdhip64.so.7");
    return opened;
}

inline FakeHip &fake() {
    static FakeHip *const state = reinterpret_cast<FakeHip *(*)()>(dlsym(fake_library(), "fake_hip"))();
    return *state;
}

/// Sets fake().errors while other threads call the library. 0 removes the error.
inline void set_error(const char *call, int error) {
    const std::lock_guard lock(fake().mutex);
    if (error)
        fake().errors[call] = error;
    else
        fake().errors.erase(call);
    fake().failed_calls = 0;
}

inline std::string fake_arch() { return std::getenv("FAKE_HIP_ARCH"); }

class HipPlugin : public ::testing::Test {
  protected:
    HipPlugin() {
        fake().devices = 1;
        fake().arch = fake_arch() + ":sramecc+:xnack-";
        fake().integrated = false;
        fake().eager = true;
        fake().log.clear();
        fake().loading_takes = {};
        fake().graph_launches = fake().mallocs = 0;
        fake().memory_bytes = std::size_t{1} << 30;
    }
    ~HipPlugin() override { fake().errors.clear(); }

    static std::shared_ptr<const Plugin> plugin() { return value_of(Plugin::open(std::getenv("ISOVMAF_TEST_PLUGIN"))); }
    static Device open() { return value_of(Device::open(plugin(), 0)); }

    static void dispatch(Recorder &recorder, const Buffer &buffer, const char *name = kernel) {
        recorder.dispatch(name, {2, 1, 1}, {256, 1, 1}, {buffer.at(0), buffer.at(256), buffer.at(512)}, Words{});
    }
};

} // namespace isovmaf
