/* SPDX-License-Identifier: BSD-2-Clause-Patent */
#ifndef VMAF_VERSION_H
#define VMAF_VERSION_H

/** Version of the interface: that of the libvmaf whose programs this library serves. */
#define VMAF_API_VERSION_MAJOR 3
#define VMAF_API_VERSION_MINOR 2
#define VMAF_API_VERSION_PATCH 0

#endif
