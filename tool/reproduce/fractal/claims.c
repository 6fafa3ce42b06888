/* SPDX-License-Identifier: MIT
 * What the seed says of its codec, held against what was found. A claim's name says whose it is.
 */
#include "reproduce/claims.h"

#include <math.h>

#include "reproduce/fractal/experiment.h"

/* ---- Fig. 5 ---------------------------------------------------------------------------------- */

static void judge_limit(const void *of, claim *c) {
    const finding_table *t = findings_find(&((const experiment *)of)->found, "Fig. 5");
    double off = 0;

    for (size_t i = 0; i < t->count; i++) {
        off = fmax(off, t->rows[i].here[LIMIT_CELL]);
    }
    claim_add(c, "%zu beginnings, no pixel of one farther than %.0f from that of another", t->count,
              off);
    claim_note(c, off <= 1);
}

static void judge_iterations(const void *of, claim *c) {
    static const double most = 5;
    const finding_table *t = findings_find(&((const experiment *)of)->found, "Fig. 5");
    double settled = 0;

    for (size_t i = 0; i < t->count; i++) {
        settled = fmax(settled, t->rows[i].here[SETTLED_CELL]);
    }
    claim_add(c, "settled after %.0f", settled);
    claim_note(c, settled <= most);
}

/* ---- tables ---------------------------------------------------------------------------------- */

static void judge_crossing(const void *of, claim *c) {
    static const double most = 1;
    const experiment *e = of;
    const double loss = finding_find(&e->found, "Table I", crossing_mean)->here[e->picture_count];

    if (isfinite(loss)) { /* one picture has no other's codebook, and a flat one loses nothing */
        claim_add(c, "%.2f dB of %zu pictures", loss, e->picture_count);
        claim_note(c, loss <= most);
    }
}

static void judge_quality(const void *of, claim *c) {
    static const double least = 30;
    const finding_table *t = findings_find(&((const experiment *)of)->found, "Table IV");

    for (size_t i = 0; i < t->count && i < DRAWN_FILMS; i++) {
        claim_add(c, "%s%s %.1f dB", i > 0 ? ", " : "", t->rows[i].what, t->rows[i].here[0]);
        claim_note(c, t->rows[i].here[0] > least);
    }
}

static void judge_bits(const void *of, claim *c) {
    static const double bits = 25, headers = 0.1;
    const double found =
        findings_find(&((const experiment *)of)->found, "The rate")->rows[0].here[3];

    claim_add(c, "%.3f bits, headers counted", found);
    claim_note(c, fabs(found - bits) <= headers);
}

static void judge_rate(const void *of, claim *c) {
    static const double least = 9.7;
    const double found =
        finding_find(&((const experiment *)of)->found, "The rate", rate_of_all)->here[0];

    claim_add(c, "%.2f to 1", found);
    claim_note(c, found >= least);
}

/* ---- all of them ----------------------------------------------------------------------------- */

static const claim_rule rules[] = {
    {"seed: from any beginning to the same limit", judge_limit},
    {"seed: 4 to 5 iterations are enough", judge_iterations},
    {"seed: with the codebook of another picture at most 1 dB is lost in the mean", judge_crossing},
    {"seed: all its videos have more than 30 dB", judge_quality},
    {"seed: a code of fixed length has 25 bits", judge_bits},
    {"seed: Huffman codes make Y at least 9.7 times smaller", judge_rate},
};

json_t *fractal_claims(const experiment *e) {
    return claims_judge(json_array(), rules, sizeof rules / sizeof *rules, e);
}
