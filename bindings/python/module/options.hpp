// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include "isovmaf/isovmaf.hpp"
#include "request/scoring_arguments.hpp"

/// Options as Python gives them: a dictionary of those that are not None, by the names that `isovmaf.score` has.
namespace isovmaf::python {

/// The options that no reader has taken yet.
class Given {
  public:
    explicit Given(const pybind11::dict &options) : options_(options.attr("copy")()) {}

    /// Sets `value` when the option is given. Raises TypeError on a value of another type.
    template <class T>
    void take(const char *name, T &value) {
        if (!options_.contains(name))
            return;
        const pybind11::object given = options_[name];
        try {
            value = given.cast<T>();
        } catch (const pybind11::cast_error &) {
            raise_wrong_type(name, given);
        }
        options_.attr("pop")(name);
    }

    /// After the last `take`: raises TypeError on an option that is left.
    void finish() const;

  private:
    [[noreturn]] static void raise_wrong_type(const char *name, const pybind11::object &given);

    pybind11::dict options_;
};

/// Fails with invalid_argument unless `given` is one of the choices.
Result<void> check_choice(const char *option, const std::string &given, const std::vector<std::string> &choices);

/// Fails with invalid_argument on a number below `least`.
Result<void> check_least(const char *option, std::int64_t given, std::int64_t least);

/// The codes of chroma formats: "420".
[[nodiscard]] std::vector<std::string> chroma_codes();

/// What is scored and where. Raise an exception on an option that is wrong.
[[nodiscard]] ScoringArguments take_scoring(Given &given);
[[nodiscard]] ExecutionOptions take_execution(Given &given);

/// What a session of frames is made from.
struct FramesRequest {
    SessionOptions options = {};
    ScoringArguments asked = {}; ///< what options.scoring was parsed from
};

/// The options of a session. Raises an exception on an option that is unknown, of another type, or wrong.
[[nodiscard]] FramesRequest read_session_options(const pybind11::dict &given);

} // namespace isovmaf::python
