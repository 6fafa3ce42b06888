/* SPDX-License-Identifier: MIT
 * spectrum .* transfer on the host: every bin of every image.
 */
#include "multiply.h"

void multiply_on_host(const problem *p, void *spectra, const void *transfer, weft_transfer kind) {
    transfer_view t = transfer_of(p, transfer, kind);
    for (size_t image = 0; image < p->batch; image++) {
        spectrum_view s = view_of(p, spectra, image);
        for (size_t k = 0; k < p->height; k++) {
            for (size_t l = 0; l <= p->width / 2; l++) {
                multiply_bin(s, t, k, l);
            }
        }
    }
}
