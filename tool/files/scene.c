/* SPDX-License-Identifier: MIT
 * Dead leaves: discs of random place, shade and size fall on the picture until it is covered, which
 * gives edges and areas of every size, as photographs have them. Radii follow r^-3. Drawn from the
 * topmost leaf down, so that every pixel is painted once. Integers only; levels are counted in 16
 * bits.
 */
#include "files/scene.h"

#include <stdlib.h>

#include "files/image.h"
#include "files/random_numbers.h"
#include "shell/complain.h"
#include "shell/progress.h"

enum {
    LEVEL = 257, /* one level of an 8-bit picture */
    DARKEST = 16 * LEVEL,
    BRIGHTEST = 235 * LEVEL,
    SHADING = 8 * LEVEL, /* most change of a leaf from its centre to its rim, per axis */
    COLOUR = 24 * LEVEL, /* most distance of a colour from gray */
    NOISE = 2 * LEVEL,
    WORD = 64,     /* pixels in a word of the map of what is covered */
    TILE_ROWS = 16 /* rows of a tile; its width is a word */
};

typedef struct leaf {
    int64_t row, column; /* of the centre, which may lie outside */
    int64_t radius, radius_squared;
    int64_t row_slope, column_slope; /* levels per pixel, times 2^16 */
    int32_t level[3];
} leaf;

typedef struct scene {
    size_t height, width, planes;
    int64_t smallest_radius, largest_radius;
    uint64_t random, noise_seed;
    uint16_t *pixels;
    uint64_t *covered;   /* a bit per pixel, rows padded to whole words */
    uint16_t *tile_left; /* pixels not yet covered in every tile: [tile rows][row_words] */
    size_t row_words, tile_rows, pixels_left;
} scene;

static int64_t square_root(int64_t x) {
    int64_t root = 0;

    for (int64_t bit = (int64_t)1 << 20; bit > 0; bit >>= 1) {
        if ((root + bit) * (root + bit) <= x) {
            root += bit;
        }
    }
    return root;
}

/* The inverse of the distribution of 1/r^2, which is uniform when r follows r^-3. */
static int64_t random_radius_squared(const scene *s, uint64_t random) {
    uint64_t one = (uint64_t)1 << 40;
    uint64_t most = one / (uint64_t)(s->smallest_radius * s->smallest_radius);
    uint64_t least = one / (uint64_t)(s->largest_radius * s->largest_radius);

    return (int64_t)(one / (most - scale_random(random, most - least)));
}

static void choose_levels(leaf *l, uint64_t random, size_t planes) {
    int64_t gray = DARKEST + (int64_t)((random & 0xffff) * (BRIGHTEST - DARKEST) >> 16);

    for (size_t plane = 0; plane < planes; plane++) {
        uint64_t part = random >> (16 * (plane + 1)) & 0xffff;
        int64_t tint = planes == 1 ? 0 : symmetric(part << 16, COLOUR);

        l->level[plane] = clamp(gray + tint, DARKEST, BRIGHTEST);
    }
}

/* Five numbers for every leaf, whatever becomes of it: places do not depend on the number of
 * planes. */
static leaf next_leaf(scene *s) {
    uint64_t size = next_random(&s->random) >> 32, row = next_random(&s->random) >> 32,
             column = next_random(&s->random) >> 32;
    uint64_t levels = next_random(&s->random), slopes = next_random(&s->random);
    uint64_t margin = 2 * (uint64_t)s->largest_radius;
    leaf l;

    l.radius_squared = random_radius_squared(s, size);
    l.radius = square_root(l.radius_squared);
    l.row = (int64_t)scale_random(row, s->height + margin) - s->largest_radius;
    l.column = (int64_t)scale_random(column, s->width + margin) - s->largest_radius;
    l.row_slope = symmetric(slopes >> 32, ((int64_t)SHADING << 16) / l.radius);
    l.column_slope = symmetric(slopes & UINT32_MAX, ((int64_t)SHADING << 16) / l.radius);
    choose_levels(&l, levels, s->planes);
    return l;
}

static void paint(scene *s, const leaf *l, size_t row, size_t column) {
    int64_t shade =
        (l->row_slope * ((int64_t)row - l->row) + l->column_slope * ((int64_t)column - l->column)) /
        65536;

    for (size_t plane = 0; plane < s->planes; plane++) {
        size_t i = (plane * s->height + row) * s->width + column;
        int64_t noise = symmetric(mix(s->noise_seed + i * golden) >> 32, NOISE);

        s->pixels[i] = (uint16_t)clamp(l->level[plane] + shade + noise, 0, UINT16_MAX);
    }
}

