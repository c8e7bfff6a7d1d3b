// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "batch/store/run_folder.hpp"

#include <system_error>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "base/parallel.hpp"
#include "base/text.hpp"
#include "base/try.hpp"
#include "batch/store/files.hpp"
#include "input/libav/url_file.hpp"

namespace isovmaf::batch {

namespace {

constexpr int layout_version = 3;
constexpr const char *settings_name = "run.json";

Result<RunSettings> decode_settings(const std::string &text, const std::filesystem::path &file) {
    try {
        const nlohmann::json json = nlohmann::json::parse(text);
        if (!are_whole_numbers(json, {"layout", "segment_frames", "shards"}))
            return fail(ErrorCode::corrupt_data,
                        fmt::format("{} cannot be read: layout, segment_frames and shards have to be whole numbers",
                                    file.string()));
        if (const int layout = json.at("layout"); layout != layout_version)
            return fail(ErrorCode::mismatch,
                        fmt::format("{} has layout {}, this version of isovmaf reads layout {}: use the version that "
                                    "made it, or run the batch in another folder",
                                    file.string(), layout, layout_version));
        return RunSettings{json.at("version"), json.at("options").get<Fields>(), json.at("rows"),
                           json.at("base"),    json.at("segment_frames"),        json.at("shards")};
    } catch (const nlohmann::json::exception &error) {
        return fail(ErrorCode::corrupt_data, fmt::format("{} cannot be read: {}", file.string(), error.what()));
    }
}

Result<std::string> encode_settings(const RunSettings &settings) {
    const nlohmann::ordered_json json{{"layout", layout_version},    {"version", settings.version},
                                      {"options", settings.options}, {"rows", settings.rows},
                                      {"base", settings.base},       {"segment_frames", settings.segment_frames},
                                      {"shards", settings.shards}};
    try {
        return json.dump(2) + '\n';
    } catch (const nlohmann::json::exception &) {
        return fail(ErrorCode::unsupported,
                    fmt::format("the manifest's folder {} or an option holds text that is no UTF-8: run folders keep "
                                "UTF-8 alone, so give the folder another name",
                                escape_controls(settings.base)));
    }
}

std::string options_text(const Fields &options) {
    std::vector<std::string> texts;
    for (const auto &[name, values] : options)
        for (const std::string &value : values)
            texts.push_back(value == "true" ? "--" + name : fmt::format("--{} {}", name, quote_for_shell(value)));
    return texts.empty() ? "no options" : fmt::format("{}", fmt::join(texts, " "));
}

Result<void> make_stores(const RunFolder &folder) {
    std::error_code error;
    std::filesystem::create_directories(folder.stores(), error);
    return error ? file_failed("make", folder.stores(), error.value()) : Result<void>();
}

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
    std::vector<std::filesystem::path> stores;
    std::error_code error;
    for (std::filesystem::directory_iterator entry(folder.stores(), error), end; !error && entry != end;
         entry.increment(error))
        if (entry->path().extension() == ".jsonl")
            stores.push_back(entry->path());
    if (error)
        return file_failed("read", folder.stores(), error.value());
    std::vector<Result<void>> placed(stores.size());
    for_each_number(stores.size(), file_threads(stores.size()),
                    [&](std::size_t i) { placed[i] = place_store(stores[i], target.stores()); });
    for (const Result<void> &of_store : placed)
        TRY(of_store);
    return {};
}

} // namespace

Result<void> check_same_settings(const std::string &name, const RunSettings &settings, const std::string &other_name,
                                 const RunSettings &other) {
    if (settings.version != other.version)
        return fail(ErrorCode::mismatch,
                    fmt::format("{} is of isovmaf {} and {} of isovmaf {}: their scores must not be mixed", name,
                                settings.version, other_name, other.version));
    if (settings.options != other.options)
        return fail(ErrorCode::mismatch,
                    fmt::format("{} has the options {} and {} has {}: their scores must not be mixed", name,
                                options_text(settings.options), other_name, options_text(other.options)));
    return {};
}

Result<RunFolder> RunFolder::open(const std::filesystem::path &path) {
    RunFolder folder;
    folder.path_ = path;
    const Result<std::string> text = read_file(path / settings_name);
    if (!text && text.error().code == ErrorCode::not_found)
        return fail(ErrorCode::not_found,
                    fmt::format("{} is no run folder: it has no {}", escape_controls(path.string()), settings_name));
    if (!text)
        return tl::unexpected(text.error());
    folder.settings_ = TRY(decode_settings(*text, path / settings_name));
    return folder;
}

Result<RunFolder> RunFolder::create(const std::filesystem::path &path, const RunSettings &settings) {
    Result<RunFolder> existing = open(path);
    if (existing) {
        TRY(check_same_settings("run folder " + escape_controls(path.string()), existing->settings(),
                                "this command line", settings));
        TRY(make_stores(*existing));
        return existing;
    }
    if (existing.error().code != ErrorCode::not_found)
        return existing;
    TRY(encode_settings(settings));
    RunFolder folder;
    folder.path_ = path;
    std::error_code error;
    const bool filled = std::filesystem::exists(path, error) && !std::filesystem::is_empty(path, error);
    if (filled && !std::filesystem::exists(folder.stores(), error)) // which another process may have made just now
        return fail(ErrorCode::invalid_argument,
                    fmt::format("{} is neither empty nor a run folder", escape_controls(path.string())));
    TRY(make_stores(folder));
    return folder;
}

Result<void> RunFolder::settle(const RunSettings &settings) {
    settings_ = settings;
    const SettingsLock lock = TRY(SettingsLock::take(path_, SettingsLock::Mode::change));
    return replace_file(path_ / settings_name, TRY(encode_settings(settings)));
}

std::string shards_name(const RunSettings &settings) {
    return fmt::format("shards-{}-{}", settings.shards, settings.rows);
}

Result<void> RunFolder::check_unchanged() const {
    const RunSettings now = TRY(open(path_)).settings_;
    if (now.rows != settings_.rows || now.segment_frames != settings_.segment_frames)
        return fail(ErrorCode::mismatch,
                    fmt::format("another command has used run folder {} with another manifest or --segment-frames: the "
                                "results there are those of that command; run this command again for its own results",
                                escape_controls(path_.string())));
    return {};
}

Result<SettingsLock> RunFolder::keep_unchanged() const {
    SettingsLock lock = TRY(SettingsLock::take(path_, SettingsLock::Mode::keep));
    TRY(check_unchanged());
    return lock;
}

std::string resolve_video(const std::filesystem::path &base, const std::string &video) {
    return is_url(video) ? video : (base / video).string();
}

std::string RunFolder::resolve(const std::string &video) const { return resolve_video(settings_.base, video); }

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
    RunSettings settings = sources.front().settings();
    settings.shards = 0; // the merged folder has the work of all
    TRY(merged.settle(settings));
    return merged;
}

} // namespace isovmaf::batch
