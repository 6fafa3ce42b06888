/* SPDX-License-Identifier: MIT
 * The butterflies: DFTs of 2, 4, 8, 16, of odd primes up to 13 and of 6, 9, 10, 12 and 15, in
 * natural order, in place in an array x[radix] whose indices are all constants, so that the
 * compiler keeps it in registers. butterfly() is the plain DFT; butterfly_turned() multiplies the
 * inputs by the stage's twiddles first. Larger primes are too large for registers: large_odd_*().
 * The order of every rounding is fixed here, for all executors on CPU and GPU. Twiddles are applied
 * as in Goedecker, "Fast radix 2, 3, 4, and 5 kernels for fast Fourier transformations on computers
 * with overlapping multiply-add instructions", SIAM J. Sci. Comput. 18 (1997): a exp(-i x) is cos x
 * (a - i a tan x). The bracket takes two fused operations, and the sums that follow absorb the
 * cosine. twiddle.h says which tangents, cosines and quotients of cosines a radix needs.
 */
#ifndef WEFT_ARITH_BUTTERFLY_H
#define WEFT_ARITH_BUTTERFLY_H

#include "arith/factors.h"
#include "arith/numbers.h"
#include "arith/odd_root.h"
#include "arith/twiddle.h"

/* Cosine and tangent of an eighth of a turn. The tangent is the exact sine divided by the rounded
 * cosine, here as in the tables of twiddle.h, so that the product of both is nearest to the sine.
 */
#define ROOT_HALF vector_of(0.707106781186547524400844362104849039)
#define ABOUT_ONE vector_of(WEFT_REAL_BITS == 32 ? 1 : 1 - 0x1p-53)

static WEFT_HD void dft_2(cpx *a, cpx *b) {
    cpx sum = cpx_add(*a, *b);
    *b = cpx_sub(*a, *b);
    *a = sum;
}

static WEFT_HD void dft_4(cpx *a, cpx *b, cpx *c, cpx *d) {
    cpx even_sum = cpx_add(*a, *c), even_difference = cpx_sub(*a, *c);
    cpx odd_sum = cpx_add(*b, *d), odd_turned = cpx_turn(cpx_sub(*b, *d));
    *a = cpx_add(even_sum, odd_sum);
    *b = cpx_add(even_difference, odd_turned);
    *c = cpx_sub(even_sum, odd_sum);
    *d = cpx_sub(even_difference, odd_turned);
}

/* a exp(-i x) / cos x, where t = tan x: a rotation that still lacks the factor cos x. */
static WEFT_HD cpx cpx_rotate_over_cosine(cpx a, vector t) {
    return cpx_of(fused(t, a.im, a.re), fused_off(t, a.re, a.im));
}

/* The sums of a DFT of 4 of the values *a, scale first, cosine second and scale quotient third. The
 * factors cost no operations of their own, as they go into fused ones. */
static WEFT_HD void dft_4_join(cpx *a, cpx *b, cpx *c, cpx *d, vector cosine, cpx second,
                               vector scale, cpx first, vector quotient, cpx third) {
    cpx even_sum = cpx_fused(cosine, second, *a),
        even_difference = cpx_fused_off(cosine, second, *a);
    cpx odd_sum = cpx_fused(quotient, third, first);
    cpx odd_turned = cpx_turn(cpx_fused_off(quotient, third, first));
    *a = cpx_fused(scale, odd_sum, even_sum);
    *b = cpx_fused(scale, odd_turned, even_difference);
    *c = cpx_fused_off(scale, odd_sum, even_sum);
    *d = cpx_fused_off(scale, odd_turned, even_difference);
}

/* A DFT of 4 with twiddles on *b, *c and *d. w[0] is the cosine and the tangent of *c's twiddle; if
 * is_turned, a quarter turn is left out of it and done here. w[1] is the tangents of *b's and *d's;
 * w[2] is the cosine of *b's and the quotient of *d's cosine by it. */
