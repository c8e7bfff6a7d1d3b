// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "base/clock.hpp"
#include "input/pair/pair_warning.hpp"

namespace isovmaf::batch {

/// Where the time of units goes, in seconds. All but `upload` are wall-clock time of the worker's thread, one after the
/// other: the largest is what the worker waits for most.
struct StageTimes {
    double decode = 0;  ///< reading inputs for their digests, opening them, and waiting for frames
    double upload = 0;  ///< other threads copied pictures to a device, beside the other stages; 0 on the CPU
    double kernels = 0; ///< waiting for the extraction of words, on the CPU or on a device; making small pictures
    double finish = 0;  ///< encoding words and handing them to the store

    StageTimes &operator+=(const StageTimes &other) {
        decode += other.decode;
        upload += other.upload;
        kernels += other.kernels;
        finish += other.finish;
        return *this;
    }

    /// The time of the worker's thread.
    [[nodiscard]] double wall() const { return decode + kernels + finish; }

    /// The share of one of `count` units that were extracted side by side.
    [[nodiscard]] StageTimes operator/(std::size_t count) const {
        const auto share = 1 / static_cast<double>(count);
        return {decode * share, upload * share, kernels * share, finish * share};
    }

    friend bool operator==(const StageTimes &, const StageTimes &) = default;
};

/// Where in its store's file of words a words file lies, or something else about the unit.
struct WordsPlace {
    std::uint64_t offset = 0, bytes = 0; ///< no bytes: a segment behind the end of the video
};

/// A unit that was tried.
struct UnitRecord {
    std::string unit;                       ///< see unit_name
    std::string key;                        ///< see unit_key; empty when the inputs could not be read
    std::optional<WordsPlace> words = {};   ///< of a finished unit
    std::string error = {};                 ///< of a failed unit: see hide_names
    bool permanent = false;                 ///< trying again would fail again, with the same versions
    std::string versions = {};              ///< of a failed unit: of isovmaf and the libraries that decode
    std::string host = {};                  ///< of a failed unit: that tried it
    std::int64_t frames = 0;                ///< extracted
    double seconds = 0;                     ///< of wall-clock time
    StageTimes stages = {};                 ///< parts of `seconds`
    std::vector<PairWarning> warnings = {}; ///< about the videos of a finished unit: see hide_names
    double rate = 0;                        ///< of the pairs of a finished unit: see rate_of_pairs
    /// Bits per second of the distorted video stream, of a finished unit with its first frame: see VideoBytes.
    std::optional<std::int64_t> bit_rate = {};
    // What the alignment of the whole video is judged by, of a finished segment; a unit with all frames has warnings.
    std::optional<WordsPlace> pictures = {}; ///< see AlignmentDoctor::encode; nothing in stores of earlier builds
    std::string start_difference = {};       ///< see OpenedVideos and hide_names
    std::vector<std::pair<std::string, std::string>> settled = {}; ///< names and values: see VideoRequest::settled
};

/// The identity, size and times of a file when its content was hashed, and the digest.
struct InputRecord {
    std::string path;
    std::uint64_t inode = 0; ///< of a URL: a hash of samples of its content
    std::int64_t bytes = 0, modified_ns = 0, changed_ns = 0;
    std::string digest;
    std::uint64_t sample = 0;    ///< a hash of samples of the content: contents with other samples differ
    bool self_contained = false; ///< its format opens no other file; false also where nobody has looked

    friend bool operator==(const InputRecord &, const InputRecord &) = default;
};

/// Units that a process has begun. Those that the store says no more of were in work when the process died.
struct BegunRecord {
    std::vector<std::string> units; ///< their names
    bool alone = false;             ///< the process had no other unit in work
};

/// The process was asked to end: what it has begun and not done did not kill it.
struct StoppedRecord {};

using StoreRecord = std::variant<UnitRecord, InputRecord, BegunRecord, StoppedRecord>;

/// A record as one line of JSON with its checksum, and back. A line that was cut or damaged gives nothing.
[[nodiscard]] std::string encode_record(const StoreRecord &record);
[[nodiscard]] std::optional<StoreRecord> decode_record(std::string_view line);

/// The line of a record whose JSON is `text`: with its checksum, without a line feed.
[[nodiscard]] std::string seal_record(std::string_view text);

} // namespace isovmaf::batch
