// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "batch/failure_text.hpp"

#include <string_view>
#include <utility>

namespace isovmaf::batch {

namespace {

constexpr std::string_view reference_mark = "{reference}", distorted_mark = "{distorted}";

std::string replace_all(std::string text, std::string_view from, std::string_view to) {
    if (!from.empty())
        for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
            text.replace(at, from.size(), to);
    return text;
}

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
