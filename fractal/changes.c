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

change_counts changes_mark(const plane_blocks *b, size_t first, size_t end, const uint8_t *now,
                           const uint8_t *original, const uint8_t *searched, int threshold,
                           weft_fractal_code *codes) {
    change_counts counts = {0, 0};
    for (; first < end; first += ranges_together(b, first)) {
        uint16_t to_original[RANGES_TOGETHER], to_searched[RANGES_TOGETHER];
        range_differences(b, first, now, original, to_original);
        if (searched != NULL) {
            range_differences(b, first, now, searched, to_searched);
        }
        for (size_t i = 0; i < ranges_together(b, first); i++) {
            /* WEFT_FRACTAL_EVERY is less than any difference. */
            const int is_changed = to_original[i] > threshold,
                      is_coded = is_changed && (searched == NULL || to_searched[i] > threshold);
            codes[first + i].mode = (unsigned char)(is_coded     ? WEFT_FRACTAL_CODED
                                                    : is_changed ? WEFT_FRACTAL_REPEATED
                                                                 : WEFT_FRACTAL_UNCHANGED);
            counts.changed += (size_t)is_changed;
            counts.coded += (size_t)is_coded;
        }
    }
    return counts;
}
