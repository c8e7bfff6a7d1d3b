/* SPDX-License-Identifier: BSD-2-Clause-Patent */
/* The contract between isovmaf and a backend plugin, in C11 and without dependencies.
 *
 * A plugin gives access to devices: memory, kernels by name, queues, copies and clocks. It knows no feature. It exports
 * one symbol, ISOVMAF_BACKEND_SYMBOL, which is a constant `struct isovmaf_backend`.
 *
 * Ownership  The caller that creates an object destroys it, through the same table. `*_destroy(NULL)` does nothing.
 *            Objects are destroyed before their device is closed, and a queue only when its work has ended.
 * Errors     A status, and one sentence in the caller's isovmaf_message: what was attempted, on what, what came back.
 *            A function that fails leaves its outputs untouched. After a function has returned ISOVMAF_DEVICE_LOST,
 *            all functions on that device but destroy and close return it. A plugin throws no exception into its
 *            caller, sets no errno for it and prints nothing.
 * Threads    Open devices are independent of each other, even when they have the same index. Several threads may call
 *            functions on one device at once. One thread at a time uses an object (buffer, commands, queue), with one
 *            exception: `queue_wait` may run while another thread submits to the same queue.
 * Memory     Mapped memory is coherent: a submission sees what the host wrote before it, and the host sees what a
 *            submission wrote when its ticket is done.
 * Numbers    Offsets, sizes and strides are bytes. Device code adds, shifts and divides as C does on two's complement
 *            integers and IEEE 754 floats, without contracting a product and a sum.
 * Change     The fields of `struct isovmaf_backend` down to `layout` keep their place and meaning for ever. Everything
 *            else may change: `layout` is a fingerprint of the declarations below, which the build computes. The core
 *            refuses a plugin that has another fingerprint.
 */
#ifndef ISOVMAF_BACKEND_H
#define ISOVMAF_BACKEND_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* layout begins */

enum isovmaf_status {
    ISOVMAF_OK = 0,
    ISOVMAF_NOT_READY = 1,     /* queue_wait: the timeout passed */
    ISOVMAF_UNSUPPORTED = 2,   /* the plugin or the device lacks what was asked for */
    ISOVMAF_UNAVAILABLE = 3,   /* no runtime, no driver or no device */
    ISOVMAF_OUT_OF_MEMORY = 4, /* of the device, or of pinned host memory */
    ISOVMAF_DEVICE_LOST = 5,   /* the runtime does not recover from this error of the device */
    ISOVMAF_INVALID = 6,       /* the arguments are wrong */
    ISOVMAF_FAILED = 7         /* anything else that the runtime reports */
};

/* One sentence, zero-terminated, without a newline. Never NULL where a function takes one. */
struct isovmaf_message {
    char text[1024];
};

/* Opaque; each plugin's own. */
struct isovmaf_device;
struct isovmaf_buffer;
struct isovmaf_kernel;
struct isovmaf_commands;
struct isovmaf_queue;

/* Software below the plugin. Strings are empty when unknown. */
struct isovmaf_runtime_info {
    char runtime[128];        /* name of the runtime library: "libamdhip64.so.7" */
    char file[512];           /* path of the file that was opened under that name */
    char runtime_version[64]; /* "6.2.41133" */
    char driver_version[64];
    uint32_t device_count;
};

struct isovmaf_device_info {
    char name[256];        /* marketing name */
    char arch[64];         /* what kernels are compiled for: "gfx942:sramecc+:xnack-", "sm_90" */
    char pci_id[32];       /* "0000:c1:00.0"; empty for a device without one */
    uint64_t memory_bytes; /* in total */
    uint64_t memory_free_bytes;
    uint32_t compute_units;
    uint32_t wave_width; /* threads that the device executes in lock-step */
    uint32_t replays;    /* 1: the device replays recorded commands as a whole; 0: they are launched one by one */
    uint32_t cpu;        /* 1: the device is a CPU, which is used only when its backend is asked for by name */
    /* 1: host and device have the same memory, so kernels may read ISOVMAF_MEMORY_SHARED as fast as device memory. The
     * device has memory of that kind then. */
    uint32_t shares_memory;
    char details[256]; /* one line for people: driver, versions, missing features */
};

