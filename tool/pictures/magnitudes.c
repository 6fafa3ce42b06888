/* SPDX-License-Identifier: MIT
 * Row by row of the picture: the powers of all bins that fall into a row are summed up by columns,
 * then divided by how many they are.
 */
#include "pictures/magnitudes.h"

#include <math.h>
#include <stdlib.h>

#include "pictures/bins.h"
#include "shell/complain.h"
#include "shell/progress.h"

/* One side: which of its n frequencies fall into which row or column of the picture. Where these
 * are fewer, each takes `factor` of them, and frequency 0 is amid those of the middle. */
typedef struct side {
    size_t n, factor, count;
    int is_shifted;
} side;

static size_t smaller(size_t a, size_t b) {
    return a < b ? a : b;
}

/* The first and the last place may have less than `factor` frequencies, but none has none: those of
 * an odd n reach from -(n - 1)/2 to (n - 1)/2. */
static side make_side(size_t n, size_t factor, int is_shifted) {
    const size_t reach = n - n % 2, count = (reach + factor - 1) / factor;

    return (side){n, factor, factor == 1 ? n : count > 0 ? count : 1, is_shifted};
}

/* Of the i-th frequency, in the order in which they are drawn around the middle. */
static size_t place_in_order(const side *a, size_t i) {
    /* Both sums are of numbers that are not negative. */
    const size_t above = i + a->factor * (a->count / 2) + a->factor / 2;

    return above < a->n / 2 ? 0 : smaller((above - a->n / 2) / a->factor, a->count - 1);
}

static size_t place_in_picture(const side *a, size_t place) {
    return a->is_shifted ? place : (place + a->count - a->count / 2) % a->count;
}

/* How often each place is met; [count]. */
static void count_places(const side *a, size_t *met) {
    for (size_t i = 0; i < a->count; i++) {
        met[i] = 0;
    }
    for (size_t i = 0; i < a->n; i++) {
        met[place_in_order(a, i)]++;
    }
}

/* |X|^2, but of doubles that may be too large for it or too small. */
static double scaled_power(double complex x, double scale) {
    const double re = creal(x) * scale, im = cimag(x) * scale;

    return re * re + im * im;
}

typedef struct sums {
    double *powers;          /* [columns] */
    size_t *columns_met;     /* [columns] bins of a row that fall into each */
    size_t *place_of_column; /* [W] in order */
    double scale;            /* of all numbers, so that their squares are in range */
} sums;

static void add_row(const sums *t, const spectrum *s, size_t plane, size_t k) {
    for (size_t i = 0; i < s->width; i++) {
        const size_t l = bin_from_middle(i, s->width);

        if (k > 0 || l > 0) {
            t->powers[t->place_of_column[i]] += scaled_power(bin_of(s, plane, k, l), t->scale);
        }
    }
}

/* rows: how many rows of bins were added; middle: frequency 0, which was not, is one of the bins
 * in the middle of this row. */
static void finish_row(const sums *t, const side *across, size_t rows, int has_mean, float *row) {
    const size_t middle = across->count / 2;

    for (size_t place = 0; place < across->count; place++) {
        const size_t bins = rows * t->columns_met[place] - (has_mean && place == middle);
        const double power = bins > 0 ? t->powers[place] / (double)bins : 0;

        row[place_in_picture(across, place)] = (float)(log(power) / 2 - log(t->scale));
        t->powers[place] = 0;
    }
}

static void find_plane(magnitudes *m, const sums *t, const side *down, const side *across,
                       const spectrum *s, size_t plane) {
    size_t rows = 0;

    for (size_t i = 0; i < s->height; i++) {
        const size_t place = place_in_order(down, i);
        const size_t row = plane * m->height + place_in_picture(down, place);

        add_row(t, s, plane, bin_from_middle(i, s->height));
        rows++;
        if (i + 1 == s->height || place_in_order(down, i + 1) != place) {
            finish_row(t, across, rows, place == down->count / 2, m->logarithms + row * m->width);
            rows = 0;
        }
        progress_step((double)(plane * s->height + i) / (double)(s->planes * s->height), NULL);
    }
}

