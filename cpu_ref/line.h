/* SPDX-License-Identifier: MIT
 * The DFT of one line (a row pair or a column) of any length on the CPU, one butterfly after
 * another. A length without a factor list goes through Bluestein's convolution. For cpu.reference.
 */
#ifndef WEFT_CPU_REF_LINE_H
#define WEFT_CPU_REF_LINE_H

#include "arith/factors.h"
#include "arith/numbers.h"
#include "problem.h"

typedef struct REAL_NAME(line) {
    size_t length;
    /* For the forward and the inverse transform; see arith/factors.h, arith/twiddle.h. */
    factor_list factors[2];
    cpx *twiddles[2];

    /* Bluestein only, else NULL: the power-of-two line that convolves, and the tables of
     * arith/chirp.h. */
    struct REAL_NAME(line) * convolution;
    cpx *chirp, *chirp_spectrum;
} line;

/* WEFT_NO_MEMORY if this machine cannot hold the tables of both lines. */
weft_status REAL_NAME(lines_fit)(const problem *p);
#define lines_fit REAL_NAME(lines_fit)

/* axis: AXIS_ROW or AXIS_COLUMN. */
weft_status REAL_NAME(line_create)(line **made, size_t length, int axis);
#define line_create REAL_NAME(line_create)
void REAL_NAME(line_destroy)(line *l); /* NULL is fine */
#define line_destroy REAL_NAME(line_destroy)

/* The cpx values of scratch that a transform needs. */
size_t REAL_NAME(line_scratch)(const line *l);
#define line_scratch REAL_NAME(line_scratch)

/* x[length] becomes its DFT, factor 1. */
void REAL_NAME(line_forward)(const line *l, cpx *x, cpx *scratch);
#define line_forward REAL_NAME(line_forward)
/* x[length] becomes its inverse DFT, factor 1. */
void REAL_NAME(line_inverse)(const line *l, cpx *x, cpx *scratch);
#define line_inverse REAL_NAME(line_inverse)

#endif
