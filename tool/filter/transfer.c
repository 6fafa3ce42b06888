/* SPDX-License-Identifier: MIT
 * A kernel's spectrum, or a table, or ones; then one gain after another is multiplied into it.
 */
#include "filter/transfer.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "shell/complain.h"

static size_t columns_of(const transfer *t) {
    return t->width / 2 + 1;
}

static size_t parts_of(const transfer *t) {
    return t->kind == WEFT_TRANSFER_GAIN ? 1 : 2;
}

static double get(const transfer *t, size_t i) {
    return t->precision == WEFT_F64 ? ((double *)t->values)[i] : (double)((float *)t->values)[i];
}

static void set(const transfer *t, size_t i, double value) {
    if (t->precision == WEFT_F64) {
        ((double *)t->values)[i] = value;
    } else {
        ((float *)t->values)[i] = (float)value;
    }
}

/* ---- kernels ----------------------------------------------------------------------------------
 */

/* The origin of the kernel comes to row 0, column 0; what is larger than the picture lies over
 * itself, which is what the sum over an endless floor of tiles is. */
static void place(const transfer *t, const kernel *k, int is_turned, const transfer *in) {
    for (size_t m = 0; m < k->height; m++) {
        const size_t down = (m + t->height * k->height - k->height / 2) % t->height;
        const size_t row = is_turned ? (t->height - down) % t->height : down;

        for (size_t n = 0; n < k->width; n++) {
            const size_t right = (n + t->width * k->width - k->width / 2) % t->width;
            const size_t column = is_turned ? (t->width - right) % t->width : right;
            const size_t at = row * t->width + column;

            set(in, at, get(in, at) + k->taps[m * k->width + n]);
        }
    }
}

static int transform(transfer *t, const weft_desc *of, const void *tile) {
    weft_desc desc = *of;
    weft_plan *plan;
    weft_status status;

    desc.batch = 1;
    desc.pixel = WEFT_PIXEL_REAL;
    desc.layout = WEFT_HALF;
    status = weft_plan_create(&plan, &desc);
    if (status == WEFT_OK) {
        status = weft_forward_host(plan, tile, t->values);
        weft_plan_destroy(plan);
    }
    return status == WEFT_OK ? EXIT_DONE : complain_status(status);
}

static int take_kernel(transfer *t, const kernel *k, int is_turned, const weft_desc *desc) {
    const size_t bytes = t->height * t->width * npy_real_bytes(t->precision);
    transfer tile = *t;
    int code;

    tile.values = allocate(bytes, 1);
    if (tile.values == NULL) {
        return EXIT_MEMORY;
    }
    memset(tile.values, 0, bytes);
    place(t, k, is_turned, &tile);
    code = transform(t, desc, tile.values);
    free(tile.values);
    return code;
}

/* Wiener's way back, conj X / (|X|^2 + balance |L|^2), where L is the response of the Laplacian:
 * what is rough is taken for noise. */
static void undo(transfer *t, double balance) {
    for (size_t k = 0; k < t->height; k++) {
        const double down = 2 - 2 * cos(2 * M_PI * (double)k / (double)t->height);

        for (size_t l = 0; l < columns_of(t); l++) {
            const size_t i = 2 * (k * columns_of(t) + l);
            const double right = 2 - 2 * cos(2 * M_PI * (double)l / (double)t->width);
            const double re = get(t, i), im = get(t, i + 1), rough = down + right;
            const double power = re * re + im * im + balance * rough * rough;

            set(t, i, power > 0 ? re / power : 0);
            set(t, i + 1, power > 0 ? -im / power : 0);
        }
    }
}

/* ---- tables -----------------------------------------------------------------------------------
 */

