/* SPDX-License-Identifier: MIT
 * What a plan of cpu.fast needs for lines of any length (across.h): where values lie in a buffer,
 * twiddles in the order of places, tiles, scratch. Factors, twiddles and chirps are those of
 * cpu_ref/line.c, so that the bits are those of cpu.reference.
 */
#include <stdlib.h>
#include <string.h>

#include "arith/twiddle.h"
#include "fast/plan.h"
#include "line.h"
#include "sizes.h"
#include "status.h"

/* ---- kernels ----------------------------------------------------------------------------------
 */

#define KERNELS(isa) KERNELS_OF(WEFT_REAL_BITS, isa)
#define KERNELS_OF(bits, isa) KERNELS_NAMED(bits, isa)
#define KERNELS_NAMED(bits, isa) across_kernels_f##bits##_##isa

extern const across_kernels KERNELS(plain), KERNELS(v2), KERNELS(v3), KERNELS(v4);

/* Indexed by isa. */
static const across_kernels *const all_kernels[] = {ROW_OF_PLAIN(&KERNELS(plain)) ROW_OF_V2(
    &KERNELS(v2)) ROW_OF_V3(&KERNELS(v3)) ROW_OF_V4(&KERNELS(v4))};

/* ---- tables -----------------------------------------------------------------------------------
 */

/* Memory that tables are laid out in; with no `memory` only their sizes are added. */
typedef struct arena {
    char *memory;
    size_t used;
} arena;

static void *take(arena *a, size_t count, size_t size) {
    void *taken = a->memory != NULL ? a->memory + a->used : NULL;
    a->used += whole_lines(count * size);
    return taken;
}

/* Values 0 to count - 1 of a line lie in their order but for the gaps. */
static uint32_t place_in_order(const across_line *made, size_t n) {
    size_t first = made->factors.count > 0 ? (size_t)made->factors.radix[0] : 1;
    return (uint32_t)(n + made->gap * (n / (made->transformed / first)));
}

/* Where the digits of a number say: the first stage's is its lowest and comes first. */
static size_t place_of_digits(const factor_list *factors, int stages, size_t number) {
    size_t place = 0;
    for (int s = 0; s < stages; s++) {
        size_t radix = (size_t)factors->radix[s];
        place = place * radix + number % radix;
        number /= radix;
    }
    return place;
}

static void make_places(across_line *made, arena *a) {
    uint32_t *in = take(a, made->length, sizeof *in);
    uint32_t *out = made->chirp == NULL ? take(a, made->length, sizeof *out) : in;
    made->in = in;
    made->out = out;
    for (size_t n = 0; in != NULL && n < made->length; n++) {
        in[n] = place_in_order(made, n);
        if (made->chirp == NULL) {
            size_t place = place_of_digits(&made->factors, made->factors.count, n);
            out[n] = place_in_order(made, place);
        }
    }
}

static void make_twiddles(across_line *made, const cpx *natural, arena *a) {
    const factor_list *factors = &made->factors;
    size_t sub_lines = 1;
    for (int s = 0; s < factors->count; s++) {
        size_t each = stage_twiddles((size_t)factors->radix[s]);
        const cpx *from = natural + twiddles_before(factors, s);
        made->roots[s] = (const scalar *)(from - stage_roots((size_t)factors->radix[s]));
        cpx *to = s > 0 ? take(a, sub_lines * each, sizeof *to) : NULL;
        made->twiddles[s] = (const scalar *)to;
        for (size_t q = 0; to != NULL && q < sub_lines; q++) {
            memcpy(to + place_of_digits(factors, s, q) * each, from + q * each, each * sizeof *to);
        }
        sub_lines *= (size_t)factors->radix[s];
    }
}

static void make_convolution(across_line *to, const line *l, arena *a) {
    size_t sub_lines = 1;
    to->factors_back = l->convolution->factors[1];
    for (int s = 0; s < to->factors_back.count; s++) {
        to->twiddles_back[s] =
            (const scalar *)(l->convolution->twiddles[1] + twiddles_before(&to->factors_back, s));
        to->places_back[s] = sub_lines;
        sub_lines *= (size_t)to->factors_back.radix[s];
    }
    cpx *spectrum = take(a, to->transformed, sizeof *spectrum);
    for (size_t k = 0; spectrum != NULL && k < to->transformed; k++) {
        spectrum[place_of_digits(&to->factors, to->factors.count, k)] = l->chirp_spectrum[k];
    }
    to->chirp_spectrum = (const scalar *)spectrum;
}

