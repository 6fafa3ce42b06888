/* SPDX-License-Identifier: MIT
 * Which rows the experiment has, and the order in which they are measured; see experiment.h.
 */
#include "reproduce/dx11/experiment.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "reproduce/dx11/measure.h"
#include "shell/complain.h"
#include "shell/progress.h"

const char *const dx11_technique_words[] = {"uav", "slm", NULL};
const char *const dx11_twiddle_words[] = {"lut", "compute", NULL};
const char *const dx11_layout_words[] = {"planes4", "fig14", "planes3", NULL};
const char *const dx11_source_words[] = {"direct", "copy", NULL};
const char *const dx11_sink_words[] = {"rgba8", "float", NULL};

enum { FIGURE_SIDE = 512, SMALLEST_SIDE = 256, LARGEST_SIDE = 4096, LARGEST_QUICK_SIDE = 512 };

static const dx11_own own_transforms[] = {
    {"cuda.uav", "lut", "zero", 0},
    {"cuda.uav:real=tangle", "lut", "tangle", 0},
    {"cuda.slm", "lut", "zero", 0},
    {"cuda.slm:real=tangle", "lut", "tangle", 0},
    {"cuda.slm:columns=tile", "lut", "zero", 0},
    {"cuda.twopass", NULL, "tangle", 1},
};
enum { OWN_TRANSFORMS = sizeof own_transforms / sizeof *own_transforms };

dx11_desc dx11_as_it_was(size_t height, size_t width, dx11_technique technique,
                         dx11_twiddle twiddle) {
    return (dx11_desc){.height = height,
                       .width = width,
                       .technique = technique,
                       .twiddle = twiddle,
                       .layout = DX11_PLANES4,
                       .source = DX11_COPY,
                       .sink = DX11_FLOAT};
}

/* ---- the rows -------------------------------------------------------------------------------- */

static int is_figure(const dx11_experiment *e, const dx11_desc *d) {
    return d->height == e->figure_height && d->width == e->figure_width;
}

/* The sample as it was at every size, what differs from it in one thing at the figure's. */
static int is_shown(const dx11_experiment *e, const dx11_desc *d) {
    const int changes = (d->layout != DX11_PLANES4) + (d->source != DX11_COPY);
    if (changes == 0) {
        return d->sink == DX11_FLOAT;
    }
    return is_figure(e, d) && changes == 1 && d->twiddle == DX11_COMPUTE &&
           (d->source == DX11_DIRECT || d->sink == DX11_FLOAT);
}

static int add_row(dx11_experiment *e, const dx11_desc *d, const dx11_own *own, int shown) {
    const double unknown = (double)NAN;
    const dx11_time untimed = {.summary = {unknown, unknown, unknown}};
    dx11_row *longer = reallocarray(e->rows, e->count + 1, sizeof *longer);
    if (longer == NULL) {
        return complain(EXIT_MEMORY, "out of memory for the experiment's rows");
    }
    e->rows = longer;
    e->rows[e->count++] = (dx11_row){.own = own,
                                     .desc = *d,
                                     .is_shown = shown,
                                     .psnr_db = unknown,
                                     .rel_l2 = unknown,
                                     .gate_l2 = unknown,
                                     .graph = untimed,
                                     .stream = untimed};
    return EXIT_DONE;
}

/* All combinations of the sample's choices, counted from that with every first value. */
enum { COMBINATIONS = 2 * 2 * 3 * 2 * 2 };
static dx11_desc combination(size_t height, size_t width, int i) {
    return (dx11_desc){.height = height,
                       .width = width,
                       .technique = (dx11_technique)(i / 24),
                       .layout = (dx11_layout)(i / 8 % 3),
                       .source = (dx11_source)(1 - i / 4 % 2),
                       .sink = (dx11_sink)(1 - i / 2 % 2),
                       .twiddle = (dx11_twiddle)(i % 2)};
}

static int add_size(dx11_experiment *e, size_t height, size_t width) {
    int code = EXIT_DONE;
    for (int i = 0; i < COMBINATIONS && code == EXIT_DONE; i++) {
        const dx11_desc d = combination(height, width, i);
        const int shown = is_shown(e, &d);
        code = shown || e->options->full ? add_row(e, &d, NULL, shown) : EXIT_DONE;
    }
    for (int i = 0; i < OWN_TRANSFORMS && code == EXIT_DONE; i++) {
        const dx11_desc d = {.height = height, .width = width};
        code = add_row(e, &d, &own_transforms[i], 1);
    }
    return code;
}

static int add_sizes(dx11_experiment *e) {
    const size_t largest = e->options->quick ? LARGEST_QUICK_SIDE : LARGEST_SIDE;
    int code = add_size(e, e->figure_height, e->figure_width);
    for (size_t side = SMALLEST_SIDE; side <= largest && code == EXIT_DONE; side *= 2) {
        if (side != e->figure_height || side != e->figure_width) {
            code = add_size(e, side, side);
        }
    }
    return code;
}

static size_t power_of_two(size_t n) {
    size_t power = 1;
    while (power < n) {
        power *= 2;
    }
    return power;
}

/* ---- measuring ------------------------------------------------------------------------------- */

