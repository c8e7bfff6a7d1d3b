// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "capi/model.hpp"
#include "libvmaf/model.h"

/// All models of a bootstrap collection but the first, which is a VmafModel by itself. Reading it is thread-safe
/// while no thread overloads it.
struct VmafModelCollection {
  public:
    /// `members` are called NAME_0001 and so on. There is at least one, and all read the same features.
    VmafModelCollection(std::string name, std::vector<isovmaf::ModelDescription> members);

    [[nodiscard]] const std::string &name() const { return name_; }

    /// Differs between any two collections that a process ever loads.
    [[nodiscard]] std::uint64_t id() const { return members_.front().id(); }

    [[nodiscard]] std::span<const VmafModel> members() const { return members_; }

    /// The feature scores that every member reads.
    [[nodiscard]] std::span<const isovmaf::ModelInput> inputs() const { return members_.front().inputs(); }

    /// Names of what `predict` gives: those of the members, then NAME_bagging, NAME_stddev, NAME_ci_p95_lo and
    /// NAME_ci_p95_hi.
    [[nodiscard]] std::span<const std::string> outputs() const { return outputs_; }

    /// Scores of one frame from its feature scores, in the order of `inputs`. `scores` has one for each output.
    void predict(std::span<const double> features, std::span<double> scores) const;

    /// VmafModel::overload for every member.
    void overload(const isovmaf::FeatureRequest &request);

  private:
    std::string name_;
    std::vector<VmafModel> members_;
    std::vector<std::string> outputs_;
};

namespace isovmaf::capi {

/// The last four of a collection's outputs as the C interface hands them out.
[[nodiscard]] VmafModelCollectionScore collection_score(std::span<const double, 4> statistics);

} // namespace isovmaf::capi
