/* SPDX-License-Identifier: MIT
 * The kernels of cpu.fast for lines of any length, for one precision (WEFT_REAL_BITS), instruction
 * set (WEFT_KERNELS_OF, given to the compiler as options too) and number of lanes (WEFT_LANES).
 * kernels.cmake compiles this file once for each instruction set; across_plan.c lists the tables
 * that come of it.
 */
#define WITH_ALL_RADICES

#include "fast/bluestein.inc"
#include "fast/columns.inc"
#include "fast/slots.inc"

/* A tile of LANES complex columns that goes through a buffer: see across.h. Rows are prefetched,
 * since they lie on as many pages. */
enum { ROWS_TO_FETCH = 16 };

static void load_tile(const across_line *line, pair_rows from, int is_inverse, scalar *buffer) {
    for (size_t m = 0; m < line->length; m++) {
        const scalar *row = from.values + m * from.pitch;
        fetch_row(row + ROWS_TO_FETCH * from.pitch);
        store_buffer(buffer + line->in[m] * PLACE, load_row(row, is_inverse));
    }
}

static WEFT_HD void store_tile(const across_line *line, const scalar *buffer,
                               const intermediate_view *to, size_t column, ending how,
                               scalar scale) {
    for (size_t k = 0; k < line->length; k++) {
        store_row(to->values + k * to->pitch + column, load_buffer(buffer + line->out[k] * PLACE),
                  how, scale);
    }
}

static void narrow_tile(const across_line *line, pair_rows from, const intermediate_view *to,
                        size_t column, int is_inverse, scalar scale, scalar *buffer) {
    load_tile(line, from, is_inverse, buffer);
    transform(line, buffer);
    if (TWO_ARE_LINES && to->streams) {
        store_tile(line, buffer, to, column, (ending){is_inverse, 1}, scale);
        finish_streams();
    } else {
        store_tile(line, buffer, to, column, (ending){is_inverse, 0}, scale);
    }
}

#define JOINED(bits, isa) across_kernels_f##bits##_##isa
#define NAMED(bits, isa) JOINED(bits, isa)

extern const across_kernels NAMED(WEFT_REAL_BITS, WEFT_KERNELS_OF);
const across_kernels NAMED(WEFT_REAL_BITS, WEFT_KERNELS_OF) = {
    .lanes = WEFT_LANES,
    .columns = columns,
    .columns_inverse = columns_inverse,
    .narrow_tile = narrow_tile,
    .transform = transform,
    .load_untangled = load_untangled,
    .store_tangled = store_tangled,
    .load_spectrum = load_spectrum,
    .store_spectrum = store_spectrum,
    .load_gain = load_gain,
    .multiply = multiply,
};
