/* SPDX-License-Identifier: MIT
 * Pieces in and out of the memory of a run, and the order in which that is done; see pieces.h.
 */
#include "filter/pieces.h"

#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <omp.h>

#include "filter/borders.h"
#include "shell/complain.h"

/* What is filtered together: as many planes as a plan has, or a strip of one. */
typedef struct piece {
    size_t plane;      /* the first one */
    size_t first, end; /* rows */
} piece;

/* Up to six strips are in memory, so that as many threads filter, and at least two of each plane,
 * so that one is loaded while its neighbour is filtered. */
enum { KEPT = 6, KEPT_OF_A_PLANE = 2, MOST_KEPT = KEPT_OF_A_PLANE * MOST_PLANES };
_Static_assert(MOST_KEPT >= KEPT, "there is a flag for each strip in memory");

/* ---- what there is ----------------------------------------------------------------------------
 */

/* Pieces that have the same rows. */
static size_t count_groups(const filter_run *r, const image *picture) {
    return picture->planes / r->desc.batch;
}

static size_t first_of_strip(const filter_run *r, const image *picture, size_t strip) {
    return strip * picture->height / r->strips;
}

static piece piece_of(const filter_run *r, const image *picture, size_t strip, size_t group) {
    return (piece){.plane = group * r->desc.batch,
                   .first = first_of_strip(r, picture, strip),
                   .end = first_of_strip(r, picture, strip + 1)};
}

static size_t count_threads(const filter_run *r) {
    return r->options->threads > 0 ? r->options->threads : (size_t)omp_get_max_threads();
}

static int is_on_host(const filter_run *r) {
    return strncmp(weft_plan_strategy(r->plan), "cpu.", strlen("cpu.")) == 0;
}

/* Strips of a plane that are in memory. */
static size_t kept_of_a_plane(const filter_run *r, const image *picture) {
    const size_t share = KEPT / count_groups(r, picture);
    const size_t kept = share > KEPT_OF_A_PLANE ? share : KEPT_OF_A_PLANE;

    return kept < r->strips ? kept : r->strips;
}

size_t pieces_kept(const filter_run *r, const image *picture) {
    return r->strips > 1 ? kept_of_a_plane(r, picture) * count_groups(r, picture) : 1;
}

size_t pieces_bytes(const filter_run *r) {
    return r->desc.batch * r->desc.height * r->desc.width * values_bytes(&r->desc);
}

size_t pieces_together(const filter_run *r, const image *picture) {
    const size_t threads = count_threads(r), kept = pieces_kept(r, picture);

    return threads < kept ? threads : kept;
}

/* Each begins as aligned as the first. */
size_t pieces_work_bytes(const filter_run *r) {
    const size_t aligned = 64;

    return is_on_host(r) ? (weft_plan_workspace(r->plan) + aligned - 1) / aligned * aligned : 0;
}

/* ---- a piece ----------------------------------------------------------------------------------
 */

/* For the loops over rows of a piece; pixels that are only copied are not worth waking other
 * threads, and those of strips have work of their own. */
static int threads_of_rows(const filter_run *r) {
    return r->desc.pixel != WEFT_PIXEL_REAL || r->strips > 1 ? 1 : (int)count_threads(r);
}

static bordered frame_of(const pieces *p, piece of) {
    return (bordered){.border = p->run->filter->border,
                      .height = p->picture->height,
                      .width = p->picture->width,
                      .first = of.first,
                      .rows = of.end - of.first,
                      .plane_height = p->run->desc.height,
                      .plane_width = p->run->desc.width,
                      .bytes = values_bytes(&p->run->desc)};
}

static int load(const pieces *p, piece of, char *planes) {
    const filter_run *r = p->run;
    const screen *found = &r->filter->screen;
    const going_on waves = {{found->waves[0].row, found->waves[1].row},
                            {found->waves[0].column, found->waves[1].column}};
    bordered frame = frame_of(p, of);
    const size_t row_bytes = frame.plane_width * frame.bytes;
    int code = EXIT_DONE;

    frame.waves = found->count > 0 ? &waves : NULL;
    for (size_t k = 0; code == EXIT_DONE && k < r->desc.batch; k++) {
        char *plane = planes + k * r->desc.height * row_bytes;

#pragma omp parallel for num_threads(threads_of_rows(r))
        for (size_t m = 0; m < r->desc.height; m++) {
            const size_t row = border_row(&frame, m);

            if (row != SIZE_MAX) {
                values_load_row(r, p->picture, p->light,
                                ((of.plane + k) * frame.height + row) * frame.width,
                                p->shifts[of.plane + k].before, plane + m * row_bytes);
            }
        }
        code = border_fill(&frame, plane);
    }
    return code;
}

