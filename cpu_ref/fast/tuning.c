/* SPDX-License-Identifier: MIT
 * The rows of tuning.def, and what follows from them for an image: see tuning.h.
 */
#include "fast/tuning.h"

static const cpu_tuning tunings[] = {
#include "fast/tuning.def"
};

cpu_tuning tuning_of(const cpu_caches *caches) {
    return tunings[caches->maker];
}

int are_outgrown(const cpu_caches *caches, size_t bytes, int is_inverse) {
    size_t part = tunings[caches->maker].outgrown_part[is_inverse];
    return bytes > caches->second && bytes >= caches->last / part;
}

int are_outputs_fetched(const cpu_caches *caches, size_t bytes, int is_inverse) {
    int halves = tunings[caches->maker].fetched_halves[is_inverse];
    return halves == OF_ANY_SIZE || bytes <= (size_t)halves * (caches->second / 2);
}
