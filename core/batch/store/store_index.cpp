// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "batch/store/store_index.hpp"

#include <algorithm>
#include <system_error>
#include <tuple>

#include <fmt/format.h>

#include "base/parallel.hpp"
#include "base/try.hpp"
#include "batch/store/files.hpp"

namespace isovmaf::batch {

namespace {

constexpr std::string_view shard_start = "shard-"; ///< of names of stores: see shard_prefix

std::vector<StoreRecord> decode_records(std::string_view lines) {
    std::vector<StoreRecord> records;
    for (std::size_t end = lines.find('\n'); end != std::string_view::npos; end = lines.find('\n')) {
        if (auto record = decode_record(lines.substr(0, end)))
            records.push_back(*std::move(record));
        lines.remove_prefix(end + 1);
    }
    return records;
}

/// Of two failures, the permanent one, or the one whose message, and then whose host, is the last in the alphabet.
void keep_one(UnitRecord &kept, const UnitRecord &found) {
    if (std::tie(found.permanent, found.error, found.host) >= std::tie(kept.permanent, kept.error, kept.host))
        kept = found;
}

} // namespace

void StoreIndex::add(StoreRecord record, Store &store) {
    if (auto *const input = std::get_if<InputRecord>(&record)) {
        contents_[{input->bytes, input->sample}].insert(input->digest);
        std::vector<InputRecord> &seen = inputs_[input->path];
        seen.push_back(std::move(*input));
    } else if (const auto *const begun = std::get_if<BegunRecord>(&record)) {
        for (const std::string &unit : begun->units) {
            store.begun[unit].all++;
            store.begun[unit].alone += begun->alone;
        }
    } else if (std::holds_alternative<StoppedRecord>(record))
        store.stopped = true;
    else
        add_unit(std::get<UnitRecord>(std::move(record)), store);
}

void StoreIndex::add_unit(UnitRecord unit, Store &store) {
    store.begun.erase(unit.unit);
    if (unit.words) {
        for (const std::optional<WordsPlace> &place : {unit.words, unit.pictures})
            if (place && (place->bytes > store.words_bytes || place->offset > store.words_bytes - place->bytes))
                return; // words that were lost count as not computed
        if (finished_.try_emplace(unit.key, Finished{unit, store.words}).second)
            keys_[unit.unit].push_back(unit.key);
        return;
    }
    if (unit.permanent)
        permanent_.emplace(unit.key, unit.versions);
    else
        transient_[unit.key]++;
    keep_one(unit.key.empty() ? unread_[unit.unit] : failed_[unit.key], unit);
    keep_one(failed_[unit.unit], unit);
}

Result<void> StoreIndex::refresh() {
    const std::lock_guard lock(mutex_);
    TRY(find_stores());
    return read_stores();
}

bool StoreIndex::is_of_other_shard(const std::string &name) const {
    if (shard_.is_whole() || name.starts_with(shard_prefix(shard_)))
        return false;
    const std::size_t number_end = name.find('-', shard_start.size());
    return name.starts_with(shard_start) && number_end != std::string::npos &&
           name.substr(number_end).starts_with(fmt::format("-of-{}.", shard_.count));
}

Result<void> StoreIndex::find_stores() {
    std::error_code error;
    for (std::filesystem::directory_iterator entry(folder_, error), end; !error && entry != end;
         entry.increment(error)) {
        const std::filesystem::path path = entry->path();
        if (path.extension() != ".jsonl" || is_of_other_shard(path.filename().string()))
            continue;
        const auto [store, added] = stores_.try_emplace(path);
        if (added)
            store->second.words = std::filesystem::path(path).replace_extension(".words");
    }
    return error ? Result<void>(file_failed("read", folder_, error.value())) : Result<void>();
}

/// Reads whole lines: the last one may be in the middle of being written.
Result<StoreIndex::Gained> StoreIndex::read_store(const std::filesystem::path &path, const Store &store) {
    const Result<OpenFile> file = OpenFile::open(path);
    if (!file && file.error().code == ErrorCode::not_found)
        return Gained(); // a store without records is removed by its worker
    if (!file)
        return tl::unexpected(file.error());
    const std::uint64_t size = TRY(file->size());
    if (size <= store.read)
        return Gained();
    std::string text = TRY(file->read(store.read, size - store.read));
    text.resize(text.rfind('\n') + 1); // nothing is left where there is no line feed
    std::error_code error;
    const std::uintmax_t words_bytes = std::filesystem::file_size(store.words, error); // after the records were read
    return Gained{decode_records(text), text.size(), error ? 0 : words_bytes};
}

void StoreIndex::add_gained(Gained gained, Store &store) {
    if (gained.bytes == 0)
        return;
    store.read += gained.bytes;
    store.words_bytes = gained.words_bytes;
    for (StoreRecord &record : gained.records)
        add(std::move(record), store);
}

/// Whichever threads read the stores, their records are added in the order of the stores' names: the first record of a
/// unit counts.
Result<void> StoreIndex::read_stores() {
    constexpr std::size_t stores_ahead = 256; // whose records are in memory twice
    std::vector<std::pair<const std::filesystem::path *, Store *>> stores;
    for (auto &[path, store] : stores_)
        if (std::error_code error; store.read == 0 || std::filesystem::file_size(path, error) != store.read)
            stores.emplace_back(&path, &store); // looking at a store that stays as it is costs less than opening it
    for (std::span rest(stores); !rest.empty();) {
        const auto now = rest.first(std::min(rest.size(), stores_ahead));
        std::vector<Result<Gained>> gained(now.size());
        for_each_number(now.size(), file_threads(now.size()), [&](std::size_t i) {
            const auto &[path, store] = now[i];
            gained[i] = read_store(*path, *store);
        });
        for (std::size_t i = 0; i < now.size(); i++)
            add_gained(TRY(std::move(gained[i])), *now[i].second);
        rest = rest.subspan(now.size());
    }
    return {};
}

std::string StoreIndex::known() const {
    const std::lock_guard lock(mutex_);
    std::string text;
    for (const auto &[path, records] : inputs_)
        for (const InputRecord &record : records)
            text += encode_record(record);
    for (const auto &[key, finished] : finished_)
        text += encode_record(UnitRecord{finished.record.unit, key, WordsPlace()});
    for (const auto &[key, versions] : permanent_) {
        UnitRecord failed{{}, key};
        failed.permanent = true;
        failed.versions = versions;
        text += encode_record(failed);
    }
    for (const auto &[key, count] : transient_)
        for (int i = 0; i < count; i++)
            text += encode_record(UnitRecord{{}, key});
    for (const auto &[unit, deaths] : deaths_of_stores())
        for (int i = 0; i < deaths.all; i++)
            text += encode_record(BegunRecord{{unit}, i < deaths.alone});
    return text;
}

void StoreIndex::add_known(std::string_view text) {
    const std::lock_guard lock(mutex_);
    for (StoreRecord &record : decode_records(text))
        add(std::move(record), known_elsewhere_);
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

bool StoreIndex::fails(const std::string &key) const {
    const std::lock_guard lock(mutex_);
    const auto found = permanent_.lower_bound({key, ""});
    return found != permanent_.end() && found->first == key;
}

bool StoreIndex::fails_with(const std::string &key, const std::string &versions) const {
    const std::lock_guard lock(mutex_);
    return permanent_.contains({key, versions});
}

int StoreIndex::transient_failures(const std::string &key) const {
    const std::lock_guard lock(mutex_);
    const auto found = transient_.find(key);
    return found == transient_.end() ? 0 : found->second;
}

std::map<std::string, UnitDeaths> StoreIndex::deaths() const {
    const std::lock_guard lock(mutex_);
    return deaths_of_stores();
}

std::map<std::string, UnitDeaths> StoreIndex::deaths_of_stores() const {
    std::map<std::string, UnitDeaths> deaths = known_elsewhere_.begun;
    for (const auto &[path, store] : stores_)
        if (!store.stopped)
            for (const auto &[unit, in_store] : store.begun) {
                deaths[unit].all += in_store.all;
                deaths[unit].alone += in_store.alone;
            }
    return deaths;
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

std::set<std::string> StoreIndex::digests_of(std::int64_t bytes, std::uint64_t sample) const {
    const std::lock_guard lock(mutex_);
    const auto found = contents_.find({bytes, sample});
    return found == contents_.end() ? std::set<std::string>() : found->second;
}

std::string StoreIndex::store_of(const std::string &key) const {
    const std::lock_guard lock(mutex_);
    const auto found = finished_.find(key);
    return found == finished_.end() ? "" : found->second.words.stem().string();
}

namespace {

using Words = std::vector<std::byte>;

Result<Words> read_words(const OpenFile &file, const std::filesystem::path &path, const WordsPlace &place) {
    const std::string text = TRY(file.read(place.offset, place.bytes));
    if (text.size() < place.bytes)
        return fail(ErrorCode::corrupt_data, fmt::format("{} is shorter than its store says", path.string()));
    const auto bytes = std::as_bytes(std::span(text));
    return Words(bytes.begin(), bytes.end());
}

} // namespace

std::vector<Result<Words>> StoreIndex::words(std::span<const std::string> keys) const {
    return read_places(keys, &UnitRecord::words);
}

std::vector<Result<Words>> StoreIndex::pictures(std::span<const std::string> keys) const {
    return read_places(keys, &UnitRecord::pictures);
}

std::vector<Result<Words>> StoreIndex::read_places(std::span<const std::string> keys,
                                                   std::optional<WordsPlace> UnitRecord::*place) const {
    std::vector<Result<Words>> words(keys.size());
    std::map<std::filesystem::path, std::vector<std::pair<std::size_t, WordsPlace>>> places; // by file
    {
        const std::lock_guard lock(mutex_);
        for (std::size_t i = 0; i < keys.size(); i++)
            if (const auto found = finished_.find(keys[i]); found != finished_.end())
                places[found->second.words].emplace_back(i, (found->second.record.*place).value_or(WordsPlace()));
            else
                words[i] = fail(ErrorCode::not_found, fmt::format("no store has words with the key {}", keys[i]));
    }
    std::vector<decltype(places)::const_iterator> files;
    for (auto file = places.cbegin(); file != places.cend(); ++file)
        files.push_back(file);
    for_each_number(files.size(), file_threads(files.size()), [&](std::size_t number) {
        const auto &[path, places_in_file] = *files[number];
        const Result<OpenFile> file = OpenFile::open(path);
        for (const auto &[i, in_file] : places_in_file)
            words[i] = file ? read_words(*file, path, in_file) : tl::unexpected(file.error());
    });
    return words;
}

} // namespace isovmaf::batch
