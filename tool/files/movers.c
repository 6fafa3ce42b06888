/* SPDX-License-Identifier: MIT
 * Leaves and masts, drawn over a view. Places are in parts of a column of the view, 256 of them.
 */
#include "files/movers.h"

#include "files/random_numbers.h"

enum { PLANES = 3, PART = 256, PIXEL = 2 * PART, DARKEST = 16, BRIGHTEST = 235, NEUTRAL = 128 };
enum { COLOUR = 24, SHADING = 8, NOISE = 2 }; /* as the leaves of scene.c have them */

static int64_t smaller_side(const view *v) {
    return (int64_t)(v->rows < v->columns ? v->rows : v->columns);
}

static uint8_t *sample_at(view *v, int64_t plane, int64_t row, int64_t column) {
    return v->samples + ((size_t)plane * v->rows + (size_t)row) * v->columns + (size_t)column;
}

/* ---- leaves ---------------------------------------------------------------------------------- */

typedef struct leaf {
    int64_t row, column, radius;     /* of the centre, in parts */
    int64_t row_slope, column_slope; /* levels per part, times 2^16 */
    int64_t level[PLANES];
    uint64_t noise_seed;
} leaf;

/* Where it is that began anywhere, along an axis of so many samples: outside at both ends. */
static int64_t place(uint64_t *random, size_t samples, int64_t radius, int64_t speed,
                     size_t frame) {
    const int64_t way = (int64_t)samples * PART + 2 * radius;
    const int64_t start = (int64_t)scale_random(next_random(random) >> 32, (uint64_t)way);
    const int64_t step = symmetric(next_random(random) >> 32, speed * PIXEL);
    const int64_t at = (start + step * (int64_t)frame) % way;

    return (at < 0 ? at + way : at) - radius;
}

/* A radius from a 24th of the smaller side to a tenth. */
static leaf leaf_of(const view *v, int64_t speed, uint64_t random, size_t frame) {
    const int64_t side = smaller_side(v) * PART;
    leaf l = {.radius = side / 24 + PART};

    l.radius +=
        (int64_t)scale_random(next_random(&random) >> 32, (uint64_t)(side / 10 - side / 24 + 1));
    l.row = place(&random, v->rows, l.radius, speed, frame);
    l.column = place(&random, v->columns, l.radius, speed, frame);
    l.row_slope = symmetric(next_random(&random) >> 32, SHADING * 65536 / l.radius);
    l.column_slope = symmetric(next_random(&random) >> 32, SHADING * 65536 / l.radius);
    l.level[0] = DARKEST + (int64_t)scale_random(next_random(&random) >> 32, BRIGHTEST - DARKEST);
    for (int plane = 1; plane < PLANES; plane++) {
        l.level[plane] = NEUTRAL + symmetric(next_random(&random) >> 32, COLOUR);
    }
    l.noise_seed = next_random(&random);
    return l;
}

/* Grain goes with the leaf. */
static int64_t noise_at(const leaf *l, int64_t row, int64_t column) {
    const int64_t down = row - l->row / PART, right = column - l->column / PART;

    return symmetric(mix(l->noise_seed + (uint64_t)(down * 65536 + right) * golden) >> 32, NOISE);
}

static void paint(view *v, const leaf *l, int64_t row, int64_t column, int64_t down,
                  int64_t right) {
    const int64_t shade = (l->row_slope * down + l->column_slope * right) / 65536;

    *sample_at(v, 0, row, column) =
        (uint8_t)clamp(l->level[0] + shade + noise_at(l, row, column), 0, UINT8_MAX);
    for (int plane = 1; plane < PLANES; plane++) {
        *sample_at(v, plane, row, column) = (uint8_t)l->level[plane];
    }
}

/* The samples whose centres it covers. */
static void draw_leaf(view *v, const leaf *l) {
    const int64_t rows = (int64_t)v->rows, columns = (int64_t)v->columns;
    const int32_t top = clamp((l->row - l->radius) / PART, 0, rows);
    const int32_t bottom = clamp((l->row + l->radius) / PART + 1, 0, rows);
    const int32_t left = clamp((l->column - l->radius) / PART, 0, columns);
    const int32_t end = clamp((l->column + l->radius) / PART + 1, 0, columns);

    for (int64_t row = top; row < bottom; row++) {
        const int64_t down = row * PART + PART / 2 - l->row;

        for (int64_t column = left; column < end; column++) {
            const int64_t right = column * PART + PART / 2 - l->column;

            if (down * down + right * right <= l->radius * l->radius) {
                paint(v, l, row, column, down, right);
            }
        }
    }
}

void movers_draw_leaves(view *v, size_t count, int64_t speed, uint64_t seed, size_t frame) {
    for (size_t i = 0; i < count; i++) {
        const leaf l = leaf_of(v, speed, mix(seed + i * golden), frame);

        draw_leaf(v, &l);
    }
}

/* ---- masts ----------------------------------------------------------------------------------- */

enum { TURN = 65536, LARGEST_WAVE = 16384 };

typedef struct mast {
    int64_t foot, top,
        half; /* column, swing of the upper end to the right, half of the width: in parts */
    uint8_t level;
} mast;

/* Two parabolas for a sine: 0, LARGEST_WAVE, 0, -LARGEST_WAVE a quarter of a turn from each other.
 */
static int64_t wave(uint64_t phase) {
    const int64_t half = (int64_t)(phase % (TURN / 2));
    const int64_t height = half * (TURN / 2 - half) / LARGEST_WAVE;

    return phase % TURN < TURN / 2 ? height : -height;
}

/* It swings by a sixteenth of the smaller side, once in 32 to 64 frames. */
static mast mast_of(const view *v, size_t i, size_t count, uint64_t random, size_t frame) {
    const uint64_t apart = v->columns * PART / count;
    const uint64_t phase = next_random(&random) % TURN;
    const uint64_t step = TURN / 64 + scale_random(next_random(&random) >> 32, TURN / 64);
    mast m = {.half = PART};

    m.foot = (int64_t)(apart * i + scale_random(next_random(&random) >> 32, apart));
    m.top = smaller_side(v) * PART / 16 * wave(phase + step * frame) / LARGEST_WAVE;
    m.half += (int64_t)scale_random(next_random(&random) >> 32, 2 * PART);
    m.level = (uint8_t)(DARKEST + scale_random(next_random(&random) >> 32, BRIGHTEST - DARKEST));
    return m;
}

static void draw_mast_row(view *v, const mast *m, int64_t row, int64_t centre) {
    const int64_t columns = (int64_t)v->columns;
    const int32_t end = clamp((centre + m->half) / PART + 1, 0, columns);

    for (int64_t column = clamp((centre - m->half) / PART, 0, columns); column < end; column++) {
        const int64_t right = column * PART + PART / 2 - centre;

        if (right >= -m->half && right <= m->half) {
            *sample_at(v, 0, row, column) = m->level;
            *sample_at(v, 1, row, column) = NEUTRAL;
            *sample_at(v, 2, row, column) = NEUTRAL;
        }
    }
}

void movers_draw_masts(view *v, size_t count, uint64_t seed, size_t frame) {
    const int64_t rows = (int64_t)v->rows;

    for (size_t i = 0; i < count; i++) {
        const mast m = mast_of(v, i, count, mix(seed + i * golden), frame);

        for (int64_t row = 0; row < rows; row++) {
            draw_mast_row(v, &m, row, m.foot + m.top * (rows - row) / rows);
        }
    }
}
