/* SPDX-License-Identifier: MIT
 * What a filter would do to a picture, in words and as a drawing of its gains; see run.h.
 */
#include <math.h>
#include <stdlib.h>

#include "filter/run.h"
#include "shell/complain.h"

/* ---- in words ---------------------------------------------------------------------------------
 */

enum { LONGEST_PERIOD = 512 };

/* A line of how much is left of waves that run in one direction: those of a picture with one row,
 * or one column, see no other ones. */
static int say_waves(const filter_run *r, int is_down, FILE *to) {
    weft_desc desc = {.height = is_down ? LONGEST_PERIOD : 1,
                      .width = is_down ? 1 : LONGEST_PERIOD,
                      .precision = WEFT_F64,
                      .strategy = "cpu",
                      .threads = 1};
    transfer section;
    int code = transfer_make(&section, r->filter, &desc);

    if (code != EXIT_DONE) {
        return code;
    }
    fprintf(to, "  %-17s", is_down ? "runs up and down" : "runs left, right");
    for (size_t period = 2; period <= LONGEST_PERIOD; period *= 2) {
        const size_t at = LONGEST_PERIOD / period;

        fprintf(to, " %6.4g%%", /* 4 digits, but none of rounding */
                round(1e3 * transfer_magnitude(&section, is_down ? at : 0, is_down ? 0 : at)) / 10);
    }
    fprintf(to, "\n");
    transfer_free(&section);
    return EXIT_DONE;
}

static int say_all_waves(const filter_run *r, FILE *to) {
    int code;

    fprintf(to,
            "what is left of a wave (one bright and one dark stripe; the period is the width of "
            "both):\n  period in pixels ");
    for (size_t period = 2; period <= LONGEST_PERIOD; period *= 2) {
        fprintf(to, " %7zu", period);
    }
    fprintf(to, "\n");
    code = say_waves(r, 0, to);
    return code == EXIT_DONE ? say_waves(r, 1, to) : code;
}

static void say_size(const filter_run *r, const image *picture, FILE *to) {
    fprintf(to, "beyond the border: %s, %s\n", border_words[r->filter->border],
            border_about(r->filter->border));
    if (isfinite(r->reach)) {
        fprintf(to, "  results depend on pixels up to %g away", r->reach);
    } else {
        fprintf(to, "  results depend on the whole picture");
    }
    fprintf(to, ", so %zu columns and %zu rows are computed, %.2f times the picture\n",
            r->desc.width, r->desc.height,
            (double)r->desc.height * (double)r->desc.width /
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
    if (f->is_to_float || picture->depth == 32) {
        fprintf(to, "real numbers, not rounded\n");
    } else {
        fprintf(to, "rounded to the nearest of 0..%u, what lies outside is clamped\n",
                image_largest(picture->depth));
    }
}

int filter_say_picture(filter_run *r, const char *path, const image *picture, FILE *to) {
    int code = EXIT_DONE;

    fprintf(to, "%s: %zu columns, %zu rows, %s, %s\n", path, picture->width, picture->height,
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
