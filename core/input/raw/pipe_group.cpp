// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "input/raw/pipe_group.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fmt/format.h>

#include "base/file_io.hpp"
#include "input/source_info.hpp"

namespace isovmaf {

namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

/// The longest time that a cancelled read goes on waiting. For so long, too, others' bytes stay in their pipes.
constexpr milliseconds wait_step{50};

constexpr std::size_t chunk_bytes = std::size_t{1} << 16; ///< of bytes that are kept: what a pipe of Linux holds

/// Whether a read would return at once.
bool is_ready(int descriptor) {
    pollfd wanted{descriptor, POLLIN, 0};
    return poll(&wanted, 1, 0) > 0;
}

double mebibytes(std::size_t bytes) { return static_cast<double>(bytes) / (1 << 20); }

} // namespace

bool PipeGroup::Pipe::can_keep() const {
    return keeps && descriptor >= 0 && !ended && error == 0 && kept_bytes < limits.kept_bytes;
}

/// Keeps what can be read at once. False when that is nothing.
bool PipeGroup::Pipe::keep() {
    std::array<std::byte, chunk_bytes> bytes;
    const ssize_t got = retry([&] { return ::read(descriptor, bytes.data(), bytes.size()); });
    if (got > 0) {
        const std::span<const std::byte> more = std::span(bytes).first(static_cast<std::size_t>(got));
        if (kept.empty() || kept.back().size() + more.size() > chunk_bytes)
            kept.emplace_back();
        kept.back().insert(kept.back().end(), more.begin(), more.end());
        kept_bytes += more.size();
    } else if (got == 0) {
        ended = true;
    } else if (errno != EAGAIN) {
        error = errno;
    }
    return got > 0;
}

/// What `PipeGroup::read` returns, if that is known without waiting.
std::optional<Result<std::size_t>> PipeGroup::Pipe::read_now(std::span<std::byte> out) {
    const std::lock_guard lock(mutex);
    if (!kept.empty()) {
        const std::span<const std::byte> first = std::span(kept.front()).subspan(used_bytes);
        const std::size_t count = std::min(first.size(), out.size());
        std::memcpy(out.data(), first.data(), count);
        used_bytes += count;
        kept_bytes -= count;
        if (count == first.size()) {
            kept.pop_front();
            used_bytes = 0;
        }
        return count;
    }
    if (!ended && error == 0) {
        if (!is_ready(descriptor))
            return std::nullopt;
        const ssize_t got = retry([&] { return ::read(descriptor, out.data(), out.size()); });
        if (got > 0)
            return static_cast<std::size_t>(got);
        if (got < 0 && errno == EAGAIN)
            return std::nullopt;
        ended = got == 0;
        error = got < 0 ? errno : 0;
    }
    if (ended)
        return std::size_t{0};
    return fail(ErrorCode::io,
                fmt::format("cannot read {}: {}", display_name(path), std::generic_category().message(error)));
}

PipeGroup::PipeGroup(const std::vector<std::string> &paths, const Limits &limits) {
    for (const std::string &path : paths)
        if (std::ranges::find(pipes_, path, &Pipe::path) == pipes_.end())
            open(path, limits);
}

PipeGroup::PipeGroup(const std::vector<std::string> &paths) : PipeGroup(paths, Limits()) {}

PipeGroup::~PipeGroup() {
    for (std::size_t i = 0; i < pipes_.size(); i++)
        release(i);
}

