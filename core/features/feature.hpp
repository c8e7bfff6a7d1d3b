// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/workspace.hpp"
#include "features/gpu_extractor.hpp"
#include "features/needs.hpp"
#include "features/option.hpp"
#include "features/words.hpp"
#include "isovmaf/frame.hpp"
#include "isovmaf/request.hpp"
#include "isovmaf/result.hpp"
#include "isovmaf/video_format.hpp"
#include "isovmaf/words.hpp"
#include "portable/taps.h"
#include "simd/level.hpp"

/// A feature has two halves. An Extractor turns the pictures of a frame into 64-bit words, on any thread or device, in
/// any order of frames. A Finisher turns the words into scores, on the host, in frame order; all backends share it.
namespace isovmaf {

/// One step of an extraction between samples and words, as a plane of values: it is compared to find where two backends
/// start to differ. Backends agree on every bit of every value of every stage.
struct Stage {
    std::string name; ///< "scale 1: variance of the reference"
    int width = 0;    ///< values per row
    int height = 0;
    int tile_width = 0; ///< of the kernels' tiles in values; 0: faults cannot follow the tiles
    int tile_height = 0;
    int tile_left = 0, tile_top = 0; ///< where the first tile starts
    WordKind kind = WordKind::i64;   ///< of its values
};

/// Host memory for the values of stages, in the layout of taps.h.
class StageMemory {
  public:
    /// All values are 0.
    explicit StageMemory(const std::vector<Stage> &stages);

    /// The same with planes for the stages `kept` alone, which are numbers of `stages`. The other stages share one row,
    /// as long as the longest of theirs: code that puts values needs no branch, and only these values are lost.
    StageMemory(const std::vector<Stage> &stages, std::span<const std::size_t> kept);

    [[nodiscard]] Taps taps() { return {words_.data()}; }
    [[nodiscard]] std::span<std::int64_t> words() { return words_; }
    [[nodiscard]] std::span<const std::int64_t> words() const { return words_; }

    /// Values of one stage, row after row without gaps. Empty for a stage that is not kept.
    [[nodiscard]] std::span<const std::int64_t> plane(std::size_t stage) const;

  private:
    std::vector<std::int64_t> words_;
    std::vector<std::size_t> size_; ///< of each plane; 0: not kept
};

/// A file of maps: one stage of every frame as 16-bit samples, which an option of a feature asks for
/// (docs/spec/maps.md).
struct StageMap {
    std::string file;      ///< its name in the folder of maps
    std::size_t stage = 0; ///< number in FeaturePlan::stages, of values of WordKind::f32 that are 0 or more
    double largest = 1;    ///< the value whose sample is 65535

    /// The sample of a value, whose f32 has the bits of `word`: the low 16 bits of the product. A value above `largest`
    /// has the same sample as a small one, in libvmaf, too.
    [[nodiscard]] std::uint16_t sample(std::int64_t word) const;
};

/// What a feature promises about equality between backends.
enum class Exactness : std::uint8_t { bitwise };

/// Its name in reports: "bitwise".
[[nodiscard]] std::string_view exactness_name(Exactness exactness);

/// One named score of a feature. libvmaf calls `base_name` the collector name.
struct OutputSpec {
    std::string_view base_name;
    std::string_view alias; ///< printed in place of base_name; empty when libvmaf has none
    bool delayed = false;   ///< libvmaf computes it at the end of the video: its reports print it behind other features
    Naming naming = Naming::in_name; ///< plain: its name never has a suffix, whatever the options
};

/// Name under which the score is kept for an option set: option.hpp's stored_name, or the base name where naming is
/// plain.
[[nodiscard]] std::string stored_name(const OutputSpec &output, const OptionSet &options);

/// The planes of a frame in host memory. Extractors read nothing else of a frame: they cannot come upon one that lies
/// in memory of a device. The frame's memory has to outlive this.
class HostPicture {
  public:
    /// `frame` lies in host memory.
    explicit HostPicture(const Frame &frame);

    [[nodiscard]] const VideoFormat &format() const { return format_; }
    [[nodiscard]] const Plane &plane(int index) const { return planes_[static_cast<std::size_t>(index)]; }

