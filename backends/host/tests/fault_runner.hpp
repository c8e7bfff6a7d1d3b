// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <cstdlib>
#include <numeric>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "device/testing/test_device.hpp"

namespace isovmaf::testing {

constexpr std::uint32_t fault_threads = 256;

/// The stand-in's device with these settings.
inline Device open_host(const std::string &wave, const std::string &order) {
    setenv("ISOVMAF_HOST_WAVE", wave.c_str(), 1);
    setenv("ISOVMAF_HOST_ORDER", order.c_str(), 1);
    return open_test_device();
}

/// Runs one block of a kernel of faults.cu on the numbers 0 to 255. Throws if the launch fails.
inline std::vector<std::int32_t> run_block(const Device &device, const std::string &kernel) {
    Queue queue = value_of(device.create_queue());
    std::vector<std::int32_t> numbers(fault_threads);
    std::iota(numbers.begin(), numbers.end(), 0);
    const Buffer in = upload<std::int32_t>(device, queue, numbers);
    const Buffer out = value_of(device.create_buffer(ISOVMAF_MEMORY_DEVICE, fault_threads * 4));
    Recorder recorder(device);
    recorder.fill(out.at(0), fault_threads * 4, 0);
    recorder.dispatch(kernel, {1, 1, 1}, {fault_threads, 1, 1}, {in.at(0), out.at(0)});
    run(recorder, queue);
    return download<std::int32_t>(device, queue, out, fault_threads);
}

} // namespace isovmaf::testing
