/* SPDX-License-Identifier: MIT
 * A slot: the complex row that rows k and H - k of the columns' spectra are, apart into real and
 * imaginary parts. Neighbouring butterflies are in neighbouring lanes; in the last stages, whose
 * sub-lines are shorter than that, those of several sub-lines are. The first stage untangles as it
 * loads, the last one packs as it stores.
 */
#ifndef WEFT_CPU_FAST_ROWS_H
#define WEFT_CPU_FAST_ROWS_H

#include "fast_kernels.h"
#include "pieces.h"

/* Real and imaginary parts of a row. */
typedef struct parts {
    lane *re, *im;
} parts;

/* Of a row of that length in one piece of memory, as room for rows is laid out. */
static WEFT_HD parts parts_at(lane *first, size_t length) {
    return (parts){first, first + parts_apart(length)};
}

static WEFT_HD cpx load_parts(const parts *from, size_t l) {
    return cpx_of(load_lanes(from->re + l), load_lanes(from->im + l));
}

static WEFT_HD void store_parts(const parts *to, size_t l, cpx z) {
    store_lanes(to->re + l, z.re);
    store_lanes(to->im + l, z.im);
}

/* ---- where the first stage loads and the last one stores ----------------------------------------
 */

enum end { PARTS, PAIRS, STREAMED_PAIRS, FOLDED_PAIRS, PACKED_ROWS, HALF_ROWS };

/* What of it is used, its kind says, which functions take as a constant. */
typedef struct row_end {
    parts split;                   /* PARTS */
    lane *upper, *lower;           /* PAIRS: rows of mid, k and H - k, STREAMED_PAIRS: stored past
                                    * the caches; FOLDED_PAIRS: 0 and H/2; or rows of the spectrum */
    size_t upper_turn, lower_turn; /* of rows of mid */
    spectrum_view view;            /* PACKED_ROWS, HALF_ROWS */
    lane scale;
    /* The rows that come after these: fetched by who stores these; early, by the first stage that
     * is in place. */
    const lane *next_upper, *next_lower;
    int is_early;
} row_end;

static WEFT_HD spectrum_view view_of_end(const row_end *end, enum end kind) {
    spectrum_view view = end->view;
    view.half = kind == HALF_ROWS;
    return view;
}

/* Columns 2j and 2j + 1 of rows k and H - k, apart: as many columns as lanes. */
static WEFT_HD cpx load_untangled(const lane *upper, const lane *lower) {
    real z = load_lanes(upper), mirrored = load_lanes(lower);
    /* untangle() of every second column: f has even lanes, g odd ones. */
    cpx f, g;
    untangle(cpx_of(z, z), cpx_of(mirrored, mirrored), &f, &g);
    return cpx_of(in_turn(f.re, g.re), neighbours(in_turn(g.im, f.im)));
}

static WEFT_HD void store_tangled(lane *upper, lane *lower, cpx z, int streams) {
    /* tangle() of column 2j and its neighbour: what it makes a real part of has even lanes. */
    real other = neighbours(z.im);
    real sum = z.re + other, difference = z.re - other;
    put_lanes(upper, in_turn(difference, sum), streams);
    put_lanes(lower, in_turn(sum, difference), streams);
}

/* The first of the mirror images of the columns from l on, as many as lanes. */
static WEFT_HD size_t first_mirrored(size_t width, size_t l) {
    return width - l - (LANES - 1);
}

/* X[k][l] of the columns from l on, none its own mirror and all before the middle; and of the
 * mirror images of columns from l on behind it, X[H - k][W - l] = conj of these. */
static WEFT_HD void store_direct(spectrum_view s, lane *row, size_t l, cpx z) {
    if (s.half) {
        store_pairs(row + real_place(s, l), z, IN_ORDER);
    } else {
        store_lanes(row + real_place(s, l), z.re);
        store_lanes(row + imaginary_place(s, l + LANES - 1), backwards(z.im));
    }
}

