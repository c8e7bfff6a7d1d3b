/* SPDX-License-Identifier: BSD-2-Clause-Patent */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "checks.h"

static void refused(void) {
    VmafPicture picture;
    memset(&picture, 0x55, sizeof picture);
    scenario("refused");
    CODE(vmaf.picture_alloc(NULL, VMAF_PIX_FMT_YUV420P, 8, 64, 64));
    CODE(vmaf.picture_alloc(&picture, VMAF_PIX_FMT_UNKNOWN, 8, 64, 64));
    CODE(vmaf.picture_alloc(&picture, VMAF_PIX_FMT_YUV420P, 7, 64, 64));
    CODE(vmaf.picture_alloc(&picture, VMAF_PIX_FMT_YUV420P, 17, 64, 64));
    CODE(picture.w[0] == 0x55555555);
    CODE(vmaf.picture_unref(NULL));
    memset(&picture, 0, sizeof picture);
    CODE(vmaf.picture_unref(&picture));
    if (with_ours) {
        CODE(vmaf.picture_alloc(&picture, (enum VmafPixelFormat)5, 8, 64, 64));
        CODE(vmaf.picture_alloc(&picture, VMAF_PIX_FMT_YUV420P, 8, 1u << 31, 1u << 31));
    }
}

static int is_zero(const VmafPicture *picture) {
    static const VmafPicture zero;
    return memcmp(picture, &zero, sizeof zero) == 0;
}

static int holds_zeros(const VmafPicture *picture) {
    for (unsigned plane = 0; plane < 3; ++plane)
        for (unsigned y = 0; y < picture->h[plane]; ++y) {
            const uint8_t *row = (const uint8_t *)picture->data[plane] + (ptrdiff_t)y * picture->stride[plane];
            for (unsigned i = 0; i < picture->w[plane] * (picture->bpc > 8 ? 2 : 1); ++i)
                if (row[i])
                    return 0;
        }
    return 1;
}

/* Sizes and strides of a new picture. The bytes between rows and planes are the library's own business. */
static void layout(const char *name, enum VmafPixelFormat format, unsigned depth, unsigned width, unsigned height) {
    VmafPicture picture;
    scenario(name);
    memset(&picture, 0x55, sizeof picture);
    CODE(vmaf.picture_alloc(&picture, format, depth, width, height));
    CODE(picture.pix_fmt == format);
    CODE(picture.bpc == depth);
    for (int plane = 0; plane < 3; ++plane) {
        char text[160];
        unsigned bytes = depth > 8 ? 2 : 1;
        snprintf(text, sizeof text, "%u x %u, %s, %s, %s", picture.w[plane], picture.h[plane],
                 picture.stride[plane] >= (ptrdiff_t)(picture.w[plane] * bytes) ? "wide enough" : "too narrow",
                 (uintptr_t)picture.data[plane] % bytes == 0 && picture.stride[plane] % 32 == 0 ? "aligned"
                                                                                                : "not aligned",
                 picture.data[plane] ? "with data" : "without data");
        show_text("plane", text);
    }
    CODE((uintptr_t)picture.data[0] % 32 == 0);
    CODE(holds_zeros(&picture));
    fill(&picture, 1, 0); /* a sanitizer tells when a plane is too small */
    CODE(vmaf.picture_unref(&picture));
    CODE(is_zero(&picture));
    CODE(vmaf.picture_unref(&picture));
}

void check_pictures(void) {
    subject("pictures");
    refused();
    layout("577x325 8 bit 4:2:0", VMAF_PIX_FMT_YUV420P, 8, 577, 325);
    layout("577x325 10 bit 4:2:0", VMAF_PIX_FMT_YUV420P, 10, 577, 325);
    layout("97x33 12 bit 4:2:2", VMAF_PIX_FMT_YUV422P, 12, 97, 33);
    layout("97x33 16 bit 4:4:4", VMAF_PIX_FMT_YUV444P, 16, 97, 33);
    layout("97x33 8 bit 4:0:0", VMAF_PIX_FMT_YUV400P, 8, 97, 33);
    layout("1x1 9 bit 4:4:4", VMAF_PIX_FMT_YUV444P, 9, 1, 1);
}

static int preallocate(VmafContext *context, unsigned width, unsigned height, unsigned depth,
                       enum VmafPixelFormat format, unsigned count) {
    VmafPictureConfiguration configuration = {{width, height, depth, format}, count};
    return vmaf.preallocate_pictures(context, configuration);
}

