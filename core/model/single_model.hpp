// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <memory>
#include <string>

#include "model/model.hpp"
#include "model/model_file.hpp"

namespace isovmaf {

/// A model that gives one score, called `name`.
[[nodiscard]] std::unique_ptr<Model> make_single_model(std::string name, std::string origin, ModelDescription model);

} // namespace isovmaf