static WEFT_HD void store_mirrored(spectrum_view s, lane *row, size_t l, cpx z) {
    size_t first = first_mirrored(s.width, l);
    if (s.half) {
        store_pairs(row + real_place(s, first), cpx_conj(cpx_of(backwards(z.re), backwards(z.im))),
                    IN_ORDER);
    } else {
        store_lanes(row + real_place(s, first), backwards(z.re));
        store_lanes(row + imaginary_place(s, first + LANES - 1), -z.im);
    }
}

static WEFT_HD cpx load_direct(spectrum_view s, const lane *row, size_t l) {
    if (s.half) {
        return load_pairs(row + real_place(s, l), IN_ORDER);
    }
    return cpx_of(load_lanes(row + real_place(s, l)),
                  backwards(load_lanes(row + imaginary_place(s, l + LANES - 1))));
}

static WEFT_HD cpx load_mirrored(spectrum_view s, const lane *row, size_t l) {
    size_t first = first_mirrored(s.width, l);
    if (s.half) {
        cpx z = load_pairs(row + real_place(s, first), IN_ORDER);
        return cpx_conj(cpx_of(backwards(z.re), backwards(z.im)));
    }
    return cpx_of(backwards(load_lanes(row + real_place(s, first))),
                  -load_lanes(row + imaginary_place(s, first + LANES - 1)));
}

/* Columns of which that of lane 0 is its own mirror: from 0 on, or mirror images from W/2 on. That
 * one lies as layout.h has it, its real part in the upper row and its imaginary part in the lower
 * one or, of HALF, both in both rows: stored after the vector, over what that has put there. */
static WEFT_HD void store_around_self_paired(spectrum_view s, lane *upper, lane *lower,
                                             int is_middle, cpx z) {
    const size_t l = is_middle ? s.width / 2 : 0;
    if (is_middle) {
        store_mirrored(s, lower, l, z);
    } else if (s.half) {
        store_direct(s, upper, l, z);
    } else {
        /* Without lane 0, whose imaginary part would be behind the row. */
        lane im[LANES];
        store_lanes(im, backwards(z.im));
        memcpy(upper + imaginary_place(s, LANES - 1), im, (LANES - 1) * sizeof(lane));
        store_lanes(upper, z.re);
    }
    if (s.half) {
        upper[2 * l] = lower[2 * l] = z.re[0];
        upper[2 * l + 1] = z.im[0];
        lower[2 * l + 1] = -z.im[0];
    } else {
        upper[l] = z.re[0];
        lower[l] = z.im[0];
    }
}

static WEFT_HD cpx load_around_self_paired(spectrum_view s, const lane *upper, const lane *lower,
                                           int is_middle) {
    const size_t l = is_middle ? s.width / 2 : 0;
    cpx z;
    if (is_middle) {
        z = load_mirrored(s, lower, l);
    } else if (s.half) {
        z = load_direct(s, upper, l);
    } else {
        lane im[LANES] = {0};
        memcpy(im, upper + imaginary_place(s, LANES - 1), (LANES - 1) * sizeof(lane));
        z = cpx_of(load_lanes(upper), backwards(load_lanes(im)));
    }
    if (s.half) {
        /* The Hermitian part, as get_self_paired() of layout.h takes it. */
        z.re[0] = (lane)0.5 * (upper[2 * l] + lower[2 * l]);
        z.im[0] = (lane)0.5 * (upper[2 * l + 1] - lower[2 * l + 1]);
    } else {
        z.re[0] = upper[l];
        z.im[0] = lower[l];
    }
    return z;
}

static WEFT_HD int is_spectrum(enum end kind) {
    return kind == PACKED_ROWS || kind == HALF_ROWS;
}

static WEFT_HD int is_pairs(enum end kind) {
    return kind == PAIRS || kind == STREAMED_PAIRS;
}

/* Values of a row from l on, which are inputs or outputs k of butterflies of that radix; the first
 * ones in k, which only of a spectrum matters: there is column 0 or W/2 among them. */
