// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "features/frame_window.hpp"

namespace isovmaf {

namespace {

std::optional<HostPicture> picture_of(const Frame &frame) {
    return frame && !frame.device() ? std::optional(HostPicture(frame)) : std::nullopt;
}

/// Puts `frame` in front of the `kept` frames before it.
void remember(FrameWindow::Earlier &earlier, int kept, const Frame &frame) {
    for (auto back = static_cast<std::size_t>(kept); back-- > 0;)
        earlier[back] = back == 0 ? frame : std::move(earlier[back - 1]);
}

} // namespace

PictureWindow FrameWindow::pictures() const {
    PictureWindow pictures{HostPicture(pair.reference), HostPicture(pair.distorted), {}, {}};
    for (std::size_t back = 0; back < EarlierFrames::longest; back++) {
        pictures.earlier_reference[back] = picture_of(earlier_reference[back]);
        pictures.earlier_distorted[back] = picture_of(earlier_distorted[back]);
    }
    return pictures;
}

FrameWindow FrameHistory::next(Frame reference) {
    FrameWindow window;
    window.pair.reference = std::move(reference);
    window.earlier_reference = reference_;
    remember(reference_, kept_.reference, window.pair.reference);
    return window;
}

void FrameHistory::add_distorted(FrameWindow &window, std::size_t member, Frame distorted) {
    window.pair.distorted = std::move(distorted);
    window.earlier_distorted = distorted_[member];
    remember(distorted_[member], kept_.distorted, window.pair.distorted);
}

FrameWindow FrameHistory::next(FramePair pair) {
    FrameWindow window = next(std::move(pair.reference));
    add_distorted(window, 0, std::move(pair.distorted));
    return window;
}

} // namespace isovmaf
