// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "run/fit.hpp"

#include <algorithm>
#include <string_view>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/try.hpp"
#include "frame/validate.hpp"
#include "run/conversions.hpp"

namespace isovmaf {

namespace {

/// The scaler that --fit takes: its samples are the same on every processor.
constexpr const char *fit_scaler_flags = "bicubic+exact";

/// "reference a.mp4 has LEFT, distorted b.mp4 has RIGHT"
std::string both_have(const PairInfo &pair, std::string_view left, std::string_view right) {
    return fmt::format("--fit: reference {} has {}, distorted {} has {}", display_name(pair.reference.name), left,
                       display_name(pair.distorted.name), right);
}

Chroma requested_chroma(const VideoSide &side, const SourceInfo &stored) {
    return side.convert_format ? side.convert_format->chroma : stored.format.chroma;
}

/// The bits with which the chroma of a side changes. Samples of full range get theirs afterwards: they are not shifted.
int depth_of_chroma(const VideoSide &side, const SourceInfo &own, const VideoSide &other_side, const SourceInfo &other,
                    bool strict) {
    const int depth = own.format.bit_depth;
    const bool shifts = own.colour.range != "full" && other.colour.range != "full";
    return strict || !shifts || side.convert_bit_depth ? depth
                                                       : std::max(depth, requested_depth(other_side, other.format));
}

VideoFormat cropped_format(const VideoSide &side, const SourceInfo &info) {
    return side.crop ? cropped(info.format, *side.crop) : info.format;
}

} // namespace

Result<void> fit_chroma(VideoRequest &request, const PairInfo &stored) {
    const Chroma of_reference = requested_chroma(request.reference, stored.reference);
    const Chroma of_distorted = requested_chroma(request.distorted, stored.distorted);
    const Chroma coarser = std::min(of_reference, of_distorted);
    const bool reference_is_finer = of_reference > coarser;
    VideoSide &finer = reference_is_finer ? request.reference : request.distorted;
    const VideoSide &other = reference_is_finer ? request.distorted : request.reference;
    if (of_reference == of_distorted || coarser == Chroma::k400 || finer.convert_format)
        return {};
    const SourceInfo &of_finer = reference_is_finer ? stored.reference : stored.distorted;
    const SourceInfo &of_other = reference_is_finer ? stored.distorted : stored.reference;
    std::string readers = "a feature may read chroma";
    if (request.readers) {
        const FormatReaders found = TRY(request.readers(of_finer.format));
        if (found.chroma.empty())
            return {};
        readers = fmt::format("{} would read chroma", fmt::join(found.chroma, ", "));
    }
    finer.convert_format =
        SampleFormat{coarser, depth_of_chroma(finer, of_finer, other, of_other, request.pair.strict)};
    request.settled.push_back(
        {"convert", fmt::format("{}:{}", reference_is_finer ? "ref" : "dis", sample_format_text(*finer.convert_format)),
         both_have(stored, chroma_text(of_reference), chroma_text(of_distorted)) + ", and " + readers});
    return {};
}

void fit_range(VideoRequest &request, const PairInfo &stored) {
    const std::string &of_reference = stored.reference.colour.range, &of_distorted = stored.distorted.colour.range;
    const bool by_hand =
        request.reference.convert_range || request.distorted.convert_range || request.colours == ColourPolicy::accept;
    if (by_hand || of_reference.empty() || of_distorted.empty() || of_reference == of_distorted)
        return;
    request.distorted.convert_range = true;
    request.settled.push_back(
        {"convert", "dis:range", both_have(stored, of_reference + " range", of_distorted + " range")});
}

void fit_size(VideoRequest &request, const PairInfo &converted) {
    const VideoFormat reference = cropped_format(request.reference, converted.reference);
    const VideoFormat distorted = cropped_format(request.distorted, converted.distorted);
    if (request.resize || (reference.width == distorted.width && reference.height == distorted.height))
        return;
    request.resize = Resize{.reference = false, .flags = expand_scaler_flags(fit_scaler_flags)};
    const auto size = [](const VideoFormat &format) { return fmt::format("{}x{}", format.width, format.height); };
    request.settled.push_back(
        {"resize", fmt::format("dis:{}", fit_scaler_flags), both_have(converted, size(reference), size(distorted))});
}

} // namespace isovmaf
