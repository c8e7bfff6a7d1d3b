// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "tools/isovmaf/batch/batch_rows.hpp"

#include <CLI/CLI.hpp>

#include "tools/isovmaf/request_options.hpp"

namespace isovmaf::tool {

void declare_row_options(CLI::App &command, RequestArguments &arguments) {
    declare_reading(command, arguments);
    declare_crop(command, arguments);
    declare_pairing(command, arguments);
    declare_scoring(command, arguments, "version=" + ModelRequest{}.version);
}

batch::ManifestColumns manifest_columns() {
    batch::ManifestColumns columns{{"label", "bit_rate"}, {}};
    for (const RequestOptionName &option : request_option_names()) {
        columns.known.insert(option.name);
        if (option.is_list)
            columns.lists.insert(option.name);
    }
    return columns;
}

batch::Fields given_row_options(const CLI::App &command) {
    batch::Fields fields;
    for (const RequestOptionName &option : request_option_names()) {
        const CLI::Option *const given = command.get_option_no_throw("--" + option.name);
        if (given != nullptr && given->count() > 0)
            fields[option.name] = given->results();
    }
    return fields;
}

} // namespace isovmaf::tool
