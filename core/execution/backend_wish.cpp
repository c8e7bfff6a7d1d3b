// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "execution/backend_wish.hpp"

#include <utility>
#include <vector>

#include <fmt/format.h>

#include "base/text.hpp"
#include "device/backend_names.hpp"

namespace isovmaf {

namespace {

std::vector<std::string> names_in(std::string_view list) {
    std::vector<std::string> names;
    for (;;) {
        const std::size_t comma = list.find(',');
        names.emplace_back(list.substr(0, comma));
        if (comma == std::string_view::npos)
            return names;
        list.remove_prefix(comma + 1);
    }
}

tl::unexpected<Error> refuse(std::string_view text, std::string_view why) {
    return fail(ErrorCode::invalid_argument,
                fmt::format("backend {}: {}: give auto, cpu, cpu-ref, a plugin's name, or a plugin's name and a CPU's "
                            "as in \"hip,cpu\"",
                            quote(text), why));
}

} // namespace

Result<BackendWish> parse_backend(std::string_view text) {
    if (text == auto_backend)
        return BackendWish{std::string(auto_backend), std::string(cpu_backend)};
    BackendWish wish;
    for (std::string &name : names_in(text)) {
        if (name.empty())
            return refuse(text, "a name is missing");
        if (name == auto_backend)
            return refuse(text, "auto stands alone");
        std::string &place = runs_without_plugin(name) ? wish.cpu : wish.device;
        if (!place.empty())
            return refuse(text, fmt::format("a session uses {} or {}, not both", quote(place), quote(name)));
        place = std::move(name);
    }
    return wish;
}

} // namespace isovmaf
