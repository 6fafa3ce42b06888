/* SPDX-License-Identifier: MIT
 * What a strategy is: one struct per way of computing the transform, filled in by one file of
 * cpu_ref/ or cuda/ (each compiled once per precision) and listed in strategies.def. plan.c is the
 * only caller; it has checked every argument before a strategy sees it.
 */
#ifndef WEFT_STRATEGY_H
#define WEFT_STRATEGY_H

#include "status.h"
#include "weft.h"

enum { MOST_OPTIONS = 4 };

/* A weft_desc with every default filled in and every size checked for overflow. */
typedef struct problem {
    size_t height, width, batch;
    weft_precision precision;
    weft_pixel pixel;
    weft_layout layout;
    size_t image_pitch, image_stride;       /* in pixels */
    size_t spectrum_pitch, spectrum_stride; /* in reals (PACKED) or complex numbers (HALF) */
    double forward_scale, inverse_scale;    /* the norm's factors */
    int threads;                            /* 0 = as OpenMP is set */
    int device;                             /* CUDA ordinal */
    int choice[MOST_OPTIONS]; /* of each of strategy.options: which of its values, from 0 */
} problem;

/* Where a strategy's pointers live, and how the drivers get bytes there and back. All calls return
 * with the work done. `device` is the CUDA ordinal; the host ignores it. */
typedef struct memory_space {
    const char *name; /* "cpu" or "cuda", the prefix of its strategies' names */
    int is_device;
    weft_status (*allocate)(int device, size_t bytes,
                            void **memory);    /* aligned to 64 bytes at least */
    void (*release)(int device, void *memory); /* NULL is fine */
    weft_status (*copy_in)(int device, void *to, const void *from_host, size_t bytes);
    weft_status (*copy_out)(int device, void *to_host, const void *from, size_t bytes);
    weft_status (*wait)(int device); /* for all work enqueued on the default stream */
    /* WEFT_OK, or WEFT_BAD_ARGUMENT when `memory` cannot be used by a strategy of this space. */
    weft_status (*check_pointer)(int device, const char *what, const void *memory);
} memory_space;

extern const memory_space host_memory;

typedef struct strategy {
    const char *name;  /* "cpu.reference": the name in the API, in files, tables and tests */
    const char *about; /* one line */
    /* What may follow the name after colons, as "twiddle=lut|compute real=zero|tangle": the first
     * value of each is the default. NULL: nothing may. */
    const char *options;
    const memory_space *space; /* where image, spectrum and work live */

    /* WEFT_OK if this problem can run here; else weft_fail() with WEFT_UNSUPPORTED or
     * WEFT_NO_DEVICE and the reason, or WEFT_DEVICE_FAILED or WEFT_NO_MEMORY when the GPU could not
     * be asked. Takes nothing, changes nothing. */
    weft_status (*supports)(const problem *p);

    /* *state holds what execution needs; *workspace is the bytes of `work` that a call wants. */
    weft_status (*create)(const problem *p, void **state, size_t *workspace);
    void (*destroy)(void *state); /* NULL is fine */

    /* All images of the batch. image and spectrum may be equal (PACKED, REAL, equal pitches). */
    weft_status (*forward)(const void *state, const void *image, void *spectrum, void *work,
                           struct CUstream_st *stream);
    weft_status (*inverse)(const void *state, const void *spectrum, void *image, void *work,
                           struct CUstream_st *stream);

    /* spectrum[k][l] *= transfer[k][l] for all images of the batch, of which plan.c builds
     * weft_filter; NULL is fine where there is a filter. */
    weft_status (*multiply)(const void *state, void *spectrum, const void *transfer,
                            weft_transfer kind, struct CUstream_st *stream);

    /* weft_filter in one; NULL: composed of the three above. `work` is workspace bytes as there. */
    weft_status (*filter)(const void *state, const void *image, const void *transfer,
                          weft_transfer kind, void *out, void *work, struct CUstream_st *stream);

    /* What of this machine it will use, or what it misses, for `weft info`; NULL: nothing to say.
     */
    const char *(*here)(void);

    int threads_matter; /* 1 when problem.threads changes how it runs: the bench then times 1 and n
                         */
} strategy;

/* The list of strategies.def, for most problems fastest first; a row holds one strategy compiled
 * for each precision.
 */
typedef struct strategy_row {
    const strategy *for_precision[2]; /* indexed by weft_precision */
} strategy_row;

extern const strategy_row strategy_table[];
extern const int strategy_count;

#endif
