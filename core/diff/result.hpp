// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/ulp.hpp"
#include "html/heat_map.hpp"
#include "isovmaf/execution.hpp"
#include "isovmaf/words.hpp"

/// What a comparison of backends found: all that its reports are made of.
namespace isovmaf::diff {

/// How the comparison ended. The numbers are exit codes.
enum class Verdict : int {
    equal = 0,         ///< everything that was compared has the same bits
    differ = 1,        ///< something does not
    could_not_run = 2, ///< a side could not be opened or failed, or nothing was compared
    not_executed = 3,  ///< a side did not do its work on its device
};

/// One value that differs.
struct Difference {
    std::string content; ///< a line that describes the pictures
    std::int64_t frame = 0;
    std::string score; ///< as reports name it
    double expected = 0, found = 0;
    std::uint64_t ulp = 0;     ///< between them
    std::uint64_t ulp_f32 = 0; ///< between both rounded to f32
};

/// One word that differs.
struct WordDifference {
    std::string content; ///< a line that describes the pictures
    std::int64_t frame = 0;
    std::string word; ///< its name
    WordKind kind = WordKind::i64;
    std::int64_t expected = 0, found = 0;
};

/// All values of one feature or model on one side.
struct Tally {
    std::string side;      ///< "hip:0"
    std::string subject;   ///< a feature's name, or a model's
    std::string exactness; ///< what the feature's descriptor promises: "bitwise"; empty for all but features
    std::int64_t values = 0, different = 0;      ///< scores
    std::int64_t words = 0, words_different = 0; ///< words behind the scores, of any kind
    std::uint64_t max_ulp = 0, max_ulp_f32 = 0;
    UlpHistogram histogram{};
    std::optional<Difference> first;
    std::optional<WordDifference> first_word; ///< in the order of frames, then of words
};

/// How far a side is from the first one, frame by frame.
struct Strip {
    std::string side;
    std::vector<std::uint8_t> worst; ///< per frame in the order of comparison: bucket of UlpHistogram, 0: equal; frames
                                     ///< whose words alone differ have 1
};

/// The first stage at which a side parts from the first one.
struct StageFault {
    std::string stage;
    int width = 0, height = 0; ///< of the stage, in values
    int x = 0, y = 0;          ///< the first value that differs, in raster order
    std::int64_t expected = 0, found = 0;
    std::int64_t different = 0;            ///< how many values differ
    std::vector<std::string> patterns;     ///< what they have in common, a phrase each: "only at the left edge"
    std::string expected_hash, found_hash; ///< of the whole stage
    HeatMap heat;
    WordKind kind = WordKind::i64; ///< of the values
};

/// Why and where one feature differs on one side, looked into once.
struct FeatureDifference {
    std::string side;
    std::string feature;
    std::string content; ///< the pictures it was found on
    std::int64_t frame = 0;
    std::vector<std::string> equal_stages; ///< stages before the fault
    std::optional<StageFault> fault;       ///< none: with taps on nothing differs; `remark` says so
    std::string smallest;                  ///< the smallest pictures that still differ, a line
    std::string command;                   ///< repeats it
    std::string remark;                    ///< what could not be done, or empty
};

/// What ran on one side.
struct Proof {
    std::string side;
    Execution execution; ///< launches are sums over all runs
    std::int64_t runs = 0, frames = 0;
};

/// A side that was not compared.
struct Absent {
    std::string side;
    std::string reason;
};

struct DiffResult {
    std::string version;   ///< of isovmaf
    std::string command;   ///< that was given
    std::string reference; ///< the side, or the stored report, that the others are compared with
    Verdict verdict = Verdict::equal;
    std::string failure; ///< why it could not run, what did not execute, or "interrupted..."; else empty
    std::int64_t cases = 0, frames = 0, values = 0, words = 0;
    std::int64_t different = 0;        ///< values and words
    std::optional<std::uint32_t> seed; ///< of generated content
    std::vector<Proof> proofs;
    std::vector<Absent> absent;
    std::vector<Tally> tallies;
    std::vector<Strip> strips;
    std::vector<FeatureDifference> findings;
};

} // namespace isovmaf::diff
