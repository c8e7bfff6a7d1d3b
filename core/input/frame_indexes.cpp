// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "input/frame_indexes.hpp"

#include <algorithm>

#include <sys/stat.h>

#include <fmt/format.h>

#include "base/try.hpp"
#include "input/byte_reader.hpp"
#include "input/libav_decoder.hpp"

namespace isovmaf {

namespace {

/// Frames of all indexes that are kept: some 160 MB.
constexpr std::int64_t most_frames_kept = std::int64_t{1} << 22;
constexpr std::size_t most_kept = 1000;

/// So many frames are decoded to see that they come as the index says.
constexpr int frames_checked = 32;

/// Tells files, states of a file and streams apart.
std::string key_of(const std::string &path, const std::optional<StreamChoice> &stream) {
    struct stat status{};
    if (stat(path.c_str(), &status) != 0)
        return {}; // opening the file says why
    return fmt::format("{}/{} {} {}.{:09} {}", status.st_dev, status.st_ino, status.st_size, status.st_mtim.tv_sec,
                       status.st_mtim.tv_nsec, stream ? stream_choice_text(*stream) : "");
}

Result<std::unique_ptr<LibavDemuxer>> open_demuxer(const std::string &path, const SourceOptions &options) {
    auto demuxer = TRY(LibavDemuxer::open(TRY(ByteReader::open(path))));
    TRY(demuxer->choose(options.stream));
    return demuxer;
}

/// Whether the first frames come as the index says. Decoders drop frames, too, and some streams have packets without a
/// frame of their own.
Result<bool> begins_like(const FrameIndex &index, const std::string &path, const SourceOptions &options) {
    SourceOptions quiet = options;
    quiet.log = {};
    const auto decoder = TRY(
        LibavDecoder::open(TRY(open_demuxer(path, options)), quiet, FrameTrack(index, index.starts_for(0).front())));
    for (int n = 0; n < frames_checked; n++) {
        const auto frame = decoder->next();
        if (!frame || !*frame)
            return frame.has_value();
    }
    return true;
}

Result<FrameIndex> build(const std::string &path, const SourceOptions &options,
                         const std::function<bool()> &cancelled) {
    FrameIndex index = TRY(FrameIndex::build(*TRY(open_demuxer(path, options)), cancelled));
    if (index.obstacle().empty() && !TRY(begins_like(index, path, options)))
        return FrameIndex::obstructed("its first frames do not come as its packets say");
    return index;
}

/// Why parts of the video are decoded from its start; empty when they are not.
std::string reason_for_the_start(const FrameIndex &index) {
    if (!index.obstacle().empty())
        return index.obstacle();
    return index.starts_for(index.frame_count()).size() > 1 ? "" : "decoding can start with no other key frame";
}

} // namespace

struct FrameIndexes::Entry {
    std::string key;
    std::mutex building;
    std::shared_ptr<const FrameIndex> index; ///< null until it is built; guarded by `building`
    std::int64_t frames = 0;                 ///< of the index; guarded by the mutex of all entries
};

FrameIndexes::FrameIndexes(std::function<bool()> cancelled) : cancelled_(std::move(cancelled)) {}
FrameIndexes::~FrameIndexes() = default;

Result<std::shared_ptr<const FrameIndex>> FrameIndexes::get(const std::string &path, const SourceOptions &options) {
    const std::shared_ptr<Entry> entry = entry_of(key_of(path, options.stream));
    const std::lock_guard building(entry->building);
    if (entry->index)
        return entry->index;
    entry->index = std::make_shared<const FrameIndex>(TRY(build(path, options, cancelled_)));
    if (const std::string reason = reason_for_the_start(*entry->index); !reason.empty() && options.log)
        options.log(Severity::info,
                    fmt::format("each part of {} is decoded from the first frame on: {}", display_name(path), reason));
    const std::lock_guard lock(mutex_);
    entry->frames = entry->index->frame_count();
    drop_oldest();
    return entry->index;
}

/// Finds or adds the entry, and moves it to the front.
std::shared_ptr<FrameIndexes::Entry> FrameIndexes::entry_of(const std::string &key) {
    const std::lock_guard lock(mutex_);
    const auto found = std::ranges::find(entries_, key, [](const auto &entry) { return entry->key; });
    if (found == entries_.end())
        entries_.emplace_front(std::make_shared<Entry>())->key = key;
    else
        entries_.splice(entries_.begin(), entries_, found);
    return entries_.front();
}

/// Forgets the indexes that were not used for the longest time, when all are too many.
void FrameIndexes::drop_oldest() {
    std::int64_t frames = 0;
    std::size_t kept = 0;
    const auto first = std::ranges::find_if(entries_, [&](const auto &entry) {
        frames += entry->frames;
        return (frames > most_frames_kept || ++kept > most_kept) && entry != entries_.front();
    });
    entries_.erase(first, entries_.end());
}

} // namespace isovmaf
