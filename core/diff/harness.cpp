// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "diff/harness.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "diff/locate.hpp"

namespace isovmaf::diff {

namespace {

std::vector<std::string> names_of(const Sides &sides) {
    std::vector<std::string> names;
    for (const Side &side : sides.sides)
        names.push_back(side.name);
    return names;
}

/// Adds the launches of another run.
void add_work(Execution &all, const Execution &run) {
    std::vector<FeatureWork> work = std::move(all.work);
    for (const FeatureWork &more : run.work) {
        const auto known = std::ranges::find(work, more.feature, &FeatureWork::feature);
        if (known == work.end())
            work.push_back(more);
        else
            known->launches += more.launches;
    }
    all = run;
    all.work = std::move(work);
}

} // namespace

Harness::Harness(Sides sides, HarnessOptions options)
    : sides_(std::move(sides)), options_(std::move(options)), comparison_(names_of(sides_)) {
    result_.version = version();
    result_.reference = sides_.sides.front().name;
    result_.absent = sides_.absent;
    for (const Side &side : sides_.sides)
        result_.proofs.push_back({side.name, {}, 0, 0});
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

bool Harness::compare(const Pictures &pictures, const SessionOptions &scoring) {
    result_.cases++;
    for (int i = 0; i < options_.repeat; i++)
        if (!compare_once(pictures, scoring))
            return false;
    options_.step(result_);
    return true;
}

bool Harness::compare_once(const Pictures &pictures, const SessionOptions &scoring) {
    case_frames_ = 0;
    const LockstepVisitor visitor{
        .started = [&](const auto &names,
                       const auto &sources) { comparison_.start(describe(pictures), names, sources); },
        .frame =
            [&](const FrameOnSides &frame) {
                comparison_.add_frame(frame);
                case_frames_++;
            },
        .ended = [&](const std::vector<EndOfSide> &ends) { add_ends(ends, case_frames_); },
        .stop = options_.stop,
    };
    if (const std::optional<SideFailure> failure = run_lockstep(sides_.sides, scoring, pictures, visitor)) {
        remember(*failure);
        return false;
    }
    if (options_.locate)
        for (const Suspect &suspect : comparison_.suspects())
            if (located_.insert({suspect.side, suspect.feature}).second)
                result_.findings.push_back(locate(sides_.sides[suspect.side], suspect, scoring, pictures));
    return true;
}

void Harness::add_ends(const std::vector<EndOfSide> &ends, std::int64_t frames) {
    for (std::size_t side = 0; side < ends.size(); side++) {
        Proof &proof = result_.proofs[side];
        add_work(proof.execution, ends[side].execution);
        proof.runs++;
        proof.frames += frames;
        if (side > 0)
            comparison_.add_aggregates(side, ends.front().aggregates, ends[side].aggregates);
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
