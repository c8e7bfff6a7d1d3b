// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "tools/isovmaf/request_options.hpp"

#include <CLI/CLI.hpp>

namespace isovmaf::tool {

namespace {

constexpr const char *time_group = "Time";
constexpr const char *input_group = "Input";

} // namespace

void declare_scoring(CLI::App &command, ScoringArguments &arguments, const std::string &default_models) {
    const char *group = "Scores";
    command
        .add_option("-m,--model", arguments.models,
                    "version=NAME|path=FILE[:name=NAME][:enable_transform][:disable_clip][:FEATURE.OPTION=VALUE]; "
                    "may be repeated (default: " +
                        default_models + ")")
        ->type_name("MODEL")
        ->expected(1)
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
        ->group(group);
    command
        .add_option("--model_dir", arguments.model_folders,
                    "Folder searched for NAME.json of models not built in; may be repeated")
        ->type_name("FOLDER")
        ->expected(1)
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
        ->group(group);
    command
        .add_option(
            "--feature", arguments.features,
            "NAME[:OPTION=VALUE]... or NAME=OPTION=VALUE[:OPTION=VALUE]..., on top of what the models need; may be "
            "repeated")
        ->type_name("FEATURE")
        ->expected(1)
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
        ->group(group);
    command.add_option("--aom_ctc", arguments.aom_preset, "Models and features of the AOM common test conditions")
        ->type_name("VERSION")
        ->group(group);
    command.add_option("--nflx_ctc", arguments.netflix_preset, "The same for the common test conditions of Netflix")
        ->type_name("VERSION")
        ->group(group);
    command.add_flag("-n,--no_prediction", arguments.no_prediction, "Only features, no model")->group(group);
    command.add_option("--subsample", arguments.subsample, "Score every N-th frame")
        ->check(CLI::PositiveNumber)
        ->type_name("N")
        ->capture_default_str()
        ->group(group);
    command.add_option("--compat", arguments.compat, "Release whose scores are reproduced")
        ->check(CLI::IsMember(semantics_names()))
        ->capture_default_str()
        ->group(group);
}

void declare_pairing(CLI::App &command, SyncArguments &arguments) {
    std::vector<std::string> modes;
    for (const auto &[name, mode] : sync_modes)
        modes.emplace_back(name);
    command
        .add_option("--sync", arguments.sync,
                    "Which frames are a pair. index: frame n and frame n; pts: frames with the same presentation time, "
                    "from the first frame of each video; pts-absolute: the same with the times that the files state; "
                    "auto: pts when the frame rates differ, else index")
        ->check(CLI::IsMember(modes))
        ->type_name("MODE")
        ->capture_default_str()
        ->group(time_group);
    command
        .add_option("--sync-tolerance", arguments.sync_tolerance,
                    "By how much the presentation times of a pair may differ (default: half the shorter frame)")
        ->check(CLI::Range(0.0, 3600.0))
        ->type_name("SECONDS")
        ->group(time_group);
    command
        .add_option("--offset", arguments.offset,
                    "Pair reference frame n with distorted frame n + N: the distorted video is N frames late; N may be "
                    "negative")
        ->check(CLI::Range(-1'000'000'000, 1'000'000'000))
        ->type_name("N")
        ->capture_default_str()
        ->group(time_group);
}

void declare_sync(CLI::App &command, SyncArguments &arguments) {
    declare_pairing(command, arguments);
    command
        .add_flag(
            "--align", arguments.align,
            "Say at which offset the videos fit, and the mean score of 40 sampled frames there; without it there is "
            "a hint, from small pictures, when another offset clearly fits better. No offset is applied by itself")
        ->group(time_group);
    command.add_option("--align-range", arguments.align_range, "Largest offset that is looked for, in frames")
        ->check(CLI::Range(1, 1000))
        ->type_name("N")
        ->capture_default_str()
        ->group(time_group);
}

void declare_videos(CLI::App &command, VideoArguments &arguments, bool required) {
    command
        .add_option("-r,--reference", arguments.reference,
                    "Reference video: Y4M, raw, or anything FFmpeg reads; - is standard input")
        ->required(required)
        ->type_name("FILE")
        ->group(input_group);
    command.add_option("-d,--distorted", arguments.distorted, "Distorted video, likewise")
        ->required(required)
        ->type_name("FILE")
        ->group(input_group);
    declare_reading(command, arguments);
}

void declare_reading(CLI::App &command, VideoArguments &arguments) {
    command
        .add_option("-w,--width", arguments.width, "Width of raw planar YUV; of other files: has to be what they say")
        ->check(CLI::Range(1, max_frame_side))
        ->group(input_group);
    command.add_option("-h,--height", arguments.height, "Height of raw planar YUV")
        ->check(CLI::Range(1, max_frame_side))
        ->group(input_group);
    command.add_option("-p,--pixel_format", arguments.pixel_format, "Chroma of raw planar YUV")
        ->check(CLI::IsMember(pixel_format_names()))
        ->group(input_group);
    command
        .add_option("-b,--bitdepth", arguments.bit_depth,
                    "Bit depth of raw planar YUV; above 8: little-endian 16-bit words")
        ->check(CLI::Range(8, 16))
        ->group(input_group);
    command
        .add_option("--ref-format", arguments.reference_format,
                    "Format of a raw reference, in place of -w -h -p -b: 1920x1080:420p10@24 (depth 8 and rate may be "
                    "left out; raw: in front reads the file as raw video whatever it begins with)")
        ->type_name("FORMAT")
        ->group(input_group);
    command.add_option("--dis-format", arguments.distorted_format, "Format of a raw distorted video, likewise")
        ->type_name("FORMAT")
        ->group(input_group);
    command
        .add_option("--ref-stream", arguments.reference_stream,
                    "Stream of the reference: v:1 is its second video stream (default: the one that ffmpeg takes; "
                    "isovmaf probe lists them)")
        ->type_name("STREAM")
        ->group(input_group);
    command.add_option("--dis-stream", arguments.distorted_stream, "Stream of the distorted video, likewise")
        ->type_name("STREAM")
        ->group(input_group);
    command
        .add_flag("--allow-partial", arguments.allow_partial,
                  "A raw file may end inside a frame, which is left out with a warning")
        ->group(input_group);
    command
        .add_option("--resize", arguments.resize,
                    "Scale ref or dis to the other's size, after cropping, as ffmpeg -vf scale does; dis:lanczos and "
                    "dis:bicubic+accurate_rnd+bitexact (the same on every processor) take ffmpeg's names of flags "
                    "(default: bicubic)")
        ->type_name("SIDE[:FLAGS]")
        ->group(input_group);
    command.add_option("--frame_skip_ref", arguments.skip_reference, "Leave out the first N reference frames")
        ->check(CLI::NonNegativeNumber)
        ->type_name("N")
        ->capture_default_str()
        ->group(input_group);
    command
        .add_option("--frame_skip_dis,--frame_skip_dist", arguments.skip_distorted,
                    "Leave out the first N distorted frames")
        ->check(CLI::NonNegativeNumber)
        ->type_name("N")
        ->capture_default_str()
        ->group(input_group);
    command.add_option("--frame_cnt", arguments.frame_count, "Score at most N frames")
        ->check(CLI::PositiveNumber)
        ->type_name("N")
        ->group(input_group);
    command
        .add_option("--convert", arguments.conversions,
                    "SIDE:range: convert ref or dis to the colour range of the other; SIDE:10: to 10 bit; SIDE:bt709, "
                    "bt601 or bt2020: R'G'B' with this matrix; may be repeated")
        ->type_name("SIDE:WHAT")
        ->expected(1)
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
        ->group(input_group);
    command
        .add_flag("--as-is", arguments.as_is,
                  "Score the samples as they are, whatever the files say about colours, rotation and shape")
        ->group(input_group);
    command
        .add_flag("--strict", arguments.strict,
                  "What is a warning becomes an error: different lengths or colours, a video that is cut short")
        ->group(input_group);
}

void declare_crop(CLI::App &command, VideoArguments &arguments) {
    command
        .add_option(
            "--crop", arguments.crops,
            "Score a part of the pictures, WIDTHxHEIGHT+LEFT+TOP or WIDTH:HEIGHT:LEFT:TOP; with ref: or dis: in "
            "front, of one video")
        ->type_name("[SIDE:]PART")
        ->expected(1)
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
        ->group(input_group);
}

} // namespace isovmaf::tool
