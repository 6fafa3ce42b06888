/* SPDX-License-Identifier: MIT
 * Shares of the bins by counting them in small steps of the logarithm: no sorting, no copy.
 */
#include "pictures/scale.h"

#include <math.h>
#include <stdlib.h>

#include "shell/complain.h"

enum { STEPS = 1 << 16 };

typedef struct histogram {
    double least, most; /* ln |X|: all that is less counts as `least` */
    size_t *counts;     /* [STEPS] */
    size_t all;
} histogram;

static int is_counted(const magnitudes *m, size_t i) {
    return !m->mean_alone || i % (m->height * m->width) != m->mean;
}

static size_t step_of(const histogram *h, double logarithm) {
    const double share = (logarithm - h->least) / (h->most - h->least);

    return share > 0 ? (size_t)fmin(share * STEPS, STEPS - 1) : 0;
}

static int count(histogram *h, const magnitudes *m) {
    const size_t values = m->planes * m->height * m->width;

    *h = (histogram){.least = m->rounding, .most = -INFINITY};
    for (size_t i = 0; i < values; i++) {
        h->most = is_counted(m, i) ? fmax(h->most, (double)m->logarithms[i]) : h->most;
    }
    h->counts = allocate(STEPS, sizeof *h->counts);
    if (h->counts == NULL) {
        return EXIT_MEMORY;
    }
    for (size_t i = 0; i < STEPS; i++) {
        h->counts[i] = 0;
    }
    for (size_t i = 0; h->most > h->least && i < values; i++) {
        if (is_counted(m, i)) {
            h->counts[step_of(h, (double)m->logarithms[i])]++;
            h->all++;
        }
    }
    return EXIT_DONE;
}

/* The upper end of the step in which the bin of this rank is, but of the first step the lower. */
static double of_share(const histogram *h, double percent) {
    const double rank = percent / 100 * (double)(h->all > 0 ? h->all - 1 : 0);
    size_t step = 0, below = h->counts[0];

    while (step + 1 < STEPS && (double)below <= rank) {
        below += h->counts[++step];
    }
    return step == 0 ? h->least
                     : h->least + (h->most - h->least) * (double)(step + 1) / (double)STEPS;
}

/* A white that is not above black is the largest there is; and where nothing is but the mean, that
 * alone is white. */
static void set_ends(scale *found, const histogram *h, const magnitudes *m, scale_end black,
                     scale_end white) {
    const int is_empty = !(h->most > h->least);
    const double most = is_empty ? (m->largest > 0 ? log(m->largest) : 0) : h->most;

    found->black = black.is_magnitude ? log(black.value)
                   : is_empty         ? most - 1
                                      : of_share(h, black.value);
    found->white = white.is_magnitude ? log(white.value)
                   : is_empty         ? most
                                      : of_share(h, white.value);
    if (!white.is_magnitude && !(found->white > found->black)) {
        found->white = most;
    }
    if (!(found->white > found->black)) {
        found->black = found->white - 1;
    }
}

int scale_find(scale *found, const magnitudes *m, scale_end black, scale_end white) {
    histogram h;
    const int code = count(&h, m);

    if (code == EXIT_DONE) {
        set_ends(found, &h, m, black, white);
    }
    free(h.counts);
    return code;
}

static double within(double level) {
    return !(level > 0) ? 0 : level > 1 ? 1 : level;
}

double scale_level(const scale *by, double logarithm) {
    return within((logarithm - by->black) / (by->white - by->black));
}

double scale_level_of_power(const scale *by, double logarithm) {
    return within(expm1(2 * (fmin(logarithm, by->white) - by->black)) /
                  expm1(2 * (by->white - by->black)));
}