/* Memory that this open device allocated. `reserved` includes memory that is cached for reuse. */
struct isovmaf_memory_statistics {
    uint64_t allocated_bytes, allocated_peak_bytes;
    uint64_t reserved_bytes, reserved_peak_bytes;
    uint64_t pinned_bytes; /* host memory */
    uint64_t allocations;  /* calls of the runtime's allocator so far */
};

enum isovmaf_memory {
    ISOVMAF_MEMORY_DEVICE = 0,   /* only kernels and copies reach it */
    ISOVMAF_MEMORY_UPLOAD = 1,   /* host memory that the host fills and copies read; mapped */
    ISOVMAF_MEMORY_READBACK = 2, /* host memory that copies fill and the host reads; mapped */
    /* Host memory that kernels reach too: fills, copies and dispatches take it as device memory. The host reads and
     * writes it as fast as other memory, so it is not write-combined where the device has a choice. Kernels of a device
     * without the host's memory read it slowly. Optional. */
    ISOVMAF_MEMORY_SHARED = 3
};

enum isovmaf_external {
    ISOVMAF_EXTERNAL_OPAQUE_FD = 0, /* exported by the same driver for the same device, as Vulkan, CUDA and HIP do */
    ISOVMAF_EXTERNAL_DMABUF = 1     /* a Linux dma-buf */
};

/* Memory that another API allocated and exported as a file descriptor. Its bytes are linear: tiled or compressed memory
 * cannot be imported. The plugin does not wait for the other API's work. Kernels and copies see what that API wrote if
 * the host knew, before they were submitted, that the writing had ended. */
struct isovmaf_external_memory {
    uint32_t kind;        /* isovmaf_external */
    int32_t fd;           /* belongs to the caller, who may close it after the call */
    uint64_t bytes;       /* of the exporter's whole allocation */
    uint32_t memory_type; /* of an opaque fd: the exporter's memory type index, if its API has such indices */
    uint32_t dedicated;   /* 1: the exporter allocated the memory for a single buffer */
};

/* Part of a buffer. */
struct isovmaf_range {
    struct isovmaf_buffer *buffer;
    uint64_t offset;
};

/* A copy of `rows` rows of `row_bytes` bytes. The ranges do not overlap. At most one of them is host memory. */
struct isovmaf_copy {
    struct isovmaf_range from, to;
    uint64_t from_stride, to_stride; /* bytes from one row to the next; ignored when rows is 1 */
    uint64_t row_bytes, rows;
};

/* One launch of a kernel: `groups` blocks of `group_size` threads each. The kernel's parameters are the addresses of
 * `ranges`, in order, and then the structure at `params`, of `params_bytes` bytes, which holds no pointers. Offsets of
 * ranges are multiples of ISOVMAF_RANGE_ALIGNMENT. `params_bytes` is a multiple of 4; 0 means that there is no
 * structure. The structure is copied before the call returns. */
struct isovmaf_dispatch {
    struct isovmaf_kernel *kernel;
    uint32_t groups[3];
    uint32_t group_size[3];
    const struct isovmaf_range *ranges;
    uint32_t range_count;
    uint32_t params_bytes;
    const void *params;
};

/* Moves ranges that dispatches only read to other memory: a range that was recorded with a start in the `bytes` bytes
 * at `recorded` is moved to the same place behind `used`. Both start at multiples of ISOVMAF_RANGE_ALIGNMENT. */
struct isovmaf_move {
    struct isovmaf_range recorded, used;
    uint64_t bytes;
};

/* The handles of a queue for another library that uses the same runtime, such as a decoder. What that library puts into
 * the stream is in order with the queue's submissions, if one thread does both. Valid while the queue lives. */
