// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "features/gpu_extractor.hpp"

#include "base/try.hpp"

namespace isovmaf {

Result<void> find_kernels(const GpuExtractor &extractor, const Device &device, const VideoFormat &format) {
    const GpuPicture picture = PictureLayout(format, format.plane_count()).at({});
    Recorder recorder = Recorder::kernel_lookup(device);
    extractor.record(recorder, {.reference = picture,
                                .distorted = picture,
                                .earlier_reference = {picture, picture},
                                .earlier_distorted = {picture, picture}});
    TRY(recorder.finish());
    return {};
}

} // namespace isovmaf
