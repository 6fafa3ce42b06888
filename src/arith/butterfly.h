/* SPDX-License-Identifier: MIT
 * The butterflies: DFTs of 2, 4, 8, 16 and small odd lengths, in place, in natural order, on an
 * array that the compiler keeps in registers when every index is a constant; plain, or with the
 * twiddles of the stage on their inputs. No memory access, no thread index. The order of every
 * rounding is fixed here, for every executor.
 *
 * Goedecker, "Fast radix 2, 3, 4, and 5 kernels for fast Fourier transformations on computers with
 * overlapping multiply-add instructions", SIAM J. Sci. Comput. 18 (1997): a exp(-i x) is
 * cos x (a - i a tan x). What is in brackets takes two fused operations, and the cosine none of its
 * own: it goes into the sums that follow. twiddle.h says which tangents, cosines and quotients of
 * cosines a radix wants.
 */
#ifndef WEFT_ARITH_BUTTERFLY_H
#define WEFT_ARITH_BUTTERFLY_H

#include "arith/factors.h"
#include "arith/real.h"
#include "arith/twiddle.h"

/* Cosine and tangent of an eighth of a turn. Tangents are sines over cosines that have been
 * rounded, here as in the tables of twiddle.h: so their product is nearer to the sine. */
#define ROOT_HALF real_of(0.707106781186547524400844362104849039)
#define ABOUT_ONE real_of(WEFT_REAL_BITS == 32 ? 1 : 1 - 0x1p-53)

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

/* a exp(-i x) / cos x, t = tan x. */
static WEFT_HD cpx cpx_lean(cpx a, real t) {
    return cpx_of(fused(t, a.im, a.re), fused_off(t, a.re, a.im));
}

/* The sums of a DFT of 4 of *a, cosine second, scale first and scale quotient third. */
static WEFT_HD void dft_4_join(cpx *a, cpx *b, cpx *c, cpx *d, real cosine, cpx second, real scale,
                               cpx first, real quotient, cpx third) {
    cpx even_sum = cpx_fused(cosine, second, *a),
        even_difference = cpx_fused_off(cosine, second, *a);
    cpx odd_sum = cpx_fused(quotient, third, first);
    cpx odd_turned = cpx_turn(cpx_fused_off(quotient, third, first));
    *a = cpx_fused(scale, odd_sum, even_sum);
    *b = cpx_fused(scale, odd_turned, even_difference);
    *c = cpx_fused_off(scale, odd_sum, even_sum);
    *d = cpx_fused_off(scale, odd_turned, even_difference);
}

/* A DFT of 4 with twiddles on *b, *c and *d: w[0] is cosine and tangent of *c's, and is_turned if a
 * quarter turn is left out of it; w[1] the tangents of *b's and *d's; w[2] the cosine of *b's and
 * the quotient of *d's by it. */
static WEFT_HD void dft_4_turned(cpx *a, cpx *b, cpx *c, cpx *d, const cpx *w, int is_turned) {
    cpx second = cpx_lean(*c, w[0].im);
    dft_4_join(a, b, c, d, w[0].re, is_turned ? cpx_turn(second) : second, w[2].re,
               cpx_lean(*b, w[1].re), w[2].im, cpx_lean(*d, w[1].im));
}

static WEFT_HD void dft_8(cpx *x) {
    cpx e0 = x[0], e1 = x[2], e2 = x[4], e3 = x[6];
    cpx o0 = x[1], o1 = x[3], o2 = x[5], o3 = x[7];
    dft_4(&e0, &e1, &e2, &e3);
    dft_4(&o0, &o1, &o2, &o3);
    o1 = cpx_lean(o1, ABOUT_ONE);
    o2 = cpx_turn(o2);
    o3 = cpx_turn(cpx_lean(o3, ABOUT_ONE));
    x[0] = cpx_add(e0, o0);
    x[1] = cpx_fused(ROOT_HALF, o1, e1);
    x[2] = cpx_add(e2, o2);
    x[3] = cpx_fused(ROOT_HALF, o3, e3);
    x[4] = cpx_sub(e0, o0);
    x[5] = cpx_fused_off(ROOT_HALF, o1, e1);
    x[6] = cpx_sub(e2, o2);
    x[7] = cpx_fused_off(ROOT_HALF, o3, e3);
}

/* x[4 k + m] is output k + 4 m of a DFT of 16: in natural order. */
static WEFT_HD void transpose_4(cpx *x) {
    WEFT_UNROLL
    for (int k = 0; k < 4; k++) {
        WEFT_UNROLL
        for (int m = k + 1; m < 4; m++) {
            cpx other = x[4 * k + m];
            x[4 * k + m] = x[4 * m + k];
            x[4 * m + k] = other;
        }
    }
}

