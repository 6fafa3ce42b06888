/* SPDX-License-Identifier: MIT
 * What the seed says of videos: how many domains are needed (Table II), how good they become
 * (Table IV), and how small.
 */
#include <math.h>

#include "commands/fractal/planes.h"
#include "reproduce/fractal/experiment.h"
#include "shell/complain.h"
#include "shell/progress.h"

const char rate_of_all[] = "all that are drawn";

/* All frames but the first, which is the reference. */
static passage later_frames(const film *f, size_t samples) {
    return (passage){.of = f, .first = 1, .end = f->frames, .samples = samples};
}

static void note_reason(finding_row *row, const passage_coded *coded) {
    snprintf(row->reason, sizeof row->reason, "%s", coded->reason);
    row->terms = coded->reason[0] == '\0' ? coded->terms : NAN;
}

/* ---- Table II -------------------------------------------------------------------------------- */

/* Percent; 0: all domains are searched. */
static const int thresholds[] = {0, 95, 90, 85, 80, 70, 60, 50};
enum { THRESHOLDS = sizeof thresholds / sizeof *thresholds };
enum { DOMAINS_CELL = 0, PSNR_CELLS, RATE_CELL = PSNR_CELLS + WEFT_FRACTAL_PLANES };

static int prune(finding_table *t, const film *f, int threshold, size_t samples) {
    const weft_fractal_desc desc = {.search = "cpu", .pruning = threshold};
    const passage p = later_frames(f, samples);
    char what[MOST_WORDS] = "all domains";
    passage_coded coded;
    finding_row *row;
    int code = passage_code(&p, &desc, &coded);

    if (threshold > 0) {
        snprintf(what, sizeof what, "correlation at most %.2f", threshold / 100.0);
    }
    row = finding_add(t, what);
    note_reason(row, &coded);
    row->here[DOMAINS_CELL] = coded.domains;
    row->here[RATE_CELL] = 1e3 / coded.ms;
    passage_note_samples(&coded, row);
    for (int i = 0; i < WEFT_FRACTAL_PLANES; i++) {
        row->here[PSNR_CELLS + i] = coded.psnr[i];
    }
    for (int i = DOMAINS_CELL; i <= RATE_CELL; i++) {
        row->source[i] = lost_value;
    }
    return code;
}

int find_pruning(experiment *e) {
    static const char *const columns[] = {"domains of Y", "Y dB",     "Cr dB",
                                          "Cb dB",        "frames/s", NULL};
    const film *f = &e->films[0];
    finding_table *t =
        findings_add(&e->found, "Table II", "fewer domains: pan, frames after the first", columns);
    int code = EXIT_DONE;

    progress_start("Table II");
    for (int i = 0; code == EXIT_DONE && i < THRESHOLDS; i++) {
        code = prune(t, f, thresholds[i], e->chosen->samples);
        progress_step((double)(i + 1) / THRESHOLDS, NULL);
    }
    progress_end();
    return code;
}

/* ---- Table III ------------------------------------------------------------------------------- */

static const struct {
    const char *what, *power;
} platforms[] = {{"CPU: Xeon W3690", "130"},
                 {"GPU: Tesla C2075", "215"},
                 {"FPGAs: Stratix IV 530, Stratix V A7", "21-25"}};

int find_platforms(experiment *e) {
    static const char *const columns[] = {"power, W", "memory, GB/s", NULL};
    finding_table *t =
        findings_add(&e->found, "Table III", "the seed's machines; ours is named above", columns);

    for (size_t i = 0; i < sizeof platforms / sizeof *platforms; i++) {
        finding_row *row = finding_add(t, platforms[i].what);

        row->source[0] = platforms[i].power;
        row->source[1] = lost_value;
        snprintf(row->reason, sizeof row->reason, "no such machine here");
    }
    return EXIT_DONE;
}

/* ---- Table IV, and the rate ------------------------------------------------------------------ */

static const weft_fractal_desc of_seed = {.search = "cpu", .pruning = SEED_PRUNING};

static int good(finding_table *t, const film *f, passage_coded *coded) {
    const passage p = later_frames(f, 1);
    finding_row *row = finding_add(t, f->name);
    const int code = passage_code(&p, &of_seed, coded);
    const int planes = planes_of_video(&f->format);

    note_reason(row, coded);
    for (int i = 0; i < planes; i++) {
        row->here[i] = coded->psnr[i];
        row->source[i] = i == 0 ? "> 30" : lost_value;
    }
    return code;
}

static void small(finding_table *t, const char *what, const passage_coded *coded,
                  const char *seed) {
    finding_row *row = finding_add(t, what);

    note_reason(row, coded);
    row->here[0] = coded->ratio_of_y;
    row->here[1] = coded->ratio;
    row->here[2] = 100 * coded->changed;
    row->source[0] = seed;
}

/* A reference, with codes of fixed length. */
static int raw(finding_table *t, const film *f) {
    const passage p = {.of = f, .end = 1, .samples = 1};
    weft_fractal_desc desc = of_seed;
    passage_coded coded;
    finding_row *row;
    int code;

    desc.raw_codes = 1;
    code = passage_code(&p, &desc, &coded);
    row = finding_add(t, "codes of fixed length, one frame");
    note_reason(row, &coded);
    row->here[0] = coded.ratio_of_y;
    row->here[1] = coded.ratio;
    row->here[3] = coded.bits_of_range;
    row->source[3] = "25";
    return code;
}

/* Sums of what is inverse to bytes: of films of one size. */
static void add_shares(passage_coded *sum, const passage_coded *one) {
    sum->ratio_of_y += 1 / one->ratio_of_y;
    sum->ratio += 1 / one->ratio;
    sum->changed += one->changed / DRAWN_FILMS;
    sum->terms += one->terms / DRAWN_FILMS;
}

static void end_shares(passage_coded *sum) {
    sum->ratio_of_y = DRAWN_FILMS / sum->ratio_of_y;
    sum->ratio = DRAWN_FILMS / sum->ratio;
}

int find_quality(experiment *e) {
    static const char *const plane_columns[] = {"Y dB", "Cr dB", "Cb dB", NULL};
    static const char *const rate_columns[] = {"Y, to 1", "all planes, to 1", "changed, %",
                                               "bits a range", NULL};
    finding_table *quality = findings_add(
        &e->found, "Table IV", "PSNR of the frames after the first, threshold 0.8", plane_columns);
    finding_table *rate =
        findings_add(&e->found, "The rate",
                     "Huffman codes, frames after the first, all headers counted", rate_columns);
    passage_coded sum = {.reason = ""};
    int code = raw(rate, &e->films[0]);

    progress_start("Table IV");
    for (size_t i = 0; code == EXIT_DONE && i < e->film_count; i++) {
        passage_coded coded;

        code = good(quality, &e->films[i], &coded);
        small(rate, e->films[i].name, &coded, lost_value);
        if (i < DRAWN_FILMS) {
            add_shares(&sum, &coded);
        }
        progress_step((double)(i + 1) / (double)e->film_count, NULL);
    }
    progress_end();
    end_shares(&sum);
    small(rate, rate_of_all, &sum, "9.7");
    return code;
}
