/* SPDX-License-Identifier: BSD-2-Clause-Patent */
/* The contract between isovmaf and a backend plugin: all that crosses the border, in C11 and without dependencies.
 *
 * A plugin is a device, not a feature: it knows memory, kernels by name, queues, copies and clocks. It exports one
 * symbol, ISOVMAF_BACKEND_SYMBOL, a constant `struct isovmaf_backend`, and nothing else.
 *
 * Ownership  Whoever creates destroys, through the same table. `*_destroy(NULL)` does nothing. Objects go before the
 *            device they were created on; a queue is destroyed only when its work has ended.
 * Errors     A status, and one sentence in the caller's isovmaf_message: what was attempted, on what, what came back.
 *            Outputs are untouched on failure. ISOVMAF_DEVICE_LOST is sticky: from then on everything on that device
 *            but destroy and close returns it. No exception, no errno, no output of its own crosses the border.
 * Threads    Devices are independent of each other, also two that were opened with the same index. On one device,
 *            functions may be called from several threads at once, but an object (buffer, commands, queue) is used by
 *            one thread at a time; `queue_wait` alone may run while another thread submits to the same queue.
 * Numbers    Offsets, sizes and strides are bytes. Device code adds, shifts and divides as C does on two's complement
 *            integers and IEEE 754 floats, without contracting a product and a sum.
 * Change     The fields down to `layout` never change place or meaning. Everything else may: `layout` is a
 *            fingerprint of the declarations below that the build computes, and the core refuses a plugin with another.
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
    ISOVMAF_NOT_READY = 1,     /* queue_wait: the time was up */
    ISOVMAF_UNSUPPORTED = 2,   /* this plugin or device does not have it */
    ISOVMAF_UNAVAILABLE = 3,   /* no runtime, no driver or no device */
    ISOVMAF_OUT_OF_MEMORY = 4, /* of the device, or of pinned host memory */
    ISOVMAF_DEVICE_LOST = 5,   /* the device stopped answering */
    ISOVMAF_INVALID = 6,       /* the call itself is wrong */
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
    char runtime[128];        /* file or name of the runtime library */
    char runtime_version[64]; /* "6.2.41133" */
    char driver_version[64];
    uint32_t device_count;
};

struct isovmaf_device_info {
    char name[256];        /* marketing name */
    char arch[64];         /* what kernels are compiled for: "gfx942:sramecc+:xnack-", "sm_90" */
    char pci_id[32];       /* "0000:c1:00.0", empty when it has none */
    uint64_t memory_bytes; /* of the device, in total */
    uint64_t memory_free_bytes;
    uint32_t compute_units;
    uint32_t wave_width; /* lanes that execute together */
    uint32_t replays;    /* 1: recorded commands are replayed as one; 0: launched one by one */
    uint32_t cpu;        /* 1: the device is a CPU; never chosen unless its backend is asked for by name */
    char details[256];   /* one line of what the runtime says of it: driver, versions, what it lacks */
};

/* Device memory that this open device allocated. `reserved` counts what is cached for reuse too. */
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
    ISOVMAF_MEMORY_SHARED = 3    /* mapped, and kernels reach it too; slow; optional */
};

enum isovmaf_external {
    ISOVMAF_EXTERNAL_OPAQUE_FD = 0, /* exported by the same driver for the same device, as Vulkan, CUDA and HIP do */
    ISOVMAF_EXTERNAL_DMABUF = 1     /* a Linux dma-buf */
};

/* Memory that something else in this machine allocated and exported as a file descriptor. Its bytes are linear: what is
 * tiled or compressed cannot be imported. Kernels and copies see what was written before they were submitted, provided
 * that the writer's work had ended for the host too: nobody waits for another API's work here. */
struct isovmaf_external_memory {
    uint32_t kind;        /* isovmaf_external */
    int32_t fd;           /* stays the caller's, who may close it after the call */
    uint64_t bytes;       /* of the whole allocation, as its exporter made it */
    uint32_t memory_type; /* of an opaque fd: the exporter's number for it, where its API counts kinds of memory */
    uint32_t dedicated;   /* 1: the exporter allocated it for one buffer alone */
};

/* Part of a buffer. */
struct isovmaf_range {
    struct isovmaf_buffer *buffer;
    uint64_t offset;
};

/* `rows` rows of `row_bytes` bytes. Ranges do not overlap. At most one side is host memory. */
struct isovmaf_copy {
    struct isovmaf_range from, to;
    uint64_t from_stride, to_stride; /* from row to row; no meaning when rows is 1 */
    uint64_t row_bytes, rows;
};

/* One launch of a kernel: `groups` blocks of `group_size` threads each. The kernel's parameters are the addresses of
 * `ranges`, in order, whose offsets are multiples of ISOVMAF_RANGE_ALIGNMENT, and then one structure of `params_bytes`
 * bytes (a multiple of 4; none when 0) without pointers. What `params` points to is copied before the call returns. */
struct isovmaf_dispatch {
    struct isovmaf_kernel *kernel;
    uint32_t groups[3];
    uint32_t group_size[3];
    const struct isovmaf_range *ranges;
    uint32_t range_count;
    uint32_t params_bytes;
    const void *params;
};

/* A moment in a queue's work. */
struct isovmaf_ticket {
    struct isovmaf_queue *queue;
    uint64_t value; /* from submit */
};

