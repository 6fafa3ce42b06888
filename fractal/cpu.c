/* SPDX-License-Identifier: MIT
 * The search cpu: the answers of seq by vectors of int16 and a team of threads. Kernels find the
 * entry of the codebook; which of its scales it was is looked for afterwards. Tasks are runs of
 * ranges, and each goes through the codebook in pieces that the caches hold.
 */
#include <stdlib.h>
#include <string.h>

#include "arena.h"
#include "cpu_kernels.h"
#include "isa.h"
#include "search.h"
#include "team.h"
#include "threads.h"

/* Ranges of a task, and groups of entries of a piece. */
enum { TASK_RANGES = 16, PIECE_GROUPS = 128 };

extern const cpu_kernels fractal_kernels_plain, fractal_kernels_v2, fractal_kernels_v3,
    fractal_kernels_v4, fractal_float_kernels_plain, fractal_float_kernels_v2,
    fractal_float_kernels_v3, fractal_float_kernels_v4;

/* Indexed by isa. */
static const cpu_kernels *const kernels_of[] = {ROW_OF_PLAIN(&fractal_kernels_plain) ROW_OF_V2(
    &fractal_kernels_v2) ROW_OF_V3(&fractal_kernels_v3) ROW_OF_V4(&fractal_kernels_v4)};
static const cpu_kernels *const float_kernels_of[] = {
    ROW_OF_PLAIN(&fractal_float_kernels_plain) ROW_OF_V2(&fractal_float_kernels_v2)
        ROW_OF_V3(&fractal_float_kernels_v3) ROW_OF_V4(&fractal_float_kernels_v4)};

typedef struct cpu_plane {
    const codebook *book;
    void *entries; /* of int16_t, or floats */
    size_t groups;
} cpu_plane;

typedef struct cpu_state {
    const cpu_kernels *kernels;
    size_t threads;
    int no_flat;
    arena memory;
    cpu_plane plane[WEFT_FRACTAL_PLANES];
} cpu_state;

static weft_status supports(const search_problem *p) {
    isa set;
    weft_status status;
    if ((status = isa_choose(&set)) != WEFT_OK ||
        (status = refuse_profile("cpu", p, WEFT_FRACTAL_SEED)) != WEFT_OK ||
        (status = refuse_history("cpu", p, TAKES_FLOATS)) != WEFT_OK) {
        return status;
    }
    return refuse_elimination("cpu", p);
}

static size_t groups_of(size_t entries, int lanes) {
    return (entries + (size_t)lanes - 1) / (size_t)lanes;
}

static void lay_out(cpu_state *s, const search_problem *p, arena *a) {
    size_t group = GROUP_VECTORS * (size_t)s->kernels->lanes;
    for (int i = 0; i < p->planes; i++) {
        s->plane[i].entries =
            arena_take(a, groups_of(p->blocks[i].domains, s->kernels->lanes) * group,
                       s->kernels->is_float ? sizeof(float) : sizeof(int16_t));
    }
}

static weft_status create(const search_problem *p, void **state) {
    isa set;
    weft_status status = isa_choose(&set);
    if (status != WEFT_OK) {
        return status;
    }
    cpu_state *made = calloc(1, sizeof *made);
    if (made == NULL) {
        return weft_fail(WEFT_NO_MEMORY, "no memory for a search");
    }
    made->kernels = p->desc->arith == WEFT_FRACTAL_FLOAT ? float_kernels_of[set] : kernels_of[set];
    made->threads = threads_asked_for(p->desc->threads);
    made->no_flat = p->desc->no_flat;
    lay_out(made, p, &made->memory);
    if ((status = arena_open(&made->memory)) != WEFT_OK) {
        free(made);
        return status;
    }
    lay_out(made, p, &made->memory);
    *state = made;
    return WEFT_OK;
}

static void destroy(void *state) {
    cpu_state *s = state;
    if (s != NULL) {
        arena_close(&s->memory);
        free(s);
    }
}

static void put(const cpu_state *s, const cpu_plane *p, size_t at, int value) {
    if (s->kernels->is_float) {
        ((float *)p->entries)[at] = (float)value;
    } else {
        ((int16_t *)p->entries)[at] = (int16_t)value;
    }
}

