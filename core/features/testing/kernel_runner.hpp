// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <string_view>
#include <vector>

#include "features/testing/feature_runner.hpp"

namespace isovmaf::testing {

/// Runs a feature's kernels on every frame of a clip, on the first device of the plugin that the environment variable
/// ISOVMAF_TEST_PLUGIN names, and expects the reference's words in every bit.
void expect_reference_sums(std::string_view feature, const std::vector<OptionTexts> &option_sets,
                           const std::vector<FramePair> &clip, Semantics semantics = Semantics::libvmaf_3_2);

/// The same for the kernels with taps; it also expects the reference's values at every stage. Each stage has to have a
/// value other than 0 in some frame.
void expect_reference_stages(std::string_view feature, const std::vector<OptionTexts> &option_sets,
                             const std::vector<FramePair> &clip, Semantics semantics = Semantics::libvmaf_3_2);

} // namespace isovmaf::testing
