/* SPDX-License-Identifier: MIT
 * The claims, a function each: it adds to the text what it looked at, and returns whether it holds.
 * Times are medians of the replayed graph.
 */
#include "claims.h"

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

/* ---- bytes fall as the model says ------------------------------------------------------------ */

static int equal(double a, double b) {
    return fabs(a - b) <= 1e-9 * fabs(b);
}

static void judge_bytes(const dx11_experiment *e, dx11_claim *c) {
    size_t height, width;
    for (size_t i = 0; dx11_size_at(e, i, &height, &width); i++) {
        const dx11_row *uav = as_it_was(e, height, width, DX11_UAV, DX11_COMPUTE);
        const dx11_row *slm = as_it_was(e, height, width, DX11_SLM, DX11_COMPUTE);
        if (uav != NULL && slm != NULL && uav->was_counted && slm->was_counted) {
            const double reads = uav->counted.read / slm->counted.read;
            const double writes = uav->counted.written / slm->counted.written;
            const double model_reads = uav->predicted.read / slm->predicted.read;
            const double model_writes = uav->predicted.written / slm->predicted.written;
            add_size(c, height, width);
            add(c,
                "reads %.2f (model %.2f) and writes %.2f (model %.2f) times less, both axes "
                "both ways; the first axis alone by the model %.0f and %.0f",
                reads, model_reads, writes, model_writes, 4 * log2((double)width),
                log2((double)width));
            note(c, equal(reads, model_reads) && equal(writes, model_writes));
        }
    }
}

/* ---- the table does not help slm ------------------------------------------------------------- */

static const double noise = 0.02;

static void judge_table(const dx11_experiment *e, dx11_claim *c) {
    size_t height, width;
    for (size_t i = 0; dx11_size_at(e, i, &height, &width); i++) {
        const dx11_row *lut = as_it_was(e, height, width, DX11_SLM, DX11_LUT);
        const dx11_row *compute = as_it_was(e, height, width, DX11_SLM, DX11_COMPUTE);
        if (lut != NULL && compute != NULL) {
            const double ratio = median(lut) / median(compute);
            add_size(c, height, width);
            add(c, "with it %.2f of the time without", ratio);
            note(c, ratio >= 1 - noise);
        }
    }
}

/* ---- fig14 saves what it says ---------------------------------------------------------------- */

/* Bytes of textures alone: without the picture, its copy, and the numbers that come out. */
static double texture_bytes(const dx11_row *row) {
    const double pixels = (double)row->desc.height * (double)row->desc.width;
    const double samples = row->desc.technique == DX11_UAV ? 2 : 1; /* of the first pass */
    const double copy = 4 + 16, source = 16 * samples, sink = 16;
    return row->counted.read + row->counted.written - pixels * (copy + source + sink);
}

static void judge_fig14(const dx11_experiment *e, dx11_claim *c) {
    for (int technique = DX11_UAV; technique <= DX11_SLM; technique++) {
        dx11_desc d = dx11_as_it_was(e->figure_height, e->figure_width, (dx11_technique)technique,
                                     DX11_COMPUTE);
        const dx11_row *planes4 = dx11_find_sample(e, &d), *fig14;
        d.layout = DX11_FIG14;
        fig14 = dx11_find_sample(e, &d);
        if (planes4 != NULL && fig14 != NULL && planes4->was_counted && fig14->was_counted) {
            const double share = texture_bytes(fig14) / texture_bytes(planes4);
            add_size(c, d.height, d.width);
            add(c, "%s %.4g of the texture bytes (0.75 promised) in %.2f of the time",
                dx11_technique_words[technique], share, median(fig14) / median(planes4));
            note(c, equal(share, 0.75));
        }
    }
}

/* ---- tangling halves the work ---------------------------------------------------------------- */

static const double most_of_the_time = 0.6;
enum { LEAST_SIDE = 1024 };

/* Threads of all launches of cuda.uav: half as many rows of one pass after the other along x, half
 * as many columns along y. */
static double tangled_threads(size_t height, size_t width) {
    const double pixels = (double)height * (double)width;
    const double passes_x = log2((double)width), passes_y = log2((double)height);
    return (pixels / 2 * passes_x + pixels / 2 * passes_y) / (pixels * (passes_x + passes_y));
}

static int judge_pair(const dx11_experiment *e, dx11_claim *c, const char *zero, const char *tangle,
                      size_t height, size_t width) {
    const dx11_row *whole = dx11_find_own(e, zero, height, width);
    const dx11_row *half = dx11_find_own(e, tangle, height, width);
    if (whole == NULL || half == NULL) {
        return 0;
    }
    add_size(c, height, width);
    add(c, "%s %.2f of the time", zero, median(half) / median(whole));
    note(c, median(half) <= most_of_the_time * median(whole));
    return 1;
}

static void judge_tangling(const dx11_experiment *e, dx11_claim *c) {
    size_t height, width;
    for (size_t i = 0; dx11_size_at(e, i, &height, &width); i++) {
        if (height >= LEAST_SIDE && width >= LEAST_SIDE) {
            if (judge_pair(e, c, "cuda.uav", "cuda.uav:real=tangle", height, width)) {
                add(c, " and %.2f of the threads", tangled_threads(height, width));
            }
            judge_pair(e, c, "cuda.slm", "cuda.slm:real=tangle", height, width);
        }
    }
}

/* ---- all of them ----------------------------------------------------------------------------- */

static const struct {
    const char *name;
    void (*judge)(const dx11_experiment *e, dx11_claim *c);
} claims[DX11_CLAIMS] = {
    {"slm is faster than uav at every size", judge_slm},
    {"bytes fall by the factors of the model", judge_bytes},
    {"the table does not help slm (within 2 %)", judge_table},
    {"fig14 saves a fourth of the texture bytes", judge_fig14},
    {"tangling halves the work (at most 0.6 of the time from 1024x1024 on)", judge_tangling},
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
