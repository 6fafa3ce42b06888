/* SPDX-License-Identifier: MIT
 * The claims, a function each: it adds to the text what it looked at, and returns whether it holds.
 * Times are medians of the replayed graph.
 */
#include "reproduce/dx11/claims.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

const dx11_published dx11_figure_11 = {.where = "Figure 11",
                                       .gpu = "HD Graphics of a Core i5-4300U",
                                       .height = 512,
                                       .width = 512,
                                       .technique = DX11_SLM,
                                       .lut_us = 18079.5,
                                       .compute_us = 14323.0};

const char *dx11_verdict_word(dx11_verdict v) {
    return v == DX11_PASS ? "PASS" : v == DX11_FAIL ? "FAIL" : "SKIP";
}

/* ---- words and numbers ----------------------------------------------------------------------- */

__attribute__((format(printf, 2, 3))) static void add(dx11_claim *c, const char *format, ...) {
    const size_t used = strlen(c->text);
    va_list values;
    va_start(values, format);
    vsnprintf(c->text + used, sizeof c->text - used, format, values);
    va_end(values);
}

/* Between two things that were looked at. */
static void add_size(dx11_claim *c, size_t height, size_t width) {
    add(c, "%s%zux%zu ", c->text[0] != '\0' ? ", " : "", height, width);
}

static void note(dx11_claim *c, int holds) {
    if (c->verdict != DX11_FAIL) {
        c->verdict = holds ? DX11_PASS : DX11_FAIL;
    }
}

static double median(const dx11_row *row) {
    return row->graph.summary.median_us;
}

static const dx11_row *as_it_was(const dx11_experiment *e, size_t height, size_t width,
                                 dx11_technique technique, dx11_twiddle twiddle) {
    const dx11_desc d = dx11_as_it_was(height, width, technique, twiddle);
    return dx11_find_sample(e, &d);
}

/* ---- slm is faster than uav ------------------------------------------------------------------ */

static void judge_slm(const dx11_experiment *e, dx11_claim *c) {
    size_t height, width;
    for (size_t i = 0; dx11_size_at(e, i, &height, &width); i++) {
        for (int twiddle = DX11_LUT; twiddle <= DX11_COMPUTE; twiddle++) {
            const dx11_row *uav = as_it_was(e, height, width, DX11_UAV, (dx11_twiddle)twiddle);
            const dx11_row *slm = as_it_was(e, height, width, DX11_SLM, (dx11_twiddle)twiddle);
            if (uav != NULL && slm != NULL) {
                add_size(c, height, width);
                add(c, "%s %.2f times", dx11_twiddle_words[twiddle], median(uav) / median(slm));
                note(c, median(slm) < median(uav));
            }
        }
    }
}

/* ---- the model's bytes ----------------------------------------------------------------------- */

/* The article's figures for the first axis of pictures of this width, uav against slm, with RGBA32F
 * and both techniques reading what they read there; see dx11_count_first_axis. */
static const struct {
    size_t side;
    double reads, writes;
} first_axis = {.side = 512, .reads = 36, .writes = 9};

static int equal(double a, double b) {
    return fabs(a - b) <= 1e-9 * fabs(b);
}

static const dx11_row *counted(const dx11_experiment *e, size_t height, size_t width,
                               dx11_technique technique, dx11_layout layout) {
    dx11_desc d = dx11_as_it_was(height, width, technique, DX11_COMPUTE);
    d.layout = layout;
    return dx11_find_counted(e, &d);
}

static void judge_bytes(const dx11_experiment *e, dx11_claim *c) {
    const size_t side = first_axis.side;
    const dx11_row *uav = counted(e, side, side, DX11_UAV, DX11_PLANES4);
    const dx11_row *slm = counted(e, side, side, DX11_SLM, DX11_PLANES4);
    if (uav != NULL && slm != NULL) {
        const double reads = uav->first_axis.read / slm->first_axis.read;
        const double writes = uav->first_axis.written / slm->first_axis.written;
        add_size(c, side, side);
        add(c, "%.4g and %.4g times", reads, writes);
        note(c, equal(reads, first_axis.reads) && equal(writes, first_axis.writes));
    }
}

/* Along the first axis uav goes from texture to texture; slm reads the picture. */
static double texture_bytes(const dx11_row *row) {
    const dx11_traffic *t = &row->first_axis;
    return row->desc.technique == DX11_UAV ? t->read + t->written : t->written;
}