static WEFT_HD cpx load_end(const row_end *from, enum end kind, int swaps, size_t l, int k,
                            int radix, int is_first) {
    cpx z;
    if (kind == PAIRS) {
        z = load_untangled(from->upper + (l ^ from->upper_turn),
                           from->lower + (l ^ from->lower_turn));
    } else if (kind == FOLDED_PAIRS) {
        /* Rows 0 and H/2 are their own mirrors: twice their real parts. */
        real first = load_lanes(from->upper + (l ^ from->upper_turn));
        real middle = load_lanes(from->lower + (l ^ from->lower_turn));
        z = cpx_of(first + first, middle + middle);
    } else if (is_spectrum(kind)) {
        spectrum_view view = view_of_end(from, kind);
        z = is_first && 2 * k % radix == 0
                ? load_around_self_paired(view, from->upper, from->lower, k > 0)
            : 2 * k < radix ? load_direct(view, from->upper, l)
                            : load_mirrored(view, from->lower, l);
    } else {
        return load_parts(&from->split, l);
    }
    return swaps ? cpx_swap(z) : z;
}

static WEFT_HD void store_end(const row_end *to, enum end kind, int swaps, size_t l, int k,
                              int radix, int is_first, cpx z) {
    if (kind == PARTS) {
        store_parts(&to->split, l, z);
        return;
    }
    z = swaps ? cpx_swap(z) : z;
    if (is_pairs(kind)) {
        store_tangled(to->upper + (l ^ to->upper_turn), to->lower + (l ^ to->lower_turn), z,
                      kind == STREAMED_PAIRS);
    } else if (kind == FOLDED_PAIRS) {
        /* tangle() of real values: z - 0 and 0 + z. */
        real zero = lanes_of(0);
        store_lanes(to->upper + (l ^ to->upper_turn), in_turn(z.re, zero + z.re));
        store_lanes(to->lower + (l ^ to->lower_turn), in_turn(z.im, zero + z.im));
    } else {
        spectrum_view view = view_of_end(to, kind);
        z = cpx_scale(z, lanes_of(to->scale));
        if (is_first && 2 * k % radix == 0) {
            store_around_self_paired(view, to->upper, to->lower, k > 0, z);
        } else if (2 * k < radix) {
            store_direct(view, to->upper, l, z);
        } else {
            store_mirrored(view, to->lower, l, z);
        }
    }
}

/* Who stores there fetches what comes next. */
static WEFT_HD int fetches(enum end kind) {
    return is_pairs(kind) || is_spectrum(kind);
}

/* Into the first-level cache or the second one. */
static WEFT_HD void fetch_read(const lane *from, int is_near) {
    if (is_near) {
        __builtin_prefetch(from, 0, 3);
    } else {
        __builtin_prefetch(from, 0, 2);
    }
}

/* A part of the next rows: `count` numbers from l on, as whole lines of the cache where rows are.
 */
static WEFT_HD void fetch_next(const row_end *to, size_t l, int count, int is_near) {
    WEFT_UNROLL
    for (int i = 0; i < count; i += CACHE_LINE / (int)sizeof(lane)) {
        fetch_read(to->next_upper + l + i, is_near);
        fetch_read(to->next_lower + l + i, is_near);
    }
}

/* ---- stages -------------------------------------------------------------------------------------
 * Most take their ends by value: vectors are stored as anything (shuffle.h), and so what lies in
 * memory would be loaded anew, and addresses worked out anew, after each store (rows 4 to 7 %, AVX2
 * on an EPYC, 2026-11-23, docs/performance.md).
 */

/* In place, the sub-line of number n before stage s, n = k_0 + r_0 (k_1 + r_1 (k_2 ..)), has that
 * of k_0 before it, then k_1, ..: the number of the one at a place, and the place of a number. */
static __attribute__((noinline)) size_t sub_line_at(const factor_list *factors, int s,
                                                    size_t place) {
    size_t number = 0;
    while (--s >= 0) {
        size_t radix = (size_t)factors->radix[s];
        number = number * radix + place % radix;
        place /= radix;
    }
    return number;
}

