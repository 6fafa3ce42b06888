/* SPDX-License-Identifier: MIT
 * The kinds of gains; see gains.h.
 */
#include "filter/gains.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "filter/frequency.h"
#include "shell/complain.h"

static const double most_sigma = 1e6, most_amount = 1000, most_order = 20;
static const double highest = 0.5;   /* frequency of a row, in cycles per pixel */
static const double half_turn = 180; /* degrees */

/* A notch is this part of its frequency wide, to each side, where half of the wave is left. */
static const double notch_width = 0.1;

/* exp(-rate f^2) is one half at the cutoff. */
static double rate_of_cutoff(double cutoff) {
    return M_LN2 / (cutoff * cutoff);
}

/* exp(-2 pi^2 sigma^2 f^2) is the response of a bell of this width. */
static double rate_of_sigma(double sigma) {
    return 2 * M_PI * M_PI * sigma * sigma;
}

static double sigma_of_rate(double rate) {
    return sqrt(rate / 2) / M_PI;
}

/* ---- responses --------------------------------------------------------------------------------
 */

/* Of row k, in cycles per pixel: -0.5 < f <= 0.5. */
static double frequency_at(size_t k, size_t length) {
    return k <= length / 2 ? (double)k / (double)length : -((double)(length - k) / (double)length);
}

static size_t columns_of(size_t width) {
    return width / 2 + 1;
}

/* A bell around (row, column), in cycles per pixel, which are periodic. */
static void make_bell(response *r, size_t height, size_t width, double row, double column,
                      double rate) {
    r->rule = IS_PRODUCT;
    for (size_t k = 0; k < height; k++) {
        r->rows[k] = exp(-rate * pow(remainder(frequency_at(k, height) - row, 1), 2));
    }
    for (size_t l = 0; l < columns_of(width); l++) {
        r->columns[l] = exp(-rate * pow(remainder(frequency_at(l, width) - column, 1), 2));
    }
}

/* A function of (f / cutoff)^2. */
static void make_radial(response *r, size_t height, size_t width, double cutoff) {
    for (size_t k = 0; k < height; k++) {
        r->rows[k] = pow(frequency_at(k, height) / cutoff, 2);
    }
    for (size_t l = 0; l < columns_of(width); l++) {
        r->columns[l] = pow(frequency_at(l, width) / cutoff, 2);
    }
}

/* Gaussian across a line through the origin, whose direction is that of (row, column). */
static void make_line(response *r, size_t height, size_t width, double row, double column) {
    r->rule = IS_LINE;
    for (size_t k = 0; k < height; k++) {
        r->rows[k] = frequency_at(k, height) * row;
    }
    for (size_t l = 0; l < columns_of(width); l++) {
        r->columns[l] = frequency_at(l, width) * column;
    }
}

static void make_low_pass(response *r, size_t height, size_t width, const gain *g, double cutoff) {
    if (g->shape == SHAPE_GAUSSIAN) {
        make_bell(r, height, width, 0, 0, rate_of_cutoff(cutoff));
        return;
    }
    make_radial(r, height, width, cutoff);
    r->rule = g->shape == SHAPE_IDEAL ? IS_IDEAL : IS_BUTTERWORTH;
    r->parameter = g->order;
}

static void respond(const response *r, size_t k, size_t n, double *values) {
    const double at_row = r->rows[k], *columns = r->columns, p = r->parameter;

    switch (r->rule) {
    case IS_PRODUCT:
        for (size_t l = 0; l < n; l++) {
            values[l] = at_row * columns[l];
        }
        break;
    case IS_SUM:
        for (size_t l = 0; l < n; l++) {
            values[l] = at_row + columns[l];
        }
        break;
    case IS_IDEAL: /* what is on the circle but for rounding is inside */
        for (size_t l = 0; l < n; l++) {
            values[l] = at_row + columns[l] <= 1 + 1e-12;
        }
        break;
    case IS_BUTTERWORTH:
        for (size_t l = 0; l < n; l++) {
            values[l] = 1 / (1 + pow(at_row + columns[l], p));
        }
        break;
    case IS_RING:
        for (size_t l = 0; l < n; l++) {
            values[l] = exp(-p * pow(sqrt(at_row + columns[l]) - 1, 2));
        }
        break;
    case IS_LINE:
        for (size_t l = 0; l < n; l++) {
            values[l] = exp(-M_LN2 * pow(at_row + columns[l], 2));
        }
        break;
    }
}

