// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <chrono>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/creator_process.hpp"
#include "capi/execution_wish.hpp"
#include "capi/metadata_handler.h"
#include "capi/model_scores.hpp"
#include "capi/picture_pool.hpp"
#include "capi/score_store.hpp"
#include "capi/status.hpp"
#include "capi/video_scorer.hpp"
#include "engine/plan/feature_set.hpp"
#include "model/model.hpp"
#include "report/report.hpp"

namespace isovmaf::capi {

/// The features that a context runs. Of two registrations whose scores have the same names, the first one counts.
class Registration {
  public:
    /// Registers a feature by the name of its extractor. Options that the feature does not know are ignored with a
    /// warning. Fails on an unknown feature, naming those there are, and on a value that an option does not take.
    Result<void> add(std::string_view extractor, const OptionTexts &options, const Log &log);

    /// Registers the features of a model's inputs, in their order. Fails on inputs that this version does not have.
    Result<void> add(std::string_view model, std::span<const ModelInput> inputs);

    /// From now on only features that are registered already can be registered: the pictures have begun.
    void close() { closed_ = true; }

    [[nodiscard]] const FeatureSet &features() const { return features_; }

  private:
    Result<void> add(const FeatureDescriptor &feature, const OptionSet &options);

    FeatureSet features_;
    bool closed_ = false;
};

/// Functions of the caller that receive scores. Scores wait in a queue until no lock is held, so that the functions
/// may call back into the context.
class MetadataHandlers {
  public:
    /// The name is copied.
    void add(const VmafMetadataConfiguration &handler);

    [[nodiscard]] bool empty() const { return handlers_.empty(); }
    [[nodiscard]] bool wants(std::string_view name) const;

    /// Queues a score for the handlers of its name, if there are any.
    void stored(std::string_view name, unsigned index, double score);

    /// Calls the handlers with all scores in the queue, in their order, with `lock` released. A call from inside a
    /// handler returns at once.
    void deliver(std::unique_lock<std::mutex> &lock);

  private:
    struct Handler {
        std::string name;
        void (*callback)(void *data, VmafMetadata *metadata);
        void *data;
    };
    struct Score {
        std::string name;
        unsigned index;
        double score;
    };

    std::deque<Handler> handlers_; ///< its elements keep their places when handlers are added
    std::deque<Score> queue_;
    bool delivering_ = false;
};

} // namespace isovmaf::capi

/// What the functions of the C interface work on. It collects registrations; the first pair of pictures fixes the
/// format and opens the backend. Frames are scored on other threads; each query waits for the frames in flight first,
/// so that it sees what libvmaf shows without threads.
///
/// `enter` holds the lock while a member function runs; `fetch` takes it itself. In a process that was forked after the
/// context was made all functions fail, and `close` frees nothing.
struct VmafContext {
  public:
    template <class T>
    using Result = isovmaf::Result<T>;

    VmafContext(const VmafConfiguration &config, isovmaf::capi::ExecutionWish wish, const isovmaf::capi::Log &log);

    /// Destroys `context`, but not in a process that was forked since: its threads are not there.
    static void close(VmafContext *context) noexcept {
        if (context->creator_.is_current())
            delete context;
    }

    [[nodiscard]] const isovmaf::capi::Log &log() const { return log_; }

    /// Fails in a process that was forked since. Called before the lock is taken, which a thread of the other process
    /// may have held.
    [[nodiscard]] Result<void> check_process() const { return creator_.check("the context"); }

    Result<void> use_feature(std::string_view extractor, const VmafFeatureDictionary *options);
    Result<void> use_model(const VmafModel &model);
    Result<void> use_collection(const VmafModelCollection &collection);
    Result<void> import_score(std::string_view name, double score, unsigned index);
    void add_handler(const VmafMetadataConfiguration &handler) { handlers_.add(handler); }

    /// On success the pictures are the context's, and the structs are zeroed. `reference` and `distorted` may be one.
    Result<void> read(VmafPicture &reference, VmafPicture &distorted, unsigned index);
    Result<void> flush();

