/* SPDX-License-Identifier: MIT
 * A bin at k / H and l / W cycles per pixel lies in the ring that is nearest to its distance.
 */
#include "pictures/profile.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pictures/bins.h"
#include "shell/complain.h"

enum { FIRST_OF_SLOPE = 4 };

/* What |X|^2 / (H W) wants beside |X|^2, as the spectrum may have been scaled already. */
static double power_factor(const spectrum *s) {
    const double count = (double)s->height * (double)s->width;

    return s->norm == WEFT_NORM_ORTHO ? 1 : s->norm == WEFT_NORM_FORWARD ? count : 1 / count;
}

/* In cycles per pixel; those beyond n/2 run the other way. */
static double frequency(size_t k, size_t n) {
    return (double)(k <= n / 2 ? k : n - k) / (double)n;
}

static void add_plane(profile *p, const spectrum *s, size_t plane) {
    double *powers = p->powers + plane * p->rings;

    for (size_t k = 0; k < s->height; k++) {
        for (size_t l = 0; l < spectrum_row_length(s); l++) {
            const double across = hypot(frequency(k, s->height), frequency(l, s->width));
            const size_t ring = (size_t)lrint(across * (double)p->longest);
            const double x = cabs(bin_stored(s, plane, k, l)), weight = (double)bin_weight(s, l);

            if (ring < p->rings) {
                powers[ring] += weight * x * x * power_factor(s);
                p->bins[ring] += plane == 0 ? weight : 0;
            }
        }
    }
}

int profile_find(profile *p, const spectrum *s) {
    *p = (profile){.planes = s->planes, .longest = s->height > s->width ? s->height : s->width};
    p->rings = p->longest / 2 + 1;
    p->bins = allocate(p->rings, sizeof *p->bins);
    p->powers = allocate(p->planes * p->rings, sizeof *p->powers);
    if (!p->bins || !p->powers) {
        profile_free(p);
        return EXIT_MEMORY;
    }
    for (size_t i = 0; i < p->rings; i++) {
        p->bins[i] = 0;
    }
    for (size_t i = 0; i < p->planes * p->rings; i++) {
        p->powers[i] = 0;
    }
    for (size_t plane = 0; plane < s->planes; plane++) {
        add_plane(p, s, plane);
    }
    for (size_t i = 0; i < p->planes * p->rings; i++) {
        p->powers[i] /= fmax(p->bins[i % p->rings], 1);
    }
    return EXIT_DONE;
}

void profile_free(profile *p) {
    free(p->bins);
    free(p->powers);
    *p = (profile){0};
}

static int write_line(output *out, const char *text) {
    return output_write(out, text, strlen(text));
}

int profile_write(const profile *p, output *out) {
    static const char *const heads[] = {"frequency,period,bins,power\n",
                                        "frequency,period,bins,red,green,blue\n"};
    char line[400];
    int code = write_line(out, heads[p->planes > 1]);

    for (size_t i = 1; code == EXIT_DONE && i < p->rings; i++) {
        int used = snprintf(line, sizeof line, "%.9g,%.9g,%.0f", (double)i / (double)p->longest,
                            (double)p->longest / (double)i, p->bins[i]);

        for (size_t plane = 0; plane < p->planes; plane++) {
            used += snprintf(line + used, sizeof line - (size_t)used, ",%.9g",
                             p->powers[plane * p->rings + i]);
        }
        snprintf(line + used, sizeof line - (size_t)used, "\n");
        code = write_line(out, line);
    }
    return code;
}

/* Least squares of ln power over ln frequency. */
double profile_slope(const profile *p) {
    double weights = 0, x = 0, y = 0, xx = 0, xy = 0;
    size_t rings = 0;

    for (size_t i = FIRST_OF_SLOPE; 4 * i <= p->longest && i < p->rings; i++) {
        const double weight = 1 / (double)i, at = log((double)i);
        double power = 0;

        for (size_t plane = 0; plane < p->planes; plane++) {
            power += p->powers[plane * p->rings + i];
        }
        if (power > 0) {
            rings++;
            weights += weight;
            x += weight * at;
            y += weight * log(power);
            xx += weight * at * at;
            xy += weight * at * log(power);
        }
    }
    return rings > 1 ? (xy * weights - x * y) / (xx * weights - x * x) : (double)NAN;
}
