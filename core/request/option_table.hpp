// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "base/try.hpp"
#include "isovmaf/result.hpp"

/// What tables of options consist of. A command line and the rows of a batch read texts by the same tables.
namespace isovmaf {

/// The values that a number may have, both ends included.
struct NumberRange {
    double least;
    std::optional<double> most = {}; ///< nothing: as large as the option's type holds
};

/// A number that may be left to isovmaf.
struct NumberOrAuto {
    std::int64_t number = 0;
    bool is_auto = false; ///< "auto" stands in place of the number, which is 0

    friend bool operator==(const NumberOrAuto &, const NumberOrAuto &) = default;
};

/// An option as the help shows it, and the texts that it takes.
struct OptionRule {
    std::string_view names;      ///< "-w,--width"
    std::string_view value_name; ///< what stands for the value in the help; empty for an option without a value
    std::string_view help;
    std::optional<NumberRange> range = {};           ///< of an option that takes a number
    std::vector<std::string> (*choices)() = nullptr; ///< gives the only texts that the option takes; null: any text
    std::string (*meanings)() = nullptr; ///< gives sentences about the choices, which follow the help; null: none
    std::string_view unsaid = {};        ///< a text that means the same as no text, and that rows of batches leave out

    /// The first long name without its dashes, which is also the name of a batch's column.
    [[nodiscard]] std::string_view name() const;
};

/// Parse one text into a value; an error names the option and what it takes.
Result<void> read_option(const OptionRule &rule, const std::string &text, bool &value);
Result<void> read_option(const OptionRule &rule, const std::string &text, int &value);
Result<void> read_option(const OptionRule &rule, const std::string &text, std::int64_t &value);
Result<void> read_option(const OptionRule &rule, const std::string &text, double &value);
Result<void> read_option(const OptionRule &rule, const std::string &text, NumberOrAuto &value);
Result<void> read_option(const OptionRule &rule, const std::string &text, std::string &value);

template <class Value>
Result<void> read_option(const OptionRule &rule, const std::string &text, std::optional<Value> &value) {
    return read_option(rule, text, value.emplace());
}

template <class Value>
Result<void> read_option(const OptionRule &rule, const std::string &text, std::vector<Value> &values) {
    return read_option(rule, text, values.emplace_back());
}

/// An option whose value is a member of `Arguments`. The member's type says which texts the option takes: a vector has
/// an option that may be given several times.
template <class Arguments>
struct RequestOption : OptionRule {
    using Member =
        std::variant<bool Arguments::*, int Arguments::*, std::int64_t Arguments::*, std::string Arguments::*,
                     std::optional<int> Arguments::*, std::optional<std::int64_t> Arguments::*,
                     std::optional<double> Arguments::*, std::optional<std::string> Arguments::*,
                     std::vector<std::string> Arguments::*, NumberOrAuto Arguments::*>;
    Member member;

    [[nodiscard]] bool is_flag() const { return std::holds_alternative<bool Arguments::*>(member); }
    [[nodiscard]] bool is_list() const { return std::holds_alternative<std::vector<std::string> Arguments::*>(member); }

    /// Calls `visit` with the option's value in `arguments`.
    template <class Visit>
    decltype(auto) visit_value(Arguments &arguments, const Visit &visit) const {
        return std::visit([&](auto pointer) -> decltype(auto) { return visit(arguments.*pointer); }, member);
    }

    /// Replaces the value in `arguments` by what the texts say; an option that is no list takes the last one.
    Result<void> read(std::span<const std::string> texts, Arguments &arguments) const {
        return visit_value(arguments, [&](auto &value) -> Result<void> {
            value = std::remove_cvref_t<decltype(value)>();
            for (const std::string &text : is_list() || texts.empty() ? texts : texts.last(1))
                TRY(read_option(*this, text, value));
            return {};
        });
    }
};

/// Parses the value of --cpumask or --gpumask: decimal, or hexadecimal behind 0x. A minus gives the two's complement,
/// so -1 has all bits set. `option` is the name that an error gives.
[[nodiscard]] Result<std::uint64_t> parse_bit_mask(std::string_view option, std::string_view text);

} // namespace isovmaf
