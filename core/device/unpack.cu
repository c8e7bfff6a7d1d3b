// SPDX-License-Identifier: BSD-2-Clause-Patent
// The kernels that make a plane plain.

#define KERNEL unpack_8
#define SAMPLE_BITS 8
#include "device/unpack_kernel.h"

#define KERNEL unpack_16
#define SAMPLE_BITS 16
#include "device/unpack_kernel.h"
