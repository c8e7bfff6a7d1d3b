// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "capi/metadata_handlers.hpp"

#include <algorithm>
#include <utility>

namespace isovmaf::capi {

namespace {

/// Releases a lock for as long as it exists.
class Released {
  public:
    explicit Released(std::unique_lock<std::mutex> &lock) : lock_(lock) { lock_.unlock(); }
    ~Released() { lock_.lock(); }
    Released(const Released &) = delete;
    Released &operator=(const Released &) = delete;

  private:
    std::unique_lock<std::mutex> &lock_;
};

} // namespace

void MetadataHandlers::add(const VmafMetadataConfiguration &handler) {
    handlers_.push_back({handler.feature_name, handler.callback, handler.data});
}

bool MetadataHandlers::wants(std::string_view name) const {
    return std::ranges::any_of(handlers_, [&](const Handler &handler) { return handler.name == name; });
}

void MetadataHandlers::stored(std::string_view name, unsigned index, double score) {
    if (wants(name))
        queue_.push_back({std::string(name), index, score});
}

void MetadataHandlers::deliver(std::unique_lock<std::mutex> &lock) {
    if (std::exchange(delivering_, true))
        return;
    while (!queue_.empty()) {
        Score score = std::move(queue_.front());
        queue_.pop_front();
        for (std::size_t i = 0; i < handlers_.size(); i++) {
            const Handler &handler = handlers_[i];
            if (handler.name != score.name)
                continue;
            const Released released(lock);
            VmafMetadata metadata{score.name.data(), score.index, score.score};
            handler.callback(handler.data, &metadata);
        }
    }
    delivering_ = false;
}

} // namespace isovmaf::capi
