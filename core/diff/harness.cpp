// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "diff/harness.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "diff/compare_stored.hpp"
#include "diff/locate.hpp"

namespace isovmaf::diff {

namespace {

std::vector<std::string> names_of(const Sides &sides, const std::string &stored) {
    std::vector<std::string> names;
    if (!stored.empty())
        names.push_back(stored);
    for (const Side &side : sides.sides)
        names.push_back(side.name);
    return names;
}

/// Adds the launches of another run, and the features that it alone computed.
void add_work(Execution &all, const Execution &run) {
    std::vector<FeaturePlacement> placement = std::move(all.placement);
    for (const FeaturePlacement &place : run.placement)
        if (std::ranges::find(placement, place.feature, &FeaturePlacement::feature) == placement.end())
            placement.push_back(place);
    std::vector<FeatureWork> work = std::move(all.work);
    for (const FeatureWork &more : run.work) {
        const auto known = std::ranges::find(work, more.feature, &FeatureWork::feature);
        if (known == work.end())
            work.push_back(more);
        else {
            known->launches += more.launches;
            known->flagged += more.flagged;
        }
    }
    all = run;
    all.work = std::move(work);
    all.placement = std::move(placement);
}

/// What a finding says of a side that is right.
std::string report_differs_text(const Side &side, const std::string &feature, const std::string &stored) {
    const std::string right =
        side.backend == reference_side
            ? fmt::format("{} computes {} by its definition, from which {} differs", side.name, feature, stored)
            : fmt::format("in every frame {} has the words of {} that {} has, and {} differs from both", side.name,
                          feature, reference_side, stored);
    return right + ": the cause lies in the report and not in a device; compare its videos, options, models and "
                   "version with those of this run";
}

} // namespace

Harness::Harness(Sides sides, HarnessOptions options)
    : sides_(std::move(sides)), options_(std::move(options)), first_(options_.stored.empty() ? 0 : 1),
      comparison_(names_of(sides_, options_.stored)) {
    result_.version = version();
    result_.reference = first_ == 0 ? sides_.sides.front().name : options_.stored;
    result_.absent = sides_.absent;
    for (const Side &side : sides_.sides)
        result_.proofs.push_back({side.name, {.backend = side.backend}, 0, 0});
}

void Harness::remember(const SideFailure &failure) {
    const bool idle = failure.error.code == ErrorCode::not_executed;
    result_.verdict = idle ? Verdict::not_executed : Verdict::could_not_run;
    result_.failure =
        failure.side.empty() ? failure.error.message : fmt::format("{}: {}", failure.side, failure.error.message);
}

void Harness::fail(std::string why) {
    result_.verdict = Verdict::could_not_run;
    result_.failure = std::move(why);
}

bool Harness::run(const Pictures &pictures, const SessionOptions &options,
                  const std::function<void(const FrameOnSides &)> &frame, const Ended &ended) {
    std::int64_t frames = 0;
    const LockstepVisitor visitor{
        .started =
            [&](const Session &session) {
                names_ = session.score_names();
                sources_ = session.score_sources();
                words_ = session.words();
                comparison_.start(describe(pictures), names_, sources_, words_);
            },
        .frame =
            [&](const FrameOnSides &scores) {
                frame(scores);
                frames++;
            },
        .ended =
            [&](const std::vector<EndOfSide> &ends) {
                add_proofs(ends, frames);
                ended(ends);
            },
        .failed =
            [&](const std::vector<Execution> &executions) {
                for (std::size_t side = 0; side < executions.size(); side++)
                    add_work(result_.proofs[side].execution, executions[side]);
            },
        .stop = options_.stop,
    };
    const std::optional<SideFailure> failure = run_lockstep(sides_.sides, options, pictures, visitor);
    if (failure)
        remember(*failure);
    return !failure;
}

bool Harness::compare(const Pictures &pictures, const SessionOptions &session) {
    result_.cases++;
    const auto aggregates = [&](const std::vector<EndOfSide> &ends) {
        for (std::size_t side = 1; side < ends.size(); side++)
            comparison_.add_aggregates(side, ends.front().aggregates, ends[side].aggregates);
    };
    const auto add_frame = [&](const FrameOnSides &frame) { comparison_.add_frame(frame); };
    for (int i = 0; i < options_.repeat; i++) {
        if (!run(pictures, session, add_frame, aggregates))
            return false;
        look_into(pictures, session);
    }
    options_.step(result_);
    return true;
}

bool Harness::compare(const Pictures &pictures, const SessionOptions &session, const StoredReport &stored) {
    result_.cases++;
    for (int i = 0; i < options_.repeat; i++) {
        if (!compare_stored_once(pictures, session, stored))
            return false;
        look_into(pictures, session);
    }
    options_.step(result_);
    return true;
}

bool Harness::compare_stored_once(const Pictures &pictures, const SessionOptions &session, const StoredReport &stored) {
    std::vector<ScoreTable> computed(sides_.sides.size());
    const auto keep = [&](const FrameOnSides &frame) {
        for (std::size_t side = 0; side < frame.size(); side++)
            computed[side].frames.push_back(frame[side]);
    };
    const auto keep_aggregates = [&](const std::vector<EndOfSide> &ends) {
        for (std::size_t side = 0; side < ends.size(); side++)
            computed[side].aggregates = ends[side].aggregates;
    };
    if (!run(pictures, session, keep, keep_aggregates))
        return false;
    for (std::size_t side = 0; side < computed.size(); side++) {
        computed[side].names = names_;
        if (!add_stored(side, stored, computed[side]))
            return false;
    }
    note_definitions_words(computed);
    comparison_.add_frames(static_cast<std::int64_t>(computed.front().frames.size()));
    return true;
}

void Harness::note_definitions_words(const std::vector<ScoreTable> &computed) {
    as_defined_.clear();
    const auto definition = std::ranges::find(sides_.sides, reference_side, &Side::backend);
    if (definition == sides_.sides.end())
        return;
    const auto &expected = computed[static_cast<std::size_t>(definition - sides_.sides.begin())].frames;
    for (std::size_t side = 0; side < computed.size(); side++)
        for (const FeatureWordSpecs &feature : words_) {
            const auto f = static_cast<std::size_t>(&feature - words_.data());
            const bool same =
                std::ranges::equal(expected, computed[side].frames, [&](const FrameScores &a, const FrameScores &b) {
                    return a.words[f].words == b.words[f].words;
                });
            if (same)
                as_defined_.insert({first_ + side, feature.feature});
        }
}

/// False when there is nothing to compare.
bool Harness::add_stored(std::size_t side, const StoredReport &stored, const ScoreTable &computed) {
    const Result<StoredCoverage> coverage = compare_stored(stored, computed, [&](const StoredValue &value) {
        const auto column = std::ranges::find(names_, value.name);
        const bool of_frame = column != names_.end() && value.frame >= 0;
        const std::string_view subject =
            of_frame ? std::string_view(sources_[static_cast<std::size_t>(column - names_.begin())]) : whole_video;
        const std::string score =
            value.statistic.empty() ? std::string(value.name) : fmt::format("{} of {}", value.statistic, value.name);
        const StoredComparison &c = value.comparison;
        comparison_.add_distance(first_ + side, subject,
                                 {comparison_.content(), std::max<std::int64_t>(value.frame, 0), score, c.stored,
                                  value.computed, c.ulp, c.ulp_f32});
        if (!c.equal)
            comparison_.suspect(first_ + side, subject, value.frame, Comparison::Evidence::score);
    });
    if (!coverage) {
        fail(coverage.error().message);
        return false;
    }
    if (!coverage->not_computed.empty())
        add_absent({fmt::format("{}", fmt::join(coverage->not_computed, ", ")),
                    "stored, and not computed here: ask for it with --feature or --model"});
    if (const std::size_t frames = coverage->frames_not_computed.size(); frames > 0)
        add_absent({fmt::format("a part of {}", options_.stored),
                    fmt::format("{} of its {} frames were not computed", frames, stored.frames.size())});
    if (const std::size_t frames = coverage->frames_not_stored.size(); frames > 0)
        add_absent({"a part of the pictures", fmt::format("{} frames are not in {}", frames, options_.stored)});
    return true;
}

/// All sides, repetitions and clips may lack the same.
void Harness::add_absent(Absent absent) {
    const auto same = [&](const Absent &known) { return known.side == absent.side && known.reason == absent.reason; };
    if (std::ranges::none_of(result_.absent, same))
        result_.absent.push_back(std::move(absent));
}

void Harness::look_into(const Pictures &pictures, const SessionOptions &session) {
    if (!options_.locate)
        return;
    for (const Suspect &suspect : comparison_.suspects()) {
        const Side &side = sides_.sides[suspect.side - first_];
        const std::pair known{suspect.side, suspect.feature};
        if (as_defined_.contains(known)) {
            if (cleared_.insert(known).second)
                result_.findings.push_back({.side = side.name,
                                            .feature = suspect.feature,
                                            .content = describe(pictures),
                                            .frame = suspect.frame,
                                            .equal_stages = {},
                                            .fault = {},
                                            .smallest = {},
                                            .command = {},
                                            .remark = report_differs_text(side, suspect.feature, options_.stored)});
        } else if (located_.insert(known).second)
            result_.findings.push_back(locate(side, suspect, session, pictures, options_.stored));
    }
}

void Harness::add_proofs(const std::vector<EndOfSide> &ends, std::int64_t frames) {
    for (std::size_t side = 0; side < ends.size(); side++) {
        Proof &proof = result_.proofs[side];
        add_work(proof.execution, ends[side].execution);
        proof.runs++;
        proof.frames += frames;
    }
}

DiffResult Harness::finish() && {
    std::move(comparison_).finish(result_);
    if (result_.verdict != Verdict::equal)
        return std::move(result_);
    if (result_.different > 0)
        result_.verdict = Verdict::differ;
    else if (result_.values == 0)
        fail("nothing was compared");
    return std::move(result_);
}

} // namespace isovmaf::diff
