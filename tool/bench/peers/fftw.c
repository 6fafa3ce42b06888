/* SPDX-License-Identifier: MIT
 * The peer cpu.fftw: FFTW's r2c and c2r, planned with MEASURE, one thread or as many as asked.
 * Compiled once per precision (WEFT_REAL_BITS). FFTW's planner scribbles over its arrays, so it
 * gets its own.
 */
#include <fftw3.h>
#include <omp.h>
#include <stdlib.h>

#include "bench/peers/peers.h"
#include "problem.h"

#if WEFT_REAL_BITS == 32
typedef float real;
typedef fftwf_complex pair;
#define FFTW(name) fftwf_##name
#define PEER_FFTW peer_fftw_f32
#else
typedef double real;
typedef fftw_complex pair;
#define FFTW(name) fftw_##name
#define PEER_FFTW peer_fftw_f64
#endif

typedef struct fftw_state {
    FFTW(plan) forward, inverse;
    size_t bins, batch; /* bins: of one spectrum; 0 if spectra have gaps */
    int threads;
} fftw_state;

static weft_status supports(const problem *p) {
    return peer_half_only("cpu.fftw", p);
}

static void destroy(void *state) {
    fftw_state *s = state;
    if (s != NULL) {
        FFTW(destroy_plan)(s->forward);
        FFTW(destroy_plan)(s->inverse);
        free(s);
    }
}

static void make_plans(fftw_state *s, const problem *p, real *image, pair *spectrum) {
    const int size[2] = {(int)p->height, (int)p->width};
    const int image_rows[2] = {size[0], (int)p->image_pitch};
    const int spectrum_rows[2] = {size[0], (int)p->spectrum_pitch};
    const int batch = (int)p->batch;

    s->forward =
        FFTW(plan_many_dft_r2c)(2, size, batch, image, image_rows, 1, (int)p->image_stride,
                                spectrum, spectrum_rows, 1, (int)p->spectrum_stride, FFTW_MEASURE);
    s->inverse =
        FFTW(plan_many_dft_c2r)(2, size, batch, spectrum, spectrum_rows, 1, (int)p->spectrum_stride,
                                image, image_rows, 1, (int)p->image_stride, FFTW_MEASURE);
}

static weft_status create(const problem *p, void **state, size_t *workspace) {
    fftw_state *made = calloc(1, sizeof *made);
    real *image = FFTW(malloc)(image_batch_bytes(p));
    pair *spectrum = FFTW(malloc)(spectrum_batch_bytes(p));

    if (made != NULL && image != NULL && spectrum != NULL && FFTW(init_threads)()) {
        made->threads = p->threads ? p->threads : omp_get_max_threads();
        made->batch = p->batch;
        made->bins = peer_is_tight(p) ? p->spectrum_stride : 0;
        FFTW(plan_with_nthreads)(made->threads);
        make_plans(made, p, image, spectrum);
    }
    FFTW(free)(image);
    FFTW(free)(spectrum);
    if (made == NULL || made->forward == NULL || made->inverse == NULL) {
        destroy(made);
        return weft_fail(WEFT_NO_MEMORY, "cpu.fftw: no memory to plan %zux%zu", p->height,
                         p->width);
    }
    *state = made;
    *workspace = 0;
    return WEFT_OK;
}

/* The plans hold for arrays aligned as FFTW's own. */
static weft_status check_alignment(const void *memory) {
    return FFTW(alignment_of)((real *)(size_t)memory) == 0
               ? WEFT_OK
               : weft_fail(WEFT_BAD_ARGUMENT, "cpu.fftw: %p is not aligned for SIMD", memory);
}

static weft_status forward(const void *state, const void *image, void *spectrum, void *work,
                           struct CUstream_st *stream) {
    const fftw_state *s = state;
    weft_status status;
    (void)work, (void)stream;
    if ((status = check_alignment(image)) != WEFT_OK ||
        (status = check_alignment(spectrum)) != WEFT_OK) {
        return status;
    }
    FFTW(execute_dft_r2c)(s->forward, (real *)(size_t)image, spectrum);
    return WEFT_OK;
}

static weft_status inverse(const void *state, const void *spectrum, void *image, void *work,
                           struct CUstream_st *stream) {
    const fftw_state *s = state;
    weft_status status;
    (void)work, (void)stream;
    if ((status = check_alignment(spectrum)) != WEFT_OK ||
        (status = check_alignment(image)) != WEFT_OK) {
        return status;
    }
    FFTW(execute_dft_c2r)(s->inverse, (pair *)(size_t)spectrum, image);
    return WEFT_OK;
}

/* values[0..1] times by[0..1], or by[0] if that is a gain, for all bins. */
static void multiply_all(const fftw_state *s, real *values, const real *by, int is_gain) {
    for (size_t b = 0; b < s->batch; b++, values += 2 * s->bins) {
#pragma omp parallel for simd num_threads(s->threads)
        for (size_t i = 0; i < s->bins; i++) {
            const real re = values[2 * i], im = values[2 * i + 1];
            const real by_re = is_gain ? by[i] : by[2 * i], by_im = is_gain ? 0 : by[2 * i + 1];
            values[2 * i] = re * by_re - im * by_im;
            values[2 * i + 1] = re * by_im + im * by_re;
        }
    }
}

static weft_status multiply(const void *state, void *spectrum, const void *transfer,
                            weft_transfer kind, struct CUstream_st *stream) {
    const fftw_state *s = state;
    (void)stream;
    if (s->bins == 0) {
        return weft_fail(WEFT_UNSUPPORTED, "cpu.fftw: filters spectra without gaps");
    }
    multiply_all(s, spectrum, transfer, kind == WEFT_TRANSFER_GAIN);
    return WEFT_OK;
}

const strategy PEER_FFTW = {
    .name = "cpu.fftw",
    .about = "FFTW's r2c and c2r, planned with FFTW_MEASURE; to filter, a loop between them",
    .space = &host_memory,
    .supports = supports,
    .create = create,
    .destroy = destroy,
    .forward = forward,
    .inverse = inverse,
    .multiply = multiply,
    .flags = USES_THREADS,
};
