// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "batch/manifest/manifest.hpp"
#include "request/pair_job.hpp"
#include "request/scoring_arguments.hpp"
#include "request/video_arguments.hpp"

namespace CLI {
class App;
}

/// Options that several commands have: those of core/request for CLI11, backend and device, folders of plugins, the CPU
/// level, the number of threads.
namespace isovmaf::tool {

/// Options that are added to a command while this lives stand under this heading of the help.
class OptionHeading {
  public:
    OptionHeading(CLI::App &command, const char *heading);
    ~OptionHeading();
    OptionHeading(const OptionHeading &) = delete;
    OptionHeading &operator=(const OptionHeading &) = delete;

  private:
    CLI::App &command_;
    const std::string before_;
};

/// `default_models` is the text in the help for what is scored when no model is given.
void declare_scoring(CLI::App &command, ScoringArguments &arguments, const std::string &default_models);

/// Declares the options that say how frames are paired.
void declare_pairing(CLI::App &command, SyncArguments &arguments);

/// Declares these options and those that look for a better offset.
void declare_sync(CLI::App &command, SyncArguments &arguments);

/// Declares the options that say how the videos are read.
void declare_reading(CLI::App &command, VideoArguments &arguments);

/// Declares --reference.
void declare_reference(CLI::App &command, std::string &reference);

/// Declares a reference, a distorted video and these options.
void declare_videos(CLI::App &command, VideoArguments &arguments);

/// Declares --crop for a command that has no option of that name.
void declare_crop(CLI::App &command, VideoArguments &arguments);

/// --backend.
void declare_backend_name(CLI::App &command, std::string &backend);

/// --backend and --device.
void declare_backend(CLI::App &command, std::string &backend, std::optional<int> &device);

void declare_backend_folders(CLI::App &command, std::vector<std::string> &folders);

/// --cpu. `level` is ExecutionOptions::cpu_level.
void declare_cpu_level(CLI::App &command, std::string &level);

void declare_threads(CLI::App &command, int &threads);

/// --hwaccel: see hardware_decoding_names.
void declare_hwaccel(CLI::App &command, std::string &hwaccel);

/// The options of `isovmaf score` that rows of a manifest may have as columns: what is read and what is scored.
void declare_row_options(CLI::App &command, RequestArguments &arguments);

/// These options of a command line, as they were given.
[[nodiscard]] batch::Fields given_row_options(const CLI::App &command);

/// The columns that a manifest may have.
[[nodiscard]] batch::ManifestColumns manifest_columns();

} // namespace isovmaf::tool
