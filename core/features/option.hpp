// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "features/video_fact.hpp"
#include "isovmaf/request.hpp"
#include "isovmaf/result.hpp"

namespace isovmaf {

using OptionValue = std::variant<bool, int, double, std::string>;

/// Whether an option is part of a feature's output name (the naming rule of scores.md §3).
enum class Naming : bool { plain, in_name };

/// One option of a feature: libvmaf's name, alias, default, and which values it takes. The default's type is the
/// option's type.
struct OptionSpec {
    std::string_view name;
    std::string_view alias; ///< empty when libvmaf has none
    std::string_view help;
    OptionValue default_value;
    double minimum = 0; ///< range of int and double options, both ends included; the default may lie outside
    double maximum = 0;
    Naming naming = Naming::in_name;
    std::span<const std::string_view> words = {}; ///< the only values of a text option; empty: any text
    /// The default stands for this fact of the video, in an option whose value is a double: it is replaced before a
    /// plan is made, so that extractors, finishers and words files only ever see the value.
    VideoFact fact = VideoFact::none;
    /// What a value of such an option means to the feature, for reports: "second order". Null: nothing beyond itself.
    std::string_view (*meaning)(double value) = nullptr;
};

/// A value for every option of one feature.
class OptionSet {
  public:
    OptionSet() = default;

    /// All defaults.
    explicit OptionSet(std::span<const OptionSpec> specs);

    /// Defaults overridden by `texts`. An unknown option, a value of the wrong type or one out of range is an error
    /// that names `feature` and what would have been right. A repeated option with another value is an error too.
    static Result<OptionSet> parse(std::string_view feature, std::span<const OptionSpec> specs,
                                   const OptionTexts &texts);

    [[nodiscard]] bool flag(std::string_view name) const;
    [[nodiscard]] int integer(std::string_view name) const;
    [[nodiscard]] double number(std::string_view name) const;
    [[nodiscard]] const std::string &words(std::string_view name) const; ///< of an option whose value is a text

    [[nodiscard]] std::span<const OptionSpec> specs() const { return specs_; }
    [[nodiscard]] const OptionValue &value(std::size_t index) const { return values_[index]; }
    [[nodiscard]] bool is_default(std::size_t index) const { return values_[index] == specs_[index].default_value; }

    /// Whether the value still stands for a fact of the video.
    [[nodiscard]] bool is_open(std::size_t index) const {
        return specs_[index].fact != VideoFact::none && is_default(index);
    }

    /// Gives an option that is open its value: as near to that of the fact as the option's range allows.
    void close(std::size_t index, double value);

    /// The values that differ from the defaults, as "NAME=VALUE:NAME=VALUE": what a request has behind the feature's
    /// name. Empty when all values are defaults.
    [[nodiscard]] std::string text() const;

    /// The same values by name.
    [[nodiscard]] OptionTexts changed() const;

    /// Takes over the plain (not in-name) options of `other` where this set has the default. Fails where both differ
    /// from the default and from each other: the two sets share one output name and cannot both be served.
    Result<void> merge_plain_options(std::string_view feature, const OptionSet &other);

  private:
    [[nodiscard]] const OptionValue &find(std::string_view name) const;

    std::span<const OptionSpec> specs_;
    std::vector<OptionValue> values_;
};

/// Name and value of every option, as reports print them; OptionSet::parse reads the same set from them.
[[nodiscard]] OptionTexts option_texts(const OptionSet &set);

/// Numbers travel as text of six significant digits, through f32, whether they come from a model file or from a user:
/// "17.0" becomes "17", "0.06" stays. Text that is not one number is returned unchanged. (scores.md §3)
[[nodiscard]] std::string normalise_option_text(std::string_view text);

/// The value as it appears in names and reports: true, 3, 0.7, text.
[[nodiscard]] std::string option_text(const OptionValue &value);

/// Suffix that the in-name options of `options` add to a name: "" when all have their defaults, else for example
/// "_csf_2_dlmw_0.7_egl_1". Options are sorted by full name; a bool adds its key alone. (scores.md §3)
[[nodiscard]] std::string name_suffix(const OptionSet &options);

/// Name under which a score is kept and matched with models: `base_name` itself without a suffix, else alias + suffix.
[[nodiscard]] std::string stored_name(std::string_view base_name, std::string_view alias, const OptionSet &options);

/// Name a report prints for a stored name: VMAF_integer_feature_adm2_score becomes integer_adm2. Names without an
/// alias stay as they are.
[[nodiscard]] std::string report_name(std::string_view stored_name);

} // namespace isovmaf
