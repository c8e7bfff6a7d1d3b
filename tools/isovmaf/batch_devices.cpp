// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "tools/isovmaf/batch_devices.hpp"

#include <fmt/format.h>

#include "base/processors.hpp"
#include "base/try.hpp"
#include "device/backend_names.hpp"

namespace isovmaf::tool {

Result<std::vector<batch::WorkerPlace>> place_batch_workers(const BatchArguments &arguments,
                                                            const batch::HostShare &share, const LogSink &log) {
    const int threads = arguments.threads > 0 ? arguments.threads : usable_processors() / share.processor_share;
    if (arguments.devices.empty()) {
        const ListedDevice device{arguments.backend, arguments.device};
        return batch::place_workers({&device, 1}, arguments.workers, threads);
    }
    const ListedDevices chosen = TRY(choose_devices(arguments.devices, arguments.backend_folders));
    for (const std::string &notice : chosen.notices)
        warn(log, notice);
    if (!arguments.quiet)
        log(Severity::info, "computes on " + chosen.summary);
    return batch::place_workers(batch::devices_of(share, chosen.devices), arguments.workers, threads);
}

BatchExecution execution_at(const batch::WorkerPlace &place, BatchExecution execution) {
    execution.device = place.device.index;
    execution.threads = place.threads;
    execution.backend = place.device.backend;
    if (!execution.devices.empty() && place.device.index) // the CPU computes what the device has no kernels for
        execution.backend += fmt::format(",{}", cpu_backend);
    return execution;
}

} // namespace isovmaf::tool
