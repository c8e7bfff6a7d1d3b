// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "batch/store/store_index.hpp"

#include <cerrno>
#include <fstream>
#include <system_error>
#include <tuple>

#include <fmt/format.h>

#include "base/try.hpp"
#include "batch/store/files.hpp"

namespace isovmaf::batch {

namespace {

/// The bytes of a file from `offset` on.
Result<std::string> read_from(const std::filesystem::path &path, std::uint64_t offset, std::uint64_t bytes) {
    errno = 0;
    std::ifstream file(path, std::ios::binary);
    if (!file)
        return file_failed("open", path, errno == 0 ? EIO : errno);
    std::string text(bytes, '\0');
    file.seekg(static_cast<std::streamoff>(offset));
    file.read(text.data(), static_cast<std::streamsize>(bytes));
    if (file.bad())
        return file_failed("read", path, EIO);
    text.resize(static_cast<std::size_t>(file.gcount()));
    return text;
}

/// Of two failures, the permanent one, or the one whose message is the last in the alphabet.
void keep_one(UnitRecord &kept, const UnitRecord &found) {
    if (std::tie(found.permanent, found.error) >= std::tie(kept.permanent, kept.error))
        kept = found;
}

} // namespace

void StoreIndex::add(StoreRecord record, const Store &store) {
    if (auto *const input = std::get_if<InputRecord>(&record)) {
        contents_.emplace(input->bytes, input->sample);
        std::vector<InputRecord> &seen = inputs_[input->path];
        seen.push_back(std::move(*input));
        return;
    }
    UnitRecord &unit = std::get<UnitRecord>(record);
    if (unit.words) {
        if (unit.words->bytes > store.words_bytes || unit.words->offset > store.words_bytes - unit.words->bytes)
            return; // words that were lost count as not computed
        if (finished_.try_emplace(unit.key, Finished{unit, store.words}).second)
            keys_[unit.unit].push_back(unit.key);
        return;
    }
    if (unit.permanent)
        permanent_.emplace(unit.key, unit.versions);
    keep_one(unit.key.empty() ? unread_[unit.unit] : failed_[unit.key], unit);
    keep_one(failed_[unit.unit], unit);
}

/// Reads whole lines: the last one may be in the middle of being written.
Result<void> StoreIndex::read_store(const std::filesystem::path &path, Store &store) {
    std::error_code error;
    const std::uintmax_t size = std::filesystem::file_size(path, error);
    if (error || size <= store.read) // a store without records is removed by its worker
        return {};
    const std::string text = TRY(read_from(path, store.read, size - store.read));
    store.words_bytes = std::filesystem::file_size(store.words, error);
    if (error)
        store.words_bytes = 0;
    std::size_t start = 0;
    for (std::size_t end = text.find('\n'); end != std::string::npos; end = text.find('\n', start)) {
        if (auto record = decode_record(std::string_view(text).substr(start, end - start)))
            add(*std::move(record), store);
        start = end + 1;
    }
    store.read += start;
    return {};
}

Result<void> StoreIndex::refresh() {
    const std::lock_guard lock(mutex_);
    for (const Folder &folder : folders_)
        TRY(find_stores(folder));
    return read_stores();
}

Result<void> StoreIndex::refresh_changed() {
    const std::lock_guard lock(mutex_);
    for (Folder &folder : folders_)
        if (may_have_changed(folder))
            TRY(find_stores(folder));
    return read_stores();
}

/// Several changes may leave one time of modification: for a second after a change, more are expected.
bool StoreIndex::may_have_changed(Folder &folder) {
    constexpr std::chrono::seconds settled{1};
    const auto now = std::chrono::steady_clock::now();
    std::error_code error;
    const auto modified = std::filesystem::last_write_time(folder.path, error);
    if (error || modified != folder.modified) {
        folder.modified = modified;
        folder.changed = now;
    }
    return now - folder.changed < settled;
}

Result<void> StoreIndex::find_stores(const Folder &folder) {
    std::error_code error;
    for (std::filesystem::directory_iterator entry(folder.path, error), end; !error && entry != end;
         entry.increment(error)) {
        const std::filesystem::path path = entry->path();
        if (path.extension() != ".jsonl")
            continue;
        const auto [store, added] = stores_.try_emplace(path);
        if (added)
            store->second.words = std::filesystem::path(path).replace_extension(".words");
    }
    return error ? Result<void>(file_failed("read", folder.path, error.value())) : Result<void>();
}

Result<void> StoreIndex::read_stores() {
    for (auto &[path, store] : stores_)
        TRY(read_store(path, store));
    return {};
}

std::optional<UnitRecord> StoreIndex::finished(const std::string &key) const {
    const std::lock_guard lock(mutex_);
    const auto found = finished_.find(key);
    return found == finished_.end() ? std::nullopt : std::optional(found->second.record);
}

std::vector<std::string> StoreIndex::keys_of(const std::string &unit) const {
    const std::lock_guard lock(mutex_);
    const auto found = keys_.find(unit);
    return found == keys_.end() ? std::vector<std::string>() : found->second;
}

std::optional<UnitRecord> StoreIndex::failure(const std::string &key_or_unit) const {
    const std::lock_guard lock(mutex_);
    const auto found = failed_.find(key_or_unit);
    return found == failed_.end() ? std::nullopt : std::optional(found->second);
}

bool StoreIndex::fails_with(const std::string &key, const std::string &versions) const {
    const std::lock_guard lock(mutex_);
    return permanent_.contains({key, versions});
}

std::optional<UnitRecord> StoreIndex::unread(const std::string &unit) const {
    const std::lock_guard lock(mutex_);
    const auto found = unread_.find(unit);
    return found == unread_.end() ? std::nullopt : std::optional(found->second);
}

std::vector<InputRecord> StoreIndex::inputs(const std::string &path) const {
    const std::lock_guard lock(mutex_);
    const auto found = inputs_.find(path);
    return found == inputs_.end() ? std::vector<InputRecord>() : found->second;
}

bool StoreIndex::may_have_content(std::int64_t bytes, std::uint64_t sample) const {
    const std::lock_guard lock(mutex_);
    return contents_.contains({bytes, sample});
}

std::string StoreIndex::store_of(const std::string &key) const {
    const std::lock_guard lock(mutex_);
    const auto found = finished_.find(key);
    return found == finished_.end() ? "" : found->second.words.stem().string();
}

Result<std::vector<std::byte>> StoreIndex::words(const std::string &key) const {
    std::filesystem::path path;
    WordsPlace place;
    {
        const std::lock_guard lock(mutex_);
        const auto found = finished_.find(key);
        if (found == finished_.end())
            return fail(ErrorCode::not_found, fmt::format("no store has words with the key {}", key));
        path = found->second.words;
        place = *found->second.record.words;
    }
    std::error_code error;
    const std::uintmax_t size = std::filesystem::file_size(path, error);
    if (error || size < place.bytes || place.offset > size - place.bytes)
        return fail(ErrorCode::corrupt_data, fmt::format("{} is shorter than its store says", path.string()));
    const std::string text = TRY(read_from(path, place.offset, place.bytes));
    const auto bytes = std::as_bytes(std::span(text));
    return std::vector<std::byte>(bytes.begin(), bytes.end());
}

} // namespace isovmaf::batch
