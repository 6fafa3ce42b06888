/* SPDX-License-Identifier: MIT
 * Tight spectra from one layout to another: layout.h reads every bin and puts it where it belongs.
 */
#include "convert_layout.h"
#include "layout.h"

static spectrum_view packed_view(size_t height, size_t width, const void *packed) {
    return (spectrum_view){
        .values = (scalar *)packed, .height = height, .width = width, .pitch = width};
}

static spectrum_view half_view(size_t height, size_t width, const void *half) {
    return (spectrum_view){.values = (scalar *)half,
                           .height = height,
                           .width = width,
                           .pitch = width / 2 + 1,
                           .half = 1};
}

static void copy_bins(spectrum_view from, spectrum_view to) {
    for (size_t k = 0; k < from.height; k++) {
        for (size_t l = 0; l <= from.width / 2; l++) {
            if (l != mirror(l, from.width)) {
                put_paired(to, k, l, get_paired(from, k, l));
            } else if (k <= mirror(k, from.height)) {
                put_self_paired(to, k, l, get_self_paired(from, k, l));
            }
        }
    }
}

void REAL_NAME(packed_to_half)(size_t height, size_t width, const void *packed, void *half) {
    copy_bins(packed_view(height, width, packed), half_view(height, width, half));
}

void REAL_NAME(half_to_packed)(size_t height, size_t width, const void *half, void *packed) {
    copy_bins(half_view(height, width, half), packed_view(height, width, packed));
}

void REAL_NAME(packed_to_full)(size_t height, size_t width, const void *packed, void *full) {
    spectrum_view from = packed_view(height, width, packed);
    for (size_t k = 0; k < height; k++) {
        for (size_t l = 0; l < width; l++) {
            store_pair((scalar *)full + 2 * (k * width + l), get_any(from, k, l));
        }
    }
}
