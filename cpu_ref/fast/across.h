/* SPDX-License-Identifier: MIT
 * The kernels of cpu.fast for lines of any length. Vectors lie across lines: LANES lines are
 * transformed side by side, and value n of all of them is one complex number of vectors, a place of
 * a buffer. Engine `mixed` takes every length that has a factor list, engine `bluestein` all
 * others. Compiled once for each precision and instruction set (across_kernels.c); across_plan.c
 * makes the tables of lines, and across.c says which thread runs what.
 */
#ifndef WEFT_CPU_REF_FAST_ACROSS_H
#define WEFT_CPU_REF_FAST_ACROSS_H

#include <stdint.h>

#include "fast/kernels.h"

/* The tables of a line in one direction. A place of a buffer is the number of a complex number of
 * vectors in it. Stages work in place, so that a value of the DFT does not lie where a value of the
 * line lay. Sub-lines of the first stage are `m` + gap places apart, so that the values of its
 * butterflies lie in different sets of the cache. */
typedef struct REAL_NAME(across_line) {
    size_t length;
    size_t transformed; /* the length of the stages: length, or that of the convolution */
    size_t gap, places; /* places of a buffer, gaps included */
    /* Where value n of the line has to lie, and where value n of its DFT lies afterwards. */
    const uint32_t *in, *out;
    factor_list factors;
    /* For each stage the twiddles of its sub-lines, in the order of their places, and the roots of
     * a large prime. */
    const scalar *twiddles[MAX_STAGES], *roots[MAX_STAGES];

    /* Of bluestein, else NULL: chirp[length]; the chirp's spectrum in the order of places without
     * gaps; and the stages that lead back, whose sub-lines have twiddles in their natural order. */
    const scalar *chirp, *chirp_spectrum;
    factor_list factors_back;
    const scalar *twiddles_back[MAX_STAGES];
    size_t places_back[MAX_STAGES]; /* between the inputs of a butterfly */
} across_line;

enum { MOST_LANES = 16 };

/* Rows k and H - k of as many slots as there are lanes. */
typedef struct REAL_NAME(slot_rows) {
    scalar *upper[MOST_LANES], *lower[MOST_LANES];
} slot_rows;

/* Which real of the spectrum's rows k and H - k is which vector of a buffer: for each real of a row
 * twice the number of the vector, plus 1 where its sign changes. The real parts of place p are
 * vector 2 p, its imaginary parts vector 2 p + 1. */
typedef struct spectrum_places {
    const uint32_t *upper, *lower;
} spectrum_places;

/* A `buffer` is memory of the calling thread with room for across_line.places. */
typedef struct REAL_NAME(across_kernels) {
    int lanes;
    /* A tile of columns: see fast_kernels. For lines with a factor list of two stages or more. */
    void (*columns)(const fast_line *line, pair_rows from, const intermediate_view *to,
                    size_t column, size_t width, scalar *work);
    void (*columns_inverse)(const fast_line *line, pair_rows from, const intermediate_view *to,
                            size_t column, size_t width, scalar *work, scalar scale);
    /* The same for every line, for a tile of 2 `lanes` reals. */
    void (*narrow_tile)(const across_line *line, pair_rows from, const intermediate_view *to,
                        size_t column, int is_inverse, scalar scale, scalar *buffer);
    /* The DFTs of the lines in a buffer. */
    void (*transform)(const across_line *line, scalar *buffer);
    /* The columns' spectra, untangled, from rows of the intermediate into a buffer. */
    void (*load_untangled)(const across_line *row, const slot_rows *from, scalar *buffer);
    /* The way back, out of a buffer whose real and imaginary parts are exchanged. */
    void (*store_tangled)(const across_line *row, const scalar *buffer, const slot_rows *to);
    /* Rows of a spectrum or a transfer into a buffer. swaps: real and imaginary parts are
     * exchanged. */
    void (*load_spectrum)(const spectrum_places *places, spectrum_view view, const slot_rows *from,
                          int swaps, scalar *buffer);
    void (*store_spectrum)(const spectrum_places *places, spectrum_view view, const scalar *buffer,
                           scalar scale, const slot_rows *to);
    /* A gain into the real parts of a buffer: where load_spectrum() puts a transfer for `back`. */
    void (*load_gain)(const across_line *back, const slot_rows *from, scalar *buffer);
    /* The spectrum of `there` times `scale` times the transfer in `by`, which is overwritten by the
     * product, real and imaginary parts exchanged, as `back` takes it. */
    void (*multiply)(const across_line *there, const scalar *spectrum, scalar scale,
                     const across_line *back, scalar *by, int is_gain);
} across_kernels;

#endif
