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

/* What the row pass is for; a filter goes there and back. A kernel is for one purpose or for any.
 */
enum run_time_rows_purpose { ROWS_FORWARD, ROWS_INVERSE, ROWS_FILTER, ROWS_OF_ANY_PURPOSE };

struct run_time_rows_job {
    int purpose;
    spectrum_view spectrum; /* of the first image; of a filter it has no values */
    size_t spectrum_reals;  /* from image to image */
    real_view intermediate;
    run_time_line line, back; /* back: of a filter, begins where the line there ends */
    run_time_memory memory;
    unsigned lines;   /* slots of a block */
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
    __device__ __forceinline__ slot_place(const run_time_rows_job &j, unsigned index,
                                          bool is_there) {
        is_valid = is_there && index < j.all_slots;
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

/* A block's slots lie in its memory one after the other. If it is not FULL, it has threads that
 * have no slot, and a number past all tasks. */
template <bool FULL> struct block_of_slots {
    cpx *values;
    column_sum *sums; /* one a slot */
    const cpx *roots;
    __device__ __forceinline__ bool has_line(const run_time_rows_job &j) const {
        return FULL || threadIdx.x < j.lines * j.threads;
    }
    __device__ __forceinline__ unsigned line(const run_time_rows_job &j) const {
        return has_line(j) ? threadIdx.x / j.threads : 0;
    }
    __device__ __forceinline__ line_workers workers(const run_time_rows_job &j) const {
        const unsigned none = 1u << 31;
        return {values + line(j) * j.memory.of_line, 1,
                has_line(j) ? threadIdx.x % j.threads : none, j.threads, roots};
    }
};

/* Where a GPU has blocks enough, threads without a slot would only take registers from others. */
static WEFT_CONSTANT bool is_full_block(int variant, int purpose) {
    return variant == DIRECT_VALUES && purpose == ROWS_FORWARD;
}

/* Whether the slots of the block from `first` on include the slot 0 of an image. */
__device__ __forceinline__ bool has_slot_0(const run_time_rows_job &j, unsigned first) {
    const unsigned slot = remainder_of(first, j.slots);
    return slot == 0 || slot + j.lines > j.slots.divisor;
}

/* A slot 0 takes longer than others, since each value meets its mirror image. Where a block has no
 * other slot, all of its threads share that work: whether a thread takes part, and as what. */
__device__ __forceinline__ bool helps_slot_0(const run_time_rows_job &j, const slot_place &place) {
    return j.lines == 1 || place.is_slot_0();
}

__device__ __forceinline__ line_workers workers_of_slot_0(const run_time_rows_job &j,
                                                          const line_workers &workers) {
    return {workers.values, 1, j.lines == 1 ? threadIdx.x : workers.t,
            j.lines == 1 ? blockDim.x : workers.threads, workers.roots};
}

/* ---- untangling, and tangling again ------------------------------------------------------------
 */

/* Of an image of integer pixels whose slot 0 the block has: puts row 0 into the intermediate, the
 * columns' sums less their mean, and the sum of all pixels into *total. Called by all threads. */
__device__ __forceinline__ void put_row_0(const run_time_rows_job &j, const slot_place &place,
                                          unsigned t, column_sum *total) {
    const unsigned width = (unsigned)j.spectrum.width;
    const column_sum *sums = j.sums + place.image * width;
    if (t == 0) {
        *total = 0;
    }
    __syncthreads();
    if (place.is_slot_0()) {
        column_sum own = 0;
        for (unsigned n = t; n < width; n += j.threads) {
            own += sums[n];
        }
        atomicAdd(total, own);
    }
    __syncthreads();
    const column_sum mean = rounded_mean(*total, width);
    scalar *row = j.intermediate.values + place.image * j.intermediate.stride;
    for (unsigned n = t; place.is_slot_0() && n < width + width % 2; n += j.threads) {
        row[n] = n < width ? sum_off_mean(sums[n], mean) : 0;
    }
    __syncthreads();
}

/* The sum of all pixels, for the slot 0 of such an image that the block may have. */
__device__ __forceinline__ column_sum sum_for_slot_0(const run_time_rows_job &j,
                                                     const slot_place &place, unsigned t,
                                                     bool has_0, column_sum *total) {
    if (!has_0 || j.sums == NULL) {
        return 0;
    }
    put_row_0(j, place, t, total);
    return *total;
}

/* Two rows of the intermediate as the slot's complex row: k and H - k, or 0 and H/2, of an odd
 * height zeros. */
struct intermediate_rows {
    const scalar *upper, *lower;
    bool is_slot_0, has_upper, has_lower;
    __device__ __forceinline__ intermediate_rows(const run_time_rows_job &j,
                                                 const slot_place &place) {
        const real_view &m = j.intermediate;
        const size_t H = j.spectrum.height, k = place.slot;
        is_slot_0 = k == 0;
        has_upper = place.is_valid;
        has_lower = place.is_valid && (k > 0 || H % 2 == 0);
        upper = m.values + (has_upper ? place.image * m.stride + k * m.pitch : 0);
        lower = !has_lower ? upper : upper + (k > 0 ? H - 2 * k : H / 2) * m.pitch;
    }
};

/* Value n of rows k and H - k, out of the pairs of columns that n is in. */
__device__ __forceinline__ cpx untangled(cpx z, cpx mirrored, unsigned n) {
    cpx left, right;
    untangle(z, mirrored, &left, &right);
    return n % 2 != 0 ? right : left;
}

/* Value n of rows 0 and H/2. They are their own mirrors, so their real parts are doubled, as
 * untangle() has it. */
__device__ __forceinline__ cpx folded(cpx row_0, cpx middle, unsigned n) {
    return n % 2 != 0 ? cpx_of(row_0.im + row_0.im, middle.im + middle.im)
                      : cpx_of(row_0.re + row_0.re, middle.re + middle.re);
}

/* Of an intermediate that is aligned to pairs; of slots past the last one nobody wants the values.
 * Where butterflies' values are an even number of columns apart, all of them are left or all are
 * right ones of their pairs: KNOWN lines gain by that, in others it would only be more code. */
template <bool KNOWN> struct slot_source : intermediate_rows {
    using intermediate_rows::intermediate_rows;
    template <class Use>
    __device__ __forceinline__ void each(unsigned first, unsigned apart, Use use) const {
        const scalar *above = upper + (first & ~1u), *below = lower + (first & ~1u);
        if (!has_upper) {
            use([](unsigned, line_part, const cpx *place) { return *place; });
        } else if (is_slot_0) {
            use([=](unsigned k, line_part, const cpx *) {
                unsigned n = first + k * apart;
                cpx middle = load_pair(lower + (n & ~1u)); /* loaded without a branch */
                return folded(load_pair(upper + (n & ~1u)), has_lower ? middle : cpx_of(0, 0), n);
            });
        } else if (KNOWN && apart % 2 == 0) {
            use([=](unsigned k, line_part, const cpx *) {
                return untangled(load_pair(above + (size_t)k * apart),
                                 load_pair(below + (size_t)k * apart), first);
            });
        } else {
            use([=](unsigned k, line_part, const cpx *) {
                unsigned n = first + k * apart;
                return untangled(load_pair(upper + (n & ~1u)), load_pair(lower + (n & ~1u)), n);
            });
        }
    }
};

/* The same for any intermediate and any slot, into its places. */
struct any_slot_values : intermediate_rows {
    unsigned width;
    __device__ __forceinline__ any_slot_values(const run_time_rows_job &j, const slot_place &place)
        : intermediate_rows(j, place) {
        width = (unsigned)j.spectrum.width;
    }
    template <bool IS_PAIRED>
    __device__ __forceinline__ cpx load(const scalar *row, unsigned left) const {
        if (IS_PAIRED) {
            return load_pair(row + left);
        }
        const bool has_right = left + 1 < width;
        const scalar right = row[left + has_right];
        return cpx_of(row[left], has_right ? right : 0);
    }
    template <bool IS_PAIRED>
    __device__ __forceinline__ void fill(const run_time_line &line,
                                         const line_workers &workers) const {
        if (!has_upper) { /* its rows may be those of another block, which writes in place */
            fill_places(line, workers, [](unsigned) { return cpx_of(0, 0); });
        } else if (is_slot_0) {
            fill_places(line, workers, [&](unsigned n) {
                const cpx z = load<IS_PAIRED>(upper, n & ~1u),
                          other = load<IS_PAIRED>(lower, n & ~1u);
                return folded(z, has_lower ? other : cpx_of(0, 0), n);
            });
        } else {
            fill_places(line, workers, [&](unsigned n) {
                return untangled(load<IS_PAIRED>(upper, n & ~1u), load<IS_PAIRED>(lower, n & ~1u),
                                 n);
            });
        }
    }
};

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
        } else { /* adding 0 makes of -0 what tangle() makes of it */
            store_columns_of(m, place.image, 0, n, true, cpx_of(f.re, 0 + g.re));
            store_columns_of(m, place.image, H / 2, n, H % 2 == 0, cpx_of(f.im, 0 + g.im));
        }
    }
}

