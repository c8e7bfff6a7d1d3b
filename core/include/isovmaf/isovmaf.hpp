// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

/// isovmaf: VMAF and its features, the same number on every backend, to the last bit.
///
///     auto session = isovmaf::Session::create({.format = {1920, 1080}, .models = {isovmaf::ModelRequest{}}});
///     while (more) session->push(reference, distorted);
///     session->finish();
///     double vmaf = session->pooled("vmaf")->mean;
///
/// Errors are values (Result); nothing throws. A Session is used from one thread at a time; sessions are independent
/// of each other, so each thread may have its own.

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "isovmaf/api.hpp"
#include "isovmaf/execution.hpp"
#include "isovmaf/external_memory.hpp"
#include "isovmaf/request.hpp"
#include "isovmaf/result.hpp"
#include "isovmaf/scores.hpp"
#include "isovmaf/video_format.hpp"
#include "isovmaf/words.hpp"

namespace isovmaf {

/// "0.1.0"
[[nodiscard]] ISOVMAF_API std::string_view version();

struct SessionOptions {
    VideoFormat format = {};
    std::vector<ModelRequest> models = {};
    std::vector<std::string> model_folders = {}; ///< searched for VERSION.json when a version is not built in
    std::vector<FeatureRequest> features = {};   ///< on top of what the models need
    int threads = 0;                             ///< scoring threads; 0: one per processor. Never changes a score.
    std::string backend = "cpu";    ///< a plugin's name, "cpu", or "auto": a GPU if there is one, else the CPU
    std::optional<int> device = {}; ///< number of the backend's device; the first one that works if not given
    std::vector<std::string> backend_folders =
        {};                     ///< searched for plugins; ISOVMAF_BACKEND_DIR or the default if empty
    int frames_in_flight = 0;   ///< on a device; 0: as many as are useful and fit
    int device_queues = 0;      ///< that kernels run on; 0: as many as are useful
    bool device_timing = false; ///< measure the device time of every feature, at a small cost
    int subsample = 1;          ///< score frames 0, n, 2n, ...
    bool keep_words = false;    ///< hand out the words behind the scores too (FrameScores::words)
    Semantics semantics = Semantics::libvmaf_3_2;
};

/// Planes in the caller's memory: pointers to the first sample and distance between rows, scored size
/// (VideoFormat::plane_width, plane_height). Luma, then Cb and Cr unless 4:0:0. 16-bit rows are 2-byte aligned.
struct FrameView {
    std::array<const void *, 3> data{};
    std::array<std::ptrdiff_t, 3> stride_bytes{};
};

/// A frame that is read in place. `owner` keeps the memory alive and unchanged; the session drops it, possibly on
/// another thread, when it needs the frame no longer.
struct SharedFrame {
    FrameView view = {};
    std::shared_ptr<const void> owner = {};
};

/// A frame that already lies in memory of the session's device: addresses of the backend's runtime (a HIP or CUDA
/// pointer as an integer), of a buffer of the same plugin and device, or inside memory that the session imported, and
/// distances between rows, positive and a multiple of the sample size. What fills it has ended, as the host sees it,
/// before it is pushed. `owner` as in SharedFrame.
struct DeviceFrame {
    std::array<std::uint64_t, 3> address{};
    std::array<std::uint64_t, 3> stride_bytes{};
    std::shared_ptr<const void> owner = {};
};

/// Scores one pair of videos. Push pairs in display order, then finish; results may be taken on the way.
class ISOVMAF_API Session {
  public:
    /// Loads the models, prepares the features and opens the device. Fails on unknown names, bad options, a format a
    /// feature cannot take, a model whose features this build lacks, or a backend that cannot be had.
    [[nodiscard]] static Result<Session> create(const SessionOptions &options);

    ~Session();
    Session(Session &&) noexcept;
    Session &operator=(Session &&) noexcept;

    /// Where this session runs and what it did there so far.
    [[nodiscard]] Execution execution() const;

    /// Names of the per-frame scores as reports print them: features in the order asked for, then models.
    [[nodiscard]] const std::vector<std::string> &score_names() const;

    /// How many of the score names are features; the rest are models.
    [[nodiscard]] std::size_t feature_score_count() const;

    /// For each score the feature, or the model by its name, that it comes from.
    [[nodiscard]] const std::vector<std::string> &score_sources() const;

    /// What each feature's words are, in the order of FrameScores::words. A frame has no words of a feature that did
    /// not run on it.
    [[nodiscard]] std::vector<FeatureWordSpecs> words() const;

    /// Scores one more pair, copying it. Waits while as many frames are in flight as the session holds.
    Result<void> push(const FrameView &reference, const FrameView &distorted);

    /// The same without a copy.
    Result<void> push(const SharedFrame &reference, const SharedFrame &distorted);

    /// The same for frames on the device: they are not copied to the host. Fails on the CPU.
    Result<void> push(const DeviceFrame &reference, const DeviceFrame &distorted);

    /// Lets the session's device reach memory of another API, once, for frames in it to be pushed: see ExternalMemory.
    /// Fails with `unsupported` on the CPU and where the backend cannot import such memory, with `invalid_argument`
    /// when the descriptor is not what it is said to be; the session goes on either way.
    [[nodiscard]] Result<ImportedMemory> import_memory(const ExternalMemory &external);

    /// Scores of the next frame in frame order, or nothing when it is not ready yet. A frame is ready when its
    /// temporal features are, one or two frames later, or after `finish`.
    [[nodiscard]] std::optional<FrameScores> next_result();

    /// Ends the video: waits for the frames in flight and settles the last scores. Nothing can be pushed after.
    Result<void> finish();

    /// Statistics of one score, after `finish`; the name as in score_names.
    [[nodiscard]] Result<PooledScore> pooled(std::string_view name) const;

    /// Scores of the whole video that are no statistic of its frames' scores, by name, after `finish`.
    [[nodiscard]] std::vector<std::pair<std::string, double>> aggregates() const;

  private:
    class Impl;
    explicit Session(std::unique_ptr<Impl> impl);
    std::unique_ptr<Impl> impl_;
};

} // namespace isovmaf
