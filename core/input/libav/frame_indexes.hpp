// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <cstdint>
#include <functional>
#include <list>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "input/libav/frame_index.hpp"
#include "input/source.hpp"

namespace isovmaf {

/// The frame indexes of videos that are read in parts, each built once by reading its file. Thread-safe: a thread that
/// needs an index that another builds waits for it.
class FrameIndexes {
  public:
    /// Who compares the first frames of a video with its index before the index is used.
    enum class FirstFrames : std::uint8_t {
        indexes, ///< who builds the index: parts of a video that differs are decoded from its start
        readers, ///< one of them begins with the first frame: a frame that differs is an error there
    };

    /// Any thread calls `cancelled`, often; when it returns true, `get` fails soon.
    explicit FrameIndexes(std::function<bool()> cancelled, FirstFrames compared_by = FirstFrames::indexes);
    ~FrameIndexes();
    FrameIndexes(const FrameIndexes &) = delete;
    FrameIndexes &operator=(const FrameIndexes &) = delete;

    /// The index of a stream of a regular file, as the file is now. When it is built, and parts of the
    /// video have to be decoded from its start, the log gets a sentence about that.
    [[nodiscard]] Result<std::shared_ptr<const FrameIndex>> get(const std::string &path, const SourceOptions &options);

    /// The same if it is there, without waiting for it; else null.
    [[nodiscard]] std::shared_ptr<const FrameIndex> find(const std::string &path, const SourceOptions &options);

  private:
    struct Entry;

    [[nodiscard]] std::shared_ptr<Entry> entry_of(const std::string &key);
    void drop_oldest();

    const std::function<bool()> cancelled_;
    const FirstFrames compared_by_;
    std::mutex mutex_;                          ///< guards the members below
    std::list<std::shared_ptr<Entry>> entries_; ///< the one that was used last in front
};

/// Where decoding of a file can start, as its first packets say.
struct FirstStarts {
    std::string obstacle = {}; ///< see FrameIndex::obstacle
    bool several = false;      ///< one lies behind the first frame
};

/// Reads up to the second start, and 1,024 packets at most.
[[nodiscard]] Result<FirstStarts> find_first_starts(const std::string &path, const SourceOptions &options);

} // namespace isovmaf
