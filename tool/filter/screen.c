/* SPDX-License-Identifier: MIT
 * Looking for screens. A Hann window makes a dot of a wave of any period, and the median of the
 * power around a dot says what the picture itself would have there: noise is hardly ever thirty
 * times that, and what is drawn in a picture lies on lines, which the median follows. What is
 * woven, built or written has strong waves, too; but only dots of a print have two that are alike,
 * a quarter of a turn apart, and stronger than all others.
 */
#include "filter/screen.h"

#include <complex.h>
#include <math.h>
#include <stdlib.h>

#include "shell/complain.h"
#include "shell/progress.h"

/* How much stronger than what is around them both waves of a screen are; and then what else is at
 * their sums and differences, and other waves. */
static const double ratio_of_pair = 25, ratio_of_sums = 20, ratio_of_others = 100;
static const double most_unlike = 16; /* how many times the other's power one of both may have */
static const double most_period = 16; /* longer ones may be bricks, or windows of a house */
static const size_t least_side = 32;
/* Of a notch, as a part of the screen's frequency. It grows with the screen's strength, its
 * amplitude as a part of the range of the picture: what is left of a strong screen at edges is
 * worse than what is lost of the picture. */
static const double least_width = 0.05, width_of_strength = 0.6, most_width = 0.25;
enum { MOST_FACTOR = 4 };                /* of the waves in the sums */
enum { DOT = 2, RING = 9, AROUND = 36 }; /* bins: a dot's to each side; samples around it */

/* |X|^2 of half a spectrum. */
typedef struct powers {
    size_t height, width;
    double range; /* of the picture's values */
    float *values;
    long down[AROUND], right[AROUND]; /* places on three rings around a bin */
} powers;

/* ---- the spectrum -----------------------------------------------------------------------------
 */

static double window_at(size_t i, size_t n) {
    return pow(sin(M_PI * ((double)i + 0.5) / (double)n), 2);
}

/* All colours together, windowed; the range of the values. */
static double take_window(const image *picture, const double *across, float *values) {
    const size_t samples = image_plane_samples(picture);
    double mean = 0, least = INFINITY, most = -INFINITY;

    for (size_t i = 0; i < picture->planes * samples; i++) {
        mean += image_value(picture, i) / (double)samples;
    }
    for (size_t m = 0; m < picture->height; m++) {
        const double down = window_at(m, picture->height);

        for (size_t n = 0; n < picture->width; n++) {
            double value = -mean;

            for (size_t plane = 0; plane < picture->planes; plane++) {
                value += image_value(picture, plane * samples + m * picture->width + n);
            }
            least = fmin(least, value);
            most = fmax(most, value);
            values[m * picture->width + n] = (float)(value * down * across[n]);
        }
    }
    return most - least;
}

static int window_picture(const image *picture, float *values, double *range) {
    double *across = allocate(picture->width, sizeof *across);

    if (across == NULL) {
        return EXIT_MEMORY;
    }
    for (size_t n = 0; n < picture->width; n++) {
        across[n] = window_at(n, picture->width);
    }
    *range = take_window(picture, across, values);
    free(across);
    return EXIT_DONE;
}

static int transform(const image *picture, const transform_options *o, const float *values,
                     float complex *spectrum) {
    const weft_desc desc = {.height = picture->height,
                            .width = picture->width,
                            .batch = 1,
                            .layout = WEFT_HALF,
                            .strategy = o->strategy,
                            .threads = (int)o->threads,
                            .device = (int)o->device};
    weft_plan *plan;
    weft_status status = weft_plan_create(&plan, &desc);

    if (status == WEFT_OK) {
        status = weft_forward_host(plan, values, spectrum);
        weft_plan_destroy(plan);
    }
    return status == WEFT_OK ? EXIT_DONE : complain_plan(status, &desc);
}

