/* SPDX-License-Identifier: BSD-2-Clause-Patent */
#include "video.h"

#include <stdint.h>
#include <string.h>

enum { LINE = 256 };

/* `text` is what follows C in a Y4M header, such as 420jpeg, 422 or 420p10. */
static void parse_chroma(Video *video, const char *text) {
    unsigned depth = 8;
    const char *bits = strchr(text, 'p');
    if (bits && sscanf(bits, "p%u", &depth) != 1)
        depth = 8; /* 420jpeg, 420paldv */
    video->depth = depth;
    video->format = strncmp(text, "422", 3) == 0   ? VMAF_PIX_FMT_YUV422P
                    : strncmp(text, "444", 3) == 0 ? VMAF_PIX_FMT_YUV444P
                                                   : VMAF_PIX_FMT_YUV420P;
}

static void parse_header(Video *video, char *line) {
    video->format = VMAF_PIX_FMT_YUV420P;
    video->depth = 8;
    for (char *field = strtok(line, " \n"); field; field = strtok(NULL, " \n")) {
        if (*field == 'W')
            sscanf(field, "W%u", &video->width);
        else if (*field == 'H')
            sscanf(field, "H%u", &video->height);
        else if (*field == 'C')
            parse_chroma(video, field + 1);
    }
}

int open_video(Video *video, const char *path) {
    char line[LINE] = "";
    video->file = fopen(path, "rb");
    if (!video->file) {
        perror(path);
        return -1;
    }
    if (fgets(line, sizeof line, video->file) && strncmp(line, "YUV4MPEG2", 9) == 0) {
        video->has_frame_headers = 1;
        parse_header(video, line);
    } else {
        rewind(video->file);
    }
    if (!video->width || !video->height || !video->depth || !video->format) {
        fprintf(stderr, "%s: the format of raw video has to be given\n", path);
        close_video(video);
        return -1;
    }
    return 0;
}

/* Rows of a file hold (w + 1) / 2 chroma samples where a picture has w / 2; what is beyond is skipped. */
static int read_plane(const Video *video, VmafPicture *picture, unsigned plane) {
    const unsigned bytes = video->depth > 8 ? 2 : 1;
    const int halves_width = plane && video->format != VMAF_PIX_FMT_YUV444P;
    const int halves_height = plane && video->format == VMAF_PIX_FMT_YUV420P;
    const unsigned columns = halves_width ? (video->width + 1) / 2 : video->width;
    const unsigned rows = halves_height ? (video->height + 1) / 2 : video->height;
    for (unsigned y = 0; y < rows; ++y) {
        uint8_t *row = (uint8_t *)picture->data[plane] + (ptrdiff_t)y * picture->stride[plane];
        const unsigned kept = y < picture->h[plane] ? picture->w[plane] : 0;
        if (fread(row, bytes, kept, video->file) != kept)
            return -1;
        if (kept < columns && fseek(video->file, (long)((columns - kept) * bytes), SEEK_CUR) != 0)
            return -1;
    }
    return 0;
}

int read_frame(Video *video, VmafPicture *picture) {
    char line[LINE];
    int next = fgetc(video->file);
    if (next == EOF)
        return 0;
    ungetc(next, video->file);
    if (video->has_frame_headers && (!fgets(line, sizeof line, video->file) || strncmp(line, "FRAME", 5) != 0)) {
        fprintf(stderr, "a frame begins with no FRAME\n");
        return -1;
    }
    if (vmaf.picture_alloc(picture, video->format, video->depth, video->width, video->height) != 0)
        return -1;
    for (unsigned plane = 0; plane < 3; ++plane)
        if (read_plane(video, picture, plane) != 0) {
            fprintf(stderr, "a frame is cut short\n");
            vmaf.picture_unref(picture);
            return -1;
        }
    return 1;
}

void close_video(Video *video) {
    if (video->file)
        fclose(video->file);
    video->file = NULL;
}