static WEFT_HD void dft_4_turned(cpx *a, cpx *b, cpx *c, cpx *d, const cpx *w, int is_turned) {
    cpx second = cpx_rotate_over_cosine(*c, w[0].im);
    dft_4_join(a, b, c, d, w[0].re, is_turned ? cpx_turn(second) : second, w[2].re,
               cpx_rotate_over_cosine(*b, w[1].re), w[2].im, cpx_rotate_over_cosine(*d, w[1].im));
}

/* The sums of a DFT of 2 whose second value is cosine times `second`. */
static WEFT_HD void dft_2_join(cpx *a, cpx *b, vector cosine, cpx second) {
    *b = cpx_fused_off(cosine, second, *a);
    *a = cpx_fused(cosine, second, *a);
}

/* ---- pieces -------------------------------------------------------------------------------------
 * Butterflies whose radix is a product are done in pieces, for executors that do not have registers
 * for all of their values: an input need not be loaded before the one piece that reads it, and an
 * output can be stored after the one piece that completes it. A DFT of a b values is b pieces, DFTs
 * of a values that lie b apart, and then a pieces, DFTs of b values; only that of 8, with a = 4,
 * does these in halves. */

/* a, or 0 if the butterfly is one piece. */
static WEFT_CONSTANT int first_factor(int radix) {
    switch (radix) {
    case 6:
    case 10:
        return 2;
    case 9:
    case 15:
        return 3;
    case 8:
    case 12:
    case 16:
        return 4;
    default:
        return 0;
    }
}

static WEFT_CONSTANT int pieces_of(int radix) {
    int a = first_factor(radix);
    return radix == 8 ? 6 : a > 0 ? a + radix / a : 1;
}

/* The first piece that reads input k. */
static WEFT_CONSTANT int piece_of_input(int radix, int k) {
    int a = first_factor(radix);
    return a > 0 ? k % (radix / a) : 0;
}

/* The piece that completes output k; place_of_output() is where in x it then lies. */
static WEFT_CONSTANT int piece_of_output(int radix, int k) {
    int a = first_factor(radix);
    return a > 0 ? radix / a + k % a : 0;
}

static WEFT_CONSTANT int place_of_output(int radix, int k) {
    int a = first_factor(radix);
    return a == 0                                    ? k
           : radix == 8 || radix == 9 || radix == 16 ? radix / a * (k % a) + k / a
                                                     : (radix / a * (k % a) + a * k) % radix;
}

OF_CONSTANT_RADIX
static WEFT_HD void in_natural_order(cpx *x, CONSTANT_RADIX radix) {
    IF_CONSTANT(first_factor(radix) != 0) {
        cpx y[LARGEST_RADIX];
        WEFT_UNROLL
        for (int k = 0; k < radix; k++) {
            y[k] = x[place_of_output(radix, k)];
        }
        WEFT_UNROLL
        for (int k = 0; k < radix; k++) {
            x[k] = y[k];
        }
    }
}

/* Pieces 0 and 1 are DFTs of 4 of the even and the odd values; each later piece joins one result of
 * either. */
static WEFT_HD void dft_8_piece(cpx *x, int piece) {
    if (piece < 2) {
        dft_4(&x[piece], &x[piece + 2], &x[piece + 4], &x[piece + 6]);
        return;
    }
    cpx *even = &x[2 * (piece - 2)], *odd = even + 1, turned = *odd;
    if (piece == 2 || piece == 4) {
        turned = piece == 4 ? cpx_turn(turned) : turned;
        *odd = cpx_sub(*even, turned);
        *even = cpx_add(*even, turned);
    } else {
        turned = cpx_rotate_over_cosine(turned, ABOUT_ONE);
        dft_2_join(even, odd, ROOT_HALF, piece == 5 ? cpx_turn(turned) : turned);
    }
}