static int filter_values(const filter_run *r, void *values, void *work) {
    weft_status status;

    if (work != NULL) {
        status =
            weft_filter(r->plan, values, r->transfer.values, r->transfer.kind, values, work, NULL);
    } else {
        status = weft_filter_host(r->plan, values, r->transfer.values, r->transfer.kind, values);
    }
    return status == WEFT_OK ? EXIT_DONE : complain_status(status);
}

static void store(const pieces *p, piece of, const char *planes, filter_losses *losses) {
    const filter_run *r = p->run;
    const size_t row_bytes = r->desc.width * values_bytes(&r->desc);
    size_t clamped = 0, not_finite = 0;

    for (size_t k = 0; k < r->desc.batch; k++) {
#pragma omp parallel for num_threads(threads_of_rows(r)) reduction(+ : clamped, not_finite)
        for (size_t m = of.first; m < of.end; m++) {
            filter_losses of_row = {0};

            values_store_row(r, planes + (k * r->desc.height + m - of.first) * row_bytes,
                             p->shifts[of.plane + k].behind, p->light, p->result,
                             ((of.plane + k) * p->result->height + m) * p->result->width, &of_row);
            clamped += of_row.clamped;
            not_finite += of_row.not_finite;
        }
    }
#pragma omp critical(losses)
    {
        losses->clamped += clamped;
        losses->not_finite += not_finite;
    }
}

/* ---- whole planes -----------------------------------------------------------------------------
 */

static int filter_planes(const pieces *p, filter_losses *losses) {
    filter_run *r = p->run;
    int code = EXIT_DONE;

    for (size_t k = 0; code == EXIT_DONE && k < count_groups(r, p->picture); k++) {
        const piece of = piece_of(r, p->picture, 0, k);

        code = load(p, of, r->planes);
        if (code == EXIT_DONE) {
            code = filter_values(r, r->planes, r->work);
        }
        if (code == EXIT_DONE && r->filter->is_spread) { /* all planes are here together */
            code = values_find_scale(r, r->planes, p->shifts, p->light, p->picture);
        }
        if (code == EXIT_DONE) {
            store(p, of, r->planes, losses);
        }
    }
    return code;
}

/* ---- strips -----------------------------------------------------------------------------------
 */

/* What the tasks share. Their dependences are addresses in this struct and behind it: of a strip in
 * memory, of the two streams, and of what has been done with a strip. */
typedef struct strips {
    const pieces *pieces;
    filter_losses *losses;
    atomic_int code; /* of the first failure, after which nothing is done any more */
    size_t kept_of_a_plane;
    char *kept; /* [strip % kept_of_a_plane][plane], each of so many bytes */
    size_t bytes;
    size_t workspaces;
    atomic_flag is_taken[MOST_KEPT]; /* of each workspace */
    char reading, writing;
    char *is_read; /* [strip] */
    char (*is_loaded)[MOST_PLANES];
    char (*is_stored)[MOST_PLANES]; /* [strip][plane], both */
} strips;

/* Where two fail at the same time both have complained, and one of them is the exit code. */
static void settle(strips *s, int code) {
    int none = EXIT_DONE;

    atomic_compare_exchange_strong(&s->code, &none, code);
}

static int is_going_on(strips *s) {
    return atomic_load(&s->code) == EXIT_DONE;
}

static char *kept_strip(const strips *s, size_t strip, size_t plane) {
    const size_t planes = count_groups(s->pieces->run, s->pieces->picture);

    return s->kept + (strip % s->kept_of_a_plane * planes + plane) * s->bytes;
}

static piece strip_of(const strips *s, size_t strip, size_t plane) {
    return piece_of(s->pieces->run, s->pieces->picture, strip, plane);
}

static void read_strip(strips *s, size_t strip) {
    const filter_pipeline *pipeline = s->pieces->pipeline;
    const bordered frame = frame_of(s->pieces, strip_of(s, strip, 0));

    if (pipeline != NULL && is_going_on(s)) {
        settle(s, pipeline->read(pipeline->context, border_end(&frame)));
    }
}

static void load_strip(strips *s, size_t strip, size_t plane) {
    if (is_going_on(s)) {
        settle(s, load(s->pieces, strip_of(s, strip, plane), kept_strip(s, strip, plane)));
    }
}