static WEFT_HD void dft_16(cpx *x) {
    const real c = real_of(0.923879532511286756128183189396788287); /* cos pi/8 */
    const real s = real_of(0.382683432365089771728459984030398867); /* sin pi/8 */
    const real t = real_of(0.414213562373095048801688724209698079); /* tan pi/8 */
    const real u = real_of(2.414213562373095048801688724209698079); /* tan 3 pi/8 */
    const real about_t = real_of(WEFT_REAL_BITS == 32 ? 0.41421353817 : 0.4142135623730950345);
    const real about_u = real_of(2.4142135623730953675);
    /* The twiddles of 1, 2, 3 sixteenths of a turn and of 3, 6, 9. */
    const cpx one[3] = {{ROOT_HALF, ABOUT_ONE}, {t, about_u}, {c, t}};
    const cpx three[3] = {{ROOT_HALF, ABOUT_ONE}, {u, about_t}, {s, -u}};
    WEFT_UNROLL
    for (int i = 0; i < 4; i++) {
        dft_4(&x[i], &x[4 + i], &x[8 + i], &x[12 + i]);
    }
    dft_4(&x[0], &x[1], &x[2], &x[3]);
    dft_4_turned(&x[4], &x[5], &x[6], &x[7], one, 0);
    dft_4_join(&x[8], &x[9], &x[10], &x[11], real_of(1), cpx_turn(x[10]), ROOT_HALF,
               cpx_lean(x[9], ABOUT_ONE), -ABOUT_ONE, cpx_lean(x[11], real_of(-1)));
    dft_4_turned(&x[12], &x[13], &x[14], &x[15], three, 1);
    transpose_4(x);
}

/* cos and sin of 2 pi j / r, r odd, 0 < j <= r/2. */
static WEFT_HD cpx odd_root(int r, int j) {
    const double cosines[7][6] = {
        {0},
        {-0.5},
        {0.309016994374947424102293417182819059, -0.809016994374947424102293417182819059},
        {0.623489801858733530525004884004239811, -0.222520933956314404288902564496794759,
         -0.900968867902419126236102319507445051},
        {0},
        {0.841253532831181168861811648919367718, 0.415415013001886425529274149229623204,
         -0.142314838273285140443792668616369669, -0.654860733945285064056925072466293553,
         -0.959492973614497389890368057066327699},
        {0.885456025653209895900375522015098879, 0.568064746731155802511807559127516625,
         0.120536680255323053349067687452543582, -0.354604887042535625969637892600018474,
         -0.748510748171101098634630599701351384, -0.970941817426052027156982276293789227}};
    const double sines[7][6] = {
        {0},
        {0.866025403784438646763723170752936183},
        {0.951056516295153572116439333379382143, 0.587785252292473129168705954639072769},
        {0.78183148246802980870844452667405775, 0.974927912181823607018131682993931217,
         0.433883739117558120475768332848358755},
        {0},
        {0.540640817455597582107635954318691695, 0.90963199535451837141171538307902846,
         0.989821441880932732376092037776718787, 0.75574957435425828377403584397234442,
         0.281732556841429697711417915346616899},
        {0.464723172043768545656015335133104778, 0.822983865893656394579617423439381991,
         0.992708874098053992800751649492520179, 0.935016242685414823439784599837830729,
         0.66312265824079520237678549266676628, 0.239315664287557767148753726260211895}};
    return cpx_of(real_of(cosines[r / 2][j - 1]), real_of(sines[r / 2][j - 1]));
}

/* Odd r: inputs j and r - j share their cosines, and their sines but for the sign. */
static WEFT_HD void dft_odd(cpx *x, int r) {
    cpx sum[LARGEST_ODD_RADIX / 2 + 1], difference[LARGEST_ODD_RADIX / 2 + 1];
    cpx first = x[0];
    WEFT_UNROLL
    for (int j = 1; j <= r / 2; j++) {
        sum[j] = cpx_add(x[j], x[r - j]);
        difference[j] = cpx_sub(x[j], x[r - j]);
        x[0] = cpx_add(x[0], sum[j]);
    }
    WEFT_UNROLL
    for (int k = 1; k <= r / 2; k++) {
        cpx even = first, odd = cpx_of(real_of(0), real_of(0));
        WEFT_UNROLL
        for (int j = 1; j <= r / 2; j++) {
            int turn = j * k % r;
            cpx root = odd_root(r, turn <= r / 2 ? turn : r - turn);
            real s = turn <= r / 2 ? root.im : -root.im;
            even = cpx_fused(root.re, sum[j], even);
            odd = cpx_fused(s, difference[j], odd);
        }
        x[k] = cpx_of(even.re + odd.im, even.im - odd.re);
        x[r - k] = cpx_of(even.re - odd.im, even.im + odd.re);
    }
}