static __attribute__((noinline)) size_t place_of_sub_line(const factor_list *factors, int s,
                                                          size_t number) {
    size_t place = 0;
    for (int i = 0; i < s; i++) {
        size_t radix = (size_t)factors->radix[i];
        place = place * radix + number % radix;
        number /= radix;
    }
    return place;
}

/* Whether the stages between work in place: where two buffers want much of the first-level cache
 * (8 KB: 13 % faster, 4 KB: 5 % slower, a Xeon with 48 KB of it, 2026-11-23, docs/performance.md).
 * The last stage's vectors are of neighbouring sub-lines, then as far apart as those that the first
 * stage made: there must be as many of them as lanes, and a vector of each. */
enum { LEAST_IN_PLACE = 8192 }; /* bytes of a real row */

static int works_in_place(const fast_line *row) {
    const factor_list *factors = &row->factors;
    return row->length * sizeof(lane) >= LEAST_IN_PLACE && factors->radix[0] >= LANES &&
           factors->radix[factors->count - 1] >= LANES;
}

/* What a stage is, all of it constant: the end that the first one loads or that any other stores
 * (their other one is PARTS), and whether it swaps the parts of values there. */
typedef struct stage_kind {
    enum end end;
    int swaps;
    int radix;
    int is_near;  /* what comes next is fetched into the first-level cache, and between stores */
    int in_place; /* the stages before this one are */
} stage_kind;

/* Rows that have room in the first-level cache together with the next ones: with 2 KB in double
 * precision 5 % less, with 4 KB nothing, in single precision 4 % more, with 8 KB 5 % more (a Xeon,
 * 2026-11-23, docs/performance.md). */
enum { MOST_OF_NEAR = 2048 }; /* bytes of a real row */

static int is_near_row(size_t length) {
    return length * sizeof(lane) <= MOST_OF_NEAR;
}

/* As many butterflies as the lanes, side by side, of inputs j, j + m, .. */
static WEFT_HD void first_butterfly(const row_end *from, const parts *to, stage_kind kind, size_t j,
                                    size_t m, int is_first) {
#define LOAD_END(k) load_end(from, kind.end, kind.swaps, j + (size_t)(k)*m, k, kind.radix, is_first)
#define STORE_FIRST_PARTS(k, z) store_parts(to, j + (size_t)(k)*m, z)
    BUTTERFLY(kind.radix, NULL, NO_TWIDDLES, LOAD_END, STORE_FIRST_PARTS);
}

static WEFT_HD void first_stage_of_row(row_end from, parts to, stage_kind kind, size_t length) {
    size_t m = length / (size_t)kind.radix, j = 0;
    if (is_spectrum(kind.end)) {
        first_butterfly(&from, &to, kind, 0, m, 1);
        j = LANES;
    }
    for (; j < m; j += LANES) {
        first_butterfly(&from, &to, kind, j, m, 0);
    }
}

/* m: values between a butterfly's inputs, as many as the lanes at least. In place, where to is
 * from, sub-line p is no longer that of number p: the digits of its place are the other way round.
 * One loop for all sub-lines: some have only one vector of butterflies. Fetches the rows after
 * `early`, but not if that is NULL. */
static WEFT_HD void long_stage(const parts *from, const parts *to, const factor_list *factors,
                               int s, size_t length, size_t m, int radix, const lane *twiddles,
                               const row_end *early) {
    const int in_place = factors != NULL;
    const size_t butterflies = length / (size_t)radix;
    const lane *w = twiddles;
    size_t p = 0, in = 0;
    for (size_t out = 0; out < butterflies; out += LANES, in += LANES) {
        if (out == (p + 1) * m) {
            p++;
            in += ((size_t)radix - 1) * m;
            size_t number = in_place ? sub_line_at(factors, s, p) : p;
            w = twiddles + 2 * number * stage_twiddles((size_t)radix);
        }
        if (early != NULL) {
            fetch_next(early, out * (size_t)radix, radix * LANES, 0);
        }
        const size_t first = in_place ? in : out, apart = in_place ? m : butterflies;
#define LOAD_PARTS(k) load_parts(from, in + (size_t)(k)*m)
#define STORE_PARTS(k, z) store_parts(to, first + (size_t)(k)*apart, z)
        BUTTERFLY(radix, w, OF_SUB_LINE, LOAD_PARTS, STORE_PARTS);
    }
}