static int same_size(const dx11_row *a, const dx11_row *b) {
    return a->desc.height == b->desc.height && a->desc.width == b->desc.width;
}

static void show_progress(const dx11_experiment *e, const dx11_row *row, double rows_done) {
    char text[DX11_TEXT_SIZE];
    snprintf(text, sizeof text, "%zux%zu %s", row->desc.height, row->desc.width,
             row->own ? row->own->strategy : dx11_technique_words[row->desc.technique]);
    progress_step(rows_done / (double)e->count, text);
}

static int has_failed(const dx11_row *row) {
    return row->reason[0] != '\0' || row->failure[0] != '\0';
}

static weft_status measure(dx11_row *row, const dx11_stage *stage) {
    const weft_status status =
        row->own ? dx11_measure_own(row, stage) : dx11_measure_sample(row, stage);
    if (status == WEFT_UNSUPPORTED || status == WEFT_NO_MEMORY) {
        snprintf(row->reason, sizeof row->reason, "%s", weft_last_error());
        return WEFT_OK;
    }
    return status;
}

static size_t end_of_size(const dx11_experiment *e, size_t first) {
    size_t end = first;
    while (end < e->count && same_size(&e->rows[end], &e->rows[first])) {
        end++;
    }
    return end;
}

/* Row after row takes a few samples, and that several times: what slows the machine down for a
 * while slows all of them. */
static weft_status take_turns(dx11_experiment *e, size_t first, size_t end,
                              const dx11_stage *stage) {
    const size_t rows = end - first;
    weft_status status = WEFT_OK;
    for (size_t i = 0; i < DX11_TURNS * rows && status == WEFT_OK; i++) {
        dx11_row *row = &e->rows[first + i % rows];
        if (!has_failed(row)) {
            show_progress(e, row, (double)first + (double)i / DX11_TURNS);
            status = measure(row, stage);
        }
    }
    return status;
}

static int run_size(dx11_experiment *e, size_t first, size_t end) {
    const dx11_desc *d = &e->rows[first].desc;
    dx11_picture picture;
    dx11_stage stage = {0};
    weft_status status = WEFT_OK;
    int code = dx11_picture_make(&picture, e->options->picture, d->height, d->width);

    if (code == EXIT_DONE) {
        code = dx11_stage_open(&stage, &picture);
    }
    if (code == EXIT_DONE) {
        status = take_turns(e, first, end, &stage);
    }
    dx11_stage_close(&stage);
    dx11_picture_free(&picture);
    return status == WEFT_OK ? code : complain_status(status);
}

int dx11_experiment_run(dx11_experiment *e, const reproduce_options *o) {
    const image *picture = o->picture;
    int code;

    *e = (dx11_experiment){.options = o,
                           .figure_height = picture ? power_of_two(picture->height) : FIGURE_SIDE,
                           .figure_width = picture ? power_of_two(picture->width) : FIGURE_SIDE};
    code = add_sizes(e);
    progress_start("measuring");
    for (size_t first = 0, end; first < e->count && code == EXIT_DONE; first = end) {
        end = end_of_size(e, first);
        code = run_size(e, first, end);
    }
    progress_end();
    return code;
}

void dx11_experiment_free(dx11_experiment *e) {
    free(e->rows);
    *e = (dx11_experiment){0};
}

/* ---- finding --------------------------------------------------------------------------------- */

static int has_run(const dx11_row *row) {
    return !has_failed(row) && row->graph.count != 0;
}

static int same_desc(const dx11_desc *a, const dx11_desc *b) {
    return a->height == b->height && a->width == b->width && a->technique == b->technique &&
           a->twiddle == b->twiddle && a->layout == b->layout && a->source == b->source &&
           a->sink == b->sink;
}

const dx11_row *dx11_find_sample(const dx11_experiment *e, const dx11_desc *desc) {
    for (size_t i = 0; i < e->count; i++) {
        const dx11_row *row = &e->rows[i];
        if (row->own == NULL && has_run(row) && same_desc(&row->desc, desc)) {
            return row;
        }
    }
    return NULL;
}

const dx11_row *dx11_find_counted(const dx11_experiment *e, const dx11_desc *desc) {
    for (size_t i = 0; i < e->count; i++) {
        const dx11_row *row = &e->rows[i];
        if (row->own == NULL && row->was_counted && same_desc(&row->desc, desc)) {
            return row;
        }
    }
    return NULL;
}

const dx11_row *dx11_find_own(const dx11_experiment *e, const char *strategy, size_t height,
                              size_t width) {
    for (size_t i = 0; i < e->count; i++) {
        const dx11_row *row = &e->rows[i];
        if (row->own != NULL && has_run(row) && strcmp(row->own->strategy, strategy) == 0 &&
            row->desc.height == height && row->desc.width == width) {
            return row;
        }
    }
    return NULL;
}

int dx11_size_at(const dx11_experiment *e, size_t i, size_t *height, size_t *width) {
    for (size_t row = 0; row < e->count; row++) {
        const int is_first = row == 0 || !same_size(&e->rows[row], &e->rows[row - 1]);
        if (is_first && i-- == 0) {
            *height = e->rows[row].desc.height;
            *width = e->rows[row].desc.width;
            return 1;
        }
    }
    return 0;
}
