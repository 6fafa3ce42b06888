/* SPDX-License-Identifier: MIT
 * cuda.twopass: two launches, rows and columns, each of which reads and writes the image once;
 * between them lie tiles of folded half spectra in the caller's workspace. Powers of two from 16 to
 * 4096 on each axis.
 */
#include <limits.h>
#include <stdlib.h>

#include "cols.cuh"
#include "device.h"
#include "launch.cuh"
#include "multiply.cuh"
#include "rows.cuh"
#include "tables.cuh"

namespace {

struct state {
    problem p;
    int log2_height, log2_width;
    int launches_dependents;             /* whether the second kernel may start early */
    cpx *row_twiddles, *column_twiddles; /* on the device */
};

/* ---- the kernels of each length, as a table -------------------------------------------------- */

struct rows_kernels {
    void (*forward)(rows_job), (*inverse)(rows_job);
    launch_shape (*shape)(unsigned all_pairs);
};

struct cols_kernels {
    void (*forward)(cols_job), (*inverse)(cols_job);
    launch_shape (*shape)(unsigned all_tiles);
};

#define ROWS(log2)                                                                                 \
    { rows_forward<log2>, rows_inverse<log2>, rows_launch_shape<log2> }
#define COLS(log2)                                                                                 \
    { cols_forward<log2>, cols_inverse<log2>, cols_launch_shape<log2> }

const rows_kernels rows_table[] = {ROWS(4), ROWS(5),  ROWS(6),  ROWS(7), ROWS(8),
                                   ROWS(9), ROWS(10), ROWS(11), ROWS(12)};
const cols_kernels cols_table[] = {COLS(4), COLS(5),  COLS(6),  COLS(7), COLS(8),
                                   COLS(9), COLS(10), COLS(11), COLS(12)};

const rows_kernels &rows_of(const state *s) {
    return rows_table[s->log2_width - TWOPASS_LEAST_LOG2];
}

const cols_kernels &cols_of(const state *s) {
    return cols_table[s->log2_height - TWOPASS_LEAST_LOG2];
}

/* log2 of a length that the table has, else -1. */
int table_log2(size_t length) {
    for (int log2 = TWOPASS_LEAST_LOG2; log2 <= TWOPASS_MOST_LOG2; log2++) {
        if (length == (size_t)1 << log2) {
            return log2;
        }
    }
    return -1;
}

/* ---- jobs ------------------------------------------------------------------------------------ */

size_t all_pairs(const problem &p) {
    return p.batch * (p.height / 2);
}

size_t tiles_per_image(const state *s) {
    return folded_columns(s->p.width) >> tuning_of(s->log2_height).log2_tile;
}

tiles tiles_of(const state *s, void *work) {
    tiles t;
    t.work = (cpx *)work;
    t.image_values = s->p.height * folded_columns(s->p.width);
    t.height = (unsigned)s->p.height;
    t.log2_tile = tuning_of(s->log2_height).log2_tile;
    return t;
}

rows_job rows_job_of(const state *s, void *image, void *work) {
    rows_job j;
    j.image = (real *)image;
    j.image_pitch = s->p.image_pitch;
    j.image_stride = s->p.image_stride;
    j.mid = tiles_of(s, work);
    j.twiddles = s->row_twiddles;
    j.pairs = (unsigned)(s->p.height / 2);
    j.all_pairs = (unsigned)all_pairs(s->p);
    j.scale = (real)s->p.inverse_scale;
    return j;
}

cols_job cols_job_of(const state *s, void *spectrum, void *work) {
    cols_job j;
    j.spectrum = view_of(&s->p, spectrum, 0);
    j.spectrum_reals = spectrum_reals(&s->p);
    j.mid = tiles_of(s, work);
    j.twiddles = s->column_twiddles;
    j.tile_count = (unsigned)tiles_per_image(s);
    j.scale = untangled_scale((real)s->p.forward_scale);
    return j;
}

launch_shape rows_launch(const state *s) {
    return rows_of(s).shape((unsigned)all_pairs(s->p));
}

launch_shape cols_launch(const state *s) {
    return cols_of(s).shape((unsigned)(s->p.batch * tiles_per_image(s)));
}

/* Programmatic dependent launch: the second kernel takes its place while the first one ends. */
launch_shape as_second(const state *s, launch_shape shape) {
    shape.may_start_early = s->launches_dependents;
    return shape;
}

/* ---- execute --------------------------------------------------------------------------------- */

weft_status forward(const void *any_state, const void *image, void *spectrum, void *work,
                    struct CUstream_st *stream) {
    const state *s = (const state *)any_state;
    return on_device(s->p.device, [&]() {
        weft_status status =
            launch(rows_of(s).forward, rows_launch(s), stream, rows_job_of(s, (void *)image, work));
        return status != WEFT_OK ? status
                                 : launch(cols_of(s).forward, as_second(s, cols_launch(s)), stream,
                                          cols_job_of(s, spectrum, work));
    });
}

weft_status inverse(const void *any_state, const void *spectrum, void *image, void *work,
                    struct CUstream_st *stream) {
    const state *s = (const state *)any_state;
    return on_device(s->p.device, [&]() {
        weft_status status = launch(cols_of(s).inverse, cols_launch(s), stream,
                                    cols_job_of(s, (void *)spectrum, work));
        return status != WEFT_OK ? status
                                 : launch(rows_of(s).inverse, as_second(s, rows_launch(s)), stream,
                                          rows_job_of(s, image, work));
    });
}

weft_status multiply(const void *any_state, void *spectrum, const void *transfer,
                     weft_transfer kind, struct CUstream_st *stream) {
    const state *s = (const state *)any_state;
    return on_device(s->p.device,
                     [&]() { return launch_multiply(&s->p, spectrum, transfer, kind, stream); });
}

/* ---- create and destroy ---------------------------------------------------------------------- */

weft_status supports(const problem *p) {
    weft_status status = device_usable(p->device);
    if (status != WEFT_OK) {
        return status;
    }
    if (table_log2(p->height) < 0 || table_log2(p->width) < 0) {
        return weft_fail(
            WEFT_UNSUPPORTED,
            "cuda.twopass: %zux%zu: height and width must be powers of two from %d to %d",
            p->height, p->width, 1 << TWOPASS_LEAST_LOG2, 1 << TWOPASS_MOST_LOG2);
    }
    if (p->pixel != WEFT_PIXEL_REAL) {
        return weft_fail(WEFT_UNSUPPORTED, "cuda.twopass: takes WEFT_PIXEL_REAL images only");
    }
    if (p->batch > INT_MAX / (p->height / 2) || p->batch > INT_MAX / (p->width / 2)) {
        return weft_fail(WEFT_UNSUPPORTED,
                         "cuda.twopass: batch %zu of %zux%zu: more than %d row or column pairs",
                         p->batch, p->height, p->width, INT_MAX);
    }
    return on_device(p->device, [&]() {
        state s = {};
        s.p = *p;
        s.log2_height = table_log2(p->height);
        s.log2_width = table_log2(p->width);
        weft_status here = device_has_kernel((const void *)rows_of(&s).forward);
        if (here == WEFT_OK) {
            here = device_has_shared_memory("cuda.twopass", rows_launch(&s).shared_bytes);
        }
        return here == WEFT_OK
                   ? device_has_shared_memory("cuda.twopass", cols_launch(&s).shared_bytes)
                   : here;
    });
}

void destroy(void *any_state) {
    state *s = (state *)any_state;
    if (s != NULL) {
        device_memory.release(s->p.device, s->column_twiddles);
        device_memory.release(s->p.device, s->row_twiddles);
        free(s);
    }
}

weft_status prepare(state *s) {
    weft_status status;
    size_t rows_bytes = rows_launch(s).shared_bytes, cols_bytes = cols_launch(s).shared_bytes;
    if ((status = prepare_multiply()) != WEFT_OK ||
        (status = device_launches_dependents(&s->launches_dependents)) != WEFT_OK ||
        (status = allow_shared_memory((const void *)rows_of(s).forward, rows_bytes)) != WEFT_OK ||
        (status = allow_shared_memory((const void *)rows_of(s).inverse, rows_bytes)) != WEFT_OK ||
        (status = allow_shared_memory((const void *)cols_of(s).forward, cols_bytes)) != WEFT_OK ||
        (status = allow_shared_memory((const void *)cols_of(s).inverse, cols_bytes)) != WEFT_OK ||
        (status = upload_twiddles(s->p.device, s->p.width, &s->row_twiddles)) != WEFT_OK) {
        return status;
    }
    return upload_twiddles(s->p.device, s->p.height, &s->column_twiddles);
}

weft_status create(const problem *p, void **made, size_t *workspace) {
    state *s = (state *)calloc(1, sizeof *s);
    if (s == NULL) {
        return weft_fail(WEFT_NO_MEMORY, "no memory for a plan");
    }
    s->p = *p;
    s->log2_height = table_log2(p->height);
    s->log2_width = table_log2(p->width);
    weft_status status = on_device(p->device, [&]() { return prepare(s); });
    if (status != WEFT_OK) {
        destroy(s);
        return status;
    }
    *workspace = p->batch * p->height * folded_columns(p->width) * sizeof(cpx);
    *made = s;
    return WEFT_OK;
}

} // namespace

extern "C" const strategy REAL_NAME(cuda_twopass);
const strategy REAL_NAME(cuda_twopass) = {
    "cuda.twopass",
    "two launches, rows and columns, each reads and writes the image once; powers of two 16..4096",
    nullptr,
    &device_memory,
    supports,
    create,
    destroy,
    forward,
    inverse,
    multiply,
    0,
};