/* Butterflies from b on, as many as the lanes, where m, then a power of two, is less: each vector
 * has whole sub-lines' butterflies, or several that of one. The values of a sub-line, or of a
 * vector where those are fewer, are `apart` from the next ones. */
static WEFT_HD void short_butterfly(parts from, size_t first, size_t apart, const row_end *to,
                                    stage_kind kind, size_t length, int m, size_t b, int is_first,
                                    const lane *twiddles) {
    size_t butterflies = length / (size_t)kind.radix;
    size_t vectors = kind.radix > LANES ? (size_t)kind.radix / LANES : 1; /* side by side */
    real re[LARGEST_RADIX], im[LARGEST_RADIX];
    const size_t next = b * (size_t)kind.radix;
    if (fetches(kind.end) && !kind.is_near && !(kind.in_place && to->is_early)) {
        fetch_next(to, next, kind.radix * LANES, 0);
    }
    WEFT_UNROLL
    for (int k = 0; k < kind.radix; k++) {
        size_t at = first + (size_t)k / vectors * apart + (size_t)k % vectors * LANES;
        re[k] = load_lanes(from.re + at);
        im[k] = load_lanes(from.im + at);
    }
    every_count_th_unit(re, kind.radix, m);
    every_count_th_unit(im, kind.radix, m);
#define TAKE_SHORT(k) cpx_of(re[k], im[k])
#define STORE_SHORT(k, z)                                                                          \
    do {                                                                                           \
        if (kind.is_near && (k)*LANES % (CACHE_LINE / (int)sizeof(lane)) == 0) {                   \
            fetch_next(to, next + (size_t)(k)*LANES, LANES, 1);                                    \
        }                                                                                          \
        store_end(to, kind.end, kind.swaps, b + (size_t)(k)*butterflies, k, kind.radix, is_first,  \
                  z);                                                                              \
    } while (0)
    BUTTERFLY(kind.radix, twiddles + 2 * b * stage_twiddles((size_t)kind.radix), OF_EACH_LANE,
              TAKE_SHORT, STORE_SHORT);
}

static WEFT_HD void short_stage(parts from, row_end to, stage_kind kind, size_t length, int m,
                                const lane *twiddles) {
    size_t radix = (size_t)kind.radix, apart = radix > LANES ? radix : LANES, b = 0;
    if (is_spectrum(kind.end)) {
        short_butterfly(from, 0, apart, &to, kind, length, m, 0, 1, twiddles);
        b = LANES;
    }
    for (; b < length / radix; b += LANES) {
        short_butterfly(from, b * radix, apart, &to, kind, length, m, b, 0, twiddles);
    }
}

/* The last one of a row whose stages before were in place. */
static WEFT_HD void last_stage_in_place(parts from, const factor_list *factors, row_end to,
                                        stage_kind kind, size_t length, const lane *twiddles) {
    size_t radix = (size_t)kind.radix, first = (size_t)factors->radix[0], apart = length / first;
    size_t at = 0, q = 0, b = 0;
    if (is_spectrum(kind.end)) {
        short_butterfly(from, 0, apart, &to, kind, length, 1, 0, 1, twiddles);
        q = b = LANES;
    }
    for (; b < length / radix; b += LANES, q += LANES) {
        if (q == first) {
            at = place_of_sub_line(factors, factors->count - 1, b) * radix;
            q = 0;
        }
        short_butterfly(from, at + q * apart, apart, &to, kind, length, 1, b, 0, twiddles);
    }
}

