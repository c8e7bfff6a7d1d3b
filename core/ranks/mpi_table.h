/* SPDX-License-Identifier: BSD-2-Clause-Patent */
/* The contract between isovmaf and its MPI plugin, in C11 and without dependencies: all of MPI that isovmaf uses. A
 * cluster builds the plugin with its own MPI; the program itself links none.
 *
 * The plugin exports one symbol, ISOVMAF_MPI_SYMBOL, which is a constant `struct isovmaf_mpi`.
 *
 * Errors     A status, and one sentence in the caller's isovmaf_mpi_message. After ISOVMAF_MPI_FAILED no function but
 *            `abort` may be called.
 * Threads    One call at a time, from any thread.
 * Collective Functions that say so are called by all living ranks in the same order.
 * Change     The fields down to `layout` keep their place and meaning. `layout` is a fingerprint of the declarations
 *            below, which the build computes; the program refuses a plugin that has another one.
 */
#ifndef ISOVMAF_MPI_TABLE_H
#define ISOVMAF_MPI_TABLE_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* layout begins */

enum isovmaf_mpi_status {
    ISOVMAF_MPI_OK = 0,
    ISOVMAF_MPI_NOTHING = 1, /* receive: no message is there */
    ISOVMAF_MPI_LOST = 2,    /* a rank that this call needs has died */
    ISOVMAF_MPI_FAILED = 3   /* anything else that MPI reports */
};

/* One sentence, zero-terminated, without a newline. */
struct isovmaf_mpi_message {
    char text[1024];
};

struct isovmaf_mpi_info {
    int32_t rank, ranks;
    int32_t local_rank, local_ranks; /* of those that share this rank's host */
    int32_t takes_cuda, takes_rocm; /* 1: collectives take addresses of that memory, as the MPI says; 0: no; -1: it does
                                       not say */
    int32_t survives;               /* 1: when a rank dies, the others may go on (ULFM) */
    char library[256];              /* "Open MPI v4.1.4, ..." as the library calls itself */
    char standard[16];              /* version of the MPI standard: "3.1" */
    char host[256];
};

enum isovmaf_mpi_operation { ISOVMAF_MPI_SUM = 0, ISOVMAF_MPI_MIN = 1, ISOVMAF_MPI_MAX = 2 };

struct isovmaf_mpi {
    uint32_t magic;  /* ISOVMAF_MPI_MAGIC */
    uint32_t size;   /* sizeof(struct isovmaf_mpi) */
    uint64_t layout; /* ISOVMAF_MPI_LAYOUT */

    /* Collective; once in a process, before all others. */
    enum isovmaf_mpi_status (*start)(struct isovmaf_mpi_info *info, struct isovmaf_mpi_message *message);
    /* Collective; the last call. */
    enum isovmaf_mpi_status (*stop)(struct isovmaf_mpi_message *message);
    /* Ends the processes of all ranks. */
    void (*abort)(int32_t exit_code);

    /* A message of at most 64 bytes. Messages from one rank to another arrive in their order. */
    enum isovmaf_mpi_status (*send)(int32_t to, const void *data, uint32_t bytes, struct isovmaf_mpi_message *message);
    /* Does not wait. A message from the rank *from, or from any rank when it is -1; its sender then. LOST: ranks have
     * died since the last call; `lost` says which. */
    enum isovmaf_mpi_status (*receive)(int32_t *from, void *data, uint32_t bytes, struct isovmaf_mpi_message *message);
    /* Which ranks have died: 1 or 0 for each rank of `start`. */
    enum isovmaf_mpi_status (*lost)(uint8_t *died, struct isovmaf_mpi_message *message);
    /* Collective: leaves ranks out that have died, for the calls below. Gives how many are left. */
    enum isovmaf_mpi_status (*regroup)(int32_t *left, struct isovmaf_mpi_message *message);

    /* Collective: waits for all ranks, asleep: leaves the processor to those that work. The calls below keep it busy.
     */
    enum isovmaf_mpi_status (*barrier)(struct isovmaf_mpi_message *message);
    /* Collective: the first living rank's data becomes that of all. */
    enum isovmaf_mpi_status (*broadcast)(void *data, uint64_t bytes, struct isovmaf_mpi_message *message);
    /* Collective: to[i] becomes the sum, minimum or maximum of all ranks' from[i]. Addresses are of the host, or both
     * of a device whose memory the MPI takes. */
    enum isovmaf_mpi_status (*reduce)(enum isovmaf_mpi_operation operation, const int64_t *from, int64_t *to,
                                      uint64_t count, struct isovmaf_mpi_message *message);
    /* Collective: all ranks' bytes behind each other in the order of the ranks, `bytes` of each. Addresses as above. */
    enum isovmaf_mpi_status (*gather)(const void *from, uint64_t bytes, void *to, struct isovmaf_mpi_message *message);
};

/* layout ends */

#define ISOVMAF_MPI_MAGIC UINT32_C(0x4D504949) /* "IIPM" */
#define ISOVMAF_MPI_SYMBOL "isovmaf_mpi_entry"

#ifdef __cplusplus
}
#endif

#endif
