/* SPDX-License-Identifier: BSD-2-Clause-Patent */
#include "score_options.h"

#include <getopt.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

enum { XML = 256, JSON, CSV, SUB, FEATURE, THREADS, SUBSAMPLE, CPUMASK, GPUMASK, FRAMES, SKIP_REF, SKIP_DIST };

static const struct option known[] = {
    {"reference", required_argument, NULL, 'r'},
    {"distorted", required_argument, NULL, 'd'},
    {"width", required_argument, NULL, 'w'},
    {"height", required_argument, NULL, 'h'},
    {"pixel_format", required_argument, NULL, 'p'},
    {"bitdepth", required_argument, NULL, 'b'},
    {"output", required_argument, NULL, 'o'},
    {"model", required_argument, NULL, 'm'},
    {"no_prediction", no_argument, NULL, 'n'},
    {"quiet", no_argument, NULL, 'q'},
    {"xml", no_argument, NULL, XML},
    {"json", no_argument, NULL, JSON},
    {"csv", no_argument, NULL, CSV},
    {"sub", no_argument, NULL, SUB},
    {"feature", required_argument, NULL, FEATURE},
    {"threads", required_argument, NULL, THREADS},
    {"subsample", required_argument, NULL, SUBSAMPLE},
    {"cpumask", required_argument, NULL, CPUMASK},
    {"gpumask", required_argument, NULL, GPUMASK},
    {"frame_cnt", required_argument, NULL, FRAMES},
    {"frame_skip_ref", required_argument, NULL, SKIP_REF},
    {"frame_skip_dist", required_argument, NULL, SKIP_DIST},
    {NULL, 0, NULL, 0},
};

static unsigned number(const char *text) { return (unsigned)strtoul(text, NULL, 10); }

static enum VmafPixelFormat format_named(const char *name) {
    return strcmp(name, "420") == 0   ? VMAF_PIX_FMT_YUV420P
           : strcmp(name, "422") == 0 ? VMAF_PIX_FMT_YUV422P
           : strcmp(name, "444") == 0 ? VMAF_PIX_FMT_YUV444P
                                      : VMAF_PIX_FMT_UNKNOWN;
}

static int add(char **list, unsigned *count, char *text) {
    if (*count == MOST)
        return -1;
    list[(*count)++] = text;
    return 0;
}

static int take(ScoreOptions *options, int option, char *value) {
    switch (option) {
    case 'r':
        options->reference = value;
        return 0;
    case 'd':
        options->distorted = value;
        return 0;
    case 'w':
        options->raw.width = number(value);
        return 0;
    case 'h':
        options->raw.height = number(value);
        return 0;
    case 'p':
        options->raw.format = format_named(value);
        return 0;
    case 'b':
        options->raw.depth = number(value);
        return 0;
    case 'o':
        options->output = value;
        return 0;
    case 'm':
        return add(options->models, &options->model_count, value);
    case FEATURE:
        return add(options->features, &options->feature_count, value);
    case 'n':
        options->no_prediction = 1;
        return 0;
    case 'q':
        return 0;
    case XML:
        options->format = VMAF_OUTPUT_FORMAT_XML;
        return 0;
    case JSON:
        options->format = VMAF_OUTPUT_FORMAT_JSON;
        return 0;
    case CSV:
        options->format = VMAF_OUTPUT_FORMAT_CSV;
        return 0;
    case SUB:
        options->format = VMAF_OUTPUT_FORMAT_SUB;
        return 0;
    case THREADS:
        options->configuration.n_threads = number(value);
        return 0;
    case SUBSAMPLE:
        options->configuration.n_subsample = number(value);
        return 0;
    case CPUMASK:
        options->configuration.cpumask = number(value);
        return 0;
    case GPUMASK:
        options->configuration.gpumask = number(value);
        return 0;
    case FRAMES:
        options->frames = number(value);
        return 0;
    case SKIP_REF:
        options->skip_reference = number(value);
        return 0;
    case SKIP_DIST:
        options->skip_distorted = number(value);
        return 0;
    default:
        return -1;
    }
}

int parse_score_options(int argc, char **argv, ScoreOptions *options) {
    static char default_model[] = "version=vmaf_v0.6.1";
    memset(options, 0, sizeof *options);
    options->format = VMAF_OUTPUT_FORMAT_XML;
    options->frames = UINT_MAX;
    options->configuration.log_level = VMAF_LOG_LEVEL_NONE;
    for (int option; (option = getopt_long(argc, argv, "r:d:w:h:p:b:o:m:nq", known, NULL)) != -1;)
        if (take(options, option, optarg) != 0) {
            fprintf(stderr, "an option that is unknown, or one too many\n");
            return -1;
        }
    if (!options->model_count && !options->no_prediction)
        options->models[options->model_count++] = default_model;
    if (!options->reference || !options->distorted) {
        fprintf(stderr, "a reference and a distorted video are needed\n");
        return -1;
    }
    return 0;
}
