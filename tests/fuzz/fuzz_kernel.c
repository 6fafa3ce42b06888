/* SPDX-License-Identifier: MIT
 * Reading kernels: the input is a file for weft filter --kernel and --wiener. What is taken must be
 * finite numbers, and makes transfers that are finite, too.
 */
#include <math.h>

#include "filter/transfer.h"
#include "fuzz.h"
#include "input_file.h"
#include "shell/complain.h"

enum { HEIGHT = 6, WIDTH = 5 };

static void check_transfer(const filter *f, double most) {
    const weft_desc desc = {
        .height = HEIGHT, .width = WIDTH, .precision = WEFT_F64, .strategy = "cpu", .threads = 1};
    transfer t;

    must(transfer_make(&t, f, &desc) == EXIT_DONE, "no transfer");
    must(t.kind == WEFT_TRANSFER_SPECTRUM, "a kernel has no real transfer");
    for (size_t k = 0; k < HEIGHT; k++) {
        for (size_t l = 0; l <= WIDTH / 2; l++) {
            must(transfer_magnitude(&t, k, l) <= most, "%g at %zu, %zu",
                 transfer_magnitude(&t, k, l), k, l);
        }
    }
    transfer_free(&t);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count) {
    const char *path = input_file(bytes, count);
    filter f = {0};
    double most = 0;

    if (filter_read_kernel(&f, path) == EXIT_DONE) {
        const size_t taps = f.kernel.height * f.kernel.width;

        must(taps >= 1 && taps <= MOST_KERNEL_TAPS, "%zu taps", taps);
        for (size_t i = 0; i < taps; i++) {
            must(isfinite(f.kernel.taps[i]), "tap %zu: %g", i, f.kernel.taps[i]);
            most += fabs(f.kernel.taps[i]);
        }
        if (most < 1e100) { /* or its sums may be infinite */
            check_transfer(&f, most * (1 + 1e-9));
        }
    }
    filter_free(&f);
    f = (filter){.balance = 0.01};
    if (filter_read_spread(&f, path) == EXIT_DONE) {
        const double sum = kernel_sum(&f.spread);
        must(isfinite(sum), "adds up to %g", sum);
    }
    filter_free(&f);
    return 0;
}
