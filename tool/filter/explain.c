/* SPDX-License-Identifier: MIT
 * What a filter would do to a picture, in words and as a drawing of its gains; see run.h.
 */
#include <math.h>
#include <stdlib.h>

#include "filter/run.h"
#include "shell/complain.h"

/* ---- in words ---------------------------------------------------------------------------------
 */

enum { LONGEST_PERIOD = 512, MOST_PERIODS = 9 + MOST_GAINS, MOST_DIRECTIONS = 2 + MOST_GAINS };
static const double half_turn = 180; /* degrees */

/* Where a small picture has this frequency, nearly: bin *at of the length returned. */
static size_t section_of(double frequency, size_t *at) {
    const double waves = fmax(round(LONGEST_PERIOD / 2 * fabs(frequency)), 1);
    const size_t length = frequency == 0 ? 1 : (size_t)lrint(waves / fabs(frequency));

    *at = frequency == 0 ? 0 : frequency > 0 ? (size_t)waves : length - (size_t)waves;
    return length;
}

/* How much is left of a wave: of one in a picture that is as large as it takes. */
static int say_wave(const filter *f, double row, double column, FILE *to) {
    const double sign = column < 0 ? -1 : 1;
    size_t k, l;
    const weft_desc desc = {.height = section_of(sign * row, &k),
                            .width = section_of(sign * column, &l),
                            .precision = WEFT_F64,
                            .strategy = "cpu",
                            .threads = 1};
    transfer section;
    int code;

    if (fmax(fabs(row), fabs(column)) > 0.5 + 1e-9) { /* no picture has it */
        fprintf(to, "       -");
        return EXIT_DONE;
    }
    code = transfer_make(&section, f, &desc);
    if (code == EXIT_DONE) { /* 4 digits, but none of rounding */
        fprintf(to, " %6.4g%%", round(1e3 * transfer_magnitude(&section, k, l)) / 10);
        transfer_free(&section);
    }
    return code;
}

/* A line of waves of these periods that run in one direction. */
static int say_direction(const filter *f, const double *periods, size_t count, double angle,
                         FILE *to) {
    const int is_across = angle == 0, is_upright = angle == half_turn / 2;
    const double row = is_across ? 0 : -sin(angle * M_PI / half_turn);
    const double column = is_upright ? 0 : cos(angle * M_PI / half_turn);
    int code = EXIT_DONE;

    if (is_across || is_upright) {
        fprintf(to, "  %-17s", is_across ? "runs left, right" : "runs up and down");
    } else {
        fprintf(to, "  runs at %3.0f deg. ", angle);
    }
    for (size_t i = 0; code == EXIT_DONE && i < count; i++) {
        code = say_wave(f, row / periods[i], column / periods[i], to);
    }
    fprintf(to, "\n");
    return code;
}

/* Keeps them in order, and each once. */
static size_t insert(double *numbers, size_t count, double number) {
    size_t at = count;

    for (size_t i = 0; i < count; i++) {
        if (fabs(numbers[i] - number) <= 1e-3 * number) {
            return count;
        }
    }
    for (; at > 0 && numbers[at - 1] > number; at--) {
        numbers[at] = numbers[at - 1];
    }
    numbers[at] = number;
    return count + 1;
}

/* Powers of two, and what would be missed between them: waves of which no other ones go. */
static int say_all_waves(const filter_run *r, FILE *to) {
    double periods[MOST_PERIODS], angles[MOST_DIRECTIONS] = {0, half_turn / 2};
    size_t period_count = 0, angle_count = 2;
    int code = EXIT_DONE;

    for (double period = 2; period <= LONGEST_PERIOD; period *= 2) {
        period_count = insert(periods, period_count, period);
    }
    for (size_t i = 0; i < r->filter->gain_count; i++) {
        const gain *g = &r->filter->gains[i];
        const double angle = gain_direction(g) * half_turn / M_PI;

        if (g->kind->traits & IS_ONE_WAVE) {
            period_count = insert(periods, period_count, 1 / g->low);
        }
        if (isfinite(angle)) {
            angle_count = insert(angles, angle_count, angle);
        }
    }
    fprintf(to,
            "what is left of a wave (one bright and one dark stripe; the period is the width of "
            "both):\n  period in pixels ");
    for (size_t i = 0; i < period_count; i++) {
        fprintf(to, " %7.4g", periods[i]);
    }
    fprintf(to, "\n");
    for (size_t i = 0; code == EXIT_DONE && i < angle_count; i++) {
        code = say_direction(r->filter, periods, period_count, angles[i], to);
    }
    return code;
}

