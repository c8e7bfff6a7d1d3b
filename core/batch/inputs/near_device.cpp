// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "batch/inputs/near_device.hpp"

#include <cerrno>
#include <memory>
#include <system_error>

#include <fmt/format.h>

#ifdef ISOVMAF_HWLOC
#include <hwloc.h>
#endif

namespace isovmaf::batch {

#ifdef ISOVMAF_HWLOC

namespace {

struct DestroyTopology {
    void operator()(hwloc_topology_t topology) const { hwloc_topology_destroy(topology); }
};
using Topology = std::unique_ptr<hwloc_topology, DestroyTopology>;

/// The machine with all its PCI devices, but not what drivers make of them: asking drivers takes long.
Result<Topology> look_at_machine() {
    hwloc_topology_t topology = nullptr;
    if (hwloc_topology_init(&topology) != 0)
        return fail(ErrorCode::out_of_memory, "hwloc cannot be started");
    Topology machine(topology);
    hwloc_topology_set_io_types_filter(topology, HWLOC_TYPE_FILTER_KEEP_ALL);
    hwloc_topology_set_type_filter(topology, HWLOC_OBJ_OS_DEVICE, HWLOC_TYPE_FILTER_KEEP_NONE);
    if (hwloc_topology_load(topology) != 0)
        return fail(ErrorCode::io,
                    fmt::format("hwloc cannot read the topology of this machine: {}; --bind none works without it",
                                std::generic_category().message(errno)));
    return machine;
}

std::vector<int> processors_near(const Topology &machine, const std::string &pci_id) {
    std::vector<int> processors;
    hwloc_obj_t device = hwloc_get_pcidev_by_busidstring(machine.get(), pci_id.c_str());
    if (!device)
        return processors;
    const hwloc_obj_t place = hwloc_get_non_io_ancestor_obj(machine.get(), device);
    for (int i = hwloc_bitmap_first(place->cpuset); i != -1; i = hwloc_bitmap_next(place->cpuset, i))
        processors.push_back(i);
    return processors;
}

} // namespace

bool knows_topology() { return true; }

Result<std::vector<std::vector<int>>> processors_near(std::span<const std::string> pci_ids) {
    const Result<Topology> machine = look_at_machine();
    if (!machine)
        return tl::unexpected(machine.error());
    std::vector<std::vector<int>> processors;
    for (const std::string &pci_id : pci_ids)
        processors.push_back(processors_near(*machine, pci_id));
    return processors;
}

#else

bool knows_topology() { return false; }

Result<std::vector<std::vector<int>>> processors_near(std::span<const std::string>) {
    return fail(ErrorCode::unsupported,
                "this isovmaf was built without hwloc (libhwloc-dev), which knows the processors "
                "near a device: build it again, or give --bind none");
}

#endif

} // namespace isovmaf::batch