/* ---- gains out of responses -------------------------------------------------------------------
 */

static void pass(size_t n, const double *a, const double *b, double amount, double *row) {
    (void)b, (void)amount;
    for (size_t l = 0; l < n; l++) {
        row[l] *= a[l];
    }
}

static void stop(size_t n, const double *a, const double *b, double amount, double *row) {
    (void)b, (void)amount;
    for (size_t l = 0; l < n; l++) {
        row[l] *= 1 - a[l];
    }
}

static void pass_between(size_t n, const double *a, const double *b, double amount, double *row) {
    (void)amount;
    for (size_t l = 0; l < n; l++) {
        row[l] *= a[l] * (1 - b[l]);
    }
}

static void stop_between(size_t n, const double *a, const double *b, double amount, double *row) {
    (void)amount;
    for (size_t l = 0; l < n; l++) {
        row[l] *= 1 - a[l] * (1 - b[l]);
    }
}

static void stop_both(size_t n, const double *a, const double *b, double amount, double *row) {
    (void)amount;
    for (size_t l = 0; l < n; l++) {
        row[l] *= (1 - a[l]) * (1 - b[l]);
    }
}

static void add_difference(size_t n, const double *a, const double *b, double amount, double *row) {
    (void)b;
    for (size_t l = 0; l < n; l++) {
        row[l] *= 1 + amount * (1 - a[l]);
    }
}

/* ---- kinds ------------------------------------------------------------------------------------
 */

/* A gain that falls with this slope where the frequencies of pixels end goes on upwards behind
 * that, for they are periodic. Such a bend rings through the picture, as 1 / distance^2. */
static double reach_of_bend(double slope, double least) {
    return sqrt(2 * fabs(slope) / (4 * M_PI * M_PI * least));
}

/* Of a bell whose middle is so far from the highest frequency. */
static double reach_of_rate(double rate, double distance, double least) {
    const double slope = 2 * rate * distance * exp(-rate * distance * distance);

    return fmax(sqrt(-2 * log(least)) * sigma_of_rate(rate), reach_of_bend(slope, least));
}

/* By its pole nearest to the real axis, and its bend. */
static double reach_of_butterworth(double order, double cutoff, double least) {
    const double high = pow(highest / cutoff, 2 * order);
    const double slope = 2 * order / highest * high / pow(1 + high, 2);
    const double decay = 2 * M_PI * cutoff * sin(M_PI / (2 * order));

    return fmax(-log(least) / decay, reach_of_bend(slope, least));
}

static double reach_of_low_pass(const gain *g, double cutoff, double least) {
    switch (g->shape) {
    case SHAPE_GAUSSIAN:
        return reach_of_rate(rate_of_cutoff(cutoff), highest, least);
    case SHAPE_BUTTERWORTH:
        return reach_of_butterworth(g->order, cutoff, least);
    case SHAPE_IDEAL:
        break;
    }
    return HUGE_VAL;
}

static const char *parse_sigma(const char *text, gain *g) {
    return parse_number(text, 1e-3, most_sigma,
                        "must be a standard deviation in pixels, from 0.001 to 1000000", &g->sigma);
}

static void say_gaussian(const gain *g, FILE *to) {
    fprintf(to,
            "Gaussian blur with a standard deviation of %g pixels: half is left of waves with a "
            "period of %.3g pixels",
            g->sigma, sqrt(rate_of_sigma(g->sigma) / M_LN2));
}

static double reach_of_gaussian(const gain *g, double least) {
    if (g->bell != BELL_WHOLE) {
        return (double)bell_reach(g->bell, g->sigma, g->is_of_bytes);
    }
    return reach_of_rate(rate_of_sigma(g->sigma), highest, least);
}

static void prepare_gaussian(const gain *g, size_t height, size_t width, response parts[2]) {
    if (g->bell != BELL_WHOLE) {
        parts[0].rule = IS_PRODUCT;
        bell_respond(g->bell, g->sigma, g->is_of_bytes, height, height, parts[0].rows);
        bell_respond(g->bell, g->sigma, g->is_of_bytes, width, columns_of(width), parts[0].columns);
        return;
    }
    make_bell(&parts[0], height, width, 0, 0, rate_of_sigma(g->sigma));
}

static const char *parse_cutoff(const char *text, gain *g) {
    return parse_frequency(text, g->unit, &g->low);
}

