// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "batch/inputs/inputs.hpp"
#include "batch/manifest/row.hpp"
#include "batch/store/run_folder.hpp"
#include "engine/words/segments.hpp"
#include "request/pair_job.hpp"
#include "run/videos.hpp"

namespace isovmaf::batch {

/// The work that a worker does at a time: the frames `frames` of the pair in row `row`.
struct Unit {
    std::size_t row = 0;
    FrameRange frames = {};
    std::uint64_t group = 0; ///< a hash of the reference's path, the options and the frames
};

/// The number of frames that a pair seems to have, if it may be cut into segments. Nothing when the number is not
/// known, when frames are paired by time, when --strict makes unequal lengths an error, and when the pair cannot be
/// opened.
[[nodiscard]] std::optional<std::int64_t> count_frames(const PairJob &job);

/// All units of a run, in the order of the rows, without the rows that have a problem. Rows that have more than
/// `segment_frames` frames are cut into segments of that many; the last one ends where the video ends. 0: no
/// row is cut. A row that names its segments has units for these alone.
[[nodiscard]] Result<std::vector<Unit>> plan_units(const RowTable &rows, std::int64_t segment_frames);

/// The name of a unit in stores: processes that read the same rows give it the same name.
[[nodiscard]] std::string unit_name(const Row &row, const FrameRange &frames);

/// Gives the digests of an input's content that are known: see known_digests.
using DigestSource = std::function<Result<std::vector<std::string>>(const InputName &input)>;

/// The keys that a unit's words may have: digests of the contents of the files that the job reads, the options,
/// isovmaf's version and the frames. One for each choice among the digests of a video; none when a file has no digest.
/// Words are kept with a key all of whose digests cover what was read. So equal keys mean equal words.
[[nodiscard]] Result<std::vector<std::string>> unit_keys(const DigestSource &digests, const PairJob &job,
                                                         const Row &row, const FrameRange &frames);

/// What a unit's session depends on besides the format of the videos and where it runs: the row's options and the
/// contents of model files, which have digests.
[[nodiscard]] Result<std::string> session_key(const DigestSource &digests, const PairJob &job, const Row &row);

/// What to open for the frames of a job from `first` on.
[[nodiscard]] VideoRequest videos_from(const PairJob &job, std::int64_t first);

/// Turns rows into jobs. Options are parsed once for all rows that have the same ones. Thread-safe.
class RowJobs {
  public:
    /// Relative paths of videos start from `base`.
    explicit RowJobs(std::filesystem::path base) : base_(std::move(base)) {}

    /// Fails when the row's options are wrong. The videos and models are not looked at.
    [[nodiscard]] Result<PairJob> make(const Row &row, const ExecutionOptions &execution = {});

  private:
    /// The options of rows as a job without videos.
    [[nodiscard]] Result<PairJob> parsed(const Fields &options);

    const std::filesystem::path base_;
    std::mutex mutex_; ///< guards `jobs_`
    std::map<Fields, Result<PairJob>> jobs_;
};

/// The digests of the videos of one or more units that are worked on. Videos that units read to their end, and that no
/// store knows, are hashed while they are read: their digests are known afterwards. Used by one thread.
class UnitDigests {
  public:
    /// `inputs` lives as long.
    explicit UnitDigests(Inputs &inputs) : inputs_(inputs) {}

    /// The job of a unit, for its reader. Hashes the videos that are not hashed while they are read.
    [[nodiscard]] Result<PairJob> begin(PairJob job, const FrameRange &frames);

    /// Whether both videos have the digests that the unit's key is made of.
    [[nodiscard]] bool settled(const PairJob &job) const;

    /// Settles the digests that are not. The readers of the job have to be destroyed before.
    Result<void> finish_hashing(const PairJob &job);

    /// Fails when a video of the job no longer looks as it did when its digest was found.
    Result<void> check_unchanged(const PairJob &job) const;

    /// Gives the settled digest of a video, else those that are known, and the digests of all other files.
    [[nodiscard]] DigestSource source();

  private:
    struct Video {
        Inputs::Reading reading;
        std::string digest;  ///< empty while it is not settled
        bool failed = false; ///< it could not be hashed
    };

    Inputs &inputs_;
    std::map<InputName, Video> videos_;
};

} // namespace isovmaf::batch
