// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "tools/isovmaf/score/score_several.hpp"

#include <algorithm>
#include <deque>
#include <future>
#include <iterator>
#include <mutex>
#include <optional>
#include <span>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "base/processors.hpp"
#include "base/text.hpp"
#include "base/try.hpp"
#include "input/pair/shared_source.hpp"
#include "report/terminal.hpp"
#include "report/videos_table.hpp"
#include "score_page/videos_page.hpp"
#include "tools/isovmaf/commands.hpp"
#include "tools/isovmaf/score/score_file.hpp"
#include "tools/isovmaf/score/score_junit.hpp"
#include "tools/isovmaf/score/score_places.hpp"

namespace isovmaf::tool {

namespace {

/// One of the videos: what it is asked for, and what became of it.
struct Part {
    explicit Part(const ScoreTask &of) : task(of), notices(display_name(of.arguments.distorted)) {}

    const ScoreTask &task;
    NoticeLog notices;
    ScoreFile file;
    std::unique_ptr<VideoRun> run;
    std::optional<ScoredVideo> scored; ///< none: it failed, or was interrupted before its first frame
    std::string why_not = "interrupted before the first score"; ///< where there is none
};

using Parts = std::deque<Part>; // a Part stays where it is

/// Calls a function on a thread that runs near a place, as do the threads that it starts.
template <class Function>
auto start_near(const PartPlace &place, Function function) {
    return std::async(std::launch::async, [processors = place.processors, function = std::move(function)] {
        if (!processors.empty())
            (void)bind_thread(processors); // elsewhere it is slower at most
        return function();
    });
}

class SeveralVideos {
  public:
    SeveralVideos(const std::vector<ScoreTask> &tasks, const std::vector<PartPlace> &places)
        : asked_(tasks.front().arguments), places_(places) {
        for (const ScoreTask &task : tasks)
            parts_.emplace_back(task);
    }

    /// Returns an ExitCode.
    Result<int> run() {
        TRY(open_files());
        auto part = parts_.begin();
        while (part != parts_.end() && !interrupted_) {
            const auto left = static_cast<std::size_t>(parts_.end() - part);
            const auto end = part + static_cast<std::ptrdiff_t>(std::min(left, most_side_by_side * places_.size()));
            TRY(score({part, end}));
            part = end;
        }
        for (; part != parts_.end(); part++)
            warn(part->notices.sink(), "interrupted before it was begun: there is no report");
        write();
        return failed_ ? exit_failed : interrupted_ ? exit_interrupted : below_limit_ ? exit_below_limit : exit_ok;
    }

  private:
    struct Group {
        Parts::iterator begin_, end_;

        [[nodiscard]] Parts::iterator begin() const { return begin_; }
        [[nodiscard]] Parts::iterator end() const { return end_; }
        [[nodiscard]] std::size_t size() const { return static_cast<std::size_t>(end_ - begin_); }
    };

    Result<void> open_files() {
        ReportRules rules{{asked_.reference}, asked_.force};
        for (const Part &part : parts_)
            std::ranges::copy(input_files(part.task), std::back_inserter(rules.inputs));
        ReportPaths paths;
        for (Part &part : parts_)
            part.file = TRY(ScoreFile::create(part.task.job.output, rules, paths));
        page_ = TRY(ScoreFile::create(asked_.html, rules, paths));
        junit_ = TRY(ScoreFile::create(asked_.junit, rules, paths));
        table_ = TRY(ScoreFile::create(asked_.table, rules, paths));
        return {};
    }

    [[nodiscard]] bool is_place_shared() const { return parts_.size() > places_.size(); }

    /// Where the video with this number in its group is scored: videos take turns with places, or places with videos.
    [[nodiscard]] RunPlaces places_of(std::size_t video) const {
        const bool several = places_.size() > 1;
        if (is_place_shared())
            return {{places_[video % places_.size()]}, true, several};
        RunPlaces own{{}, false, several};
        for (std::size_t place = video; place < places_.size(); place += parts_.size())
            own.places.push_back(places_[place]);
        return own;
    }