static across_line make_line(const line *l, int is_inverse, arena *a) {
    const line *stages = l->convolution != NULL ? l->convolution : l;
    int way = l->convolution != NULL ? 0 : is_inverse;
    across_line made = {.length = l->length,
                        .transformed = stages->length,
                        .gap = rows_apart(stages->length),
                        .factors = stages->factors[way],
                        .chirp = (const scalar *)l->chirp};
    size_t sub_lines = made.factors.count > 0 ? (size_t)made.factors.radix[0] : 0;
    made.places = made.transformed + made.gap * sub_lines;
    make_places(&made, a);
    make_twiddles(&made, stages->twiddles[way], a);
    if (l->convolution != NULL) {
        make_convolution(&made, l, a);
    }
    return made;
}

/* Whether columns.inc takes the column. A large prime would be the first of its factors. */
static int has_stages(const line *l) {
    const factor_list *factors = &l->factors[0];
    return l->convolution == NULL && factors->count >= 2 && factors->radix[0] <= LARGEST_RADIX;
}

static fast_line make_column(const line *l, int is_inverse) {
    fast_line made = {.length = l->length, .factors = l->factors[is_inverse]};
    for (int s = 0; has_stages(l) && s < made.factors.count; s++) {
        made.twiddles[s] =
            (const scalar *)(l->twiddles[is_inverse] + twiddles_before(&made.factors, s));
    }
    return made;
}

/* Which vector real c of a row of the spectrum is: see spectrum_places. */
static uint32_t vector_of_real(const problem *p, const uint32_t *places, size_t c, int is_lower) {
    size_t l, W = p->width;
    int is_imaginary, is_minus = 0;
    if (p->layout == WEFT_HALF) {
        l = is_lower ? mirror(c / 2, W) : c / 2;
        is_imaginary = (int)(c % 2);
        is_minus = is_lower && is_imaginary;
    } else if (c == 0 || 2 * c == W) {
        l = c;
        is_imaginary = is_lower;
    } else {
        is_imaginary = 2 * c > W;
        l = is_imaginary == is_lower ? c : W - c;
        is_minus = is_lower && is_imaginary;
    }
    return 4 * places[l] + 2 * (uint32_t)is_imaginary + (uint32_t)is_minus;
}

static spectrum_places make_spectrum_places(const problem *p, const uint32_t *places, arena *a) {
    size_t reals = reals_of_spectrum_row(p);
    uint32_t *upper = take(a, reals, sizeof *upper), *lower = take(a, reals, sizeof *lower);
    for (size_t c = 0; upper != NULL && c < reals; c++) {
        upper[c] = vector_of_real(p, places, c, 0);
        lower[c] = vector_of_real(p, places, c, 1);
    }
    return (spectrum_places){upper, lower};
}

static size_t make_tables(fast_plan *plan, char *memory) {
    arena a = {.memory = memory};
    for (int way = 0; way < 2; way++) {
        const line *column = plan->lines[AXIS_COLUMN], *row = plan->lines[AXIS_ROW];
        plan->column[way] = make_column(column, way);
        plan->across_column[way] = make_line(column, way, &a);
        plan->across_row[way] = make_line(row, way, &a);
    }
    plan->to_spectrum = make_spectrum_places(&plan->problem, plan->across_row[0].out, &a);
    plan->from_spectrum = make_spectrum_places(&plan->problem, plan->across_row[1].in, &a);
    return a.used;
}

/* ---- tiles, threads, scratch ------------------------------------------------------------------
 */

/* Places of longer lines would not fit into 32 bits. */
enum { MOST_LENGTH = 1 << 26 };

static size_t larger(size_t a, size_t b) {
    return a > b ? a : b;
}

static size_t round_up(size_t n, size_t unit) {
    return (n + unit - 1) / unit * unit;
}

