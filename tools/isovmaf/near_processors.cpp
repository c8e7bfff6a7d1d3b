// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "tools/isovmaf/near_processors.hpp"

#include <algorithm>
#include <iterator>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/processors.hpp"
#include "base/text.hpp"
#include "base/try.hpp"
#include "batch/inputs/near_device.hpp"
#include "report/number_text.hpp"

namespace isovmaf::tool {

Result<std::vector<std::vector<int>>> choose_processors(std::span<const DeviceAddress> devices, const LogSink &log) {
    std::vector<std::string> pci_ids;
    for (const DeviceAddress &device : devices)
        pci_ids.push_back(device.pci_id);
    const std::vector<std::vector<int>> near = TRY(batch::processors_near(pci_ids));
    const std::vector<int> usable = usable_processor_numbers();
    std::vector<std::vector<int>> chosen(devices.size());
    for (std::size_t i = 0; i < devices.size(); i++) {
        std::ranges::set_intersection(near[i], usable, std::back_inserter(chosen[i]));
        if (chosen[i].empty())
            warn(log, fmt::format("the threads of {} are not bound: {}", devices[i].label,
                                  near[i].empty() ? fmt::format("hwloc knows no device at {}", quote(devices[i].pci_id))
                                                  : "this process may not use the processors near it"));
        if (chosen[i].size() >= usable.size())
            chosen[i].clear();
    }
    return chosen;
}

std::string bound_text(std::span<const DeviceAddress> devices, std::span<const std::vector<int>> processors) {
    std::vector<std::string> bound;
    for (std::size_t i = 0; i < devices.size(); i++)
        if (!processors[i].empty())
            bound.push_back(fmt::format("{} to {} near it", devices[i].label,
                                        counted(static_cast<std::int64_t>(processors[i].size()), "processor")));
    return bound.empty() ? "" : fmt::format("threads are bound: {}", fmt::join(bound, ", "));
}

} // namespace isovmaf::tool
