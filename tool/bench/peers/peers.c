/* SPDX-License-Identifier: MIT
 * The table of peers that this build has, copies first, and what several peers need.
 */
#include "bench/peers/peers.h"

#include <limits.h>

#include "problem.h"

extern const strategy peer_copy_host;
#if WEFT_WITH_CUDA
extern const strategy peer_copy_device;
#endif
#if WEFT_PEER_CUFFT
extern const strategy peer_cufft_f32, peer_cufft_f64;
#endif
#if WEFT_PEER_FFTW
extern const strategy peer_fftw_f32, peer_fftw_f64;
#endif

const peer peer_table[] = {
#if WEFT_WITH_CUDA
    {.row = {{&peer_copy_device, &peer_copy_device}}, .is_copy = 1},
#endif
    {.row = {{&peer_copy_host, &peer_copy_host}}, .is_copy = 1},
#if WEFT_PEER_CUFFT
    {.row = {{&peer_cufft_f32, &peer_cufft_f64}}, .half_only = 1, .inverse_spoils = 1},
#endif
#if WEFT_PEER_FFTW
    {.row = {{&peer_fftw_f32, &peer_fftw_f64}}, .half_only = 1, .inverse_spoils = 1},
#endif
};
const int peer_count = sizeof peer_table / sizeof *peer_table;

weft_status peer_no_multiply(const void *state, void *spectrum, const void *transfer,
                             weft_transfer kind, struct CUstream_st *stream) {
    (void)state, (void)spectrum, (void)transfer, (void)kind, (void)stream;
    return weft_fail(WEFT_UNSUPPORTED, "a copy has no filter");
}

int peer_is_tight(const problem *p) {
    return p->spectrum_pitch == spectrum_columns(p) &&
           p->spectrum_stride == p->height * p->spectrum_pitch;
}

weft_status peer_copy_shape(const problem *p) {
    return p->layout == WEFT_PACKED && p->pixel == WEFT_PIXEL_REAL
               ? WEFT_OK
               : weft_fail(WEFT_UNSUPPORTED, "copy: image and spectrum must be of one size");
}

weft_status peer_half_only(const char *name, const problem *p) {
    if (p->pixel != WEFT_PIXEL_REAL) {
        return weft_fail(WEFT_UNSUPPORTED, "%s: takes real pixels only", name);
    }
    if (p->layout != WEFT_HALF) {
        return weft_fail(WEFT_UNSUPPORTED, "%s: writes half spectra only", name);
    }
    if (p->forward_scale != 1 || p->inverse_scale != 1) {
        return weft_fail(WEFT_UNSUPPORTED, "%s: does not scale", name);
    }
    if (p->image_stride > INT_MAX || p->spectrum_stride > INT_MAX || p->batch > INT_MAX) {
        return weft_fail(WEFT_UNSUPPORTED, "%s: %zux%zu (batch %zu) does not fit its int sizes",
                         name, p->height, p->width, p->batch);
    }
    return WEFT_OK;
}
