// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "batch/inputs/inputs.hpp"

#include <algorithm>
#include <cerrno>
#include <optional>
#include <vector>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file_io.hpp"
#include "base/hashes.hpp"
#include "base/try.hpp"
#include "batch/inputs/staging.hpp"
#include "batch/store/files.hpp"

namespace isovmaf::batch {

Result<InputFile> InputFile::open(const std::string &path) {
    if (is_url(path))
        return InputFile(path, -1, TRY(UrlFile::open(path)));
    const int descriptor = retry([&] { return ::open(path.c_str(), O_RDONLY | O_CLOEXEC); });
    if (descriptor == -1)
        return file_failed("open", path, errno);
    return InputFile(path, descriptor, std::nullopt);
}

InputFile::~InputFile() {
    if (descriptor_ != -1)
        close(descriptor_);
}

InputFile::InputFile(InputFile &&other) noexcept
    : path_(std::move(other.path_)), descriptor_(std::exchange(other.descriptor_, -1)), url_(std::move(other.url_)) {}

Result<std::size_t> InputFile::read(std::int64_t offset, std::span<std::byte> buffer) {
    if (url_)
        return url_->read(offset, buffer);
    const ssize_t count = retry([&] { return pread(descriptor_, buffer.data(), buffer.size(), offset); });
    if (count == -1)
        return file_failed("read", path_, errno);
    return static_cast<std::size_t>(count);
}

Result<void> InputFile::add(std::int64_t offset, std::int64_t bytes, ContentHash &hash) {
    constexpr std::int64_t block = 1 << 18; // stays in a processor's cache until it is hashed
    std::vector<std::byte> buffer(static_cast<std::size_t>(std::clamp<std::int64_t>(bytes, 1, block)));
    while (bytes > 0) {
        const auto most = static_cast<std::size_t>(std::min(bytes, block));
        const std::size_t count = TRY(read(offset, std::span(buffer).first(most)));
        if (count == 0)
            return {};
        hash.add(std::span(buffer).first(count));
        offset += static_cast<std::int64_t>(count);
        bytes -= static_cast<std::int64_t>(count);
    }
    return {};
}

namespace {

using FileStatus = struct stat;

constexpr std::string_view whole_prefix = "xxh3-128:", samples_prefix = "sampled:"; ///< what digests begin with

std::int64_t nanoseconds(const timespec &time) { return std::int64_t{time.tv_sec} * 1'000'000'000 + time.tv_nsec; }

/// A hash of three blocks: of the start, the middle and the end of a content.
template <class File>
Result<std::uint64_t> hash_of_blocks(File &file, std::int64_t file_bytes, std::int64_t block) {
    std::vector<std::byte> buffer(3 * static_cast<std::size_t>(block));
    std::size_t bytes = 0;
    for (const std::int64_t offset : {std::int64_t{0}, file_bytes / 2, std::max<std::int64_t>(0, file_bytes - block)})
        bytes += TRY(file.read(offset, std::span(buffer).subspan(bytes, static_cast<std::size_t>(block))));
    return xxh64(std::span(buffer).first(bytes));
}

/// A URL has neither inode nor times: its size and samples of its content stand for them.
Result<InputRecord> look_at_url(const std::string &url) {
    UrlFile file = TRY(UrlFile::open(url));
    const std::uint64_t digest = TRY(hash_of_blocks(file, file.bytes(), 1 << 16));
    return InputRecord{url, digest, file.bytes(), 0, 0, {}};
}

constexpr std::int64_t sample_bytes = 1 << 14;

/// True for a file that is larger than its three sampled blocks; false for a URL.
bool is_sampled(const InputRecord &seen) { return !is_url(seen.path) && seen.bytes > 3 * sample_bytes; }

Result<std::uint64_t> sample_of(const InputRecord &seen) {
    InputFile file = TRY(InputFile::open(seen.path));
    return hash_of_blocks(file, seen.bytes, sample_bytes);
}

/// The digest of the whole file. Continues the hash of `content`, which covers the start of the file.
Result<std::string> hash_content(const InputRecord &seen, ReadContent &content, const std::function<bool()> &stop) {
    constexpr std::int64_t block = 1 << 24;
    InputFile file = TRY(InputFile::open(seen.path));
    ContentHash &hash = content.hash();
    for (std::int64_t offset = content.bytes(); offset < seen.bytes; offset += block) {
        if (stop())
            return fail(ErrorCode::interrupted, fmt::format("the reading of {} was interrupted", seen.path));
        TRY(file.add(offset, std::min(block, seen.bytes - offset), hash));
    }
    if (!looks_like(TRY(look_at(seen.path)), seen))
        return fail(ErrorCode::io, fmt::format("{} changed while it was read", seen.path));
    return content_digest(hash);
}

Result<std::string> hash_samples(const InputRecord &seen) {
    constexpr std::int64_t count = 16, block = 1 << 16;
    InputFile file = TRY(InputFile::open(seen.path));
    ContentHash hash;
    const std::string facts = fmt::format("{} {}", seen.bytes, seen.modified_ns);
    hash.add(std::as_bytes(std::span(facts)));
    for (std::int64_t i = 0; i < count; i++)
        TRY(file.add(std::max<std::int64_t>(seen.bytes - block, 0) / (count - 1) * i, block, hash));
    if (!looks_like(TRY(look_at(seen.path)), seen))
        return fail(ErrorCode::io, fmt::format("{} changed while it was read", seen.path));
    return fmt::format("{}{}", samples_prefix, hash.hex());
}

} // namespace

Result<InputRecord> look_at(const std::string &path) {
    if (is_url(path))
        return look_at_url(path);
    FileStatus status{};
    if (stat(path.c_str(), &status) != 0)
        return file_failed("open", path, errno);
    if (!S_ISREG(status.st_mode))
        return fail(ErrorCode::unsupported, fmt::format("{} is no regular file", path));
    return InputRecord{
        path, status.st_ino, std::int64_t{status.st_size}, nanoseconds(status.st_mtim), nanoseconds(status.st_ctim),
        {}};
}

bool looks_like(InputRecord record, const InputRecord &seen) {
    record.digest = seen.digest;
    record.sample = seen.sample;
    return record == seen;
}

std::string content_digest(const ContentHash &content) { return fmt::format("{}{}", whole_prefix, content.hex()); }

std::optional<std::string> known_digest_of(const StoreIndex &index, const InputRecord &seen, bool fast) {
    for (const InputRecord &stored : index.inputs(seen.path))
        if (looks_like(seen, stored) && stored.digest.starts_with(fast ? samples_prefix : whole_prefix))
            return stored.digest;
    return std::nullopt;
}

Result<std::optional<std::string>> known_digest(const StoreIndex &index, const std::string &path, bool fast) {
    return known_digest_of(index, TRY(look_at(path)), fast);
}

Result<std::string> Inputs::hash(const InputRecord &seen) {
    if (fast_)
        return hash_samples(seen);
    if (staging_ != nullptr) {
        const StagedFiles files = TRY(staging_->take({&seen.path, 1}, stop_, Staging::NoRoom::leave));
        if (std::optional<std::string> copied = staging_->digest(seen))
            return *std::move(copied);
    }
    ReadContent nothing;
    return hash_content(seen, nothing, stop_);
}

Result<void> Inputs::check_copy(const InputRecord &seen, const std::string &known) const {
    if (staging_ == nullptr || fast_)
        return {};
    const std::optional<std::string> copied = staging_->digest(seen);
    if (copied && *copied != known)
        return fail(ErrorCode::io,
                    fmt::format("the copy of {} has other content than the file had when it was hashed", seen.path));
    return {};
}

Result<std::string> Inputs::digest(const std::string &path) { return digest(TRY(look_at(path))); }

/// `record` is what the file looks like now.
Result<std::string> Inputs::digest(InputRecord record) {
    std::shared_ptr<std::mutex> hashing;
    {
        const std::lock_guard lock(mutex_);
        std::shared_ptr<std::mutex> &entry = hashing_[record.path];
        if (!entry)
            entry = std::make_shared<std::mutex>();
        hashing = entry;
    }
    const std::lock_guard hashing_lock(*hashing);
    if (const std::optional<std::string> known = known_digest_of(index_, record, fast_)) {
        TRY(check_copy(record, *known));
        return *known;
    }
    if (std::optional<std::string> hashed = hashed_digest(record))
        return *std::move(hashed);
    if (is_sampled(record) && !fast_ && record.sample == 0)
        record.sample = TRY(sample_of(record));
    record.digest = TRY(hash(record));
    TRY(keep(record));
    return record.digest;
}

/// The digest of a file that this process has hashed and that looks as it did then.
std::optional<std::string> Inputs::hashed_digest(const InputRecord &seen) {
    const std::lock_guard lock(mutex_);
    const auto hashed = hashed_.find(seen.path);
    return hashed != hashed_.end() && looks_like(seen, hashed->second) ? std::optional(hashed->second.digest)
                                                                       : std::nullopt;
}

Result<void> Inputs::keep(const InputRecord &record) {
    TRY(store_.append(record));
    const std::lock_guard lock(mutex_);
    hashed_[record.path] = record;
    contents_.emplace(record.bytes, record.sample);
    return {};
}

Result<std::variant<Inputs::Reading, std::string>> Inputs::begin_reading(const std::string &path) {
    InputRecord seen = TRY(look_at(path));
    if (fast_ || staging_ != nullptr || !is_sampled(seen) || known_digest_of(index_, seen, fast_) ||
        hashed_digest(seen))
        return TRY(digest(std::move(seen)));
    seen.sample = TRY(sample_of(seen));
    {
        const std::lock_guard lock(mutex_);
        if (!index_.may_have_content(seen.bytes, seen.sample) && !contents_.contains({seen.bytes, seen.sample}))
            return Reading{std::move(seen), std::make_shared<ReadContent>()};
    }
    return TRY(digest(std::move(seen)));
}

Result<std::string> Inputs::end_reading(Reading reading) {
    if (std::optional<std::string> hashed = hashed_digest(reading.seen)) // another worker has read it, too
        return *std::move(hashed);
    reading.seen.digest = TRY(hash_content(reading.seen, *reading.content, stop_));
    TRY(keep(reading.seen));
    return reading.seen.digest;
}

} // namespace isovmaf::batch
