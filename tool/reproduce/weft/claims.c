/* SPDX-License-Identifier: MIT
 * What Weft is to reach, held against the tables: a cell against the aim that stands in it.
 */
#include "reproduce/claims.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "reproduce/weft/experiment.h"

/* Why a claim has nothing to look at; it is what is known of the machine and the build. */
static const char *why_nothing(const own_experiment *e, int place) {
    static const char *const no_peer[PLACES] = {
        "this build has no cpu.fftw: cmake -DWEFT_PEER_FFTW=ON", "this build has no cuda.cufft"};

    return place == ON_GPU && e->no_gpu[0] != '\0' ? e->no_gpu
           : !e->has_peer[place]                   ? no_peer[place]
                                                   : "nothing was measured that could tell";
}

/* ---- cells against their aims ---------------------------------------------------------------- */

/* Of a table's column: how many are at most so much above their aim; those that are not, and else
 * the one that is nearest to it, by their names. */
static void judge_column(const finding_table *t, size_t column, double most, claim *c) {
    size_t judged = 0, above = 0;
    const finding_row *nearest = NULL;
    double share = 0;

    for (size_t i = 0; t != NULL && i < t->count; i++) {
        const finding_row *row = &t->rows[i];
        const double want = row->source[column] != NULL ? strtod(row->source[column], NULL) : NAN;

        if (isfinite(row->here[column] / want)) {
            judged++;
            above += row->here[column] > most * want;
            claim_note(c, row->here[column] <= most * want);
            if (row->here[column] / want >= share) {
                nearest = row;
                share = row->here[column] / want;
            }
        }
    }
    if (nearest != NULL) {
        claim_add(c, "%s%zu of %zu, %s %s with %.2f [%s]", c->text[0] != '\0' ? "; " : "",
                  judged - above, judged, above > 0 ? "farthest" : "nearest", nearest->what,
                  nearest->here[column], nearest->source[column]);
    }
}

static void explain(const own_experiment *e, int place, claim *c) {
    if (c->verdict == CLAIM_SKIP) {
        claim_add(c, "%s", why_nothing(e, place));
    }
}

static void judge_reach(const void *of, claim *c) {
    const own_experiment *e = of;

    judge_column(e->tables[GPU_REACH], CUFFT_CELL, 1, c);
    explain(e, ON_GPU, c);
}

static void judge_keep(const void *of, claim *c) {
    static const double most = 1.05;
    const own_experiment *e = of;

    judge_column(e->tables[GPU_KEEP], CUFFT_CELL, most, c);
    explain(e, ON_GPU, c);
}

static void judge_goal(const void *of, claim *c) {
    const own_experiment *e = of;

    judge_column(e->tables[GPU_REACH], FLOOR_CELL, 1, c);
    judge_column(e->tables[GPU_KEEP], FLOOR_CELL, 1, c);
    explain(e, ON_GPU, c);
}

static void judge_powers(const void *of, claim *c) {
    const own_experiment *e = of;

    judge_column(e->tables[CPU_POWERS], FFTW_CELL, 1, c);
    explain(e, ON_CPU, c);
}

static void judge_pictures(const void *of, claim *c) {
    const own_experiment *e = of;

    judge_column(e->tables[CPU_PICTURES], FFTW_CELL, 1, c);
    explain(e, ON_CPU, c);
}

static void judge_threads(const void *of, claim *c) {
    const own_experiment *e = of;

    if (e->has_two_cores) {
        judge_column(e->tables[CPU_PICTURES], TWO_THREADS_CELL, 1, c);
    } else {
        claim_add(c, "Weft may use one core only");
    }
}

/* ---- many sizes ------------------------------------------------------------------------------ */

static void judge_sizes(const own_experiment *e, int place, claim *c) {
    const compared *with = &e->sizes[place];
    size_t slower = 0, largest = 0;

    for (size_t i = 0; i < with->count; i++) {
        slower += with->ratio[i] > 1;
        largest = with->ratio[i] > with->ratio[largest] ? i : largest;
    }
    if (with->count > 0) {
        claim_add(c, "%zu of %zu slower, the largest is %.2f of %zux%zu", slower, with->count,
                  with->ratio[largest], with->height[largest], with->width[largest]);
        if (with->missing > 0) {
            claim_add(c, "; %zu could not be compared", with->missing);
        }
        claim_note(c, ONE_SLOWER_IN * slower <= with->count &&
                          with->ratio[largest] <= strtod(largest_slower, NULL));
    }
    explain(e, place, c);
}

static void judge_sizes_cpu(const void *of, claim *c) {
    judge_sizes(of, ON_CPU, c);
}

static void judge_sizes_gpu(const void *of, claim *c) {
    judge_sizes(of, ON_GPU, c);
}

