/* SPDX-License-Identifier: MIT
 * What the ladder is built on: that each idea gains in its place, that each is missed at the end,
 * and that a spectrum of real numbers is half of the work. A device that was not measured is
 * skipped.
 */
#include "reproduce/claims.h"

#include <math.h>
#include <string.h>

#include "reproduce/ladder/experiment.h"

static int is_of(const ladder_row *row, const char *device) {
    return row->entry != NULL && !row->entry->is_without && strcmp(row->device, device) == 0;
}

/* A ratio of every rung of the device that has one: all are above 1. */
static void judge_ratios(const ladder_experiment *e, const char *device,
                         double (*ratio)(const ladder_experiment *e, const ladder_row *row),
                         claim *c) {
    for (size_t i = 0; i < e->count; i++) {
        const double found = is_of(&e->rows[i], device) ? ratio(e, &e->rows[i]) : (double)NAN;
        if (isfinite(found)) {
            claim_add(c, "%s%s %.2f", c->text[0] != '\0' ? ", " : "", e->rows[i].name, found);
            claim_note(c, found > 1);
        }
    }
}

static void judge_cpu_gains(const void *of, claim *c) {
    judge_ratios(of, "cpu", ladder_gain, c);
}

static void judge_cpu_losses(const void *of, claim *c) {
    judge_ratios(of, "cpu", ladder_loss, c);
}

static void judge_gpu_gains(const void *of, claim *c) {
    judge_ratios(of, "gpu", ladder_gain, c);
}

static void judge_gpu_losses(const void *of, claim *c) {
    judge_ratios(of, "gpu", ladder_loss, c);
}

/* Half of the rows by tangling, half of the columns by packing; what remains is the separation of
 * what was tangled. */
static void judge_half(const void *of, claim *c) {
    static const double least = 1.5;
    const ladder_experiment *e = of;
    double gain = (double)NAN;

    for (size_t i = 0; i < e->count; i++) {
        if (is_of(&e->rows[i], "cpu") &&
            (strcmp(e->rows[i].name, "tangling") == 0 || strcmp(e->rows[i].name, "packing") == 0)) {
            const double one = ladder_gain(e, &e->rows[i]);
            gain = isnan(gain) ? one : gain * one;
        }
    }
    if (isfinite(gain)) {
        claim_add(c, "%.2f times as fast with both; at least %.1f is asked for", gain, least);
        claim_note(c, gain >= least);
    }
}

static const claim_rule rules[] = {
    {"ladder, CPU: each idea gains over the rung before", judge_cpu_gains},
    {"ladder, CPU: each idea is missed when it alone is left out", judge_cpu_losses},
    {"ladder, CPU: tangling and packing save half of the work", judge_half},
    {"ladder, GPU: each idea gains over the rung before", judge_gpu_gains},
    {"ladder, GPU: each idea is missed when it alone is left out", judge_gpu_losses},
};

json_t *ladder_claims(const ladder_experiment *e) {
    return claims_judge(json_array(), rules, sizeof rules / sizeof *rules, e);
}