/* Those pixels of the row from `first` to `last` that no higher leaf covers. */
static void paint_span(scene *s, const leaf *l, size_t row, size_t first, size_t last) {
    uint64_t *covered = s->covered + row * s->row_words;

    for (size_t word = first / WORD; word <= last / WORD; word++) {
        uint64_t span = UINT64_MAX;

        if (word == first / WORD) {
            span &= UINT64_MAX << first % WORD;
        }
        if (word == last / WORD) {
            span &= UINT64_MAX >> (WORD - 1 - last % WORD);
        }
        span &= ~covered[word];
        covered[word] |= span;
        s->pixels_left -= (size_t)__builtin_popcountll(span);
        s->tile_left[row / TILE_ROWS * s->row_words + word] -= (uint16_t)__builtin_popcountll(span);
        for (; span; span &= span - 1) {
            paint(s, l, row, word * WORD + (size_t)__builtin_ctzll(span));
        }
    }
}

/* The part inside the picture of a row of the leaf that reaches `half` to both sides. */
static void paint_row(scene *s, const leaf *l, int64_t row, int64_t half) {
    int64_t first = l->column - half, last = l->column + half;

    if (row < 0 || row >= (int64_t)s->height || last < 0 || first >= (int64_t)s->width) {
        return;
    }
    paint_span(s, l, (size_t)row, first < 0 ? 0 : (size_t)first,
               last < (int64_t)s->width ? (size_t)last : s->width - 1);
}

static void paint_leaf(scene *s, const leaf *l) {
    int64_t half = l->radius;

    for (int64_t away = 0; away <= l->radius; away++) {
        while (half * half + away * away > l->radius_squared) {
            half--;
        }
        paint_row(s, l, l->row - away, half);
        if (away > 0) {
            paint_row(s, l, l->row + away, half);
        }
    }
}

/* 1 if the leaf's square meets a tile that is not full. Most leaves fall on what is covered long
 * since: this small array tells without a look at the large map. */
static int may_show(const scene *s, const leaf *l) {
    int64_t top = l->row - l->radius, bottom = l->row + l->radius;
    int64_t left = l->column - l->radius, right = l->column + l->radius;

    if (bottom < 0 || top >= (int64_t)s->height || right < 0 || left >= (int64_t)s->width) {
        return 0;
    }
    top = clamp(top, 0, bottom) / TILE_ROWS;
    left = clamp(left, 0, right) / WORD;
    bottom = clamp(bottom, 0, (int64_t)s->height - 1) / TILE_ROWS;
    right = clamp(right, 0, (int64_t)s->width - 1) / WORD;
    for (int64_t row = top; row <= bottom; row++) {
        for (int64_t word = left; word <= right; word++) {
            if (s->tile_left[(size_t)row * s->row_words + (size_t)word] > 0) {
                return 1;
            }
        }
    }
    return 0;
}

static void cover(scene *s) {
    size_t pixels = s->pixels_left;

    for (size_t leaves = 0; s->pixels_left > 0; leaves++) {
        leaf l = next_leaf(s);

        if (may_show(s, &l)) {
            paint_leaf(s, &l);
        }
        if (leaves % 65536 == 0) {
            progress_step(1 - (double)s->pixels_left / (double)pixels, NULL);
        }
    }
}

static void round_to_8_bits(uint16_t *pixels, size_t count) {
    for (size_t i = 0; i < count; i++) {
        pixels[i] = (uint16_t)image_to_8_bits(pixels[i]);
    }
}

static size_t smaller(size_t a, size_t b) {
    return a < b ? a : b;
}

static void count_tiles(scene *s) {
    for (size_t row = 0; row < s->tile_rows; row++) {
        for (size_t word = 0; word < s->row_words; word++) {
            s->tile_left[row * s->row_words + word] =
                (uint16_t)(smaller(TILE_ROWS, s->height - row * TILE_ROWS) *
                           smaller(WORD, s->width - word * WORD));
        }
    }
}

int scene_render_from(int64_t smallest_radius, size_t height, size_t width, int depth,
                      size_t planes, uint64_t seed, uint16_t *pixels) {
    int64_t quarter = (int64_t)(smaller(height, width) / 4);
    scene s = {.height = height,
               .width = width,
               .planes = planes,
               .smallest_radius = smallest_radius,
               .largest_radius = quarter > smallest_radius ? quarter : smallest_radius,
               .random = seed,
               .noise_seed = mix(~seed),
               .pixels = pixels,
               .row_words = (width + WORD - 1) / WORD,
               .tile_rows = (height + TILE_ROWS - 1) / TILE_ROWS,
               .pixels_left = height * width};
    int code = EXIT_MEMORY;

    s.covered = calloc(height * s.row_words, sizeof *s.covered);
    s.tile_left = calloc(s.tile_rows * s.row_words, sizeof *s.tile_left);
    if (s.covered && s.tile_left) {
        count_tiles(&s);
        cover(&s);
        code = EXIT_DONE;
    } else {
        complain(code, "out of memory for a scene of %zux%zu", height, width);
    }
    free(s.covered);
    free(s.tile_left);
    if (code == EXIT_DONE && depth == 8) {
        round_to_8_bits(pixels, planes * height * width);
    }
    return code;
}

int scene_render(size_t height, size_t width, int depth, size_t planes, uint64_t seed,
                 uint16_t *pixels) {
    return scene_render_from(SCENE_SMALLEST_RADIUS, height, width, depth, planes, seed, pixels);
}
