// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "batch/store/merge.hpp"

#include <system_error>
#include <vector>

#include <fmt/format.h>

#include "base/text.hpp"
#include "base/try.hpp"
#include "batch/store/files.hpp"

namespace isovmaf::batch {

namespace {

std::string named(const RunFolder &folder) { return "run folder " + escape_controls(folder.path().string()); }

Result<void> check_together(const RunFolder &a, const RunFolder &b) {
    TRY(check_same_settings(named(a), a.settings(), named(b), b.settings()));
    if (a.settings().rows != b.settings().rows)
        return fail(ErrorCode::mismatch,
                    fmt::format("{} and {} have different rows: only parts of one manifest's work can be merged",
                                named(a), named(b)));
    return {};
}

/// Puts a file into another folder: as a link where the file system allows it, else as a copy. Files of stores only
/// grow, so that of two with one name the longer one has all that the other has.
Result<void> place(const std::filesystem::path &file, const std::filesystem::path &target) {
    std::error_code error;
    std::filesystem::create_hard_link(file, target, error);
    if (!error || (std::filesystem::equivalent(file, target, error) && !error))
        return {};
    const std::string text = TRY(read_file(file));
    const std::uintmax_t there = std::filesystem::file_size(target, error);
    if (!error && there >= text.size())
        return {};
    return replace_file(target, text);
}

/// The words before the records that speak of them, as others may read the target. A store that is still being written
/// has no words yet for its last records, if it is copied: they count as not written.
Result<void> place_store(std::filesystem::path store, const std::filesystem::path &target) {
    for (const char *const extension : {".words", ".jsonl"}) {
        store.replace_extension(extension);
        const Result<void> placed = place(store, target / store.filename());
        if (!placed && placed.error().code == ErrorCode::not_found && !std::filesystem::exists(store))
            return {}; // a store without records is removed by its worker
        TRY(placed);
    }
    return {};
}

Result<void> place_stores(const RunFolder &folder, const RunFolder &target) {
    std::error_code error;
    for (std::filesystem::directory_iterator entry(folder.stores(), error), end; !error && entry != end;
         entry.increment(error))
        if (entry->path().extension() == ".jsonl")
            TRY(place_store(entry->path(), target.stores()));
    return error ? file_failed("read", folder.stores(), error.value()) : Result<void>();
}

} // namespace

Result<RunFolder> merge_folders(std::span<const std::filesystem::path> folders, const std::filesystem::path &target) {
    std::vector<RunFolder> sources;
    for (const std::filesystem::path &path : folders) {
        sources.push_back(TRY(RunFolder::open(path)));
        TRY(check_together(sources.front(), sources.back()));
    }
    RunFolder merged = TRY(RunFolder::create(target, sources.front().settings()));
    if (!merged.settings().rows.empty())
        TRY(check_together(sources.front(), merged));
    TRY(place(sources.front().rows(), target / sources.front().settings().rows));
    for (const RunFolder &source : sources)
        TRY(place_stores(source, merged));
    TRY(merged.settle(sources.front().settings()));
    return merged;
}

} // namespace isovmaf::batch
