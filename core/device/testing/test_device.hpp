// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <span>
#include <stdexcept>
#include <vector>

#include "base/failure.hpp"
#include "device/device.hpp"
#include "device/recorder.hpp"

/// For tests on whatever device there is: failures are exceptions, which end the test.
namespace isovmaf::testing {

/// The first device of the plugin that the environment variable ISOVMAF_TEST_PLUGIN names.
inline Device open_test_device() {
    const char *const path = std::getenv("ISOVMAF_TEST_PLUGIN");
    if (!path)
        throw std::runtime_error("ISOVMAF_TEST_PLUGIN has to name a backend plugin");
    return value_of(Device::open(value_of(Plugin::open(path)), 0));
}

/// Submits what was recorded and waits for it.
inline void run(Recorder &recorder, Queue &queue) { value_of(queue.run(value_of(recorder.finish()))); }

/// Device memory that holds `values`.
template <class T>
Buffer upload(const Device &device, Queue &queue, std::span<const T> values) {
    return value_of(upload_bytes(device, queue, std::as_bytes(values)));
}

/// The first `count` values in device memory.
template <class T>
std::vector<T> download(const Device &device, Queue &queue, const Buffer &buffer, std::size_t count) {
    const Buffer staging = value_of(device.create_buffer(ISOVMAF_MEMORY_READBACK, count * sizeof(T)));
    Recorder recorder(device);
    recorder.copy(buffer.at(0), staging.at(0), count * sizeof(T));
    run(recorder, queue);
    std::vector<T> values(count);
    std::memcpy(values.data(), staging.host(), count * sizeof(T));
    return values;
}

} // namespace isovmaf::testing
