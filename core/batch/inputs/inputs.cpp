// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "batch/inputs/inputs.hpp"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/content_blocks.hpp"
#include "base/file_io.hpp"
#include "base/parallel.hpp"
#include "base/try.hpp"
#include "batch/inputs/staging.hpp"
#include "batch/store/files.hpp"
#include "execution/thread_budget.hpp"

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

Result<std::int64_t> InputFile::add(std::int64_t offset, std::int64_t bytes, ContentHash &hash) {
    const std::int64_t begin = offset;
    constexpr std::int64_t block = 1 << 18; // stays in a processor's cache until it is hashed
    std::vector<std::byte> buffer(static_cast<std::size_t>(std::clamp<std::int64_t>(bytes, 1, block)));
    while (bytes > 0) {
        const auto most = static_cast<std::size_t>(std::min(bytes, block));
        const std::size_t count = TRY(read(offset, std::span(buffer).first(most)));
        if (count == 0)
            break;
        hash.add(std::span(buffer).first(count));
        offset += static_cast<std::int64_t>(count);
        bytes -= static_cast<std::int64_t>(count);
    }
    return offset - begin;
}

namespace {

using FileStatus = struct stat;

constexpr std::string_view samples_prefix = "sampled:"; ///< what digests of samples begin with

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

/// A URL has neither inode nor times: its size and samples of its content stand for them. Those of a list say nothing.
Result<InputRecord> look_at_url(const std::string &url) {
    UrlFile file = TRY(UrlFile::open(url));
    if (file.is_list())
        return InputRecord{url, 0, file.bytes(), 0, 0, {}};
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

tl::unexpected<Error> changed(const InputRecord &seen) {
    return fail(ErrorCode::io, fmt::format("{} changed while it was read", seen.path));
}

/// Hashes one part of a file.
Result<void> hash_part(InputFile &file, const InputRecord &seen, BlockHashes &hashes, std::size_t part) {
    const ByteRange range = hashes.layout().part(part);
    ContentHash hash;
    const auto bytes = static_cast<std::int64_t>(range.bytes);
    if (TRY(file.add(static_cast<std::int64_t>(range.offset), bytes, hash)) != bytes)
        return changed(seen);
    hashes.set(part, hash);
    return {};
}

/// Hashes the parts of a file that have no hash, several threads side by side, until one fails. Each takes neighbours,
/// which are read faster.
Result<void> hash_missing(const InputRecord &seen, BlockHashes &hashes, const std::function<bool()> &stop) {
    constexpr std::uint64_t run_bytes = std::uint64_t{16} << 20;
    const std::size_t parts = hashes.layout().parts();
    const std::size_t run = std::max<std::size_t>(run_bytes / hashes.layout().distance, 1);
    const std::size_t most = is_url(seen.path) ? 1 : std::clamp<std::size_t>(hashes.count_missing(), 1, 8);
    const std::size_t threads = std::min(static_cast<std::size_t>(budget_of({}).hashers), most);
    InputFile file = TRY(InputFile::open(seen.path));
    std::mutex mutex; // of `ended`
    Result<void> ended;
    std::atomic<bool> failed = false;
    const auto fail_with = [&](const Error &error) {
        const std::lock_guard lock(mutex);
        if (!failed.exchange(true))
            ended = tl::unexpected(error);
    };
    for_each_number((parts + run - 1) / run, threads, [&](std::size_t number) {
        const std::size_t end = std::min((number + 1) * run, parts);
        for (std::size_t part = number * run; part < end && !failed; part++) {
            if (!hashes.is_missing(part))
                continue;
            if (stop())
                fail_with({ErrorCode::interrupted, fmt::format("the reading of {} was interrupted", seen.path)});
            else if (const Result<void> hashed = hash_part(file, seen, hashes, part); !hashed)
                fail_with(hashed.error());
        }
    });
    return ended;
}

/// The digest of a file some of whose parts may be hashed.
Result<std::string> hash_content(const InputRecord &seen, BlockHashes &hashes, const std::function<bool()> &stop) {
    if (hashes.count_missing() > 0)
        TRY(hash_missing(seen, hashes, stop));
    if (hashes.layout().file_bytes != static_cast<std::uint64_t>(seen.bytes) ||
        !looks_like(TRY(look_at(seen.path)), seen))
        return changed(seen);
    return hashes.digest();
}

/// The digest of a file none of whose parts is hashed.
Result<std::string> hash_content(const InputRecord &seen, const BlockLayout &layout,
                                 const std::function<bool()> &stop) {
    BlockHashes hashes(layout);
    return hash_content(seen, hashes, stop);
}

BlockLayout whole_file(const InputRecord &seen) { return isovmaf::whole_file(static_cast<std::uint64_t>(seen.bytes)); }

bool has_whole(std::span<const std::string> digests) {
    return !digests.empty() && (is_of_whole_file(digests.front()) || digests.front().starts_with(samples_prefix));
}

bool is_content_digest(std::string_view digest) { return layout_of(digest).has_value(); }

Result<std::string> hash_samples(const InputRecord &seen) {
    constexpr std::int64_t count = 16, block = 1 << 16;
    InputFile file = TRY(InputFile::open(seen.path));
    ContentHash hash;
    const std::string facts = fmt::format("{} {}", seen.bytes, seen.modified_ns);
    hash.add(std::as_bytes(std::span(facts)));
    for (std::int64_t i = 0; i < count; i++)
        TRY(file.add(std::max<std::int64_t>(seen.bytes - block, 0) / (count - 1) * i, block, hash));
    if (!looks_like(TRY(look_at(seen.path)), seen))
        return changed(seen);
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
    record.self_contained = seen.self_contained;
    return record == seen;
}

namespace {

/// Adds the digests of those records that say what the file looks like now. Without repetitions; that of the whole file
/// comes first.
void add_digests(std::vector<std::string> &digests, std::span<const InputRecord> records, const InputRecord &seen,
                 bool fast) {
    for (const InputRecord &record : records) {
        if (!looks_like(seen, record) || std::ranges::find(digests, record.digest) != digests.end())
            continue;
        if (fast ? record.digest.starts_with(samples_prefix) : is_content_digest(record.digest))
            digests.push_back(record.digest);
    }
    std::ranges::stable_sort(digests);
    std::ranges::stable_partition(digests, is_of_whole_file);
}

} // namespace

std::vector<std::string> known_digests_of(const StoreIndex &index, const InputRecord &seen, bool fast) {
    std::vector<std::string> digests;
    add_digests(digests, index.inputs(seen.path), seen, fast);
    return digests;
}

Result<std::vector<std::string>> known_digests(const StoreIndex &index, Lists &lists, const InputName &input, bool fast,
                                               const std::function<bool()> &stop) {
    const InputRecord seen = TRY(look_at(input.path));
    const auto is_known = [&](const InputRecord &record) { return looks_like(seen, record); };
    if (std::ranges::none_of(index.inputs(input.path), is_known))
        return std::vector<std::string>(); // a list is read when its unit is worked on
    if (input.is_video && TRY(lists.kind_of(seen)) == Lists::Kind::list)
        return std::vector{TRY(lists.digest(input, seen, stop))};
    return known_digests_of(index, seen, fast);
}

/// What an input looks like now; of a list with its digest.
Result<InputRecord> Inputs::look(const InputName &input) {
    InputRecord seen = TRY(look_at(input.path));
    if (!input.is_video)
        return seen;
    const Lists::Kind kind = TRY(lists_.kind_of(seen));
    seen.self_contained = kind == Lists::Kind::self_contained;
    if (kind != Lists::Kind::list)
        return seen;
    seen.digest = TRY(lists_.digest(input, seen, stop_));
    std::vector<InputRecord> kept = index_.inputs(input.path);
    {
        const std::lock_guard lock(mutex_);
        if (const auto hashed = hashed_.find(input.path); hashed != hashed_.end())
            kept.insert(kept.end(), hashed->second.begin(), hashed->second.end());
    }
    if (std::ranges::find(kept, seen) == kept.end())
        TRY(keep(seen));
    return seen;
}

Result<bool> Inputs::is_list(const std::string &video) {
    return TRY(lists_.kind_of(TRY(look_at(video)))) == Lists::Kind::list;
}

Result<std::string> Inputs::hash(const InputRecord &seen) {
    if (fast_)
        return hash_samples(seen);
    if (staging_ != nullptr) {
        const StagedFiles files = TRY(staging_->take({&seen.path, 1}, stop_, Staging::NoRoom::leave));
        if (std::optional<std::string> copied = staging_->digest(seen))
            return *std::move(copied);
    }
    return hash_content(seen, whole_file(seen), stop_);
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

Result<std::string> Inputs::digest(const InputName &input) { return digest_of(TRY(look(input))); }

/// `record` is what the file looks like now; that of a list has the digest.
Result<std::string> Inputs::digest_of(InputRecord record) {
    if (!record.digest.empty())
        return record.digest;
    std::shared_ptr<std::mutex> hashing;
    {
        const std::lock_guard lock(mutex_);
        std::shared_ptr<std::mutex> &entry = hashing_[record.path];
        if (!entry)
            entry = std::make_shared<std::mutex>();
        hashing = entry;
    }
    const std::lock_guard hashing_lock(*hashing);
    if (const std::vector<std::string> known = digests_of(record); has_whole(known)) {
        TRY(check_copy(record, known.front()));
        return known.front();
    }
    if (is_sampled(record) && !fast_ && record.sample == 0)
        record.sample = TRY(sample_of(record));
    record.digest = TRY(hash(record));
    TRY(keep(record));
    return record.digest;
}

/// The digests of a file that looks as it did when it was hashed, by this process or another.
std::vector<std::string> Inputs::digests_of(const InputRecord &seen) {
    std::vector<std::string> digests = known_digests_of(index_, seen, fast_);
    const std::lock_guard lock(mutex_);
    if (const auto hashed = hashed_.find(seen.path); hashed != hashed_.end())
        add_digests(digests, hashed->second, seen, fast_);
    return digests;
}

Result<void> Inputs::keep(const InputRecord &record) {
    TRY(store_.append(record));
    const std::lock_guard lock(mutex_);
    hashed_[record.path].push_back(record);
    contents_[{record.bytes, record.sample}].insert(record.digest);
    return {};
}

/// Hashes a file in each way in which those were hashed that it may be a copy of.
Result<std::vector<std::string>> Inputs::digests_of_copy(const InputRecord &seen) {
    std::set<std::string> of_others = index_.digests_of(seen.bytes, seen.sample);
    {
        const std::lock_guard lock(mutex_);
        if (const auto found = contents_.find({seen.bytes, seen.sample}); found != contents_.end())
            of_others.insert(found->second.begin(), found->second.end());
    }
    std::vector<BlockLayout> layouts;
    for (const std::string &digest : of_others)
        if (const auto layout = layout_of(digest); layout &&
                                                   layout->file_bytes == static_cast<std::uint64_t>(seen.bytes) &&
                                                   std::ranges::find(layouts, *layout) == layouts.end())
            layouts.push_back(*layout);
    std::vector<std::string> digests;
    for (const BlockLayout &layout : layouts) {
        InputRecord record = seen;
        record.digest = TRY(hash_content(seen, layout, stop_));
        TRY(keep(record));
        digests.push_back(record.digest);
    }
    return digests;
}

Result<Inputs::Reading> Inputs::begin_reading(const InputName &input) {
    InputRecord seen = TRY(look(input));
    if (!seen.digest.empty() || fast_ || staging_ != nullptr || !is_sampled(seen)) {
        std::string whole = TRY(digest_of(seen));
        return Reading{std::move(seen), {std::move(whole)}};
    }
    std::vector<std::string> known = digests_of(seen);
    if (known.empty()) {
        seen.sample = TRY(sample_of(seen));
        known = TRY(digests_of_copy(seen));
        std::ranges::stable_partition(known, is_of_whole_file);
    }
    auto content = has_whole(known) ? nullptr : std::make_shared<ReadContent>(known);
    return Reading{std::move(seen), std::move(known), std::move(content)};
}

Result<std::string> Inputs::end_reading(const Reading &reading) {
    if (const std::optional<std::string> &known = reading.content->known_digest()) {
        if (!looks_like(TRY(look_at(reading.seen.path)), reading.seen))
            return changed(reading.seen);
        return *known;
    }
    BlockHashes &hashes = reading.content->hashes(static_cast<std::uint64_t>(reading.seen.bytes));
    InputRecord record = reading.seen;
    record.digest = TRY(hash_content(record, hashes, stop_));
    if (const auto known = digests_of(record); std::ranges::find(known, record.digest) != known.end())
        return record.digest; // another worker has read it, too
    if (record.sample == 0)   // a record with another digest has it
        record.sample = TRY(sample_of(record));
    TRY(keep(record));
    return record.digest;
}

} // namespace isovmaf::batch
