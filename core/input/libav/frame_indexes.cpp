// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "input/libav/frame_indexes.hpp"

#include <algorithm>

#include <sys/stat.h>

#include <fmt/format.h>

#include "base/try.hpp"
#include "input/libav/libav_decoder.hpp"
#include "input/raw/byte_reader.hpp"

namespace isovmaf {

namespace {

/// Frames of all indexes that are kept: some 160 MB.
constexpr std::int64_t most_frames_kept = std::int64_t{1} << 22;
constexpr std::size_t most_kept = 1000;

/// So many frames are decoded to see that they come as the index says.
constexpr std::int64_t frames_checked = 32;

/// Tells files, states of a file and streams apart.
std::string key_of(const std::string &path, const std::optional<StreamChoice> &stream) {
    struct stat status {};
    if (stat(path.c_str(), &status) != 0)
        return {}; // opening the file says why
    return fmt::format("{}/{} {} {}.{:09} {}", status.st_dev, status.st_ino, status.st_size, status.st_mtim.tv_sec,
                       status.st_mtim.tv_nsec, stream ? stream_choice_text(*stream) : "");
}

/// Decodes up to `count` frames from the nearest start for `frame` on, and returns how many came as the index says. A
/// video that lost its end is an error here.
Result<std::int64_t> count_sound_frames(const std::string &path, SourceOptions options, const FrameIndex &index,
                                        std::int64_t frame, std::int64_t count) {
    options.log = {};
    options.strict = true;
    const auto decoder = TRY(open_at_start(path, options, index, index.starts_for(frame)));
    std::int64_t sound = 0;
    while (sound < count && TRY(decoder->next()))
        sound++;
    return sound;
}

/// Whether the first frames come as the index says. Decoders drop frames, too, and some streams have packets without a
/// frame of their own.
bool begins_like(const FrameIndex &index, const std::string &path, const SourceOptions &options) {
    const std::int64_t count = std::min(frames_checked, index.frame_count());
    return count_sound_frames(path, options, index, 0, count) == count;
}

/// The same for the last frames: decoders find some of the files that were cut short. With several threads a decoder
/// may hand a frame out before it has found the damage.
bool ends_like(const FrameIndex &index, const std::string &path, SourceOptions options) {
    options.decode_threads = 1;
    const std::int64_t count = index.frame_count() - index.starts_for(index.frame_count()).back().frame;
    return count_sound_frames(path, options, index, index.frame_count(), count + 1) == count;
}

Result<std::unique_ptr<LibavDemuxer>> open_file(const std::string &path, const SourceOptions &options) {
    auto demuxer = TRY(LibavDemuxer::open(TRY(ByteReader::open(path))));
    TRY(demuxer->choose(options.stream));
    return demuxer;
}

Result<FrameIndex> build(const std::string &path, const SourceOptions &options, FrameIndexes::FirstFrames compared_by,
                         const std::function<bool()> &cancelled) {
    const auto demuxer = TRY(open_file(path, options));
    FrameIndex index = TRY(FrameIndex::build(*demuxer, cancelled));
    if (!index.obstacle().empty())
        return index;
    if (compared_by == FrameIndexes::FirstFrames::indexes && !begins_like(index, path, options))
        return FrameIndex::obstructed("its first frames do not come as its packets say");
    // Streams without an end mark: others would have said that they were cut short.
    if ((demuxer->file().iformat->flags & AVFMT_TS_DISCONT) != 0 && !ends_like(index, path, options))
        return FrameIndex::obstructed("its last frames do not come as its packets say");
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

FrameIndexes::FrameIndexes(std::function<bool()> cancelled, FirstFrames compared_by)
    : cancelled_(std::move(cancelled)), compared_by_(compared_by) {}
FrameIndexes::~FrameIndexes() = default;

Result<std::shared_ptr<const FrameIndex>> FrameIndexes::get(const std::string &path, const SourceOptions &options) {
    const std::shared_ptr<Entry> entry = entry_of(key_of(path, options.stream));
    const std::lock_guard building(entry->building);
    if (entry->index)
        return entry->index;
    entry->index = std::make_shared<const FrameIndex>(TRY(build(path, options, compared_by_, cancelled_)));
    if (const std::string reason = reason_for_the_start(*entry->index); !reason.empty() && options.log)
        options.log(Severity::info,
                    fmt::format("each part of {} is decoded from the first frame on: {}", display_name(path), reason));
    const std::lock_guard lock(mutex_);
    entry->frames = entry->index->frame_count();
    drop_oldest();
    return entry->index;
}

std::shared_ptr<const FrameIndex> FrameIndexes::find(const std::string &path, const SourceOptions &options) {
    const std::shared_ptr<Entry> entry = entry_of(key_of(path, options.stream));
    const std::unique_lock building(entry->building, std::try_to_lock);
    return building ? entry->index : nullptr;
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

Result<FirstStarts> find_first_starts(const std::string &path, const SourceOptions &options) {
    const FrameIndex index = FrameIndex::build_first(*TRY(open_file(path, options)));
    return FirstStarts{index.obstacle(), index.obstacle().empty() && index.starts_for(index.frame_count()).size() > 1};
}

} // namespace isovmaf