static void say_cutoff(FILE *to, double cutoff) {
    fprintf(to, "%.4g pixels (%.4gc/px, %.4gnyq)", 1 / cutoff, cutoff, 2 * cutoff);
}

static void say_shape(const gain *g, FILE *to) {
    switch (g->shape) {
    case SHAPE_GAUSSIAN:
        fprintf(to, "\n    Gaussian edges: half is left of waves with that period");
        break;
    case SHAPE_BUTTERWORTH:
        fprintf(to, "\n    Butterworth edges of order %u: half is left of waves with that period",
                g->order);
        break;
    case SHAPE_IDEAL:
        fprintf(to, "\n    ideal edges: all or nothing, which leaves ripples beside what is sharp");
        break;
    }
}

static void say_lowpass(const gain *g, FILE *to) {
    fprintf(to, "keeps waves with a period above ");
    say_cutoff(to, g->low);
    say_shape(g, to);
}

static void say_highpass(const gain *g, FILE *to) {
    fprintf(to, "keeps waves with a period below ");
    say_cutoff(to, g->low);
    say_shape(g, to);
}

static double reach_of_cutoff(const gain *g, double least) {
    return reach_of_low_pass(g, g->low, least);
}

static void prepare_cutoff(const gain *g, size_t height, size_t width, response parts[2]) {
    make_low_pass(&parts[0], height, width, g, g->low);
}

static const char *parse_of_band(const char *text, gain *g) {
    return parse_band(text, g->unit, &g->low, &g->high);
}

static void say_band(const gain *g, FILE *to, const char *what) {
    fprintf(to, "%s waves with a period from ", what);
    say_cutoff(to, g->high);
    fprintf(to, " to ");
    say_cutoff(to, g->low);
    say_shape(g, to);
}

static void say_bandpass(const gain *g, FILE *to) {
    say_band(g, to, "keeps");
}

static void say_bandstop(const gain *g, FILE *to) {
    say_band(g, to, "removes");
}

static double reach_of_band(const gain *g, double least) {
    return reach_of_low_pass(g, g->low, least) + reach_of_low_pass(g, g->high, least);
}

static void prepare_band(const gain *g, size_t height, size_t width, response parts[2]) {
    make_low_pass(&parts[0], height, width, g, g->high);
    make_low_pass(&parts[1], height, width, g, g->low);
}

static const char *parse_sharpen(const char *text, gain *g) {
    char first[MOST_VALUE_TEXT];
    const char *rest, *wrong = split_value(text, ',', first, &rest);

    g->amount = 1;
    if (wrong == NULL) {
        wrong = parse_sigma(first, g);
    }
    return wrong == NULL && rest != NULL
               ? parse_number(rest, 0, most_amount, "the amount must be from 0 to 1000", &g->amount)
               : wrong;
}

static void say_sharpen(const gain *g, FILE *to) {
    fprintf(to,
            "sharpens (unsharp mask): adds %g times what a Gaussian blur with a standard deviation "
            "of %g pixels removes",
            g->amount, g->sigma);
}

static const char *parse_nothing(const char *text, gain *g) {
    (void)text, (void)g;
    return NULL;
}

static void say_laplacian(const gain *g, FILE *to) {
    (void)g;
    fprintf(to, "Laplacian: the four neighbours of a pixel less four times itself; edges and dots "
                "are left");
}

static double reach_of_laplacian(const gain *g, double least) {
    (void)g, (void)least;
    return 1;
}

static void prepare_laplacian(const gain *g, size_t height, size_t width, response parts[2]) {
    (void)g;
    parts[0].rule = IS_SUM;
    for (size_t k = 0; k < height; k++) {
        parts[0].rows[k] = 2 * cos(2 * M_PI * frequency_at(k, height)) - 2;
    }
    for (size_t l = 0; l < columns_of(width); l++) {
        parts[0].columns[l] = 2 * cos(2 * M_PI * frequency_at(l, width)) - 2;
    }
}

static const char *parse_angle(const char *text, gain *g) {
    const char *wrong = parse_number(text, -360, 360,
                                     "the angle must be in degrees, from -360 to "
                                     "360, counter-clockwise from the right",
                                     &g->angle);

    g->angle *= M_PI / half_turn;
    return wrong;
}

/* The larger part that a wave has along rows or columns, where it is the shortest; of any
 * direction: on a diagonal. */
static double largest_part(double angle) {
    return isnan(angle) ? M_SQRT1_2 : fmax(fabs(sin(angle)), fabs(cos(angle)));
}

