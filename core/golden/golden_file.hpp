// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "isovmaf/isovmaf.hpp"

namespace isovmaf {

/// What the reference says of one score of a clip.
struct GoldenColumn {
    std::string name;           ///< as reports print it
    std::vector<double> frames; ///< one per frame
};

/// A number about the whole clip.
struct GoldenTotal {
    std::string name;
    double value = 0;
};

/// A clip with the scores that one set of requests has to give.
struct GoldenClip {
    std::string title;
    VideoFormat format;
    int frames = 0;
    std::filesystem::path reference; ///< raw planar file; empty: GeneratedClip makes the pictures
    std::filesystem::path distorted;
    std::string sha256_reference; ///< of the generated reference, as a raw planar file
    Semantics semantics = Semantics::libvmaf_3_2;
    std::vector<std::string> features; ///< FeatureRequest texts
    std::vector<std::string> models;   ///< built-in versions; the score's name is the version
    std::vector<GoldenColumn> columns;
    std::vector<GoldenTotal> aggregates;
    std::vector<GoldenTotal> means;
    std::vector<std::string> skipped; ///< requests for features or models that this build does not have
};

/// Reads a golden file of either layout: generated clips with hexadecimal floats, or one real clip in `clips_folder`
/// with full-precision decimals. Fails on a file that is not there or malformed.
[[nodiscard]] Result<std::vector<GoldenClip>> read_golden_file(const std::filesystem::path &path,
                                                               const std::filesystem::path &clips_folder);

/// What a session is asked for to give the clip's scores: its format, features, models and semantics.
[[nodiscard]] Result<SessionOptions> golden_options(const GoldenClip &clip);

/// Whether a file holds golden clips: a JSON object with the member "clips" or "clip", which no report has.
[[nodiscard]] bool is_golden_file(const std::filesystem::path &path);

} // namespace isovmaf