    /// `present`: with the last column and row of chroma planes of odd sizes, which the frame has then.
    [[nodiscard]] const Plane &plane(int index, ChromaEdge edge) const {
        return (edge == ChromaEdge::present ? stored_planes_ : planes_)[static_cast<std::size_t>(index)];
    }

  private:
    VideoFormat format_;
    std::array<Plane, 3> planes_{}, stored_planes_{};
};

/// How many frames before its own an extractor reads, 0 to `longest` a side.
struct EarlierFrames {
    static constexpr int longest = 2;

    int reference = 0;
    int distorted = 0;

    [[nodiscard]] constexpr int most() const { return std::max(reference, distorted); }
};

/// For two extractors: of each side as many frames as the one that reads more of them.
[[nodiscard]] constexpr EarlierFrames longer(const EarlierFrames &a, const EarlierFrames &b) {
    return {std::max(a.reference, b.reference), std::max(a.distorted, b.distorted)};
}

/// What one frame's extraction reads. All pictures have the session's format.
struct PictureWindow {
    std::optional<HostPicture> reference = {}; ///< always there, as is `distorted`
    std::optional<HostPicture> distorted = {};
    /// Pictures before this frame: [0] is of frame n-1, [1] of n-2; nothing before the start of the video.
    std::array<std::optional<HostPicture>, EarlierFrames::longest> earlier_reference = {}, earlier_distorted = {};
};

/// A share of a frame's rows: band `index` of `count`, from the top.
struct Band {
    int index = 0;
    int count = 1;

    /// Rows [begin, end) of `height` rows. The bands of one count cover every row once.
    [[nodiscard]] int begin(int height) const { return static_cast<int>(std::int64_t{height} * index / count); }
    [[nodiscard]] int end(int height) const { return static_cast<int>(std::int64_t{height} * (index + 1) / count); }
};

/// Computes a feature's words on the CPU: the feature's definition, or its CPU path.
class Extractor {
  public:
    virtual ~Extractor() = default;

    /// What reports call this code: "definition", or the instruction set that a CPU path uses, such as "avx2".
    [[nodiscard]] virtual std::string_view level() const { return definition_level; }
    static constexpr std::string_view definition_level = "definition";

    /// Writes every word of the frame: `words` has one for each of FeaturePlan::extracted(). Thread-safe. `workspace`
    /// belongs to the calling thread and was reset. `taps`, unless its memory is null, is filled with the plan's
    /// stages.
    virtual void extract(const PictureWindow &frames, Workspace &workspace, Words words, Taps taps) const = 0;
    void extract(const PictureWindow &frames, Workspace &workspace, Words words) const {
        extract(frames, workspace, words, Taps{nullptr});
    }

    /// Into how many bands a frame may be cut. 1: the extractor only does whole frames.
    [[nodiscard]] virtual int most_bands() const { return 1; }

    /// The same for one band of the frame: `words` gets that band's share of each word, and `taps` the band's values.
    /// The sums of all bands' words, which wrap like u64, are the words of the frame. `band.count` is at most
    /// most_bands().
    virtual void extract_band(const PictureWindow &frames, Band, Workspace &workspace, Words words, Taps taps) const {
        extract(frames, workspace, words, taps);
    }
};

/// A CPU path, whose frames can be cut into bands of rows.
class BandedExtractor : public Extractor {
  public:
    explicit BandedExtractor(CpuLevel level) : level_(level) {}

    [[nodiscard]] std::string_view level() const final { return cpu_level_name(level_); }
    [[nodiscard]] int most_bands() const override { return 1 << 10; } // as many as threads are useful
    void extract(const PictureWindow &frames, Workspace &workspace, Words words, Taps taps) const final {
        extract_band(frames, {}, workspace, words, taps);
    }
    using Extractor::extract;
    void extract_band(const PictureWindow &frames, Band band, Workspace &workspace, Words words,
                      Taps taps) const override = 0;

  private:
    CpuLevel level_;
};

/// Computes the words that are kept of a frame from the words that an extractor wrote. It runs on the host: logarithms
/// and other functions of the math library belong here. A pure function of one frame's words.
class Completion {
  public:
    virtual ~Completion() = default;

