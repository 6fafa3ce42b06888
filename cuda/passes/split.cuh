/* SPDX-License-Identifier: MIT
 * A transform split before the last stage of its columns. The values of a column whose indices are
 * equal modulo the last radix R are a class; the stages before the last one transform each class by
 * itself, as a column of H/R values. The last stage takes one value of each class and makes R rows
 * of the intermediate, H/R rows apart, and R more that are their mirror images: R slots, which one
 * multiprocessor transforms by itself before anything goes back to memory.
 */
#ifndef WEFT_CUDA_PASSES_SPLIT_CUH
#define WEFT_CUDA_PASSES_SPLIT_CUH

#include "line/pairs.cuh"
#include "passes/slots.cuh"

/* Each precision has its own: the same names, compiled twice, must not be taken for one another. */
namespace {

/* Where class c lies in the intermediate:
 *
 *   forward  image -> classes -> rows c H/R ..     -> last stage, rows  -> spectrum
 *   inverse  spectrum -> rows, first stage -> rows c, R + c, .. -> classes -> image
 *
 * So each second pass finds what it reads where it writes, and the intermediate may lie in the
 * result.
 *
 * R slots may be too much for a multiprocessor: then the last stage, or the first one of the
 * inverse, is a pass of its own, in place, and producer of the rows or their consumer, see
 * producer_consumer_rows.cuh. Class c is then rows c H/R .. both ways, and the intermediate of the
 * inverse lies in the workspace. */

/* The list without the stage that columns leave to the rows: the last one forward, the first one of
 * the inverse. */
constexpr factor_list list_of_class(size_t n, int is_inverse) {
    factor_list list = list_of(n, AXIS_COLUMN, is_inverse);
    list.count--;
    for (int i = 0; is_inverse && i < list.count; i++) {
        list.radix[i] = list.radix[i + 1];
    }
    return list;
}

/* One class of the columns of a tile, as a Line: see line.cuh. */
template <unsigned N, int IS_INVERSE> struct class_line {
    static constexpr factor_list all_factors = list_of(N, AXIS_COLUMN, IS_INVERSE);
    static constexpr factor_list factors = list_of_class(N, IS_INVERSE);
    static constexpr class_tuning tuning = tuning_of(N).classes;
    static constexpr unsigned column = N;
    static constexpr unsigned left_out =
        (unsigned)all_factors.radix[IS_INVERSE ? 0 : all_factors.count - 1];
    static constexpr unsigned classes = 1; /* of a class */
    static constexpr int last_stage = factors.count - 1;
    static constexpr int first_turned = IS_INVERSE ? 0 : 1;
    static constexpr unsigned parts = 1, whole = N / left_out, length = whole;
    static constexpr unsigned first_radix = (unsigned)factors.radix[0];
    static constexpr unsigned last_radix = (unsigned)factors.radix[last_stage];
    static constexpr unsigned columns = tuning.tile, points = tuning.points, lines = tuning.each;
    static constexpr unsigned values = lines * points;
    static constexpr unsigned threads = length / points;
    static constexpr bool is_row = false, is_persistent = false, has_pairs = false;
    /* Forward, the twiddles of as many stages as there are registers for are read before the kernel
     * waits. The inverse has twiddles in every stage, and gains more by one more block on each
     * multiprocessor. */
    static constexpr bool prefetches_twiddles = false;
    static constexpr int held_stages =
        IS_INVERSE ? 0 : held_stages_of(last_stage, values, points, 32, tuning.resident);
    static constexpr bool is_in_warp = false, is_alone = false;
    static constexpr int paired_stage = -1;
};

/* The twiddles of a class in the inverse, whose first stage is not the column's: sub-line q of
 * class c is sub-line q R + c of the column. Forward they are those of the column's first stages.
 */
template <class Line> struct class_twiddles {
    const cpx *table;
    unsigned class_number;
    __device__ __forceinline__ void read(unsigned) const {}
    template <int STAGE> __device__ __forceinline__ void prefetch(unsigned) const {}
    template <int STAGE>
    __device__ __forceinline__ void of(cpx *w, unsigned first, unsigned end, unsigned,
                                       unsigned q) const {
        load_twiddles(w, first, end, table + twiddles_before(&Line::all_factors, STAGE + 1),
                      stage_of<Line, STAGE>::sub_lines * Line::left_out,
                      q * Line::left_out + class_number);
    }
};

/* A unit of work, R slots: rows a + v H/R of the intermediate, which the last stage makes of value
 * a of each class, and their mirror images, rows b + v H/R; a and b are each other's mirror images
 * among the H/R values of a class. Unit 0 of an image has the two values that are their own mirror
 * images, 0 and H/2R. */
template <unsigned R> struct split_place {
    unsigned a, b, length; /* H/R */
    size_t image;
    unsigned first_index; /* of the image's slots among all */
    __device__ __forceinline__ split_place(const rows_job &j, unsigned unit) {
        length = 2 * j.slots.divisor / R;
        image = quotient(unit * R, j.slots);
        first_index = (unsigned)image * j.slots.divisor;
        a = remainder_of(unit * R, j.slots) / R;
        b = a == 0 ? length / 2 : length - a;
    }
    __device__ __forceinline__ bool is_first() const {
        return a == 0;
    }
    /* Number i of the unit's 2 R rows, in the intermediate and in the spectrum. */
    __device__ __forceinline__ unsigned row(unsigned i) const {
        return (i < R ? a : b) + i % R * length;
    }
    /* Number s of the unit's slots, among all slots. */
    __device__ __forceinline__ unsigned index(unsigned s) const {
        return first_index + (s < R / 2 ? a + s * length : b + (R - 1 - s) * length);
    }
};

} // namespace

#endif
