// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "capi/dictionary.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "base/text.hpp"
#include "base/try.hpp"
#include "capi/status.hpp"
#include "features/feature.hpp"
#include "features/stored_value.hpp"

namespace isovmaf::capi {

namespace {

void set(VmafFeatureDictionary &dictionary, std::string_view key, std::string value) {
    const auto entry = std::ranges::find(dictionary.entries, key, &OptionTexts::value_type::first);
    if (entry == dictionary.entries.end())
        dictionary.entries.emplace_back(key, std::move(value));
    else
        entry->second = std::move(value);
}

} // namespace

OptionTexts known_options(const FeatureDescriptor &feature, const OptionTexts &options, const Log &log) {
    OptionTexts known;
    for (const auto &option : options) {
        if (std::ranges::find(feature.options, option.first, &OptionSpec::name) != feature.options.end()) {
            known.push_back(option);
            continue;
        }
        const auto meant = std::ranges::find(feature.options, option.first, &OptionSpec::alias);
        log.warning(fmt::format(
            "the feature {} has no option {}: the option has no effect{}", feature.name, quote(option.first),
            option.first.empty() || meant == feature.options.end()
                ? ""
                : fmt::format("; the name of what is {} in names of scores is {}", quote(option.first), meant->name)));
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
