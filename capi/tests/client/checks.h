/* SPDX-License-Identifier: BSD-2-Clause-Patent */
#ifndef CAPI_CLIENT_CHECKS_H
#define CAPI_CLIENT_CHECKS_H

#include <limits.h>
#include <stddef.h>

#include "api.h"

/* Whether calls are made that crash or hang libvmaf, and only our library answers. */
extern int with_ours;

/* A folder for files; the paths of model files. */
extern const char *folder, *model_file, *collection_file;

/* Each check prints one line, "SUBJECT | SCENARIO | CALL = RESULT". */
void subject(const char *name);
void scenario(const char *name);
void show_code(const char *call, int code);
void show_number(const char *call, double value);
void show_text(const char *call, const char *text);

#define CODE(call) show_code(#call, call)
#define NUMBER(expression) show_number(#expression, expression)
#define POINTER(pointer) show_text(#pointer, (pointer) ? "set" : "NULL")

/* Contexts that compute with libvmaf's plain C code and say nothing. A context that cannot be had ends the program. */
VmafContext *open_context(unsigned threads, unsigned subsample);
void close_context(VmafContext *context);
VmafModel *load_model(const char *version, const char *name);
VmafFeatureDictionary *dictionary(const char *key, const char *value);
/* Registers a feature with one option. When the value is refused, libvmaf frees the dictionary; ours leaves it, and it
   is freed here. */
int use_feature_with(VmafContext *context, const char *feature, const char *key, const char *value);

/* Pictures of WIDTH x HEIGHT. `content` numbers what is in them: reference and distorted of one number belong together.
 */
enum { WIDTH = 112, HEIGHT = 96 };
VmafPicture picture_of(enum VmafPixelFormat format, unsigned depth, unsigned width, unsigned height, unsigned content,
                       int distorted);
void fill(VmafPicture *picture, unsigned content, int distorted);
/* Hands a pair over; on failure releases both, as the caller still owns them. Returns the call's code. */
int read_pair(VmafContext *context, unsigned index, unsigned content);
int read_given(VmafContext *context, VmafPicture reference, VmafPicture distorted, unsigned index);
int flush(VmafContext *context);
void read_pairs(VmafContext *context, unsigned count); /* indices from 0 on, shown only when one fails */

/* Prints the value stored under `name` at indices 0 to `last`, or the codes of those that have none. */
void show_feature(VmafContext *context, const char *name, unsigned last);
void show_scores(VmafContext *context, VmafModel *model, unsigned last);
void show_pooled(VmafContext *context, VmafModel *model, unsigned low, unsigned high);
void show_collection_score(const char *call, const VmafModelCollectionScore *score);
/* Writes a report and prints its lines. */
void show_report(VmafContext *context, enum VmafOutputFormat format);

/* The subjects, in the order in which they run. */
void check_null_arguments(void);
void check_dictionaries(void);
void check_pictures(void);
void check_pools(void);
void check_models(void);
void check_model_files(void);
void check_collections(void);
void check_registration(void);
void check_features(void);
void check_reading(void);
void check_indices(void);
void check_formats(void);
void check_queries(void);
void check_imports(void);
void check_subsampling(void);
void check_reports(void);
void check_handlers(void);
void check_threads(void);
void check_backends(void);

/* `client score`: score_command.c. */
int score_command(int argc, char **argv);

#endif