    /// The reference for each run of a group, of which there is one in each place. Null where each run has to open it
    /// itself: where it has places of its own, or as the reference is converted for the sake of the other video.
    Result<std::vector<std::unique_ptr<FrameSource>>> open_references(const Group &group) {
        std::vector<std::unique_ptr<FrameSource>> references(group.size());
        if (places_.size() > 1 && asked_.reference == "-")
            return fail(ErrorCode::invalid_argument,
                        "standard input can be read once, but each device reads the reference: give the reference as a "
                        "file, or give one --device");
        if (!is_place_shared())
            return references;
        const VideoRequest &videos = group.begin()->task.job.videos;
        const auto begins_elsewhere = [&](const Part &part) { // what is shared is skipped by all alike
            return part.task.job.videos.pair.skip_reference != videos.pair.skip_reference;
        };
        if (std::ranges::any_of(group, begins_elsewhere))
            return reference_for_each(group, "it begins at another frame for each");
        for (std::size_t place = 0; place < std::min(places_.size(), group.size()); place++) {
            const LogSink log = place == 0 ? group.begin()->notices.sink() : LogSink(); // once
            auto reference = TRY(start_near(places_[place], [&] { return open_reference(videos, log); }).get());
            const std::size_t runs = (group.size() - place - 1) / places_.size() + 1;
            auto shared = share_source(std::move(reference), runs);
            if (!shared && shared.error().code == ErrorCode::unsupported)
                return reference_for_each(group, "its samples are converted for each");
            auto readers = TRY(std::move(shared));
            for (std::size_t run = 0; run < runs; run++)
                references[place + run * places_.size()] = std::move(readers[run]);
        }
        return references;
    }

    /// No reference to share: `why` is the end of a sentence.
    Result<std::vector<std::unique_ptr<FrameSource>>> reference_for_each(const Group &group,
                                                                         std::string_view why) const {
        if (asked_.reference == "-")
            return fail(ErrorCode::unsupported,
                        fmt::format("standard input can be read once, but {} distorted video: give the reference as a "
                                    "file, or score the videos one by one",
                                    why));
        NoticeLog().add(Severity::info, fmt::format("{} is decoded for each distorted video, as {}",
                                                    display_name(asked_.reference), why));
        return std::vector<std::unique_ptr<FrameSource>>(group.size());
    }

    Result<void> score(const Group &group) {
        auto references = TRY(open_references(group));
        std::optional<std::int64_t> expected = 0;
        for (std::size_t i = 0; Part & part : group) {
            auto &reference = references[i];
            const RunPlaces where = places_of(i++);
            part.run = TRY(start_near(where.places.front(), [&] {
                               return VideoRun::open(part.task.arguments, part.task.job, std::move(reference), where,
                                                     part.notices, page_.wanted());
                           }).get());
            const std::optional<std::int64_t> pairs = part.run->expected_pairs();
            expected = expected && pairs ? std::optional(*expected + *pairs) : std::nullopt;
        }
        const ProgressStyle style = progress_style(asked_);
        Progress line(style == ProgressStyle::per_frame ? ProgressStyle::none : style, expected, "", 0,
                      progress_interval(asked_));
        const std::vector<Result<bool>> ends = score_at_once(group, line);
        line.done();
        for (std::size_t i = 0; Part & part : group)
            finish(part, ends[i++], line);
        return {};
    }

    /// Runs each on a thread of its own.
    std::vector<Result<bool>> score_at_once(const Group &group, Progress &line) {
        const InterruptGuard guard;
        std::mutex mutex; // of `line`
        const auto pushed = [&] {
            const std::lock_guard lock(mutex);
            line.pushed();
        };
        const bool per_frame = progress_style(asked_) == ProgressStyle::per_frame;
        std::vector<std::future<Result<bool>>> scoring;
        try {
            for (std::size_t i = 0; Part & part : group)
                scoring.push_back(start_near(places_of(i++).places.front(), [&, run = part.run.get()] {
                    const Closer closer{*run};
                    Progress own = run->make_progress(per_frame ? ProgressStyle::per_frame : ProgressStyle::none);
                    return run->score(guard, own, pushed);
                }));
        } catch (...) { // there is no thread for one, for whose reader the others would wait
            for (Part &part : group)
                part.run->cancel();
            throw;
        }
        std::vector<Result<bool>> ends;
        for (std::future<Result<bool>> &one : scoring)
            ends.push_back(one.get());
        return ends;
    }

