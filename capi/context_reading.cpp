// SPDX-License-Identifier: BSD-2-Clause-Patent
// Pairs of pictures, the end of the video, and pools of pictures.
#include <algorithm>
#include <chrono>

#include <fmt/format.h>

#include "base/text.hpp"
#include "base/try.hpp"
#include "capi/context.hpp"
#include "capi/picture.hpp"
#include "engine/guarded.hpp"
#include "frame/validate.hpp"

using namespace isovmaf;
using namespace isovmaf::capi;

namespace {

constexpr unsigned most_threads = 1024;
constexpr std::chrono::milliseconds pool_poll{5};

void release_both(VmafPicture &reference, VmafPicture &distorted) {
    const bool one = reference.ref == distorted.ref;
    release(reference);
    if (one)
        distorted = {};
    else
        release(distorted);
}

} // namespace

Result<void> VmafContext::read(VmafPicture &reference, VmafPicture &distorted, unsigned index) {
    TRY(check_pictures(reference, distorted, index));
    const VideoFormat format = TRY(format_of(reference));
    TRY(open(format));
    if (threads_ > 0)
        hidden_pool_ = {{reference.w[0], reference.h[0], reference.bpc, reference.pix_fmt},
                        2 * std::min(threads_, most_threads) + 2};
    TRY(push({share(reference, format), share(distorted, format)}, index));
    release_both(reference, distorted);
    read_.insert(index);
    if (accepted_++ == 0)
        first_read_ = std::chrono::steady_clock::now();
    return {};
}

Result<void> VmafContext::check_pictures(const VmafPicture &reference, const VmafPicture &distorted,
                                         unsigned index) const {
    const auto refuse = [&](std::string_view why) {
        return fail(ErrorCode::invalid_argument, fmt::format("cannot read the pictures of frame {}: {}", index, why));
    };
    if (flushed_)
        return refuse("the video was ended with vmaf_read_pictures(context, NULL, NULL, 0)");
    if (!is_allocated(reference) || !is_allocated(distorted))
        return refuse("they are not from vmaf_picture_alloc or vmaf_fetch_preallocated_picture");
    const VideoFormat format = TRY(format_of(reference)), other = TRY(format_of(distorted));
    if (format != other)
        return refuse(fmt::format("the reference is {}, but the distorted picture is {}", format_text(format),
                                  format_text(other)));
    if (format_ && format != *format_)
        return refuse(fmt::format("they are {}, but those before were {}", format_text(format), format_text(*format_)));
    if (read_.contains(index))
        return refuse("there were pictures with this index before");
    return {};
}

/// The first pair fixes the features, the format and the backend.
Result<void> VmafContext::open(const VideoFormat &format) {
    if (format_)
        return {};
    if (has_features()) {
        ExecutionOptions where = wish_.options;
        where.threads = static_cast<int>(std::clamp(threads_, 1u, most_threads));
        FeatureSet features = registration_.features();
        features.assume_facts(); // pictures come without any
        EnginePlan plan =
            TRY(make_plan(features, {.format = format, .cpu_level = TRY(parse_cpu_level(where.cpu_level))}));
        OpenedScheduler scheduler = TRY(open_scheduler(*TRY(open_execution(where)), plan));
        TRY(isovmaf::guarded([&]() -> Result<void> {
            video_ = std::make_unique<VideoScorer>(std::move(plan), std::move(scheduler),
                                                   static_cast<int>(std::min(subsample_, 0x7fffffffu)),
                                                   static_cast<int>(std::min(threads_, most_threads)), scores_, log_);
            return {};
        }));
        if (const std::shared_ptr<PinnedMemory> memory = video_->extraction().pinned_memory())
            use_pinned_memory(memory);
        const Execution execution = video_->extraction().execution();
        log_.info(fmt::format("isovmaf {} computes with backend {}: {}{}", version(), execution.backend,
                              execution.reason, wish_.why.empty() ? "" : "; " + wish_.why));
        for (const std::string &notice : execution.notices)
            log_.warning(notice);
    }
    registration_.close();
    format_ = format;
    return {};
}

