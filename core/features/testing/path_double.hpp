// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <memory>
#include <utility>

#include "features/feature.hpp"

namespace isovmaf::testing {

/// Stands for a CPU path: runs the code that it is given.
class PathDouble final : public Extractor {
  public:
    explicit PathDouble(std::unique_ptr<Extractor> code) : code_(std::move(code)) {}

    std::string_view level() const override { return "double"; }
    void extract(const PictureWindow &frames, Workspace &workspace, Words words, Taps taps) const override {
        code_->extract(frames, workspace, words, taps);
    }

  private:
    std::unique_ptr<Extractor> code_;
};

} // namespace isovmaf::testing
