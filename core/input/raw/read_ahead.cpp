// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "input/raw/read_ahead.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <exception>
#include <span>
#include <utility>

#include <sys/stat.h>

#include "frame/sample_range.hpp"
#include "input/raw/planar_reader.hpp"

namespace isovmaf {

namespace {

/// In one call: well below IOV_MAX.
constexpr std::size_t most_rows_at_once = 256;

/// Fills all parts, one behind the other, from `offset` on. False: the file ends before, or cannot be read.
bool read_parts(const EvenFrames &frames, std::span<iovec> parts, std::uint64_t offset) {
    while (!parts.empty()) {
        const ssize_t got =
            frames.read(frames.descriptor, parts.data(), static_cast<int>(parts.size()), static_cast<off_t>(offset));
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return false;
        offset += static_cast<std::uint64_t>(got);
        auto left = static_cast<std::size_t>(got);
        while (!parts.empty() && left >= parts.front().iov_len) {
            left -= parts.front().iov_len;
            parts = parts.subspan(1);
        }
        if (left > 0) {
            parts.front().iov_base = static_cast<std::byte *>(parts.front().iov_base) + left;
            parts.front().iov_len -= left;
        }
    }
    return true;
}

} // namespace

bool has_usual_header(const EvenFrames &frames, std::int64_t number) {
    std::string header(frames.header.size(), '\0');
    iovec part{header.data(), header.size()};
    return header.empty() || (read_parts(frames, {&part, 1}, frames.offset_of(number)) && header == frames.header);
}

int ReadAhead::readers_for(std::uint64_t frame_bytes, int wanted) {
    return static_cast<int>(
        std::clamp<std::uint64_t>(most_bytes_ahead / frame_bytes, 1, static_cast<unsigned>(wanted)));
}

ReadAhead::ReadAhead(EvenFrames frames, FramePool &pool, int readers)
    : frames_(std::move(frames)), pool_(pool), places_(2 * static_cast<std::size_t>(readers)) {
    for (int i = 0; i < readers; i++)
        threads_.emplace_back([this](const std::stop_token &stop) { work(stop); });
}

ReadAhead::~ReadAhead() = default;

std::optional<Frame> ReadAhead::next() {
    std::unique_lock lock(mutex_);
    if (taken_ == frames_.count)
        return std::nullopt;
    Place &place = places_[static_cast<std::size_t>(taken_) % places_.size()];
    read_one_.wait(lock, [&] { return place.done; });
    if (!place.frame)
        return std::nullopt;
    const Place taken = std::exchange(place, {});
    taken_++;
    taken_one_.notify_one();
    return taken.frame;
}

void ReadAhead::work(const std::stop_token &stop) {
    std::unique_lock lock(mutex_);
    const auto has_room = [this] {
        return begun_ < frames_.count && begun_ - taken_ < static_cast<std::int64_t>(places_.size());
    };
    while (taken_one_.wait(lock, stop, has_room) && !stop.stop_requested()) {
        const std::int64_t number = begun_++;
        lock.unlock();
        std::optional<Frame> frame = read(number);
        lock.lock();
        places_[static_cast<std::size_t>(number) % places_.size()] = {true, std::move(frame)};
        read_one_.notify_one();
    }
}

std::optional<Frame> ReadAhead::read(std::int64_t number) try {
    WritableFrame frame = pool_.take();
    std::optional<ContentHash> hash;
    if (frames_.hashes != nullptr)
        hash.emplace().add(std::as_bytes(std::span(frames_.header)));
    const std::uint64_t planes = frames_.offset_of(number) + frames_.header.size();
    if (!has_usual_header(frames_, number) || !read_planes(frame, planes, hash ? &*hash : nullptr) || !is_whole(number))
        return std::nullopt;
    if (hash)
        frames_.hashes->set(frames_.number + static_cast<std::size_t>(number), *hash);
    frame.frame.set_samples_checked();
    return frame.frame;
} catch (const std::exception &) { // no memory: who reads in order says so
    return std::nullopt;
}

bool ReadAhead::read_planes(const WritableFrame &frame, std::uint64_t offset, ContentHash *hash) const {
    std::array<iovec, most_rows_at_once> rows;
    const bool may_be_large = may_have_large_samples(frame.frame);
    for (int p = 0; p < frames_.planes; p++) {
        const auto i = static_cast<std::size_t>(p);
        const std::size_t row_bytes = stored_row_bytes(frames_.format, p);
        const auto rows_at_once = std::clamp<std::size_t>(bytes_looked_at_once / row_bytes, 1, rows.size());
        const int height = stored_height(frames_.format, p);
        for (int y = 0, end = 0; y < height; y = end) {
            end = std::min(y + static_cast<int>(rows_at_once), height);
            const auto count = static_cast<std::size_t>(end - y);
            for (std::size_t row = 0; row < count; row++)
                rows[row] = {frame.data[i] + (y + static_cast<int>(row)) * frame.stride_bytes[i], row_bytes};
            if (!read_parts(frames_, std::span(rows).first(count), offset) ||
                (may_be_large && find_large_sample(frame.frame, p, y, end)))
                return false;
            if (hash != nullptr)
                add_rows(frame, frames_.format, p, y, end, *hash);
            offset += count * row_bytes;
        }
    }
    return true;
}

/// Whether the file has the planes that are not read, too: another process may have cut it.
bool ReadAhead::is_whole(std::int64_t number) const {
    struct stat status {};
    return fstat(frames_.descriptor, &status) == 0 &&
           static_cast<std::uint64_t>(status.st_size) >= frames_.offset_of(number + 1);
}

} // namespace isovmaf
