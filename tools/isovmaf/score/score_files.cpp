// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "tools/isovmaf/score/score_files.hpp"

#include <algorithm>
#include <cmath>

#include "base/try.hpp"
#include "tools/isovmaf/report_paths.hpp"

namespace isovmaf::tool {

namespace {

/// Adds the name of the file to `kept` if it is that of an interrupted run, in a file of its own.
Result<void> write_file(ReportFile &file, const std::string &text, bool incomplete, std::string &kept) {
    if (!incomplete)
        return file.commit(text);
    const std::string name = TRY(file.commit_partial(text));
    if (!name.empty())
        kept += (kept.empty() ? "" : " and ") + name;
    return {};
}

/// The colours of the samples that are scored: R'G'B' sources are converted to those of the other video, unless the
/// request names a matrix.
PictureColour picture_colour(const ColourDescription &own, const ColourDescription &other, const VideoSide &side) {
    const bool rgb = own.matrix == "gbr";
    const std::string &range = rgb || side.convert_range ? other.range : own.range;
    const std::string &converted = side.convert_matrix.empty() ? other.matrix : side.convert_matrix;
    const std::string &matrix = rgb ? converted : own.matrix;
    return {rgb && (matrix.empty() || matrix == "gbr") ? "bt709" : matrix, range == "full"};
}

} // namespace

WorstFrames::Options worst_frames_options(const ScoreArguments &arguments, const ScoreRequest &job,
                                          const OpenedVideos &videos, double video_rate, std::size_t column) {
    constexpr std::size_t default_count = 8, most = 50;
    constexpr std::int64_t default_distance = 12; // half a second of many videos
    WorstFrames::Options options;
    options.column = column;
    options.count = arguments.worst > 0 ? std::min(static_cast<std::size_t>(arguments.worst), most) : default_count;
    options.distance = video_rate > 0 ? std::max<std::int64_t>(1, std::llround(video_rate / 2)) : default_distance;
    if (const std::optional<std::int64_t> pairs = videos.pairs->expected_pairs()) // a short clip fills the list, too
        options.distance =
            std::clamp<std::int64_t>(*pairs / static_cast<std::int64_t>(2 * options.count), 1, options.distance);
    options.subsample = job.scoring.subsample;
    const ColourDescription &reference = videos.reference.colour, &distorted = videos.distorted.colour;
    options.reference = picture_colour(reference, distorted, job.videos.reference);
    options.distorted = picture_colour(distorted, reference, job.videos.distorted);
    return options;
}

Result<ScoreFiles> ScoreFiles::create(const ScoreArguments &arguments, const ScoreRequest &job) {
    const ReportRules rules{input_files(arguments, job.scoring.models), arguments.force};
    ScoreFiles files;
    ReportPaths paths;
    const auto open = [&](const std::optional<std::string> &path, std::optional<ReportFile> &file) -> Result<void> {
        if (!path)
            return {};
        TRY(paths.add(*path));
        file = TRY(ReportFile::create(*path, rules));
        files.on_standard_output_ = files.on_standard_output_ || names_standard_output(*path);
        return {};
    };
    TRY(open(job.output, files.report_));
    TRY(open(arguments.html, files.page_));
    return files;
}

Result<std::string> ScoreFiles::write(const ScorePage &page, const ScoreRequest &job) {
    const bool incomplete = page.report.incomplete;
    std::string kept;
    if (report_)
        TRY(write_file(*report_, write_report(page.report, job.report_format, job.precision), incomplete, kept));
    if (page_)
        TRY(write_file(*page_, score_page_html(page), incomplete, kept));
    return kept;
}

} // namespace isovmaf::tool
