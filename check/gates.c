/* SPDX-License-Identifier: MIT
 * The formulas of the gates; see gates.h.
 */
#include "gates.h"

#include <math.h>

enum { ENOUGH_PIXELS = 128 }; /* from so many on the error is no matter of chance */

static double unit_of(weft_precision precision) {
    return precision == WEFT_F32 ? 0x1p-24 : 0x1p-53;
}

static int is_smooth(size_t n) { /* no prime factor above 7 */
    for (size_t p = 2; p <= 7; p++) {
        while (n % p == 0) {
            n /= p;
        }
    }
    return n == 1;
}

static double stages(size_t height, size_t width) {
    return fmax(1, log2((double)height * (double)width));
}

/* How far the largest of so many errors is above their RMS. */
static double peak(double outputs) {
    return sqrt(1 + log(outputs));
}

double gate_l2(size_t height, size_t width, weft_precision precision) {
    const double c = is_smooth(height) && is_smooth(width) ? 1 : 2;
    return c * unit_of(precision) * sqrt(stages(height, width));
}

double gate_max(size_t height, size_t width, weft_precision precision) {
    return 1.5 * gate_l2(height, width, precision) * peak((double)height * (double)width);
}

size_t gates_pool(const problem *p) {
    return p->height * p->width < ENOUGH_PIXELS ? p->batch : 1;
}

static int rounds(double factor) { /* whether multiplying by it does */
    int exponent;
    return frexp(factor, &exponent) != 0.5;
}

static double slack(const problem *p, operation what) {
    const int there = what != OPERATION_INVERSE && rounds(p->forward_scale);
    const int back = what != OPERATION_FORWARD && rounds(p->inverse_scale);
    return there || back ? 2 * unit_of(p->precision) : 0;
}

gates gates_of(const problem *p, operation what, int is_worst_case) {
    const double random = gate_l2(p->height, p->width, p->precision);
    const double worst = 6.7 * unit_of(p->precision) * stages(p->height, p->width);
    const double once = (is_worst_case ? worst : random) * (what == OPERATION_FILTER ? 1.75 : 1);
    const double outputs = (double)p->height * (double)p->width * (double)p->batch;
    gates g = {once + slack(p, what), (1.5 * once + slack(p, what)) * peak(outputs)};

    if (what == OPERATION_FORWARD && p->pixel != WEFT_PIXEL_REAL) {
        g.max_rms = INFINITY; /* DC dwarfs all else, and is judged by itself */
    }
    return g;
}
