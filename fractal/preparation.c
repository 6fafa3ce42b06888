/* SPDX-License-Identifier: MIT
 * What is done with a frame before its search: its planes are loaded and held against the
 * reference; then it is known whether it becomes one itself; then what is searched is listed.
 */
#include "changes.h"
#include "encoder_parts.h"
#include "plane.h"
#include "team.h"

enum { REFRESH_PERCENT = 60 };

typedef struct preparing {
    weft_fractal_encoder *encoder;
    const weft_fractal_picture *picture;
    change_counts (*counts)[PARTS]; /* of each plane */
    int *is_reference;
} preparing;

static void load_plane(encoder_plane *p, const uint8_t *from, size_t pitch) {
    uint8_t *old = p->before;
    p->before = p->now;
    p->now = old;
    plane_load(&p->blocks, from, pitch > 0 ? pitch : p->blocks.width, p->now);
    p->counts = (weft_fractal_counts){.ranges = p->blocks.ranges};
}

/* Whether so long after a reference another one is due. */
static int is_due(const weft_fractal_encoder *e) {
    return e->frames == 0 || (e->desc.refresh > 0 && e->since_refresh >= (unsigned)e->desc.refresh);
}

static int change_of(const weft_fractal_desc *d, const encoder_plane *p) {
    return d->change == WEFT_FRACTAL_AUTO ? change_threshold(&p->blocks, p->now, p->before)
                                          : d->change;
}

static change_counts mark_part(const weft_fractal_encoder *e, encoder_plane *p, size_t part) {
    const size_t first = first_of_part(&p->blocks, part), end = first_of_part(&p->blocks, part + 1);
    return is_due(e)
               ? (change_counts){end - first, end - first}
               : changes_mark(&p->blocks, first, end, p->now, p->original,
                              e->desc.no_repeat ? NULL : p->searched, p->counts.change, p->next);
}

/* counts: how many ranges each part has on the list. */
static void list_part(const weft_fractal_encoder *e, encoder_plane *p, size_t part,
                      const change_counts counts[PARTS], int is_reference) {
    size_t at = 0;
    for (size_t k = 0; k < part; k++) {
        at += counts[k].coded;
    }
    for (size_t i = first_of_part(&p->blocks, part); i < first_of_part(&p->blocks, part + 1); i++) {
        const unsigned char mode = is_reference ? WEFT_FRACTAL_CODED : p->next[i].mode;
        if (mode != WEFT_FRACTAL_CODED) {
            p->next[i] = p->codes[i];
        } else {
            p->next[i].mean = range_values(&p->blocks, i, p->now, e->desc.trunc_mean,
                                           p->values + at * BLOCK_PIXELS);
            p->number[at++] = (uint32_t)i;
        }
        p->next[i].mode = mode;
    }
    if (part == PARTS - 1) {
        p->list = (range_list){at, p->number, p->values, p->now};
    }
}

enum { PASS_LOAD, PASS_MARK, PASS_LIST, PREPARING_PASSES };

/* For team_run(). */
static void prepare_planes(const void *of, size_t pass, size_t member, size_t first, size_t end) {
    const preparing *f = of;
    weft_fractal_encoder *e = f->encoder;
    (void)member;
    for (size_t task = first; task < end; task++) {
        const size_t i = pass == PASS_LOAD ? task : task / PARTS, part = task % PARTS;
        encoder_plane *p = &e->plane[i];
        if (pass == PASS_LOAD) {
            load_plane(p, f->picture->plane[i], f->picture->pitch[i]);
            p->counts.change = is_due(e) ? 0 : change_of(&e->desc, p);
        } else if (pass == PASS_MARK) {
            f->counts[i][part] = mark_part(e, p, part);
        } else {
            list_part(e, p, part, f->counts[i], *f->is_reference);
        }
    }
}

/* After all are marked. Of a reference all ranges are listed. */
static void decide_reference(const preparing *f) {
    const weft_fractal_encoder *e = f->encoder;
    size_t changed = 0, ranges = 0;
    for (int i = 0; i < e->planes; i++) {
        for (int part = 0; part < PARTS; part++) {
            changed += f->counts[i][part].changed;
        }
        ranges += e->plane[i].blocks.ranges;
    }
    *f->is_reference = is_due(e) || (e->desc.refresh == WEFT_FRACTAL_AUTO &&
                                     100 * changed > REFRESH_PERCENT * ranges);
    for (int i = 0; i < e->planes && *f->is_reference; i++) {
        const plane_blocks *b = &e->plane[i].blocks;
        for (size_t part = 0; part < PARTS; part++) {
            f->counts[i][part].coded = first_of_part(b, part + 1) - first_of_part(b, part);
        }
    }
}

static void begin_preparing(const void *of, size_t pass) {
    if (pass == PASS_LIST) {
        decide_reference(of);
    }
}

int prepare_frame(weft_fractal_encoder *e, const weft_fractal_picture *picture) {
    change_counts counts[WEFT_FRACTAL_PLANES][PARTS];
    int is_reference = 0;
    const preparing f = {e, picture, counts, &is_reference};
    const size_t planes = (size_t)e->planes, parts = planes * PARTS;
    const team_work all = {.run = prepare_planes,
                           .begin = begin_preparing,
                           .of = &f,
                           .passes = PREPARING_PASSES,
                           .tasks = {{planes, 1}, {parts, 1}, {parts, 1}}};
    team_run(&all, threads_of(e));
    return is_reference;
}
