/* SPDX-License-Identifier: MIT
 * A canvas of leaves twice as fine as the picture is drawn once. Of every frame, the camera's part
 * of it is copied, what moves is drawn over it, and each sample of the picture is the mean of the
 * samples that it covers: edges are soft, and half a pixel is a whole column. Integers only.
 */
#include "files/sequence.h"

#include <stdlib.h>
#include <string.h>

#include "files/random_numbers.h"
#include "files/scene.h"
#include "shell/complain.h"

enum { FINENESS = 2, PLANES = VIDEO_MOST_PLANES, RATE = 30 };
enum { PAN_STEP = 3, PAN_FRAMES = 64 }; /* columns of the canvas a frame */
/* In 256ths; of so many frames one is a flash. */
enum { UNCHANGED = 256, LEAST_FLASH = 288, MOST_FLASH = 384, FLASH_EVERY = 5 };

typedef struct sequence_kind {
    const char *about;
    size_t leaves, masts;
    int64_t speed; /* of leaves */
    int pans, flashes;
} sequence_kind;

const char *const sequence_words[] = {"pan", "flash", "masts", "discs", "rush", NULL};
/* In their order. */
static const sequence_kind kinds[] = {
    {.about = "the camera moves, a pixel and a half a frame", .pans = 1},
    {.about = "nothing moves, but some frames are brighter", .flashes = 1},
    {.about = "thin bars swing before a background that rests", .masts = 9},
    {.about = "leaves move slowly before a background that rests", .leaves = 12, .speed = 3},
    {.about = "the camera moves, and leaves race before it", .leaves = 20, .speed = 12, .pans = 1},
};

const char *sequence_about(int which) {
    return kinds[which].about;
}

/* ---- the canvas ------------------------------------------------------------------------------ */

static void colour_canvas(sequence *s, const uint16_t *rgb) {
    const size_t count = s->rows * s->columns;

    for (size_t i = 0; i < count; i++) {
        uint8_t ycc[PLANES];

        video_of_rgb(rgb[i], rgb[count + i], rgb[2 * count + i], ycc);
        for (size_t plane = 0; plane < PLANES; plane++) {
            s->canvas[plane * count + i] = ycc[plane];
        }
    }
}

static int draw_canvas(sequence *s) {
    const size_t count = s->rows * s->columns;
    uint16_t *rgb = allocate(PLANES * count, sizeof *rgb);
    int code = EXIT_MEMORY;

    if (rgb) {
        code = scene_render_from(FINENESS * SCENE_SMALLEST_RADIUS, s->rows, s->columns, 8, PLANES,
                                 s->seed, rgb);
    }

    if (code == EXIT_DONE && !(s->canvas = allocate(PLANES, count))) {
        code = EXIT_MEMORY;
    }
    if (code == EXIT_DONE) {
        colour_canvas(s, rgb);
    }
    free(rgb);
    return code;
}

int sequence_open(sequence *s, int which, size_t height, size_t width, video_chroma chroma,
                  uint64_t seed) {
    const size_t rows = FINENESS * height, columns = FINENESS * width;
    int code;

    *s = (sequence){.format = {height, width, chroma, {RATE, 1}, {1, 1}, 'p'},
                    .kind = &kinds[which],
                    .seed = seed,
                    .rows = rows,
                    .columns = columns + (size_t)(kinds[which].pans ? PAN_STEP * PAN_FRAMES : 0),
                    .seen = {.rows = rows, .columns = columns}};
    code = draw_canvas(s);
    if (code == EXIT_DONE && !(s->seen.samples = allocate(PLANES * rows, columns))) {
        code = EXIT_MEMORY;
    }
    return code;
}

void sequence_close(sequence *s) {
    free(s->canvas);
    free(s->seen.samples);
    s->canvas = s->seen.samples = NULL;
}

/* ---- a frame --------------------------------------------------------------------------------- */

/* Where the camera's first column is: there and back. */
static size_t camera(const sequence *s, size_t number) {
    const size_t at = number % (2 * PAN_FRAMES);

    return s->kind->pans ? PAN_STEP * (at < PAN_FRAMES ? at : 2 * PAN_FRAMES - at) : 0;
}

/* The first frame is no flash. */
static uint64_t gain(const sequence *s, size_t number) {
    const uint64_t random = mix(s->seed + number * golden);

    if (!s->kind->flashes || number == 0 || random % FLASH_EVERY != 0) {
        return UNCHANGED;
    }
    return LEAST_FLASH + scale_random(random >> 32, MOST_FLASH - LEAST_FLASH);
}

static void look(sequence *s, size_t number) {
    const size_t rows = PLANES * s->rows, first = camera(s, number);

    for (size_t row = 0; row < rows; row++) {
        memcpy(s->seen.samples + row * s->seen.columns, s->canvas + row * s->columns + first,
               s->seen.columns);
    }
    movers_draw_leaves(&s->seen, s->kind->leaves, s->kind->speed, mix(~s->seed), number);
    movers_draw_masts(&s->seen, s->kind->masts, mix(~s->seed), number);
}

/* A square or rectangle of the view; beside an odd side it may reach out of the view. */
typedef struct area {
    size_t row, column, rows, columns;
} area;

static int64_t mean(const view *v, size_t plane, area a) {
    const size_t bottom = a.row + a.rows < v->rows ? a.row + a.rows : v->rows;
    const size_t end = a.column + a.columns < v->columns ? a.column + a.columns : v->columns;
    const uint32_t count = (uint32_t)((bottom - a.row) * (end - a.column));
    uint32_t sum = count / 2;

    for (size_t row = a.row; row < bottom; row++) {
        const uint8_t *samples = v->samples + (plane * v->rows + row) * v->columns;

        for (size_t column = a.column; column < end; column++) {
            sum += samples[column];
        }
    }
    return sum / count;
}

/* Colours are lit as well: they move away from gray. */
static void sample_plane(const sequence *s, size_t plane, int64_t lit, uint8_t *samples) {
    const video_plane to = video_plane_at(&s->format, plane);
    const int64_t black = plane == 0 ? 0 : VIDEO_NEUTRAL;
    const size_t down = FINENESS * (plane == 0 ? 1 : video_row_step(s->format.chroma));
    const size_t right = FINENESS * (plane == 0 ? 1 : video_column_step(s->format.chroma));

    for (size_t row = 0; row < to.rows; row++) {
        for (size_t column = 0; column < to.columns; column++) {
            const area covered = {row * down, column * right, down, right};
            const int64_t level = mean(&s->seen, plane, covered);

            samples[to.start + row * to.columns + column] =
                (uint8_t)clamp(black + (level - black) * lit / UNCHANGED, 0, UINT8_MAX);
        }
    }
}

void sequence_frame(sequence *s, size_t number, uint8_t *samples) {
    look(s, number);
    for (size_t plane = 0; plane < video_planes(s->format.chroma); plane++) {
        sample_plane(s, plane, (int64_t)gain(s, number), samples);
    }
}
