// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "capi/dictionary.hpp"

#include <algorithm>
#include <charconv>
#include <optional>

#include <fmt/format.h>

#include "base/text.hpp"
#include "base/try.hpp"
#include "capi/status.hpp"
#include "features/feature.hpp"

namespace isovmaf::capi {

namespace {

std::string_view without_white_space(std::string_view text) {
    constexpr std::string_view white_space = " \t\n\v\f\r";
    const std::size_t begin = text.find_first_not_of(white_space);
    if (begin == std::string_view::npos)
        return {};
    return text.substr(begin, text.find_last_not_of(white_space) + 1 - begin);
}

/// A hexadecimal number such as "0x10" or "-0x1.8p1".
std::optional<double> parse_hexadecimal(std::string_view text) {
    const bool negative = text.starts_with('-');
    if (negative || text.starts_with('+'))
        text.remove_prefix(1);
    if (!text.starts_with("0x") && !text.starts_with("0X"))
        return std::nullopt;
    text.remove_prefix(2);
    double magnitude = 0;
    const char *const end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, magnitude, std::chars_format::hex);
    if (error != std::errc{} || stop != end || text.starts_with('-'))
        return std::nullopt;
    return negative ? -magnitude : magnitude;
}

void set(VmafFeatureDictionary &dictionary, std::string_view key, std::string value) {
    const auto entry = std::ranges::find(dictionary.entries, key, &OptionTexts::value_type::first);
    if (entry == dictionary.entries.end())
        dictionary.entries.emplace_back(key, std::move(value));
    else
        entry->second = std::move(value);
}

} // namespace

std::string stored_value(std::string_view text) {
    const std::string_view word = without_white_space(text);
    if (const std::optional<double> number = parse_hexadecimal(word))
        return normalise_option_text(fmt::format("{}", *number));
    return parse_double(word) ? normalise_option_text(word) : std::string(text);
}

OptionTexts known_options(const FeatureDescriptor &feature, const OptionTexts &options, const Log &log) {
    OptionTexts known;
    for (const auto &option : options) {
        const auto is_this = [&key = option.first](const OptionSpec &spec) {
            return spec.name == key || (!spec.alias.empty() && spec.alias == key);
        };
        if (std::ranges::any_of(feature.options, is_this))
            known.push_back(option);
        else
            log.warning(fmt::format("the feature {} has no option {}: the option has no effect", feature.name,
                                    quote(option.first)));
    }
    return known;
}

} // namespace isovmaf::capi

using namespace isovmaf;
using namespace isovmaf::capi;

int vmaf_feature_dictionary_set(VmafFeatureDictionary **dict, const char *key, const char *val) {
    return guarded([&]() -> Result<void> {
        TRY(require_arguments("vmaf_feature_dictionary_set", dict, key, val));
        if (*dict != nullptr) {
            set(**dict, key, stored_value(val));
            return {};
        }
        auto created = std::make_unique<VmafFeatureDictionary>();
        set(*created, key, stored_value(val));
        *dict = created.release();
        return {};
    });
}

int vmaf_feature_dictionary_free(VmafFeatureDictionary **dict) {
    return guarded([&]() -> Result<void> {
        TRY(require_arguments("vmaf_feature_dictionary_free", dict));
        delete *dict;
        *dict = nullptr;
        return {};
    });
}
