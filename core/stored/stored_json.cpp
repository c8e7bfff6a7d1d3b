// SPDX-License-Identifier: BSD-2-Clause-Patent
#include <algorithm>
#include <optional>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/failure.hpp"
#include "base/json_number.hpp"
#include "base/text.hpp"
#include "stored/stored_builder.hpp"

namespace isovmaf {

namespace {

using nlohmann::json;

/// Receives the events of the parser, which alone carry the text of a number.
class ReportEvents final : public nlohmann::json_sax<json> {
  public:
    ReportEvents(std::string_view text, StoredBuilder &builder) : text_(text), builder_(builder) {}

    bool null() override { return value("null", Kind::number); }
    bool boolean(bool flag) override { return value(flag ? "true" : "false", Kind::flag); }
    /// Called for negative integers and for -0.
    bool number_integer(number_integer_t number) override {
        return value(number == 0 ? "-0" : fmt::format("{}", number), Kind::number);
    }
    bool number_unsigned(number_unsigned_t number) override { return value(fmt::format("{}", number), Kind::number); }
    bool number_float(number_float_t, const string_t &text) override { return value(json_number(text), Kind::number); }
    bool string(string_t &text) override { return value(text, Kind::text); }
    bool binary(binary_t &) override { return false; } // never from text
    bool start_object(std::size_t) override { return open(true); }
    bool start_array(std::size_t) override { return open(false); }
    bool end_object() override { return close(); }
    bool end_array() override { return close(); }

    bool key(string_t &name) override {
        path_.back().key = name;
        return true;
    }

    bool parse_error(std::size_t position, const std::string &token, const json::exception &error) override {
        constexpr int number_overflow = 406; // nlohmann::json's number for it
        if (error.id == number_overflow)
            refuse(fmt::format("the number {} is too large", quote(token)));
        syntax_ = true;
        const std::string line = line_of(text_, std::min(position, text_.size()));
        if (position > text_.size())
            refuse(fmt::format("{}: the JSON ends in the middle", line));
        refuse(fmt::format("{}: no JSON at {}", line, quote(token)));
    }

    /// Refuses a document without frames.
    void finish() const {
        if (!frames_)
            refuse("it has no \"frames\": this is no report of scores");
    }

    /// "frames[3].metrics.vmaf"; empty for the whole document, and for a syntax error, whose message has its line.
    [[nodiscard]] std::string place() const {
        std::string place;
        for (const Level &level : path_)
            if (!level.object)
                place += fmt::format("[{}]", level.index);
            else if (!level.key.empty())
                place += (place.empty() ? "" : ".") + level.key;
        return syntax_ ? std::string() : place;
    }

  private:
    enum class Kind : std::uint8_t { number, flag, text };

    /// An open object or array.
    struct Level {
        bool object = true;
        std::string key;       ///< of the current member
        std::size_t index = 0; ///< of the current element
    };

    bool is_at(std::string_view first) const { return path_.front().object && path_.front().key == first; }

    /// Whether the current value is a member of frames[i].KEY, or of frames[i] itself when KEY is empty.
    bool in_frame(std::string_view key) const {
        const std::size_t depth = key.empty() ? 3 : 4;
        return path_.size() == depth && is_at("frames") && !path_[1].object && path_[2].object && path_.back().object &&
               (key.empty() || path_[2].key == key);
    }

    bool open(bool object) {
        if (path_.size() == 1 && is_at("frames")) {
            if (object || frames_)
                refuse(object ? "it must be an array" : "it stands twice");
            frames_ = true;
        }
        if (in_frame("metrics"))
            refuse("it must be a number");
        if (object && in_frame("") && path_.back().key == "metrics")
            begin_metrics();
        path_.push_back({object, {}, 0});
        if (object && path_.size() == 3 && is_at("frames"))
            number_.reset(), metrics_ = false;
        return true;
    }

    bool close() {
        const bool frame = path_.size() == 3 && is_at("frames") && path_.back().object;
        path_.pop_back();
        if (frame && !metrics_)
            refuse("it must have a \"frameNum\" and then \"metrics\"");
        next();
        return true;
    }

    void next() {
        if (!path_.empty())
            path_.back().index++;
    }

    void begin_metrics() {
        if (!number_ || metrics_)
            refuse(metrics_ ? "it stands twice" : "it has no \"frameNum\" before it");
        builder_.frame(*number_);
        metrics_ = true;
    }

    bool value(std::string_view text, Kind kind) {
        if (path_.empty())
            refuse("the JSON must be an object");
        take(text, kind);
        next();
        return true;
    }

    void take(std::string_view text, Kind kind) {
        const std::string &key = path_.back().key;
        if (path_.size() == 1)
            take_top(key, text);
        else if (is_at("isovmaf"))
            take_about(text, kind);
        else if (is_at("frames") && path_.size() == 2)
            refuse("it must be an object");
        else if (in_frame("") && key == "frameNum")
            take_number(text, kind);
        else if (in_frame("metrics"))
            builder_.score(key, number(text, kind));
        else if (is_at("pooled_metrics") && path_.size() == 3)
            builder_.pooled(path_[1].key, key, number(text, kind));
        else if (is_at("aggregate_metrics") && path_.size() == 2)
            builder_.aggregate(key, number(text, kind));
    }

    /// The text of a number. Hexadecimal numbers are strings in JSON.
    static std::string_view number(std::string_view text, Kind kind) {
        const bool hexadecimal = text.starts_with("0x") || text.starts_with("-0x");
        if (kind == Kind::flag || (kind == Kind::text && !hexadecimal))
            refuse(fmt::format("it must be a number, but is {}", quote(text)));
        return text;
    }

    void take_number(std::string_view text, Kind kind) {
        const bool digits =
            !text.empty() && text.size() < 18 && std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
        if (kind != Kind::number || !digits || number_)
            refuse(number_ ? "it stands twice" : "it must be the number of a frame");
        number_ = std::stoll(std::string(text));
    }

    void take_top(std::string_view key, std::string_view text) {
        if (key == "frames")
            refuse("it must be an array");
        if (key == "version" && builder_.report.writer.empty())
            builder_.report.writer = fmt::format("libvmaf {}", text);
    }

    /// A value below "isovmaf", which reports of libvmaf do not have.
    void take_about(std::string_view text, Kind kind) {
        StoredReport &report = builder_.report;
        const std::string &key = path_.back().key;
        if (path_.size() == 3 && path_[1].key == "options")
            report.options.emplace_back(key, text);
        if (path_.size() == 3 && path_[1].key == "models")
            report.models.emplace_back(key, text);
        if (path_.size() != 2)
            return;
        if (key == "version")
            report.writer = fmt::format("isovmaf {}", text);
        else if (key == "semantics")
            report.semantics = text;
        else if (key == "precision")
            builder_.precision = text;
        else if (key == "incomplete")
            report.incomplete = kind == Kind::flag && text == "true";
    }

    std::string_view text_;
    StoredBuilder &builder_;
    std::vector<Level> path_;
    std::optional<std::int64_t> number_; ///< of the current frame
    bool metrics_ = false;               ///< the current frame has had its metrics
    bool frames_ = false;
    bool syntax_ = false; ///< the text is no JSON
};

} // namespace

void read_json(std::string_view text, StoredBuilder &builder) {
    ReportEvents events(text, builder);
    try {
        json::sax_parse(text.begin(), text.end(), &events);
        events.finish();
    } catch (const Failure &failure) {
        const std::string place = events.place();
        refuse(place.empty() ? failure.what() : fmt::format("{}: {}", place, failure.what()));
    }
}

} // namespace isovmaf
