// SPDX-License-Identifier: BSD-2-Clause-Patent
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "model/model.hpp"

/// Parses any text as a model file, and predicts with every model that is accepted.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size) {
    const std::string_view text(reinterpret_cast<const char *>(data), size);
    const auto model = isovmaf::parse_model(text, {.enable_transform = true}, "fuzz");
    if (!model)
        return 0;
    std::vector<double> features((*model)->inputs().size());
    for (std::size_t i = 0; i < features.size(); i++)
        features[i] = static_cast<double>(i) * 0.25;
    std::vector<double> scores((*model)->outputs().size());
    (*model)->predict(features, scores);
    return 0;
}