/* Pieces 0 to 3 are DFTs of every fourth value; pieces 4 to 7 are DFTs of their results, times
 * twiddles. */
static WEFT_HD void dft_16_piece(cpx *x, int piece) {
    const vector c = vector_of(0.923879532511286756128183189396788287); /* cos pi/8 */
    const vector s = vector_of(0.382683432365089771728459984030398867); /* sin pi/8 */
    const vector t = vector_of(0.414213562373095048801688724209698079); /* tan pi/8 */
    const vector u = vector_of(2.414213562373095048801688724209698079); /* tan 3 pi/8 */
    const vector about_t = vector_of(WEFT_REAL_BITS == 32 ? 0.41421353817 : 0.4142135623730950345);
    const vector about_u = vector_of(2.4142135623730953675);
    /* Twiddles of 1, 2, 3 sixteenths of a turn and of 3, 6, 9, as dft_4_turned() takes them. */
    const cpx one[3] = {{ROOT_HALF, ABOUT_ONE}, {t, about_u}, {c, t}};
    const cpx three[3] = {{ROOT_HALF, ABOUT_ONE}, {u, about_t}, {s, -u}};
    if (piece < 4) {
        dft_4(&x[piece], &x[4 + piece], &x[8 + piece], &x[12 + piece]);
    } else if (piece == 4) {
        dft_4(&x[0], &x[1], &x[2], &x[3]);
    } else if (piece == 5) {
        dft_4_turned(&x[4], &x[5], &x[6], &x[7], one, 0);
    } else if (piece == 6) {
        dft_4_join(&x[8], &x[9], &x[10], &x[11], vector_of(1), cpx_turn(x[10]), ROOT_HALF,
                   cpx_rotate_over_cosine(x[9], ABOUT_ONE), -ABOUT_ONE,
                   cpx_rotate_over_cosine(x[11], vector_of(-1)));
    } else {
        dft_4_turned(&x[12], &x[13], &x[14], &x[15], three, 1);
    }
}

/* An output of a DFT of odd length and its mirror, out of the sums of what is even and odd. */
static WEFT_HD void join_odd(cpx even, cpx odd, cpx *output, cpx *mirrored) {
    *output = cpx_of(even.re + odd.im, even.im - odd.re);
    *mirrored = cpx_of(even.re - odd.im, even.im + odd.re);
}

/* A DFT of odd length r: inputs j and r - j have the same cosines, and sines that differ only in
 * sign. */
OF_CONSTANT_RADIX
static WEFT_HD void dft_odd(cpx *x, CONSTANT_RADIX r) {
    cpx sum[LARGEST_RADIX / 2], difference[LARGEST_RADIX / 2];
    cpx first = x[0];
    WEFT_UNROLL
    for (int j = 1; j <= r / 2; j++) {
        sum[j] = cpx_add(x[j], x[r - j]);
        difference[j] = cpx_sub(x[j], x[r - j]);
        x[0] = cpx_add(x[0], sum[j]);
    }
    WEFT_UNROLL
    for (int k = 1; k <= r / 2; k++) {
        cpx even = first, odd = cpx_of(vector_of(0), vector_of(0));
        WEFT_UNROLL
        for (int j = 1; j <= r / 2; j++) {
            int turn = j * k % r;
            cpx root = odd_root(r, turn <= r / 2 ? turn : r - turn);
            vector s = turn <= r / 2 ? root.im : -root.im;
            even = cpx_fused(root.re, sum[j], even);
            odd = cpx_fused(s, difference[j], odd);
        }
        join_odd(even, odd, &x[k], &x[r - k]);
    }
}

/* A DFT of 2, 4 or an odd prime length. */
OF_CONSTANT_RADIX
static WEFT_HD void dft_factor(cpx *x, CONSTANT_RADIX r) {
    IF_CONSTANT(r == 2) {
        dft_2(&x[0], &x[1]);
    }
    else IF_CONSTANT(r == 4) {
        dft_4(&x[0], &x[1], &x[2], &x[3]);
    }
    else {
        dft_odd(x, r);
    }
}

