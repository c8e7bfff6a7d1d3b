// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "input/raw/byte_reader.hpp"

#include <algorithm>
#include <cassert>
#include <cerrno>
#include <cstring>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fmt/format.h>

#include "base/file_io.hpp"
#include "base/try.hpp"
#include "input/source_info.hpp"

namespace isovmaf {

namespace {

/// Reads of as many bytes or more do not go through the buffer.
constexpr std::size_t buffer_bytes = ByteReader::peek_limit;

/// Largest single read: it fits the processor's L2 cache, where the bytes are hashed, and bounds how long `cancel` takes.
constexpr std::size_t most_at_once = std::size_t{1} << 18;

std::string errno_text() { return std::generic_category().message(errno); }

tl::unexpected<Error> open_failure(const std::string &path) {
    switch (errno) {
    case ENOENT:
    case ENOTDIR:
        return fail(ErrorCode::not_found,
                    fmt::format("there is no file \"{}\"; check the name and the folder", display_name(path)));
    case EACCES:
    case EPERM:
        return fail(ErrorCode::io, fmt::format("no permission to read {}", display_name(path)));
    default:
        return fail(ErrorCode::io, fmt::format("cannot open {}: {}", display_name(path), errno_text()));
    }
}

} // namespace

ByteReader::ByteReader(std::string path, int descriptor, std::shared_ptr<PipeGroup> pipes, std::size_t pipe,
                       LogSink log)
    : path_(std::move(path)), descriptor_(descriptor), pipes_(std::move(pipes)), pipe_(pipe), log_(std::move(log)),
      buffer_(buffer_bytes) {}

ByteReader::ByteReader(std::string path, std::span<const std::byte> memory)
    : path_(std::move(path)), at_end_(true), pending_(memory) {}

ByteReader::~ByteReader() {
    if (pipes_)
        pipes_->release(pipe_);
    if (descriptor_ >= 0 && descriptor_ != STDIN_FILENO)
        close(descriptor_);
}

Result<std::unique_ptr<ByteReader>> ByteReader::open(const std::string &path, std::shared_ptr<ReadContent> content,
                                                     std::shared_ptr<PipeGroup> pipes, LogSink log) {
    std::optional<std::size_t> pipe = pipes ? pipes->take(path) : std::nullopt;
    if (!pipe) {
        pipes = std::make_shared<PipeGroup>(std::vector{path});
        pipe = pipes->take(path);
    }
    if (pipe)
        return std::unique_ptr<ByteReader>(new ByteReader(path, -1, std::move(pipes), *pipe, std::move(log)));
    int descriptor = STDIN_FILENO;
    if (path != "-") {
        descriptor = retry([&] { return ::open(path.c_str(), O_RDONLY | O_CLOEXEC); });
        if (descriptor < 0)
            return open_failure(path);
    }
    std::unique_ptr<ByteReader> reader(new ByteReader(path, descriptor, nullptr, 0, {}));
    TRY(reader->inspect());
    if (content && reader->is_reopenable() && content->attach(reader->beyond_))
        reader->content_ = std::move(content);
    return reader;
}

/// Finds out the length of a regular file.
Result<void> ByteReader::inspect() {
    struct stat status {};
    if (fstat(descriptor_, &status) != 0)
        return fail(ErrorCode::io, fmt::format("cannot read {}: {}", name(), errno_text()));
    if (S_ISDIR(status.st_mode))
        return fail(ErrorCode::invalid_argument, fmt::format("{} is a directory, not a video", name()));
    // The program that started this one may have read a part of standard input.
    const off_t position = lseek(descriptor_, 0, SEEK_CUR);
    beyond_ = static_cast<std::uint64_t>(std::max<off_t>(status.st_size - std::max<off_t>(position, 0), 0));
    if (beyond_ == 0)
        return fail(ErrorCode::corrupt_data, fmt::format("{} is empty", name()));
    return {};
}

std::string ByteReader::name() const { return display_name(path_); }

std::optional<std::uint64_t> ByteReader::remaining() const {
    return pipes_ ? std::nullopt : std::optional(beyond_ + pending_.size());
}

std::optional<ByteReader::FilePosition> ByteReader::file_position() const {
    const off_t behind_pending = descriptor_ >= 0 ? lseek(descriptor_, 0, SEEK_CUR) : -1;
    if (behind_pending < 0)
        return std::nullopt;
    return FilePosition{descriptor_, static_cast<std::uint64_t>(behind_pending) - pending_.size()};
}

std::uint64_t ByteReader::passed_behind_end() const {
    const std::optional<FilePosition> position = file_position();
    struct stat status {};
    if (!position || fstat(descriptor_, &status) != 0)
        return 0;
    const auto end = static_cast<std::uint64_t>(status.st_size);
    return position->offset - std::min(position->offset, end);
}

void ByteReader::consume(std::size_t count) { pending_ = pending_.subspan(count); }

Result<std::size_t> ByteReader::read_file(std::span<std::byte> room) {
    if (cancelled_)
        return fail(ErrorCode::interrupted, fmt::format("reading {} was stopped", name()));
    room = room.first(static_cast<std::size_t>(std::min<std::uint64_t>(room.size(), beyond_)));
    const ssize_t got = room.empty() ? 0 : retry([&] { return ::read(descriptor_, room.data(), room.size()); });
    if (got < 0)
        return fail(ErrorCode::io, fmt::format("cannot read {}: {}", name(), errno_text()));
    return static_cast<std::size_t>(got);
}

/// Reads the bytes after `pending_`, at least one, or sets `at_end_`.
Result<std::size_t> ByteReader::fetch(std::span<std::byte> room) {
    assert(!at_end_ && !room.empty());
    const Result<std::size_t> fetched = pipes_ ? pipes_->read(pipe_, room, cancelled_, log_) : read_file(room);
    if (!fetched) {
        if (fetched.error().code != ErrorCode::interrupted) {
            pending_ = {};
            at_end_ = true;
        }
        return fetched;
    }
    at_end_ = *fetched == 0;
    if (content_) // while the bytes are in the processor's cache
        content_->add(room.first(*fetched));
    // When another process truncates the file while it is read, the file ends here.
    beyond_ = at_end_ || pipes_ ? 0 : beyond_ - *fetched;
    return fetched;
}

/// Adds at least one byte to the end of `pending_`, or sets `at_end_`.
Result<void> ByteReader::fill() {
    if (!pending_.empty())
        std::memmove(buffer_.data(), pending_.data(), pending_.size());
    pending_ = {buffer_.data(), pending_.size()};
    const std::size_t fetched = TRY(fetch(std::span(buffer_).subspan(pending_.size())));
    pending_ = {buffer_.data(), pending_.size() + fetched};
    return {};
}

Result<std::span<const std::byte>> ByteReader::peek(std::size_t count) {
    assert(count <= peek_limit);
    while (pending_.size() < count && !at_end_)
        TRY(fill());
    return pending_.first(std::min(count, pending_.size()));
}

Result<void> ByteReader::expect_bytes() {
    const auto first = TRY(peek(1));
    if (first.empty())
        return fail(ErrorCode::corrupt_data, fmt::format("{} is empty", name()));
    return {};
}

Result<std::size_t> ByteReader::read_some(std::span<std::byte> out) {
    if (out.empty())
        return 0;
    if (pending_.empty() && !at_end_ && out.size() >= buffer_bytes)
        return fetch(out.first(std::min(out.size(), most_at_once)));
    TRY(peek(1));
    const std::size_t count = std::min(out.size(), pending_.size());
    if (count > 0)
        std::memcpy(out.data(), pending_.data(), count);
    consume(count);
    return count;
}

Result<std::size_t> ByteReader::read(std::span<std::byte> out) {
    std::size_t done = 0;
    while (done < out.size()) {
        const auto some = read_some(out.subspan(done));
        if (!some)
            return some;
        if (*some == 0)
            break;
        done += *some;
    }
    return done;
}

Result<std::uint64_t> ByteReader::skip(std::uint64_t count) {
    if (cancelled_)
        return fail(ErrorCode::interrupted, fmt::format("reading {} was stopped", name()));
    std::uint64_t left = count;
    while (left > 0) {
        if (pending_.empty() && descriptor_ >= 0)
            return count - left + TRY(seek_forward(left));
        const auto head = TRY(peek(1));
        if (head.empty())
            break;
        const auto some = static_cast<std::size_t>(std::min<std::uint64_t>(left, pending_.size()));
        consume(some);
        left -= some;
    }
    return count - left;
}

/// Moves in a regular file when nothing is pending.
Result<std::uint64_t> ByteReader::seek_forward(std::uint64_t count) {
    const std::uint64_t moved = std::min(count, beyond_);
    if (content_)
        content_->skip();
    if (lseek(descriptor_, static_cast<off_t>(moved), SEEK_CUR) < 0)
        return fail(ErrorCode::io, fmt::format("cannot read {}: {}", name(), errno_text()));
    beyond_ -= moved;
    return moved;
}

Result<void> ByteReader::go_to(std::uint64_t offset) {
    assert(descriptor_ >= 0 && !content_);
    if (cancelled_)
        return fail(ErrorCode::interrupted, fmt::format("reading {} was stopped", name()));
    const off_t behind_pending = lseek(descriptor_, 0, SEEK_CUR);
    if (behind_pending < 0 || lseek(descriptor_, static_cast<off_t>(offset), SEEK_SET) < 0)
        return fail(ErrorCode::io, fmt::format("cannot read {}: {}", name(), errno_text()));
    beyond_ += static_cast<std::uint64_t>(behind_pending) - offset;
    pending_ = {};
    at_end_ = false;
    return {};
}

Result<ByteReader::Line> ByteReader::read_line(std::size_t limit) {
    assert(limit <= peek_limit);
    Line line;
    for (std::size_t searched = 0;;) {
        const auto head = pending_.first(std::min(limit, pending_.size()));
        const auto found = std::find(head.begin() + static_cast<std::ptrdiff_t>(searched), head.end(), std::byte{'\n'});
        line.ended = found != head.end();
        searched = head.size();
        if (line.ended || searched == limit || at_end_) {
            const auto length = static_cast<std::size_t>(found - head.begin());
            line.text.assign(reinterpret_cast<const char *>(head.data()), length);
            consume(length + (line.ended ? 1 : 0));
            return line;
        }
        TRY(fill());
    }
}

} // namespace isovmaf
