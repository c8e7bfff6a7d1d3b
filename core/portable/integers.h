// SPDX-License-Identifier: BSD-2-Clause-Patent
// Integers of a stated width, in C++, CUDA, HIP and GLSL. Text that all of them compile keeps to what the languages
// have in common: no pointers, references, templates, member functions or initialisers in braces.
#ifndef ISOVMAF_INTEGERS_H
#define ISOVMAF_INTEGERS_H

#if defined(VULKAN) // GLSL
#extension GL_EXT_control_flow_attributes : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
#else
#include <stdint.h>
#endif

#endif
