// SPDX-License-Identifier: BSD-2-Clause-Patent
#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <sys/time.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>

// Loaded with LD_PRELOAD:
//     SYSTEM_FAULTS_EIO=TEXT        reading a file whose path ends with TEXT fails with EIO
//     SYSTEM_FAULTS_ESTALE=TEXT     the same with ESTALE
//     SYSTEM_FAULTS_ENOSPC=TEXT     writing such a file fails with ENOSPC
//     SYSTEM_FAULTS_SYNC=TEXT       waiting until such a file is on disk fails with EIO
//     SYSTEM_FAULTS_KILL=TEXT       reading such a file kills the process
//     SYSTEM_FAULTS_CLOCK=SECONDS   the clock of this host is so many seconds late
//     SYSTEM_FAULTS_THREADS=N       no thread can be started after the first N
//     SYSTEM_FAULTS_STOP=TEXT       the process stops itself (SIGSTOP) the first time that it opens a file for reading
//                                   whose path ends with TEXT, or gives a file a name that ends with TEXT

namespace {

template <class Function>
Function *next(const char *name) {
    return reinterpret_cast<Function *>(dlsym(RTLD_NEXT, name));
}

bool ends_with(const char *text, const char *end) {
    const std::size_t length = std::strlen(text), bytes = std::strlen(end);
    return length >= bytes && std::strcmp(text + length - bytes, end) == 0;
}

void stop_at(const char *path) {
    static const char *const end = std::getenv("SYSTEM_FAULTS_STOP");
    static std::atomic<bool> stopped = false;
    if (end != nullptr && ends_with(path, end) && !stopped.exchange(true))
        std::raise(SIGSTOP);
}

/// Whether the path of an open file ends with the text; false for no text.
bool ends_with(int descriptor, const char *end) {
    if (end == nullptr)
        return false;
    std::array<char, 64> link{};
    std::array<char, 4096> path{};
    std::snprintf(link.data(), link.size(), "/proc/self/fd/%d", descriptor);
    return readlink(link.data(), path.data(), path.size() - 1) != -1 && ends_with(path.data(), end);
}

/// Sets errno to `error` where the environment names the file of the descriptor.
bool fails_with(int error, int descriptor, const char *end) {
    if (!ends_with(descriptor, end))
        return false;
    errno = error;
    return true;
}

bool cannot_be_read(int descriptor) {
    static const char *const eio = std::getenv("SYSTEM_FAULTS_EIO"),
                             *const estale = std::getenv("SYSTEM_FAULTS_ESTALE"),
                             *const kill = std::getenv("SYSTEM_FAULTS_KILL");
    if (ends_with(descriptor, kill))
        std::raise(SIGKILL);
    return fails_with(EIO, descriptor, eio) || fails_with(ESTALE, descriptor, estale);
}

bool cannot_be_written(int descriptor) {
    static const char *const end = std::getenv("SYSTEM_FAULTS_ENOSPC");
    return fails_with(ENOSPC, descriptor, end);
}

bool no_more_threads() {
    static const char *const most = std::getenv("SYSTEM_FAULTS_THREADS");
    static std::atomic<int> started = 0;
    return most != nullptr && started++ >= std::atoi(most);
}

time_t late() {
    static const char *const seconds = std::getenv("SYSTEM_FAULTS_CLOCK");
    return seconds == nullptr ? 0 : std::atol(seconds);
}

} // namespace

#pragma GCC visibility push(default)
extern "C" {

ssize_t read(int descriptor, void *buffer, size_t bytes) {
    static auto *const call = next<decltype(read)>("read");
    return cannot_be_read(descriptor) ? -1 : call(descriptor, buffer, bytes);
}

ssize_t write(int descriptor, const void *buffer, size_t bytes) {
    static auto *const call = next<decltype(write)>("write");
    return cannot_be_written(descriptor) ? -1 : call(descriptor, buffer, bytes);
}

/// With files of 64-bit offsets, as Meson asks for, its name in libraries is pread64.
ssize_t pread(int descriptor, void *buffer, size_t bytes, off_t offset) {
    static auto *const call = next<decltype(pread)>("pread64");
    return cannot_be_read(descriptor) ? -1 : call(descriptor, buffer, bytes, offset);
}

/// With files of 64-bit offsets, its name in libraries is open64.
int open(const char *path, int flags, ...) {
    static auto *const call = next<int(const char *, int, ...)>("open64");
    va_list arguments;
    va_start(arguments, flags);
    const mode_t mode = (flags & O_CREAT) != 0 ? va_arg(arguments, mode_t) : 0;
    va_end(arguments);
    if ((flags & O_ACCMODE) == O_RDONLY)
        stop_at(path);
    return call(path, flags, mode);
}

int fdatasync(int descriptor) {
    static auto *const call = next<decltype(fdatasync)>("fdatasync");
    static const char *const end = std::getenv("SYSTEM_FAULTS_SYNC");
    return fails_with(EIO, descriptor, end) ? -1 : call(descriptor);
}

int link(const char *from, const char *to) noexcept {
    static auto *const call = next<int(const char *, const char *)>("link");
    stop_at(to);
    return call(from, to);
}

int rename(const char *from, const char *to) noexcept {
    static auto *const call = next<int(const char *, const char *)>("rename");
    stop_at(to);
    return call(from, to);
}

int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*start)(void *),
                   void *argument) noexcept {
    static auto *const call =
        next<int(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *)>("pthread_create");
    return no_more_threads() ? EAGAIN : call(thread, attributes, start, argument);
}

int clock_gettime(clockid_t clock, timespec *now) noexcept {
    static auto *const call = next<int(clockid_t, timespec *)>("clock_gettime");
    const int result = call(clock, now);
    if (clock == CLOCK_REALTIME)
        now->tv_sec -= late();
    return result;
}

int gettimeofday(timeval *now, void *zone) noexcept {
    static auto *const call = next<int(timeval *, void *)>("gettimeofday");
    const int result = call(now, zone);
    now->tv_sec -= late();
    return result;
}

time_t time(time_t *now) noexcept {
    static auto *const call = next<time_t(time_t *)>("time");
    const time_t result = call(nullptr) - late();
    if (now != nullptr)
        *now = result;
    return result;
}
}
#pragma GCC visibility pop
