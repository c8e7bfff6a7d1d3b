// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "features/option.hpp"

#include <algorithm>
#include <cassert>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/text.hpp"
#include "base/try.hpp"
#include "features/registry.hpp"

namespace isovmaf {

namespace {

std::string list_options(std::span<const OptionSpec> specs) {
    std::vector<std::string> names;
    for (const OptionSpec &spec : specs)
        names.push_back(spec.alias.empty() ? std::string(spec.name) : fmt::format("{} ({})", spec.name, spec.alias));
    return fmt::format("{}", fmt::join(names, ", "));
}

Result<OptionValue> parse_value(std::string_view feature, const OptionSpec &spec, const std::string &text) {
    const auto wrong = [&](std::string_view wanted) {
        return fail(ErrorCode::invalid_argument,
                    fmt::format("option {} of feature {} takes {}, not \"{}\"", spec.name, feature, wanted, text));
    };
    if (std::holds_alternative<bool>(spec.default_value)) {
        if (text != "true" && text != "false")
            return wrong("true or false");
        return OptionValue(text == "true");
    }
    if (std::holds_alternative<std::string>(spec.default_value)) {
        if (!spec.words.empty() && std::ranges::find(spec.words, text) == spec.words.end())
            return wrong(fmt::format("{}", fmt::join(spec.words, ", ")));
        return OptionValue(text);
    }

    const bool whole = std::holds_alternative<int>(spec.default_value);
    const std::string wanted =
        fmt::format("{} from {:g} to {:g}", whole ? "an integer" : "a number", spec.minimum, spec.maximum);
    const std::optional<double> number = parse_double(normalise_option_text(text));
    if (!number)
        return wrong(wanted);
    if (whole && *number == std::get<int>(spec.default_value)) // which may lie outside the range
        return spec.default_value;
    if (*number < spec.minimum || *number > spec.maximum)
        return wrong(wanted);
    if (!whole)
        return OptionValue(*number);
    if (*number != static_cast<double>(static_cast<int>(*number)))
        return wrong(wanted);
    return OptionValue(static_cast<int>(*number));
}

} // namespace

std::string normalise_option_text(std::string_view text) {
    const std::optional<double> number = parse_double(text);
    return number ? format_g(static_cast<double>(static_cast<float>(*number))) : std::string(text);
}

std::string option_text(const OptionValue &value) {
    struct Printer {
        std::string operator()(bool flag) const { return flag ? "true" : "false"; }
        std::string operator()(int number) const { return fmt::format("{}", number); }
        std::string operator()(double number) const { return format_g(number); }
        std::string operator()(const std::string &text) const { return text; }
    };
    return std::visit(Printer{}, value);
}

OptionTexts option_texts(const OptionSet &set) {
    OptionTexts texts;
    for (std::size_t i = 0; i < set.specs().size(); i++)
        texts.emplace_back(set.specs()[i].name, option_text(set.value(i)));
    return texts;
}

OptionSet::OptionSet(std::span<const OptionSpec> specs) : specs_(specs) {
    for (const OptionSpec &spec : specs)
        values_.push_back(spec.default_value);
}

Result<OptionSet> OptionSet::parse(std::string_view feature, std::span<const OptionSpec> specs,
                                   const OptionTexts &texts) {
    OptionSet set(specs);
    std::vector<bool> given(specs.size());
    for (const auto &[key, text] : texts) {
        const auto spec = std::ranges::find_if(specs, [&name = key](const OptionSpec &s) {
            return s.name == name || (!s.alias.empty() && s.alias == name);
        });
        if (spec == specs.end())
            return fail(ErrorCode::invalid_argument,
                        fmt::format("feature {} has no option \"{}\"; it has: {}", feature, key, list_options(specs)));
        OptionValue value = TRY(parse_value(feature, *spec, text));
        const auto index = static_cast<std::size_t>(spec - specs.begin());
        if (given[index] && set.values_[index] != value)
            return fail(ErrorCode::invalid_argument,
                        fmt::format("option {} of feature {} is given twice, as {} and {}", spec->name, feature,
                                    option_text(set.values_[index]), option_text(value)));
        given[index] = true;
        set.values_[index] = std::move(value);
    }
    return set;
}

namespace {

/// The largest number of six significant digits that is not above `value`, which is positive: options travel as such
/// texts, and a rate just below a limit does not become the limit.
double rounded_down(double value) {
    double rounded = value;
    for (double tried = value; (rounded = *parse_double(format_g(tried))) > value;)
        tried -= value * 5e-7; // at most half the distance of such numbers
    return rounded;
}

} // namespace

void OptionSet::close(std::size_t index, double value) {
    const OptionSpec &spec = specs_[index];
    assert(is_open(index) && std::holds_alternative<double>(spec.default_value) && value > 0);
    values_[index] = std::clamp(rounded_down(value), spec.minimum, spec.maximum);
}

const OptionValue &OptionSet::find(std::string_view name) const {
    const auto spec = std::ranges::find(specs_, name, &OptionSpec::name);
    assert(spec != specs_.end());
    return values_[static_cast<std::size_t>(spec - specs_.begin())];
}

bool OptionSet::flag(std::string_view name) const { return std::get<bool>(find(name)); }
int OptionSet::integer(std::string_view name) const { return std::get<int>(find(name)); }
double OptionSet::number(std::string_view name) const { return std::get<double>(find(name)); }
const std::string &OptionSet::words(std::string_view name) const { return std::get<std::string>(find(name)); }

OptionTexts OptionSet::changed() const {
    OptionTexts texts;
    for (std::size_t i = 0; i < specs_.size(); i++)
        if (!is_default(i))
            texts.emplace_back(specs_[i].name, option_text(values_[i]));
    return texts;
}

std::string OptionSet::text() const {
    std::vector<std::string> options;
    for (const auto &[name, value] : changed())
        options.push_back(fmt::format("{}={}", name, value));
    return fmt::format("{}", fmt::join(options, ":"));
}

Result<void> OptionSet::merge_plain_options(std::string_view feature, const OptionSet &other) {
    for (std::size_t i = 0; i < specs_.size(); i++) {
        if (specs_[i].naming == Naming::in_name || other.is_default(i) || other.values_[i] == values_[i])
            continue;
        if (!is_default(i))
            return fail(ErrorCode::invalid_argument,
                        fmt::format("feature {} is asked for twice with {}={} and {}={}, which share one output name: "
                                    "ask for one of them, and score the videos again for the other",
                                    feature, specs_[i].name, option_text(values_[i]), specs_[i].name,
                                    option_text(other.values_[i])));
        values_[i] = other.values_[i];
    }
    return {};
}

namespace {

constexpr std::size_t longest_name = 255;

} // namespace

std::string name_suffix(const OptionSet &options) {
    std::vector<std::size_t> named;
    for (std::size_t i = 0; i < options.specs().size(); i++)
        if (options.specs()[i].naming == Naming::in_name && !options.is_default(i))
            named.push_back(i);
    std::ranges::sort(named, {}, [&](std::size_t i) { return options.specs()[i].name; });

    std::string suffix;
    for (std::size_t i : named) {
        const OptionSpec &spec = options.specs()[i];
        suffix += '_';
        suffix += spec.alias.empty() ? spec.name : spec.alias;
        if (!std::holds_alternative<bool>(options.value(i)))
            suffix += '_' + option_text(options.value(i));
    }
    return suffix;
}

std::string stored_name(std::string_view base_name, std::string_view alias, const OptionSet &options) {
    const std::string suffix = name_suffix(options);
    if (suffix.empty())
        return std::string(base_name);
    std::string name(alias.empty() ? base_name : alias);
    name += suffix;
    name.resize(std::min(name.size(), longest_name));
    return name;
}

std::string report_name(std::string_view stored_name) {
    for (const FeatureDescriptor *feature : all_features())
        for (const OutputSpec &output : feature->outputs)
            if (output.base_name == stored_name && !output.alias.empty())
                return std::string(output.alias);
    return std::string(stored_name);
}

} // namespace isovmaf
