// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "isovmaf/api.hpp"
#include "isovmaf/result.hpp"
#include "isovmaf/video_format.hpp"

namespace isovmaf {

struct SemanticsRow;

/// The release of libvmaf whose scores are reproduced: a row of the library's table of what releases mean.
class Semantics {
  public:
    ISOVMAF_API static const Semantics libvmaf_3_2; ///< libvmaf 3.2.0, plain C path: the reference
    ISOVMAF_API static const Semantics libvmaf_3_0; ///< libvmaf 3.0.0 and 3.1.0, whose motion was defined differently

    /// For the library itself: programs cannot make rows. `row` has to outlive this and all copies.
    explicit constexpr Semantics(const SemanticsRow &row) : row_(&row) {}

    [[nodiscard]] ISOVMAF_API std::string_view name() const;                  ///< "libvmaf-3.2", as --compat spells it
    [[nodiscard]] constexpr const SemanticsRow &row() const { return *row_; } ///< for the library itself

    /// Whether both are the same row.
    friend constexpr bool operator==(const Semantics &, const Semantics &) = default;

  private:
    const SemanticsRow *row_;
};

/// Options as text: the name or the alias, and the value, as libvmaf spells them ("vif_enhn_gain_limit", "1.0").
using OptionTexts = std::vector<std::pair<std::string, std::string>>;

/// A request for a feature by the name of its extractor in libvmaf, such as vif.
struct FeatureRequest {
    std::string name = {};    ///< "vif"
    OptionTexts options = {}; ///< the others have their defaults

    /// From "name[:option=value]...", or as libvmaf's program spells it: "name=option=value[:option=value]...".
    [[nodiscard]] ISOVMAF_API static Result<FeatureRequest> parse(std::string_view text);
};

/// A request for a model, by version (built in, or found in a model folder) or by file.
struct ModelRequest {
    std::string version = "vmaf_v0.6.1"; ///< or "v1": see docs/models.md; ignored when `path` is given
    std::string path = {};               ///< of a model file
    std::string name = "vmaf";           ///< name of the model's score; two models of a session need different names
    bool enable_transform = false;       ///< apply the model's score transform even if the file leaves it off
    bool disable_clip = false;           ///< do not limit the score to the model's range
    /// Options that replace the model's own, per feature: {"vif", {{"vif_enhn_gain_limit", "1.0"}}}.
    std::vector<FeatureRequest> feature_options = {};

    /// From "version=NAME|path=FILE[:name=NAME][:enable_transform][:disable_clip][:FEATURE.OPTION=VALUE]...".
    [[nodiscard]] ISOVMAF_API static Result<ModelRequest> parse(std::string_view text);
};

/// What is scored.
struct ScoringOptions {
    std::vector<ModelRequest> models = {};       ///< each gives a score per frame
    std::vector<std::string> model_folders = {}; ///< searched for VERSION.json when a version is not built in
    std::vector<FeatureRequest> features = {};   ///< besides those that the models need
    int subsample = 1;                           ///< score frames 0, n, 2n, ...
    bool keep_words = false;                     ///< hand out the words behind the scores too (FrameScores::words)
    /// What frames have, as those of video files do. Features that are defined on whole chroma planes read it then, and
    /// frames without it are refused where sizes are odd.
    ChromaEdge chroma_edge = ChromaEdge::absent;
    Semantics semantics = Semantics::libvmaf_3_2; ///< whose scores are reproduced
};

} // namespace isovmaf
