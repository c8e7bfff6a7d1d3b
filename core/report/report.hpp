// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/file_io.hpp"
#include "engine/plan/state_facts.hpp"
#include "engine/score_table.hpp"
#include "input/pair/pair_warning.hpp"
#include "isovmaf/execution.hpp"
#include "isovmaf/result.hpp"
#include "isovmaf/video_format.hpp"
#include "report/run_stats.hpp"

namespace isovmaf {

enum class ReportFormat : std::uint8_t { json, xml, csv, sub };

/// How scores are written.
enum class Precision : std::uint8_t {
    legacy, ///< as libvmaf prints: %.6f, or %.16f when the fraction is below 1e-6 but not 0 (scores.md §6)
    max,    ///< the shortest decimal that reads back as the same double
    hex,    ///< C99 hexadecimal floating point; strings in JSON, which has no such numbers
};

/// "legacy", "max" and "hex".
[[nodiscard]] std::string_view precision_name(Precision precision);
[[nodiscard]] std::vector<std::string> precision_names();
[[nodiscard]] Precision precision_of(std::string_view name); ///< one of these names

/// Which keys a report has.
enum class ReportLayout : std::uint8_t {
    isovmaf, ///< those of libvmaf's logs, percentiles, and in JSON the key "isovmaf"; no comma ends a line of CSV
    libvmaf, ///< those of libvmaf's logs alone: byte for byte what libvmaf's program writes of the same scores
};

/// What the report says about one video of the pair.
struct ReportInput {
    std::string path;
    std::string container;
    std::string codec;
    VideoFormat format;
    std::string stream = {};       ///< among the video streams: "v:0"
    std::string pixel_format = {}; ///< libav's name of the one in the file; empty when `format` says it
    /// What the file says about colours, by name; an empty text stands for "not specified".
    std::vector<std::pair<std::string, std::string>> colour = {};
    std::vector<std::string> conversions = {}; ///< of the samples, in order
    std::string ffmpeg_command = {};           ///< with the samples that were scored; empty when there is none
    std::string decoder = {};    ///< a device that decoded the video, and how that was checked; empty: software
    std::string film_grain = {}; ///< "applied" or "left out"; empty: the file has none
    /// The size of the file, and of coded video the bits per second of the stream; nothing: not measured. No report in
    /// JSON, XML, CSV or SUB has them.
    std::optional<std::int64_t> bytes = {}, bit_rate = {};
};

/// How frames were paired. Frames are numbered as in their files, from 0.
struct ReportSync {
    std::string mode = "index";
    std::int64_t offset = 0;              ///< of the distorted video, in frames
    double tolerance_seconds = 0;         ///< 0 when frames were paired by number
    std::vector<std::int64_t> dropped{};  ///< reference frames without partner
    std::vector<std::int64_t> repeated{}; ///< distorted frames without partner
    std::string hint{};                   ///< an offset or a change of it that the pictures suggest; empty: none
};

/// The name of the last column of a CSV report: the time of the frame in seconds.
inline constexpr std::string_view csv_time_column = "Time";

/// What is there of a table that lacks scores.
struct SparseScores {
    std::vector<std::vector<bool>> present;         ///< per frame and column
    std::vector<std::optional<PooledScore>> pooled; ///< per column; nothing when a frame in the pooled range lacks it
};

/// Everything a report says. Equal reports give the same bytes.
struct Report {
    ReportLayout layout = ReportLayout::isovmaf;
    std::string version;                 ///< isovmaf's
    std::string semantics;               ///< "libvmaf 3.2.0 (plain C)" and the like
    Execution execution;                 ///< where the scores were computed; of several devices what they did together
    std::vector<Execution> devices = {}; ///< each of several; else empty
    bool timing = false;                 ///< write device times
    ReportInput reference;
    ReportInput distorted;
    std::string resize;                ///< "dis:bicubic", empty when nothing was scaled
    std::vector<std::string> notes;    ///< what a reader should know about the two videos, one sentence each
    std::vector<UsedFact> facts = {};  ///< of the videos, by which features are computed
    std::vector<PairWarning> warnings; ///< what may make the scores other than the reader expects, in order of finding
    ReportSync sync;
    /// Options that shape the scores, given or by default. Names are distinct, here and in `models`.
    std::vector<std::pair<std::string, std::string>> options;
    std::vector<std::pair<std::string, std::string>> models; ///< score name and where the model came from
    std::optional<RunStats> stats = {};                      ///< where the time went; nothing: it is not to be written
    double fps = 0;               ///< frames scored per second of wall clock; 0 when times are not to be written
    bool incomplete = false;      ///< the run ended before the videos did: the scores cover the frames before that
    double video_rate = 0;        ///< frames per second of the reference; 0 when unknown or not constant
    std::int64_t first_frame = 0; ///< of the reference, in the first pair
    ScoreTable scores;
    std::optional<SparseScores> sparse = {}; ///< nothing: every frame has every score

