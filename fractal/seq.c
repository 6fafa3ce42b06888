/* SPDX-License-Identifier: MIT
 * The search as it is defined, in scalar C on one thread: read this one first. Each range is held
 * against all domains with all scales, and what is the best so far is replaced by what is strictly
 * better. CMake has it compiled without vectors, since other searches are measured against it.
 */
#include "search.h"

typedef struct seq_state {
    const weft_fractal_desc *desc;
    const codebook *book[WEFT_FRACTAL_PLANES];
} seq_state;

static weft_status supports(const search_problem *p) {
    return refuse_history("seq", p, TAKES_NOTHING);
}

static weft_status create(const search_problem *p, void **state) {
    seq_state *made = calloc(1, sizeof *made);
    if (made == NULL) {
        return weft_fail(WEFT_NO_MEMORY, "no memory for a search");
    }
    made->desc = p->desc;
    *state = made;
    return WEFT_OK;
}

static weft_status take_codebook(void *state, int plane, codebook *book) {
    ((seq_state *)state)->book[plane] = book;
    return WEFT_OK;
}

/* ---- the seed profile: the least sum of absolute differences -----------------------------------
 */

static search_answer find_seed(const codebook *book, const int16_t *range, int no_flat,
                               double *terms) {
    search_answer best = {.z = SEED_FLAT};
    int least = no_flat ? NO_FLAT_SUM : flat_sum(range);
    for (size_t entry = 0; entry < book->count; entry++) {
        for (int z = 0; z < SEED_SCALES; z++) {
            int sum =
                sum_of_differences(book->values + entry * BLOCK_PIXELS, seed_scales[z], range);
            if (sum < least) {
                least = sum;
                best = (search_answer){book->number[entry], (uint8_t)z};
            }
        }
    }
    *terms += (double)book->count * SEED_SCALES * BLOCK_PIXELS;
    return best;
}

/* ---- the same by successive elimination --------------------------------------------------------
 */

enum { PARTS = 4 };

/* The sums of the four quarters of a block. */
static void part_sums(const int16_t *values, int sums[PARTS]) {
    for (int part = 0; part < PARTS; part++) {
        const int16_t *first = values + part / 2 * 2 * BLOCK_SIDE + part % 2 * 2;
        sums[part] = first[0] + first[1] + first[BLOCK_SIDE] + first[BLOCK_SIDE + 1];
    }
}

/* At least `least`, if the sum is. */
static int sum_unless_beaten(const int16_t *domain, int scale, const int16_t *range, int least,
                             double *terms) {
    int sum = 0;
    for (int i = 0; i < BLOCK_PIXELS && sum < least; i += BLOCK_SIDE) {
        for (int j = i; j < i + BLOCK_SIDE; j++) {
            sum += abs(scale * domain[j] - 4 * range[j]);
        }
        *terms += BLOCK_SIDE;
    }
    return sum;
}

/* The absolute value of a sum is at most the sum of absolute values. */
static int bound_of_parts(const int *domain, int scale, const int *range) {
    int sum = 0;
    for (int part = 0; part < PARTS; part++) {
        sum += abs(scale * domain[part] - 4 * range[part]);
    }
    return sum;
}

static search_answer eliminate_seed(const codebook *book, const int16_t *range, int no_flat,
                                    double *terms) {
    search_answer best = {.z = SEED_FLAT};
    int least = no_flat ? NO_FLAT_SUM : flat_sum(range);
    int of_range[PARTS], of_domain[PARTS];
    part_sums(range, of_range);
    for (size_t entry = 0; entry < book->count; entry++) {
        const int16_t *domain = book->values + entry * BLOCK_PIXELS;
        part_sums(domain, of_domain);
        for (int z = 0; z < SEED_SCALES; z++) {
            *terms += PARTS;
            if (bound_of_parts(of_domain, seed_scales[z], of_range) >= least) {
                continue;
            }
            int sum = sum_unless_beaten(domain, seed_scales[z], range, least, terms);
            if (sum < least) {
                least = sum;
                best = (search_answer){book->number[entry], (uint8_t)z};
            }
        }
    }
    return best;
}

/* ---- the dense profile: least squares ----------------------------------------------------------
 */

static search_answer find_dense(const codebook *book, const int16_t *range, double *terms) {
    search_answer best = {.z = DENSE_FLAT};
    int64_t least = 0;
    for (size_t entry = 0; entry < book->count; entry++) {
        int k;
        int64_t error = least_dense_error(book->values + entry * BLOCK_PIXELS, range, &k);
        if (error < least) {
            least = error;
            best = (search_answer){book->number[entry], (uint8_t)(k + DENSE_FLAT)};
        }
    }
    *terms += (double)book->count * BLOCK_PIXELS;
    return best;
}

static weft_status find(void *state, int plane, const range_list *ranges, search_answer *answers,
                        search_work *work) {
    const seq_state *s = state;
    const codebook *book = s->book[plane];
    for (size_t i = 0; i < ranges->count; i++) {
        const int16_t *range = ranges->values + i * BLOCK_PIXELS;
        answers[i] = s->desc->profile == WEFT_FRACTAL_DENSE ? find_dense(book, range, &work->terms)
                     : s->desc->elimination
                         ? eliminate_seed(book, range, s->desc->no_flat, &work->terms)
                         : find_seed(book, range, s->desc->no_flat, &work->terms);
    }
    return WEFT_OK;
}

const search search_seq = {
    .name = "seq",
    .about = "scalar C on one thread, as the search is defined",
    .supports = supports,
    .create = create,
    .destroy = free,
    .take_codebook = take_codebook,
    .find = find,
};
