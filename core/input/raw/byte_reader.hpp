// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/log.hpp"
#include "input/raw/pipe_group.hpp"
#include "input/read_content.hpp"
#include "isovmaf/result.hpp"

namespace isovmaf {

/// Reads bytes from a file, a pipe, standard input or memory, front to back. One thread at a time uses it; only
/// `cancel` may be called from another.
class ByteReader {
  public:
    /// Opens a file for reading; "-" is standard input. The error says whether the file is missing, is a directory, is
    /// empty, or may not be read.
    /// The first reader of a regular file adds the bytes that it reads to `content`, where that is given. A pipe is
    /// taken from `pipes`, where they have it. `log` gets a warning when a pipe gives nothing for long.
    [[nodiscard]] static Result<std::unique_ptr<ByteReader>> open(const std::string &path,
                                                                  std::shared_ptr<ReadContent> content = {},
                                                                  std::shared_ptr<PipeGroup> pipes = {},
                                                                  LogSink log = {});

    /// Reads `memory`, which has to outlive the reader.
    ByteReader(std::string path, std::span<const std::byte> memory);
    ~ByteReader();
    ByteReader(const ByteReader &) = delete;
    ByteReader &operator=(const ByteReader &) = delete;

    /// As the user gave it.
    [[nodiscard]] const std::string &path() const { return path_; }
    /// For sentences: the path, or "standard input".
    [[nodiscard]] std::string name() const;

    /// Whether another reader can open `path` and finds the same bytes from the start.
    [[nodiscard]] bool is_reopenable() const { return descriptor_ >= 0 && path_ != "-"; }

    /// Number of bytes up to the end, for memory and for regular files, whose length is that at `open`.
    [[nodiscard]] std::optional<std::uint64_t> remaining() const;

    /// Where the next byte lies in a regular file.
    struct FilePosition {
        int descriptor = -1; ///< open as long as the reader exists
        std::uint64_t offset = 0;
    };

    /// For those who read a file out of order (pread). Nothing for memory and for what is no regular file.
    [[nodiscard]] std::optional<FilePosition> file_position() const;

    /// How many of the bytes that were passed over a regular file does not have any more: another process has cut it.
    [[nodiscard]] std::uint64_t passed_behind_end() const;

    /// Leaves the hashing of what is read from now on to the caller; null when nothing is hashed.
    [[nodiscard]] std::shared_ptr<ReadContent> take_content() { return std::move(content_); }

    /// The next `count` bytes, which stay unread; fewer at the end. `count` is at most peek_limit.
    [[nodiscard]] Result<std::span<const std::byte>> peek(std::size_t count);
    static constexpr std::size_t peek_limit = std::size_t{1} << 16;

    /// Fails when there is no byte. Whether a pipe or a device is empty is known only after a read.
    [[nodiscard]] Result<void> expect_bytes();

    /// Fills `out` and returns how many bytes were read: fewer than its size only at the end.
    [[nodiscard]] Result<std::size_t> read(std::span<std::byte> out);

    /// Like `read`, but returns as soon as there is one byte.
    [[nodiscard]] Result<std::size_t> read_some(std::span<std::byte> out);

    /// Passes over the next `count` bytes, without reading them where the file allows, and returns how many there were:
    /// fewer only at the end.
    [[nodiscard]] Result<std::uint64_t> skip(std::uint64_t count);

    /// Goes to a byte of a regular file, which is not hashed, counted from the file's start.
    [[nodiscard]] Result<void> go_to(std::uint64_t offset);

    struct Line {
        std::string text;   ///< without the line feed
        bool ended = false; ///< by a line feed, and not by the end of the bytes or by `limit`
    };

    /// Reads text up to and including the next line feed. Reads at most `limit` bytes, which is at most peek_limit.
    [[nodiscard]] Result<Line> read_line(std::size_t limit);

    /// Makes a read that waits for a slow pipe fail, and every later read. May be called from any thread.
    void cancel() { cancelled_ = true; }

  private:
    ByteReader(std::string path, int descriptor, std::shared_ptr<PipeGroup> pipes, std::size_t pipe, LogSink log);

    Result<void> inspect();
    Result<std::size_t> read_file(std::span<std::byte> room);
    Result<std::size_t> fetch(std::span<std::byte> room);
    Result<void> fill();
    Result<std::uint64_t> seek_forward(std::uint64_t count);
    void consume(std::size_t count);

    std::string path_;
    int descriptor_ = -1;              ///< of a regular file
    std::shared_ptr<PipeGroup> pipes_; ///< not null: the bytes come from one of them
    std::size_t pipe_ = 0;             ///< its number
    LogSink log_;
    bool at_end_ = false;                  ///< no bytes follow `pending_`
    std::uint64_t beyond_ = 0;             ///< bytes of a regular file after `pending_`
    std::vector<std::byte> buffer_;        ///< not used when the bytes are in memory
    std::span<const std::byte> pending_;   ///< the bytes to read next, in buffer_ or in the caller's memory
    std::shared_ptr<ReadContent> content_; ///< null when no hash is wanted
    std::atomic<bool> cancelled_ = false;
};

} // namespace isovmaf
