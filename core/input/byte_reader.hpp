// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "isovmaf/result.hpp"

namespace isovmaf {

/// Bytes from a file, a pipe, standard input or memory, front to back. Used by one thread at a time, `cancel` aside.
class ByteReader {
  public:
    /// Opens a file for reading; "-" is standard input. The error tells a missing file, a directory and a lack of
    /// permission apart. An empty regular file is an error too.
    [[nodiscard]] static Result<std::unique_ptr<ByteReader>> open(const std::string &path);

    /// Reads `memory`, which has to stay where it is.
    ByteReader(std::string path, std::span<const std::byte> memory);
    ~ByteReader();
    ByteReader(const ByteReader &) = delete;
    ByteReader &operator=(const ByteReader &) = delete;

    /// As the user gave it.
    [[nodiscard]] const std::string &path() const { return path_; }
    /// For sentences: the path, or "standard input".
    [[nodiscard]] std::string name() const;

    /// Whether somebody else can open `path` and find the same bytes from the start.
    [[nodiscard]] bool is_reopenable() const { return regular_ && path_ != "-"; }

    /// Bytes up to the end, where that is known: regular files (as long as they were at `open`) and memory.
    [[nodiscard]] std::optional<std::uint64_t> remaining() const;

    /// The next `count` bytes without consuming them; fewer at the end. At most `peek_limit`.
    [[nodiscard]] Result<std::span<const std::byte>> peek(std::size_t count);
    static constexpr std::size_t peek_limit = std::size_t{1} << 16;

    /// Fills `out`; fewer bytes only at the end. Returns how many.
    [[nodiscard]] Result<std::size_t> read(std::span<std::byte> out);

    /// Like `read`, but waits only for the first byte.
    [[nodiscard]] Result<std::size_t> read_some(std::span<std::byte> out);

    /// Drops `count` bytes; fewer only at the end. Returns how many.
    [[nodiscard]] Result<std::size_t> skip(std::size_t count);

    struct Line {
        std::string text;   ///< without the line feed
        bool ended = false; ///< a line feed was there: neither the end nor `limit` came first
    };

    /// Consumes text up to and including the next line feed, at most `limit` <= peek_limit bytes.
    [[nodiscard]] Result<Line> read_line(std::size_t limit);

    /// Makes a read that waits for a slow pipe, and every later one, fail. May be called from any thread.
    void cancel() { cancelled_ = true; }

  private:
    ByteReader(std::string path, int descriptor);

    Result<void> inspect();
    Result<void> wait_for_bytes() const;
    Result<void> fill();
    void consume(std::size_t count);

    std::string path_;
    int descriptor_ = -1; ///< -1: memory
    bool regular_ = false;
    bool at_end_ = false;                ///< nothing follows `pending_`
    std::uint64_t beyond_ = 0;           ///< regular files: bytes not yet fetched
    std::vector<std::byte> buffer_;      ///< empty for memory
    std::span<const std::byte> pending_; ///< fetched, not consumed: part of buffer_, or of the memory
    std::atomic<bool> cancelled_ = false;
};

} // namespace isovmaf
