// SPDX-License-Identifier: BSD-2-Clause-Patent
// Reports of the stored scores.
#include <algorithm>
#include <limits>

#include <fmt/format.h>

#include "base/try.hpp"
#include "capi/context.hpp"
#include "engine/score_table.hpp"
#include "features/option.hpp"

using namespace isovmaf;
using namespace isovmaf::capi;

namespace {

Result<ReportFormat> report_format(VmafOutputFormat format) {
    switch (format) {
    case VMAF_OUTPUT_FORMAT_XML:
        return ReportFormat::xml;
    case VMAF_OUTPUT_FORMAT_JSON:
        return ReportFormat::json;
    case VMAF_OUTPUT_FORMAT_CSV:
        return ReportFormat::csv;
    case VMAF_OUTPUT_FORMAT_SUB:
        return ReportFormat::sub;
    default:
        return fail(ErrorCode::invalid_argument,
                    fmt::format("there is no report format {}: give one from {} to {}", static_cast<unsigned>(format),
                                static_cast<unsigned>(VMAF_OUTPUT_FORMAT_XML),
                                static_cast<unsigned>(VMAF_OUTPUT_FORMAT_SUB)));
    }
}

} // namespace

Result<void> VmafContext::write_output(const std::string &path, ReportFormat format) {
    settle();
    // "-" is a file here, as every other path.
    ReportFile file = TRY(ReportFile::create(path == "-" ? "./-" : path, {.inputs = {}, .force = true}));
    return file.commit(isovmaf::write_report(report(), format, Precision::legacy));
}

Report VmafContext::report() const {
    Report report;
    report.layout = ReportLayout::libvmaf;
    report.version = vmaf_version();
    report.reference.format = format_.value_or(VideoFormat{});
    report.fps = frames_per_second();
    report.sparse.emplace();
    std::vector<std::size_t> columns;
    for (std::size_t c = 0; c < scores_.column_count(); c++) {
        if (!scores_.has_scores(c))
            continue;
        columns.push_back(c);
        report.scores.names.push_back(report_name(scores_.name(c)));
        std::optional<std::vector<double>> scores =
            accepted_ > 0 ? scores_.range(c, 0, accepted_ - 1, subsample_) : std::nullopt;
        report.sparse->pooled.push_back(scores ? std::optional(pool_scores(*std::move(scores))) : std::nullopt);
    }
    add_rows(report, columns);
    if (video_)
        report.scores.aggregates = video_->aggregates();
    return report;
}

void VmafContext::add_rows(Report &report, const std::vector<std::size_t> &columns) const {
    for (const unsigned index : scores_.indices().multiples(subsample_)) {
        FrameScores &row = report.scores.frames.emplace_back(FrameScores{index, {}, {}});
        std::vector<bool> &present = report.sparse->present.emplace_back();
        for (const std::size_t column : columns) {
            const std::optional<double> score = scores_.at(column, index);
            row.scores.push_back(score.value_or(std::numeric_limits<double>::quiet_NaN()));
            present.push_back(score.has_value());
        }
    }
}

/// From the first pair of pictures to the last score of a feature.
double VmafContext::frames_per_second() const {
    if (!video_ || video_->last_stored() <= first_read_)
        return 0;
    return accepted_ / std::chrono::duration<double>(video_->last_stored() - first_read_).count();
}

int vmaf_write_output(VmafContext *vmaf, const char *output_path, VmafOutputFormat fmt) {
    return VmafContext::enter(vmaf, [&](VmafContext &context) -> Result<void> {
        TRY(require_arguments("vmaf_write_output", output_path));
        return context.write_output(output_path, TRY(report_format(fmt)));
    });
}