static int find_powers(powers *p, const image *picture, const transform_options *o) {
    const size_t bins = picture->height * (picture->width / 2 + 1);
    float *values = allocate(picture->height * picture->width, sizeof *values);
    float complex *spectrum = values != NULL ? allocate(bins, sizeof *spectrum) : NULL;
    int code;

    *p = (powers){.height = picture->height, .width = picture->width};
    code = spectrum != NULL ? window_picture(picture, values, &p->range) : EXIT_MEMORY;
    if (code == EXIT_DONE) {
        code = transform(picture, o, values, spectrum);
    }
    free(values);
    for (int i = 0; i < AROUND; i++) {
        const double radius = RING - 2 * (i % 3), angle = 2 * M_PI * i / AROUND;

        p->down[i] = lrint(radius * sin(angle));
        p->right[i] = lrint(radius * cos(angle));
    }
    if (code == EXIT_DONE) {
        p->values = allocate(bins, sizeof *p->values);
        code = p->values != NULL ? EXIT_DONE : EXIT_MEMORY;
    }
    for (size_t i = 0; code == EXIT_DONE && i < bins; i++) {
        p->values[i] =
            crealf(spectrum[i]) * crealf(spectrum[i]) + cimagf(spectrum[i]) * cimagf(spectrum[i]);
    }
    free(spectrum);
    return code;
}

/* ---- dots in it -------------------------------------------------------------------------------
 */

/* Both up to a period below 0, or beyond the end. */
static float power_at(const powers *p, long k, long l) {
    const long height = (long)p->height, width = (long)p->width;

    k = k < 0 ? k + height : k < height ? k : k - height;
    l = l < 0 ? l + width : l < width ? l : l - width;
    if (l > width / 2) { /* the mirror image has the same power */
        l = width - l;
        k = k > 0 ? height - k : 0;
    }
    return p->values[k * (width / 2 + 1) + l];
}

static int is_dot(const powers *p, long k, long l) {
    const float power = power_at(p, k, l);

    for (long down = -DOT; down <= DOT; down++) {
        for (long right = -DOT; right <= DOT; right++) {
            if (power_at(p, k + down, l + right) > power) {
                return 0;
            }
        }
    }
    return 1;
}

/* Whether a bin has more than `ratio` times the power of the median of what is around it. */
static int stands_out(const powers *p, long k, long l, double ratio) {
    const double most = (double)power_at(p, k, l) / ratio;
    int less = 0;

    for (int i = 0; i < AROUND; i++) {
        less += (double)power_at(p, k + p->down[i], l + p->right[i]) < most;
    }
    return less > AROUND / 2;
}

/* How far, in bins, a wave's frequency is from the bin where a Hann window shows it. */
static double offset_of(float before, float at, float after) {
    const double ratio = sqrt((double)fmaxf(before, after) / (double)at);
    const double offset = (2 * ratio - 1) / (1 + ratio);

    return after > before ? offset : -offset;
}

static double frequency_of(double bin, size_t length) {
    return remainder(bin / (double)length, 1);
}

/* The one that has a dot here. */
static wave wave_at(const powers *p, long k, long l) {
    const float power = power_at(p, k, l);
    const double down = offset_of(power_at(p, k - 1, l), power, power_at(p, k + 1, l));
    const double right = offset_of(power_at(p, k, l - 1), power, power_at(p, k, l + 1));
    const wave found = {frequency_of((double)k + down, p->height),
                        frequency_of((double)l + right, p->width), power};

    return found.column < 0 ? (wave){-found.row, -found.column, power} : found;
}

/* ---- the screen -------------------------------------------------------------------------------
 */

static double frequency(const wave *w) {
    return hypot(w->row, w->column);
}

/* The strongest ones come first, and the weakest are let go. */
static void keep(screen *s, wave w) {
    size_t i = s->count < MOST_WAVES ? s->count++ : MOST_WAVES - 1;

    if (i == MOST_WAVES - 1 && s->waves[i].power > w.power) {
        return;
    }
    for (; i > 0 && s->waves[i - 1].power < w.power; i--) {
        s->waves[i] = s->waves[i - 1];
    }
    s->waves[i] = w;
}

