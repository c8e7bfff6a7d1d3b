// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "hip/testing/amd/counters_file.hpp"

#include <cstdio>
#include <fstream>

#include <nlohmann/json.hpp>

namespace isovmaf::amd {

namespace {

nlohmann::json described(const Kernel &kernel, const KernelCounts &counts) {
    nlohmann::json instructions;
    for (std::size_t i = 0; i < counts.instructions.size(); i++)
        instructions[std::string(instruction_class_names[i])] = counts.instructions[i];
    return {{"name", kernel.name},
            {"vector_registers", kernel.vector_registers},
            {"spilled_registers", kernel.spilled_registers},
            {"lds_bytes", kernel.lds_bytes},
            {"group_threads", kernel.group_threads},
            {"lanes", kernel.lanes},
            {"launches", counts.launches},
            {"groups", counts.groups},
            {"waves", counts.waves},
            {"instructions", instructions},
            {"local_passes", counts.local_passes},
            {"local_conflicts", counts.local_conflicts},
            {"global_bytes", counts.global_bytes},
            {"global_lines", counts.global_lines},
            {"launch_lines", counts.launch_lines},
            {"local_misaligned", counts.local_misaligned},
            {"global_misaligned", counts.global_misaligned}};
}

} // namespace

Counters &CountersFile::of(const std::shared_ptr<const Program> &program) {
    return counters_.try_emplace(program, *program).first->second;
}

CountersFile::~CountersFile() {
    nlohmann::json kernels = nlohmann::json::array();
    for (const auto &[program, counters] : counters_)
        for (const auto &[kernel, counts] : counters.kernels())
            kernels.push_back(described(*kernel, counts));
    std::ofstream file(path_);
    file << kernels.dump(1) << '\n';
    if (!file.flush())
        std::fprintf(stderr, "fake HIP runtime: writing %s failed\n", path_.c_str());
}

} // namespace isovmaf::amd
