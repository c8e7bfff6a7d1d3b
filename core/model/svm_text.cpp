// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "model/svm_text.hpp"

#include <algorithm>
#include <map>
#include <optional>

#include <fmt/format.h>

#include "base/text.hpp"
#include "base/try.hpp"

namespace isovmaf {

namespace {

constexpr std::string_view blanks = " \t\r\v\f";
constexpr std::string_view blanks_and_newline = " \t\r\v\f\n";

/// Cuts the next word off the front of `text`; empty at the end.
std::string_view take_word(std::string_view &text, std::string_view separators) {
    text.remove_prefix(std::min(text.find_first_not_of(separators), text.size()));
    const std::string_view word = text.substr(0, text.find_first_of(separators));
    text.remove_prefix(word.size());
    return word;
}

std::string_view take_line(std::string_view &text) {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    return line;
}

/// Keys of the header, and how many values follow each. libsvm counts a regression as two classes, so keys with a value
/// for each class have two.
struct HeaderKey {
    std::string_view name;
    int values;
};
constexpr HeaderKey header_keys[] = {
    {"svm_type", 1}, {"kernel_type", 1}, {"degree", 1}, {"gamma", 1}, {"coef0", 1}, {"nr_class", 1},
    {"total_sv", 1}, {"rho", 1},         {"label", 2},  {"probA", 1}, {"probB", 1}, {"nr_sv", 2},
};

class SvmTextReader {
  public:
    SvmTextReader(std::string_view text, std::size_t features, std::string_view path)
        : rest_(text), features_(features), path_(path) {}

    Result<Svr> read() {
        return read_header().and_then([this] { return interpret_header(); }).and_then([this] {
            return read_vectors();
        });
    }

  private:
    template <class... Args>
    tl::unexpected<Error> wrong(ErrorCode code, fmt::format_string<Args...> format, Args &&...args) const {
        return fail(code, fmt::format("{}: {}", path_, fmt::format(format, std::forward<Args>(args)...)));
    }
    template <class... Args>
    tl::unexpected<Error> corrupt(fmt::format_string<Args...> format, Args &&...args) const {
        return wrong(ErrorCode::corrupt_data, format, std::forward<Args>(args)...);
    }

    Result<void> read_header();
    Result<void> interpret_header();
    Result<void> require_word(std::string_view key, std::string_view supported) const;
    Result<double> header_number(std::string_view key) const;
    Result<std::size_t> header_vector_count() const;
    Result<Svr> read_vectors();
    Result<void> read_vector(std::string_view line, std::size_t number);