#define OF_FIRST(kind, swaps, r)                                                                   \
    first_stage_of_row(*from, to, (stage_kind){kind, swaps, r, 0, 0}, length)
#define FIRST_STAGE(name)                                                                          \
    static void name(const row_end *from, parts to, size_t length, int radix) {                    \
        ANY_RADIX(radix, name##_of)                                                                \
    }

#define untangled_of(r) OF_FIRST(PAIRS, 0, r)
FIRST_STAGE(untangled)

#define folded_of(r) OF_FIRST(FOLDED_PAIRS, 0, r)
FIRST_STAGE(folded)

#define unpacked_of(r) OF_FIRST(PACKED_ROWS, 1, r)
FIRST_STAGE(unpacked)

#define unhalved_of(r) OF_FIRST(HALF_ROWS, 1, r)
FIRST_STAGE(unhalved)

#define split_of(r) OF_FIRST(PARTS, 0, r)
FIRST_STAGE(split)

/* From 512 on there are stages between the first and the last one, whose radices are 8 or 16. */
#define MIDDLE_RADIX(radix, call)                                                                  \
    if ((radix) == 8) {                                                                            \
        call(8);                                                                                   \
    } else {                                                                                       \
        call(16);                                                                                  \
    }

static void next_stage(const parts *from, const parts *to, size_t length, size_t m, int radix,
                       const lane *twiddles) {
#define LONG(r) long_stage(from, to, NULL, 0, length, m, r, twiddles, NULL)
#if WEFT_LANES > 8
#define SHORT_8(r)                                                                                 \
    short_stage(*from, (row_end){.split = *to}, (stage_kind){PARTS, 0, r, 0, 0}, length, 8,        \
                twiddles)
    if (m < LANES) {
        MIDDLE_RADIX(radix, SHORT_8)
        return;
    }
#endif
    MIDDLE_RADIX(radix, LONG)
}

static void next_stage_in_place(const parts *row, const factor_list *factors, int s, size_t length,
                                size_t m, const lane *twiddles, const row_end *early) {
    int radix = factors->radix[s];
#define IN_PLACE(r) long_stage(row, row, factors, s, length, m, r, twiddles, early)
    MIDDLE_RADIX(radix, IN_PLACE)
}

#define OF_LAST(kind, swaps, r)                                                                    \
    if ((r) >= LANES && in_place != NULL) {                                                        \
        last_stage_in_place(from, in_place, *to, (stage_kind){kind, swaps, r, 0, 1}, length,       \
                            twiddles);                                                             \
    } else if (fetches(kind) && is_near_row(length)) {                                             \
        short_stage(from, *to, (stage_kind){kind, swaps, r, 1, 0}, length, 1, twiddles);           \
    } else {                                                                                       \
        short_stage(from, *to, (stage_kind){kind, swaps, r, 0, 0}, length, 1, twiddles);           \
    }
#define LAST_STAGE(name)                                                                           \
    static void name(parts from, const factor_list *in_place, const row_end *to, size_t length,    \
                     int radix, const lane *twiddles) {                                            \
        ANY_RADIX(radix, name##_of)                                                                \
    }

#define packed_of(r) OF_LAST(PACKED_ROWS, 0, r)
LAST_STAGE(packed)

#define halved_of(r) OF_LAST(HALF_ROWS, 0, r)
LAST_STAGE(halved)

#define left_of(r) OF_LAST(PARTS, 0, r)
LAST_STAGE(left)

#define tangled_of(r) OF_LAST(PAIRS, 1, r)
LAST_STAGE(tangled)

#define tangled_streamed_of(r) OF_LAST(STREAMED_PAIRS, 1, r)
LAST_STAGE(tangled_streamed)

#define unfolded_of(r) OF_LAST(FOLDED_PAIRS, 1, r)
LAST_STAGE(unfolded)

/* ---- rows ---------------------------------------------------------------------------------------
 */

typedef void first_stage(const row_end *, parts, size_t, int);
typedef void last_stage(parts, const factor_list *, const row_end *, size_t, int, const lane *);

/* Buffer `number` of work, which has two. */
static parts row_buffer(lane *work, size_t length, int number) {
    return parts_at(work + (size_t)number * (2 * parts_apart(length) + PARTS_GAP), length);
}

/* The stages after the first one and before the last one, from `buffer` on; where the values are
 * then. */
static parts next_stages(const fast_line *row, parts buffer, parts other, int in_place,
                         const row_end *to) {
    const factor_list *factors = &row->factors;
    size_t m = row->length / (size_t)factors->radix[0];
    for (int s = 1; s < factors->count - 1; s++) {
        m /= (size_t)factors->radix[s];
        if (in_place) {
            next_stage_in_place(&buffer, factors, s, row->length, m, row->twiddles[s],
                                to->is_early && s == 1 ? to : NULL);
        } else {
            parts before = buffer;
            next_stage(&before, &other, row->length, m, factors->radix[s], row->twiddles[s]);
            buffer = other;
            other = before;
        }
    }
    return buffer;
}

static void all_row_stages(const fast_line *row, first_stage *first, const row_end *from,
                           last_stage *last, const row_end *to, parts buffer, parts other) {
    const factor_list *factors = &row->factors;
    int end = factors->count - 1, in_place = works_in_place(row);
    first(from, buffer, row->length, factors->radix[0]);
    buffer = next_stages(row, buffer, other, in_place, to);
    last(buffer, in_place ? factors : NULL, to, row->length, factors->radix[end],
         row->twiddles[end]);
}

static lane *spectrum_row(spectrum_view s, size_t k) {
    return s.values + k * row_reals(s);
}

/* Rows k and H - k, and that those come next which follow. */
static row_end spectrum_rows(spectrum_view s, size_t k, lane scale) {
    row_end rows = {.upper = spectrum_row(s, k),
                    .lower = spectrum_row(s, s.height - k),
                    .view = s,
                    .scale = scale};
    rows.next_upper = rows.upper + row_reals(s);
    rows.next_lower = rows.lower - row_reals(s);
    return rows;
}

static row_end mid_rows(const mid_view *mid, size_t upper, size_t lower) {
    row_end rows = {.upper = mid->values + upper * mid->pitch,
                    .lower = mid->values + lower * mid->pitch,
                    .upper_turn = turn_of_row(mid, upper),
                    .lower_turn = turn_of_row(mid, lower)};
    rows.next_upper = rows.upper + mid->pitch;
    rows.next_lower = rows.lower - mid->pitch;
    return rows;
}

/* Who stores fetches what is loaded next; early, large images take 4 to 9 % less (an EPYC,
 * 2026-11-25, docs/performance.md), but not where no stage is in place. */
static void fetch_next_of(row_end *stored, const row_end *loaded, const fast_line *row,
                          const mid_view *mid) {
    stored->next_upper = loaded->next_upper;
    stored->next_lower = loaded->next_lower;
    stored->is_early = mid->is_early && works_in_place(row);
}

static void rows(const fast_line *row, const mid_view *mid, size_t k, spectrum_view spectrum,
                 size_t k_of_spectrum, lane scale, lane *work) {
    row_end from = mid_rows(mid, k, mid->height - k);
    row_end to = spectrum_rows(spectrum, k_of_spectrum, scale);
    fetch_next_of(&to, &from, row, mid);
    all_row_stages(row, untangled, &from, spectrum.half ? halved : packed, &to,
                   row_buffer(work, row->length, 0), row_buffer(work, row->length, 1));
}

static void rows_inverse(const fast_line *row, spectrum_view spectrum, size_t k_of_spectrum,
                         const mid_view *mid, size_t k, lane *work) {
    row_end from = spectrum_rows(spectrum, k_of_spectrum, 1);
    row_end to = mid_rows(mid, k, mid->height - k);
    fetch_next_of(&to, &from, row, mid);
    int streams = VECTOR_IS_LINE && mid->streams;
    all_row_stages(row, spectrum.half ? unhalved : unpacked, &from,
                   streams ? tangled_streamed : tangled, &to, row_buffer(work, row->length, 0),
                   row_buffer(work, row->length, 1));
    if (streams) {
        finish_streams();
    }
}

/* One row of it. */
static WEFT_HD void multiply_row(spectrum_view s, lane *row, spectrum_view transfer, const lane *by,
                                 const lane *gain) {
    for (size_t l = LANES; l < s.width / 2; l += LANES) {
        cpx z = load_direct(s, row, l);
        z = gain != NULL ? cpx_of(z.re * load_lanes(gain + l), z.im * load_lanes(gain + l))
                         : cpx_mul(z, load_direct(transfer, by, l));
        store_direct(s, row, l, z);
    }
}

static void multiply(spectrum_view spectrum, size_t k, spectrum_view transfer, size_t k_of_transfer,
                     const lane *gain) {
    const size_t rows_of[2] = {k, spectrum.height - k};
    const size_t rows_by[2] = {k_of_transfer, transfer.height - k_of_transfer};
    for (int i = 0; i < 2; i++) {
        lane *row = spectrum_row(spectrum, rows_of[i]);
        if (gain != NULL) {
            multiply_row(spectrum, row, transfer, NULL,
                         gain + rows_by[i] * (transfer.width / 2 + 1));
        } else {
            multiply_row(spectrum, row, transfer, spectrum_row(transfer, rows_by[i]), NULL);
        }
    }
}

static lane *folded_rows(const fast_line *row, const mid_view *mid, lane *work) {
    row_end from = mid_rows(mid, 0, mid->height / 2);
    /* The buffer before the last stage is the other one. */
    int before_last = works_in_place(row) ? 0 : row->factors.count % 2;
    row_end to = {.split = row_buffer(work, row->length, 1 - before_last)};
    all_row_stages(row, folded, &from, left, &to, row_buffer(work, row->length, 0),
                   row_buffer(work, row->length, 1));
    return to.split.re;
}

static void folded_rows_inverse(const fast_line *row, const mid_view *mid, lane *work) {
    /* The parts that are there are swapped by their names. */
    parts there = parts_at(work, row->length);
    row_end from = {.split = {there.im, there.re}};
    row_end to = mid_rows(mid, 0, mid->height / 2);
    all_row_stages(row, split, &from, unfolded, &to, row_buffer(work, row->length, 1),
                   row_buffer(work, row->length, 0));
}

static void part_folded(const lane *folded, spectrum_view spectrum, lane scale) {
    const lane *re = folded, *im = folded + parts_apart(spectrum.width);
    for (size_t l = LANES; l < spectrum.width / 2; l += LANES) {
        size_t m = first_mirrored(spectrum.width, l);
        cpx row_0, row_middle, z = cpx_of(load_lanes(re + l), load_lanes(im + l));
        cpx mirrored = cpx_of(backwards(load_lanes(re + m)), backwards(load_lanes(im + m)));
        untangle(z, mirrored, &row_0, &row_middle);
        store_direct(spectrum, spectrum.values, l, cpx_scale(row_0, lanes_of(scale)));
        store_direct(spectrum, spectrum_row(spectrum, spectrum.height / 2), l,
                     cpx_scale(row_middle, lanes_of(scale)));
    }
}

static void join_folded(spectrum_view spectrum, lane *folded) {
    parts to = parts_at(folded, spectrum.width);
    for (size_t l = LANES; l < spectrum.width / 2; l += LANES) {
        size_t m = first_mirrored(spectrum.width, l);
        cpx row_0 = load_direct(spectrum, spectrum.values, l);
        cpx row_middle = load_direct(spectrum, spectrum_row(spectrum, spectrum.height / 2), l);
        cpx z = tangle(row_0, row_middle), mirrored = tangle_mirrored(row_0, row_middle);
        store_parts(&to, l, z);
        store_parts(&to, m, cpx_of(backwards(mirrored.re), backwards(mirrored.im)));
    }
}

#endif
