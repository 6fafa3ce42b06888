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

/* ---- what there is ----------------------------------------------------------------------------
 */

/* Of pieces that have the same rows. */
static size_t count_beside(const filter_run *r, const image *picture) {
    return picture->planes / r->desc.batch;
}

static size_t first_of_strip(const filter_run *r, const image *picture, size_t strip) {
    return strip * picture->height / r->strips;
}

static piece piece_of(const filter_run *r, const image *picture, size_t strip, size_t beside) {
    return (piece){.plane = beside * r->desc.batch,
                   .first = first_of_strip(r, picture, strip),
                   .end = first_of_strip(r, picture, strip + 1)};
}

static size_t count_threads(const filter_run *r) {
    return r->options->threads > 0 ? r->options->threads : (size_t)omp_get_max_threads();
}

int pieces_are_on_host(const filter_run *r) {
    return strncmp(weft_plan_strategy(r->plan), "cpu.", strlen("cpu.")) == 0;
}

/* Of a strip and of the next one, whose neighbours are rows of this one. */
size_t pieces_kept(const filter_run *r, const image *picture) {
    return r->strips > 1 ? 2 * count_beside(r, picture) : 1;
}

size_t pieces_bytes(const filter_run *r) {
    return r->desc.batch * r->desc.height * r->desc.width * values_bytes(&r->desc);
}

/* More than there are strips in memory would have nothing to do. */
size_t pieces_threads(const filter_run *r, const image *picture) {
    const size_t threads = count_threads(r), kept = pieces_kept(r, picture);

    return r->strips == 1 ? 1 : threads < kept ? threads : kept;
}

/* ---- a piece ----------------------------------------------------------------------------------
 */

/* For the loops over rows of a piece; pixels that are only copied are not worth waking other
 * threads, and those of strips have work of their own. */
static int threads_of_rows(const filter_run *r) {
    return r->desc.pixel != WEFT_PIXEL_REAL || r->strips > 1 ? 1 : (int)count_threads(r);
}

static int load(const pieces *p, piece of, char *planes) {
    const filter_run *r = p->run;
    const image *picture = p->picture;
    const size_t bytes = values_bytes(&r->desc), row_bytes = r->desc.width * bytes;
    const screen *found = &r->filter->screen;
    const going_on waves = {{found->waves[0].row, found->waves[1].row},
                            {found->waves[0].column, found->waves[1].column}};
    const bordered frame = {.border = r->filter->border,
                            .height = picture->height,
                            .width = picture->width,
                            .first = of.first,
                            .rows = of.end - of.first,
                            .plane_height = r->desc.height,
                            .plane_width = r->desc.width,
                            .bytes = bytes,
                            .waves = found->count > 0 ? &waves : NULL};
    int code = EXIT_DONE;

    for (size_t k = 0; code == EXIT_DONE && k < r->desc.batch; k++) {
        char *plane = planes + k * r->desc.height * row_bytes;

#pragma omp parallel for num_threads(threads_of_rows(r))
        for (size_t m = 0; m < r->desc.height; m++) {
            const size_t row = border_row(&frame, m);

            if (row != SIZE_MAX) {
                values_load_row(r, picture, p->light,
                                ((of.plane + k) * picture->height + row) * picture->width,
                                p->shifts[of.plane + k].before, plane + m * row_bytes);
            }
        }
        code = border_fill(&frame, plane);
    }
    return code;
}

