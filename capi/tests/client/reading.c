/* SPDX-License-Identifier: BSD-2-Clause-Patent */
#include <stdio.h>

#include "checks.h"

static void empty_contexts(void) {
    for (unsigned threads = 0; threads < 3; threads += 2) {
        VmafContext *context = open_context(threads, 0);
        scenario(threads ? "nothing registered, two threads" : "nothing registered");
        CODE(flush(context));
        CODE(flush(context));
        CODE(read_pair(context, 0, 0));
        close_context(context);

        context = open_context(threads, 0);
        scenario(threads ? "no pictures, two threads" : "no pictures");
        CODE(vmaf.use_feature(context, "psnr", NULL));
        CODE(flush(context));
        CODE(read_pair(context, 0, 0)); /* the context was not flushed */
        CODE(flush(context));
        show_feature(context, "psnr_y", 0);
        close_context(context);
    }
}

/* On failure both pictures are the caller's: read_given() releases them. */
static void other_pictures(void) {
    VmafContext *context = open_context(0, 0);
    const enum VmafPixelFormat yuv420 = VMAF_PIX_FMT_YUV420P;
    VmafPicture picture, other;
    scenario("other pictures");
    CODE(vmaf.use_feature(context, "psnr", NULL));
    CODE(read_pair(context, 0, 0));
    picture = picture_of(yuv420, 8, WIDTH + 2, HEIGHT, 1, 0);
    other = picture_of(yuv420, 8, WIDTH + 2, HEIGHT, 1, 1);
    CODE(read_given(context, picture, other, 1));
    picture = picture_of(yuv420, 8, WIDTH, HEIGHT, 1, 0);
    other = picture_of(yuv420, 8, WIDTH, HEIGHT - 2, 1, 1);
    CODE(read_given(context, picture, other, 1));
    picture = picture_of(VMAF_PIX_FMT_YUV444P, 8, WIDTH, HEIGHT, 1, 0);
    other = picture_of(VMAF_PIX_FMT_YUV444P, 8, WIDTH, HEIGHT, 1, 1);
    CODE(read_given(context, picture, other, 1));
    picture = picture_of(yuv420, 8, WIDTH, HEIGHT, 1, 0);
    other = picture_of(VMAF_PIX_FMT_YUV422P, 8, WIDTH, HEIGHT, 1, 1);
    CODE(read_given(context, picture, other, 1));
    if (with_ours) { /* libvmaf takes them and reads beyond the smaller block */
        picture = picture_of(yuv420, 10, WIDTH, HEIGHT, 1, 0);
        other = picture_of(yuv420, 10, WIDTH, HEIGHT, 1, 1);
        CODE(read_given(context, picture, other, 1));
        picture = picture_of(yuv420, 8, WIDTH, HEIGHT, 1, 0);
        other = picture_of(yuv420, 10, WIDTH, HEIGHT, 1, 1);
        CODE(read_given(context, picture, other, 1));
    }
    CODE(read_pair(context, 1, 1)); /* the context is as before */
    CODE(flush(context));
    show_feature(context, "psnr_y", 1);
    close_context(context);
}

/* Structures made by hand, released pictures, and one structure twice. */
static void made_by_hand(void) {
    VmafContext *context = open_context(0, 0);
    VmafPicture picture = picture_of(VMAF_PIX_FMT_YUV420P, 8, WIDTH, HEIGHT, 0, 0), empty = {0}, hand = picture;
    hand.priv = NULL;
    scenario("made by hand");
    CODE(vmaf.use_feature(context, "psnr", NULL));
    CODE(vmaf.read_pictures(context, &hand, &hand, 0));
    CODE(vmaf.read_pictures(context, &picture, &empty, 0));
    CODE(vmaf.read_pictures(context, &empty, &picture, 0));
    CODE(picture.ref != NULL);
    CODE(vmaf.read_pictures(context, &picture, &picture, 0));
    CODE(picture.ref == NULL);
    CODE(flush(context));
    show_feature(context, "psnr_cb", 0);
    close_context(context);
}

/* Released by the caller only after the context: pictures belong to none. */
static void pictures_outlive_contexts(void) {
    VmafContext *context = open_context(0, 0);
    VmafPicture reference = picture_of(VMAF_PIX_FMT_YUV420P, 8, WIDTH, HEIGHT, 0, 0);
    VmafPicture distorted = picture_of(VMAF_PIX_FMT_YUV420P, 8, WIDTH, HEIGHT, 0, 1);
    scenario("close before flush");
    CODE(vmaf.use_feature(context, "vif", NULL));
    CODE(read_pair(context, 0, 0));
    CODE(vmaf.close(context));
    CODE(vmaf.picture_unref(&reference));
    CODE(vmaf.picture_unref(&distorted));
}

void check_reading(void) {
    subject("reading");
    empty_contexts();
    other_pictures();
    if (with_ours)
        made_by_hand();
    pictures_outlive_contexts();
}
