// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

/// isovmaf computes VMAF and its features: the same number on every backend, to the last bit.
///
///     auto session = isovmaf::Session::create({.format = {1920, 1080}, .scoring = {.models = {{}}}});
///     while (more) session->push(reference, distorted);
///     session->finish();
///     double vmaf = session->pooled("vmaf")->mean;
///
/// Functions return errors as values (Result) and do not throw. A Session is used by one thread at a time. Sessions are
/// independent of each other, so each thread may have its own. A process that is forked cannot use the sessions of its
/// parent: push and finish fail there, no result becomes ready, and the destructor frees nothing.
///
/// A program may have set how its thread rounds, what becomes of subnormal numbers, and which floating-point exceptions
/// end it. Functions that compute set the default of IEEE 754, and put back what they found before they return;
/// functions of the caller that they call run with the default. The program's locale changes nothing.

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
#include "isovmaf/frame.hpp"
#include "isovmaf/request.hpp"
#include "isovmaf/result.hpp"
#include "isovmaf/scores.hpp"
#include "isovmaf/video_format.hpp"
#include "isovmaf/words.hpp"

namespace isovmaf {

/// "0.1.0"
[[nodiscard]] ISOVMAF_API std::string_view version();

/// What a session computes, of which video, and where.
struct SessionOptions {
    VideoFormat format = {};         ///< of every frame of both videos
    ScoringOptions scoring = {};     ///< features, models, and what is kept of them
    ExecutionOptions execution = {}; ///< backend, device and threads
};

/// Scores one pair of videos. Push pairs in display order, then finish; results may be taken on the way.
class ISOVMAF_API Session {
  public:
    /// Loads the models, prepares the features and opens the device. Fails on unknown names, bad options, a format a
    /// feature cannot take, a model whose features this build lacks, or a backend that cannot be had.
    [[nodiscard]] static Result<Session> create(const SessionOptions &options);

    /// The same where the backend is open already, or being opened: see open_execution. Models and features that cannot
    /// be had are found before the backend is waited for.
    [[nodiscard]] static Result<Session> create(const VideoFormat &format, const ScoringOptions &scoring,
                                                const ExecutionHandle &execution);

    /// Ends the work on frames in flight; their scores are lost.
    ~Session();
    /// A session that was moved from can only be destroyed or assigned to.
    Session(Session &&) noexcept;
    /// Ends the work of the session that is replaced, as its destructor does.
    Session &operator=(Session &&) noexcept;

    /// Where this session runs, and what it has done there so far.
    [[nodiscard]] Execution execution() const;

    /// Names of the per-frame scores as reports print them: features in the order asked for, then models.
    [[nodiscard]] const std::vector<std::string> &score_names() const;

    /// How many of the score names belong to features; the rest belong to models.
    [[nodiscard]] std::size_t feature_score_count() const;

    /// For each score the name of the feature or of the model that it comes from.
    [[nodiscard]] const std::vector<std::string> &score_sources() const;

    /// The scores in the order of the columns of a libvmaf report, as indices into score_names: features as models and
    /// requests name them, then scores that libvmaf computes at the end of the video, then models, then the other
    /// scores of collections. `threads` is the number of threads that libvmaf is given; 0: it computes while frames are
    /// pushed. With several threads the order is the one that libvmaf's threads nearly always come to.
    [[nodiscard]] std::vector<std::size_t> libvmaf_order(int threads = 0) const;

    /// What each feature's words are, in the order of FrameScores::words. A frame has no words of a feature that did
    /// not run on it.
    [[nodiscard]] std::vector<FeatureWordSpecs> words() const;

    /// The device that the session computes on, for frames in its memory; the first one of several; null on the CPU.
    [[nodiscard]] DeviceHandle device() const;

    /// All devices that the session computes on. A frame in memory of one of them is scored there.
    [[nodiscard]] std::vector<DeviceHandle> devices() const;

    /// How many planes features read: the first ones of a frame. The content of the others may be anything.
    [[nodiscard]] int planes_read() const;

    /// Gives memory for frames that device() copies from as it is, or reads in place, where host memory has to be
    /// copied first: so many bytes, from a multiple of 64 on, which the device keeps until the last copy of the pointer
    /// is gone. The session may keep such a frame until as many later ones were pushed as it has in flight and looks
    /// back, or until the session is gone. Null when there is no more. Any thread may call it, also when the session is
    /// gone. Empty on the CPU.
    [[nodiscard]] FrameMemory frame_memory() const;

    /// Starts to score one more pair, which lies in host memory or in memory of one of devices(). Waits first while the
    /// session holds as many frames as it may. A frame in host memory without an owner is copied; any other frame is
    /// read where it lies, and its owner is dropped, possibly on another thread, when the frame was read for the last
    /// time. Frames in device memory stay there; what the CPU has to read of them is copied to the host, which
    /// Execution::fetched counts. Fails with `mismatch` on another format or device, on a pair in memory of two
    /// devices, and with `corrupt_data` on samples above the bit depth that a feature would read: the pair is not
    /// taken. A device finds such samples later, when no feature runs on the CPU: then a later call fails, and the
    /// session ends with the frames before.
    Result<void> push(const Frame &reference, const Frame &distorted);

    /// The most frames of each video that the session keeps between two pushes, of those in memory of devices if it
    /// has one: a decoder with that many frames, and one more, always has one to decode into.
    [[nodiscard]] std::size_t most_frames_held() const;

    /// Imports memory of another API, once, so that frames in it can be pushed: see ExternalMemory. `device` is the one
    /// of devices() where the memory lies; null: device(). Fails with `unsupported` on the CPU and where the backend
    /// cannot import such memory, with `mismatch` on another device, and with `invalid_argument` when the descriptor is
    /// not what `external` says. The session can be used after a failure.
    [[nodiscard]] Result<ImportedMemory> import_memory(const ExternalMemory &external, const DeviceHandle &device = {});

    /// Scores of the next frame in frame order, or nothing when it is not ready yet. A frame is ready when its
    /// temporal features are, one or two frames later, or after `finish`.
    [[nodiscard]] std::optional<FrameScores> next_result();

    /// Ends the video: waits for the frames in flight and computes the last scores. Nothing can be pushed after.
    Result<void> finish();

    /// The scores of all frames, after `finish`; until then rows may lack scores.
    [[nodiscard]] const ScoreTable &scores() const;

    /// Statistics of one score, after `finish`. `name` is one of score_names. Fails when no pair was pushed.
    [[nodiscard]] Result<PooledScore> pooled(std::string_view name) const;

    /// Scores of the whole video that are not statistics of its frames' scores, with names, after `finish`.
    [[nodiscard]] std::vector<std::pair<std::string, double>> aggregates() const;

  private:
    class Impl;
    explicit Session(std::unique_ptr<Impl> impl);
    std::unique_ptr<Impl> impl_;
};

} // namespace isovmaf