/* The DFT of x[0 .. radix - 1]; radix is a power of two up to LARGEST_RADIX or odd up to
 * LARGEST_ODD_RADIX. */
static WEFT_HD void butterfly(cpx *x, int radix) {
    switch (radix) {
    case 2:
        dft_2(&x[0], &x[1]);
        break;
    case 4:
        dft_4(&x[0], &x[1], &x[2], &x[3]);
        break;
    case 8:
        dft_8(x);
        break;
    case 16:
        dft_16(x);
        break;
    default:
        dft_odd(x, radix);
    }
}

/* ---- with twiddles ------------------------------------------------------------------------------
 * w[stage_twiddles(radix)] as twiddle.h has them. A butterfly is done in steps, so that a GPU's
 * thread can fetch its twiddles step by step: step s wants those up to twiddles_of_steps(s + 1). */

static WEFT_CONSTANT int turned_steps(int radix) {
    return radix == 16 ? 5 : radix == 8 ? 2 : 1;
}

static WEFT_CONSTANT int twiddles_of_steps(int radix, int steps) {
    return steps == turned_steps(radix) ? (int)stage_twiddles((size_t)radix) : 3 * steps;
}

static WEFT_HD void dft_2_turned(cpx *x, const cpx *w) {
    cpx lean = cpx_lean(x[1], w[0].im);
    x[1] = cpx_fused_off(w[0].re, lean, x[0]);
    x[0] = cpx_fused(w[0].re, lean, x[0]);
}

static WEFT_HD void dft_8_turned(cpx *x, const cpx *w, int step) {
    if (step == 0) {
        dft_4_turned(&x[0], &x[2], &x[4], &x[6], w, 0);
        dft_4_turned(&x[1], &x[3], &x[5], &x[7], w, 0);
    } else {
        cpx even[4], odd[4];
        WEFT_UNROLL
        for (int k = 0; k < 4; k++) {
            cpx lean = cpx_lean(x[2 * k + 1], w[3 + k].im);
            even[k] = x[2 * k];
            odd[k] = k < 2 ? lean : cpx_turn(lean);
        }
        WEFT_UNROLL
        for (int k = 0; k < 4; k++) {
            x[k] = cpx_fused(w[3 + k].re, odd[k], even[k]);
            x[k + 4] = cpx_fused_off(w[3 + k].re, odd[k], even[k]);
        }
    }
}

static WEFT_HD void dft_16_turned(cpx *x, const cpx *w, int step) {
    if (step == 0) {
        WEFT_UNROLL
        for (int i = 0; i < 4; i++) {
            dft_4_turned(&x[i], &x[4 + i], &x[8 + i], &x[12 + i], w, 0);
        }
    } else {
        cpx *y = x + 4 * (step - 1);
        dft_4_turned(&y[0], &y[1], &y[2], &y[3], w + 3 * step, step >= 3);
    }
    if (step == 4) {
        transpose_4(x);
    }
}

static WEFT_HD void dft_odd_turned(cpx *x, const cpx *w, int radix) {
    WEFT_UNROLL
    for (int v = 1; v < radix; v++) {
        x[v] = cpx_mul(x[v], w[v - 1]);
    }
    dft_odd(x, radix);
}

static WEFT_HD void turned_step(cpx *x, const cpx *w, int radix, int step) {
    switch (radix) {
    case 2:
        dft_2_turned(x, w);
        break;
    case 4:
        dft_4_turned(&x[0], &x[1], &x[2], &x[3], w, 0);
        break;
    case 8:
        dft_8_turned(x, w, step);
        break;
    case 16:
        dft_16_turned(x, w, step);
        break;
    default:
        dft_odd_turned(x, w, radix);
    }
}

/* The DFT of the values times their twiddles; where those are all 1, with the bits of butterfly().
 */
static WEFT_HD void butterfly_turned(cpx *x, const cpx *w, int radix) {
    WEFT_UNROLL
    for (int step = 0; step < turned_steps(radix); step++) {
        turned_step(x, w, radix, step);
    }
}

#endif
