// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "diff/result.hpp"
#include "report/escape.hpp"
#include "report/number_text.hpp"

/// Phrases that the reports share. What these functions return is not escaped for any format, except that it is one
/// line of valid UTF-8.
namespace isovmaf::diff {

/// The shortest decimal that reads back as the same bits; NaN alone does not.
[[nodiscard]] std::string decimal_text(double value);
/// C99 hexadecimal: "0x1.8p+1"; NaN and infinities as their bits: "0x7ff8000000000000".
[[nodiscard]] std::string hex_text(double value);
/// A word's value and its bits: "12 (0xc)", "0.5 (0x1p-1)".
[[nodiscard]] std::string word_and_hex_text(std::int64_t word, WordKind kind);
/// Two's complement: "0x1f", "0xffffffffffffffff".
[[nodiscard]] std::string hex_text(std::int64_t value);

/// "12 ULP", "NaN or infinite"
[[nodiscard]] std::string ulp_text(std::uint64_t distance);

/// "equal", "differ", "could_not_run", "not_executed"
[[nodiscard]] std::string_view verdict_name(Verdict verdict);

/// A sentence for people: "Everything that was compared is equal."
[[nodiscard]] std::string verdict_text(const DiffResult &result);

/// "compared 12 cases, 36 frames, 9,504 values and 40,000 words: 0 differ"
[[nodiscard]] std::string counts_text(const DiffResult &result);

[[nodiscard]] inline bool differs(const Tally &tally) { return tally.different + tally.words_different > 0; }

/// "equal", "max 12 ULP, 3 of 990", "5 of 4,000 words", both, or "nothing compared"
[[nodiscard]] std::string tally_text(const Tally &tally);

/// Tallies in rows and columns as the reports show them.
struct Grid {
    struct Row {
        std::string subject;
        std::int64_t values = 0, words = 0; ///< the most on any side
        std::vector<const Tally *> sides;   ///< null where there is none
    };
    std::vector<std::string> sides; ///< that were compared with the reference
    std::vector<Row> rows;
};
[[nodiscard]] Grid tally_grid(const DiffResult &result);

/// tally_text, and counts where they are not those of the row; "-" where there is no tally.
[[nodiscard]] std::string cell_text(const Grid::Row &row, std::size_t side);

/// All that is known about one subject that differs on one side.
struct Fault {
    std::string side, subject;
    const Tally *tally = nullptr; ///< null when there are findings alone
    std::vector<const FeatureDifference *> findings;
};
[[nodiscard]] std::vector<Fault> faults(const DiffResult &result);

/// A fact about a fault: a label and a text.
struct Fact {
    std::string label;
    std::string text;
};
inline constexpr std::string_view command_label = "repeat with"; ///< of the one fact that is a command
inline constexpr std::string_view stages_label = "equal before"; ///< of the stages before a fault
/// The first score and the first word that differ, where there are such.
[[nodiscard]] std::vector<Fact> facts(const Tally &tally);
[[nodiscard]] std::vector<Fact> facts(const FeatureDifference &finding);

/// "scale 1: variance, 66x34 values"
[[nodiscard]] std::string stage_text(const StageFault &fault);

/// The facts about a side that are not empty: backend, device, versions, launches.
[[nodiscard]] std::vector<Fact> facts(const Proof &proof);

/// "hip:0: kernels of cambi left 3 frames to the CPU, whose words were compared in place of theirs", for each side and
/// feature whose kernels flagged frames: that such frames are equal says nothing of the kernels.
[[nodiscard]] std::vector<std::string> flagged_texts(const DiffResult &result);

/// The device, or that none was opened.
[[nodiscard]] std::string device_name(const Execution &execution);

} // namespace isovmaf::diff