static int take_table(transfer *t, const filter *f) {
    const npy_header *h = &f->table_header;
    const size_t parts = parts_of(t), columns = columns_of(t);
    transfer from = {.precision = h->precision, .values = f->table};

    if (h->shape[0] != t->height || (h->shape[1] != columns && h->shape[1] != t->width)) {
        return complain(EXIT_BAD_INPUT, "%s: (%zu, %zu), but a picture of %zux%zu needs (%zu, %zu)",
                        f->table_path, h->shape[0], h->shape[1], t->height, t->width, t->height,
                        columns);
    }
    for (size_t k = 0; k < t->height; k++) {
        for (size_t i = 0; i < parts * columns; i++) {
            const double value = get(&from, k * parts * h->shape[1] + i);

            if (!isfinite(value)) {
                return complain(EXIT_BAD_INPUT, "%s: a gain in row %zu is no finite number",
                                f->table_path, k);
            }
            set(t, k * parts * columns + i, value);
        }
    }
    return EXIT_DONE;
}

/* ---- all together -----------------------------------------------------------------------------
 */

static int take_base(transfer *t, const filter *f, const weft_desc *desc) {
    int code;

    if (f->kernel.taps != NULL) {
        return take_kernel(t, &f->kernel, f->correlates, desc);
    }
    if (f->spread.taps != NULL) {
        code = take_kernel(t, &f->spread, 0, desc);
        if (code == EXIT_DONE) {
            undo(t, f->balance);
        }
        return code;
    }
    if (f->table != NULL) {
        return take_table(t, f);
    }
    for (size_t i = 0; i < t->height * columns_of(t); i++) {
        set(t, i, 1);
    }
    return EXIT_DONE;
}

static void multiply_row(transfer *t, size_t k, const double *row) {
    const size_t columns = columns_of(t), first = k * columns;

    if (t->kind == WEFT_TRANSFER_GAIN) {
        for (size_t l = 0; l < columns; l++) {
            set(t, first + l, get(t, first + l) * row[l]);
        }
        return;
    }
    for (size_t i = 0; i < 2 * columns; i++) {
        set(t, 2 * first + i, get(t, 2 * first + i) * row[i / 2]);
    }
}

static int multiply_gains(transfer *t, const filter *f) {
    double *row = allocate(columns_of(t), sizeof *row);
    gain_table tables[MOST_GAINS] = {{0}};
    int code = row != NULL ? EXIT_DONE : EXIT_MEMORY;

    for (size_t i = 0; code == EXIT_DONE && i < f->gain_count; i++) {
        code = gain_table_make(&tables[i], &f->gains[i], t->height, t->width);
    }
    for (size_t k = 0; code == EXIT_DONE && k < t->height; k++) {
        for (size_t l = 0; l < columns_of(t); l++) {
            row[l] = 1;
        }
        for (size_t i = 0; i < f->gain_count; i++) {
            gain_table_multiply(&tables[i], k, row);
        }
        screen_multiply(&f->screen, t->height, t->width, k, row);
        multiply_row(t, k, row);
    }
    for (size_t i = 0; i < f->gain_count; i++) {
        gain_table_free(&tables[i]);
    }
    free(row);
    return code;
}

int transfer_make(transfer *t, const filter *f, const weft_desc *desc) {
    const int is_complex = f->kernel.taps != NULL || f->spread.taps != NULL ||
                           (f->table != NULL && f->table_header.is_complex);
    int code;

    *t = (transfer){.kind = is_complex ? WEFT_TRANSFER_SPECTRUM : WEFT_TRANSFER_GAIN,
                    .precision = desc->precision,
                    .height = desc->height,
                    .width = desc->width};
    t->values = allocate(t->height * columns_of(t), parts_of(t) * npy_real_bytes(t->precision));
    code = t->values != NULL ? take_base(t, f, desc) : EXIT_MEMORY;
    if (code == EXIT_DONE && f->gain_count + f->screen.count > 0) {
        code = multiply_gains(t, f);
    }
    if (code != EXIT_DONE) {
        transfer_free(t);
    }
    return code;
}

void transfer_free(transfer *t) {
    free(t->values);
    *t = (transfer){0};
}

double transfer_real(const transfer *t, size_t k, size_t l) {
    return get(t, parts_of(t) * (k * columns_of(t) + l));
}

double transfer_magnitude(const transfer *t, size_t k, size_t l) {
    const size_t i = parts_of(t) * (k * columns_of(t) + l);

    return parts_of(t) == 1 ? fabs(get(t, i)) : hypot(get(t, i), get(t, i + 1));
}