static int is_near(const powers *p, const wave *w, double row, double column, double bins) {
    return fabs(remainder(w->row - row, 1)) * (double)p->height < bins &&
           fabs(remainder(w->column - column, 1)) * (double)p->width < bins;
}

/* Every wave is there twice, and in some columns both are looked at. */
static int is_same(const powers *p, const wave *a, const wave *b, double bins) {
    return is_near(p, a, b->row, b->column, bins) || is_near(p, a, -b->row, -b->column, bins);
}

static int is_kept(const screen *s, const powers *p, const wave *w) {
    for (size_t i = 0; i < s->count; i++) {
        if (is_same(p, w, &s->waves[i], DOT)) {
            return 1;
        }
    }
    return 0;
}

/* The strongest bin beside this place. */
static void climb(const powers *p, long *k, long *l) {
    const long from_k = *k, from_l = *l;

    for (int i = 0; i < 9; i++) {
        const long down = from_k + i / 3 - 1, right = from_l + i % 3 - 1;

        if (power_at(p, down, right) > power_at(p, *k, *l)) {
            *k = down;
            *l = right;
        }
    }
}

/* The wave that is like this one, but runs at a right angle to it; of no power if there is none. */
static wave partner_of(const powers *p, const wave *w) {
    const wave turned = {-w->column, w->row, 0};
    long k = lrint(turned.row * (double)p->height), l = lrint(turned.column * (double)p->width);
    wave partner;

    climb(p, &k, &l);
    partner = wave_at(p, k, l);
    return is_dot(p, k, l) && stands_out(p, k, l, ratio_of_pair) &&
                   is_same(p, &partner, &turned, 1) && !is_same(p, &partner, w, DOT) &&
                   partner.power < most_unlike * w->power && w->power < most_unlike * partner.power
               ? partner
               : (wave){0};
}

/* The pair whose weaker wave is the strongest, and all other waves that stand out enough. */
static void find_waves(screen *others, wave pair[2], const powers *p) {
    double best = 0;

    for (long k = 0; k < (long)p->height; k++) {
        for (long l = 0; l <= (long)p->width / 2; l++) {
            const wave here = {frequency_of((double)k, p->height),
                               frequency_of((double)l, p->width), 0};

            if (frequency(&here) * most_period > 1 && is_dot(p, k, l) &&
                stands_out(p, k, l, ratio_of_pair)) {
                const wave w = wave_at(p, k, l), partner = partner_of(p, &w);

                if (fmin(w.power, partner.power) > best) {
                    best = fmin(w.power, partner.power);
                    pair[0] = w.power > partner.power ? w : partner;
                    pair[1] = w.power > partner.power ? partner : w;
                }
                if (stands_out(p, k, l, ratio_of_others) && !is_kept(others, p, &w)) {
                    keep(others, w);
                }
            }
        }
    }
}

/* The screen of the pair, unless some other wave is stronger. */
static void find_strong(screen *s, const powers *p) {
    screen others = {0};
    wave pair[2] = {{0}};

    find_waves(&others, pair, p);
    if (pair[0].power > 0 && (others.count == 0 || others.waves[0].power <= pair[0].power ||
                              is_same(p, &others.waves[0], &pair[0], DOT))) {
        s->waves[s->count++] = pair[0];
        s->waves[s->count++] = pair[1];
    }
    for (size_t i = 0; s->count > 0 && s->count < MOST_WAVES && i < others.count; i++) {
        if (!is_kept(s, p, &others.waves[i])) {
            s->waves[s->count++] = others.waves[i];
        }
    }
}

/* A wave near this frequency, if there is one. */
static void look_at(screen *s, const powers *p, double row, double column) {
    wave w = {remainder(row, 1), remainder(column, 1), 0};
    long k = lrint(w.row * (double)p->height), l = lrint(w.column * (double)p->width);

    if (frequency(&w) * most_period < 1) {
        return;
    }
    climb(p, &k, &l);
    w = wave_at(p, k, l);
    if (s->count < MOST_WAVES && stands_out(p, k, l, ratio_of_sums) && !is_kept(s, p, &w)) {
        s->waves[s->count++] = w;
    }
}

