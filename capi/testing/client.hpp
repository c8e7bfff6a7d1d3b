// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <cstring>
#include <optional>
#include <string>
#include <utility>

#include <gtest/gtest.h>

#include "capi/metadata_handler.h"
#include "content/patterns.hpp"

/// What programs do with the C interface, for tests.
namespace isovmaf::capi::testing {

inline constexpr VideoFormat small{.width = 64, .height = 48};
/// For models.
inline constexpr VideoFormat medium{.width = 160, .height = 90};

/// A context that is closed at its end.
class Client {
  public:
    explicit Client(unsigned threads = 0, unsigned subsample = 1, std::uint64_t cpumask = 0) {
        EXPECT_EQ(vmaf_init(&context_, {VMAF_LOG_LEVEL_NONE, threads, subsample, cpumask, 0}), 0);
    }
    explicit Client(std::initializer_list<const char *> features, unsigned threads = 0, unsigned subsample = 1)
        : Client(threads, subsample) {
        for (const char *const feature : features)
            EXPECT_EQ(vmaf_use_feature(context_, feature, nullptr), 0) << feature;
    }
    ~Client() { EXPECT_EQ(vmaf_close(context_), 0); }
    Client(const Client &) = delete;
    Client &operator=(const Client &) = delete;

    operator VmafContext *() const { return context_; } // NOLINT: used as programs use the pointer

    /// Reads frame `content` of the generated clip as frame `index`.
    [[nodiscard]] int read(unsigned index, unsigned content, const VideoFormat &format = small) const;
    [[nodiscard]] int read(unsigned index) const { return read(index, index); }
    [[nodiscard]] int flush() const { return vmaf_read_pictures(context_, nullptr, nullptr, 0); }

    /// The score, or nothing with a code other than 0.
    [[nodiscard]] std::optional<double> score(const std::string &name, unsigned index) const {
        double score = 0;
        const int code = vmaf_feature_score_at_index(context_, name.c_str(), &score, index);
        return code == 0 ? std::optional(score) : std::nullopt;
    }

  private:
    VmafContext *context_ = nullptr;
};

inline void fill(const VmafPicture &picture, const Frame &frame) {
    for (int p = 0; p < frame.format().plane_count(); p++) {
        const Plane &plane = frame.plane(p);
        const auto row_bytes =
            static_cast<std::size_t>(plane.width) * static_cast<std::size_t>(frame.format().bytes_per_sample());
        for (int y = 0; y < plane.height; y++)
            std::memcpy(static_cast<std::byte *>(picture.data[p]) + y * picture.stride[p],
                        plane.data + y * plane.stride_bytes, row_bytes);
    }
}

inline VmafPicture allocate(const VideoFormat &format) {
    constexpr VmafPixelFormat formats[] = {VMAF_PIX_FMT_YUV400P, VMAF_PIX_FMT_YUV420P, VMAF_PIX_FMT_YUV422P,
                                           VMAF_PIX_FMT_YUV444P};
    VmafPicture picture{};
    EXPECT_EQ(vmaf_picture_alloc(&picture, formats[static_cast<std::size_t>(format.chroma)],
                                 static_cast<unsigned>(format.bit_depth), static_cast<unsigned>(format.width),
                                 static_cast<unsigned>(format.height)),
              0);
    return picture;
}

/// Pictures with frame `content` of the generated clip.
inline std::pair<VmafPicture, VmafPicture> pictures(unsigned content, const VideoFormat &format = small) {
    const FramePair pair = GeneratedClip(format).frame(content);
    std::pair<VmafPicture, VmafPicture> pictures{allocate(format), allocate(format)};
    fill(pictures.first, pair.reference);
    fill(pictures.second, pair.distorted);
    return pictures;
}

inline int Client::read(unsigned index, unsigned content, const VideoFormat &format) const {
    auto [reference, distorted] = pictures(content, format);
    const int code = vmaf_read_pictures(context_, &reference, &distorted, index);
    EXPECT_EQ(reference.ref == nullptr, code == 0) << "frame " << index;
    EXPECT_EQ(distorted.ref == nullptr, code == 0) << "frame " << index;
    if (code != 0) {
        EXPECT_EQ(vmaf_picture_unref(&reference), 0);
        EXPECT_EQ(vmaf_picture_unref(&distorted), 0);
    }
    return code;
}

/// A model that is destroyed at its end.
class ClientModel {
  public:
    explicit ClientModel(const char *name = nullptr, const char *version = "vmaf_v0.6.1") {
        VmafModelConfig config{name, 0};
        EXPECT_EQ(vmaf_model_load(&model_, &config, version), 0);
    }
    ~ClientModel() { vmaf_model_destroy(model_); }
    ClientModel(const ClientModel &) = delete;
    ClientModel &operator=(const ClientModel &) = delete;

    operator VmafModel *() const { return model_; } // NOLINT: used as programs use the pointer

  private:
    VmafModel *model_ = nullptr;
};

inline constexpr const char *motion2 = "VMAF_integer_feature_motion2_score",
                            *motion_sad = "VMAF_integer_feature_motion_sad_score";

} // namespace isovmaf::capi::testing