struct isovmaf_native_queue {
    char api[16];  /* "cuda": the handles are a CUcontext and a CUstream */
    void *context; /* of the device */
    void *stream;
};

/* Stands for one submission to a queue. */
struct isovmaf_ticket {
    struct isovmaf_queue *queue;
    uint64_t value; /* from submit */
};

#define ISOVMAF_RANGE_ALIGNMENT 256 /* of buffers, and of the offsets of a dispatch's ranges */
#define ISOVMAF_MAX_RANGES 16
#define ISOVMAF_MAX_PARAMS_BYTES 512

struct isovmaf_backend {
    uint32_t magic;  /* ISOVMAF_BACKEND_MAGIC */
    uint32_t size;   /* sizeof(struct isovmaf_backend) */
    uint64_t layout; /* ISOVMAF_BACKEND_LAYOUT */

    const char *name;     /* as --backend takes it: "hip" */
    const char *summary;  /* "AMD GPUs through ROCm HIP" */
    const char *version;  /* of isovmaf */
    const char *build_id; /* a digest of the plugin's kernels and sources */

    /* 1: copies of each open device may read buffers of memory for uploads that another device of the plugin created. */
    uint32_t shares_uploads;

    /* Finds the runtime and counts devices, without opening any. The message of UNAVAILABLE says what is missing. */
    enum isovmaf_status (*probe)(struct isovmaf_runtime_info *info, struct isovmaf_message *message);
    enum isovmaf_status (*describe)(uint32_t index, struct isovmaf_device_info *info, struct isovmaf_message *message);

    /* UNSUPPORTED when the plugin holds no kernels for the device's architecture. */
    enum isovmaf_status (*device_open)(uint32_t index, struct isovmaf_device **device, struct isovmaf_message *message);
    void (*device_close)(struct isovmaf_device *device);

    void (*memory_statistics)(struct isovmaf_device *device, struct isovmaf_memory_statistics *statistics);
    void (*memory_trim)(struct isovmaf_device *device); /* returns cached memory to the runtime */

    /* Contents are unspecified. Addresses are multiples of ISOVMAF_RANGE_ALIGNMENT. */
    enum isovmaf_status (*buffer_create)(struct isovmaf_device *device, enum isovmaf_memory memory, uint64_t bytes,
                                         struct isovmaf_buffer **buffer, struct isovmaf_message *message);
    /* Makes a buffer of device memory that the caller owns. `address` is an address of the plugin's runtime, or lies in
     * a buffer of an open device with the same index, which has to outlive the new buffer. INVALID when the plugin can
     * tell that there is no such memory. Optional. */
    enum isovmaf_status (*buffer_import)(struct isovmaf_device *device, uint64_t address, uint64_t bytes,
                                         struct isovmaf_buffer **buffer, struct isovmaf_message *message);
    /* Makes a buffer of external memory, which the device can reach while the buffer lives. The buffer has an address,
     * and buffer_import takes addresses inside it. UNSUPPORTED: the device imports no memory of this kind. INVALID: the
     * descriptor is not of that kind, not of this device, or not of that size. Optional; a plugin that has it has
     * buffer_import too. */
    enum isovmaf_status (*memory_import)(struct isovmaf_device *device, const struct isovmaf_external_memory *external,
                                         struct isovmaf_buffer **buffer, struct isovmaf_message *message);
    void *(*buffer_map)(struct isovmaf_buffer *buffer);        /* host address while it lives; NULL for device memory */
    uint64_t (*buffer_address)(struct isovmaf_buffer *buffer); /* device address; 0 when it has none */
    void (*buffer_destroy)(struct isovmaf_buffer *buffer);

    /* UNSUPPORTED when there is no kernel of that name. The kernel lives as long as the device. */
    enum isovmaf_status (*kernel_find)(struct isovmaf_device *device, const char *name, struct isovmaf_kernel **kernel,
                                       struct isovmaf_message *message);

