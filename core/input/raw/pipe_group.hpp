// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <deque>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/log.hpp"
#include "isovmaf/result.hpp"

namespace isovmaf {

/// The videos of a run that are no regular files: named pipes, standard input, devices.
///
/// All of them are open before anybody reads, in any order: a process that feeds several named pipes opens them one
/// after the other, and each time waits until the pipe is open here. Such a process also writes to its pipes in turn.
/// While one reader waits for bytes, the bytes in the other pipes are kept in memory, so that the process can go on.
///
/// Each pipe is read by one thread at a time. `cancel` may be called by any.
class PipeGroup {
  public:
    struct Limits {
        /// How long a reader waits before it says what it waits for.
        std::chrono::milliseconds patience{3000};
        /// Of each pipe, at most: more than a picture of 8K with 16 bits.
        std::size_t kept_bytes = std::size_t{512} << 20;
    };

    /// Opens what is no regular file among the paths; "-" is standard input. What cannot be opened is left out, so that
    /// those who open it alone get the error.
    explicit PipeGroup(const std::vector<std::string> &paths, const Limits &limits);
    explicit PipeGroup(const std::vector<std::string> &paths);
    ~PipeGroup();
    PipeGroup(const PipeGroup &) = delete;
    PipeGroup &operator=(const PipeGroup &) = delete;

    /// The number of the pipe of a path, which is given to one reader. Nothing where there is none, or none any more.
    [[nodiscard]] std::optional<std::size_t> take(const std::string &path);

    /// Closes a pipe that nobody reads any more.
    void release(std::size_t pipe);

    /// Waits for bytes and fills `out`, at least one byte of it; 0 at the end of the pipe. `log` gets a warning about
    /// what is waited for when nothing comes for long. Fails with `interrupted` when `cancelled` becomes true.
    [[nodiscard]] Result<std::size_t> read(std::size_t pipe, std::span<std::byte> out,
                                           const std::atomic<bool> &cancelled, const LogSink &log);

    /// Makes all reads fail soon, also where `read` was not called yet.
    void cancel() { cancelled_ = true; }

  private:
    struct Pipe {
        std::string path;
        bool named = false; ///< opened here, so that reads of it do not wait
        bool keeps = false; ///< bytes of it are kept while others are waited for
        Limits limits;

        std::mutex mutex; ///< guards the members below
        int descriptor = -1;
        bool taken = false;
        bool ended = false; ///< no bytes follow those that are kept
        int error = 0;      ///< an errno, after those that are kept
        std::deque<std::vector<std::byte>> kept = {};
        std::size_t kept_bytes = 0;
        std::size_t used_bytes = 0; ///< of the first vector of `kept`

        [[nodiscard]] bool can_keep() const;
        bool keep();
        std::optional<Result<std::size_t>> read_now(std::span<std::byte> out);
    };

    void open(const std::string &path, const Limits &limits);
    void wait(const Pipe &pipe, bool with_others);
    [[nodiscard]] std::string waiting_text(Pipe &pipe, std::chrono::milliseconds waited);

    std::deque<Pipe> pipes_; ///< a Pipe stays where it is
    std::atomic<bool> cancelled_ = false;
};

} // namespace isovmaf
