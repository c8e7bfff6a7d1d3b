// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <string>

#include "request/scoring_arguments.hpp"
#include "request/video_arguments.hpp"

namespace CLI {
class App;
}

/// The options of core/request for CLI11. Several commands have them.
namespace isovmaf::tool {

/// `default_models` is the text in the help for what is scored when no model is given.
void declare_scoring(CLI::App &command, ScoringArguments &arguments, const std::string &default_models);

/// Declares the options that say how frames are paired.
void declare_pairing(CLI::App &command, SyncArguments &arguments);

/// Declares these options and those that look for a better offset.
void declare_sync(CLI::App &command, SyncArguments &arguments);

/// Declares the options that say how the videos are read.
void declare_reading(CLI::App &command, VideoArguments &arguments);

/// Declares the videos and these options. `required` says whether a command line without videos is an error.
void declare_videos(CLI::App &command, VideoArguments &arguments, bool required);

/// Declares --crop for a command that has no option of that name.
void declare_crop(CLI::App &command, VideoArguments &arguments);

} // namespace isovmaf::tool
