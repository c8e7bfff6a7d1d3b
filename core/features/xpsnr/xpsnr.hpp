// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include "features/feature.hpp"

namespace isovmaf {

/// XPSNR, as FFmpeg's filter xpsnr computes it (xpsnr.md).
extern const FeatureDescriptor xpsnr_feature;

/// Samples [left, right) of rows [top, bottom) of a plane.
struct XpsnrArea {
    int left = 0, top = 0, right = 0, bottom = 0;

    [[nodiscard]] int width() const { return right - left; }
    [[nodiscard]] int height() const { return bottom - top; }
    [[nodiscard]] bool empty() const { return right <= left || bottom <= top; }
};

/// Words of a block that extractors write, in this order. Without chroma the first three.
enum class XpsnrSum : std::uint8_t { luma_error, spatial, temporal, cb_error, cr_error };

/// Its squared error of a plane.
constexpr XpsnrSum xpsnr_error_sum(int plane) {
    return plane == 0 ? XpsnrSum::luma_error : plane == 1 ? XpsnrSum::cb_error : XpsnrSum::cr_error;
}

/// Whether D is the change to the frame before, or the change of that change.
enum class XpsnrOrder : std::uint8_t { first = 1, second = 2 };

/// Order of the temporal difference at a frame rate, of which 0 is that of a caller's frames (xpsnr.md §7).
XpsnrOrder xpsnr_order(double frame_rate);

/// Numbers of a format, and where its blocks lie (xpsnr.md §2). A picture that is too small for blocks is one block,
/// whose errors alone count.
class XpsnrGrid {
  public:
    XpsnrGrid(const VideoFormat &format, ChromaEdge edge, int plane_count);

    [[nodiscard]] const VideoFormat &format() const { return format_; }
    [[nodiscard]] ChromaEdge edge() const { return edge_; }
    [[nodiscard]] int plane_count() const { return plane_count_; }
    [[nodiscard]] int plane_width(int plane) const { return width_[static_cast<std::size_t>(plane)]; }
    [[nodiscard]] int plane_height(int plane) const { return height_[static_cast<std::size_t>(plane)]; }

    /// The share of the picture's size in that of 3840x2160.
    [[nodiscard]] double relative_size() const;

    /// Side of a block of luma; 0: there are no weights.
    [[nodiscard]] int side() const { return side_; }
    [[nodiscard]] bool has_weights() const { return side_ > 0; }
    [[nodiscard]] bool smoothed() const { return smoothed_; }
    /// Whether terms are those of groups of two by two samples.
    [[nodiscard]] bool halved() const { return halved_; }
    /// How many samples of luma's edge have no spatial term.
    [[nodiscard]] int border() const { return halved_ ? 2 : 1; }

    [[nodiscard]] int columns() const { return columns_; }
    [[nodiscard]] int rows() const { return rows_; }
    [[nodiscard]] int block_count() const { return columns_ * rows_; }
    [[nodiscard]] int words_per_block() const { return plane_count_ == 1 ? 3 : 5; }
    [[nodiscard]] std::size_t word(int block, XpsnrSum sum) const {
        return static_cast<std::size_t>(block * words_per_block() + static_cast<int>(sum));
    }

    /// The samples of a block in a plane; in chroma there may be none.
    [[nodiscard]] XpsnrArea block(int column, int row, int plane = 0) const;
    /// The samples of a block that have a spatial term; empty: the block has no activity.
    [[nodiscard]] XpsnrArea core(int column, int row) const;
    /// Whether the block's spatial activity is 0 whatever its samples are.
    [[nodiscard]] bool forgets_spatial(int column) const;

    /// Width and height of the planes of spatial and temporal terms.
    [[nodiscard]] int term_width() const { return halved_ ? (format_.width + 1) / 2 : format_.width; }
    [[nodiscard]] int term_height() const { return halved_ ? (format_.height + 1) / 2 : format_.height; }

  private:
    VideoFormat format_;
    ChromaEdge edge_;
    int plane_count_;
    int width_[3] = {}, height_[3] = {};
    int side_ = 0, columns_ = 1, rows_ = 1;
    bool smoothed_ = false, halved_ = false;
};

/// What one extraction computes.
struct XpsnrDemand {
    XpsnrGrid grid;
    XpsnrOrder order = XpsnrOrder::first;
};

/// Numbers of the stages: squared errors of the planes first, then the terms, which pictures without weights lack.
struct XpsnrStages {
    int plane_count;

    [[nodiscard]] int spatial() const { return plane_count; }
    [[nodiscard]] int temporal() const { return plane_count + 1; }
};

/// xpsnr_ref.cpp: the definition.
std::unique_ptr<Extractor> make_xpsnr_reference(const XpsnrDemand &demand);

/// xpsnr_cpu.cpp: the same words by vector code; none for `scalar`.
std::unique_ptr<Extractor> make_xpsnr_cpu(const XpsnrDemand &demand, CpuLevel level);

/// xpsnr_gpu.cpp: the passes of xpsnr.cu.
std::unique_ptr<GpuExtractor> make_xpsnr_gpu(const XpsnrDemand &demand);

/// xpsnr_weights.cpp: weights of blocks from their sums, and the weighted error of each plane (xpsnr.md §4 to §6).
std::unique_ptr<Completion> make_xpsnr_completion(const XpsnrGrid &grid);

/// The weights of all blocks, in raster order.
std::vector<double> xpsnr_weights(const XpsnrGrid &grid, ConstWords sums);

/// xpsnr_finish.cpp: for the first `plane_count` planes.
std::unique_ptr<Finisher> make_xpsnr_finisher(const XpsnrGrid &grid, int plane_count);

/// The scores of the whole video that it sets.
std::vector<std::string> xpsnr_aggregates(int plane_count);

} // namespace isovmaf
