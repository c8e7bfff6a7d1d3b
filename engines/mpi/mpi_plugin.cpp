// SPDX-License-Identifier: BSD-2-Clause-Patent
// The table of functions that gives isovmaf the MPI of a cluster. It uses functions of MPI 3 alone, and, where the MPI
// has them, those of ULFM.
#include "job.hpp"

#include <dlfcn.h>

#include <algorithm>
#include <chrono>
#include <climits>
#include <cstdio>
#include <cstring>
#include <thread>

namespace isovmaf::mpi {

namespace {

constexpr int message_tag = 1;
constexpr uint64_t most_at_once = INT_MAX / 2; ///< elements: MPI counts in int
Job job;

void say(isovmaf_mpi_message *message, const char *what, const char *reason) {
    std::snprintf(message->text, sizeof message->text, "MPI cannot %s: %s", what, reason);
}

isovmaf_mpi_status failed(isovmaf_mpi_message *message, const char *what, const char *reason) {
    say(message, what, reason);
    return ISOVMAF_MPI_FAILED;
}

/// What the MPI's own function of this name says: 1 or 0, or -1 when it has no such function.
int32_t ask(const char *function) {
    using Query = int (*)();
    const auto query = reinterpret_cast<Query>(dlsym(RTLD_DEFAULT, function));
    return query ? query() != 0 : -1;
}

void describe_library(isovmaf_mpi_info &info) {
    char text[MPI_MAX_LIBRARY_VERSION_STRING] = {};
    int length = 0, version = 0, subversion = 0;
    MPI_Get_library_version(text, &length);
    *std::find_if(text, text + sizeof text - 1, [](char c) { return c == '\n' || c == '\0'; }) = '\0';
    std::snprintf(info.library, sizeof info.library, "%.255s", text);
    MPI_Get_version(&version, &subversion);
    std::snprintf(info.standard, sizeof info.standard, "%d.%d", version, subversion);
    info.takes_cuda = ask("MPIX_Query_cuda_support");
    info.takes_rocm = std::max(ask("MPIX_Query_rocm_support"), ask("MPIX_Query_hip_support"));
}

isovmaf_mpi_status describe_ranks(isovmaf_mpi_info &info, isovmaf_mpi_message *message) {
    MPI_Comm host = MPI_COMM_NULL;
    MPI_Comm_rank(job.all, &info.rank);
    MPI_Comm_size(job.all, &info.ranks);
    const int code = MPI_Comm_split_type(job.all, MPI_COMM_TYPE_SHARED, info.rank, MPI_INFO_NULL, &host);
    if (const auto status = check(code, "find the ranks of this host", message))
        return status;
    MPI_Comm_rank(host, &info.local_rank);
    MPI_Comm_size(host, &info.local_ranks);
    MPI_Comm_free(&host);
    char name[MPI_MAX_PROCESSOR_NAME] = {};
    int length = 0;
    MPI_Get_processor_name(name, &length);
    std::snprintf(info.host, sizeof info.host, "%.255s", name);
    return ISOVMAF_MPI_OK;
}

isovmaf_mpi_status start(isovmaf_mpi_info *info, isovmaf_mpi_message *message) {
    int threads = MPI_THREAD_SINGLE;
    if (const auto status = check(MPI_Init_thread(nullptr, nullptr, MPI_THREAD_SERIALIZED, &threads), "start", message))
        return status;
    if (threads < MPI_THREAD_SERIALIZED)
        return failed(message, "start", "it was built without threads: MPI_THREAD_SERIALIZED is needed");
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    if (const auto status = check(MPI_Comm_dup(MPI_COMM_WORLD, &job.all), "copy its communicator", message))
        return status;
    MPI_Comm_set_errhandler(job.all, MPI_ERRORS_RETURN);
    job.living = job.all;
    job.survives = survival::is_there(job.all);
    *info = {};
    info->survives = job.survives;
    describe_library(*info);
    return describe_ranks(*info, message);
}

isovmaf_mpi_status stop(isovmaf_mpi_message *message) {
    if (job.living != job.all)
        MPI_Comm_free(&job.living);
    MPI_Comm_free(&job.all);
    return check(MPI_Finalize(), "stop", message);
}

void abort_job(int32_t exit_code) { MPI_Abort(MPI_COMM_WORLD, exit_code); }

isovmaf_mpi_status send(int32_t to, const void *data, uint32_t bytes, isovmaf_mpi_message *message) {
    MPI_Request request = MPI_REQUEST_NULL;
    const int code = MPI_Isend(data, static_cast<int>(bytes), MPI_BYTE, to, message_tag, job.all, &request);
    if (const auto status = check(code, "send a message", message))
        return status;
    return wait(request, "send a message", message);
}

isovmaf_mpi_status receive(int32_t *from, void *data, uint32_t bytes, isovmaf_mpi_message *message) {
    int found = 0;
    MPI_Status sender;
    const int source = *from < 0 ? MPI_ANY_SOURCE : *from;
    int code = MPI_Iprobe(source, message_tag, job.all, &found, &sender);
    if (code == MPI_SUCCESS && found == 0)
        return ISOVMAF_MPI_NOTHING;
    if (code == MPI_SUCCESS)
        code = MPI_Recv(data, static_cast<int>(bytes), MPI_BYTE, sender.MPI_SOURCE, message_tag, job.all, &sender);
    if (code == MPI_SUCCESS)
        *from = sender.MPI_SOURCE;
    else if (survival::is_loss(code))
        survival::acknowledge(job.all);
    return check(code, "receive a message", message);
}

isovmaf_mpi_status lost(uint8_t *died, isovmaf_mpi_message *message) {
    int ranks = 0;
    MPI_Comm_size(job.all, &ranks);
    std::memset(died, 0, static_cast<std::size_t>(ranks));
    if (!job.survives)
        return ISOVMAF_MPI_OK;
    survival::acknowledge(job.all);
    return check(survival::list(job.all, died), "list the ranks that died", message);
}

isovmaf_mpi_status regroup(int32_t *left, isovmaf_mpi_message *message) {
    if (job.survives) {
        if (job.living != job.all)
            MPI_Comm_free(&job.living);
        if (const auto status = check(survival::regroup(job.all, &job.living), "leave dead ranks out", message))
            return status;
        MPI_Comm_set_errhandler(job.living, MPI_ERRORS_RETURN);
    }
    MPI_Comm_size(job.living, left);
    return ISOVMAF_MPI_OK;
}

isovmaf_mpi_status barrier(isovmaf_mpi_message *message) {
    MPI_Request request = MPI_REQUEST_NULL;
    if (const auto status = check(MPI_Ibarrier(job.living, &request), "wait for the other ranks", message))
        return status;
    return wait(request, "wait for the other ranks", message);
}

isovmaf_mpi_status broadcast(void *data, uint64_t bytes, isovmaf_mpi_message *message) {
    for (uint64_t at = 0; at < bytes; at += most_at_once) {
        const int count = static_cast<int>(std::min(most_at_once, bytes - at));
        const int code = MPI_Bcast(static_cast<char *>(data) + at, count, MPI_BYTE, 0, job.living);
        if (const auto status = check(code, "broadcast", message))
            return status;
    }
    return ISOVMAF_MPI_OK;
}

isovmaf_mpi_status reduce(isovmaf_mpi_operation operation, const int64_t *from, int64_t *to, uint64_t count,
                          isovmaf_mpi_message *message) {
    const MPI_Op operations[] = {MPI_SUM, MPI_MIN, MPI_MAX};
    for (uint64_t at = 0; at < count; at += most_at_once) {
        const int part = static_cast<int>(std::min(most_at_once, count - at));
        const int code = MPI_Allreduce(from + at, to + at, part, MPI_INT64_T, operations[operation], job.living);
        if (const auto status = check(code, "reduce", message))
            return status;
    }
    return ISOVMAF_MPI_OK;
}

isovmaf_mpi_status gather(const void *from, uint64_t bytes, void *to, isovmaf_mpi_message *message) {
    if (bytes > INT_MAX)
        return failed(message, "gather", "more than 2 GiB of one rank");
    const int count = static_cast<int>(bytes);
    return check(MPI_Allgather(from, count, MPI_BYTE, to, count, MPI_BYTE, job.living), "gather", message);
}

} // namespace

isovmaf_mpi_status check(int code, const char *what, isovmaf_mpi_message *message) {
    if (code == MPI_SUCCESS)
        return ISOVMAF_MPI_OK;
    char reason[MPI_MAX_ERROR_STRING] = {};
    int length = 0;
    MPI_Error_string(code, reason, &length);
    say(message, what, reason);
    return survival::is_loss(code) ? ISOVMAF_MPI_LOST : ISOVMAF_MPI_FAILED;
}

isovmaf_mpi_status wait(MPI_Request &request, const char *what, isovmaf_mpi_message *message) {
    constexpr std::chrono::microseconds first{20}, longest{1000};
    int done = 0;
    for (auto pause = first;; pause = std::min(2 * pause, longest)) {
        if (const auto status = check(MPI_Test(&request, &done, MPI_STATUS_IGNORE), what, message))
            return status;
        if (done != 0)
            return ISOVMAF_MPI_OK;
        std::this_thread::sleep_for(pause);
    }
}

} // namespace isovmaf::mpi

extern "C" __attribute__((visibility("default"))) const isovmaf_mpi isovmaf_mpi_entry = {
    .magic = ISOVMAF_MPI_MAGIC,
    .size = sizeof(isovmaf_mpi),
    .layout = ISOVMAF_MPI_LAYOUT,
    .start = isovmaf::mpi::start,
    .stop = isovmaf::mpi::stop,
    .abort = isovmaf::mpi::abort_job,
    .send = isovmaf::mpi::send,
    .receive = isovmaf::mpi::receive,
    .lost = isovmaf::mpi::lost,
    .regroup = isovmaf::mpi::regroup,
    .barrier = isovmaf::mpi::barrier,
    .broadcast = isovmaf::mpi::broadcast,
    .reduce = isovmaf::mpi::reduce,
    .gather = isovmaf::mpi::gather,
};
