/* SPDX-License-Identifier: MIT
 * In integers: at these scales a sample lies a multiple of 1/8 behind the one before it, and so all
 * weights are multiples of 1/1024. Samples beside an edge are those of the edge.
 */
#include "files/bicubic.h"

enum { TAPS = 4, EIGHTHS = 8, WHOLE = 1024 };

/* The first of the samples that count for a place, and their weights. */
typedef struct taps {
    int64_t first;
    int32_t weight[TAPS];
} taps;

static taps taps_of(size_t place, size_t scale) {
    const int64_t halves = 2 * (int64_t)scale; /* of a place, in a sample */
    const int64_t at = 2 * (int64_t)place + 1 - (int64_t)scale;
    const int64_t before = (at + halves) / halves - 1; /* rounded down */
    const int32_t t = (int32_t)((at - before * halves) * EIGHTHS / halves);

    return (taps){before - 1,
                  {-t * t * t + 16 * t * t - 64 * t, 3 * t * t * t - 40 * t * t + WHOLE,
                   -3 * t * t * t + 32 * t * t + 64 * t, t * t * t - 8 * t * t}};
}

static size_t limited(int64_t i, size_t count) {
    return i < 0 ? 0 : i >= (int64_t)count ? count - 1 : (size_t)i;
}

static uint8_t to_byte(int32_t sum) {
    const int32_t value = (sum + WHOLE * WHOLE / 2) / (WHOLE * WHOLE);

    return (uint8_t)(value < 0 ? 0 : value > UINT8_MAX ? UINT8_MAX : value);
}

void bicubic_enlarge(const uint8_t *samples, size_t rows, size_t columns, size_t scale,
                     uint8_t *enlarged, size_t enlarged_rows, size_t enlarged_columns) {
    for (size_t m = 0; m < enlarged_rows; m++) {
        const taps down = taps_of(m, scale);

        for (size_t n = 0; n < enlarged_columns; n++) {
            const taps right = taps_of(n, scale);
            int32_t sum = 0;

            for (int i = 0; i < TAPS; i++) {
                const uint8_t *row = samples + limited(down.first + i, rows) * columns;
                int32_t of_row = 0;

                for (int k = 0; k < TAPS; k++) {
                    of_row += right.weight[k] * row[limited(right.first + k, columns)];
                }
                sum += down.weight[i] * of_row;
            }
            enlarged[m * enlarged_columns + n] = to_byte(sum);
        }
    }
}