static void say_size(const filter_run *r, const image *picture, FILE *to) {
    fprintf(to, "beyond the border: %s, %s\n", border_words[r->filter->border],
            border_about(r->filter->border));
    if (isfinite(r->reach)) {
        fprintf(to, "  results depend on pixels up to %g away", r->reach);
    } else {
        fprintf(to, "  results depend on the whole picture");
    }
    fprintf(to, ", so ");
    if (r->strips > 1) {
        fprintf(to, "%zu strips of ", r->strips);
    }
    fprintf(to, "%zux%zu are computed, %.2f times the picture\n", r->desc.height, r->desc.width,
            (double)r->strips * (double)r->desc.height * (double)r->desc.width /
                ((double)picture->height * (double)picture->width));
}

static void say_result(const filter_run *r, const image *picture, FILE *to) {
    const filter *f = r->filter;

    fprintf(to, "result: ");
    if (f->is_linear) {
        fprintf(to, "filtered as light (sRGB is undone before and done after); ");
    }
    if (r->keeps_mean) {
        fprintf(to, "the mean of each colour stays; ");
    } else if (f->has_offset && isnan(f->offset)) {
        fprintf(to, "half of the largest value is added to every value; ");
    } else if (f->has_offset) {
        fprintf(to, "%g is added to every value; ", f->offset);
    } else if (fabs(r->gain_of_mean - 1) > 1e-6) {
        fprintf(to, "the mean is multiplied by %.4g; ", r->gain_of_mean);
    }
    if (f->is_spread) {
        fprintf(to, "the least value becomes black, the largest white%s; ",
                f->like != NULL && f->like->bins > 0 ? ", as is the last 256th between both" : "");
    }
    if (f->saturated > 0) {
        fprintf(to, "%g %% of the values become black or white, half of them each; ", f->saturated);
    }
    if (f->is_to_float || picture->depth == 32) {
        fprintf(to, "real numbers, not rounded\n");
    } else {
        fprintf(to, "rounded %s 0..%u, what lies outside is clamped\n",
                picture->depth == 8 && f->like != NULL && f->like->rounds_down
                    ? "down to one of"
                    : "to the nearest of",
                image_largest(picture->depth));
    }
}

int filter_say_picture(filter_run *r, const char *path, const image *picture, FILE *to) {
    int code = EXIT_DONE;

    fprintf(to, "%s: %zux%zu, %s, %s\n", path, picture->height, picture->width,
            picture->planes == 1 ? "gray" : "colour",
            picture->depth == 8    ? "8 bits"
            : picture->depth == 16 ? "16 bits"
                                   : "floats");
    fprintf(to, "filter:\n");
    filter_say(r->filter, to);
    if (r->filter->table == NULL) { /* which is of one size only */
        code = say_all_waves(r, to);
    }
    say_size(r, picture, to);
    say_result(r, picture, to);
    fprintf(to, "plan:\n%s", weft_plan_describe(r->plan));
    return code;
}

/* ---- as a drawing -----------------------------------------------------------------------------
 */

/* Columns beyond W/2 by symmetry; frequency 0 is in row H/2, column W/2. */
static double at_place(const transfer *t, size_t m, size_t n) {
    size_t k = (m + t->height - t->height / 2) % t->height;
    size_t l = (n + t->width - t->width / 2) % t->width;

    if (l > t->width / 2) {
        k = (t->height - k) % t->height;
        l = t->width - l;
    }
    return transfer_magnitude(t, k, l);
}

static double most_of(const transfer *t) {
    double most = 0;

    for (size_t k = 0; k < t->height; k++) {
        for (size_t l = 0; l <= t->width / 2; l++) {
            most = fmax(most, transfer_magnitude(t, k, l));
        }
    }
    return most;
}

int filter_draw_gains(const filter_run *r, size_t height, size_t width, image *drawing,
                      double *white) {
    weft_desc desc = r->desc;
    transfer gains;
    int code;

    desc.height = height;
    desc.width = width;
    code = transfer_make(&gains, r->filter, &desc);
    if (code != EXIT_DONE) {
        return code;
    }
    *white = most_of(&gains) > 1 + 1e-6 ? most_of(&gains) : 1;
    code = image_allocate(drawing, height, width, 1, 8, 0);
    for (size_t m = 0; code == EXIT_DONE && m < height; m++) {
        for (size_t n = 0; n < width; n++) {
            image_set_sample(drawing, m * width + n,
                             (unsigned)lrint(255 * fmin(at_place(&gains, m, n) / *white, 1)));
        }
    }
    transfer_free(&gains);
    return code;
}
