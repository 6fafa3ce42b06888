/* SPDX-License-Identifier: MIT
 * Sizes and contents of enlarged pictures; see borders.h.
 */
#include "filter/borders.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "shell/complain.h"

const char *const border_words[] = {"reflect", "reflect101", "replicate", "zero", "wrap", NULL};

const char *border_about(border b) {
    static const char *const about[] = {
        "mirrored, the pixels at the border twice (SciPy's reflect, NumPy's symmetric)",
        "mirrored, the pixels at the border once (OpenCV's default)",
        "the pixels at the border go on (ImageMagick's edge, libvips' copy)", "black, all 0",
        "the opposite side follows"};

    return about[b];
}

size_t border_index(border b, long i, size_t length) {
    const long n = (long)length, period = b == REFLECT ? 2 * n : b == REFLECT101 ? 2 * n - 2 : n;

    if (i >= 0 && i < n) {
        return (size_t)i;
    }
    if (b == ZERO) {
        return SIZE_MAX;
    }
    if (b == REPLICATE) {
        return i < 0 ? 0 : length - 1;
    }
    if (period == 0) { /* one pixel alone */
        return 0;
    }
    i = (i % period + period) % period;
    return (size_t)(i < n ? i : b == REFLECT ? period - 1 - i : period - i);
}

/* The least length that is enough, or 0; *is_exact: no other one is as good. A mirrored line is
 * periodic, so that two of its lengths serve a filter of any reach. */
static size_t enough(border b, size_t length, double reach, int *is_exact) {
    const double n = (double)length, far = isfinite(reach) ? reach : n;
    const double least = n + (b == ZERO ? far : 2 * far);

    *is_exact = 1;
    if (b == WRAP) {
        return length;
    }
    if (b == REFLECT && (isinf(reach) || least >= 2 * n)) {
        return 2 * length;
    }
    if (b == REFLECT101 && (isinf(reach) || least >= 2 * n - 2)) {
        return length > 1 ? 2 * length - 2 : 1;
    }
    *is_exact = 0;
    return least < (double)(SIZE_MAX / 4) ? (size_t)ceil(least) : 0;
}

weft_status border_enlarge(border b, double reach, int is_strip, weft_desc *desc) {
    int exact_height, exact_width;
    const size_t height = enough(is_strip ? REPLICATE : b, desc->height, reach, &exact_height);
    const size_t width = enough(b, desc->width, reach, &exact_width);
    size_t good_height, good_width;
    weft_status status;

    desc->height = height;
    desc->width = width;
    status = weft_good_size(desc, &good_height, &good_width);
    if (status == WEFT_OK) {
        desc->height = exact_height ? height : good_height;
        desc->width = exact_width ? width : good_width;
    }
    return status;
}

/* What lies at a place of the plane beside the picture. */
typedef struct source {
    size_t at;     /* an index of the picture; SIZE_MAX: 0 */
    long sideways; /* and so far away in the other direction */
} source;

/* How far two waves are from being the same at two places, in squared cycles. */
static double difference(const going_on *waves, double down, double right) {
    const double first = waves->row[0] * down + waves->column[0] * right;
    const double second = waves->row[1] * down + waves->column[1] * right;

    return pow(first - rint(first), 2) + pow(second - rint(second), 2);
}

/* The place beside a mirrored one that two waves fit best, and of two that are as good the nearer
 * one. */
static source best_beside(const going_on *waves, int is_row, long place, source mirrored,
                          size_t length) {
    const long far = (long)ceil(1 / hypot(waves->row[0], waves->column[0]));
    source best = mirrored;
    double least = HUGE_VAL;

    for (long along = -far; along <= far; along++) {
        const long at = (long)mirrored.at + along;

        for (long sideways = -far; at >= 0 && at < (long)length && sideways <= far; sideways++) {
            const double ahead = (double)(place - at), beside = (double)-sideways;
            const double nearness = 1e-3 * hypot((double)along, beside) / (double)far;
            const double found =
                nearness + difference(waves, is_row ? ahead : beside, is_row ? beside : ahead);

            if (found < least) {
                least = found;
                best = (source){.at = (size_t)at, .sideways = sideways};
            }
        }
    }
    return best;
}

/* The first place of the plane that precedes the picture: the first half of what was added follows
 * what is there. */