/* A DFT of the values x[(first + j apart) % radix], in place. */
OF_CONSTANT_RADIX
static WEFT_HD void dft_among(cpx *x, int radix, int first, int apart, CONSTANT_RADIX r) {
    cpx y[LARGEST_RADIX];
    WEFT_UNROLL
    for (int j = 0; j < r; j++) {
        y[j] = x[(first + j * apart) % radix];
    }
    dft_factor(y, r);
    WEFT_UNROLL
    for (int j = 0; j < r; j++) {
        x[(first + j * apart) % radix] = y[j];
    }
}

/* A DFT of a b values, where a and b have no common factor, needs no twiddles (Good, "The
 * interaction algorithm and practical Fourier analysis", 1958): value b i + a j is number i of line
 * j, and output k comes out of value k mod a of all lines, there at k mod b. Piece p < b is the
 * line of the values p, p + b ...: number 0 of that is value (b + 1) p, as a divides b + 1. */
OF_CONSTANT_RADIX
static WEFT_HD void dft_coprime_piece(cpx *x, CONSTANT_RADIX radix, int piece) {
    const int a = first_factor(radix), b = radix / a;
    if (piece < b) {
        dft_among(x, radix, (b + 1) * piece, b, CONSTANT_INT(first_factor(radix)));
    } else {
        dft_among(x, radix, b * (piece - b), a, CONSTANT_INT(radix / first_factor(radix)));
    }
}

/* Pieces 0 to 2 are DFTs of every third value, times twiddles of 1, 2 and 4 ninths of a turn;
 * pieces 3 to 5 are DFTs of their results. */
static WEFT_HD void dft_9_piece(cpx *x, int piece) {
    const cpx one = {vector_of(0.766044443118978035202392650555416674),
                     vector_of(-0.642787609686539326322643409907263433)};
    const cpx two = {vector_of(0.173648177666930348851716626769314796),
                     vector_of(-0.984807753012208059366743024589523014)};
    const cpx four = {vector_of(-0.939692620785908384054109277324731470),
                      vector_of(-0.342020143325668733044099614682259581)};
    if (piece >= 3) {
        dft_odd(x + 3 * (piece - 3), CONSTANT_INT(3));
        return;
    }
    dft_among(x, 9, piece, 3, CONSTANT_INT(3));
    if (piece > 0) {
        x[3 + piece] = cpx_mul(x[3 + piece], piece == 1 ? one : two);
        x[6 + piece] = cpx_mul(x[6 + piece], piece == 1 ? two : four);
    }
}

/* One piece of the DFT of x[0 .. radix - 1]; radix is a power of two up to LARGEST_RADIX, an odd
 * prime below, 6, 9, 10, 12 or 15. */
OF_CONSTANT_RADIX
static WEFT_HD void butterfly_piece(cpx *x, CONSTANT_RADIX radix, int piece) {
    IF_CONSTANT(radix == 2) {
        dft_2(&x[0], &x[1]);
    }
    else IF_CONSTANT(radix == 4) {
        dft_4(&x[0], &x[1], &x[2], &x[3]);
    }
    else IF_CONSTANT(radix == 8) {
        dft_8_piece(x, piece);
    }
    else IF_CONSTANT(radix == 16) {
        dft_16_piece(x, piece);
    }
    else IF_CONSTANT(radix == 9) {
        dft_9_piece(x, piece);
    }
    else IF_CONSTANT(first_factor(radix) != 0) {
        dft_coprime_piece(x, radix, piece);
    }
    else {
        dft_odd(x, radix);
    }
}

/* The DFT of x[radix], in natural order. */
OF_CONSTANT_RADIX
static WEFT_HD void butterfly(cpx *x, CONSTANT_RADIX radix) {
    butterfly_piece(x, radix, 0);
    WEFT_UNROLL
    for (int piece = 1; piece < pieces_of(radix); piece++) {
        butterfly_piece(x, radix, piece);
    }
    in_natural_order(x, radix);
}

