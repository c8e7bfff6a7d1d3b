/* SPDX-License-Identifier: BSD-2-Clause-Patent */
#ifndef __VMAF_PICTURE_H__
#define __VMAF_PICTURE_H__

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Planar Y'CbCr with chroma at half size in both directions, in width alone, at full size, and luma alone. */
enum VmafPixelFormat {
    VMAF_PIX_FMT_UNKNOWN,
    VMAF_PIX_FMT_YUV420P,
    VMAF_PIX_FMT_YUV422P,
    VMAF_PIX_FMT_YUV444P,
    VMAF_PIX_FMT_YUV400P
};

/** The memory of a picture; private. */
typedef struct VmafRef VmafRef;

/**
 * A picture, whose memory has one owner. A copy of the struct is not a second owner: only one of the two may be given
 * to a function of this library.
 *
 * A plane is filled row by row with `stride`. A sample has one byte at 8 bit, else two, in the byte order of the
 * machine, with the value in the low bits. Chroma of an odd size is rounded down.
 */
typedef struct VmafPicture {
    enum VmafPixelFormat pix_fmt; /**< which planes there are, and their sizes */
    unsigned bpc;                 /**< bits per sample, 8..16 */
    unsigned w[3];                /**< samples per row; 0 for planes that the format does not have */
    unsigned h[3];                /**< rows, likewise */
    ptrdiff_t stride[3];          /**< bytes from one row to the next */
    void *data[3];                /**< first sample; NULL for planes that the format does not have */
    VmafRef *ref;                 /**< private */
    void *priv;                   /**< private */
} VmafPicture;

/**
 * Allocates a picture. All its samples are 0. Its memory starts at a multiple of 64 bytes, and rows are apart by a
 * multiple of 32 samples.
 *
 * w, h: luma samples, up to 32768. Odd sizes are allowed.
 *
 * Returns 0; -EINVAL when `pic` is NULL or the format, depth or size is not possible, then *pic is unchanged; -ENOMEM
 * when memory is out, then *pic owns nothing.
 */
int vmaf_picture_alloc(VmafPicture *pic, enum VmafPixelFormat pix_fmt, unsigned bpc, unsigned w, unsigned h);

/**
 * Gives the picture's memory back, to its pool if it came from one, and sets the struct to zeros.
 *
 * Returns 0; -EINVAL when `pic` is NULL or owns no memory.
 */
int vmaf_picture_unref(VmafPicture *pic);

#ifdef __cplusplus
}
#endif

#endif