    /// Writes every word of `kept`. Thread-safe.
    virtual void complete(ConstWords extracted, Words kept) const = 0;
};

/// Where a finisher puts scores. Outputs are numbered as in FeatureVariant::outputs.
class ScoreSink {
  public:
    virtual ~ScoreSink() = default;
    virtual void set(std::int64_t frame, std::size_t output, double score) = 0;

    /// A score of the whole video that is no statistic of its frames' scores.
    virtual void set_aggregate(std::string_view name, double score) = 0;
};

/// Turns the words of one option set into scores. Called in frame order from one thread at a time.
class Finisher {
  public:
    virtual ~Finisher() = default;
    virtual void push(std::int64_t frame, ConstWords words, ScoreSink &sink) = 0;

    /// Called at the end of the video: sets the scores that needed a later frame.
    virtual void flush(ScoreSink &) {}
};

/// One option set of a feature, ready to run.
struct FeatureVariant {
    std::vector<OutputSpec> outputs; ///< those that these options switch on, in report order
    std::unique_ptr<Finisher> finisher;
    std::vector<StageMap> maps = {};          ///< that FeatureDescriptor::maps_option asks for
    std::vector<std::string> aggregates = {}; ///< that the finisher sets of a video with frames, in that order
};

/// Several option sets of one feature on one extraction.
struct FeaturePlan {
    std::unique_ptr<Extractor> definition;  ///< plain C++; every other path is compared with it
    std::unique_ptr<Extractor> cpu;         ///< the same words and stages from vector code; none until it is written
    std::unique_ptr<GpuExtractor> gpu;      ///< the same words on a device; none when the feature has no kernels
    std::vector<FeatureVariant> variants;   ///< same order as the option sets asked for
    std::vector<WordSpec> words;            ///< kept of each frame, and read by finishers; never empty
    std::unique_ptr<Completion> completion; ///< none: extractors write `words`
    std::vector<WordSpec> extracted_words;  ///< what extractors write; empty without a completion
    /// Which of the extracted words, if any, is a flag. Kernels set it to another value than 0 on a frame that they
    /// cannot do: the CPU does it then. The definition and the CPU path leave it 0.
    std::optional<std::size_t> flag_word;
    std::vector<Stage> stages;        ///< what extractors and kernels can record, in the order of computation
    EarlierFrames earlier = {};       ///< that the extractor reads
    PlaneUse planes = PlaneUse::luma; ///< what the option sets read together; make_feature_plan sets both
    SideUse sides = SideUse::both;
    /// `present`: chroma is read with its last column and row where sizes are odd. Frames have to have them.
    ChromaEdge chroma_edge = ChromaEdge::absent;

    /// What extractors write.
    [[nodiscard]] const std::vector<WordSpec> &extracted() const { return completion ? extracted_words : words; }

    /// How many planes of a picture have to be there: luma, or all of them.
    [[nodiscard]] int plane_count(const VideoFormat &format) const {
        return planes == PlaneUse::luma ? 1 : format.plane_count();
    }

    /// Whether kernels leave the frame of these extracted words to the CPU.
    [[nodiscard]] bool is_flagged(ConstWords extracted) const { return flag_word && extracted[*flag_word] != 0; }

