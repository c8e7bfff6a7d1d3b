/* SPDX-License-Identifier: BSD-2-Clause-Patent */
#include <stdio.h>

#include "checks.h"

/* One pair of a format and depth. Each feature has a context of its own, because one that refuses fails the pair. */
static void read_format(const char *name, enum VmafPixelFormat format, unsigned depth) {
    static const char *const features[] = {"psnr", "motion", "vif", "adm"};
    scenario(name);
    for (size_t i = 0; i < sizeof features / sizeof *features; ++i) {
        VmafContext *context = open_context(0, 0);
        CODE(vmaf.use_feature(context, features[i], NULL));
        for (unsigned n = 0; n < 2; ++n)
            show_code(features[i], read_given(context, picture_of(format, depth, WIDTH, HEIGHT, n, 0),
                                              picture_of(format, depth, WIDTH, HEIGHT, n, 1), n));
        CODE(flush(context));
        show_report(context, VMAF_OUTPUT_FORMAT_CSV);
        close_context(context);
    }
}

static void read_size(const char *name, const char *feature, unsigned width, unsigned height) {
    VmafContext *context = open_context(0, 0);
    scenario(name);
    CODE(vmaf.use_feature(context, feature, NULL));
    CODE(read_given(context, picture_of(VMAF_PIX_FMT_YUV420P, 8, width, height, 0, 0),
                    picture_of(VMAF_PIX_FMT_YUV420P, 8, width, height, 0, 1), 0));
    CODE(flush(context));
    show_report(context, VMAF_OUTPUT_FORMAT_CSV);
    close_context(context);
}

void check_formats(void) {
    subject("formats");
    read_format("8 bit 4:2:0", VMAF_PIX_FMT_YUV420P, 8);
    read_format("9 bit 4:2:0", VMAF_PIX_FMT_YUV420P, 9);
    read_format("10 bit 4:2:2", VMAF_PIX_FMT_YUV422P, 10);
    read_format("12 bit 4:4:4", VMAF_PIX_FMT_YUV444P, 12);
    read_format("14 bit 4:4:4", VMAF_PIX_FMT_YUV444P, 14);
    read_format("16 bit 4:2:0", VMAF_PIX_FMT_YUV420P, 16);
    read_format("8 bit 4:0:0", VMAF_PIX_FMT_YUV400P, 8);
    read_size("odd, psnr", "psnr", 77, 45);
    read_size("odd, vif", "vif", 77, 45);
    read_size("odd, motion", "motion", 77, 45);
    read_size("odd, adm", "adm", 77, 45);
    if (with_ours) { /* libvmaf crashes, or scores what lies beyond the picture */
        read_size("too small, adm", "adm", 16, 16);
        read_size("too small, vif", "vif", 7, 7);
        read_size("too small, motion", "motion", 2, 2);
        read_size("no samples, psnr", "psnr", 1, 1);
    }
}
