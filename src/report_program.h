/* SPDX-License-Identifier: MIT
 * The report's program as written: what is done for one row pair and for one column pair. Its
 * recurrence A[n] <- A[n + u S] + W_{2^i}^u A[n + u S + S], with S = N / 2^i, u = n div S and
 * indices mod N, has log2 N steps; a step reads all n from one buffer and writes them to the other,
 * with a sine and a cosine per element. cpu.report loops over the pairs (OpenMP); cuda.report gives
 * each pair to a thread. Powers of two only.
 */
#ifndef WEFT_REPORT_PROGRAM_H
#define WEFT_REPORT_PROGRAM_H

#include "arith/numbers.h"
#include "arith/octant.h"
#include "layout.h"
#include "pixels.h"
#include "refusals.h"
#include "sizes.h"
#include "strategy.h"

/* One image at work. The row spectra are packed as the report packs them: each row is a PACKED
 * spectrum of height 1, real parts first, imaginary parts mirrored behind. */
typedef struct REAL_NAME(report_job) {
    void *image; /* read by the forward, written by the inverse transform */
    size_t image_pitch;
    spectrum_view spectrum;              /* written by the forward, read by the inverse transform */
    scalar load_scale;                   /* of the first load */
    scalar forward_scale, inverse_scale; /* of the last store */
    scalar *row_spectra;                 /* [H][W] */
    cpx *first, *second;                 /* the two buffers: [pairs][W], later [columns][H] */
} report_job;

/* exp(-2 pi i u / size), evaluated anew for every element. The angle is reduced exactly, so that
 * the report's program has no accuracy to lose by it. */
static WEFT_HD cpx report_root(size_t u, size_t size) {
#if defined(__CUDA_ARCH__)
    scalar s, c;
#if WEFT_REAL_BITS == 32
    sincospif(2 * (scalar)u / (scalar)size, &s, &c);
#else
    sincospi(2 * (scalar)u / (scalar)size, &s, &c);
#endif
    return cpx_of(c, -s);
#else
    const double quarter_pi = 0.785398163397448309615660845819875721;
    octant o = octant_of(u, size);
    double a = quarter_pi * ((double)o.rest / (double)size);
    scalar c = (scalar)cos(a), s = (scalar)sin(a), x = o.is_steep ? s : c, y = o.is_steep ? c : s;
    return cpx_of(o.is_left ? -x : x, o.is_lower ? y : -y);
#endif
}

/* Runs the recurrence on from[N]; the result is in the buffer that is returned. */
static WEFT_HD cpx *report_recurrence(cpx *from, cpx *to, size_t length) {
    for (size_t size = 2; size <= length; size *= 2) {
        size_t S = length / size;
        for (size_t n = 0; n < length; n++) {
            size_t u = n / S;
            to[n] = cpx_add(from[(n + u * S) % length],
                            cpx_mul(report_root(u, size), from[(n + u * S + S) % length]));
        }
        cpx *swap = from;
        from = to;
        to = swap;
    }
    return from;
}

/* The inverse: the recurrence on swapped values, swapped back by the caller. */
static WEFT_HD cpx *report_recurrence_swapped(cpx *from, cpx *to, size_t length) {
    for (size_t n = 0; n < length; n++) {
        from[n] = cpx_swap(from[n]);
    }
    return report_recurrence(from, to, length);
}

static WEFT_HD spectrum_view report_row(report_job j, size_t row) {
    spectrum_view s;
    s.values = j.row_spectra + row * j.spectrum.width;
    s.height = 1;
    s.width = j.spectrum.width;
    s.pitch = s.width;
    s.half = 0;
    return s;
}

/* The value of a row in the folded column, n = 0, or in column n. */
static WEFT_HD cpx report_get_row(spectrum_view row, size_t n) {
    if (n > 0) {
        return get_paired(row, 0, n);
    }
    return fold(get_self_paired(row, 0, 0),
                row.width % 2 == 0 ? get_self_paired(row, 0, row.width / 2) : cpx_of(0, 0));
}

static WEFT_HD void report_put_row(spectrum_view row, size_t n, cpx value) {
    if (n > 0) {
        put_paired(row, 0, n, value);
        return;
    }
    put_self_paired(row, 0, 0, unfold(value, 0, row.width));
    if (row.width % 2 == 0) {
        put_self_paired(row, 0, row.width / 2, unfold(value, row.width / 2, row.width));
    }
}

static WEFT_HD size_t report_row_pairs(size_t height) {
    return (height + 1) / 2;
}

