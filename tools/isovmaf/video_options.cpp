// SPDX-License-Identifier: BSD-2-Clause-Patent
#include <CLI/CLI.hpp>

#include "tools/isovmaf/video_arguments.hpp"

namespace isovmaf::tool {

void declare_videos(CLI::App &command, VideoArguments &arguments, bool required) {
    const char *group = "Input";
    command
        .add_option("-r,--reference", arguments.reference,
                    "Reference video: Y4M, raw, or anything FFmpeg reads; - is standard input")
        ->required(required)
        ->type_name("FILE")
        ->group(group);
    command.add_option("-d,--distorted", arguments.distorted, "Distorted video, likewise")
        ->required(required)
        ->type_name("FILE")
        ->group(group);
    command
        .add_option("-w,--width", arguments.width, "Width of raw planar YUV; of other files: has to be what they say")
        ->check(CLI::Range(1, max_frame_side))
        ->group(group);
    command.add_option("-h,--height", arguments.height, "Height of raw planar YUV")
        ->check(CLI::Range(1, max_frame_side))
        ->group(group);
    command.add_option("-p,--pixel_format", arguments.pixel_format, "Chroma of raw planar YUV")
        ->check(CLI::IsMember(pixel_format_names()))
        ->group(group);
    command
        .add_option("-b,--bitdepth", arguments.bit_depth,
                    "Bit depth of raw planar YUV; above 8: little-endian 16-bit words")
        ->check(CLI::Range(8, 16))
        ->group(group);
    command
        .add_option("--ref-format", arguments.reference_format,
                    "Format of a raw reference, in place of -w -h -p -b: 1920x1080:420p10@24 (depth 8 and rate may be "
                    "left out; raw: in front reads the file as raw video whatever it begins with)")
        ->type_name("FORMAT")
        ->group(group);
    command.add_option("--dis-format", arguments.distorted_format, "Format of a raw distorted video, likewise")
        ->type_name("FORMAT")
        ->group(group);
    command
        .add_option("--ref-stream", arguments.reference_stream,
                    "Stream of the reference: v:1 is its second video stream (default: the one that ffmpeg takes; "
                    "isovmaf probe lists them)")
        ->type_name("STREAM")
        ->group(group);
    command.add_option("--dis-stream", arguments.distorted_stream, "Stream of the distorted video, likewise")
        ->type_name("STREAM")
        ->group(group);
    command
        .add_flag("--allow-partial", arguments.allow_partial,
                  "A raw file may end inside a frame, which is left out with a warning")
        ->group(group);
    command
        .add_option("--resize", arguments.resize,
                    "Scale one side to the other's size: {ref,dis}:{bicubic,bilinear,lanczos}")
        ->type_name("SIDE:FILTER")
        ->group(group);
    command.add_option("--frame_skip_ref", arguments.skip_reference, "Leave out the first N reference frames")
        ->check(CLI::NonNegativeNumber)
        ->type_name("N")
        ->capture_default_str()
        ->group(group);
    command
        .add_option("--frame_skip_dis,--frame_skip_dist", arguments.skip_distorted,
                    "Leave out the first N distorted frames")
        ->check(CLI::NonNegativeNumber)
        ->type_name("N")
        ->capture_default_str()
        ->group(group);
    command.add_option("--frame_cnt", arguments.frame_count, "Score at most N frames")
        ->check(CLI::PositiveNumber)
        ->type_name("N")
        ->group(group);
    command
        .add_option("--convert", arguments.conversions,
                    "SIDE:range: convert ref or dis to the colour range of the other; SIDE:10: to 10 bit; may be "
                    "repeated")
        ->type_name("SIDE:WHAT")
        ->expected(1)
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
        ->group(group);
    command
        .add_flag("--as-is", arguments.as_is,
                  "Score the samples as they are, whatever the files say about colours, rotation and shape")
        ->group(group);
    command
        .add_flag("--strict", arguments.strict,
                  "What is a warning becomes an error: different lengths or colours, a video that is cut short")
        ->group(group);
}

} // namespace isovmaf::tool