/* The largest around it; where nothing else is in the spectrum, its own. */
static void set_mean(magnitudes *m, const spectrum *s, size_t plane) {
    float *values = m->logarithms + plane * m->height * m->width, largest = -INFINITY;
    const size_t row = m->mean / m->width, column = m->mean % m->width;

    for (size_t i = 0; i < 9; i++) {
        const size_t beside = (row + m->height + i / 3 - 1) % m->height * m->width +
                              (column + m->width + i % 3 - 1) % m->width;
        largest = beside == m->mean ? largest : fmaxf(largest, values[beside]);
    }
    values[m->mean] = isfinite(largest) ? largest : (float)log(cabs(bin_stored(s, plane, 0, 0)));
}

/* A transform's relative error is about u sqrt(log2(HW)), and is spread over all bins evenly. */
static void measure(magnitudes *m, const spectrum *s, double *scale) {
    const double count = (double)s->height * (double)s->width;
    const double unit = s->precision == WEFT_F64 ? 0x1p-53 : 0x1p-24;
    double largest = 0, sum = 0;

    for (size_t i = 0; i < spectrum_reals(s); i++) {
        largest = fmax(largest, fabs(spectrum_number(s, i)));
    }
    *scale = largest > 0 ? 1 / largest : 1;
    largest = 0;
    for (size_t row = 0; row < s->planes * s->height; row++) {
        for (size_t l = 0; l <= s->width / 2; l++) {
            const double power =
                scaled_power(bin_stored(s, row / s->height, row % s->height, l), *scale);

            largest = fmax(largest, power);
            sum += (double)bin_weight(s, l) * power;
        }
    }
    m->largest = sqrt(largest) / *scale;
    m->rounding = log(sum / count / (double)s->planes) / 2 - log(*scale) +
                  log(unit * sqrt(fmax(log2(count), 1)));
}

static int make_sums(sums *t, const side *across) {
    t->powers = allocate(across->count, sizeof *t->powers);
    t->columns_met = allocate(across->count, sizeof *t->columns_met);
    t->place_of_column = allocate(across->n, sizeof *t->place_of_column);
    if (!t->powers || !t->columns_met || !t->place_of_column) {
        return EXIT_MEMORY;
    }
    count_places(across, t->columns_met);
    for (size_t i = 0; i < across->n; i++) {
        t->place_of_column[i] = place_in_order(across, i);
    }
    for (size_t i = 0; i < across->count; i++) {
        t->powers[i] = 0;
    }
    return EXIT_DONE;
}

int magnitudes_find(magnitudes *m, const spectrum *s, size_t fit, int is_shifted) {
    const size_t longest = s->height > s->width ? s->height : s->width;
    const size_t factor = fit > 0 ? (longest + fit - 1) / fit : 1;
    const side down = make_side(s->height, factor, is_shifted);
    const side across = make_side(s->width, factor, is_shifted);
    sums t = {0};
    int code;

    *m = (magnitudes){.height = down.count, .width = across.count, .planes = s->planes};
    m->mean = place_in_picture(&down, down.count / 2) * m->width +
              place_in_picture(&across, across.count / 2);
    m->mean_alone = factor == 1;
    measure(m, s, &t.scale);
    m->logarithms = allocate(m->planes * m->height, m->width * sizeof *m->logarithms);
    code = m->logarithms ? make_sums(&t, &across) : EXIT_MEMORY;
    progress_start("measuring");
    for (size_t plane = 0; code == EXIT_DONE && plane < s->planes; plane++) {
        find_plane(m, &t, &down, &across, s, plane);
        if (m->mean_alone) {
            set_mean(m, s, plane);
        }
    }
    progress_end();
    free(t.powers);
    free(t.columns_met);
    free(t.place_of_column);
    if (code != EXIT_DONE) {
        magnitudes_free(m);
    }
    return code;
}

void magnitudes_free(magnitudes *m) {
    free(m->logarithms);
    *m = (magnitudes){0};
}