static void refused_pools(void) {
    VmafContext *context = open_context(0, 0);
    VmafPicture picture = {0};
    scenario("refused");
    CODE(preallocate(context, 0, HEIGHT, 8, VMAF_PIX_FMT_YUV420P, 4));
    CODE(preallocate(context, WIDTH, 0, 8, VMAF_PIX_FMT_YUV420P, 4));
    CODE(preallocate(context, WIDTH, HEIGHT, 7, VMAF_PIX_FMT_YUV420P, 4));
    CODE(preallocate(context, WIDTH, HEIGHT, 17, VMAF_PIX_FMT_YUV420P, 4));
    CODE(preallocate(context, WIDTH, HEIGHT, 8, VMAF_PIX_FMT_UNKNOWN, 4));
    CODE(preallocate(context, WIDTH, HEIGHT, 8, VMAF_PIX_FMT_YUV420P, 0));
    CODE(vmaf.fetch_preallocated_picture(context, &picture));
    close_context(context);
}

/* Contents of a former use stay, because a pool does not clear its pictures. */
static void one_picture(void) {
    VmafContext *context = open_context(0, 0);
    VmafPicture picture = {0};
    scenario("one picture");
    CODE(preallocate(context, WIDTH, HEIGHT, 8, VMAF_PIX_FMT_YUV420P, 1));
    CODE(vmaf.fetch_preallocated_picture(context, &picture));
    CODE((int)picture.w[1]);
    fill(&picture, 3, 0);
    uint8_t first = *(uint8_t *)picture.data[0];
    CODE(vmaf.picture_unref(&picture));
    CODE(is_zero(&picture));
    CODE(vmaf.fetch_preallocated_picture(context, &picture));
    CODE(*(uint8_t *)picture.data[0] == first);
    CODE(vmaf.picture_unref(&picture));
    close_context(context);
}

/* Four pictures are the fewest that work: the context keeps two references for motion. */
static void frames_from_pool(unsigned threads) {
    VmafContext *context = open_context(threads, 0);
    scenario(threads ? "four pictures, two threads" : "four pictures");
    CODE(vmaf.use_feature(context, "motion", NULL));
    CODE(vmaf.use_feature(context, "psnr", NULL));
    CODE(preallocate(context, WIDTH, HEIGHT, 8, VMAF_PIX_FMT_YUV420P, 4));
    for (unsigned i = 0; i < 6; ++i) {
        VmafPicture reference = {0}, distorted = {0};
        if (vmaf.fetch_preallocated_picture(context, &reference) ||
            vmaf.fetch_preallocated_picture(context, &distorted))
            show_text("fetch", "failed");
        fill(&reference, i, 0);
        fill(&distorted, i, 1);
        CODE(vmaf.read_pictures(context, &reference, &distorted, i));
        CODE(is_zero(&reference) && is_zero(&distorted));
    }
    CODE(flush(context));
    show_feature(context, "VMAF_integer_feature_motion2_score", 5);
    show_feature(context, "psnr_cb", 5);
    close_context(context);
}

/* With threads, a picture can be fetched after the first pair without a pool of the client's. */
static void hidden_pool(void) {
    VmafContext *context = open_context(1, 0);
    VmafPicture picture = {0};
    scenario("no pool, a thread");
    CODE(vmaf.fetch_preallocated_picture(context, &picture));
    CODE(vmaf.use_feature(context, "psnr", NULL));
    CODE(read_pair(context, 0, 0));
    CODE(vmaf.fetch_preallocated_picture(context, &picture));
    CODE((int)picture.w[0]);
    CODE(vmaf.picture_unref(&picture));
    close_context(context);
}

/* libvmaf waits for ever for a picture that is out when its context is closed. */
static void outlives_context(void) {
    VmafContext *context = open_context(0, 0);
    VmafPicture picture = {0};
    scenario("outlives its context");
    CODE(preallocate(context, WIDTH, HEIGHT, 8, VMAF_PIX_FMT_YUV420P, 2));
    CODE(vmaf.fetch_preallocated_picture(context, &picture));
    CODE(vmaf.close(context));
    fill(&picture, 1, 0);
    CODE(vmaf.picture_unref(&picture));
}

void check_pools(void) {
    subject("pools");
    refused_pools();
    one_picture();
    frames_from_pool(0);
    frames_from_pool(2);
    hidden_pool();
    if (with_ours)
        outlives_context();
}
