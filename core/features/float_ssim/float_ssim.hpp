// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include "features/feature.hpp"
#include "features/float_ssim/float_ssim_math.h"

/// What float_ms_ssim shares with float_ssim stands here too.
namespace isovmaf {

/// Structural similarity of luma, usually at a reduced size (features.md §6).
extern const FeatureDescriptor float_ssim_feature;

/// Words of float_ssim: f32 means over all pixels.
enum SsimWord : std::size_t { ssim_word_lcs, ssim_word_l, ssim_word_c, ssim_word_s, ssim_word_count };

/// By how much both pictures are reduced: option `scale`, or what suits the size of the video.
int ssim_factor(const VideoFormat &format, const OptionSet &options);

/// Size of a picture.
struct SsimSize {
    int width, height;
};

/// A picture of f32.
struct SsimPicture {
    float *samples;
    int width, height;
    int stride; ///< samples from one row to the next

    [[nodiscard]] float *row(int y) const { return samples + std::ptrdiff_t{y} * stride; }
};

/// A square kernel: `size` rows of `size` taps.
struct SsimKernel {
    int size;
    const float *taps;
};

/// Means over all pixels of a pair of pictures: of l · c · s, and of each factor.
struct SsimMeans {
    float lcs, l, c, s;
};

/// The means of two pictures of `pixels` pixels after smoothing.
SsimMeans ssim_means(const SsimSums &sums, double pixels);

/// Writes the words of float_ssim.
void put_ssim_means(const SsimMeans &means, Words words);

/// Stages of one pair of pictures, in this order: what is compared, the smoothed planes, and the factors of the
/// similarity.
enum SsimStage : int {
    ssim_stage_reference,
    ssim_stage_distorted,
    ssim_stage_moments,                             ///< five planes, as in SsimMoments
    ssim_stage_similarity = ssim_stage_moments + 5, ///< l, c and s
    ssim_stage_count = ssim_stage_similarity + 3,
};

/// Adds the stages of comparing two pictures of this size to `stages`. Their names begin with `prefix`.
void add_ssim_stages(const std::string &prefix, int width, int height, std::vector<Stage> &stages);

/// Fill stages; `first_stage` is the number of their ssim_stage_reference. Neither does anything if `taps` has no
/// memory.
void put_ssim_pictures(const SsimPicture &reference, const SsimPicture &distorted, Taps taps, int first_stage);
void put_ssim_pixel(const SsimMoments &moments, const SsimSimilarity &similarity, Taps taps, int first_stage, int x,
                    int y);

/// float_ssim_ref.cpp: the definition.
std::unique_ptr<Extractor> make_float_ssim_reference(const VideoFormat &format, int factor);

/// Its parts. The samples of luma as f32, scaled to those of 8 bits.
SsimPicture ssim_load(const Plane &luma, int bit_depth, Workspace &workspace);
/// Filters with a kernel and keeps every `factor`th sample of both directions.
SsimPicture ssim_reduce(const SsimPicture &picture, int factor, SsimKernel kernel, Workspace &workspace);
/// Compares two pictures of one size, at least SSIM_TAP_COUNT a side.
SsimMeans ssim_compare(const SsimPicture &reference, const SsimPicture &distorted, Workspace &workspace, Taps taps,
                       int first_stage);

/// The kernel of float_ssim's reduction: equal taps.
struct SsimBox {
    explicit SsimBox(int factor);

    [[nodiscard]] SsimKernel kernel() const { return {size, taps.data()}; }

    int size;
    std::vector<float> taps;
};

/// float_ssim_cpu.cpp: the same words by vector code; none for `scalar`.
std::unique_ptr<Extractor> make_float_ssim_cpu(const VideoFormat &format, int factor, CpuLevel level);

/// float_ssim_gpu.cpp: the same words by kernels.
std::unique_ptr<GpuExtractor> make_float_ssim_gpu(const VideoFormat &format, int factor);

/// float_ssim_finish.cpp. `options` belong to float_ssim_feature.
std::unique_ptr<Finisher> make_float_ssim_finisher(const VideoFormat &format, const OptionSet &options);

/// What finishers of float_ssim and float_ms_ssim share: options `enable_lcs`, `enable_db` and `clip_db`.
class SsimFinisher : public Finisher {
  protected:
    SsimFinisher(const VideoFormat &format, const OptionSet &options);

    /// The score, or -10 log10(1 - score).
    [[nodiscard]] double reported(double score) const;

    bool lcs_; ///< luminance, contrast and structure are reported too

  private:
    bool decibels_;
    double most_decibels_;
};

} // namespace isovmaf
