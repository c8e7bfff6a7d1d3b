/* SPDX-License-Identifier: BSD-2-Clause-Patent */
/* A client of the C interface of libvmaf that is linked with no such library: it opens the one that it is given.

       client LIBRARY checks FOLDER MODEL_FILE COLLECTION_FILE [--ours]
       client LIBRARY score [options of libvmaf's program vmaf]

   `checks` prints one line per check. --ours adds the calls that crash or hang libvmaf. */
#include <stdio.h>
#include <string.h>

#include "checks.h"

int with_ours;
const char *folder, *model_file, *collection_file;

static void (*const subjects[])(void) = {
    check_null_arguments, check_dictionaries, check_pictures,     check_pools,    check_models,
    check_model_files,    check_collections,  check_registration, check_features, check_reading,
    check_indices,        check_formats,      check_queries,      check_imports,  check_subsampling,
    check_reports,        check_handlers,     check_threads,      check_backends,
};

static int run_checks(int argc, char **argv) {
    if (argc < 3) {
        fprintf(stderr, "checks: FOLDER MODEL_FILE COLLECTION_FILE [--ours]\n");
        return 2;
    }
    folder = argv[0];
    model_file = argv[1];
    collection_file = argv[2];
    with_ours = argc > 3 && strcmp(argv[3], "--ours") == 0;
    for (size_t i = 0; i < sizeof subjects / sizeof *subjects; ++i)
        subjects[i]();
    return 0;
}

int main(int argc, char **argv) {
    if (argc < 3) {
        fprintf(stderr, "client LIBRARY checks|score ...\n");
        return 2;
    }
    if (open_library(argv[1]) != 0)
        return 2;
    if (strcmp(argv[2], "score") == 0)
        return score_command(argc - 2, argv + 2);
    if (strcmp(argv[2], "checks") == 0)
        return run_checks(argc - 3, argv + 3);
    fprintf(stderr, "what is \"%s\"?\n", argv[2]);
    return 2;
}
