// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <deque>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "capi/metadata_handler.h"

namespace isovmaf::capi {

/// Functions of the caller that receive scores. Scores wait in a queue until no lock is held, so that the functions
/// may call back into the context.
class MetadataHandlers {
  public:
    /// The name is copied.
    void add(const VmafMetadataConfiguration &handler);

    [[nodiscard]] bool empty() const { return handlers_.empty(); }
    [[nodiscard]] bool wants(std::string_view name) const;

    /// Queues a score for the handlers of its name, if there are any.
    void stored(std::string_view name, unsigned index, double score);

    /// Calls the handlers with all scores in the queue, in their order, with `lock` released. A call from inside a
    /// handler returns at once.
    void deliver(std::unique_lock<std::mutex> &lock);

  private:
    struct Handler {
        std::string name;
        void (*callback)(void *data, VmafMetadata *metadata);
        void *data;
    };
    struct Score {
        std::string name;
        unsigned index;
        double score;
    };

    std::deque<Handler> handlers_; ///< its elements keep their places when handlers are added
    std::deque<Score> queue_;
    bool delivering_ = false;
};

} // namespace isovmaf::capi