/* ---- errors and bits ------------------------------------------------------------------------- */

/* Of a peer, none. */
static const strategy *strategy_of(const finding_row *row) {
    for (int i = 0; i < strategy_count; i++) {
        if (strcmp(strategy_table[i].for_precision[WEFT_F32]->name, row->what) == 0) {
            return strategy_table[i].for_precision[WEFT_F32];
        }
    }
    return NULL;
}

/* Errors of Weft's strategies, of those that have these flags, each against the same column of
 * another row: at most so many times that. */
static void judge_errors(const finding_table *t, const finding_row *limit, double most,
                         unsigned flags, double *worst, claim *c) {
    for (size_t i = 0; t != NULL && limit != NULL && i < t->count; i++) {
        const strategy *s = strategy_of(&t->rows[i]);

        if (s == NULL || (s->flags & flags) != flags) {
            continue;
        }
        for (size_t k = 0; k < t->columns; k++) {
            const double share = t->rows[i].here[k] / limit->here[k];

            if (!isnan(share)) {
                *worst = fmax(*worst, share);
                claim_note(c, share <= most);
            }
        }
        if (t->rows[i].error[0] != '\0') {
            claim_note(c, 0);
        }
    }
}

static void judge_limits(const void *of, claim *c) {
    const own_experiment *e = of;
    double worst = 0;

    for (int i = L2_F32; i <= MAX_F64; i++) {
        const finding_table *t = e->tables[i];

        judge_errors(t, t != NULL ? &t->rows[LIMIT_ROW] : NULL, 1, 0, &worst, c);
    }
    claim_add(c, "the largest is %.3g of its limit", worst);
}

static void judge_beside_peer(const own_experiment *e, int place, claim *c) {
    static const double most = 1.05;
    double worst = 0;

    for (int i = L2_F32; i <= L2_F64; i += L2_F64 - L2_F32) {
        const finding_table *t = e->tables[i];

        if (t != NULL) {
            judge_errors(t, finding_find(&e->found, t->name, own_peers[place]), most, EQUAL_BITS,
                         &worst, c);
        }
    }
    if (c->verdict != CLAIM_SKIP) {
        claim_add(c, "the largest is %.3g of its error", worst);
    }
    explain(e, place, c);
}

static void judge_beside_fftw(const void *of, claim *c) {
    judge_beside_peer(of, ON_CPU, c);
}

/* From one column on up to another. */
static void judge_bits(const finding_table *t, size_t from, size_t to, claim *c) {
    size_t compared_with = 0;

    for (size_t i = 0; i < t->count; i++) {
        size_t ran = 0;

        for (size_t k = from; k < to; k++) {
            if (isfinite(t->rows[i].here[k])) {
                ran = 1;
                claim_note(c, t->rows[i].here[k] == 0);
            }
        }
        if (ran) {
            claim_add(c, "%s%s", compared_with++ > 0 ? "; " : "", t->rows[i].what);
        }
    }
}

static void judge_bits_cpu(const void *of, claim *c) {
    const finding_table *t = ((const own_experiment *)of)->tables[BITS];

    judge_bits(t, 0, t->columns - 1, c);
}

static void judge_bits_gpu(const void *of, claim *c) {
    const finding_table *t = ((const own_experiment *)of)->tables[BITS];

    judge_bits(t, t->columns - 1, t->columns, c);
    explain(of, ON_GPU, c);
}

/* ---- all of them ----------------------------------------------------------------------------- */

static const claim_rule rules[] = {
    {"accuracy: every error is within its limit of the oracle", judge_limits},
    {"accuracy: no error of those that are fast is above 1.05 of FFTW's", judge_beside_fftw},
    {"bits: the same on 1, 2, 3 and 7 threads, with all instruction sets", judge_bits_cpu},
    {"bits: the same on a GPU as on the CPU", judge_bits_gpu},
    {"CPU: powers of two take as little of FFTW's time as they did", judge_powers},
    {"CPU: sizes of pictures take no more of FFTW's time than aimed at", judge_pictures},
    {"CPU: two threads take at most 0.65 of the time of one", judge_threads},
    {"CPU: at most 1 size in 15 is slower than FFTW, none above 1.25", judge_sizes_cpu},
    {"GPU: sizes of pictures and the largest take no more of cuFFT's time than aimed at",
     judge_reach},
    {"GPU: the others take at most 1.05 of the share of cuFFT's time that they took", judge_keep},
    {"GPU: goals over the floor of moving the bytes are reached", judge_goal},
    {"GPU: at most 1 size in 15 is slower than cuFFT, none above 1.25", judge_sizes_gpu},
};

json_t *own_claims(const own_experiment *e) {
    return claims_judge(json_array(), rules, sizeof rules / sizeof *rules, e);
}
