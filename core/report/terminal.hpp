// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "report/report.hpp"

/// Scores as a terminal shows them. Lines are at most 80 characters wide, unless a name alone is wider.
namespace isovmaf {

/// Frames with low scores, as a list shows them.
struct WorstFrameList {
    std::span<const std::int64_t> frames = {}; ///< their numbers, the worst first
    std::int64_t distance = 1;                 ///< frames between two of them, at least
};

struct TerminalOptions {
    std::size_t first_model = 0; ///< columns of the table from here on are those of models
    WorstFrameList worst = {};   ///< a list follows the table where it has frames
    bool styled = false;         ///< the score in bold, by an escape sequence
};

/// The score of each model on a line of its own, which names the model, a table of all pooled scores, and the worst
/// frames. Models come first in the table, then scores of the whole video, then features. The members of a bootstrap
/// model have no row.
[[nodiscard]] std::string terminal_summary(const Report &report, const TerminalOptions &options);

/// What --quiet prints: the mean of the model's score alone on a line. Several models, or features without a model, get
/// a line each: the name and the mean. Without a model the scores of the whole video follow, with their names. `video`
/// is one of several, whose name ends its lines.
[[nodiscard]] std::string plain_scores(const ScoreTable &scores, std::size_t first_model, Precision precision,
                                       const std::string &video = "");

/// The first column of each model, which is its score; without models every column.
[[nodiscard]] std::vector<std::size_t> main_columns(const ScoreTable &scores, std::size_t first_model);

/// Whether a column is that of one of the many models that a bootstrap model is made of: "vmaf_0007".
[[nodiscard]] bool is_bootstrap_member(const ScoreTable &scores, std::size_t column);

/// The pooled scores in columns: mean, min, max, harmonic mean and percentiles.
[[nodiscard]] std::string pooled_table(const ScoreTable &scores, std::size_t first_model);

/// Frames of the report, with their times and their scores in a column.
[[nodiscard]] std::string worst_frames_text(const Report &report, std::size_t column, const WorstFrameList &worst);

/// Names for the rows of a table, at most `width` wide where that leaves them distinct: without what libvmaf puts
/// before and behind the names of features, and with ".." in place of the middle of a long name. The first `features`
/// names are those of features, and lose their options where they are distinct without them: adm2 for
/// integer_adm2_csf_2_egl_1.
[[nodiscard]] std::vector<std::string> short_names(const std::vector<std::string> &names, std::size_t width,
                                                   std::size_t features = 0);

/// The model that a column's scores are of: a version such as vmaf_v0.6.1, or a file. Empty for a feature, and where
/// the score has the name of its model.
[[nodiscard]] std::string model_of(const Report &report, std::size_t column);

/// A name of at most `width` characters: with ".." in place of the middle of a longer one. UTF-8 stays whole.
[[nodiscard]] std::string fit_name(std::string_view name, std::size_t width);

/// A score in a table: as many of four decimals as fit into 8 characters.
[[nodiscard]] std::string table_value(double value);

/// "0:01:05.480"
[[nodiscard]] std::string time_code(double seconds);

} // namespace isovmaf
