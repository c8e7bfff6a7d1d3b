// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "batch/merge.hpp"

#include <system_error>
#include <vector>

#include <fmt/format.h>

#include "base/text.hpp"
#include "base/try.hpp"
#include "batch/files.hpp"

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

/// Puts a file into another folder: as a link where the file system allows it, else as a copy.
Result<void> place(const std::filesystem::path &file, const std::filesystem::path &target) {
    std::error_code error;
    if (std::filesystem::exists(target, error) && std::filesystem::equivalent(file, target, error))
        return {};
    std::filesystem::create_hard_link(file, target, error);
    if (!error)
        return {};
    return replace_file(target, TRY(read_file(file)));
}

/// The words before the records that speak of them: a store that is still being written stays valid.
Result<void> place_stores(const RunFolder &folder, const RunFolder &target) {
    for (const char *const extension : {".words", ".jsonl"}) {
        std::error_code error;
        for (std::filesystem::directory_iterator entry(folder.stores(), error), end; !error && entry != end;
             entry.increment(error))
            if (entry->path().extension() == extension)
                TRY(place(entry->path(), target.stores() / entry->path().filename()));
        if (error)
            return file_failed("read", folder.stores(), error.value());
    }
    return {};
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
