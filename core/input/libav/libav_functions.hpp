// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

extern "C" {
#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
#include <libavutil/display.h>
#include <libavutil/dovi_meta.h>
#include <libavutil/hwcontext.h>
#include <libavutil/opt.h>
#include <libavutil/parseutils.h>
#include <libavutil/pixdesc.h>
#include <libswscale/swscale.h>
}

#include "isovmaf/result.hpp"

namespace isovmaf {

// Pointers with the names of libav's functions: code in this namespace finds them in front of the functions themselves.
#define ISOVMAF_LIBAV(name) inline decltype(::name) *name = nullptr;
#include "input/libav/libav_function_list.hpp"
#undef ISOVMAF_LIBAV

/// Loads libav's libraries, and sets the pointers above. Whatever calls libav first has to succeed in this. Later calls
/// of any thread return what the first one did. Fails when the libraries are not there or are of another version than
/// those that isovmaf was built with.
[[nodiscard]] Result<void> load_libav();

} // namespace isovmaf