/* Row pair m: tangle, transform, untangle, pack. */
static WEFT_HD void report_rows(report_job j, size_t m) {
    size_t H = j.spectrum.height, W = j.spectrum.width;
    size_t upper = 2 * m * j.image_pitch, lower = upper + j.image_pitch;
    int has_lower = 2 * m + 1 < H;
    cpx *z = j.first + m * W;
    for (size_t n = 0; n < W; n++) {
        cpx pixels = cpx_of(load_pixel(j.image, WEFT_PIXEL_REAL, upper + n, 0),
                            has_lower ? load_pixel(j.image, WEFT_PIXEL_REAL, lower + n, 0) : 0);
        z[n] = cpx_scale(pixels, j.load_scale);
    }
    z = report_recurrence(z, j.second + m * W, W);
    for (size_t n = 0; n <= W / 2; n++) {
        cpx f, g;
        untangle(z[n], z[mirror(n, W)], &f, &g);
        for (int row = 0; row <= has_lower; row++) {
            spectrum_view packed = report_row(j, 2 * m + (size_t)row);
            if (n == mirror(n, W)) {
                put_self_paired(packed, 0, n, row == 0 ? f : g);
            } else {
                put_paired(packed, 0, n, row == 0 ? f : g);
            }
        }
    }
}

/* Column pair n, or for n = 0 the folded columns 0 and W/2: transform, pack. */
static WEFT_HD void report_columns(report_job j, size_t n) {
    size_t H = j.spectrum.height;
    cpx *z = j.first + n * H;
    for (size_t m = 0; m < H; m++) {
        z[m] = report_get_row(report_row(j, m), n);
    }
    z = report_recurrence(z, j.second + n * H, H);
    for (size_t k = 0; k < H; k++) {
        if (n > 0) {
            put_paired(j.spectrum, k, n, cpx_scale(z[k], j.forward_scale));
        } else if (k <= mirror(k, H)) {
            put_folded(j.spectrum, k, z[k], z[mirror(k, H)], j.forward_scale);
        }
    }
}

static WEFT_HD void report_columns_inverse(report_job j, size_t n) {
    size_t H = j.spectrum.height;
    cpx *z = j.first + n * H;
    for (size_t k = 0; k < H; k++) {
        cpx value = n > 0 ? get_paired(j.spectrum, k, n) : get_folded(j.spectrum, k);
        z[k] = cpx_scale(value, j.load_scale);
    }
    z = report_recurrence_swapped(z, j.second + n * H, H);
    for (size_t m = 0; m < H; m++) {
        report_put_row(report_row(j, m), n, cpx_swap(z[m]));
    }
}

static WEFT_HD void report_rows_inverse(report_job j, size_t m) {
    size_t H = j.spectrum.height, W = j.spectrum.width;
    size_t upper = 2 * m * j.image_pitch, lower = upper + j.image_pitch;
    int has_lower = 2 * m + 1 < H;
    cpx *z = j.first + m * W;
    for (size_t n = 0; n <= W / 2; n++) {
        cpx f = get_any(report_row(j, 2 * m), 0, n);
        cpx g = has_lower ? get_any(report_row(j, 2 * m + 1), 0, n) : cpx_of(0, 0);
        z[mirror(n, W)] = tangle_mirrored(f, g);
        z[n] = tangle(f, g);
    }
    z = report_recurrence_swapped(z, j.second + m * W, W);
    for (size_t n = 0; n < W; n++) {
        cpx value = cpx_scale(cpx_swap(z[n]), j.inverse_scale);
        store_pixel(j.image, WEFT_PIXEL_REAL, upper + n, value.re);
        if (has_lower) {
            store_pixel(j.image, WEFT_PIXEL_REAL, lower + n, value.im);
        }
    }
}

/* ---- host side: what both executors are prepared with ---------------------------------------- */

/* Powers of two and REAL pixels; `name` is the strategy that the error text names. */
static inline weft_status report_supports(const char *name, const problem *p) {
    weft_status status = powers_of_two_only(name, p);
    return status == WEFT_OK ? real_pixels_only(name, p) : status;
}

/* Bytes of each of the two buffers, and of the whole workspace. */
static inline size_t report_buffer_bytes(const problem *p) {
    size_t rows = report_row_pairs(p->height) * p->width;
    size_t columns = folded_lines(p->width) * p->height;
    return whole_lines(sizeof(cpx) * (rows > columns ? rows : columns));
}

static inline size_t report_workspace(const problem *p) {
    return 2 * report_buffer_bytes(p) + sizeof(scalar) * p->height * p->width;
}

/* The job for image `index` of the batch. */
static inline report_job report_job_of(const problem *p, void *image, spectrum_view spectrum,
                                       void *work, size_t index) {
    report_job j;
    j.image = (scalar *)image + index * p->image_stride;
    j.image_pitch = p->image_pitch;
    j.spectrum = spectrum;
    j.load_scale = 1;
    j.forward_scale = untangled_scale((scalar)p->forward_scale);
    j.inverse_scale = (scalar)p->inverse_scale;
    j.first = (cpx *)work;
    j.second = (cpx *)((char *)work + report_buffer_bytes(p));
    j.row_spectra = (scalar *)((char *)work + 2 * report_buffer_bytes(p));
    return j;
}

#endif