    struct Closer {
        VideoRun &run;
        ~Closer() { run.close(); }
    };

    void fail_part(Part &part, const Error &error) {
        failed_ = true;
        part.why_not = error.message;
        print_error("isovmaf: error: {}\n", sentence_about(part.notices.about(), error.message));
    }

    /// Writes the report of a video if it is wanted after this end.
    void write_report_of(Part &part, const Report &report, RunEnd end, std::string &kept) {
        const ScoreRequest &job = part.task.job;
        const Result<void> written =
            part.file.write([&] { return write_report(report, job.report_format, job.precision); }, end, kept);
        if (!written)
            fail_part(part, written.error());
    }

    /// Keeps the scores of the frames before a failure, where there is a file for them.
    void keep_scores(Part &part, VideoRun &run, const Progress &progress) {
        if (!run.keeps_scores() || !part.file.wanted_after(RunEnd::failed))
            return;
        const Result<ScoredVideo> video = run.finish(RunEnd::failed, progress);
        if (!video)
            return;
        std::string kept;
        write_report_of(part, video->report, RunEnd::failed, kept);
        if (!kept.empty())
            warn(part.notices.sink(), kept_text(video->report, kept));
    }

    void finish(Part &part, const Result<bool> &interrupted, const Progress &progress) {
        const std::unique_ptr<VideoRun> run = std::move(part.run);
        if (!interrupted) {
            keep_scores(part, *run, progress);
            return fail_part(part, interrupted.error());
        }
        interrupted_ = interrupted_ || *interrupted;
        if (!run->has_scores()) {
            warn(part.notices.sink(), "interrupted before the first score: there is no report");
            return;
        }
        Result<ScoredVideo> scored = run->finish(*interrupted ? RunEnd::interrupted : RunEnd::complete, progress);
        if (!scored)
            return fail_part(part, scored.error());
        part.scored = *std::move(scored);
    }

    void write() {
        std::vector<ScorePage> pages;
        std::vector<VideoScores> rows;
        std::vector<TableVideo> table;
        std::string kept;
        for (Part &part : parts_) {
            if (!part.scored)
                continue;
            const Report &report = part.scored->report;
            write_report_of(part, report, report.incomplete ? RunEnd::interrupted : RunEnd::complete, kept);
            pages.push_back(page_of(*part.scored, asked_.command));
            std::vector<std::string> models;
            for (const std::size_t column : main_columns(report.scores, part.scored->first_model))
                models.push_back(model_of(report, column));
            rows.push_back({part.notices.about(), report.scores, part.scored->first_model, std::move(models)});
            if (part.scored->span_failure)
                fail_part(part, *part.scored->span_failure);
            else
                table.push_back(table_video(*part.scored));
        }
        const bool junit_written = write_limits();
        bool page_written = true;
        if (!pages.empty()) {
            const Result<void> written = page_.write([&] { return videos_page_html(pages, asked_.command); },
                                                     interrupted_ ? RunEnd::interrupted : RunEnd::complete, kept);
            page_written = written.has_value();
            if (!page_written)
                print_error("isovmaf: error: {}\n", written.error().message);
            failed_ = failed_ || !page_written;
        }
        if (!table.empty())
            write_table(table, kept);
        if (interrupted_)
            print_error("isovmaf: warning: {}\n",
                        kept.empty() ? "interrupted: the scores cover the frames before the interruption"
                                     : "interrupted: the scores of the frames before the interruption are in " + kept);
        if (!page_.is_standard_output() && !junit_.is_standard_output())
            write_output(text_of(rows));
        else if (!page_written || !junit_written)
            write_error(text_of(rows));
        for (const Part &part : parts_)
            if (part.scored) {
                for (const std::string &hint : part.scored->hints)
                    print_error("isovmaf: {}: {}\n", escape_controls(part.notices.about()), hint);
                print_limits(*part.scored, part.notices.about());
                below_limit_ = below_limit_ || part.scored->has_limit(LimitCheck::Outcome::broken);
                failed_ = failed_ || part.scored->has_limit(LimitCheck::Outcome::not_judged);
            }
    }

