// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "input/convert/matrix.hpp"

#include <algorithm>
#include <array>

extern "C" {
#include <libswscale/swscale.h>
}

namespace isovmaf {

namespace {

constexpr std::array<Matrix, 6> matrices{{{"bt709", "bt709", SWS_CS_ITU709},
                                          {"smpte170m", "bt601", SWS_CS_ITU601},
                                          {"bt470bg", "bt601", SWS_CS_ITU601},
                                          {"bt2020nc", "bt2020", SWS_CS_BT2020},
                                          {"fcc", "fcc", SWS_CS_FCC},
                                          {"smpte240m", "smpte240m", SWS_CS_SMPTE240M}}};

const Matrix *find(std::string_view Matrix::*key, std::string_view name) {
    const auto found = std::ranges::find(matrices, name, key);
    return found == matrices.end() ? nullptr : &*found;
}

} // namespace

const Matrix *find_matrix(std::string_view name) { return find(&Matrix::name, name); }
const Matrix *find_filter_matrix(std::string_view filter_name) { return find(&Matrix::filter_name, filter_name); }

std::vector<std::string_view> filter_matrix_names() {
    std::vector<std::string_view> names;
    for (const Matrix &matrix : matrices)
        if (find_filter_matrix(matrix.filter_name) == &matrix)
            names.push_back(matrix.filter_name);
    return names;
}

} // namespace isovmaf