/* One is free: there are as many workspaces as threads, or as strips in memory, whichever are
 * fewer. */
static size_t take_workspace(strips *s) {
    size_t i = 0;

    while (atomic_flag_test_and_set(&s->is_taken[i])) {
        i = (i + 1) % s->workspaces;
    }
    return i;
}

static void filter_strip(strips *s, size_t strip, size_t plane) {
    const filter_run *r = s->pieces->run;

    if (is_going_on(s)) {
        const size_t i = take_workspace(s);
        char *work = r->work != NULL ? r->work + i * pieces_work_bytes(r) : NULL;

        settle(s, filter_values(r, kept_strip(s, strip, plane), work));
        atomic_flag_clear(&s->is_taken[i]);
    }
}

static void store_strip(strips *s, size_t strip, size_t plane) {
    if (is_going_on(s)) {
        store(s->pieces, strip_of(s, strip, plane), kept_strip(s, strip, plane), s->losses);
    }
}

static void write_strip(strips *s, size_t strip) {
    const filter_pipeline *pipeline = s->pieces->pipeline;

    if (pipeline != NULL && is_going_on(s)) {
        settle(s, pipeline->write(pipeline->context, strip_of(s, strip, 0).end));
    }
}

/* The result may have the memory of the picture, and a strip is loaded with rows of both
 * neighbours. So it is stored only when the one before and the next one have been loaded, too; its
 * own values are loaded where they are filtered. */
/* clang-format off */
static void plan_strip(strips *s, size_t strip) {
    const size_t planes = count_groups(s->pieces->run, s->pieces->picture);
    const size_t count = s->pieces->run->strips, before = strip > 0 ? strip - 1 : 0;
    const size_t first_beside = before > 0 ? before - 1 : 0;

    _Static_assert(MOST_PLANES == 4, "written out below");
    if (strip < count) {
#pragma omp task depend(inout: s->reading) \
                 depend(out: s->is_read[strip])
        read_strip(s, strip);
        for (size_t k = 0; k < planes; k++) {
#pragma omp task depend(in: s->is_read[strip]) \
                 depend(out: *kept_strip(s, strip, k)) \
                 depend(out: s->is_loaded[strip][k])
            load_strip(s, strip, k);
        }
    }
    if (strip > 0) {
        for (size_t k = 0; k < planes; k++) {
#pragma omp task depend(in: *kept_strip(s, before, k)) \
                 depend(in: s->is_loaded[first_beside][k], s->is_loaded[strip][k]) \
                 depend(out: s->is_stored[before][k])
            store_strip(s, before, k);
        }
#pragma omp task depend(in: s->is_stored[before][0], s->is_stored[before][1]) \
                 depend(in: s->is_stored[before][2], s->is_stored[before][3]) \
                 depend(inout: s->writing)
        write_strip(s, before);
    }
    for (size_t k = 0; strip < count && k < planes; k++) {
#pragma omp task depend(inout: *kept_strip(s, strip, k))
        filter_strip(s, strip, k);
    }
}
/* clang-format on */

static void do_strips(strips *s) {
#pragma omp parallel num_threads((int)count_threads(s->pieces->run))
#pragma omp single
    for (size_t strip = 0; strip <= s->pieces->run->strips; strip++) {
        plan_strip(s, strip);
    }
}

static int filter_strips(const pieces *p, filter_losses *losses) {
    const size_t count = p->run->strips;
    strips s = {.pieces = p,
                .losses = losses,
                .kept_of_a_plane = kept_of_a_plane(p->run, p->picture),
                .kept = p->run->planes,
                .bytes = pieces_bytes(p->run),
                .workspaces = pieces_together(p->run, p->picture)};
    char *addresses = allocate(count + 1, 1 + 2 * MOST_PLANES);

    if (addresses == NULL) {
        return EXIT_MEMORY;
    }
    for (size_t i = 0; i < MOST_KEPT; i++) {
        atomic_flag_clear(&s.is_taken[i]);
    }
    s.is_loaded = (char(*)[MOST_PLANES])addresses;
    s.is_stored = s.is_loaded + count + 1;
    s.is_read = (char *)(s.is_stored + count + 1);
    do_strips(&s);
    free(addresses);
    return atomic_load(&s.code);
}

int pieces_filter(const pieces *p, filter_losses *losses) {
    return p->run->strips > 1 ? filter_strips(p, losses) : filter_planes(p, losses);
}
