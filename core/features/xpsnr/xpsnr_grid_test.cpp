// SPDX-License-Identifier: BSD-2-Clause-Patent
#include <gtest/gtest.h>

#include "features/xpsnr/xpsnr.hpp"

namespace isovmaf::xpsnr_grid_test {
namespace {

XpsnrGrid grid_of(int width, int height, ChromaEdge edge = ChromaEdge::present) {
    return {{.width = width, .height = height}, edge, 3};
}

struct Known {
    int width, height, side, columns, rows;
    bool smoothed, halved;
};

TEST(XpsnrGrid, HasTheNumbersOfXpsnrMd) {
    for (const Known &want : {Known{45, 45, 4, 12, 12, true, false},
                              {176, 144, 8, 22, 18, true, false},
                              {576, 324, 20, 29, 17, true, false},
                              {640, 480, 24, 27, 20, true, false},
                              {640, 482, 24, 27, 21, false, false},
                              {1920, 1080, 64, 30, 17, false, false},
                              {2048, 1152, 68, 31, 17, false, false},
                              {2560, 1440, 84, 31, 18, false, true},
                              {3840, 2160, 128, 30, 17, false, true},
                              {4096, 2160, 132, 32, 17, false, true}}) {
        const XpsnrGrid grid = grid_of(want.width, want.height);
        EXPECT_EQ(grid.side(), want.side) << want.width;
        EXPECT_EQ(grid.columns(), want.columns) << want.width;
        EXPECT_EQ(grid.rows(), want.rows) << want.width;
        EXPECT_EQ(grid.smoothed(), want.smoothed) << want.width;
        EXPECT_EQ(grid.halved(), want.halved) << want.width;
    }
    EXPECT_FALSE(grid_of(44, 46).has_weights());
    EXPECT_EQ(grid_of(44, 46).block_count(), 1);
}

TEST(XpsnrGrid, BlocksCoverEachPlaneOnce) {
    for (const ChromaEdge edge : {ChromaEdge::absent, ChromaEdge::present})
        for (int width = 45; width < 61; width++) {
            const XpsnrGrid grid = grid_of(width, 47, edge);
            for (int p = 0; p < 3; p++) {
                int samples = 0;
                for (int row = 0; row < grid.rows(); row++)
                    for (int column = 0; column < grid.columns(); column++) {
                        const XpsnrArea area = grid.block(column, row, p);
                        samples += area.empty() ? 0 : area.width() * area.height();
                    }
                EXPECT_EQ(samples, grid.plane_width(p) * grid.plane_height(p)) << width << ", plane " << p;
            }
        }
}

TEST(XpsnrGrid, ChromaIsWholeWhereFramesHaveIt) {
    EXPECT_EQ(grid_of(45, 45).plane_width(1), 23);
    EXPECT_EQ(grid_of(45, 45, ChromaEdge::absent).plane_width(1), 22);
    EXPECT_EQ(grid_of(45, 45, ChromaEdge::absent).plane_height(2), 22);
}

TEST(XpsnrGrid, LastBlocksOfOneSampleHaveNoCore) {
    const XpsnrGrid grid = grid_of(1921, 1081);
    EXPECT_TRUE(grid.core(grid.columns() - 1, 0).empty());
    EXPECT_TRUE(grid.core(0, grid.rows() - 1).height() > 0); // 1081 = 16 * 64 + 57
    EXPECT_FALSE(grid.core(0, 0).empty());
    EXPECT_EQ(grid.core(0, 0).left, 1);
    EXPECT_EQ(grid_of(3840, 2160).core(0, 0).top, 2);
}

TEST(XpsnrGrid, NarrowLastColumnsOfLargePicturesHaveNoSpatialActivity) {
    for (const auto &[width, forgotten] : {std::pair{4096, true}, {3840, false}, {2560, false}}) {
        const XpsnrGrid grid = grid_of(width, 2160);
        EXPECT_EQ(grid.forgets_spatial(grid.columns() - 1), forgotten) << width;
        EXPECT_FALSE(grid.forgets_spatial(0)) << width;
    }
    const XpsnrGrid small = grid_of(1924, 1080); // its last column has a width of 4
    EXPECT_FALSE(small.forgets_spatial(small.columns() - 1));
}

} // namespace
} // namespace isovmaf::xpsnr_grid_test