static size_t turn_of(const bordered *b, int is_row) {
    const size_t length = is_row ? b->rows : b->width;
    const size_t plane_length = is_row ? b->plane_height : b->plane_width;

    return length + (plane_length - length + 1) / 2;
}

/* Where place i of the plane would be in an endless picture. */
static long place_of(const bordered *b, int is_row, size_t i) {
    const size_t plane_length = is_row ? b->plane_height : b->plane_width;

    return (i < turn_of(b, is_row) ? (long)i : (long)i - (long)plane_length) +
           (is_row ? (long)b->first : 0);
}

size_t border_row(const bordered *b, size_t m) {
    const long place = place_of(b, 1, m);

    return place >= 0 && place < (long)b->height ? (size_t)place : SIZE_MAX;
}

size_t border_end(const bordered *b) {
    const size_t end = b->first + turn_of(b, 1);

    return end < b->height ? end : b->height;
}

static source source_of(const bordered *b, int is_row, size_t i) {
    const size_t length = is_row ? b->height : b->width;
    const long place = place_of(b, is_row, i);
    const source mirrored = {.at = border_index(b->border, place, length)};

    return b->waves != NULL && b->border == REFLECT
               ? best_beside(b->waves, is_row, place, mirrored, length)
               : mirrored;
}

static void copy_value(char *to, const char *from, size_t bytes) {
    switch (bytes) { /* of a constant number of bytes it is one move */
    case 1:
        memcpy(to, from, 1);
        break;
    case 2:
        memcpy(to, from, 2);
        break;
    case 4:
        memcpy(to, from, 4);
        break;
    default:
        memcpy(to, from, bytes);
    }
}

static void fill_row(const bordered *b, char *rows, size_t m, const source *sources) {
    const size_t bytes = b->bytes, row_bytes = b->plane_width * bytes;
    const size_t added = b->plane_width - b->width;
    char *to = rows + m * row_bytes + b->width * bytes;

    for (size_t i = 0; i < added; i++, to += bytes) {
        if (sources[i].at == SIZE_MAX) {
            memset(to, 0, bytes);
        } else {
            const long sideways = sources[i].sideways; /* 0 of nearly all pictures: quickly */
            const size_t from =
                sideways == 0 ? m : border_index(REFLECT, (long)m + sideways, b->height);

            copy_value(to, rows + from * row_bytes + sources[i].at * bytes, bytes);
        }
    }
}

/* Where in the plane a row of the picture lies; SIZE_MAX: nowhere, or it is none. Rows beside a
 * strip that its result needs lie there, those that they mirror too. */
static size_t plane_row(const bordered *b, size_t row) {
    const size_t height = b->plane_height;
    const size_t m = row != SIZE_MAX ? (row + height - b->first % height) % height : 0;

    return row != SIZE_MAX && border_row(b, m) == row ? m : SIZE_MAX;
}

/* A row beyond the picture, out of one that is filled. */
static void copy_row(const bordered *b, char *rows, size_t m, source from) {
    const long width = (long)b->plane_width;
    const size_t row_bytes = b->plane_width * b->bytes;
    const size_t ahead = (size_t)((from.sideways % width + width) % width) * b->bytes;

    const size_t at = plane_row(b, from.at);

    if (at == SIZE_MAX) {
        memset(rows + m * row_bytes, 0, row_bytes);
    } else {
        const char *row = rows + at * row_bytes;

        memcpy(rows + m * row_bytes, row + ahead, row_bytes - ahead);
        memcpy(rows + (m + 1) * row_bytes - ahead, row, ahead);
    }
}

int border_fill(const bordered *b, void *plane) {
    const size_t added = b->plane_width - b->width;
    source *sources = allocate(added, sizeof *sources);
    char *rows = plane;

    if (sources == NULL) {
        return EXIT_MEMORY;
    }
    for (size_t i = 0; i < added; i++) {
        sources[i] = source_of(b, 0, b->width + i);
    }
    for (size_t m = 0; m < b->plane_height; m++) {
        if (border_row(b, m) != SIZE_MAX) {
            fill_row(b, rows, m, sources);
        }
    }
    for (size_t m = 0; m < b->plane_height; m++) {
        if (border_row(b, m) == SIZE_MAX) {
            copy_row(b, rows, m, source_of(b, 1, m));
        }
    }
    free(sources);
    return EXIT_DONE;
}