    [[nodiscard]] bool has_score(std::size_t row, std::size_t column) const {
        return !sparse || sparse->present[row][column];
    }

    /// Statistics of a column; nothing when scores are missing.
    [[nodiscard]] std::optional<PooledScore> pooled(std::size_t column) const {
        return sparse ? sparse->pooled[column] : pool_column(scores, column);
    }

    /// The time of a frame of `scores` in the reference, in seconds from its first frame; nothing when unknown.
    [[nodiscard]] std::optional<double> frame_time(std::int64_t frame) const {
        return video_rate > 0 ? std::optional(static_cast<double>(frame + first_frame) / video_rate) : std::nullopt;
    }
};

/// The features of the report that are not libvmaf's, and whose they are: see FeatureDescriptor::origin.
[[nodiscard]] std::vector<std::pair<std::string, std::string>> origins_of(const ScoreTable &scores);

/// "kernels of cambi left 3 frames to the CPU", for each feature whose kernels flagged frames.
[[nodiscard]] std::vector<std::string> flagged_sentences(const Execution &execution);

/// The report as text, with the keys and the layout of libvmaf's logs. Scores that are not finite are null in JSON,
/// else "inf", "-inf" and "nan". JSON and XML mark an incomplete report and hold percentiles. JSON says where the
/// scores come from, under the key "isovmaf"; XML describes the two videos in the element "videos", which readers of
/// libvmaf's XML skip. Both list the warnings. CSV ends with a line "# incomplete..." and SUB with a subtitle when the
/// report is incomplete. A score that is missing is left out, and is an empty field in CSV. JSON and CSV have the time
/// of each frame in seconds when it is known.
[[nodiscard]] std::string write_report(const Report &report, ReportFormat format, Precision precision);

/// What a report may not replace.
struct ReportRules {
    /// Files that the run reads: no report may be one of them, whatever its name. "-" is standard input.
    std::vector<std::string> inputs = {};
    /// Any other file may be replaced. Without it only reports of isovmaf or libvmaf may be, and empty files.
    bool force = false;
};

/// A report on disk that appears complete or not at all. Opening it before the work checks that it can be written. The
/// text goes to a temporary file in the same folder, which replaces an existing file when all of it is on disk. The new
/// file has the permissions of the file that it replaces, else those of a fresh file. A path that is no regular file (a
/// pipe, /dev/null) is written directly. Behind symbolic links the file that they point to is made or replaced. "-" and
/// "/dev/stdout" are standard output, "/dev/fd/N" is a descriptor.
class ReportFile {
  public:
    /// Fails with invalid_argument on an empty path and on a file that the run reads, else with io.
    [[nodiscard]] static Result<ReportFile> create(const std::string &path, const ReportRules &rules = {});
    /// Writes the text and closes the file, also when writing fails. Must be called once at most.
    Result<void> commit(std::string_view text);

    /// The same for the report of a run that ended early. It is kept as PATH.partial, and a file at PATH stays as it
    /// is; a pipe or standard output gets the text itself. Returns the name of the new file, or nothing.
    Result<std::string> commit_partial(std::string_view text);

    /// Whether `commit_partial` keeps the report as PATH.partial.
    [[nodiscard]] bool has_partial_name() const;

  private:
    ReportFile(std::string path, PendingFile file);
    Result<void> finish(std::string_view text);

    std::string path_;
    PendingFile file_; ///< removes the temporary file when nothing was committed
};

/// Whether a report with this path goes to standard output.
[[nodiscard]] bool names_standard_output(std::string_view path);

} // namespace isovmaf