    bool write_limits() {
        const auto text = [&] {
            std::vector<JunitSuite> suites;
            for (const Part &part : parts_)
                suites.push_back(part.scored ? limits_suite(*part.scored, asked_.command)
                                             : failed_suite(part.task.arguments.distorted, part.why_not));
            return junit_text(score_junit_program, suites);
        };
        std::string kept; // is a list of files with scores
        const Result<void> written = junit_.write(text, interrupted_ ? RunEnd::interrupted : RunEnd::complete, kept);
        if (!written)
            print_error("isovmaf: error: {}\n", written.error().message);
        failed_ = failed_ || !written;
        return written.has_value();
    }

    void write_table(const std::vector<TableVideo> &table, std::string &kept) {
        const ScoreRequest &job = parts_.front().task.job;
        const Result<void> written =
            table_.write([&] { return write_scores_table(table, job.per, job.table_format, job.precision); },
                         interrupted_ ? RunEnd::interrupted : RunEnd::complete, kept);
        if (!written)
            print_error("isovmaf: error: {}\n", written.error().message);
        failed_ = failed_ || !written;
    }

    [[nodiscard]] static std::string worst_text(const Part &part) {
        const ScoredVideo &video = *part.scored;
        const std::size_t column = main_columns(video.report.scores, video.first_model).front();
        return fmt::format("\n{}\n{}", escape_controls(part.notices.about()),
                           worst_frames_text(video.report, column, {video.listed_worst, video.worst_distance}));
    }

    [[nodiscard]] std::string text_of(const std::vector<VideoScores> &rows) const {
        std::string text;
        if (!asked_.quiet && !rows.empty()) {
            text = videos_table(rows);
            for (const Part &part : parts_)
                if (part.scored && !part.scored->listed_worst.empty())
                    text += worst_text(part);
            for (const Part &part : parts_)
                if (part.scored && !part.scored->spans.empty())
                    text += fmt::format("\n{}\n{}", escape_controls(part.notices.about()),
                                        spans_text(*part.scored, part.task.job));
        }
        if (!asked_.quiet || interrupted_)
            return text;
        for (const VideoScores &row : rows)
            text +=
                plain_scores(row.scores, row.first_model, parts_.front().task.job.precision, escape_controls(row.name));
        return text;
    }

    const ScoreArguments &asked_; ///< of the first video; all but `distorted` and `output` is that of all
    const std::vector<PartPlace> &places_;
    Parts parts_;
    ScoreFile page_, junit_, table_; ///< about all videos
    bool failed_ = false, interrupted_ = false, below_limit_ = false;
};

} // namespace

int score_several(const std::vector<ScoreTask> &tasks, const std::vector<PartPlace> &places) {
    const Result<int> code = SeveralVideos(tasks, places).run();
    if (code)
        return *code;
    print_error("isovmaf: error: {}\n", code.error().message);
    return code.error().code == ErrorCode::invalid_argument ? exit_usage : exit_failed;
}

std::string spans_text(const ScoredVideo &video, const ScoreRequest &job) {
    return spans_table(video.report, video.first_model, video.spans, *job.per);
}

TableVideo table_video(const ScoredVideo &video) { return {video.report, video.first_model, video.spans}; }

ScorePage page_of(const ScoredVideo &video, const std::string &command) {
    return {.report = video.report,
            .first_model = video.first_model,
            .command = command,
            .worst = video.worst,
            .distance = video.worst_distance,
            .map_feature = video.map_feature};
}

} // namespace isovmaf::tool
