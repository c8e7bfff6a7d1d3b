// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "input/libav/numbered_pictures.hpp"

#include <algorithm>
#include <filesystem>
#include <optional>
#include <system_error>
#include <vector>

#include <fmt/format.h>

#include "base/text.hpp"

namespace isovmaf {

namespace {

/// Longer numbers are no numbers of pictures.
constexpr std::size_t most_digits = 12;

/// Where a pattern has its number.
struct NumberPlace {
    std::size_t begin, end;
};

std::optional<NumberPlace> find_number(std::string_view pattern) {
    const std::size_t percent = pattern.find('%');
    if (percent == std::string_view::npos)
        return std::nullopt;
    const std::size_t end = pattern.find_first_not_of("0123456789", percent + 1);
    if (end == std::string_view::npos || pattern[end] != 'd')
        return std::nullopt;
    return NumberPlace{percent, end + 1};
}

/// A pattern's file name, cut at the number.
struct PictureName {
    std::string before, after;
    std::size_t digits; ///< at least; numbers with fewer begin with zeros

    [[nodiscard]] std::optional<std::int64_t> number_of(std::string_view name) const {
        if (name.size() <= before.size() + after.size() || !name.starts_with(before) || !name.ends_with(after))
            return std::nullopt;
        const std::string_view number = name.substr(before.size(), name.size() - before.size() - after.size());
        const bool longer = number.size() > std::max<std::size_t>(digits, 1);
        if (number.find_first_not_of("0123456789") != std::string_view::npos || number.size() > most_digits ||
            number.size() < digits || (longer && number.front() == '0'))
            return std::nullopt;
        return parse_integer(number);
    }
};

PictureName picture_name(std::string_view pattern, const NumberPlace &place) {
    const std::size_t slash = pattern.rfind('/');
    const std::size_t name = slash == std::string_view::npos ? 0 : slash + 1;
    const auto digits = parse_integer(pattern.substr(place.begin + 1, place.end - place.begin - 2));
    return {std::string(pattern.substr(name, place.begin - name)), std::string(pattern.substr(place.end)),
            static_cast<std::size_t>(std::clamp<std::int64_t>(digits.value_or(0), 0, most_digits))};
}

std::vector<std::int64_t> numbers_in(const std::filesystem::path &folder, const PictureName &name) {
    std::vector<std::int64_t> numbers;
    std::error_code ignored; // a folder that cannot be listed has no pictures
    for (std::filesystem::directory_iterator entry(folder, ignored), end; entry != end; entry.increment(ignored))
        if (const auto number = name.number_of(entry->path().filename().string()))
            numbers.push_back(*number);
    std::ranges::sort(numbers);
    return numbers;
}

} // namespace

bool is_picture_pattern(std::string_view path) { return find_number(path).has_value(); }

Result<std::int64_t> first_picture(const std::string &pattern) {
    const NumberPlace place = *find_number(pattern);
    const PictureName name = picture_name(pattern, place);
    const std::filesystem::path folder = std::filesystem::path(pattern).parent_path();
    const std::vector<std::int64_t> numbers = numbers_in(folder.empty() ? "." : folder, name);
    if (numbers.empty())
        return fail(ErrorCode::not_found,
                    fmt::format("there is no file \"{}\", and no picture has such a numbered name; check the name and "
                                "the folder",
                                escape_controls(pattern)));
    for (std::size_t i = 1; i < numbers.size(); i++)
        if (numbers[i] != numbers[i - 1] + 1)
            return fail(ErrorCode::corrupt_data,
                        fmt::format("the pictures {} have the numbers {} to {}, but number {} is missing; numbers have "
                                    "to follow one another",
                                    escape_controls(pattern), numbers.front(), numbers.back(), numbers[i - 1] + 1));
    return numbers.front();
}

} // namespace isovmaf