    std::string_view rest_; ///< the text that is not read yet
    std::size_t features_;
    std::string_view path_;
    std::map<std::string_view, std::string_view> header_; ///< first value of each key
    std::size_t vector_count_ = 0;
    Svr svr_;
};

Result<void> SvmTextReader::read_header() {
    for (;;) {
        const std::string_view name = take_word(rest_, blanks_and_newline);
        if (name == "SV")
            break;
        if (name.empty())
            return corrupt("the libsvm text ends before its line \"SV\"");
        const auto key = std::ranges::find(header_keys, name, &HeaderKey::name);
        if (key == std::end(header_keys))
            return corrupt("the libsvm header has the unknown key {}", quote(name));
        if (!header_.emplace(name, take_word(rest_, blanks_and_newline)).second)
            return corrupt("the libsvm header has the key {} twice", name);
        for (int i = 1; i < key->values; i++)
            (void)take_word(rest_, blanks_and_newline);
    }
    if (std::string_view line = take_line(rest_); !take_word(line, blanks).empty())
        return corrupt("the libsvm text has more than \"SV\" on the line that ends its header");
    return {};
}

Result<void> SvmTextReader::require_word(std::string_view key, std::string_view supported) const {
    const auto found = header_.find(key);
    if (found == header_.end())
        return corrupt("the libsvm header lacks {}", key);
    if (found->second != supported)
        return wrong(ErrorCode::unsupported, "{} {} is not supported, only {} is", key, quote(found->second),
                     supported);
    return {};
}

Result<double> SvmTextReader::header_number(std::string_view key) const {
    const auto found = header_.find(key);
    if (found == header_.end())
        return corrupt("the libsvm header lacks {}", key);
    const std::optional<double> number = parse_double(found->second);
    if (!number)
        return corrupt("{} must be a finite number, but is {}", key, quote(found->second));
    return *number;
}

Result<std::size_t> SvmTextReader::header_vector_count() const {
    const auto found = header_.find("total_sv");
    if (found == header_.end())
        return corrupt("the libsvm header lacks total_sv");
    const std::optional<std::int64_t> count = parse_integer(found->second);
    if (!count || *count < 1)
        return corrupt("total_sv must be a positive integer, but is {}", quote(found->second));
    if (static_cast<std::uint64_t>(*count) > max_support_vectors)
        return wrong(ErrorCode::unsupported, "total_sv is {}, but at most {} support vectors are supported", *count,
                     max_support_vectors);
    return static_cast<std::size_t>(*count);
}

Result<void> SvmTextReader::interpret_header() {
    for (const auto &[key, word] : {std::pair{"svm_type", "nu_svr"}, {"kernel_type", "rbf"}, {"nr_class", "2"}})
        TRY(require_word(key, word));
    const double gamma = TRY(header_number("gamma"));
    if (gamma < 0)
        return corrupt("gamma must not be negative, but is {}", gamma);
    const double rho = TRY(header_number("rho"));
    const std::size_t count = TRY(header_vector_count());
    svr_.gamma = gamma;
    svr_.rho = rho;
    svr_.dimension = features_;
    vector_count_ = count;
    return {};
}

Result<Svr> SvmTextReader::read_vectors() {
    while (!rest_.empty()) {
        const std::string_view line = take_line(rest_);
        if (line.find_first_not_of(blanks) == std::string_view::npos)
            continue;
        if (svr_.coefficients.size() == vector_count_)
            return corrupt("total_sv is {}, but more support vectors follow", vector_count_);
        TRY(read_vector(line, svr_.coefficients.size() + 1));
    }
    if (svr_.coefficients.size() != vector_count_)
        return corrupt("total_sv is {}, but {} support vectors follow", vector_count_, svr_.coefficients.size());
    return std::move(svr_);
}

Result<void> SvmTextReader::read_vector(std::string_view line, std::size_t number) {
    const std::string_view first = take_word(line, blanks);
    const std::optional<double> coefficient = parse_double(first);
    if (!coefficient)
        return corrupt("support vector {} begins with {}, which is no finite number", number, quote(first));
    svr_.coefficients.push_back(*coefficient);

    const std::size_t row = svr_.vectors.size();
    svr_.vectors.resize(row + features_);
    std::int64_t last = 0;
    for (std::string_view word = take_word(line, blanks); !word.empty(); word = take_word(line, blanks)) {
        const std::size_t colon = word.find(':');
        const std::optional<std::int64_t> index = parse_integer(word.substr(0, colon));
        const std::optional<double> value =
            colon == std::string_view::npos ? std::nullopt : parse_double(word.substr(colon + 1));
        if (!index || !value)
            return corrupt("support vector {} has {}, which is no index:value with a finite value", number,
                           quote(word));
        if (*index < 1 || static_cast<std::uint64_t>(*index) > features_)
            return corrupt("support vector {} has index {}, but the model reads {} features", number, *index,
                           features_);
        if (*index <= last)
            return corrupt("support vector {} has index {} after index {}", number, *index, last);
        last = *index;
        svr_.vectors[row + static_cast<std::size_t>(*index) - 1] = *value;
    }
    return {};
}

} // namespace

Result<Svr> parse_svm_text(std::string_view text, std::size_t features, std::string_view path) {
    return SvmTextReader(text, features, path).read();
}

} // namespace isovmaf
