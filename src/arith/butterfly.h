/* SPDX-License-Identifier: MIT
 * The butterflies: DFTs of 2, 4, 8, 16 and small odd lengths, in place, in natural order, on an
 * array that the compiler keeps in registers when every index is a constant. No memory access, no
 * thread index. The order of every rounding is fixed here, for every executor.
 */
#ifndef WEFT_ARITH_BUTTERFLY_H
#define WEFT_ARITH_BUTTERFLY_H

#include "arith/factors.h"
#include "arith/real.h"

/* sqrt(1/2): what is left of exp(-i pi/4) once its turn is done with additions. */
#define ROOT_HALF ((real)0.707106781186547524400844362104849039)

static WEFT_HD void dft_2(cpx *a, cpx *b) {
    cpx sum = cpx_add(*a, *b);
    *b = cpx_sub(*a, *b);
    *a = sum;
}

/* The second half of a DFT of 4, given the sums and differences of its even and odd inputs. */
static WEFT_HD void dft_4_join(cpx *a, cpx *b, cpx *c, cpx *d, cpx even_sum, cpx even_difference,
                               cpx odd_sum, cpx odd_difference) {
    cpx odd_turned = cpx_turn(odd_difference);
    *a = cpx_add(even_sum, odd_sum);
    *b = cpx_add(even_difference, odd_turned);
    *c = cpx_sub(even_sum, odd_sum);
    *d = cpx_sub(even_difference, odd_turned);
}

static WEFT_HD void dft_4(cpx *a, cpx *b, cpx *c, cpx *d) {
    dft_4_join(a, b, c, d, cpx_add(*a, *c), cpx_sub(*a, *c), cpx_add(*b, *d), cpx_sub(*b, *d));
}

/* The same with *c to be taken times s first. */
static WEFT_HD void dft_4_scaled_even(cpx *a, cpx *b, cpx *c, cpx *d, real s) {
    dft_4_join(a, b, c, d, cpx_fused(s, *c, *a), cpx_fused(-s, *c, *a), cpx_add(*b, *d),
               cpx_sub(*b, *d));
}

/* The same with *b and *d to be taken times s first. */
static WEFT_HD void dft_4_scaled_odd(cpx *a, cpx *b, cpx *c, cpx *d, real s) {
    cpx even_sum = cpx_add(*a, *c), even_difference = cpx_sub(*a, *c);
    cpx odd_sum = cpx_add(*b, *d), odd_turned = cpx_turn(cpx_sub(*b, *d));
    *a = cpx_fused(s, odd_sum, even_sum);
    *b = cpx_fused(s, odd_turned, even_difference);
    *c = cpx_fused(-s, odd_sum, even_sum);
    *d = cpx_fused(-s, odd_turned, even_difference);
}

/* a exp(-i pi/4) and a exp(-3 i pi/4), but for the factor ROOT_HALF. */
static WEFT_HD cpx turn_eighth(cpx a) {
    return cpx_of(a.re + a.im, a.im - a.re);
}

static WEFT_HD cpx turn_three_eighths(cpx a) {
    return cpx_of(a.im - a.re, -(a.re + a.im));
}

static WEFT_HD void dft_8(cpx *x) {
    cpx e0 = x[0], e1 = x[2], e2 = x[4], e3 = x[6];
    cpx o0 = x[1], o1 = x[3], o2 = x[5], o3 = x[7];
    dft_4(&e0, &e1, &e2, &e3);
    dft_4(&o0, &o1, &o2, &o3);
    o1 = turn_eighth(o1);
    o2 = cpx_turn(o2);
    o3 = turn_three_eighths(o3);
    x[0] = cpx_add(e0, o0);
    x[1] = cpx_fused(ROOT_HALF, o1, e1);
    x[2] = cpx_add(e2, o2);
    x[3] = cpx_fused(ROOT_HALF, o3, e3);
    x[4] = cpx_sub(e0, o0);
    x[5] = cpx_fused(-ROOT_HALF, o1, e1);
    x[6] = cpx_sub(e2, o2);
    x[7] = cpx_fused(-ROOT_HALF, o3, e3);
}

static WEFT_HD void dft_16(cpx *x) {
    const real c = (real)0.923879532511286756128183189396788287; /* cos pi/8 */
    const real s = (real)0.382683432365089771728459984030398867; /* sin pi/8 */
    WEFT_UNROLL
    for (int i = 0; i < 4; i++) {
        dft_4(&x[i], &x[4 + i], &x[8 + i], &x[12 + i]);
    }
    x[5] = cpx_mul(x[5], cpx_of(c, -s));
    x[6] = turn_eighth(x[6]);
    x[7] = cpx_mul(x[7], cpx_of(s, -c));
    x[9] = turn_eighth(x[9]);
    x[10] = cpx_turn(x[10]);
    x[11] = turn_three_eighths(x[11]);
    x[13] = cpx_mul(x[13], cpx_of(s, -c));
    x[14] = turn_three_eighths(x[14]);
    x[15] = cpx_mul(x[15], cpx_of(-c, s));
    dft_4(&x[0], &x[1], &x[2], &x[3]);
    dft_4_scaled_even(&x[4], &x[5], &x[6], &x[7], ROOT_HALF);
    dft_4_scaled_odd(&x[8], &x[9], &x[10], &x[11], ROOT_HALF);
    dft_4_scaled_even(&x[12], &x[13], &x[14], &x[15], ROOT_HALF);
    /* x[4 k + m] is output k + 4 m: transpose. */
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
    return cpx_of((real)cosines[r / 2][j - 1], (real)sines[r / 2][j - 1]);
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
        cpx even = first, odd = cpx_of(0, 0);
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

#endif
