/* SPDX-License-Identifier: MIT
 * Roots of unity and the tables of a line, computed when a plan is made.
 */
#include "arith/twiddle.h"

#include "arith/angle.h"

/* The angles of a line, all of which are parts of a turn that its length is a multiple of. Most
 * come several times, and take longer to compute than to find. */
typedef struct line_angles {
    size_t length;
    angle *known; /* by what an octant leaves, where the cosine is not 0; or NULL */
} line_angles;

_Static_assert(sizeof(angle) == 2 * sizeof(long double), "see twiddle_scratch()");

/* 2 pi k / n for an n that divides the length, with the same bits as angle_of(k, n): it is the same
 * quotient that is rounded. */
static angle angle_among(const line_angles *of, size_t k, size_t n) {
    if (of->known == NULL) {
        return angle_of(k, n);
    }
    octant o = octant_of(k * (of->length / n), of->length);
    angle *known = &of->known[o.rest];
    if (known->cosine == 0) {
        *known = angle_in_octant(o.rest, of->length);
    }
    return angle_out_of_octant(*known, o);
}

static cpx root_of(angle x) {
    return cpx_of((scalar)x.cosine, (scalar)-x.sine);
}

cpx unit_root(size_t k, size_t n) {
    return root_of(angle_of(k, n));
}

/* The cosine, or what twiddle.h puts in place of 0. */
static long double cosine_of(angle x) {
    return x.cosine == 0 ? (WEFT_REAL_BITS == 32 ? 0x1p-40L : 0x1p-80L) : x.cosine;
}

/* The tangent is taken with the rounded cosine, and so makes up for its rounding. */
static cpx cosine_and_tangent(const line_angles *of, size_t k, size_t n) {
    angle x = angle_among(of, k % n, n);
    scalar cosine = (scalar)cosine_of(x);
    return cpx_of(cosine, (scalar)(x.sine / cosine));
}

/* four(y) of twiddle.h, or four'(y) if is_turned, with y = exp(-2 pi i k / n). */
static void fill_four(const line_angles *of, size_t k, size_t n, int is_turned, cpx *w) {
    angle x = angle_among(of, k % n, n), cube = angle_among(of, 3 * k % n, n);
    scalar cosine = (scalar)cosine_of(x), quotient = (scalar)(cosine_of(cube) / cosine);
    w[0] = cosine_and_tangent(of, is_turned ? 2 * k + n / 4 * 3 : 2 * k, n);
    w[1] = cpx_of((scalar)(x.sine / cosine),
                  (scalar)(cube.sine / ((long double)cosine * (long double)quotient)));
    w[2] = cpx_of(cosine, quotient);
}

/* The twiddles of a sub-line whose x is exp(-2 pi i k / n). */
static void fill_sub_line(const line_angles *of, size_t radix, size_t k, size_t n, cpx *w) {
    w[stage_twiddles(radix) - 1] = cpx_of(0, 0);
    switch (radix) {
    case 2:
        w[0] = cosine_and_tangent(of, k, n);
        break;
    case 4:
        fill_four(of, k, n, 0, w);
        break;
    case 8:
        fill_four(of, 2 * k, n, 0, w);
        for (size_t i = 0; i < 4; i++) {
            w[3 + i] = cosine_and_tangent(of, k + i % 2 * (n / 8), n);
        }
        break;
    case 16:
        fill_four(of, 4 * k, n, 0, w);
        for (size_t i = 0; i < 4; i++) {
            fill_four(of, k + i * (n / 16), n, i >= 2, w + 3 + 3 * i);
        }
        break;
    default:
        for (size_t v = 1; v < radix; v++) {
            w[v - 1] = root_of(angle_among(of, v * k % n, n));
        }
    }
}

void twiddle_fill(const factor_list *list, void *scratch, cpx *table) {
    line_angles angles = {1, scratch};
    size_t sub_lines = 1;
    for (int stage = 0; stage < list->count; stage++) {
        angles.length *= (size_t)list->radix[stage];
    }
    for (int stage = 0; stage < list->count; stage++) {
        size_t radix = (size_t)list->radix[stage];
        for (size_t j = 0; j < stage_roots(radix); j++) {
            *table++ = root_of(angle_among(&angles, j, radix));
        }
        for (size_t q = 0; stage > 0 && q < sub_lines; q++, table += stage_twiddles(radix)) {
            fill_sub_line(&angles, radix, q, sub_lines * radix, table);
        }
        sub_lines *= radix;
    }
}
