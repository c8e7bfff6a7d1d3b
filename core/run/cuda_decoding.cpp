// SPDX-License-Identifier: BSD-2-Clause-Patent
// NVDEC by libavcodec. The decoder works in the context of the plugin's device, and maps its pictures in the order of a
// stream that is a queue of the plugin. The same queue copies them, so the copy follows the picture without a wait.
#include <memory>
#include <new>
#include <string_view>
#include <utility>

#include <fmt/format.h>

extern "C" {
// libavutil's header needs two names of CUDA's, and takes them from a CUDA that is included already.
#define CUDA_VERSION 0
typedef struct CUctx_st *CUcontext;
typedef struct CUstream_st *CUstream;
#include <libavutil/hwcontext_cuda.h>
}

#include "base/try.hpp"
#include "frame/validate.hpp"
#include "input/convert/pixel_format.hpp"
#include "input/libav/libav_functions.hpp"
#include "run/decoding.hpp"
#include "run/surface_copier.hpp"

namespace isovmaf {

namespace {

struct BufferUnref {
    void operator()(AVBufferRef *buffer) const { av_buffer_unref(&buffer); }
};
using AvBuffer = std::unique_ptr<AVBufferRef, BufferUnref>;

/// Surfaces beyond those that the codec needs: the first picture of a video waits, while the next one is decoded.
constexpr int extra_surfaces = 2;

bool decodes_on_cuda(const AVCodec &codec) {
    for (int i = 0; const AVCodecHWConfig *const config = avcodec_get_hw_config(&codec, i); i++)
        if (config->device_type == AV_HWDEVICE_TYPE_CUDA &&
            (config->methods & AV_CODEC_HW_CONFIG_METHOD_HW_DEVICE_CTX) != 0)
            return true;
    return false;
}

/// Chooses the device's format or none: libavcodec would go on in software.
AVPixelFormat choose_cuda(AVCodecContext *, const AVPixelFormat *offered) {
    for (; *offered != AV_PIX_FMT_NONE; offered++)
        if (*offered == AV_PIX_FMT_CUDA)
            return AV_PIX_FMT_CUDA;
    return AV_PIX_FMT_NONE;
}

/// libavutil's description of the plugin's context and stream, which outlive it.
Result<AvBuffer> describe_device(const isovmaf_native_queue &native) {
    AvBuffer described(av_hwdevice_ctx_alloc(AV_HWDEVICE_TYPE_CUDA));
    if (!described)
        return fail(ErrorCode::unavailable, "the installed libavutil was built without CUDA");
    auto *const cuda =
        static_cast<AVCUDADeviceContext *>(reinterpret_cast<AVHWDeviceContext *>(described->data)->hwctx);
    cuda->cuda_ctx = static_cast<CUcontext>(native.context);
    cuda->stream = static_cast<CUstream>(native.stream);
    if (const int error = av_hwdevice_ctx_init(described.get()); error < 0)
        return fail(ErrorCode::unavailable,
                    fmt::format("libavutil cannot use CUDA (error {}): is libcuda.so.1 installed?", error));
    return described;
}

class CudaDecoder final : public HardwareDecoder {
  public:
    [[nodiscard]] static Result<std::unique_ptr<HardwareDecoder>> create(const DeviceHandle &device) {
        SurfaceCopier copier = TRY(SurfaceCopier::create(device));
        const isovmaf_native_queue native = TRY(copier.native());
        if (std::string_view(native.api) != "cuda")
            return fail(ErrorCode::unsupported, fmt::format("no decoder takes the handles of {}", native.api));
        AvBuffer described = TRY(describe_device(native));
        return std::unique_ptr<HardwareDecoder>(new CudaDecoder(std::move(copier), std::move(described)));
    }

    const AVCodec *find_codec(int codec_id) const override {
        void *place = nullptr;
        while (const AVCodec *const codec = av_codec_iterate(&place))
            if (codec->id == codec_id && av_codec_is_decoder(codec) != 0 && decodes_on_cuda(*codec))
                return codec;
        return nullptr;
    }

    Result<void> attach(AVCodecContext &context) override {
        context.hw_device_ctx = av_buffer_ref(described_.get());
        if (!context.hw_device_ctx)
            throw std::bad_alloc();
        context.get_format = choose_cuda;
        context.extra_hw_frames = extra_surfaces;
        return {};
    }

    Result<Frame> take(const AVFrame &decoded, const VideoFormat &format) override {
        const AVPixelFormat samples = format.bit_depth == 8 ? AV_PIX_FMT_NV12 : AV_PIX_FMT_P010LE;
        if (decoded.format != AV_PIX_FMT_CUDA || !decoded.hw_frames_ctx || decoded.width != format.width ||
            decoded.height != format.height ||
            reinterpret_cast<const AVHWFramesContext *>(decoded.hw_frames_ctx->data)->sw_format != samples)
            return fail(ErrorCode::unsupported,
                        fmt::format("a decoded picture is {}x{} {} on the device, but the video began as {}",
                                    decoded.width, decoded.height,
                                    pixel_format_name(static_cast<AVPixelFormat>(decoded.format)),
                                    format_text(format)));
        return copier_.copy(format, {.luma = reinterpret_cast<std::uint64_t>(decoded.data[0]),
                                     .chroma = reinterpret_cast<std::uint64_t>(decoded.data[1]),
                                     .luma_stride_bytes = decoded.linesize[0],
                                     .chroma_stride_bytes = decoded.linesize[1]});
    }

  private:
    CudaDecoder(SurfaceCopier copier, AvBuffer described)
        : copier_(std::move(copier)), described_(std::move(described)) {}

    SurfaceCopier copier_; ///< outlives what libavutil keeps of its queue
    AvBuffer described_;
};

class CudaDecoding final : public FetchingDevice {
  public:
    CudaDecoding(const DeviceHandle &device, std::string name) : FetchingDevice(device), name_(std::move(name)) {}

    std::string name() const override { return name_; }
    Result<std::unique_ptr<HardwareDecoder>> open() override { return CudaDecoder::create(device()); }

  private:
    std::string name_;
};

} // namespace

Result<std::shared_ptr<DecodingDevice>> create_cuda_decoding(const DeviceHandle &device) {
    TRY(load_libav());
    (void)TRY(CudaDecoder::create(device)); // an early answer to whether it can be
    const isovmaf_runtime_info runtime = TRY(device->plugin().probe());
    return std::make_shared<CudaDecoding>(
        device, fmt::format("{}, driver {}", device->info().name,
                            *runtime.driver_version != '\0' ? runtime.driver_version : runtime.runtime_version));
}

} // namespace isovmaf