    /// What runs on the CPU unless definitions are asked for: the CPU path, or the definition if there is none.
    [[nodiscard]] const Extractor &cpu_code() const { return cpu ? *cpu : *definition; }
};

/// The words that are kept of what an extractor wrote.
[[nodiscard]] std::vector<std::int64_t> kept_words(const FeaturePlan &plan, std::vector<std::int64_t> extracted);

struct PlanContext {
    VideoFormat format;
    Semantics semantics = Semantics::libvmaf_3_2;
    CpuLevel cpu_level = newest_cpu_level(); ///< CPU paths use nothing newer; usable
    /// What the frames have; a plan may read it then (FeaturePlan::chroma_edge).
    ChromaEdge chroma_edge = ChromaEdge::absent;
};

/// A set of options under a name that golden files use.
struct NamedOptions {
    std::string_view name;
    std::string_view options; ///< "NAME=VALUE:NAME=VALUE", empty for the defaults
    const Semantics *semantics = &Semantics::libvmaf_3_2;
};

/// Everything isovmaf knows of a feature; a `constexpr` table entry. Options in its texts are written as
/// "NAME=VALUE:NAME=VALUE".
struct FeatureDescriptor {
    std::string_view name; ///< libvmaf's extractor name
    std::string_view summary;
    /// Whose scores these are, where libvmaf has no such feature: the program and its releases. --compat changes
    /// nothing of it. Empty: libvmaf's.
    std::string_view origin = {};
    std::span<const OptionSpec> options;
    std::span<const OutputSpec> outputs; ///< with any options; models are matched with these
    /// What an option set asks of a video. Videos that lack it are refused (docs/sizes.md). A width and a height of 0
    /// stand for any size: the needs are those of the smallest pictures. Pictures of a certain size may need more only
    /// where FeatureNeeds::shape says what. Null: any video will do, and luma is read.
    FeatureNeeds (*needs)(const VideoFormat &format, const OptionSet &options) = nullptr;
    Exactness exactness = Exactness::bitwise;
    /// Runs on every frame even when only every n-th is scored, because a score looks at other frames.
    bool temporal = false;
    /// libvmaf runs it on the thread that pushes frames even when it has threads of its own: its reports then print it
    /// in front of other features.
    bool on_pushing_thread = false;
    /// The text option that names the folder for the files of FeatureVariant::maps; empty: there is none.
    std::string_view maps_option = {};

    std::span<const std::string_view> compared_options = {}; ///< backends are compared with these beside the defaults
    std::string_view fallback_options = {};            ///< compared in formats for which the defaults have no meaning
    std::span<const NamedOptions> golden_options = {}; ///< of golden files with generated clips

    /// Builds the extraction that `option_sets` (at least one) share, in a format that has what they need. Fails when
    /// the feature is not defined for the combination of options. Call make_feature_plan.
    Result<FeaturePlan> (*plan)(const PlanContext &context, std::span<const OptionSet> option_sets) = nullptr;
};

/// What an option set of the feature asks of a video of `format`; of any size where its width and height are 0.
[[nodiscard]] FeatureNeeds needs_of(const FeatureDescriptor &feature, const VideoFormat &format,
                                    const OptionSet &options);

/// Fails when the video lacks what an option set of the feature needs: the error says what is needed and what was
/// found.
[[nodiscard]] Result<void> check_needs(const FeatureDescriptor &feature, const VideoFormat &format,
                                       const OptionSet &options);

/// Whether pictures of this size have the shape that the option set needs, if it needs one: see FeatureNeeds::shape.
[[nodiscard]] bool has_needed_shape(const FeatureDescriptor &feature, const VideoFormat &format,
                                    const OptionSet &options);

/// What the feature needs with its defaults, for people: "reads luma of pictures from 33x33 at 8 to 16 bit".
[[nodiscard]] std::string needs_text(const FeatureDescriptor &feature);

/// Which pictures are large enough: both sides have at least `side` samples, and one of them `longer_side`.
struct SmallestPicture {
    int side = 1;
    int longer_side = 1;

    [[nodiscard]] constexpr int square() const { return std::max(side, longer_side); }
    friend constexpr auto operator<=>(const SmallestPicture &, const SmallestPicture &) = default;
};

/// The smallest pictures that are large enough for an option set in every chroma format that it takes.
[[nodiscard]] SmallestPicture smallest_picture(const FeatureDescriptor &feature, const OptionSet &options);

/// Whether the feature runs on GPUs.
[[nodiscard]] bool has_kernels(const FeatureDescriptor &feature);

/// The feature's plan for option sets, whose needs are checked before.
[[nodiscard]] Result<FeaturePlan> make_feature_plan(const FeatureDescriptor &feature, const PlanContext &context,
                                                    std::span<const OptionSet> option_sets);

/// The text of a request for the feature with options of its descriptor: "NAME" or "NAME:OPTIONS".
[[nodiscard]] std::string request_text(const FeatureDescriptor &feature, std::string_view options);

} // namespace isovmaf
