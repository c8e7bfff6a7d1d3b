// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "diff/locate.hpp"

#include <algorithm>
#include <deque>

#include <fmt/format.h>

#include "base/text.hpp"
#include "base/try.hpp"
#include "diff/lockstep.hpp"
#include "engine/plan/bind_models.hpp"
#include "features/semantics.hpp"

namespace isovmaf::diff {

namespace {

/// How often a frame is tried alone before it counts as right.
constexpr int tries = 20;

std::string compat_option(const Semantics &semantics) {
    return semantics == all_semantics().front() ? "" : fmt::format(" --compat {}", semantics.name());
}

/// The feature as the session ran it.
Result<FeatureCase> feature_case(const std::string &name, const SessionOptions &options) {
    const FeatureSet features = TRY(load_requested(options.scoring, options.format.height)).features;
    const auto entry = std::ranges::find_if(features.entries(), [&](const auto &e) { return e.feature->name == name; });
    return FeatureCase{entry->feature, entry->option_sets, options.scoring.semantics, {}};
}

/// The frame and those that the feature looks back on.
Result<std::vector<FramePair>> read_frames(const Pictures &pictures, std::int64_t frame, std::size_t count) {
    PairStream stream = TRY(pictures.open());
    std::deque<FramePair> kept;
    for (std::int64_t n = 0; n <= frame; n++) {
        std::optional<FramePair> pair = TRY(stream());
        if (!pair)
            return fail(ErrorCode::io, "the pictures could not be read a second time");
        kept.push_back(*std::move(pair));
        if (kept.size() > count)
            kept.pop_front();
    }
    return std::vector<FramePair>(kept.begin(), kept.end());
}

class Locator {
  public:
    Locator(const Side &side, const Suspect &suspect, const SessionOptions &options, const Pictures &pictures,
            const std::string &stored)
        : side_(side), options_(options), pictures_(pictures), stored_(stored), finding_{.side = side.name,
                                                                                         .feature = suspect.feature,
                                                                                         .content = describe(pictures),
                                                                                         .frame = suspect.frame,
                                                                                         .equal_stages = {},
                                                                                         .fault = {},
                                                                                         .smallest = {},
                                                                                         .command = {},
                                                                                         .remark = {}} {}

    FeatureDifference find() && {
        if (const Result<void> looked = look(); !looked)
            finding_.remark = fmt::format("the search for the cause stopped: {}", looked.error().message);
        return std::move(finding_);
    }

  private:
    Result<void> look() {
        whole_ = TRY(feature_case(finding_.feature, options_));
        whole_.frames = TRY(read_frames(pictures_, finding_.frame, 1 + most_earlier));
        finding_.command = command(whole_, 0, {});
        path_ = TRY(open_path(side_, options_.execution.backend_folders));
        if (TRY(is_definition(whole_, *path_))) {
            finding_.remark = fmt::format("{} computes {} by its definition, so there is no other code whose stages "
                                          "could be compared with the definition",
                                          side_.name, finding_.feature);
            return {};
        }
        if (!TRY(any_device_fails())) {
            finding_.remark =
                stored_.empty()
                    ? fmt::format("{} runs of this frame alone gave the right sums: the fault depends on work "
                                  "before or beside the frame, such as uploads and other frames in flight",
                                  tries)
                    : fmt::format("{} runs of this frame alone gave the definition's sums, so the cause may lie in {}: "
                                  "compare its videos, options, models and version with those of this run; {} among "
                                  "--backends shows whether the device is at fault in other frames",
                                  tries, stored_, reference_side);
            return {};
        }
        shrink_case();
        return look_at_stages();
    }

    /// Whether a device of the side computes the frame wrongly. That one is open then.
    Result<bool> any_device_fails() {
        bool found = fails(whole_);
        for (std::size_t d = 1; !found && d < side_.devices.size(); d++) {
            Side one = side_;
            one.devices = {side_.devices[d]};
            path_ = TRY(open_path(one, options_.execution.backend_folders));
            found = fails(whole_);
        }
        return found;
    }

