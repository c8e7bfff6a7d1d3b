// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "tools/isovmaf/batch/batch_rows.hpp"
#include "tools/isovmaf/request_options.hpp"

#include <utility>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "base/try.hpp"
namespace isovmaf::tool {

namespace {

/// Calls `visit` with the name of each option that a row may have, and the option.
template <class Visit>
void for_each_column(const Visit &visit) {
    CLI::App app;
    ScoreArguments arguments;
    app.set_help_flag();
    declare_row_options(app, arguments);
    for (const CLI::Option *const option : std::as_const(app).get_options())
        visit(option->get_lnames().front(), *option);
}

} // namespace

/// A command line that has the options of rows and no others.
struct RowParser::Program {
    Program() {
        app.set_help_flag();
        declare_row_options(app, arguments);
    }

    CLI::App app;
    ScoreArguments arguments;
};

void declare_row_options(CLI::App &command, ScoreArguments &arguments) {
    declare_reading(command, arguments);
    declare_crop(command, arguments);
    declare_pairing(command, arguments);
    declare_scoring(command, arguments, "version=" + ModelRequest{}.version);
}

batch::ManifestColumns manifest_columns() {
    batch::ManifestColumns columns{{"label", "bit_rate"}, {}};
    for_each_column([&](const std::string &name, const CLI::Option &option) {
        columns.known.insert(name);
        if (option.get_multi_option_policy() == CLI::MultiOptionPolicy::TakeAll)
            columns.lists.insert(name);
    });
    return columns;
}

batch::Fields given_row_options(const CLI::App &command) {
    batch::Fields fields;
    for_each_column([&](const std::string &name, const CLI::Option &) {
        const CLI::Option *const given = command.get_option_no_throw("--" + name);
        if (given != nullptr && given->count() > 0)
            fields[name] = given->results();
    });
    return fields;
}

RowParser::RowParser() : program_(std::make_unique<Program>()) {}
RowParser::~RowParser() = default;

const ScoreArguments &RowParser::arguments() const { return program_->arguments; }

Result<ScoreJob> RowParser::parse_score(const batch::Fields &options, const std::string &reference,
                                        const std::string &distorted) {
    std::vector<std::string> texts;
    for (const auto &[name, values] : options)
        for (const std::string &value : values)
            texts.push_back(fmt::format("--{}={}", name, value));
    program_->arguments = ScoreArguments();
    try {
        program_->app.parse(std::vector<std::string>(texts.rbegin(), texts.rend())); // CLI11 takes them in reverse
    } catch (const CLI::ParseError &error) {
        return fail(ErrorCode::invalid_argument, error.what());
    }
    program_->arguments.reference = reference;
    program_->arguments.distorted = distorted;
    return parse_arguments(program_->arguments);
}

Result<batch::PairJob> RowParser::parse(const batch::Fields &options, const std::string &reference,
                                        const std::string &distorted) {
    ScoreJob job = TRY(parse_score(options, reference, distorted));
    return batch::PairJob{std::move(job.videos), std::move(job.session)};
}

} // namespace isovmaf::tool
