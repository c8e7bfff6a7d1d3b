// SPDX-License-Identifier: BSD-2-Clause-Patent
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "features/registry.hpp"
#include "isovmaf/request.hpp"

/// Parses any text as a model request and as a feature request, and tries accepted options on every feature.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size) {
    const std::string_view text(reinterpret_cast<const char *>(data), size);
    const auto try_options = [](const isovmaf::FeatureRequest &request) {
        for (const isovmaf::FeatureDescriptor *feature : isovmaf::all_features())
            (void)isovmaf::OptionSet::parse(feature->name, feature->options, request.options);
    };
    if (const auto model = isovmaf::ModelRequest::parse(text))
        for (const isovmaf::FeatureRequest &request : model->feature_options)
            try_options(request);
    if (const auto feature = isovmaf::FeatureRequest::parse(text))
        try_options(*feature);
    return 0;
}
