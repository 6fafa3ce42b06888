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

weft_status border_enlarge(border b, double reach, weft_desc *desc) {
    int exact_height, exact_width;
    const size_t height = enough(b, desc->height, reach, &exact_height);
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

/* Which index of the picture lies at place i of the plane, behind the picture: the first half of
 * what was added follows it, the other half precedes it. */
static size_t source_of(border b, size_t i, size_t length, size_t plane_length) {
    const size_t behind = length + (plane_length - length + 1) / 2;

    return border_index(b, i < behind ? (long)i : (long)i - (long)plane_length, length);
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

static void fill_row(const bordered *b, char *row, const size_t *sources) {
    const size_t bytes = b->bytes, added = b->plane_width - b->width;
    char *to = row + b->width * bytes;

    for (size_t i = 0; i < added; i++, to += bytes) {
        if (sources[i] == SIZE_MAX) {
            memset(to, 0, bytes);
        } else {
            copy_value(to, row + sources[i] * bytes, bytes);
        }
    }
}

int border_fill(const bordered *b, void *plane) {
    const size_t row_bytes = b->plane_width * b->bytes, added = b->plane_width - b->width;
    size_t *sources = allocate(added, sizeof *sources);
    char *rows = plane;

    if (sources == NULL) {
        return EXIT_MEMORY;
    }
    for (size_t i = 0; i < added; i++) {
        sources[i] = source_of(b->border, b->width + i, b->width, b->plane_width);
    }
    for (size_t m = 0; m < b->height; m++) {
        fill_row(b, rows + m * row_bytes, sources);
    }
    for (size_t m = b->height; m < b->plane_height; m++) {
        const size_t from = source_of(b->border, m, b->height, b->plane_height);

        if (from == SIZE_MAX) {
            memset(rows + m * row_bytes, 0, row_bytes);
        } else {
            memcpy(rows + m * row_bytes, rows + from * row_bytes, row_bytes);
        }
    }
    free(sources);
    return EXIT_DONE;
}