/* ---- with twiddles ------------------------------------------------------------------------------
 * w[stage_twiddles(radix)] is laid out as twiddle.h says. A piece reads twiddles_of_piece() of
 * them, from twiddles_before_piece() on; several pieces may read the same ones. */

static WEFT_CONSTANT int twiddles_before_piece(int radix, int piece) {
    return radix == 16 ? (piece < 4 ? 0 : 3 * (piece - 3))
                       : (radix == 8 && piece >= 2 ? piece + 1 : 0);
}

static WEFT_CONSTANT int twiddles_of_piece(int radix, int piece) {
    return radix == 16 || (radix == 8 && piece < 2) ? 3
           : radix == 8                             ? 1
                                                    : (int)stage_twiddles((size_t)radix);
}

static WEFT_HD void dft_8_turned(cpx *x, const cpx *w, int piece) {
    if (piece < 2) {
        dft_4_turned(&x[piece], &x[piece + 2], &x[piece + 4], &x[piece + 6], w, 0);
    } else {
        int k = piece - 2;
        cpx rotated = cpx_rotate_over_cosine(x[2 * k + 1], w[3 + k].im);
        dft_2_join(&x[2 * k], &x[2 * k + 1], w[3 + k].re, k < 2 ? rotated : cpx_turn(rotated));
    }
}

static WEFT_HD void dft_16_turned(cpx *x, const cpx *w, int piece) {
    if (piece < 4) {
        dft_4_turned(&x[piece], &x[4 + piece], &x[8 + piece], &x[12 + piece], w, 0);
    } else {
        cpx *y = x + 4 * (piece - 4);
        dft_4_turned(&y[0], &y[1], &y[2], &y[3], w + 3 * (piece - 3), piece >= 6);
    }
}

/* The values are turned by the first piece that reads them. */
OF_CONSTANT_RADIX
static WEFT_HD void dft_other_turned(cpx *x, const cpx *w, CONSTANT_RADIX radix, int piece) {
    WEFT_UNROLL
    for (int v = 1; v < radix; v++) {
        if (piece_of_input(radix, v) == piece) {
            x[v] = cpx_mul(x[v], w[v - 1]);
        }
    }
    butterfly_piece(x, radix, piece);
}

OF_CONSTANT_RADIX
static WEFT_HD void turned_piece(cpx *x, const cpx *w, CONSTANT_RADIX radix, int piece) {
    IF_CONSTANT(radix == 2) {
        dft_2_join(&x[0], &x[1], w[0].re, cpx_rotate_over_cosine(x[1], w[0].im));
    }
    else IF_CONSTANT(radix == 4) {
        dft_4_turned(&x[0], &x[1], &x[2], &x[3], w, 0);
    }
    else IF_CONSTANT(radix == 8) {
        dft_8_turned(x, w, piece);
    }
    else IF_CONSTANT(radix == 16) {
        dft_16_turned(x, w, piece);
    }
    else {
        dft_other_turned(x, w, radix, piece);
    }
}

/* The pieces that read the same twiddles are a step, so that a GPU's thread can load twiddles step
 * by step: step s reads those before twiddles_of_steps(s + 1). */
static WEFT_CONSTANT int turned_steps(int radix) {
    return radix == 16 ? 5 : radix == 8 ? 2 : 1;
}

static WEFT_CONSTANT int twiddles_of_steps(int radix, int steps) {
    return steps == turned_steps(radix) ? (int)stage_twiddles((size_t)radix) : 3 * steps;
}

static WEFT_CONSTANT int pieces_of_steps(int radix, int steps) {
    return steps == turned_steps(radix) ? pieces_of(radix)
           : steps == 0                 ? 0
                                        : (radix == 16 ? 3 + steps : 2);
}

