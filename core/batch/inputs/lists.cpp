// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "batch/inputs/lists.hpp"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "base/clock.hpp"
#include "base/try.hpp"
#include "batch/inputs/inputs.hpp"
#include "input/libav/list_files.hpp"
#include "input/libav/numbered_pictures.hpp"
#include "input/libav/url_file.hpp"
#include "input/raw/y4m_source.hpp"

namespace isovmaf::batch {

/// What is known of an input.
struct Lists::Entry {
    std::mutex mutex; ///< guards the members below; held while one of them is found out
    InputRecord seen; ///< when they were found
    std::optional<Kind> kind;
    std::map<std::optional<StreamChoice>, std::string> digests; ///< of a list, by stream

    /// Forgets what was found of an input that looks otherwise now.
    void look_again(const InputRecord &now) {
        if (looks_like(now, seen))
            return;
        seen = now;
        kind.reset();
        digests.clear();
    }
};

namespace {

/// Whether a file may be a list by its first bytes. Lists are text; most videos show after some bytes that they are
/// none, and libav, which knows better, is not asked.
Result<bool> may_be_list(const std::string &path) {
    std::array<std::byte, 16> head{};
    const std::size_t bytes = TRY(TRY(InputFile::open(path)).read(0, head));
    const std::string_view text(reinterpret_cast<const char *>(head.data()), bytes);
    const auto is_of_text = [](char c) {
        return static_cast<unsigned char>(c) >= ' ' || c == '\t' || c == '\n' || c == '\r';
    };
    return is_picture_pattern(path) || (std::ranges::all_of(text, is_of_text) && !text.starts_with(y4m_magic));
}

Result<Lists::Kind> find_kind(const std::string &path) {
    const auto kind = [](bool list) { return list ? Lists::Kind::list : Lists::Kind::self_contained; };
    if (is_url(path))
        return kind(TRY(UrlFile::open(path)).is_list());
    if (!TRY(may_be_list(path)))
        return Lists::Kind::self_contained;
    const Result<bool> list = is_list_file(path);
    if (!list && list.error().code == ErrorCode::unavailable)
        return Lists::Kind::unknown;
    return kind(TRY(list));
}

} // namespace

std::shared_ptr<Lists::Entry> Lists::entry_of(const std::string &path) {
    const std::lock_guard lock(mutex_);
    std::shared_ptr<Entry> &entry = entries_[path];
    if (!entry)
        entry = std::make_shared<Entry>();
    return entry;
}

Result<Lists::Kind> Lists::kind_of(const InputRecord &seen) {
    for (const InputRecord &record : index_.inputs(seen.path))
        if (record.self_contained && looks_like(seen, record))
            return Kind::self_contained;
    const std::shared_ptr<Entry> entry = entry_of(seen.path);
    const std::lock_guard lock(entry->mutex);
    entry->look_again(seen);
    if (!entry->kind)
        entry->kind = TRY(find_kind(seen.path));
    return *entry->kind;
}

Result<std::string> Lists::digest(const InputName &list, const InputRecord &seen, const std::function<bool()> &stop) {
    const std::shared_ptr<Entry> entry = entry_of(list.path);
    const std::lock_guard lock(entry->mutex);
    entry->look_again(seen);
    if (const auto known = entry->digests.find(list.stream); known != entry->digests.end())
        return known->second;
    double seconds = 0;
    std::string digest;
    {
        const StageClock clock(seconds);
        digest = TRY(digest_of_list(list.path, list.stream, stop));
    }
    entry->digests.emplace(list.stream, digest);
    const std::lock_guard all_lock(mutex_);
    readings_.lists++;
    readings_.seconds += seconds;
    return digest;
}

Lists::Readings Lists::readings() const {
    const std::lock_guard lock(mutex_);
    return readings_;
}

} // namespace isovmaf::batch