/* Rows of tiles are whole cache lines where those of the image are. The more of them lie side by
 * side, the fewer pages of memory a tile touches for its size: that is worth more than to fit into
 * the second-level cache. But threads need several tiles each, to share them out. */
enum { MOST_LINES = 8, TILES_OF_A_THREAD = 4 };

static size_t tile_width(const fast_plan *plan, size_t threads) {
    const problem *p = &plan->problem;
    size_t width = 2 * (size_t)plan->across->lanes, most = MOST_LINES * CACHE_LINE / sizeof(scalar);
    while (has_stages(plan->lines[AXIS_COLUMN]) && width < most &&
           width * p->height * sizeof(scalar) <= plan->caches.second &&
           2 * width * threads * TILES_OF_A_THREAD <= p->width) {
        width *= 2;
    }
    return width;
}

/* Scalars of a buffer for either way. Each has gaps between the sub-lines of its own first stage.
 */
static size_t buffer_scalars(const fast_plan *plan, const across_line ways[2]) {
    return larger(ways[0].places, ways[1].places) * 2 * (size_t)plan->across->lanes;
}

static void lay_out_scratch(fast_plan *plan) {
    const problem *p = &plan->problem;
    size_t stages = larger(tile_rows_of(p->height) * plan->tile_width,
                           buffer_scalars(plan, plan->across_column));
    size_t buffer = buffer_scalars(plan, plan->across_row);
    plan->staging = round_up(stages, CACHE_LINE);
    plan->second_buffer = round_up(buffer, CACHE_LINE);
    plan->spare_row = 2 * plan->second_buffer;
    size_t column = plan->staging + p->height * plan->tile_width;
    size_t row = plan->spare_row + round_up(reals_of_spectrum_row(p), CACHE_LINE) +
                 2 * parts_apart(p->width);
    plan->thread_scratch = whole_lines(larger(column, row) * sizeof(scalar));
    if (has_integer_pixels(p)) {
        plan->intermediate_bytes = whole_lines(p->height * p->width * sizeof(scalar));
        plan->sums_bytes = whole_lines(p->width * sizeof(uint64_t));
    }
}

size_t across_tiles(const fast_plan *plan) {
    return round_up(plan->problem.width, plan->tile_width) / plan->tile_width;
}

size_t across_blocks(const fast_plan *plan) {
    size_t lanes = (size_t)plan->across->lanes;
    return round_up(folded_lines(plan->problem.height), lanes) / lanes;
}

weft_status across_plan(fast_plan *plan, isa set, size_t threads) {
    const problem *p = &plan->problem;
    weft_status status;
    plan->across = all_kernels[set];
    if (p->height > MOST_LENGTH || p->width > MOST_LENGTH) {
        return weft_fail(WEFT_NO_MEMORY, "cpu.fast: %zux%zu: no memory for lines longer than %zu",
                         p->height, p->width, (size_t)MOST_LENGTH);
    }
    if ((status = lines_fit(p)) != WEFT_OK ||
        (status = line_create(&plan->lines[AXIS_ROW], p->width, AXIS_ROW)) != WEFT_OK ||
        (status = line_create(&plan->lines[AXIS_COLUMN], p->height, AXIS_COLUMN)) != WEFT_OK) {
        return status;
    }
    size_t bytes = make_tables(plan, NULL);
    plan->tables = aligned_alloc(CACHE_LINE, bytes);
    if (plan->tables == NULL) {
        char text[BYTES_TEXT_SIZE];
        return weft_fail(WEFT_NO_MEMORY, "no memory for %s of tables", bytes_text(bytes, text));
    }
    make_tables(plan, (char *)plan->tables);
    for (int way = 0; way < 2; way++) {
        plan->streams[way] =
            plan->column_kernels->can_stream &&
            are_outgrown(&plan->caches, p->height * p->width * sizeof(scalar), way);
    }
    plan->tile_width = tile_width(plan, threads);
    lay_out_scratch(plan);
    size_t work = larger(across_tiles(plan), across_blocks(plan));
    plan->threads = (int)(threads < work ? threads : work);
    return WEFT_OK;
}

void across_plan_clear(fast_plan *plan) {
    line_destroy(plan->lines[AXIS_ROW]);
    line_destroy(plan->lines[AXIS_COLUMN]);
}
