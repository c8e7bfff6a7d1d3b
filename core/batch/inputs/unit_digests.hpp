// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <map>
#include <optional>
#include <string>

#include "batch/inputs/inputs.hpp"
#include "batch/work/unit.hpp"

namespace isovmaf::batch {

/// The digests of the videos of one or more units that are worked on. Videos that units read to their end, and that no
/// store knows, are hashed while they are read: their digests are known afterwards. Used by one thread.
class UnitDigests {
  public:
    /// `inputs` lives as long.
    explicit UnitDigests(Inputs &inputs) : inputs_(inputs) {}

    /// The job of a unit, for its reader. Hashes the videos that are not hashed while they are read.
    [[nodiscard]] Result<PairJob> begin(PairJob job, const FrameRange &frames);

    /// Whether the digests of both videos are known.
    [[nodiscard]] bool known(const PairJob &job) const;

    /// Computes the digests that are not known yet. The readers of the job have to be destroyed before.
    Result<void> finish_hashing(const PairJob &job);

    /// Gives the digests of videos that are known, and those of all other files.
    [[nodiscard]] DigestSource source();

  private:
    struct Video {
        std::string digest;                     ///< empty while it is not known
        std::optional<Inputs::Reading> reading; ///< without a digest
    };

    Inputs &inputs_;
    std::map<std::string, Video> videos_; ///< by path
};

} // namespace isovmaf::batch
