// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "run/format_agreement.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/try.hpp"
#include "features/registry.hpp"
#include "frame/validate.hpp"
#include "input/convert/converted_source.hpp"
#include "run/conversions.hpp"

namespace isovmaf {

namespace {

/// What of two formats cannot stay as it is. The formats are those that the request asks for: before bits are added.
struct Disagreement {
    VideoFormat reference, distorted;
    bool sizes = false;
    bool depths = false;
    bool chroma = false;
    bool readers_known = false;
    FormatReaders readers = {}; ///< of the chroma

    [[nodiscard]] bool any() const { return sizes || depths || chroma; }
    [[nodiscard]] int depth() const { return std::max(reference.bit_depth, distorted.bit_depth); }
    [[nodiscard]] bool one_is_grey() const {
        return reference.chroma == Chroma::k400 || distorted.chroma == Chroma::k400;
    }
};

VideoFormat requested_format(const VideoSide &side, const SourceInfo &stored, const SourceInfo &converted) {
    VideoFormat format = converted.format;
    format.bit_depth = requested_depth(side, stored.format);
    return format;
}

/// The format in which features would read chroma, whose size is that after scaling: they may refuse another one.
VideoFormat format_with_chroma(const VideoRequest &request, const PairInfo &converted) {
    const VideoFormat &r = converted.reference.format, &d = converted.distorted.format;
    VideoFormat format = r.chroma == Chroma::k400 ? d : r;
    const VideoFormat &unscaled = request.resize && request.resize->reference ? d : r;
    format.width = unscaled.width;
    format.height = unscaled.height;
    return format;
}

Result<Disagreement> find_disagreement(const VideoRequest &request, const PairInfo &stored, const PairInfo &converted) {
    const VideoFormat &r = converted.reference.format, &d = converted.distorted.format;
    Disagreement found{requested_format(request.reference, stored.reference, converted.reference),
                       requested_format(request.distorted, stored.distorted, converted.distorted)};
    found.sizes = !request.resize && (r.width != d.width || r.height != d.height);
    found.depths = r.bit_depth != d.bit_depth;
    found.chroma = r.chroma != d.chroma;
    found.readers_known = found.chroma && request.readers;
    if (!found.readers_known)
        return found;
    found.readers = TRY(request.readers(format_with_chroma(request, converted)));
    found.chroma = !found.readers.chroma.empty();
    return found;
}

/// Joins options, of which some may be empty.
std::string join_options(std::initializer_list<std::string> options) {
    std::string joined;
    for (const std::string &option : options)
        if (!option.empty())
            joined += (joined.empty() ? "" : " ") + option;
    return joined;
}

std::string size_option(const Disagreement &found) { return found.sizes ? "--resize dis" : ""; }

/// Gives a side as many bits as the other has, where that is not done without being asked for.
std::string depth_option(const Disagreement &found, std::string_view side, const VideoFormat &format) {
    return found.depths && format.bit_depth < found.depth() ? fmt::format("--convert {}:{}", side, found.depth()) : "";
}

std::string depth_options(const Disagreement &found) {
    return join_options({depth_option(found, "ref", found.reference), depth_option(found, "dis", found.distorted)});
}

/// Options that give both videos the chroma of one of them.
std::vector<std::string> chroma_options(const Disagreement &found) {
    if (found.one_is_grey())
        return {};
    const auto convert = [&](std::string_view side, Chroma chroma) {
        return fmt::format("--convert {}:{}", side, sample_format_text({chroma, found.depth()}));
    };
    return {join_options({size_option(found), convert("ref", found.distorted.chroma),
                          depth_option(found, "dis", found.distorted)}),
            join_options({size_option(found), convert("dis", found.reference.chroma),
                          depth_option(found, "ref", found.reference)})};
}

/// How the features that read chroma can read luma alone; empty where one of them cannot.
std::string luma_options(const Disagreement &found) {
    if (found.readers.models_read_chroma)
        return "";
    std::string options;
    for (const std::string &name : found.readers.chroma) {
        const FeatureDescriptor *const feature = find_feature(name);
        if (!feature || feature->fallback_options.empty())
            return "";
        options = join_options({options, "--feature " + request_text(*feature, feature->fallback_options)});
    }
    return fmt::format("use {} in its place", join_options({size_option(found), depth_options(found), options}));
}

/// What a user leaves out to compare luma: features, or also a model; empty where nothing would be left.
std::string luma_advice(const Disagreement &found) {
    const std::string others = join_options({size_option(found), depth_options(found)});
    const std::string and_others = others.empty() ? "" : fmt::format(" and give {}", others);
    if (found.readers.models_read_chroma)
        return found.one_is_grey()
                   ? fmt::format("take a model that reads luma alone, such as -m version={}, and no feature that reads "
                                 "chroma{}, to compare luma",
                                 ModelRequest().version, and_others)
                   : "";
    if (!found.readers.others)
        return "";
    return fmt::format("leave {} out{} to compare luma", found.readers.chroma.size() == 1 ? "it" : "them", and_others);
}

std::string chroma_advice(const Disagreement &found) {
    if (!found.readers_known && found.one_is_grey())
        return "score their luma, with features that read no chroma";
    std::vector<std::string> ways;
    if (found.readers_known) {
        ways = {luma_advice(found), luma_options(found)};
        std::erase(ways, "");
    }
    if (const std::vector<std::string> options = chroma_options(found); !options.empty())
        ways.push_back(fmt::format("use {} to give both the same format", fmt::join(options, " or ")));
    return ways.empty() ? "ask for features that read luma alone" : fmt::to_string(fmt::join(ways, ", or "));
}

std::string advice(const Disagreement &found) {
    if (found.chroma)
        return chroma_advice(found);
    const std::string depths = depth_options(found);
    if (!found.depths)
        return "use --resize dis to scale the distorted video to the reference's size, --resize ref for the reverse, "
               "or --crop to cut a part out of one or both";
    return found.sizes ? fmt::format("use --resize dis {0}, or --resize ref {0}", depths)
                       : fmt::format("use {} to give it as many bits as the other video", depths);
}

/// Whether --fit would make videos agree that do not.
bool fit_helps(const VideoRequest &request, const Disagreement &found) {
    const bool chroma_is_open = !request.reference.convert_format && !request.distorted.convert_format;
    return request.settled.empty() && !found.depths && (!found.chroma || (!found.one_is_grey() && chroma_is_open));
}

/// "34x32 4:2:2 10-bit", or "34x32 4:2:2 10-bit, converted to 34x32 4:2:0 10-bit".
std::string format_words(const SourceInfo &stored, const VideoFormat &requested) {
    const bool foreign = !stored.conversions.empty(); // pixels that are no VideoFormat
    const std::string file =
        foreign ? fmt::format("{}x{} {}", stored.format.width, stored.format.height, stored.stored_pixels)
                : format_text(stored.format);
    return foreign || requested != stored.format ? fmt::format("{}, converted to {}", file, format_text(requested))
                                                 : file;
}

/// What a user can tell features that take the added bits for those of the encoder, which has `bit_depth`.
Result<std::string> depth_advice(const VideoRequest &request, const PairInfo &converted, int bit_depth) {
    const VideoFormat deeper = format_with_chroma(request, converted);
    VideoFormat encoded = deeper;
    encoded.bit_depth = bit_depth;
    const auto indifferent = TRY(request.readers(deeper)).depth_options; // to more bits than these
    std::string advice;
    for (const auto &option : TRY(request.readers(encoded)).depth_options) {
        if (std::ranges::find(indifferent, option) != indifferent.end())
            continue;
        const auto &[feature, name] = option;
        advice += fmt::format("; {0} takes {3} bits for those of the encoder, which changes its score: {0}.{1}={2} "
                              "tells it otherwise (-m MODEL:{0}.{1}={2}, or --feature {0}:{1}={2})",
                              feature, name, bit_depth, deeper.bit_depth);
    }
    return advice;
}

std::string chroma_words(Chroma chroma) {
    return chroma == Chroma::k400 ? "luma alone (4:0:0)" : fmt::format("chroma ({})", chroma_text(chroma));
}

} // namespace

PairInfo describe_pair(const FrameSource &reference, const FrameSource &distorted) {
    return {reference.info(), distorted.info()};
}

Result<void> check_formats(const VideoRequest &request, const PairInfo &stored, const PairInfo &converted) {
    const Disagreement found = TRY(find_disagreement(request, stored, converted));
    if (!found.any())
        return {};
    std::string sentence =
        fmt::format("reference {} is {}, distorted {} is {}", display_name(stored.reference.name),
                    format_words(stored.reference, found.reference), display_name(stored.distorted.name),
                    format_words(stored.distorted, found.distorted));
    if (found.depths)
        sentence += ", and with --strict no bits are added unless an option says so";
    if (found.chroma && found.readers_known)
        sentence += fmt::format(", and {} would read chroma", fmt::join(found.readers.chroma, ", "));
    return fail(ErrorCode::mismatch,
                fmt::format("{}; {}{}", sentence, advice(found),
                            fit_helps(request, found) ? ", or --fit to let isovmaf choose and say what it did" : ""));
}

Result<std::vector<std::string>> added_bits_notes(const VideoRequest &request, const PairInfo &stored,
                                                  const PairInfo &converted) {
    if (request.bits_added == BitsAdded::by_shift)
        return {};
    for (const bool of_reference : {true, false}) {
        const SourceInfo &own = of_reference ? converted.reference : converted.distorted;
        const SourceInfo &other = of_reference ? converted.distorted : converted.reference;
        const int from = of_reference ? requested_depth(request.reference, stored.reference.format)
                                      : requested_depth(request.distorted, stored.distorted.format);
        const int to = own.format.bit_depth;
        if (from == to)
            continue;
        std::string note = fmt::format("{} {} has {} bits a sample, and {} {} has {}: the former gets {}, as its "
                                       "conversions say",
                                       of_reference ? "reference" : "distorted", display_name(own.name), from,
                                       of_reference ? "distorted" : "reference", display_name(other.name), to, to);
        if (!of_reference && request.readers)
            note += TRY(depth_advice(request, converted, from));
        return std::vector{std::move(note)};
    }
    return {};
}

std::vector<std::string> match_luma(std::unique_ptr<FrameSource> &reference, std::unique_ptr<FrameSource> &distorted) {
    const SourceInfo &r = reference->info(), &d = distorted->info();
    if (r.format.chroma == d.format.chroma)
        return {};
    std::string note = fmt::format("{} has {}, {} has {}: luma is compared, which is all that the requested features "
                                   "read",
                                   display_name(r.name), chroma_words(r.format.chroma), display_name(d.name),
                                   chroma_words(d.format.chroma));
    for (std::unique_ptr<FrameSource> *const source : {&reference, &distorted})
        if ((*source)->info().format.chroma != Chroma::k400)
            *source = make_luma_source(std::move(*source));
    return {std::move(note)};
}

} // namespace isovmaf