static const double fig14_share = 0.75;

static void judge_fig14(const dx11_experiment *e, dx11_claim *c) {
    const size_t height = e->figure_height, width = e->figure_width;
    for (int i = DX11_UAV; i <= DX11_SLM; i++) {
        const dx11_technique technique = (dx11_technique)i;
        const dx11_row *planes4 = counted(e, height, width, technique, DX11_PLANES4);
        const dx11_row *fig14 = counted(e, height, width, technique, DX11_FIG14);
        if (planes4 != NULL && fig14 != NULL) {
            const double share = texture_bytes(fig14) / texture_bytes(planes4);
            add_size(c, height, width);
            add(c, "%s %.4g of them", dx11_technique_words[i], share);
            if (planes4->graph.count != 0 && fig14->graph.count != 0) {
                add(c, " in %.2f of the time", median(fig14) / median(planes4));
            }
            note(c, equal(share, fig14_share));
        }
    }
}

/* ---- the table does not help slm ------------------------------------------------------------- */

/* How far apart the samples of one row are: a difference no larger than this is none. */
static double spread(const dx11_row *row) {
    return row->graph.summary.p95_us / row->graph.summary.min_us;
}

static void judge_table(const dx11_experiment *e, dx11_claim *c) {
    size_t height, width;
    for (size_t i = 0; dx11_size_at(e, i, &height, &width); i++) {
        const dx11_row *lut = as_it_was(e, height, width, DX11_SLM, DX11_LUT);
        const dx11_row *compute = as_it_was(e, height, width, DX11_SLM, DX11_COMPUTE);
        if (lut != NULL && compute != NULL) {
            const double ratio = median(lut) / median(compute);
            const double noise = fmax(spread(lut), spread(compute));
            add_size(c, height, width);
            add(c, "with it %.3f of the time without (samples within %.1f %%)", ratio,
                100 * (noise - 1));
            note(c, ratio * noise >= 1);
        }
    }
}

/* ---- tangling halves the work ---------------------------------------------------------------- */

/* Weft's own threshold: the half, and what there is besides butterflies. */
static const double most_of_the_time = 0.6;
enum { LEAST_SIDE = 1024 };

static void judge_pair(const dx11_experiment *e, dx11_claim *c, const char *zero,
                       const char *tangle, size_t height, size_t width) {
    const dx11_row *whole = dx11_find_own(e, zero, height, width);
    const dx11_row *half = dx11_find_own(e, tangle, height, width);
    if (whole != NULL && half != NULL) {
        add_size(c, height, width);
        add(c, "%s %.2f of the time", zero, median(half) / median(whole));
        note(c, median(half) <= most_of_the_time * median(whole));
    }
}

static void judge_tangling(const dx11_experiment *e, dx11_claim *c) {
    size_t height, width;
    for (size_t i = 0; dx11_size_at(e, i, &height, &width); i++) {
        if (height >= LEAST_SIDE && width >= LEAST_SIDE) {
            judge_pair(e, c, "cuda.uav", "cuda.uav:real=tangle", height, width);
            judge_pair(e, c, "cuda.slm", "cuda.slm:real=tangle", height, width);
        }
    }
}

/* ---- all of them ----------------------------------------------------------------------------- */

static const struct {
    const char *name;
    void (*judge)(const dx11_experiment *e, dx11_claim *c);
} claims[DX11_CLAIMS] = {
    {"article: slm is faster than uav at every size", judge_slm},
    {"article: the table does not help slm", judge_table},
    {"model: along a first axis of 512, uav reads 36 and writes 9 times as much as slm",
     judge_bytes},
    {"model: fig14 has three fourths of the texture bytes", judge_fig14},
    {"Weft: tangling halves the work (at most 0.6 of the time from 1024x1024 on)", judge_tangling},
};

void dx11_judge(const dx11_experiment *e, dx11_claim judged[DX11_CLAIMS]) {
    for (int i = 0; i < DX11_CLAIMS; i++) {
        judged[i] = (dx11_claim){.name = claims[i].name, .verdict = DX11_SKIP};
        claims[i].judge(e, &judged[i]);
        if (judged[i].text[0] == '\0') {
            add(&judged[i], "nothing was measured that could tell");
        }
    }
}
