// SPDX-License-Identifier: BSD-2-Clause-Patent
// Compiled into programs and modules that are linked to libav, as linkers leave out libraries that nothing refers to.
#include <array>

extern "C" {
#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
#include <libswscale/swscale.h>
}

namespace {

[[gnu::used]] const std::array libraries{avutil_version, avcodec_version, avformat_version, swscale_version};

} // namespace
