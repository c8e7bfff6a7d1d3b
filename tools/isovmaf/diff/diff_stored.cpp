// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "tools/isovmaf/diff/diff_stored.hpp"

#include <filesystem>

#include <fmt/format.h>

#include "base/try.hpp"
#include "golden/golden_file.hpp"
#include "stored/stored_golden.hpp"

namespace isovmaf::tool {

namespace {

using diff::Harness;

Result<diff::Pictures> golden_pictures(const GoldenClip &clip) {
    if (clip.reference.empty())
        return content_pictures({.fill = "clip", .format = clip.format, .seed = 0, .frames = clip.frames});
    return video_pictures(
        {.reference = {clip.reference.string(), clip.format}, .distorted = {clip.distorted.string(), clip.format}});
}

Result<void> compare_with_report(const DiffArguments &arguments, const DiffJob &job, Harness &harness) {
    if (!job.videos)
        return fail(
            ErrorCode::invalid_argument,
            fmt::format("{} is a report about videos: name them with --reference and --distorted", arguments.against));
    const StoredReport stored = TRY(read_stored_report(arguments.against));
    Result<diff::Pictures> pictures = video_pictures(*job.videos);
    if (pictures)
        pictures = diff::reduce(*std::move(pictures), job.reduction);
    if (!pictures)
        return tl::unexpected(pictures.error());
    SessionOptions options = TRY(job.scoring ? *job.scoring : parse_scoring(arguments));
    options.threads = arguments.threads;
    options.backend_folders = arguments.backend_folders;
    harness.compare(*pictures, options, stored);
    return {};
}

Result<void> compare_with_golden(const DiffArguments &arguments, const DiffJob &job, Harness &harness) {
    if (job.reduction != diff::Reduction{})
        return fail(
            ErrorCode::invalid_argument,
            fmt::format("{} has scores of whole pictures: leave out --skip, --frame_cnt, --crop and --keep_bits",
                        arguments.against));
    const std::filesystem::path file = arguments.against;
    const std::filesystem::path clips = arguments.clips_folder.empty()
                                            ? std::filesystem::absolute(file).parent_path().parent_path() / "clips"
                                            : std::filesystem::path(arguments.clips_folder);
    const std::vector<GoldenClip> golden_clips = TRY(read_golden_file(file, clips));
    for (const GoldenClip &clip : golden_clips) {
        if (clip.columns.empty())
            continue;
        const Result<diff::Pictures> pictures = golden_pictures(clip);
        Result<SessionOptions> options = golden_options(clip);
        if (!pictures || !options)
            return tl::unexpected(pictures ? options.error() : pictures.error());
        options->threads = arguments.threads;
        options->backend_folders = arguments.backend_folders;
        if (!harness.compare(*pictures, *options, stored_report(clip)) || harness.stopped())
            break;
    }
    return {};
}

} // namespace

Result<void> compare_with_stored(const DiffArguments &arguments, const DiffJob &job, diff::Harness &harness) {
    const auto compare = is_golden_file(arguments.against) ? compare_with_golden : compare_with_report;
    return compare(arguments, job, harness);
}

} // namespace isovmaf::tool