/// Without O_NONBLOCK the system would wait for a process that writes to a named pipe.
void PipeGroup::open(const std::string &path, const Limits &limits) {
    struct stat status {};
    const bool standard_input = path == "-";
    if ((standard_input ? fstat(STDIN_FILENO, &status) : stat(path.c_str(), &status)) != 0 || S_ISREG(status.st_mode) ||
        S_ISDIR(status.st_mode))
        return;
    const bool named = S_ISFIFO(status.st_mode) && !standard_input;
    const int flags = O_RDONLY | O_CLOEXEC | (named ? O_NONBLOCK : 0);
    const int descriptor = standard_input ? STDIN_FILENO : retry([&] { return ::open(path.c_str(), flags); });
    if (descriptor < 0)
        return;
    Pipe &pipe = pipes_.emplace_back();
    pipe.path = path;
    pipe.named = named;
    pipe.keeps = S_ISFIFO(status.st_mode) || S_ISSOCK(status.st_mode);
    pipe.limits = limits;
    pipe.descriptor = descriptor;
}

std::optional<std::size_t> PipeGroup::take(const std::string &path) {
    for (std::size_t i = 0; i < pipes_.size(); i++) {
        const std::lock_guard lock(pipes_[i].mutex);
        if (pipes_[i].path == path && !std::exchange(pipes_[i].taken, true))
            return i;
    }
    return std::nullopt;
}

void PipeGroup::release(std::size_t pipe) {
    Pipe &released = pipes_[pipe];
    const std::lock_guard lock(released.mutex);
    if (released.descriptor > STDIN_FILENO)
        close(released.descriptor);
    released.descriptor = -1;
    released.kept.clear();
}

Result<std::size_t> PipeGroup::read(std::size_t pipe, std::span<std::byte> out, const std::atomic<bool> &cancelled,
                                    const LogSink &log) {
    Pipe &own = pipes_[pipe];
    const Clock::time_point begin = Clock::now();
    for (bool waited = false; !cancelled && !cancelled_; waited = true) {
        if (std::optional<Result<std::size_t>> got = own.read_now(out))
            return *std::move(got);
        wait(own, waited);
        const auto time = std::chrono::duration_cast<milliseconds>(Clock::now() - begin);
        if (time < own.limits.patience)
            continue;
        own.limits.patience *= 2; // a pipe may be slow all the time
        if (const std::string text = waiting_text(own, time); !text.empty())
            warn(log, text);
    }
    return fail(ErrorCode::interrupted, fmt::format("reading {} was stopped", display_name(own.path)));
}

/// Waits for bytes of a pipe in a short step. With others, what comes through their pipes meanwhile is kept.
void PipeGroup::wait(const Pipe &pipe, bool with_others) {
    std::vector<pollfd> wanted;
    for (Pipe &one : pipes_) {
        const std::lock_guard lock(one.mutex);
        if (&one == &pipe || (with_others && one.can_keep()))
            wanted.push_back({one.descriptor, POLLIN, 0});
    }
    poll(wanted.data(), wanted.size(), static_cast<int>(wait_step.count()));
    if (!with_others)
        return;
    for (Pipe &one : pipes_) {
        const std::lock_guard lock(one.mutex);
        if (&one != &pipe && one.can_keep() && is_ready(one.descriptor))
            (void)one.keep();
    }
}

/// Empty when bytes have come after all.
std::string PipeGroup::waiting_text(Pipe &pipe, milliseconds waited) {
    std::string text = fmt::format("waiting for {}: nothing came for {:.2g} s", display_name(pipe.path),
                                   std::chrono::duration<double>(waited).count());
    {
        const std::lock_guard lock(pipe.mutex);
        if (pipe.named && pipe.kept.empty()) { // reading tells whether anybody has opened the pipe
            if (pipe.keep())
                return "";
            if (std::exchange(pipe.ended, false))
                text = fmt::format("waiting for {}: no process has opened it for writing", display_name(pipe.path));
        }
    }
    for (Pipe &other : pipes_) {
        const std::lock_guard lock(other.mutex);
        if (&other == &pipe || other.kept_bytes == 0)
            continue;
        text +=
            fmt::format("; {:.1f} MiB of {} are kept meanwhile", mebibytes(other.kept_bytes), display_name(other.path));
        if (other.kept_bytes >= other.limits.kept_bytes)
            text += ", and no more: a process that writes both has to write them in turn";
    }
    return text;
}

} // namespace isovmaf