/* ---- rows of a spectrum -------------------------------------------------------------------------
 */

/* Values 0 and W/2 of rows k and H - k, 0 < k, are their own mirror images: each of the rows has
 * its own. */
__device__ __forceinline__ bool is_own(unsigned l, unsigned all, line_part part) {
    return ((part == START || part == ANYWHERE) && l == 0) ||
           ((part == MIDDLE || part == ANYWHERE) && 2 * l == all);
}

/* Values of the second half of a row are the mirror images of those of the other row. */
__device__ __forceinline__ bool is_mirrored(unsigned l, unsigned all, line_part part) {
    return part == SECOND_HALF || ((part == MIDDLE || part == ANYWHERE) && 2 * l > all);
}

/* ---- forward -----------------------------------------------------------------------------------
 */

/* Rows k and H - k of a spectrum, 0 < k, times scale: see put_row(). A slot 0 is_kept in its
 * places, as do slots past the last one. */
struct slot_sink {
    static constexpr bool is_places = false;
    scalar *upper, *lower;
    unsigned width;
    bool is_kept, is_half;
    scalar scale;
    __device__ __forceinline__ slot_sink(const run_time_rows_job &j, const slot_place &place) {
        const spectrum_view s = place.spectrum(j);
        upper = s.values + place.slot * row_reals(s);
        lower = s.values + (s.height - place.slot) * row_reals(s);
        width = (unsigned)s.width;
        is_half = s.half;
        is_kept = place.slot == 0 || !place.is_valid;
        scale = j.scale;
    }
    template <class Use>
    __device__ __forceinline__ void each(unsigned first, unsigned apart, Use use) const {
        const unsigned all = width; /* the lambdas copy what they need, and no more */
        const int step = (int)apart;
        const scalar by = scale;
        if (is_kept) {
            use([](unsigned, line_part, cpx z, cpx *place) { *place = z; });
        } else if (is_half) {
            scalar *own = upper + 2 * first, *other = lower + 2 * (all - first);
            scalar *lower_row = lower;
            use([=](unsigned k, line_part part, cpx z, const cpx *) {
                const unsigned l = first + k * apart;
                const bool has_own = is_own(l, all, part), mirrors = is_mirrored(l, all, part);
                const ptrdiff_t along = (ptrdiff_t)(int)k * (2 * step);
                z = cpx_scale(z, by);
                store_pair(mirrors ? other - along : own + along, mirrors ? cpx_conj(z) : z);
                if (has_own) {
                    store_pair(lower_row + 2 * l, cpx_conj(z));
                }
            });
        } else {
            scalar *upper_first = upper + first, *upper_last = upper + (all - first);
            scalar *lower_first = lower + first, *lower_last = lower + (all - first);
            use([=](unsigned k, line_part part, cpx z, const cpx *) {
                const unsigned l = first + k * apart;
                const bool has_own = is_own(l, all, part), mirrors = is_mirrored(l, all, part);
                const ptrdiff_t along = (ptrdiff_t)(int)k * step;
                store_real(mirrors ? lower_last - along : upper_first + along, z.re * by);
                store_real(mirrors || has_own ? lower_first + along : upper_last - along,
                           z.im * (mirrors ? -by : by));
            });
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

/* The slot's complex row out of a spectrum, swapped: the way back of slot_sink. */
struct spectrum_values {
    spectrum_view spectrum;
    const scalar *upper, *lower;
    size_t slot;
    bool is_valid;
    __device__ __forceinline__ spectrum_values(const run_time_rows_job &j,
                                               const slot_place &place) {
        spectrum = place.spectrum(j);
        upper = spectrum.values + place.slot * row_reals(spectrum);
        lower = spectrum.values + (spectrum.height - place.slot) * row_reals(spectrum);
        slot = place.slot;
        is_valid = place.is_valid;
    }
    /* Value l of a row that is no slot 0, but for those that are their own mirror images. */
    __device__ __forceinline__ cpx of_half(unsigned l) const {
        const unsigned width = (unsigned)spectrum.width;
        const bool is_mirrored = 2 * l > width;
        const cpx z = load_pair(is_mirrored ? lower + 2 * (width - l) : upper + 2 * l);
        return cpx_of(z.re, is_mirrored ? -z.im : z.im);
    }
    __device__ __forceinline__ cpx of_packed(unsigned l) const {
        const unsigned width = (unsigned)spectrum.width;
        const bool is_mirrored = 2 * l > width;
        const scalar *re = is_mirrored ? lower + (width - l) : upper + l;
        const scalar *im = l > 0 && 2 * l < width ? upper + (width - l) : lower + l;
        return cpx_of(*re, is_mirrored ? -*im : *im);
    }
    /* Into its places. */
    __device__ __forceinline__ void fill(const run_time_line &line,
                                         const line_workers &workers) const {
        const unsigned width = (unsigned)spectrum.width;
        if (!is_valid) {
            fill_places(line, workers, [](unsigned) { return cpx_of(0, 0); });
        } else if (slot == 0) {
            fill_places(line, workers,
                        [&](unsigned l) { return cpx_swap(get_folded_rows(spectrum, l)); });
        } else if (spectrum.half) {
            fill_places(line, workers, [&](unsigned l) { return cpx_swap(of_half(l)); });
            for (unsigned l = 0; 2 * l <= width; l += width % 2 == 0 ? width / 2 : width) {
                if (l % workers.threads == workers.t) { /* the thread that has filled this place */
                    *workers.at(padded(line, l)) = cpx_swap(get_self_paired(spectrum, slot, l));
                }
            }
        } else {
            fill_places(line, workers, [&](unsigned l) { return cpx_swap(of_packed(l)); });
        }
    }
};

/* The same for a first stage. Of lines that the compiler does not KNOW, spectra are PACKED, and a
 * slot 0 is in its places before, which is less code for each of many radices. */
template <bool KNOWN> struct spectrum_source : spectrum_values {
    __device__ __forceinline__ spectrum_source(const run_time_rows_job &j, const slot_place &place)
        : spectrum_values(j, place) {
        spectrum.half = KNOWN && spectrum.half;
    }
    template <class Use>
    __device__ __forceinline__ void each(unsigned first, unsigned apart, Use use) const {
        const unsigned all = (unsigned)spectrum.width;
        const int step = (int)apart;
        if (!is_valid || (slot == 0 && !KNOWN)) {
            use([](unsigned, line_part, const cpx *place) { return *place; });
        } else if (slot == 0) {
            use([=](unsigned k, line_part, const cpx *) {
                return cpx_swap(get_folded_rows(spectrum, first + k * apart));
            });
        } else if (spectrum.half) {
            const scalar *own = upper + 2 * first, *other = lower + 2 * (all - first);
            use([=](unsigned k, line_part part, const cpx *) {
                const unsigned l = first + k * apart;
                const bool mirrors = is_mirrored(l, all, part);
                const ptrdiff_t along = (ptrdiff_t)(int)k * (2 * step);
                cpx z = is_own(l, all, part) ? get_self_paired(spectrum, slot, l)
                                             : load_pair(mirrors ? other - along : own + along);
                return cpx_swap(mirrors ? cpx_conj(z) : z);
            });
        } else {
            const scalar *upper_first = upper + first, *upper_last = upper + (all - first);
            const scalar *lower_first = lower + first, *lower_last = lower + (all - first);
            use([=](unsigned k, line_part part, const cpx *) {
                const unsigned l = first + k * apart;
                const bool has_own = is_own(l, all, part), mirrors = is_mirrored(l, all, part);
                const ptrdiff_t along = (ptrdiff_t)(int)k * step;
                const scalar re = *(mirrors ? lower_last - along : upper_first + along);
                const scalar im = *(mirrors || has_own ? lower_first + along : upper_last - along);
                return cpx_swap(cpx_of(re, mirrors ? -im : im));
            });
        }
    }
};

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
        cpx mirrored;
        const cpx folded = join_folded_rows(row_0, row_middle, H, &mirrored);
        *other = cpx_swap(mirrored);
        *at = cpx_swap(folded);
    }
}

/* ---- the kernel --------------------------------------------------------------------------------
 */

/* From the slots' complex rows in their places to the spectrum. */
__device__ __forceinline__ void put_slots(const run_time_rows_job &j, const slot_place &place,
                                          const line_workers &workers, bool has_0, column_sum sum) {
    if (!place.is_slot_0()) {
        slot_sink(j, place).each(0, 1, [&](auto put) {
            take_values(j.line, workers, [&](unsigned l, cpx *at) { put(l, ANYWHERE, *at, at); });
        });
    }
    if (has_0 && helps_slot_0(j, place)) {
        put_slot_0(j, place, workers_of_slot_0(j, workers), sum);
    }
}

/* Multiplies a slot's complex row in its places by a gain. */
__device__ __forceinline__ void multiply_slot(const run_time_rows_job &j, const slot_place &place,
                                              const line_workers &workers) {
    const unsigned width = (unsigned)j.spectrum.width, bins = width / 2 + 1;
    const scalar *upper = j.transfer.gain + (size_t)place.slot * bins,
                 *lower = j.transfer.gain + (j.spectrum.height - place.slot) * bins;
    for (unsigned first = workers.t; first < width; first += IN_FLIGHT * workers.threads) {
        scalar gains[IN_FLIGHT]; /* loaded without a branch */
        WEFT_UNROLL
        for (unsigned v = 0; v < IN_FLIGHT; v++) {
            const unsigned next = first + v * workers.threads, l = next < width ? next : first;
            gains[v] = *(2 * l <= width ? upper + l : lower + (width - l));
        }
        WEFT_UNROLL
        for (unsigned v = 0; v < IN_FLIGHT; v++) {
            const unsigned l = first + v * workers.threads;
            if (l < width) {
                cpx *at = workers.at(place_of(j.line, l));
                *at = cpx_swap(cpx_scale(cpx_scale(*at, j.scale), gains[v]));
            }
        }
    }
}

/* Multiplies the slots' complex rows in their places. */
__device__ __forceinline__ void filter_slots(const run_time_rows_job &j, const slot_place &place,
                                             const line_workers &workers, bool has_0,
                                             column_sum sum) {
    if (place.is_valid && place.slot > 0) {
        if (j.transfer.gain != NULL) {
            multiply_slot(j, place, workers);
        } else {
            take_values(j.line, workers, [&](unsigned l, cpx *at) {
                *at = cpx_swap(filtered_value(j.transfer, place.slot, l, cpx_scale(*at, j.scale)));
            });
        }
    }
    if (has_0 && helps_slot_0(j, place)) {
        filter_slot_0(j, workers_of_slot_0(j, workers), sum);
    }
}

/* From a source of the slot's spectrum to the intermediate. */
template <class Code, class Source>
__device__ __forceinline__ void return_line(const run_time_rows_job &j, const run_time_line &line,
                                            const slot_place &place, const line_workers &workers,
                                            const Source &source) {
    run_line<Code>(line, workers, source, to_places());
    __syncthreads(); /* the row is complete */
    tangle_values(j, line, place, workers);
}

/* Multiplies the transformed rows in their places, and takes them back to the intermediate. */
template <class Code>
__device__ __forceinline__ void
filter_and_go_back(const run_time_rows_job &j, const slot_place &place, const line_workers &workers,
                   bool has_0, column_sum sum) {
    __syncthreads(); /* the row is complete */
    filter_slots(j, place, workers, has_0, sum);
    __syncthreads(); /* the row is multiplied */
    return_line<typename way_back<Code>::code>(j, j.back, place, workers, from_places());
}

/* The slot from and to global memory, where it can: what comes of an inverse and of a filter has to
 * meet its neighbour, and slot 0 its mirror image. `total` is that of sum_for_slot_0(). */
template <int PURPOSE, class Code>
__device__ __forceinline__ void transform_slot(const run_time_rows_job &j, const slot_place &place,
                                               const line_workers &workers, bool has_0,
                                               column_sum *total) {
    constexpr bool is_known = Code::count != 0;
    if constexpr (PURPOSE == ROWS_INVERSE) {
        const spectrum_source<is_known> source(j, place);
        wait_and_let_next_start();
        if (has_0 && !is_known) {
            if (place.is_slot_0()) {
                source.fill(j.line, workers);
            }
            __syncthreads(); /* slot 0 is there */
        }
        return_line<Code>(j, j.line, place, workers, source);
    } else if constexpr (PURPOSE == ROWS_FILTER) {
        const slot_source<is_known> source(j, place);
        wait_and_let_next_start();
        const column_sum sum = sum_for_slot_0(j, place, workers.t, has_0, total);
        run_line<Code>(j.line, workers, source, to_places());
        filter_and_go_back<Code>(j, place, workers, has_0, sum);
    } else {
        const slot_source<is_known> source(j, place);
        const slot_sink sink(j, place);
        wait_and_let_next_start();
        const column_sum sum = sum_for_slot_0(j, place, workers.t, has_0, total);
        run_line<Code>(j.line, workers, source, sink);
        if (has_0) {
            __syncthreads(); /* slot 0 is complete */
            if (helps_slot_0(j, place)) {
                put_slot_0(j, place, workers_of_slot_0(j, workers), sum);
            }
        }
    }
}

/* The slot through its places, whatever it is for. */
template <class Code>
__device__ __forceinline__ void
transform_any_slot(const run_time_rows_job &j, const slot_place &place, const line_workers &workers,
                   bool has_0, column_sum sum) {
    if (j.purpose == ROWS_INVERSE) {
        spectrum_values(j, place).fill(j.line, workers);
    } else if (j.intermediate.is_paired) {
        any_slot_values(j, place).fill<true>(j.line, workers);
    } else {
        any_slot_values(j, place).fill<false>(j.line, workers);
    }
    __syncthreads(); /* the row is there */
    for (int back = 0; back < (j.purpose == ROWS_FILTER ? 2 : 1); back++) {
        run_line<Code>(back ? j.back : j.line, workers, from_places(), to_places());
        __syncthreads(); /* the row is complete */
        if (back || j.purpose == ROWS_INVERSE) {
            tangle_values(j, back ? j.back : j.line, place, workers);
        } else if (j.purpose == ROWS_FORWARD) {
            put_slots(j, place, workers, has_0, sum);
        } else {
            filter_slots(j, place, workers, has_0, sum);
            __syncthreads(); /* the row is multiplied */
        }
    }
}

/* in, out the intermediate, the tangled spectra of columns, and the spectrum in either layout,
 *         times scale; they may be the same memory. The inverse goes the other way. A filter begins
 *         and ends with the intermediate.
 * grid    several slots a block, or one; short rows have more threads than tasks, which help with a
 *         slot 0; of long lines as many blocks as have memory, each of which takes slot after slot
 * shared  the values of the slots and gaps, if it has space for them; a sum for each; roots of
 *         large primes
 * DRAM    reads the one once, a filter also the transfer, writes the other once
 * sync    one less than stages, more with large primes, and one where the block has a slot 0; an
 *         inverse has one more, a filter twice as many and two more, values that are staged two
 *         more, slot 0 of integer pixels three; no value is written before all of the slot are
 *         read */
template <int VARIANT, int PURPOSE, class Code = code_of<VARIANT>>
__global__ void __launch_bounds__(most_threads<Code>(), resident_blocks<Code>())
    run_time_rows(const __grid_constant__ run_time_rows_job j) {
    WEFT_SHARED(cpx, shared);
    const block_of_slots<is_full_block(VARIANT, PURPOSE)> block = {
        values_of_block<VARIANT>(j.memory, shared), sums_of_block<VARIANT>(j.memory, shared),
        shared + j.memory.roots};
    const line_workers workers = block.workers(j);
    const unsigned line = block.line(j);
    keep_roots<Code>(j.line, shared + j.memory.roots);
    if constexpr (is_direct(VARIANT)) {
        const unsigned first = blockIdx.x * j.lines;
        const slot_place place(j, first + line, block.has_line(j));
        transform_slot<PURPOSE, Code>(j, place, workers, has_slot_0(j, first), block.sums + line);
    } else {
        wait_and_let_next_start();
        for (unsigned first = blockIdx.x * j.lines; first < j.all_slots;
             first += gridDim.x * j.lines) {
            const slot_place place(j, first + line, block.has_line(j));
            const bool has_0 = has_slot_0(j, first);
            const column_sum sum = sum_for_slot_0(j, place, workers.t, has_0, block.sums + line);
            transform_any_slot<Code>(j, place, workers, has_0, sum);
            if (VARIANT == GLOBAL_VALUES) {
                __syncthreads(); /* the memory is free for the next slots */
            }
        }
    }
}

} // namespace

#endif