OF_CONSTANT_RADIX
static WEFT_HD void turned_step(cpx *x, const cpx *w, CONSTANT_RADIX radix, int step) {
    WEFT_UNROLL
    for (int piece = pieces_of_steps(radix, step); piece < pieces_of_steps(radix, step + 1);
         piece++) {
        turned_piece(x, w, radix, piece);
    }
    if (step == turned_steps(radix) - 1) {
        in_natural_order(x, radix);
    }
}

/* The DFT of the values times their twiddles. Where all of those are 1, it gives the same bits as
 * butterfly(). */
OF_CONSTANT_RADIX
static WEFT_HD void butterfly_turned(cpx *x, const cpx *w, CONSTANT_RADIX radix) {
    WEFT_UNROLL
    for (int step = 0; step < turned_steps(radix); step++) {
        turned_step(x, w, radix, step);
    }
}

/* ---- large primes -------------------------------------------------------------------------------
 * dft_odd() for primes above LARGEST_RADIX, whose values no registers hold and whose sums would be
 * much code: loops that stay loops, for every prime the same ones. */

typedef struct odd_pair {
    cpx sum, difference;
} odd_pair;

static WEFT_HD odd_pair odd_pair_of(cpx a, cpx b) {
    odd_pair both = {cpx_add(a, b), cpx_sub(a, b)};
    return both;
}

/* Adds inputs j and r - j, by their sum and their difference, to the sums of output k; the root is
 * exp(-2 pi i j k / r). */
static WEFT_HD void add_odd_pair(vector cosine, vector minus_sine, cpx sum, cpx difference,
                                 cpx *even, cpx *odd) {
    *even = cpx_fused(cosine, sum, *even);
    *odd = cpx_fused_off(minus_sine, difference, *odd);
}

enum { MOST_OUTPUTS = 3 };

/* Outputs k to k + count - 1 of a DFT of length r, and their mirrors, r - k and before: several, so
 * that they share the loads of pairs[j], inputs j and r - j. The roots are numbers as twiddle.h has
 * them. */
static WEFT_HD void large_odd_outputs(cpx first, const odd_pair *pairs, int r, const scalar *roots,
                                      int k, int count, cpx *out, cpx *mirrored) {
    cpx even[MOST_OUTPUTS], odd[MOST_OUTPUTS];
    ptrdiff_t at[MOST_OUTPUTS]; /* of each output's next root */
    WEFT_UNROLL
    for (int i = 0; i < count; i++) {
        even[i] = first;
        odd[i] = cpx_of(vector_of(0), vector_of(0));
        at[i] = 2 * (k + i);
    }
    for (int j = 1; j <= r / 2; j++) {
        WEFT_UNROLL
        for (int i = 0; i < count; i++) {
            add_odd_pair(vector_of(roots[at[i]]), vector_of(roots[at[i] + 1]), pairs[j].sum,
                         pairs[j].difference, &even[i], &odd[i]);
            ptrdiff_t next = at[i] + 2 * (k + i), turned = next - 2 * r;
            at[i] = turned < 0 ? next : turned;
        }
    }
    WEFT_UNROLL
    for (int i = 0; i < count; i++) {
        join_odd(even[i], odd[i], &out[i], &mirrored[i]);
    }
}

/* The DFT of x[r], in natural order. */
static WEFT_HD void dft_large_odd(cpx *x, int r, const cpx *roots) {
    odd_pair pairs[LARGEST_ODD_RADIX / 2 + 1];
    cpx first = x[0];
    for (int j = 1; j <= r / 2; j++) {
        pairs[j] = odd_pair_of(x[j], x[r - j]);
        x[0] = cpx_add(x[0], pairs[j].sum);
    }
    for (int k = 1; k <= r / 2; k++) {
        large_odd_outputs(first, pairs, r, (const scalar *)roots, k, 1, &x[k], &x[r - k]);
    }
}

#endif
