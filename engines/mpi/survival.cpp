// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "job.hpp"

#include <vector>

#if __has_include(<mpi-ext.h>)
#include <mpi-ext.h> // Open MPI declares its extensions here, MPICH in mpi.h
#endif

namespace isovmaf::mpi::survival {

#ifdef MPIX_ERR_PROC_FAILED // User-Level Failure Mitigation

bool is_there([[maybe_unused]] MPI_Comm all) {
#ifdef MPIX_FT // Open MPI has it where mpirun was given --with-ft ulfm
    const int *value = nullptr;
    int found = 0;
    return MPI_Comm_get_attr(MPI_COMM_WORLD, MPIX_FT, &value, &found) == MPI_SUCCESS && found != 0 && *value != 0;
#else
    return MPIX_Comm_failure_ack(all) == MPI_SUCCESS;
#endif
}

bool is_loss(int code) {
    int kind = MPI_SUCCESS;
    MPI_Error_class(code, &kind);
    return kind == MPIX_ERR_PROC_FAILED || kind == MPIX_ERR_PROC_FAILED_PENDING || kind == MPIX_ERR_REVOKED;
}

int acknowledge(MPI_Comm all) { return MPIX_Comm_failure_ack(all); }

int list(MPI_Comm all, uint8_t *died) {
    MPI_Group failed = MPI_GROUP_NULL, everyone = MPI_GROUP_NULL;
    int code = MPIX_Comm_failure_get_acked(all, &failed), count = 0;
    if (code == MPI_SUCCESS)
        code = MPI_Comm_group(all, &everyone);
    if (code != MPI_SUCCESS)
        return code;
    MPI_Group_size(failed, &count);
    std::vector<int> numbers(static_cast<std::size_t>(count)), ranks(numbers.size());
    for (std::size_t i = 0; i < numbers.size(); i++)
        numbers[i] = static_cast<int>(i);
    code = MPI_Group_translate_ranks(failed, count, numbers.data(), everyone, ranks.data());
    for (const int rank : ranks)
        died[rank] = 1;
    MPI_Group_free(&failed);
    MPI_Group_free(&everyone);
    return code;
}

int regroup(MPI_Comm all, MPI_Comm *living) { return MPIX_Comm_shrink(all, living); }

#else

bool is_there(MPI_Comm) { return false; }
bool is_loss(int) { return false; }
int acknowledge(MPI_Comm) { return MPI_SUCCESS; }
int list(MPI_Comm, uint8_t *) { return MPI_SUCCESS; }
int regroup(MPI_Comm all, MPI_Comm *living) {
    *living = all;
    return MPI_SUCCESS;
}

#endif

} // namespace isovmaf::mpi::survival
