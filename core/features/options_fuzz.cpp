// SPDX-License-Identifier: BSD-2-Clause-Patent
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "features/option.hpp"
#include "features/registry.hpp"

/// Options of every feature from "name=value:name=value...". A value that was accepted is accepted again as reports
/// print it, and stays what it was.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size) {
    using namespace isovmaf;
    std::string_view rest(reinterpret_cast<const char *>(data), size);
    OptionTexts given;
    while (!rest.empty()) {
        const std::string_view option = rest.substr(0, rest.find(':'));
        rest.remove_prefix(std::min(option.size() + 1, rest.size()));
        const std::size_t equals = std::min(option.find('='), option.size());
        given.emplace_back(option.substr(0, equals), option.substr(std::min(equals + 1, option.size())));
    }
    for (const FeatureDescriptor *feature : all_features()) {
        const Result<OptionSet> options = OptionSet::parse(feature->name, feature->options, given);
        if (!options)
            continue;
        const Result<OptionSet> again = OptionSet::parse(feature->name, feature->options, option_texts(*options));
        if (!again || name_suffix(*again) != name_suffix(*options))
            std::abort();
    }
    return 0;
}
