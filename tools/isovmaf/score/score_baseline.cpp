// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "tools/isovmaf/score/score_baseline.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <optional>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/text.hpp"
#include "base/try.hpp"
#include "report/number_text.hpp"
#include "report/terminal.hpp"

namespace isovmaf::tool {

namespace {

/// Features of which a lower score is no loss: the distance between two pictures, or a property of the reference.
constexpr std::string_view not_lost_when_lower[] = {"motion", "cambi", "speed_chroma", "speed_temporal"};

/// How the names of other scores begin of which that is so.
constexpr std::string_view not_lost_prefixes[] = {"mse_", "integer_aim"};

bool is_lower_a_loss(const ScoreTable &scores, std::size_t column) {
    const std::string &name = scores.names[column];
    return std::ranges::find(not_lost_when_lower, scores.sources[column]) == std::end(not_lost_when_lower) &&
           std::ranges::none_of(not_lost_prefixes, [&](std::string_view prefix) { return name.starts_with(prefix); });
}

bool has_name(const std::vector<std::string> &names, const std::string &name) {
    return std::ranges::find(names, name) != names.end();
}

tl::unexpected<Error> refuse_report(const Baseline &baseline, const std::string &why) {
    return fail(ErrorCode::mismatch, fmt::format("cannot compare with {}: {}", baseline.path, why));
}

} // namespace

Result<std::vector<Baseline>> read_baselines(const std::vector<std::string> &texts) {
    std::vector<Baseline> baselines;
    for (const std::string &text : texts) {
        const std::size_t colon = text.rfind(':');
        const std::string limit = colon == std::string::npos ? "" : text.substr(colon + 1);
        const std::size_t equals = limit.rfind('=');
        const bool named = equals != std::string::npos;
        const std::optional<double> loss = parse_double(named ? limit.substr(equals + 1) : limit);
        if (!loss || *loss < 0 || colon == 0 || equals == 0)
            return fail(ErrorCode::invalid_argument,
                        fmt::format("{} takes REPORT:LOSS, such as base.json:0.5, or REPORT:SCORE=LOSS, and a loss is "
                                    "a number from 0 on: not \"{}\"",
                                    baseline_option, text));
        Baseline baseline{text.substr(0, colon), named ? limit.substr(0, equals) : "", *loss, nullptr};
        baseline.report = std::make_shared<StoredReport>(TRY(read_stored_report(baseline.path)));
        baselines.push_back(std::move(baseline));
    }
    return baselines;
}

namespace {

/// Whether both texts of a report's `models` may mean one model. Its file may lie in another folder.
bool is_same_model(std::string_view a, std::string_view b) {
    constexpr std::string_view file = "path=";
    if (a.starts_with(file) && b.starts_with(file))
        return std::filesystem::path(a.substr(file.size())).filename() ==
               std::filesystem::path(b.substr(file.size())).filename();
    return a == b;
}

/// A report in JSON says which models it is of.
Result<void> check_models(const Baseline &baseline, const RunColumns &run) {
    const StoredReport &stored = *baseline.report;
    if (!stored.semantics.empty() && stored.semantics != run.report.semantics)
        return refuse_report(baseline,
                             fmt::format("its scores are those of {}, and this run's are those of {}: see --compat",
                                         stored.semantics, run.report.semantics));
    for (const auto &[name, origin] : run.report.models)
        for (const auto &[stored_name, stored_origin] : stored.models)
            if (name == stored_name && !is_same_model(origin, stored_origin))
                return refuse_report(baseline,
                                     fmt::format("its {} is of the model {}, and this run's is of {}: give --model "
                                                 "{}, or make the report anew",
                                                 name, stored_origin, origin, stored_origin));
    return {};
}

/// Other reports with a model's score have those of the features that the model reads, too.
Result<void> check_features(const Baseline &baseline, const RunColumns &run) {
    const std::vector<std::string> &stored = baseline.report->names, &names = run.scores.names;
    const auto is_stored = [&](const std::string &name) { return has_name(stored, name); };
    const auto is_other = [&](const std::string &name) { return !has_name(names, name); };
    const auto models = names.begin() + static_cast<std::ptrdiff_t>(run.first_model);
    if (std::none_of(models, names.end(), is_stored) || std::ranges::none_of(stored, is_other))
        return {};
    for (std::size_t i = 0; i < run.first_model; i++)
        if (std::ranges::find(run.asked.features, run.scores.sources[i], &FeatureRequest::name) ==
                run.asked.features.end() &&
            !has_name(stored, names[i]))
            return refuse_report(baseline,
                                 fmt::format("it is of another model: it has no {}, which the model of this run "
                                             "reads",
                                             names[i]));
    return {};
}

/// A report's score of the whole video; null when it has none with this name.
const StoredTotal *stored_aggregate(const StoredReport &report, const std::string &name) {
    const auto found = std::ranges::find(report.aggregates, name, &StoredTotal::name);
    return found == report.aggregates.end() ? nullptr : &*found;
}

/// What is compared when no score is named, whether the report has it or not.
std::vector<std::size_t> wanted_columns(const RunColumns &run) {
    const ScoreTable &scores = run.scores;
    std::vector<std::size_t> wanted;
    if (run.first_model < scores.names.size())
        wanted = main_columns(scores, run.first_model);
    for (std::size_t i = 0; i < run.first_model; i++)
        if (std::ranges::find(run.asked.features, scores.sources[i], &FeatureRequest::name) !=
                run.asked.features.end() &&
            is_lower_a_loss(scores, i))
            wanted.push_back(i);
    return wanted;
}

} // namespace

Result<ComparedScores> compared_scores(const Baseline &baseline, const RunColumns &run, const LogSink &log) {
    const StoredReport &stored = *baseline.report;
    const std::vector<std::string> &names = run.scores.names;
    if (stored.incomplete)
        return refuse_report(baseline, "it is the report of a run that was interrupted");
    TRY(check_models(baseline, run));
    TRY(check_features(baseline, run));
    if (!baseline.score.empty() && !has_name(names, baseline.score)) {
        if (!stored_aggregate(stored, baseline.score))
            return refuse_report(baseline, fmt::format("it has no {}, which is a score of the whole video: reports in "
                                                       "JSON and XML have those that their run was asked for",
                                                       baseline.score));
        return ComparedScores{.aggregate = baseline.score};
    }
    std::vector<std::size_t> wanted, found;
    if (baseline.score.empty())
        wanted = wanted_columns(run);
    else
        wanted = {static_cast<std::size_t>(std::ranges::find(names, baseline.score) - names.begin())};
    std::vector<std::string> missing;
    for (const std::size_t column : wanted)
        if (has_name(stored.names, names[column]))
            found.push_back(column);
        else
            missing.push_back(names[column]);
    if (found.empty())
        return refuse_report(baseline,
                             fmt::format("it has {}, and this run compares {}", fmt::join(stored.names, ", "),
                                         missing.empty() ? "nothing" : fmt::format("{}", fmt::join(missing, ", "))));
    if (!missing.empty())
        log(Severity::info, fmt::format("{} has no {}: not compared", baseline.path, fmt::join(missing, ", ")));
    return ComparedScores{.columns = std::move(found)};
}

Result<void> check_baseline_names(const std::vector<Baseline> &baselines, const RunColumns &run) {
    const ScoreTable &scores = run.scores;
    for (const Baseline &baseline : baselines) {
        if (baseline.score.empty())
            continue;
        TRY(check_limit_name(baseline_option, baseline.score, {scores.names, run.aggregates}));
        const auto column =
            static_cast<std::size_t>(std::ranges::find(scores.names, baseline.score) - scores.names.begin());
        if (column < scores.names.size() && !is_lower_a_loss(scores, column))
            return fail(ErrorCode::invalid_argument,
                        fmt::format("{}: a lower {} is no loss, so that there is no limit for it", baseline_option,
                                    baseline.score));
    }
    return {};
}

namespace {

/// How the frames of the report differ from those of the run; empty: they are the same.
std::string other_frames(const Baseline &baseline, const ScoreTable &scores) {
    const std::vector<StoredFrame> &stored = baseline.report->frames;
    if (stored.size() != scores.frames.size())
        return fmt::format("cannot compare with {}: it has {}, and this run has {}", baseline.path,
                           counted(static_cast<std::int64_t>(stored.size()), "frame"),
                           counted(static_cast<std::int64_t>(scores.frames.size()), "frame"));
    const auto [of_report, of_run] =
        std::ranges::mismatch(stored, scores.frames, {}, &StoredFrame::frame, &FrameScores::frame);
    return of_report == stored.end() ? ""
                                     : fmt::format("cannot compare with {}: it has frame {} where this run has frame "
                                                   "{}; was --subsample another one?",
                                                   baseline.path, of_report->frame, of_run->frame);
}

/// The scores of a column in the report; nothing when a frame lacks it. Those that the run's scores would be printed
/// as are the run's.
std::optional<std::vector<double>> stored_column(const StoredReport &report, const ScoreTable &scores,
                                                 std::size_t column) {
    const auto name =
        static_cast<std::size_t>(std::ranges::find(report.names, scores.names[column]) - report.names.begin());
    std::vector<double> values;
    for (std::size_t n = 0; n < scores.frames.size(); n++) {
        const std::string &text = report.frames[n].texts[name];
        if (text.empty())
            return std::nullopt;
        const double computed = scores.frames[n].scores[column];
        const StoredComparison comparison = compare_stored_number(text, report.style, computed);
        values.push_back(comparison.equal ? computed : comparison.stored);
    }
    return values;
}

LimitCheck not_judged(const Baseline &baseline, const std::string &about, std::string why) {
    return {fmt::format("{}, compared with {}", about, baseline.path), LimitCheck::Outcome::not_judged, std::move(why)};
}

/// One value beside that of the report. `about` is such as "mean of vmaf".
LimitCheck compare_values(const Baseline &baseline, const std::string &about, std::string_view article, double value,
                          double before) {
    LimitCheck check{fmt::format("{}, at most {} below {}", about, baseline.loss, baseline.path)};
    if (!(value >= before - baseline.loss)) {
        check.outcome = LimitCheck::Outcome::broken;
        check.sentence = fmt::format("{}{} is {}, {}below the {} of {} ({})", article, about, value,
                                     baseline.loss > 0 ? fmt::format("more than {} ", baseline.loss) : "", before,
                                     baseline.path, baseline_option);
    }
    return check;
}

LimitCheck check_aggregate(const Baseline &baseline, const std::string &name, const ScoreTable &scores) {
    const std::string &text = stored_aggregate(*baseline.report, name)->text;
    const std::optional<double> now = aggregate_named(scores, name);
    const auto before = now ? std::optional(compare_stored_number(text, baseline.report->style, *now)) : std::nullopt;
    if (!before || (!before->equal && std::isnan(before->stored)))
        return not_judged(baseline, name,
                          fmt::format("cannot compare with {}: its {} is no number", baseline.path, name));
    return compare_values(baseline, name, "", *now, before->equal ? *now : before->stored);
}

} // namespace

std::vector<LimitCheck> check_baseline(const Baseline &baseline, const ComparedScores &compared,
                                       const ScoreTable &scores) {
    if (std::string why = other_frames(baseline, scores); !why.empty())
        return {not_judged(baseline, "frames", std::move(why))};
    if (!compared.aggregate.empty())
        return {check_aggregate(baseline, compared.aggregate, scores)};
    std::vector<LimitCheck> checks;
    for (const std::size_t column : compared.columns) {
        const std::string &name = scores.names[column];
        const std::optional<std::vector<double>> before = stored_column(*baseline.report, scores, column);
        if (!before) {
            checks.push_back(
                not_judged(baseline, name,
                           fmt::format("cannot compare with {}: some of its frames have no {}", baseline.path, name)));
            continue;
        }
        const PooledScore now = pool_column(scores, column), then = pool_scores(*before);
        for (const LimitOption &option : limit_options)
            if (option.compared)
                checks.push_back(compare_values(baseline, fmt::format("{} of {}", option.statistic, name), "the ",
                                                now.*option.value, then.*option.value));
    }
    return checks;
}

} // namespace isovmaf::tool