static const char *parse_notch(const char *text, gain *g) {
    char first[MOST_VALUE_TEXT];
    const char *rest, *wrong = split_value(text, ',', first, &rest);

    g->angle = NAN;
    if (wrong == NULL) {
        wrong = parse_any_frequency(first, g->unit, &g->low);
    }
    if (wrong == NULL && rest != NULL) {
        wrong = parse_angle(rest, g);
    }
    return wrong == NULL && g->low * largest_part(g->angle) > highest + 1e-9
               ? "rows and columns of pixels have no wave that is shorter than 2 pixels; on a "
                 "diagonal the shortest has 1.4142"
               : wrong;
}

static void say_notch(const gain *g, FILE *to) {
    fprintf(to, "removes the wave with a period of ");
    say_cutoff(to, g->low);
    if (isnan(g->angle)) {
        fprintf(to, " in every direction");
    } else {
        fprintf(to, " that runs at %g degrees counter-clockwise from the right",
                g->angle * half_turn / M_PI);
    }
    fprintf(to, "\n    half is left of waves whose frequency is %g %% off", 100 * notch_width);
}

static double rate_of_notch(const gain *g) {
    return rate_of_cutoff(notch_width * g->low);
}

static double reach_of_notch(const gain *g, double least) {
    const double to_end = isnan(g->angle) ? highest - g->low : highest; /* one wave is periodic */

    return reach_of_rate(rate_of_notch(g), to_end, least);
}

/* Rows count downwards, angles upwards. What is beyond the highest frequency of a row is the same
 * as from the other end. */
static void prepare_notch(const gain *g, size_t height, size_t width, response parts[2]) {
    const double row = -g->low * sin(g->angle), column = g->low * cos(g->angle);
    const double rate = rate_of_notch(g);

    if (isnan(g->angle)) {
        make_radial(&parts[0], height, width, g->low);
        parts[0].rule = IS_RING;
        parts[0].parameter = rate * g->low * g->low;
        return; /* and the other one stays 0 */
    }
    make_bell(&parts[0], height, width, row, column, rate);
    make_bell(&parts[1], height, width, -row, -column, rate);
}

static const char *parse_stripes(const char *text, gain *g) {
    char first[MOST_VALUE_TEXT];
    const char *rest, *wrong = split_value(text, ',', first, &rest);

    g->low = 0.01;
    if (wrong == NULL && strcmp(first, "horizontal") == 0) {
        g->angle = 0;
    } else if (wrong == NULL && strcmp(first, "vertical") == 0) {
        g->angle = M_PI / 2;
    } else if (wrong == NULL && parse_angle(first, g) != NULL) {
        wrong = "must be horizontal, vertical or the angle of the stripes in degrees, "
                "counter-clockwise from horizontal; a length may follow, such as vertical,200";
    }
    return wrong == NULL && rest != NULL && parse_frequency(rest, g->unit, &g->low) != NULL
               ? "the length from which on stripes are removed must be at least 2 pixels, such as "
                 "vertical,200"
               : wrong;
}

static void say_stripes(const gain *g, FILE *to) {
    fprintf(to,
            "removes stripes that lie at %g degrees counter-clockwise from horizontal, longer than "
            "%.4g pixels and thinner than half of that",
            g->angle * half_turn / M_PI, 1 / g->low);
}

/* A slanted line ends where the frequencies of pixels end, which rings without end. */
static double reach_of_stripes(const gain *g, double least) {
    const int is_slanted = fabs(sin(2 * g->angle)) > 1e-9;

    return is_slanted ? HUGE_VAL : reach_of_rate(rate_of_cutoff(g->low), highest, least);
}

/* Along a stripe hardly anything changes: a line across it, without its middle. */
static void prepare_stripes(const gain *g, size_t height, size_t width, response parts[2]) {
    const double length = 1 / g->low;

    make_line(&parts[0], height, width, -length * sin(g->angle), length * cos(g->angle));
    make_line(&parts[1], height, width, length * cos(g->angle), length * sin(g->angle));
}

static void say_flatten(const gain *g, FILE *to) {
    fprintf(to, "evens out light that changes more slowly than with a period of ");
    say_cutoff(to, g->low);
}

