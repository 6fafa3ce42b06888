/* SPDX-License-Identifier: MIT
 * Domains and ranges without their means, and which domains are redundant, see codebook.h.
 */
#include "codebook.h"

#include "plane.h"

static void domain_values(const plane_blocks *b, uint32_t domain, const uint16_t *half,
                          int16_t values[BLOCK_PIXELS]) {
    const uint16_t *first = half + first_of_domain(b, domain);
    int sum = 0;
    for (size_t i = 0; i < BLOCK_PIXELS; i++) {
        sum += first[i / BLOCK_SIDE * (b->padded_width / 2) + i % BLOCK_SIDE];
    }
    int mean = (sum + 2 * BLOCK_PIXELS) >> 6; /* of 4 pixels, and of BLOCK_PIXELS such means */
    for (size_t i = 0; i < BLOCK_PIXELS; i++) {
        int four = first[i / BLOCK_SIDE * (b->padded_width / 2) + i % BLOCK_SIDE];
        values[i] = (int16_t)(((four + 2) >> 2) - mean);
    }
}

uint8_t range_values(const plane_blocks *b, size_t range, const uint8_t *plane, int trunc_mean,
                     int16_t values[BLOCK_PIXELS]) {
    uint8_t pixels[BLOCK_PIXELS];
    int sum = 0;
    range_block(b, range, plane, pixels);
    for (size_t i = 0; i < BLOCK_PIXELS; i++) {
        sum += pixels[i];
    }
    int mean = (sum + (trunc_mean ? 0 : BLOCK_PIXELS / 2)) / BLOCK_PIXELS;
    for (size_t i = 0; i < BLOCK_PIXELS; i++) {
        values[i] = (int16_t)(pixels[i] - mean);
    }
    return (uint8_t)mean;
}

/* ---- pruning -----------------------------------------------------------------------------------
 */

/* n n times the covariance: sums of rounded values are not quite zero. */
static int64_t covariance(const int16_t *x, const int16_t *y) {
    int64_t products = 0, sum_x = 0, sum_y = 0;
    for (int i = 0; i < BLOCK_PIXELS; i++) {
        products += x[i] * y[i];
        sum_x += x[i];
        sum_y += y[i];
    }
    return BLOCK_PIXELS * products - sum_x * sum_y;
}

/* Whether their correlation exceeds so many percent. A covariance is at most (255 n n / 2)^2, so
 * that the products have 58 bits. */
static int are_alike(const int16_t *x, const int16_t *y, int percent) {
    int64_t c = covariance(x, y);
    return c > 0 &&
           c * c * 10000 > (int64_t)percent * percent * covariance(x, x) * covariance(y, y);
}

static int is_redundant(const plane_blocks *b, uint32_t domain, const uint16_t *half, int percent,
                        const int16_t *values) {
    int16_t other[BLOCK_PIXELS];
    if (domain == 0) {
        return 0;
    }
    if (covariance(values, values) == 0) {
        return 1;
    }
    if (domain % b->domain_columns > 0) {
        domain_values(b, domain - 1, half, other);
        if (are_alike(values, other, percent)) {
            return 1;
        }
    }
    if (domain >= b->domain_columns) {
        domain_values(b, domain - (uint32_t)b->domain_columns, half, other);
        return are_alike(values, other, percent);
    }
    return 0;
}

void codebook_make(codebook *book, const plane_blocks *b, const uint8_t *plane,
                   const uint16_t *half, int pruning) {
    book->plane = plane;
    book->count = 0;
    for (uint32_t domain = 0; domain < b->domains; domain++) {
        int16_t *values = book->values + book->count * BLOCK_PIXELS;
        domain_values(b, domain, half, values);
        if (pruning == 0 || !is_redundant(b, domain, half, pruning, values)) {
            book->number[book->count++] = domain;
        }
    }
}