    bool fails(const FeatureCase &c) const {
        for (int i = 0; i < tries; i++) {
            const Result<bool> differ = words_differ(c, *path_);
            if (!differ || *differ)
                return differ.has_value();
        }
        return false;
    }

    /// Whether the printed command would show it too: sessions lay out their memory in another way.
    [[nodiscard]] bool sessions_differ(const FeatureCase &c) const {
        SessionOptions options{.scoring = {.features = feature_requests(c), .semantics = c.semantics},
                               .execution = {.backend_folders = options_.execution.backend_folders}};
        Pictures pictures{.title = {}, .command = {}, .format = c.format(), .open = {}};
        pictures.open = [&c]() -> Result<PairStream> {
            return [&c, next = std::size_t{0}]() mutable -> Result<std::optional<FramePair>> {
                return next < c.frames.size() ? std::optional(c.frames[next++]) : std::nullopt;
            };
        };
        bool differ = false;
        const LockstepVisitor visitor{.frame = [&](const FrameOnSides &frame) {
            differ = differ || frame[0].words.front().words != frame[1].words.front().words;
        }};
        const Side reference{std::string(reference_side), std::string(reference_side)};
        return !run_lockstep({reference, side_}, std::move(options), pictures, visitor) && differ;
    }

    void shrink_case() {
        const SmallCase small = shrink(whole_, [&](const FeatureCase &c) {
            const Result<bool> differ = words_differ(c, *path_);
            return differ && *differ && sessions_differ(c);
        });
        const VideoFormat &format = small.smallest.format();
        finding_.smallest =
            fmt::format("{}x{}, {} {}{}{}", format.width, format.height, small.smallest.frames.size(),
                        small.smallest.frames.size() == 1 ? "frame" : "frames",
                        small.reduction.crop
                            ? fmt::format(", from ({}, {}) on", small.reduction.crop->left, small.reduction.crop->top)
                            : "",
                        small.reduction.keep_bits == Reduction{}.keep_bits
                            ? ""
                            : fmt::format(", bits {:#x} of samples", small.reduction.keep_bits));
        finding_.command = command(small.smallest, small.dropped_frames, small.reduction);
    }

    Result<void> look_at_stages() {
        StageReport report = TRY(compare_stages(whole_, *path_));
        finding_.equal_stages = std::move(report.equal);
        finding_.fault = std::move(report.fault);
        if (!finding_.fault)
            finding_.remark = fmt::format("{} gives the right words when it runs with taps: the fault lies in what "
                                          "taps change, such as registers, timing or the compiler's choices",
                                          path_->name());
        return {};
    }

    [[nodiscard]] std::string command(const FeatureCase &c, std::size_t dropped, Reduction reduction) const {
        reduction.skip = finding_.frame + 1 - static_cast<std::int64_t>(whole_.frames.size() - dropped);
        reduction.count = static_cast<std::int64_t>(whole_.frames.size() - dropped);
        Pictures reduced = pictures_;
        reduced.reduction = combine(pictures_.reduction, reduction);
        std::string place;
        for (const std::string &folder : options_.execution.backend_folders)
            place += fmt::format(" --backend-dir {}", quote_for_shell(folder));
        if (side_.frames_in_flight > 0)
            place += fmt::format(" --inflight {}", side_.frames_in_flight);
        if (side_.streams > 0)
            place += fmt::format(" --streams {}", side_.streams);
        return fmt::format("isovmaf diff --backends {},{}{} {} --no_prediction {}{}", reference_side, side_.place(),
                           place, options_of(reduced), feature_options(c), compat_option(c.semantics));
    }

    static constexpr std::size_t most_earlier = 2;

    const Side &side_;
    const SessionOptions &options_;
    const Pictures &pictures_;
    const std::string &stored_;
    FeatureCase whole_;
    std::unique_ptr<FeaturePath> path_;
    FeatureDifference finding_;
};

} // namespace

FeatureDifference locate(const Side &side, const Suspect &suspect, const SessionOptions &options,
                         const Pictures &pictures, const std::string &stored) {
    return Locator(side, suspect, options, pictures, stored).find();
}

} // namespace isovmaf::diff
