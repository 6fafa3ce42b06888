/* SPDX-License-Identifier: MIT
 * Change detection, see changes.h.
 */
#include "changes.h"

#include "plane.h"

enum { LEAST_AUTO = 16, MOST_AUTO = 96 };

int change_threshold(const plane_blocks *b, const uint8_t *now, const uint8_t *before) {
    uint32_t counts[MOST_DIFFERENCE + 1] = {0};
    size_t below = 0;
    int median = 0;
    for (size_t i = 0; i < b->ranges; i++) {
        counts[range_difference(b, i, now, before)]++;
    }
    while ((below += counts[median]) * 2 < b->ranges) {
        median++;
    }
    int threshold = median * 3 / 2;
    return threshold < LEAST_AUTO ? LEAST_AUTO : threshold > MOST_AUTO ? MOST_AUTO : threshold;
}

static weft_fractal_mode mode_of(const plane_blocks *b, size_t range, const uint8_t *now,
                                 const uint8_t *original, const uint8_t *searched, int threshold) {
    if (threshold == WEFT_FRACTAL_EVERY) {
        return WEFT_FRACTAL_CODED;
    }
    if (range_difference(b, range, now, original) <= threshold) {
        return WEFT_FRACTAL_UNCHANGED;
    }
    return searched != NULL && range_difference(b, range, now, searched) <= threshold
               ? WEFT_FRACTAL_REPEATED
               : WEFT_FRACTAL_CODED;
}

size_t changes_mark(const plane_blocks *b, const uint8_t *now, const uint8_t *original,
                    const uint8_t *searched, int threshold, weft_fractal_code *codes) {
    size_t changed = 0;
    for (size_t i = 0; i < b->ranges; i++) {
        weft_fractal_mode mode = mode_of(b, i, now, original, searched, threshold);
        codes[i].mode = (unsigned char)mode;
        changed += mode != WEFT_FRACTAL_UNCHANGED;
    }
    return changed;
}