    Result<void> preallocate(const VmafPictureConfiguration &config);
    Result<VmafPicture> fetch();

    [[nodiscard]] std::optional<double> feature_score(std::string_view name, unsigned index);
    /// Statistics of a feature's scores over the scored frames from `low` to `high`; nothing when one is missing.
    [[nodiscard]] std::optional<isovmaf::PooledScore> pool_feature(std::string_view name, unsigned low, unsigned high);
    Result<double> model_score(const VmafModel &model, unsigned index);
    Result<isovmaf::PooledScore> pool_model(const VmafModel &model, unsigned low, unsigned high);
    Result<VmafModelCollectionScore> collection_score(const VmafModelCollection &collection, unsigned index);
    /// Statistics of each of the collection's four scores.
    Result<std::vector<isovmaf::PooledScore>> pool_collection(const VmafModelCollection &collection, unsigned low,
                                                              unsigned high);

    Result<void> write_output(const std::string &path, isovmaf::ReportFormat format);

    /// Runs the body of a C function, which returns a Result<void> or a code, with the context locked. The handlers are
    /// called afterwards, unlocked.
    template <class Body>
    [[nodiscard]] static int enter(VmafContext *context, const Body &body) noexcept {
        if (context == nullptr)
            return isovmaf::capi::status_invalid;
        if (const int refused = isovmaf::capi::guarded(context->log_, [&] { return context->check_process(); }))
            return refused;
        return isovmaf::capi::guarded(context->log_, [&]() -> int {
            std::unique_lock lock(context->mutex_);
            const auto result = body(*context);
            context->tell_handlers(lock);
            return context->status_of(result);
        });
    }

  private:
    struct UsedModel {
        const VmafModel *model;
        std::string name; ///< the model itself is read only while a handler wants its scores
    };

    [[nodiscard]] static int status_of(int code) { return code; }
    /// Prints the sentence of a failure, unless the call before failed with the same: a device that is lost stays lost.
    [[nodiscard]] int status_of(const Result<void> &result);

    Result<void> check_pictures(const VmafPicture &reference, const VmafPicture &distorted, unsigned index) const;
    Result<void> open(const isovmaf::VideoFormat &format);
    Result<void> push(const isovmaf::FramePair &pair, unsigned index);
    void settle();
    Result<std::shared_ptr<isovmaf::capi::PicturePool>> pool();
    void stored(std::size_t column, unsigned index, double score);
    void predict_for_handlers();
    void tell_handlers(std::unique_lock<std::mutex> &lock);
    [[nodiscard]] isovmaf::Report report() const;
    void add_rows(isovmaf::Report &report, const std::vector<std::size_t> &columns) const;
    [[nodiscard]] double frames_per_second() const;
    [[nodiscard]] bool has_features() const { return !registration_.features().entries().empty(); }

    isovmaf::CreatorProcess creator_;
    std::mutex mutex_;
    isovmaf::capi::Log log_;
    std::string last_failure_; ///< that was printed, while calls fail
    unsigned threads_;
    unsigned subsample_;
    isovmaf::capi::ExecutionWish wish_;
    isovmaf::capi::Registration registration_;
    isovmaf::capi::ScoreStore scores_;
    isovmaf::capi::ModelScores models_;
    isovmaf::capi::MetadataHandlers handlers_;
    std::vector<UsedModel> used_models_;
    isovmaf::capi::IndexSet touched_; ///< frames with scores that models of handlers may have waited for

    std::optional<isovmaf::VideoFormat> format_; ///< of all pictures
    isovmaf::capi::IndexSet read_;               ///< frames whose pictures were taken
    unsigned accepted_ = 0;                      ///< how many
    bool flushed_ = false;
    std::chrono::steady_clock::time_point first_read_{};
    std::optional<VmafPictureConfiguration> hidden_pool_; ///< the pool that a fetch without preallocation makes
    std::shared_ptr<isovmaf::capi::PicturePool> pool_;
    std::unique_ptr<isovmaf::capi::VideoScorer> video_; ///< once a pair was read; none without features
};
