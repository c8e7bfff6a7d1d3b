// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "batch/work/failure_text.hpp"

#include <string_view>
#include <utility>

#include "base/text.hpp"

namespace isovmaf::batch {

namespace {

constexpr std::string_view reference_mark = "{reference}", distorted_mark = "{distorted}";

} // namespace

/// The longer path first: the other may be a part of it.
std::string hide_names(std::string message, const std::string &reference, const std::string &distorted) {
    return reference.size() > distorted.size()
               ? replace_all(replace_all(std::move(message), reference, reference_mark), distorted, distorted_mark)
               : replace_all(replace_all(std::move(message), distorted, distorted_mark), reference, reference_mark);
}

std::string show_names(std::string message, const Row &row) {
    return replace_all(replace_all(std::move(message), reference_mark, row.reference), distorted_mark, row.distorted);
}

} // namespace isovmaf::batch
