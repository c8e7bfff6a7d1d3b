// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "isovmaf/isovmaf.hpp"

namespace isovmaf {

/// The expected values of one score of a clip.
struct GoldenColumn {
    std::string name;           ///< as reports print it
    std::vector<double> frames; ///< one per frame
};

/// An expected score of the whole clip.
struct GoldenTotal {
    std::string name;
    double value = 0;
};

/// A clip, what is requested, and the scores that are expected.
struct GoldenClip {
    std::string title;
    VideoFormat format;
    ChromaEdge chroma_edge = ChromaEdge::absent; ///< whether generated chroma has its last column and row
    int frames = 0;
    bool identical = false;          ///< the distorted video is the reference
    std::filesystem::path reference; ///< raw planar file; empty: GeneratedClip makes the pictures
    std::filesystem::path distorted;
    std::string sha256_reference; ///< of the generated reference, as a raw planar file
    Semantics semantics = Semantics::libvmaf_3_2;
    std::vector<std::string> features; ///< FeatureRequest texts
    std::vector<std::string> models;   ///< built-in versions; the score's name is the version
    std::vector<GoldenColumn> columns;
    std::vector<GoldenTotal> aggregates;
    std::vector<GoldenTotal> means;
    std::vector<std::string>
        skipped; ///< requests without values, and those for features or models that this build does not have
};

/// Reads a golden file of one of these layouts: generated clips with hexadecimal floats, whose features have a name of
/// NamedOptions or are requests with options; one real clip of `clips_folder` with decimals that identify their double;
/// generated and real clips with requests alone, whose chroma is whole. Fails on a missing or malformed file.
[[nodiscard]] Result<std::vector<GoldenClip>> read_golden_file(const std::filesystem::path &path,
                                                               const std::filesystem::path &clips_folder);

/// The options of a session that computes the scores of the clip: format, features, models and semantics.
[[nodiscard]] Result<SessionOptions> golden_options(const GoldenClip &clip);

/// Whether a file holds golden clips: a JSON object with the member "clips" or "clip", which no report has.
[[nodiscard]] bool is_golden_file(const std::filesystem::path &path);

} // namespace isovmaf
