// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "batch/inputs.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <optional>
#include <vector>

#include <fmt/format.h>

#include "base/sha256.hpp"
#include "base/try.hpp"
#include "base/write_all.hpp"
#include "batch/files.hpp"
#include "batch/staging.hpp"

namespace isovmaf::batch {

namespace {

using FileStatus = struct stat;

std::int64_t nanoseconds(const timespec &time) { return std::int64_t{time.tv_sec} * 1'000'000'000 + time.tv_nsec; }

/// An open file that is closed at the end.
class InputFile {
  public:
    static Result<InputFile> open(const std::string &path) {
        const int descriptor = retry([&] { return ::open(path.c_str(), O_RDONLY | O_CLOEXEC); });
        if (descriptor == -1)
            return file_failed("open", path, errno);
        return InputFile(path, descriptor);
    }
    ~InputFile() {
        if (descriptor_ != -1)
            close(descriptor_);
    }
    InputFile(InputFile &&other) noexcept
        : path_(std::move(other.path_)), descriptor_(std::exchange(other.descriptor_, -1)) {}
    InputFile &operator=(InputFile &&) = delete;

    /// Adds `bytes` bytes from `offset` on, or as many as there are.
    Result<void> add(std::int64_t offset, std::int64_t bytes, Sha256 &hash) const {
        std::vector<std::byte> buffer(static_cast<std::size_t>(std::clamp<std::int64_t>(bytes, 1, 1 << 20)));
        while (bytes > 0) {
            const auto most = static_cast<std::size_t>(std::min<std::int64_t>(bytes, 1 << 20));
            const ssize_t count = retry([&] { return pread(descriptor_, buffer.data(), most, offset); });
            if (count == -1)
                return file_failed("read", path_, errno);
            if (count == 0)
                return {};
            hash.add(std::span(buffer).first(static_cast<std::size_t>(count)));
            offset += count;
            bytes -= count;
        }
        return {};
    }

  private:
    InputFile(std::string path, int descriptor) : path_(std::move(path)), descriptor_(descriptor) {}
    std::string path_;
    int descriptor_;
};

Result<std::string> hash_content(const InputRecord &seen, const std::function<bool()> &stop) {
    constexpr std::int64_t block = 1 << 24;
    const InputFile file = TRY(InputFile::open(seen.path));
    Sha256 hash;
    for (std::int64_t offset = 0; offset < seen.bytes; offset += block) {
        if (stop())
            return fail(ErrorCode::interrupted, fmt::format("the reading of {} was interrupted", seen.path));
        TRY(file.add(offset, std::min(block, seen.bytes - offset), hash));
    }
    if (!looks_like(TRY(look_at(seen.path)), seen))
        return fail(ErrorCode::io, fmt::format("{} changed while it was read", seen.path));
    return content_digest(std::move(hash));
}

Result<std::string> hash_samples(const InputRecord &seen) {
    constexpr std::int64_t samples = 16, block = 1 << 16;
    const InputFile file = TRY(InputFile::open(seen.path));
    Sha256 hash;
    const std::string facts = fmt::format("{} {}", seen.bytes, seen.modified_ns);
    hash.add(std::as_bytes(std::span(facts.data(), facts.size())));
    for (std::int64_t i = 0; i < samples; i++)
        TRY(file.add(std::max<std::int64_t>(seen.bytes - block, 0) / (samples - 1) * i, block, hash));
    return "sampled:" + std::move(hash).hex();
}

} // namespace

Result<InputRecord> look_at(const std::string &path) {
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
    return record == seen;
}

std::string content_digest(Sha256 content) { return "sha256:" + std::move(content).hex(); }

Result<std::optional<std::string>> known_digest(const StoreIndex &index, const std::string &path, bool fast) {
    const InputRecord seen = TRY(look_at(path));
    if (fast)
        return TRY(hash_samples(seen));
    for (const InputRecord &stored : index.inputs(path))
        if (looks_like(seen, stored))
            return stored.digest;
    return std::nullopt;
}

Result<std::string> Inputs::hash(const InputRecord &seen) {
    if (staging_ != nullptr) {
        const StagedFiles files = TRY(staging_->take({&seen.path, 1}, stop_, Staging::NoRoom::leave));
        if (std::optional<std::string> copied = staging_->digest(seen))
            return *std::move(copied);
    }
    return hash_content(seen, stop_);
}

Result<void> Inputs::check_copy(const std::string &path, const std::string &known) const {
    if (staging_ == nullptr || fast_)
        return {};
    const std::optional<std::string> copied = staging_->digest(TRY(look_at(path)));
    if (copied && *copied != known)
        return fail(ErrorCode::io,
                    fmt::format("the copy of {} has other content than the file had when it was hashed", path));
    return {};
}

Result<std::string> Inputs::digest(const std::string &path) {
    std::shared_ptr<std::mutex> hashing;
    {
        const std::lock_guard lock(mutex_);
        std::shared_ptr<std::mutex> &entry = hashing_[path];
        if (!entry)
            entry = std::make_shared<std::mutex>();
        hashing = entry;
    }
    const std::lock_guard hashing_lock(*hashing);
    if (const std::optional<std::string> known = TRY(known_digest(index_, path, fast_))) {
        TRY(check_copy(path, *known));
        return *known;
    }
    InputRecord record = TRY(look_at(path));
    {
        const std::lock_guard lock(mutex_);
        const auto hashed = hashed_.find(path);
        if (hashed != hashed_.end() && looks_like(record, hashed->second))
            return hashed->second.digest;
    }
    record.digest = TRY(hash(record));
    TRY(store_.append(record));
    const std::lock_guard lock(mutex_);
    hashed_[path] = record;
    return record.digest;
}

} // namespace isovmaf::batch