const gain_kind gain_kinds[GAIN_KINDS] = {
    {"gaussian", "SIGMA", "Blur with a bell of this standard deviation, in pixels", parse_sigma,
     say_gaussian, reach_of_gaussian, prepare_gaussian, pass, AVERAGES},
    {"sharpen", "SIGMA[,AMOUNT]", "Unsharp mask: add AMOUNT (default 1) of what that blur removes",
     parse_sharpen, say_sharpen, reach_of_gaussian, prepare_gaussian, add_difference, 0},
    {"lowpass", "PERIOD", "Keep waves that are longer", parse_cutoff, say_lowpass, reach_of_cutoff,
     prepare_cutoff, pass, AVERAGES | HAS_SHAPE},
    {"highpass", "PERIOD", "Keep waves that are shorter", parse_cutoff, say_highpass,
     reach_of_cutoff, prepare_cutoff, stop, HAS_SHAPE},
    {"bandpass", "A:B", "Keep waves with a period between A and B", parse_of_band, say_bandpass,
     reach_of_band, prepare_band, pass_between, HAS_SHAPE},
    {"bandstop", "A:B", "Remove them", parse_of_band, say_bandstop, reach_of_band, prepare_band,
     stop_between, HAS_SHAPE},
    {"flatten", "PERIOD", "Even out light that changes more slowly; the mean stays", parse_cutoff,
     say_flatten, reach_of_cutoff, prepare_cutoff, stop, KEEPS_MEAN},
    {"notch", "PERIOD[,ANGLE]",
     "Remove one wave, such as a raster: of every direction, or that runs at this angle",
     parse_notch, say_notch, reach_of_notch, prepare_notch, stop_both, IS_ONE_WAVE | RUNS_ALONG},
    {"stripes", "horizontal|vertical|ANGLE[,LENGTH]",
     "Remove stripes of this direction that are longer than LENGTH; default 100 pixels",
     parse_stripes, say_stripes, reach_of_stripes, prepare_stripes, stop_between, RUNS_ACROSS},
    {"laplacian", NULL, "Edges: the four neighbours of a pixel less four times itself",
     parse_nothing, say_laplacian, reach_of_laplacian, prepare_laplacian, pass, 0}};

double gain_direction(const gain *g) {
    const double turn = g->kind->traits & RUNS_ALONG    ? 0
                        : g->kind->traits & RUNS_ACROSS ? M_PI / 2
                                                        : NAN;
    const double angle = remainder(g->angle + turn, M_PI);

    return angle < 0 ? angle + M_PI : angle;
}

const char *parse_shape(const char *text, gain_shape *shape, unsigned *order) {
    char first[MOST_VALUE_TEXT];
    const char *rest, *wrong = split_value(text, ':', first, &rest);
    double number = 2;

    if (wrong == NULL && strcmp(first, "butterworth") == 0) {
        *shape = SHAPE_BUTTERWORTH;
        if (rest != NULL) {
            wrong = parse_number(rest, 1, most_order, "", &number);
        }
        *order = (unsigned)number;
        return wrong != NULL || *order != number
                   ? "the order of a Butterworth filter must be a whole number from 1 to 20"
                   : NULL;
    }
    *shape = strcmp(first, "ideal") == 0 ? SHAPE_IDEAL : SHAPE_GAUSSIAN;
    return rest == NULL && (*shape == SHAPE_IDEAL || strcmp(first, "gaussian") == 0)
               ? NULL
               : "must be gaussian, ideal, butterworth or butterworth:N";
}

/* ---- tables -----------------------------------------------------------------------------------
 */

int gain_table_make(gain_table *t, const gain *g, size_t height, size_t width) {
    const size_t columns = columns_of(width), part = height + columns;
    double *values = allocate(2 * part + 2 * columns, sizeof *values);

    *t = (gain_table){.of = g, .columns = columns, .lines = values};
    if (values == NULL) {
        return EXIT_MEMORY;
    }
    for (int i = 0; i < 2; i++) {
        t->parts[i].rows = values + 2 * columns + (size_t)i * part;
        t->parts[i].columns = t->parts[i].rows + height;
    }
    memset(t->parts[1].rows, 0, part * sizeof *values);
    g->kind->prepare(g, height, width, t->parts);
    return EXIT_DONE;
}

void gain_table_multiply(const gain_table *t, size_t k, double *row) {
    double *a = t->lines, *b = t->lines + t->columns;

    respond(&t->parts[0], k, t->columns, a);
    respond(&t->parts[1], k, t->columns, b);
    t->of->kind->combine(t->columns, a, b, t->of->amount, row);
}

void gain_table_free(gain_table *t) {
    free(t->lines);
    *t = (gain_table){0};
}