static void find_sums(screen *s, const powers *p) {
    const wave first = s->waves[0], second = s->waves[1];

    for (int a = 0; a <= MOST_FACTOR; a++) {
        for (int b = -MOST_FACTOR; b <= MOST_FACTOR; b++) {
            look_at(s, p, a * first.row + b * second.row, a * first.column + b * second.column);
        }
    }
}

/* Of the notches, by the strongest wave: half its amplitude, times the sum of the window, is |X|.
 */
static double width_of(const powers *p, const wave *strongest) {
    const double amplitude =
        2 * sqrt(strongest->power) / (0.25 * (double)p->height * (double)p->width);
    const double width = least_width + width_of_strength * amplitude / p->range;

    return fmin(width, most_width) * frequency(strongest);
}

int screen_find(screen *found, const image *picture, const transform_options *options) {
    powers p = {0};
    int code = EXIT_DONE;

    *found = (screen){0};
    if (picture->height < least_side || picture->width < least_side) {
        return EXIT_DONE;
    }
    progress_start("looking for a screen");
    code = find_powers(&p, picture, options);
    if (code == EXIT_DONE) {
        find_strong(found, &p);
    }
    if (code == EXIT_DONE && found->count > 0) {
        found->width = width_of(&p, &found->waves[0]);
        find_sums(found, &p);
    }
    progress_end();
    free(p.values);
    return code;
}

/* ---- its notches ------------------------------------------------------------------------------
 */

double screen_reach(const screen *s, double least) {
    return s->count > 0 ? sqrt(-log(least) * M_LN2) / (M_PI * s->width) : 0;
}

/* A bell around (row, column), by which all of these columns are less. */
static void multiply_bell(const screen *s, double from_row, double column, size_t width,
                          double *row) {
    const double far = 6 * s->width; /* 2^-36 is left of a bell */
    const double first = ceil((column - far) * (double)width);
    const double last = floor((column + far) * (double)width);
    const double exponent = from_row * from_row / (s->width * s->width);

    if (fabs(from_row) > far) {
        return;
    }
    for (size_t l = (size_t)fmax(first, 0); (double)l <= fmin(last, (double)(width / 2)); l++) {
        const double from_column = ((double)l / (double)width - column) / s->width;

        row[l] *= 1 - exp2(-exponent - from_column * from_column);
    }
}

void screen_multiply(const screen *s, size_t height, size_t width, size_t k, double *row) {
    const double at = (double)k / (double)height;

    for (size_t i = 0; i < s->count; i++) {
        const wave *w = &s->waves[i];

        multiply_bell(s, remainder(at - w->row, 1), w->column, width, row);
        multiply_bell(s, remainder(at + w->row, 1), -w->column, width, row);
        multiply_bell(s, remainder(at + w->row, 1), 1 - w->column, width, row);
    }
}

/* Degrees, from above -90 to 90, rounded to tenths. */
static double angle_of(const wave *w) {
    const double degrees = round(10 * atan2(-w->row, w->column) * 180 / M_PI) / 10;

    return degrees <= -90 ? degrees + 180 : degrees + 0.0; /* -0 becomes 0 */
}

const char *screen_text(const screen *s, char text[SCREEN_TEXT]) {
    size_t used = (size_t)snprintf(
        text, SCREEN_TEXT,
        s->count > 0 ? "removes a printed screen: "
                     : "no printed screen found, and none removed; --notch removes a single wave");

    for (size_t i = 0; i < s->count && i < 2; i++) {
        used += (size_t)snprintf(text + used, SCREEN_TEXT - used,
                                 "%sa period of %.3g pixels at %g degrees", i > 0 ? " and " : "",
                                 1 / frequency(&s->waves[i]), angle_of(&s->waves[i]));
    }
    if (s->count > 2) {
        snprintf(text + used, SCREEN_TEXT - used, ", and %zu more of their sums", s->count - 2);
    }
    return text;
}
