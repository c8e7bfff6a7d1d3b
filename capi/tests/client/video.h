/* SPDX-License-Identifier: BSD-2-Clause-Patent */
#ifndef CAPI_CLIENT_VIDEO_H
#define CAPI_CLIENT_VIDEO_H

#include <stdio.h>

#include "api.h"

/* Planar video in a file: Y4M, or raw samples of a format that the caller knows. */
typedef struct Video {
    FILE *file;
    enum VmafPixelFormat format;
    unsigned width, height, depth; /* samples; bits */
    int has_frame_headers;
} Video;

/* Opens a file; `video` holds what its header, if there is one, has to say. 0, or -1 after a message. */
int open_video(Video *video, const char *path);

/* Reads the next frame into a new picture: 1, 0 at the end of the video, or -1 after a message. */
int read_frame(Video *video, VmafPicture *picture);

void close_video(Video *video);

#endif