static int filter_values(const filter_run *r, void *values, void *work) {
    weft_status status;

    if (pieces_are_on_host(r)) {
        status =
            weft_filter(r->plan, values, r->transfer.values, r->transfer.kind, values, work, NULL);
    } else { /* a GPU has no use for two callers */
#pragma omp critical(gpu)
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

    for (size_t k = 0; code == EXIT_DONE && k < count_beside(r, p->picture); k++) {
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

/* What the tasks share: the first failure, after which nothing is done any more; and who waits for
 * whom, by the addresses of these letters. */
typedef struct strips {
    const pieces *pieces;
    filter_losses *losses;
    atomic_int code;
    char *kept[2][MOST_PLANES]; /* the strips in memory: even ones and odd ones */
    char read, written;         /* the streams */
    char *is_read;              /* of each strip, with its neighbours; */
    char (*is_loaded)[MOST_PLANES];
    char (*is_stored)[MOST_PLANES];
} strips;

static void settle(strips *s, int code) {
    int none = EXIT_DONE;

    atomic_compare_exchange_strong(&s->code, &none, code);
}

static int is_going_on(strips *s) {
    return atomic_load(&s->code) == EXIT_DONE;
}

/* The end of all rows that a strip's plane has. */
static size_t end_of_reading(const pieces *p, size_t strip) {
    const piece of = piece_of(p->run, p->picture, strip, 0);
    const size_t beside = (p->run->desc.height - (of.end - of.first) + 1) / 2;

    return beside < p->picture->height - of.end ? of.end + beside : p->picture->height;
}

static void read_strip(strips *s, size_t strip) {
    const filter_pipeline *pipeline = s->pieces->pipeline;

    if (pipeline != NULL && is_going_on(s)) {
        settle(s, pipeline->read(pipeline->context, end_of_reading(s->pieces, strip)));
    }
}

static void load_strip(strips *s, size_t strip, size_t plane) {
    if (is_going_on(s)) {
        settle(s, load(s->pieces, piece_of(s->pieces->run, s->pieces->picture, strip, plane),
                       s->kept[strip % 2][plane]));
    }
}

static void filter_strip(strips *s, size_t strip, size_t plane) {
    const filter_run *r = s->pieces->run;
    const size_t before = (size_t)omp_get_thread_num() * weft_plan_workspace(r->plan);

    if (is_going_on(s)) {
        settle(s, filter_values(r, s->kept[strip % 2][plane],
                                r->work != NULL ? r->work + before : NULL));
    }
}

static void store_strip(strips *s, size_t strip, size_t plane) {
    if (is_going_on(s)) {
        store(s->pieces, piece_of(s->pieces->run, s->pieces->picture, strip, plane),
              s->kept[strip % 2][plane], s->losses);
    }
}

static void write_strip(strips *s, size_t strip) {
    const filter_pipeline *pipeline = s->pieces->pipeline;

    if (pipeline != NULL && is_going_on(s)) {
        settle(s, pipeline->write(pipeline->context,
                                  first_of_strip(s->pieces->run, s->pieces->picture, strip + 1)));
    }
}

/* A strip is stored where its neighbour's rows were, once that one has loaded them. */
static void plan_strip(strips *s, size_t strip) {
    const size_t beside = count_beside(s->pieces->run, s->pieces->picture);

    if (strip < s->pieces->run->strips) {
#pragma omp task depend(inout : s->read) depend(out : s->is_read[strip])
        read_strip(s, strip);
        for (size_t k = 0; k < beside; k++) {
#pragma omp task depend(in                                                                         \
                        : s->is_read[strip]) depend(out                                            \
                                                    : s->kept[strip % 2][k])                       \
    depend(out                                                                                     \
           : s->is_loaded[strip][k])
            load_strip(s, strip, k);
        }
    }
    if (strip > 0) {
        for (size_t k = 0; k < beside; k++) {
#pragma omp task depend(in                                                                         \
                        : s->kept[(strip - 1) % 2][k], s->is_loaded[strip][k])                     \
    depend(out                                                                                     \
           : s->is_stored[strip - 1][k])
            store_strip(s, strip - 1, k);
        }
#pragma omp task depend(inout                                                                      \
                        : s->written)                                                              \
    depend(in                                                                                      \
           : s->is_stored[strip - 1][0], s->is_stored[strip - 1][1], s->is_stored[strip - 1][2],   \
             s->is_stored[strip - 1][3])
        write_strip(s, strip - 1);
    }
    for (size_t k = 0; strip < s->pieces->run->strips && k < beside; k++) {
#pragma omp task depend(inout : s->kept[strip % 2][k])
        filter_strip(s, strip, k);
    }
}

static void do_strips(strips *s) {
    const filter_run *r = s->pieces->run;

#pragma omp parallel num_threads((int)pieces_threads(r, s->pieces->picture))
#pragma omp single
    for (size_t strip = 0; strip <= r->strips; strip++) {
        plan_strip(s, strip);
    }
}

static int filter_strips(const pieces *p, filter_losses *losses) {
    const size_t count = p->run->strips, bytes = pieces_bytes(p->run);
    strips s = {.pieces = p, .losses = losses};
    char *letters = allocate(count + 1, 1 + 2 * MOST_PLANES);

    if (letters == NULL) {
        return EXIT_MEMORY;
    }
    s.is_loaded = (char(*)[MOST_PLANES])letters;
    s.is_stored = s.is_loaded + count + 1;
    s.is_read = (char *)(s.is_stored + count + 1);
    for (size_t k = 0; k < pieces_kept(p->run, p->picture); k++) {
        s.kept[k % 2][k / 2] = p->run->planes + k * bytes;
    }
    do_strips(&s);
    free(letters);
    return atomic_load(&s.code);
}

int pieces_filter(const pieces *p, filter_losses *losses) {
    return p->run->strips > 1 ? filter_strips(p, losses) : filter_planes(p, losses);
}
