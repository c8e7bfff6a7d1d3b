// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <filesystem>
#include <string>

namespace isovmaf {

/// Remembers of which decoders the pictures had the samples of software. A file for each in a folder of the user; what
/// cannot be read or written is not remembered.
class DecoderVerdicts {
  public:
    explicit DecoderVerdicts(std::filesystem::path folder) : folder_(std::move(folder)) {}

    /// The folder "isovmaf/decoders" in $XDG_CACHE_HOME, or in .cache of the home folder. Remembers nothing without
    /// both.
    [[nodiscard]] static DecoderVerdicts of_user();

    /// `decoder` names everything that decides what is decoded: device, driver, codec, profile, libraries.
    [[nodiscard]] bool knows(const std::string &decoder) const;
    void remember(const std::string &decoder) const;

  private:
    [[nodiscard]] std::filesystem::path file_of(const std::string &decoder) const;

    std::filesystem::path folder_; ///< empty: none
};

} // namespace isovmaf
