/* SPDX-License-Identifier: MIT
 * What the report claims, what its text should say, and what Weft adds, each held against what was
 * found. A claim's name says whose it is.
 */
#include "reproduce/claims.h"

#include <math.h>

#include "bench/report_figures.h"
#include "reproduce/report/experiment.h"
#include "shell/json_file.h"

/* What can be told apart from rounding, and what cannot, in double precision. */
static const double wrong_error = 1e-3, exact_error = 1e-13;

/* ---- the report's ---------------------------------------------------------------------------- */

static const double least_of_gpu = 10, most_of_threads = 1.5;

/* How many times as fast the second is; 0, and nothing noted, where one of them did not run. */
static double times(const contender *slow, const contender *fast) {
    const double ratio = report_median(slow) / report_median(fast);

    return isfinite(ratio) ? ratio : 0;
}

static void judge_gpu(const void *experiment, claim *c) {
    const report_experiment *e = experiment;
    const double ratio =
        times(report_program(e, "cpu.report", 1), report_program(e, "cuda.report", 1));

    if (ratio > 0) {
        claim_add(c, "%.1f times here, %.1f there", ratio, report_cpu_s / report_gpu_s);
        claim_note(c, ratio >= least_of_gpu);
    } else {
        claim_add(c, "cuda.report did not run here");
    }
}

static void judge_threads(const void *experiment, claim *c) {
    const report_experiment *e = experiment;
    const int all = report_all_threads();
    const double ratio =
        times(report_program(e, "cpu.report", 1), report_program(e, "cpu.report", all));

    if (all == 1) {
        claim_add(c, "Weft may use one core only");
    } else if (ratio > 0) {
        claim_add(c, "%d threads are %.2f times as fast as one", all, ratio);
        claim_note(c, ratio <= most_of_threads);
    }
}

static void judge_definition(const void *experiment, claim *c) {
    const small_image *found = &((const report_experiment *)experiment)->small;

    claim_add(c, "error %.1e; divided by H W it would be %.4f", found->defined, found->divided);
    claim_note(c, found->defined <= exact_error && found->divided >= wrong_error);
}

static void judge_pair(const void *experiment, claim *c) {
    const small_image *found = &((const report_experiment *)experiment)->small;

    claim_add(c, "error %.1e", found->pair);
    claim_note(c, found->pair <= exact_error);
}

static void judge_tangling(const void *experiment, claim *c) {
    const small_image *found = &((const report_experiment *)experiment)->small;

    claim_add(c, "%zu of lines for 64x64, %zu line by line; errors %.1e and %.1e",
              found->tangled_transforms, found->single_transforms, found->tangled, found->single);
    claim_note(c, 2 * found->tangled_transforms == found->single_transforms &&
                      found->tangled <= exact_error && found->single <= exact_error);
}

static void judge_space(const void *experiment, claim *c) {
    const small_image *found = &((const report_experiment *)experiment)->small;

    claim_add(c, "%zu bytes, the image %zu", found->spectrum_bytes, found->image_bytes);
    claim_note(c, found->spectrum_bytes == found->image_bytes);
}

/* Which it holds against the recursion alone. */
static void judge_memory(const void *experiment, claim *c) {
    const small_image *found = &((const report_experiment *)experiment)->small;
    const double images = (double)found->workspace / (double)found->image_bytes;

    claim_add(c, "cpu.report wants %.3g times the image besides", images);
    claim_note(c, images >= 1);
}

/* ---- its text -------------------------------------------------------------------------------- */

static void judge_erratum(const erratum_found *found, claim *c) {
    claim_add(c, "wrong by %.2g as printed, by %.1e corrected", found->as_printed,
              found->corrected);
    claim_note(c, found->as_printed >= wrong_error && found->corrected <= exact_error);
}

/* ---- Weft's ---------------------------------------------------------------------------------- */

static void judge_gates(const void *experiment, claim *c) {
    const report_experiment *e = experiment;

    for (size_t i = 0; i < e->programs.count; i++) {
        const contender *each = &e->programs.list[i];

        if (each->plan != NULL && each->candidate->peer == NULL) {
            claim_note(c, each->verdict.passed);
        }
    }
    if (c->verdict != CLAIM_SKIP) {
        claim_add(c, "each of Weft's programs that ran was held against it, bin by bin");
    }
}

static void judge_angles(const void *experiment, claim *c) {
    static const double most = 1.01;
    const line_errors *found = &((const report_experiment *)experiment)->line;

    claim_add(c, "with angles in double precision %.3f of the error with a table, in single %.2f",
              found->per_element / found->table, found->float_angle / found->table);
    claim_note(c, found->per_element <= most * found->table && found->per_element <= found->gate);
}

static void judge_today(const void *experiment, claim *c) {
    static const double least = 10;
    static const char *const pairs[][2] = {{"cpu.report", "cpu.fast"},
                                           {"cuda.report", "cuda.twopass"}};
    const report_experiment *e = experiment;

    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        const double ratio =
            times(report_program(e, pairs[i][0], 1), report_program(e, pairs[i][1], 1));

        if (ratio > 0) {
            claim_add(c, "%s%s %.0f times", c->text[0] != '\0' ? ", " : "", pairs[i][1], ratio);
            claim_note(c, ratio >= least);
        }
    }
}

/* ---- all of them ----------------------------------------------------------------------------- */

static const claim_rule of_report[] = {
    {"report: its GPU program is at least 10 times as fast as that on one thread", judge_gpu},
    {"report: threads do not give considerably better results (at most 1.5 times)", judge_threads},
    {"report: the forward transform is the sum, not divided by anything", judge_definition},
    {"report: F and G come back from H(u) and H(N - u) by its four formulas", judge_pair},
    {"report: tangling halves the transforms", judge_tangling},
    {"report: a packed spectrum takes the space of the image", judge_space},
    {"erratum 10: not the recursion alone, its iteration takes memory like the image, too",
     judge_memory},
};
static const claim_rule of_weft[] = {
    {"Weft: every error is within its gate of the oracle", judge_gates},
    {"Weft: a sine and a cosine per element are as exact as a table", judge_angles},
    {"Weft: today's program is at least 10 times as fast, on one thread and on a GPU", judge_today},
};

json_t *report_claims(const report_experiment *e) {
    json_t *all = claims_judge(json_array(), of_report, sizeof of_report / sizeof *of_report, e);

    for (size_t i = 0; i < ERRATA; i++) {
        claim c = {.name = errata[i].name, .verdict = CLAIM_SKIP};

        judge_erratum(&e->errata[i], &c);
        all = claims_append(all, &c);
    }
    return claims_judge(all, of_weft, sizeof of_weft / sizeof *of_weft, e);
}
