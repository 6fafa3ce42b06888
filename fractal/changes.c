/* SPDX-License-Identifier: MIT
 * Change detection, see changes.h.
 */
#include "changes.h"

#include "plane.h"

enum { MOST_DIFFERENCE = 255 * BLOCK_PIXELS, LEAST_AUTO = 16, MOST_AUTO = 96 };

int change_threshold(const plane_blocks *b, const uint8_t *now, const uint8_t *before) {
    uint32_t counts[MOST_DIFFERENCE + 1] = {0};
    size_t below = 0;
    int median = 0;
    for (size_t first = 0; first < b->ranges; first += ranges_together(b, first)) {
        uint16_t sums[RANGES_TOGETHER];
        range_differences(b, first, now, before, sums);
        for (size_t i = 0; i < ranges_together(b, first); i++) {
            counts[sums[i]]++;
        }
    }
    while ((below += counts[median]) * 2 < b->ranges) {
        median++;
    }
    int threshold = median * 3 / 2;
    return threshold < LEAST_AUTO ? LEAST_AUTO : threshold > MOST_AUTO ? MOST_AUTO : threshold;
}

size_t changes_mark(const plane_blocks *b, const uint8_t *now, const uint8_t *original,
                    const uint8_t *searched, int threshold, weft_fractal_code *codes) {
    size_t changed = 0, first, count;
    for (first = 0; first < b->ranges; first += count) {
        uint16_t to_original[RANGES_TOGETHER], to_searched[RANGES_TOGETHER];
        count = ranges_together(b, first);
        range_differences(b, first, now, original, to_original);
        if (searched != NULL) {
            range_differences(b, first, now, searched, to_searched);
        }
        for (size_t i = 0; i < count; i++) { /* WEFT_FRACTAL_EVERY is less than any difference */
            const int is_changed = to_original[i] > threshold,
                      is_new = searched == NULL || to_searched[i] > threshold;
            codes[first + i].mode = (unsigned char)(!is_changed ? WEFT_FRACTAL_UNCHANGED
                                                    : is_new    ? WEFT_FRACTAL_CODED
                                                                : WEFT_FRACTAL_REPEATED);
            changed += (size_t)is_changed;
        }
    }
    return changed;
}