    /* A sequence of work that is recorded once and submitted any number of times, one submission at a time: each
     * command sees the effects of those before it. `timed` sequences measure the time between their marks. */
    enum isovmaf_status (*commands_create)(struct isovmaf_device *device, uint32_t timed,
                                           struct isovmaf_commands **commands, struct isovmaf_message *message);
    enum isovmaf_status (*command_fill)(struct isovmaf_commands *commands, struct isovmaf_range range, uint64_t bytes,
                                        uint32_t word, struct isovmaf_message *message); /* multiples of 4 */
    enum isovmaf_status (*command_copy)(struct isovmaf_commands *commands, const struct isovmaf_copy *copy,
                                        struct isovmaf_message *message);
    enum isovmaf_status (*command_dispatch)(struct isovmaf_commands *commands, const struct isovmaf_dispatch *dispatch,
                                            struct isovmaf_message *message);
    enum isovmaf_status (*command_mark)(struct isovmaf_commands *commands, struct isovmaf_message *message);
    /* Ends the recording. The buffers of its commands have to outlive it. */
    enum isovmaf_status (*commands_finish)(struct isovmaf_commands *commands, struct isovmaf_message *message);
    /* From now on the dispatches of a finished sequence read the memory that `moves` say. No submission of the sequence
     * is in flight. Ranges that no move names use the memory that they were recorded with: what an earlier call said
     * does not count any more. Fills and copies are not moved. Buffers have to outlive the submissions that read them.
     * Optional. */
    enum isovmaf_status (*commands_move)(struct isovmaf_commands *commands, const struct isovmaf_move *moves,
                                         uint32_t count, struct isovmaf_message *message);
    /* Milliseconds between successive marks of the last submission, which has ended: `count` is one less than marks. */
    enum isovmaf_status (*commands_times)(struct isovmaf_commands *commands, double *milliseconds, uint32_t count,
                                          struct isovmaf_message *message);
    void (*commands_destroy)(struct isovmaf_commands *commands);

    /* A queue executes submissions in order. `native` is a stream of the runtime that the queue uses; with NULL the
     * plugin creates one. */
    enum isovmaf_status (*queue_create)(struct isovmaf_device *device, void *native, struct isovmaf_queue **queue,
                                        struct isovmaf_message *message);
    void (*queue_destroy)(struct isovmaf_queue *queue);
    /* UNSUPPORTED when the runtime's handles are of no use to other libraries. Optional. */
    enum isovmaf_status (*queue_native)(struct isovmaf_queue *queue, struct isovmaf_native_queue *native,
                                        struct isovmaf_message *message);
    /* The work starts after all earlier submissions to this queue, and after the tickets in `waits`. Does not block. */
    enum isovmaf_status (*queue_submit)(struct isovmaf_queue *queue, struct isovmaf_commands *commands,
                                        const struct isovmaf_ticket *waits, uint32_t wait_count, uint64_t *ticket,
                                        struct isovmaf_message *message);
    /* Blocks until a ticket of this queue is done, or returns NOT_READY after `timeout_ns` (UINT64_MAX: no limit). */
    enum isovmaf_status (*queue_wait)(struct isovmaf_queue *queue, uint64_t ticket, uint64_t timeout_ns,
                                      struct isovmaf_message *message);
};

/* layout ends */

#define ISOVMAF_BACKEND_MAGIC UINT32_C(0x464D5649) /* "IVMF" */
#define ISOVMAF_BACKEND_SYMBOL "isovmaf_backend_entry"

/* The names of kernels with taps end in this, and so do the names of the files that hold these kernels and no others.
 * Kernels with taps are asked for only when a mismatch is examined, and a plugin may load them only then. */
#define ISOVMAF_TAPS_SUFFIX "_taps"

/* The names of kernels for devices that multiply matrices have this in them, and so do the names of the files that hold
 * these kernels and no others. Few devices have such kernels: a plugin is asked for one to find out, and should need no
 * other file for the answer. */
#define ISOVMAF_MATRIX_INFIX "_matrix"

#ifdef __cplusplus
}
#endif

#endif