/* Entries into groups, value by value, with their sums. The last group is filled up with the last
 * entry, which is never better than itself. */
static weft_status take_codebook(void *state, int plane, codebook *book) {
    const cpu_state *s = state;
    cpu_plane *p = &((cpu_state *)state)->plane[plane];
    size_t lanes = (size_t)s->kernels->lanes;
    p->book = book;
    p->groups = groups_of(book->count, s->kernels->lanes);
    for (size_t i = 0; i < p->groups * lanes; i++) {
        size_t entry = i < book->count ? i : book->count - 1;
        const int16_t *from = book->values + entry * BLOCK_PIXELS;
        size_t to = i / lanes * GROUP_VECTORS * lanes + i % lanes;
        int sum = 0;
        for (size_t k = 0; k < BLOCK_PIXELS; k++) {
            put(s, p, to + k * lanes, from[k]);
            sum += from[k];
        }
        put(s, p, to + BLOCK_PIXELS * lanes, sum);
    }
    return WEFT_OK;
}

/* ---- find --------------------------------------------------------------------------------------
 */

typedef struct job {
    const cpu_state *state;
    const cpu_plane *plane;
    const range_list *ranges;
    search_answer *answers;
} job;

static cpu_best before_all(const int16_t *range, int no_flat) {
    return (cpu_best){no_flat ? MOST_SUM + 1 : flat_sum(range), NO_ENTRY};
}

/* The first scale with which the entry has its sum. */
static search_answer answer_of(const codebook *book, const int16_t *range, cpu_best best) {
    if (best.entry == NO_ENTRY) {
        return (search_answer){.z = SEED_FLAT};
    }
    const int16_t *domain = book->values + (size_t)best.entry * BLOCK_PIXELS;
    int z = 0;
    while (sum_of_differences(domain, seed_scales[z], range) != best.sum) {
        z++;
    }
    return (search_answer){book->number[best.entry], (uint8_t)z};
}

static void find_task(const job *j, size_t first, size_t count) {
    const int16_t *ranges = j->ranges->values + first * BLOCK_PIXELS;
    const cpu_plane *p = j->plane;
    cpu_best best[TASK_RANGES];
    for (size_t i = 0; i < count; i++) {
        best[i] = before_all(ranges + i * BLOCK_PIXELS, j->state->no_flat);
    }
    for (size_t group = 0; group < p->groups; group += PIECE_GROUPS) {
        size_t end = group + PIECE_GROUPS < p->groups ? group + PIECE_GROUPS : p->groups;
        j->state->kernels->find(p->entries, group, end, ranges, count, best);
    }
    for (size_t i = 0; i < count; i++) {
        j->answers[first + i] = answer_of(p->book, ranges + i * BLOCK_PIXELS, best[i]);
    }
}

/* For team_run(). */
static void run_tasks(const void *of, size_t pass, size_t member, size_t first, size_t end) {
    const job *j = of;
    (void)pass;
    (void)member;
    for (size_t task = first; task < end; task++) {
        size_t range = task * TASK_RANGES, left = j->ranges->count - range;
        find_task(j, range, left < TASK_RANGES ? left : TASK_RANGES);
    }
}

static weft_status find(void *state, int plane, const range_list *ranges, search_answer *answers,
                        search_work *work) {
    const cpu_state *s = state;
    const job j = {s, &s->plane[plane], ranges, answers};
    size_t count = (ranges->count + TASK_RANGES - 1) / TASK_RANGES;
    const team_work all = {.run = run_tasks, .of = &j, .passes = 1, .tasks = {{count, 1}}};
    team_run(&all, s->threads < count ? s->threads : count);
    work->terms +=
        (double)ranges->count * (double)j.plane->book->count * SEED_SCALES * BLOCK_PIXELS;
    return WEFT_OK;
}

const search search_cpu = {
    .name = "cpu",
    .about = "vectors of 16-bit integers or floats, and threads",
    .supports = supports,
    .create = create,
    .destroy = destroy,
    .take_codebook = take_codebook,
    .find = find,
};