/// A video that does not begin with frame 0 is refused once without threads, as libvmaf does, when a feature compares
/// frames: the next pair has a pair before it.
Result<void> VmafContext::push(const FramePair &pair, unsigned index) {
    if (!video_)
        return {};
    if (threads_ == 0)
        if (const std::string name = video_->imported_score(index); !name.empty())
            return fail(ErrorCode::invalid_argument,
                        fmt::format("cannot score frame {}: its {} was imported", index, quote(name)));
    if (threads_ == 0 && index != 0 && video_->is_new() && video_->compares_frames()) {
        TRY(video_->remember(pair, index));
        return fail(ErrorCode::invalid_argument,
                    fmt::format("cannot score frame {}: there is no frame before it to compare it with", index));
    }
    TRY(video_->push(pair, index));
    if (threads_ == 0 && !handlers_.empty())
        return video_->extraction().drain(); // handlers have been called when vmaf_read_pictures returns
    return {};
}

Result<void> VmafContext::flush() {
    if (flushed_)
        return fail(ErrorCode::invalid_argument, "the video was ended before");
    if (has_features() && !video_)
        return fail(ErrorCode::invalid_argument, "cannot end the video: no pair of pictures was read");
    if (video_)
        TRY(video_->extraction().finish());
    flushed_ = true;
    return {};
}

Result<void> VmafContext::preallocate(const VmafPictureConfiguration &config) {
    const auto &[w, h, bpc, format] = config.pic_params;
    if (w == 0 || h == 0 || config.pic_cnt == 0)
        return fail(ErrorCode::invalid_argument,
                    fmt::format("cannot preallocate {} pictures of {}x{}: all three have to be 1 or more",
                                config.pic_cnt, w, h));
    pool_ =
        std::make_shared<PicturePool>(TRY(PictureShape::create(format, bpc, w, h)), config.pic_cnt, process_memory());
    return {};
}

/// libvmaf has a hidden pool once pictures were read with threads.
Result<std::shared_ptr<PicturePool>> VmafContext::pool() {
    if (!pool_ && hidden_pool_)
        TRY(preallocate(*hidden_pool_));
    if (!pool_)
        return fail(ErrorCode::invalid_argument, "cannot fetch a picture: call vmaf_preallocate_pictures before");
    return pool_;
}

/// Pictures come back when their scores are stored, which this thread does while it waits. Another thread may give
/// pictures back too, so the lock is not held while nothing is in flight.
Result<VmafPicture> VmafContext::fetch() {
    for (std::chrono::milliseconds wait{0};;) {
        std::unique_lock lock(mutex_);
        const std::shared_ptr<PicturePool> pictures = TRY(pool());
        lock.unlock();
        if (const std::optional<VmafPicture> picture = pictures->fetch_within(wait))
            return *picture;
        lock.lock();
        wait =
            video_ && !flushed_ && TRY(video_->extraction().drain_oldest()) ? std::chrono::milliseconds(0) : pool_poll;
        tell_handlers(lock);
    }
}

int vmaf_read_pictures(VmafContext *vmaf, VmafPicture *ref, VmafPicture *dist, unsigned index) {
    return VmafContext::enter(vmaf, [&](VmafContext &context) -> Result<void> {
        if (ref == nullptr && dist == nullptr)
            return context.flush();
        TRY(require_arguments("vmaf_read_pictures", ref, dist));
        return context.read(*ref, *dist, index);
    });
}

int vmaf_preallocate_pictures(VmafContext *vmaf, VmafPictureConfiguration cfg) {
    return VmafContext::enter(vmaf, [&](VmafContext &context) { return context.preallocate(cfg); });
}

int vmaf_fetch_preallocated_picture(VmafContext *vmaf, VmafPicture *pic) {
    if (vmaf == nullptr)
        return status_invalid;
    return isovmaf::capi::guarded(vmaf->log(), [&]() -> Result<void> {
        TRY(require_arguments("vmaf_fetch_preallocated_picture", pic));
        TRY(vmaf->check_process());
        *pic = TRY(vmaf->fetch());
        return {};
    });
}
