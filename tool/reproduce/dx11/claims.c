/* SPDX-License-Identifier: MIT
 * What the article promises, what its model says of the bytes that kernels count, and what Weft
 * promises of tangling, a function each. Times are medians of the replayed graph.
 */
#include "reproduce/claims.h"

#include <math.h>

#include "reproduce/dx11/document.h"

/* ---- numbers --------------------------------------------------------------------------------- */

/* Between two things that were looked at. */
static void add_size(claim *c, size_t height, size_t width) {
    claim_add(c, "%s%zux%zu ", c->text[0] != '\0' ? ", " : "", height, width);
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

static void judge_slm(const void *experiment, claim *c) {
    const dx11_experiment *e = experiment;
    size_t height, width;
    for (size_t i = 0; dx11_size_at(e, i, &height, &width); i++) {
        for (int twiddle = DX11_LUT; twiddle <= DX11_COMPUTE; twiddle++) {
            const dx11_row *uav = as_it_was(e, height, width, DX11_UAV, (dx11_twiddle)twiddle);
            const dx11_row *slm = as_it_was(e, height, width, DX11_SLM, (dx11_twiddle)twiddle);
            if (uav != NULL && slm != NULL) {
                add_size(c, height, width);
                claim_add(c, "%s %.2f times", dx11_twiddle_words[twiddle],
                          median(uav) / median(slm));
                claim_note(c, median(slm) < median(uav));
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

static void judge_bytes(const void *experiment, claim *c) {
    const dx11_experiment *e = experiment;
    const size_t side = first_axis.side;
    const dx11_row *uav = counted(e, side, side, DX11_UAV, DX11_PLANES4);
    const dx11_row *slm = counted(e, side, side, DX11_SLM, DX11_PLANES4);
    if (uav != NULL && slm != NULL) {
        const double reads = uav->first_axis.read / slm->first_axis.read;
        const double writes = uav->first_axis.written / slm->first_axis.written;
        add_size(c, side, side);
        claim_add(c, "%.4g and %.4g times", reads, writes);
        claim_note(c, equal(reads, first_axis.reads) && equal(writes, first_axis.writes));
    }
}

/* Along the first axis uav goes from texture to texture; slm reads the picture. */
static double texture_bytes(const dx11_row *row) {
    const dx11_traffic *t = &row->first_axis;
    return row->desc.technique == DX11_UAV ? t->read + t->written : t->written;
}

static const double fig14_share = 0.75;

static void judge_fig14(const void *experiment, claim *c) {
    const dx11_experiment *e = experiment;
    const size_t height = e->figure_height, width = e->figure_width;
    for (int i = DX11_UAV; i <= DX11_SLM; i++) {
        const dx11_technique technique = (dx11_technique)i;
        const dx11_row *planes4 = counted(e, height, width, technique, DX11_PLANES4);
        const dx11_row *fig14 = counted(e, height, width, technique, DX11_FIG14);
        if (planes4 != NULL && fig14 != NULL) {
            const double share = texture_bytes(fig14) / texture_bytes(planes4);
            add_size(c, height, width);
            claim_add(c, "%s %.4g of them", dx11_technique_words[i], share);
            if (planes4->graph.count != 0 && fig14->graph.count != 0) {
                claim_add(c, " in %.2f of the time", median(fig14) / median(planes4));
            }
            claim_note(c, equal(share, fig14_share));
        }
    }
}

/* ---- the table does not help slm ------------------------------------------------------------- */

/* How far apart the samples of one row are: a difference no larger than this is none. */
static double spread(const dx11_row *row) {
    return row->graph.summary.p95_us / row->graph.summary.min_us;
}

static void judge_table(const void *experiment, claim *c) {
    const dx11_experiment *e = experiment;
    size_t height, width;
    for (size_t i = 0; dx11_size_at(e, i, &height, &width); i++) {
        const dx11_row *lut = as_it_was(e, height, width, DX11_SLM, DX11_LUT);
        const dx11_row *compute = as_it_was(e, height, width, DX11_SLM, DX11_COMPUTE);
        if (lut != NULL && compute != NULL) {
            const double ratio = median(lut) / median(compute);
            const double noise = fmax(spread(lut), spread(compute));
            add_size(c, height, width);
            claim_add(c, "with it %.3f of the time without (samples within %.1f %%)", ratio,
                      100 * (noise - 1));
            claim_note(c, ratio * noise >= 1);
        }
    }
}

/* ---- tangling halves the work ---------------------------------------------------------------- */

/* Weft's own threshold: the half, and what there is besides butterflies. */
static const double most_of_the_time = 0.6;
enum { LEAST_SIDE = 1024 };

static void judge_pair(const dx11_experiment *e, claim *c, const char *zero, const char *tangle,
                       size_t height, size_t width) {
    const dx11_row *whole = dx11_find_own(e, zero, height, width);
    const dx11_row *half = dx11_find_own(e, tangle, height, width);
    if (whole != NULL && half != NULL) {
        add_size(c, height, width);
        claim_add(c, "%s %.2f of the time", zero, median(half) / median(whole));
        claim_note(c, median(half) <= most_of_the_time * median(whole));
    }
}

static void judge_tangling(const void *experiment, claim *c) {
    const dx11_experiment *e = experiment;
    size_t height, width;
    for (size_t i = 0; dx11_size_at(e, i, &height, &width); i++) {
        if (height >= LEAST_SIDE && width >= LEAST_SIDE) {
            judge_pair(e, c, "cuda.uav", "cuda.uav:real=tangle", height, width);
            judge_pair(e, c, "cuda.slm", "cuda.slm:real=tangle", height, width);
        }
    }
}

/* ---- all of them ----------------------------------------------------------------------------- */

static const claim_rule rules[] = {
    {"article: slm is faster than uav at every size", judge_slm},
    {"article: the table does not help slm", judge_table},
    {"model: along a first axis of 512, uav reads 36 and writes 9 times as much as slm",
     judge_bytes},
    {"model: fig14 has three fourths of the texture bytes", judge_fig14},
    {"Weft: tangling halves the work (at most 0.6 of the time from 1024x1024 on)", judge_tangling},
};

json_t *dx11_judge(const dx11_experiment *e) {
    return claims_judge(json_array(), rules, sizeof rules / sizeof *rules, e);
}
