/* SPDX-License-Identifier: BSD-2-Clause-Patent */
#ifndef __VMAF_FEATURE_H__
#define __VMAF_FEATURE_H__

#ifdef __cplusplus
extern "C" {
#endif

/** Options of a feature extractor: keys and values, all of them text. */
typedef struct VmafFeatureDictionary VmafFeatureDictionary;

/**
 * Sets `key` to `val`; both are copied. Creates the dictionary when *dict is NULL. A value that is a number, with or
 * without white space around it, is kept with the precision of a float and six digits: "1.0" becomes "1".
 *
 * Returns 0; -EINVAL when an argument is NULL; -ENOMEM when memory is out.
 */
int vmaf_feature_dictionary_set(VmafFeatureDictionary **dict, const char *key, const char *val);

/**
 * Frees the dictionary and sets *dict to NULL. *dict may be NULL.
 *
 * A function that takes a dictionary owns it from then on if it returns 0. When it fails, the dictionary is still the
 * caller's.
 *
 * Returns 0; -EINVAL when `dict` is NULL.
 */
int vmaf_feature_dictionary_free(VmafFeatureDictionary **dict);

#ifdef __cplusplus
}
#endif

#endif