#define ISOVMAF_RANGE_ALIGNMENT 256 /* of buffers, and of the offsets of what a dispatch is given */
#define ISOVMAF_MAX_RANGES 16
#define ISOVMAF_MAX_PARAMS_BYTES 512

struct isovmaf_backend {
    uint32_t magic;  /* ISOVMAF_BACKEND_MAGIC */
    uint32_t size;   /* sizeof(struct isovmaf_backend) */
    uint64_t layout; /* ISOVMAF_BACKEND_LAYOUT */

    const char *name;     /* what --backend says: "hip" */
    const char *summary;  /* "AMD GPUs through ROCm HIP" */
    const char *version;  /* of isovmaf */
    const char *build_id; /* which build of the plugin: a digest of its kernels and sources */

    /* Finds the runtime and counts devices, without claiming any. UNAVAILABLE says what is missing. */
    enum isovmaf_status (*probe)(struct isovmaf_runtime_info *info, struct isovmaf_message *message);
    enum isovmaf_status (*describe)(uint32_t index, struct isovmaf_device_info *info, struct isovmaf_message *message);

    /* UNSUPPORTED when the plugin holds no kernels for the device's architecture. */
    enum isovmaf_status (*device_open)(uint32_t index, struct isovmaf_device **device, struct isovmaf_message *message);
    void (*device_close)(struct isovmaf_device *device);

    void (*memory_statistics)(struct isovmaf_device *device, struct isovmaf_memory_statistics *statistics);
    void (*memory_trim)(struct isovmaf_device *device); /* gives cached memory back to the runtime */

    /* Contents are unspecified. Addresses are multiples of ISOVMAF_RANGE_ALIGNMENT. */
    enum isovmaf_status (*buffer_create)(struct isovmaf_device *device, enum isovmaf_memory memory, uint64_t bytes,
                                         struct isovmaf_buffer **buffer, struct isovmaf_message *message);
    /* Memory of the caller that already lies on the device, at an address of the plugin's runtime or inside a buffer
     * that an open device of the same index holds; that buffer has to outlive this one. INVALID where the plugin can
     * tell that there is no such memory. Optional. */
    enum isovmaf_status (*buffer_import)(struct isovmaf_device *device, uint64_t address, uint64_t bytes,
                                         struct isovmaf_buffer **buffer, struct isovmaf_message *message);
    /* A buffer over external memory, which is the device's while the buffer lives; it has an address, and buffer_import
     * takes addresses inside it. UNSUPPORTED: this kind of memory cannot be had here, whatever the descriptor. INVALID:
     * the descriptor is not of that kind, not of this device, or not of that size. Optional; not without buffer_import.
     */
    enum isovmaf_status (*memory_import)(struct isovmaf_device *device, const struct isovmaf_external_memory *external,
                                         struct isovmaf_buffer **buffer, struct isovmaf_message *message);
    void *(*buffer_map)(struct isovmaf_buffer *buffer);        /* host address while it lives; NULL for device memory */
    uint64_t (*buffer_address)(struct isovmaf_buffer *buffer); /* device address; 0 when it has none */
    void (*buffer_destroy)(struct isovmaf_buffer *buffer);

    /* UNSUPPORTED when there is no kernel of that name. Lives as long as the device. */
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
    /* Ends the recording. Buffers that it names have to outlive it. */
    enum isovmaf_status (*commands_finish)(struct isovmaf_commands *commands, struct isovmaf_message *message);
    /* Milliseconds between successive marks of the last submission, which has ended: `count` is one less than marks. */
    enum isovmaf_status (*commands_times)(struct isovmaf_commands *commands, double *milliseconds, uint32_t count,
                                          struct isovmaf_message *message);
    void (*commands_destroy)(struct isovmaf_commands *commands);

    /* A queue works in order. `native` is a stream of the runtime to borrow, or NULL for one of the plugin's own. */
    enum isovmaf_status (*queue_create)(struct isovmaf_device *device, void *native, struct isovmaf_queue **queue,
                                        struct isovmaf_message *message);
    void (*queue_destroy)(struct isovmaf_queue *queue);
    /* Starts after everything submitted to this queue before, and after the tickets in `waits`. Does not block. */
    enum isovmaf_status (*queue_submit)(struct isovmaf_queue *queue, struct isovmaf_commands *commands,
                                        const struct isovmaf_ticket *waits, uint32_t wait_count, uint64_t *ticket,
                                        struct isovmaf_message *message);
    /* Waits on the host until a ticket of this queue is done; NOT_READY after `timeout_ns` (UINT64_MAX: no limit). */
    enum isovmaf_status (*queue_wait)(struct isovmaf_queue *queue, uint64_t ticket, uint64_t timeout_ns,
                                      struct isovmaf_message *message);
};

/* layout ends */

#define ISOVMAF_BACKEND_MAGIC UINT32_C(0x464D5649) /* "IVMF" */
#define ISOVMAF_BACKEND_SYMBOL "isovmaf_backend_entry"

/* The names of kernels with taps end in this, and so do those of files that hold such kernels and no others. They are
 * asked for only when a mismatch is looked into, so a plugin may load them as late as that. */
#define ISOVMAF_TAPS_SUFFIX "_taps"

#ifdef __cplusplus
}
#endif

#endif
