// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace isovmaf {

/// A matrix between R'G'B' and Y'CbCr that libswscale computes.
struct Matrix {
    std::string_view name;        ///< libav's
    std::string_view filter_name; ///< that of ffmpeg's filter scale, and of our option --convert
    int coefficients;             ///< for sws_getCoefficients
};

/// Finds a matrix by libav's name; null when libswscale does not compute it.
[[nodiscard]] const Matrix *find_matrix(std::string_view name);

/// Finds a matrix by the name that ffmpeg's filter takes; null when there is none.
[[nodiscard]] const Matrix *find_filter_matrix(std::string_view filter_name);

/// The names that ffmpeg's filter takes, each once.
[[nodiscard]] std::vector<std::string_view> filter_matrix_names();

} // namespace isovmaf
