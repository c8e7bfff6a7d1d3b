/* SPDX-License-Identifier: BSD-2-Clause-Patent */
#ifndef CAPI_CLIENT_SCORE_OPTIONS_H
#define CAPI_CLIENT_SCORE_OPTIONS_H

#include "video.h"

enum { MOST = 8 };

/* The command line of `client score`: options of libvmaf's program vmaf, as far as recorded runs use them. */
typedef struct ScoreOptions {
    const char *reference, *distorted, *output;
    char *models[MOST], *features[MOST]; /* the arguments, which are cut while they are read */
    unsigned model_count, feature_count;
    Video raw; /* what is said of raw video */
    unsigned frames, skip_reference, skip_distorted;
    int no_prediction;
    enum VmafOutputFormat format;
    VmafConfiguration configuration;
} ScoreOptions;

/* 0, or -1 after a message. */
int parse_score_options(int argc, char **argv, ScoreOptions *options);

#endif
