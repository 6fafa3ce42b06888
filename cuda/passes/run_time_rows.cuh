/* SPDX-License-Identifier: MIT
 * The row pass of any width, and the middle of a fused filter: a slot of the intermediate, rows k
 * and H - k, becomes one complex row, as of rows.cuh. Slot 0 has row 0 and, of an even height, row
 * H/2.
 */
#ifndef WEFT_CUDA_PASSES_RUN_TIME_ROWS_CUH
#define WEFT_CUDA_PASSES_RUN_TIME_ROWS_CUH

#include "means.h"
#include "multiply.h"
#include "passes/run_time_tiles.cuh"

/* Each precision has its own: the same names, compiled twice, must not be taken for one another. */
namespace {

/* What the row pass is for; a filter goes there and back. */
enum run_time_rows_purpose { ROWS_FORWARD, ROWS_INVERSE, ROWS_FILTER };

struct run_time_rows_job {
    int purpose;
    spectrum_view spectrum; /* of the first image; of a filter it has no values */
    size_t spectrum_reals;  /* from image to image */
    real_view intermediate;
    run_time_line line, back; /* back: of a filter, begins where the line there ends */
    run_time_memory memory;
    unsigned threads; /* of a slot */
    divider slots;    /* of an image */
    unsigned all_slots;
    scalar scale;
    const column_sum *sums; /* [batch][W] of integer pixels, else NULL */
    double dc_scale;
    transfer_view transfer; /* of a filter */
};

/* The slot of a thread. Threads of slots past the last one take part in everything but loads and
 * stores. */
struct slot_place {
    size_t image, slot;
    bool is_valid;
    __device__ __forceinline__ slot_place(const run_time_rows_job &j, unsigned first) {
        unsigned index = first + threadIdx.x / j.threads;
        is_valid = index < j.all_slots;
        image = quotient(index, j.slots);
        slot = remainder_of(index, j.slots);
    }
    __device__ __forceinline__ bool is_slot_0() const {
        return is_valid && slot == 0;
    }
    __device__ __forceinline__ spectrum_view spectrum(const run_time_rows_job &j) const {
        spectrum_view s = j.spectrum;
        s.values += image * j.spectrum_reals;
        return s;
    }
};

/* Whether the slots of the block from `first` on include the slot 0 of an image. */
__device__ __forceinline__ bool has_slot_0(const run_time_rows_job &j, unsigned first) {
    unsigned slot = remainder_of(first, j.slots);
    return slot == 0 || slot + blockDim.x / j.threads > j.slots.divisor;
}

/* ---- untangling, and tangling again ------------------------------------------------------------
 */

/* The sum of all pixels of an image whose slot 0 the block has; called by all threads. */
__device__ __forceinline__ column_sum sum_of_image(const run_time_rows_job &j,
                                                   const slot_place &place, unsigned t,
                                                   column_sum *total) {
    if (threadIdx.x % j.threads == 0) {
        *total = 0;
    }
    __syncthreads();
    if (place.is_slot_0()) {
        column_sum own = 0;
        for (unsigned n = t; n < j.spectrum.width; n += j.threads) {
            own += j.sums[place.image * j.spectrum.width + n];
        }
        atomicAdd(total, own);
    }
    __syncthreads();
    return *total;
}

/* Makes the slot's complex row, in its memory in natural order; `mean` is that of the sums of
 * integer pixels. */
__device__ __forceinline__ void untangle_values(const run_time_rows_job &j, const slot_place &place,
                                                const line_workers &workers, column_sum mean) {
    const real_view &m = j.intermediate;
    const unsigned W = (unsigned)j.spectrum.width;
    const size_t H = j.spectrum.height, k = place.slot;
    const column_sum *sums = j.sums != NULL ? j.sums + place.image * W : NULL;
    for (unsigned n = 2 * workers.t; n < W; n += 2 * workers.threads) {
        cpx z = load_columns_of(m, place.image, k, n, place.is_valid), left, right;
        if (k > 0) {
            untangle(z, load_columns_of(m, place.image, H - k, n, place.is_valid), &left, &right);
        } else {
            bool has_middle = place.is_valid && H % 2 == 0;
            cpx middle = load_columns_of(m, place.image, H / 2, n, has_middle);
            if (sums != NULL && place.is_valid) {
                z = cpx_of(sum_off_mean(sums[n], mean),
                           n + 1 < W ? sum_off_mean(sums[n + 1], mean) : 0);
            }
            left = cpx_of(z.re + z.re, middle.re + middle.re); /* as untangle() has it */
            right = cpx_of(z.im + z.im, middle.im + middle.im);
        }
        put_value(j.line, workers, n, left);
        if (n + 1 < W) {
            put_value(j.line, workers, n + 1, right);
        }
    }
    put_zeros(j.line, workers);
    __syncthreads();
}

/* Puts the slot's complex row, which ends in its places before it is swapped, into rows k and H - k
 * of the intermediate. */
__device__ __forceinline__ void tangle_values(const run_time_rows_job &j, const run_time_line &line,
                                              const slot_place &place,
                                              const line_workers &workers) {
    const real_view &m = j.intermediate;
    const unsigned W = (unsigned)j.spectrum.width;
    const size_t H = j.spectrum.height, k = place.slot;
    for (unsigned n = 2 * workers.t; place.is_valid && n < W; n += 2 * workers.threads) {
        cpx f = cpx_swap(*workers.at(place_of(line, n))), g = cpx_of(0, 0);
        if (n + 1 < W) {
            g = cpx_swap(*workers.at(place_of(line, n + 1)));
        }
        if (k > 0) {
            store_columns_of(m, place.image, H - k, n, true, tangle_mirrored(f, g));
            store_columns_of(m, place.image, k, n, true, tangle(f, g));
        } else {
            store_columns_of(m, place.image, 0, n, true, cpx_of(f.re, g.re));
            store_columns_of(m, place.image, H / 2, n, H % 2 == 0, cpx_of(f.im, g.im));
        }
    }
}

/* ---- forward -----------------------------------------------------------------------------------
 */

/* Rows k and H - k of a spectrum, 0 < k; see put_row(). */
struct slot_rows_of_spectrum {
    scalar *upper, *lower;
    unsigned width;
    int is_half;
    __device__ __forceinline__ slot_rows_of_spectrum(spectrum_view s, size_t k) {
        upper = s.values + k * row_reals(s);
        lower = s.values + (s.height - k) * row_reals(s);
        width = (unsigned)s.width;
        is_half = s.half;
    }
    __device__ __forceinline__ void put(unsigned l, cpx value) const {
        const unsigned mirrored = l == 0 ? 0 : width - l;
        if (l == mirrored) {
            if (is_half) {
                store_pair(upper + 2 * l, value);
                store_pair(lower + 2 * l, cpx_conj(value));
            } else {
                store_real(upper + l, value.re);
                store_real(lower + l, value.im);
            }
            return;
        }
        const bool is_direct = l < mirrored;
        scalar *row = is_direct ? upper : lower;
        const unsigned column = is_direct ? l : mirrored;
        value = is_direct ? value : cpx_conj(value);
        if (is_half) {
            store_pair(row + 2 * column, value);
        } else {
            store_real(row + column, value.re);
            store_real(row + width - column, value.im);
        }
    }
};

/* Stores rows 0 and H/2, out of the transformed slot 0 in its places. */
__device__ __forceinline__ void put_slot_0(const run_time_rows_job &j, const slot_place &place,
                                           const line_workers &workers, column_sum sum) {
    spectrum_view s = place.spectrum(j);
    const unsigned W = (unsigned)s.width;
    for (unsigned l = workers.t; l <= W / 2; l += workers.threads) {
        put_folded_rows(s, l, *workers.at(place_of(j.line, l)),
                        *workers.at(place_of(j.line, (unsigned)mirror(l, W))), j.scale);
        if (l == 0 && j.sums != NULL) {
            put_self_paired(s, 0, 0, cpx_of(dc_of(sum, j.dc_scale), 0));
        }
    }
}

/* ---- inverse -----------------------------------------------------------------------------------
 */

/* Puts the slot's complex row, out of the spectrum, into its memory in natural order. */
__device__ __forceinline__ void take_spectrum(const run_time_rows_job &j, const slot_place &place,
                                              const line_workers &workers) {
    const spectrum_view s = place.spectrum(j);
    for (unsigned l = workers.t; l < s.width; l += workers.threads) {
        cpx value = cpx_of(0, 0);
        if (place.is_valid) {
            value = place.slot == 0 ? get_folded_rows(s, l) : get_any(s, place.slot, l);
        }
        put_value(j.line, workers, l, cpx_swap(value));
    }
    put_zeros(j.line, workers);
    __syncthreads();
}

/* ---- a filter ----------------------------------------------------------------------------------
 */

/* X[k][l] or, of the second half of a row, the mirror image of X[H - k][W - l], as the spectrum
 * would hold it, times the transfer's value there. */
__device__ __forceinline__ cpx filtered_value(const transfer_view &transfer, size_t k, size_t l,
                                              cpx value) {
    const size_t mirrored = mirror(l, transfer.spectrum.width);
    return l <= mirrored ? multiplied(value, transfer, k, l)
                         : cpx_conj(multiplied(cpx_conj(value), transfer,
                                               transfer.spectrum.height - k, mirrored));
}

/* Does the same to rows 0 and H/2, in the places of slot 0, and swaps it for the way back. */
__device__ __forceinline__ void filter_slot_0(const run_time_rows_job &j,
                                              const line_workers &workers, column_sum sum) {
    const unsigned W = (unsigned)j.spectrum.width;
    const size_t H = j.spectrum.height;
    for (unsigned l = workers.t; l <= W / 2; l += workers.threads) {
        const bool is_real = l == mirror(l, W);
        cpx *at = workers.at(place_of(j.line, l));
        cpx *other = workers.at(place_of(j.line, (unsigned)mirror(l, W)));
        cpx row_0, row_middle;
        part_folded_rows(*at, *other, j.scale, &row_0, &row_middle);
        if (l == 0 && j.sums != NULL) {
            row_0.re = dc_of(sum, j.dc_scale);
        }
        if (is_real) {
            row_0.im = row_middle.im = 0;
        }
        row_0 = multiplied(row_0, j.transfer, 0, l);
        row_middle = H % 2 == 0 ? multiplied(row_middle, j.transfer, H / 2, l) : cpx_of(0, 0);
        if (is_real) {
            row_0.im = row_middle.im = 0;
        }
        *other = cpx_swap(tangle_mirrored(row_0, row_middle));
        *at = cpx_swap(tangle(row_0, row_middle));
    }
}

/* ---- the kernel --------------------------------------------------------------------------------
 */

/* Transforms the slot's complex row, which lies in its memory in natural order, forward into the
 * spectrum, and else in its memory. `folds`: the block has a slot 0 that is not an inverse's. */
__device__ __forceinline__ void transform_slot(const run_time_rows_job &j, const slot_place &place,
                                               const line_workers &workers, bool folds,
                                               column_sum sum) {
    const slot_rows_of_spectrum rows(place.spectrum(j), place.slot);
    for (int back = 0; back < (j.purpose == ROWS_FILTER ? 2 : 1); back++) {
        const run_time_line &line = back ? j.back : j.line;
        const bool stays = back || j.purpose == ROWS_INVERSE || place.slot == 0 || !place.is_valid;
        run_time_dft(line, workers, [&](unsigned l, cpx z, cpx *at) {
            if (stays) {
                *at = z;
            } else if (j.purpose == ROWS_FORWARD) {
                rows.put(l, cpx_scale(z, j.scale));
            } else {
                *at = cpx_swap(filtered_value(j.transfer, place.slot, l, cpx_scale(z, j.scale)));
            }
        });
        __syncthreads(); /* the row is complete */
        if (folds && !back) {
            if (place.is_slot_0() && j.purpose == ROWS_FORWARD) {
                put_slot_0(j, place, workers, sum);
            } else if (place.is_slot_0()) {
                filter_slot_0(j, workers, sum);
            }
            __syncthreads(); /* and so is slot 0 */
        }
        if (j.purpose == ROWS_FILTER && !back && j.back.chirp != NULL) {
            for (unsigned l = workers.t; l < j.back.length; l += workers.threads) {
                put_value(j.back, workers, l, *workers.at(padded(j.back, l)));
            }
            put_zeros(j.back, workers);
            __syncthreads(); /* all is there for the way back */
        }
    }
}

/* in, out the intermediate, the tangled spectra of columns, and the spectrum in either layout,
 *         times scale; they may be the same memory. The inverse goes the other way. A filter begins
 *         and ends with the intermediate.
 * grid    several slots a block, or one; of long lines as many blocks as have memory, each of which
 *         takes slots after slots
 * shared  the values of the slots and gaps, if it has space for them; a sum for each
 * DRAM    reads the one once, a filter also the transfer, writes the other once
 * sync    two more than stages, one where the block has a slot 0, of integer pixels two more; no
 *         value is written before all of the slot are read */
template <bool IS_GLOBAL>
__global__ void __launch_bounds__(RUN_TIME_THREADS, 2)
    run_time_rows(const __grid_constant__ run_time_rows_job j) {
    WEFT_SHARED(cpx, shared);
    let_next_start();
    wait_for_previous();
    line_workers workers = workers_of_rows<IS_GLOBAL>(j.memory, shared, j.threads);
    column_sum *total = sums_of_block<IS_GLOBAL>(j.memory, shared) + threadIdx.x / j.threads;
    const unsigned lines = blockDim.x / j.threads;
    for (unsigned first = blockIdx.x * lines; first < j.all_slots; first += gridDim.x * lines) {
        const bool folds = j.purpose != ROWS_INVERSE && has_slot_0(j, first);
        const slot_place place(j, first);
        column_sum sum = 0;
        if (j.purpose == ROWS_INVERSE) {
            take_spectrum(j, place, workers);
        } else {
            sum = folds && j.sums != NULL ? sum_of_image(j, place, workers.t, total) : 0;
            untangle_values(j, place, workers, rounded_mean(sum, j.spectrum.width));
        }
        transform_slot(j, place, workers, folds, sum);
        if (j.purpose != ROWS_FORWARD) {
            tangle_values(j, j.purpose == ROWS_FILTER ? j.back : j.line, place, workers);
            __syncthreads(); /* the memory is free for the next slots */
        }
    }
}

} // namespace

#endif
