// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#define OMPI_SKIP_MPICXX 1 // no C++ classes of old MPIs
#define MPICH_SKIP_MPICXX 1
#include <mpi.h>

#include "ranks/mpi_table.h"

/// What the functions of the plugin share.
namespace isovmaf::mpi {

/// The job that this process is a rank of.
struct Job {
    MPI_Comm all = MPI_COMM_NULL;    ///< every rank of the start: for messages
    MPI_Comm living = MPI_COMM_NULL; ///< for collectives; `all` until a rank has died
    bool survives = false;           ///< see isovmaf_mpi_info
};

/// The status of what a function of MPI returned, and the sentence "cannot WHAT: REASON" in the message.
isovmaf_mpi_status check(int code, const char *what, isovmaf_mpi_message *message);

/// Waits until a request is done, asleep most of the time.
isovmaf_mpi_status wait(MPI_Request &request, const char *what, isovmaf_mpi_message *message);

/// The part of MPI that is not in all of them: to go on when a rank has died. Where an MPI has none of it, no rank is
/// ever lost.
namespace survival {

/// Whether the MPI that runs has it, and it is switched on.
bool is_there(MPI_Comm all);

/// Whether a function returned this because a rank has died.
bool is_loss(int code);

/// Lets receptions from any rank go on though ranks have died.
int acknowledge(MPI_Comm all);

/// Which ranks have died: 1 or 0 for each.
int list(MPI_Comm all, uint8_t *died);

/// Collective: a communicator of the ranks that live.
int regroup(MPI_Comm all, MPI_Comm *living);

} // namespace survival

} // namespace isovmaf::mpi
