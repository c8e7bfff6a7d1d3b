// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "batch/store/store_index.hpp"
#include "input/source.hpp"
#include "isovmaf/result.hpp"

namespace isovmaf::batch {

/// A file or URL that a unit reads.
struct InputName {
    std::string path;
    bool is_video = false;                   ///< else a model, which is no list
    std::optional<StreamChoice> stream = {}; ///< of a video

    friend auto operator<=>(const InputName &, const InputName &) = default;
};

/// Tells lists from other inputs, and lists by what their readers read: see list_files.hpp. A list is read once by each
/// process, unless the list itself changes meanwhile. Thread-safe: a thread that needs what another is finding out
/// waits for it.
class Lists {
  public:
    /// `index` lives as long.
    explicit Lists(const StoreIndex &index) : index_(index) {}

    enum class Kind : std::uint8_t {
        self_contained, ///< its own bytes are all that is read
        list,
        unknown, ///< libav is not there to say, nor to read a list
    };

    /// The kind of a video, which looks like `seen` now.
    [[nodiscard]] Result<Kind> kind_of(const InputRecord &seen);

    /// The digest of what a list gives: see digest_of_list. Any thread calls `stop`, often; the error is `interrupted`
    /// after it.
    [[nodiscard]] Result<std::string> digest(const InputName &list, const InputRecord &seen,
                                             const std::function<bool()> &stop);

    /// How many lists were read for their digests, and how long that took.
    struct Readings {
        std::size_t lists = 0;
        double seconds = 0;
    };
    [[nodiscard]] Readings readings() const;

  private:
    struct Entry;

    [[nodiscard]] std::shared_ptr<Entry> entry_of(const std::string &path);

    const StoreIndex &index_;
    mutable std::mutex mutex_; ///< guards the members below
    std::map<std::string, std::shared_ptr<Entry>> entries_;
    Readings readings_;
};

} // namespace isovmaf::batch
