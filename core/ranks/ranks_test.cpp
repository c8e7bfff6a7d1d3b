// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "ranks/ranks.hpp"

#include <map>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace isovmaf::ranks::launcher_test {

namespace {

using Variables = std::map<std::string, std::string>;

Environment environment_of(const Variables &variables) {
    return [&variables](const char *name) {
        const auto found = variables.find(name);
        return found == variables.end() ? nullptr : found->second.c_str();
    };
}

std::int64_t ranks_of(const Variables &variables) {
    const auto launcher = find_launcher(environment_of(variables));
    return launcher ? launcher->ranks : 0;
}

} // namespace

TEST(Launcher, IsThatOfAnMpiWithSeveralProcesses) {
    EXPECT_EQ(ranks_of({{"OMPI_COMM_WORLD_SIZE", "4"}, {"PMIX_RANK", "1"}}), 4);
    EXPECT_EQ(ranks_of({{"PMI_SIZE", "3"}, {"PMI_RANK", "0"}}), 3);
    EXPECT_EQ(ranks_of({{"PMIX_RANK", "0"}, {"SLURM_STEP_NUM_TASKS", "8"}, {"SLURM_PROCID", "0"}}), 8);
}

TEST(Launcher, IsNoneForOneProcessOrOneThatNoMpiStarted) {
    EXPECT_EQ(ranks_of({}), 0);
    EXPECT_EQ(ranks_of({{"OMPI_COMM_WORLD_SIZE", "1"}}), 0);
    EXPECT_EQ(ranks_of({{"PMI_SIZE", "many"}}), 0);
    EXPECT_EQ(ranks_of({{"PMIX_RANK", "0"}, {"SLURM_STEP_NUM_TASKS", "1"}}), 0);
    // an element of an array job, and srun without --mpi
    EXPECT_EQ(ranks_of({{"SLURM_ARRAY_TASK_COUNT", "16"}, {"SLURM_NTASKS", "4"}}), 0);
    EXPECT_EQ(ranks_of({{"SLURM_STEP_NUM_TASKS", "4"}, {"SLURM_PROCID", "2"}}), 0);
}

TEST(Plugin, IsTheOneThatTheVariableNamesOrAnErrorSaysWhereItIsNot) {
    Variables variables{{"ISOVMAF_MPI_PLUGIN", "/proc/self/status"}};
    EXPECT_EQ(find_plugin(environment_of(variables), "/"), std::filesystem::path("/proc/self/status"));
    variables["ISOVMAF_MPI_PLUGIN"] = "/no/such/plugin.so";
    EXPECT_THAT(find_plugin(environment_of(variables), "/").error().message, testing::HasSubstr("/no/such/plugin.so"));
    variables.clear();
    EXPECT_THAT(find_plugin(environment_of(variables), "/proc").error().message, testing::HasSubstr("--engine folder"));
}

} // namespace isovmaf::ranks::launcher_test
