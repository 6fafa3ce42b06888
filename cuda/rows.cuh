/* SPDX-License-Identifier: MIT
 * The row pass of cuda.twopass: rows of slots into whole rows of the spectrum, and its inverse. The
 * complex row of slot k gives the rows k and H - k of the spectrum, slot 0 rows 0 and H/2.
 */
#ifndef WEFT_CUDA_ROWS_CUH
#define WEFT_CUDA_ROWS_CUH

#include "layout.h"
#include "line.cuh"
#include "mid.cuh"
#include "tuning.cuh"

/* Each precision has its own: the same names, compiled twice, must not be taken for one another. */
namespace {

struct rows_job {
    spectrum_view spectrum; /* of the first image; written by the forward, read by the inverse */
    size_t spectrum_reals;  /* from image to image */
    mid_view mid;
    const cpx *twiddles; /* of a row */
    unsigned slots;      /* in one image: H/2 */
    unsigned all_slots;  /* in all images */
    real scale;
};

/* Padded so that the strided reads of a stage fall into different banks. */
template <int LOG2W> struct row_exchange {
    cpx *line;
    static __device__ __forceinline__ unsigned padded(unsigned i) {
        return i + (i >> tuning_of(LOG2W).log2_pad);
    }
    __device__ __forceinline__ cpx *at(unsigned base, unsigned offset) const {
        return line + padded(base) + padded(offset);
    }
};

template <int LOG2W> struct rows_shape {
    static constexpr unsigned slots = 1u << tuning_of(LOG2W).log2_slots;
    static constexpr unsigned threads = slots * line_of<LOG2W>::threads;
    static constexpr unsigned resident = ROWS_RESIDENT_THREADS / threads;
    static constexpr unsigned padded =
        line_of<LOG2W>::length + (line_of<LOG2W>::length >> tuning_of(LOG2W).log2_pad);
};

/* Where a thread works. Threads past the last slot take part in barriers but touch no memory. */
template <int LOG2W> struct row_place {
    unsigned t, line, slot;
    size_t image;
    bool is_valid;
    __device__ __forceinline__ row_place(const rows_job &j) {
        t = threadIdx.x % line_of<LOG2W>::threads;
        line = threadIdx.x / line_of<LOG2W>::threads;
        unsigned index = blockIdx.x * rows_shape<LOG2W>::slots + line;
        is_valid = index < j.all_slots;
        image = index / j.slots;
        slot = index % j.slots;
    }
    __device__ __forceinline__ spectrum_view spectrum(const rows_job &j) const {
        spectrum_view s = j.spectrum;
        s.values += image * j.spectrum_reals;
        return s;
    }
    /* The rows of the slot's real and imaginary parts. */
    __device__ __forceinline__ real *real_row(const rows_job &j) const {
        return j.mid.values + image * j.mid.stride + slot * j.mid.pitch;
    }
    __device__ __forceinline__ real *imaginary_row(const rows_job &j) const {
        return real_row(j) + (slot == 0 ? j.slots : 2 * (j.slots - slot)) * j.mid.pitch;
    }
};

template <int LOG2W>
__device__ __forceinline__ row_exchange<LOG2W> row_exchange_of(cpx *shared, unsigned line) {
    row_exchange<LOG2W> exchange;
    exchange.line = shared + line * rows_shape<LOG2W>::padded;
    return exchange;
}

/* The rows k and H - k, 0 < k, of what thread t holds. In which half of a row a value lies, the
 * compiler knows; the layout is a constant. */
template <int LOG2W, int IS_HALF>
__device__ __forceinline__ void put_rows(spectrum_view s, unsigned k, const cpx *x, unsigned t,
                                         real scale) {
    constexpr unsigned W = line_of<LOG2W>::length;
    s.half = IS_HALF;
    s.width = W;
    real *upper = s.values + k * row_reals(s), *lower = s.values + (s.height - k) * row_reals(s);
    WEFT_UNROLL
    for (unsigned v = 0; v < LINE_POINTS; v++) {
        unsigned l = output_base<LOG2W>(t, v) + output_offset<LOG2W>(v);
        cpx value = cpx_scale(x[v], scale);
        if (v % 4 == 0 && v < 8 && t == 0) { /* columns 0 and W/2 */
            put_self_paired(s, k, l, value);
        } else if (v % 8 < 4) {
            put_parts(s, upper + real_place(s, l), upper + imaginary_place(s, l), value);
        } else {
            put_parts(s, lower + real_place(s, W - l), lower + imaginary_place(s, W - l),
                      cpx_conj(value));
        }
    }
}

/* Rows 0 and H/2, out of slot 0. */
template <int LOG2W>
__device__ __forceinline__ void put_both_rows(spectrum_view s, const cpx *x, unsigned t,
                                              real scale) {
    constexpr unsigned W = line_of<LOG2W>::length;
    mirrored_pairs<LOG2W>(
        x, t,
        [&](unsigned k, bool is_second, cpx z, cpx mirrored) {
            put_folded_rows(s, (is_second ? opposite<LOG2W>(t) : t) + k * (W / 8), z, mirrored,
                            scale);
        },
        [&](cpx z_0, cpx z_middle) {
            put_folded_rows(s, 0, z_0, z_0, scale);
            put_folded_rows(s, W / 2, z_middle, z_middle, scale);
        });
}

/* in      mid: the packed spectra of columns
 * out     spectrum in either layout, times scale; may be the memory of mid
 * grid    2^log2_slots slots a block, W/16 threads a slot
 * shared  W complex values a slot and the padding, which keeps most accesses free of bank conflicts
 * DRAM    reads mid once, writes the spectrum once
 * sync    2 (stages - 1) - 1 of the block; no value is written before all of the slot are read */
template <int LOG2W>
__global__ void __launch_bounds__(rows_shape<LOG2W>::threads, rows_shape<LOG2W>::resident)
    rows_forward(rows_job j) {
    WEFT_SHARED(cpx, shared);
    row_place<LOG2W> place(j);
    cpx x[LINE_POINTS];
    const real *re = place.real_row(j), *im = place.imaginary_row(j);
    wait_for_previous(); /* mid is complete */
    WEFT_UNROLL
    for (unsigned v = 0; v < LINE_POINTS; v++) {
        unsigned n = input_index<LOG2W>(place.t, v);
        x[v] = place.is_valid ? cpx_of(re[n], im[n]) : cpx_of(0, 0);
    }
    line_dft<LOG2W>(x, place.t, row_exchange_of<LOG2W>(shared, place.line), j.twiddles);
    if (!place.is_valid) {
        return;
    }
    spectrum_view spectrum = place.spectrum(j);
    if (place.slot == 0) {
        put_both_rows<LOG2W>(spectrum, x, place.t, j.scale);
    } else if (spectrum.half) {
        put_rows<LOG2W, 1>(spectrum, place.slot, x, place.t, j.scale);
    } else {
        put_rows<LOG2W, 0>(spectrum, place.slot, x, place.t, j.scale);
    }
}

/* X[k][l] for the l that thread t begins with, 0 < k, swapped for the inverse: of the second half
 * of the columns it is in row H - k. In which half a value lies, the compiler knows. */
template <int LOG2W, int IS_HALF>
__device__ __forceinline__ void get_rows(cpx *x, spectrum_view s, unsigned k, unsigned t) {
    constexpr unsigned W = line_of<LOG2W>::length, radix = stage_of<LOG2W, 0>::radix;
    s.half = IS_HALF;
    s.width = W;
    const real *upper = s.values + k * row_reals(s);
    const real *lower = s.values + (s.height - k) * row_reals(s);
    WEFT_UNROLL
    for (unsigned v = 0; v < LINE_POINTS; v++) {
        unsigned l = input_index<LOG2W>(t, v);
        if ((v == 0 || v == radix / 2) && t == 0) { /* columns 0 and W/2 */
            x[v] = get_self_paired(s, k, l);
        } else if (v % radix < radix / 2) {
            x[v] = get_parts(s, upper + real_place(s, l), upper + imaginary_place(s, l));
        } else {
            x[v] = cpx_conj(
                get_parts(s, lower + real_place(s, W - l), lower + imaginary_place(s, W - l)));
        }
        x[v] = cpx_swap(x[v]);
    }
}

template <int LOG2W>
__device__ __forceinline__ void get_both_rows(cpx *x, spectrum_view s, unsigned t) {
    WEFT_UNROLL
    for (unsigned v = 0; v < LINE_POINTS; v++) {
        x[v] = cpx_swap(get_folded_rows(s, input_index<LOG2W>(t, v)));
    }
}

/* in      spectrum in either layout
 * out     mid: the packed spectra of columns; may be the memory of the spectrum
 * grid, shared, sync as rows_forward
 * DRAM    reads the spectrum once, writes mid once */
template <int LOG2W>
__global__ void __launch_bounds__(rows_shape<LOG2W>::threads, rows_shape<LOG2W>::resident)
    rows_inverse(rows_job j) {
    WEFT_SHARED(cpx, shared);
    row_place<LOG2W> place(j);
    spectrum_view spectrum = place.spectrum(j);
    cpx x[LINE_POINTS];
    let_next_start(); /* the columns may take their places */
    if (!place.is_valid) {
        WEFT_UNROLL
        for (unsigned v = 0; v < LINE_POINTS; v++) {
            x[v] = cpx_of(0, 0);
        }
    } else if (place.slot == 0) {
        get_both_rows<LOG2W>(x, spectrum, place.t);
    } else if (spectrum.half) {
        get_rows<LOG2W, 1>(x, spectrum, place.slot, place.t);
    } else {
        get_rows<LOG2W, 0>(x, spectrum, place.slot, place.t);
    }
    line_dft<LOG2W>(x, place.t, row_exchange_of<LOG2W>(shared, place.line), j.twiddles);
    if (!place.is_valid) {
        return;
    }
    real *re = place.real_row(j), *im = place.imaginary_row(j);
    WEFT_UNROLL
    for (unsigned v = 0; v < LINE_POINTS; v++) {
        unsigned n = output_index<LOG2W>(place.t, v);
        cpx value = cpx_swap(x[v]);
        re[n] = value.re;
        im[n] = value.im;
    }
}

template <int LOG2W> inline launch_shape rows_launch_shape(unsigned all_slots) {
    typedef rows_shape<LOG2W> rows;
    launch_shape shape = {};
    shape.blocks = (all_slots + rows::slots - 1) / rows::slots;
    shape.threads = rows::threads;
    shape.shared_bytes = rows::slots * rows::padded * sizeof(cpx);
    return shape;
}

} // namespace

#endif
