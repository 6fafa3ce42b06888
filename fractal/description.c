/* SPDX-License-Identifier: MIT
 * Descriptions of encoders, see description.h.
 */
#include "description.h"

#include <limits.h>
#include <string.h>

#include "plane.h"
#include "scales.h"
#include "stream.h"

enum { DEFAULT_CHANGE = 32, MOST_FPS = 65535, MOST_UNROLL = 1024 };

/* ---- checks, as a table ------------------------------------------------------------------------
 */

/* What a number may be, besides 0 where that is the default. */
typedef struct limits {
    const char *name;
    long long value, least, most;
} limits;

/* A size may be too large for those of the table. */
static weft_status check_side(const char *name, size_t side) {
    return side >= 1 && side <= MOST_SIDE
               ? WEFT_OK
               : weft_fail(WEFT_BAD_ARGUMENT, "%s %zu: must be 1 to %d", name, side, MOST_SIDE);
}

static weft_status check_numbers(const weft_fractal_desc *d) {
    const limits all[] = {
        {"chroma", (long long)d->chroma, WEFT_FRACTAL_MONO, WEFT_FRACTAL_444},
        {"profile", (long long)d->profile, WEFT_FRACTAL_SEED, WEFT_FRACTAL_DENSE},
        {"threads", d->threads, 0, WEFT_MOST_THREADS},
        {"device", d->device, 0, INT_MAX},
        {"pruning", d->pruning, 0, 99},
        {"no_flat", d->no_flat, 0, 1},
        {"trunc_mean", d->trunc_mean, 0, 1},
        {"iterations", d->iterations, 0, MOST_ITERATIONS},
        {"change", d->change, WEFT_FRACTAL_EVERY, MOST_DIFFERENCE},
        {"refresh", d->refresh, WEFT_FRACTAL_AUTO, 0x7fffffff},
        {"no_repeat", d->no_repeat, 0, 1},
        {"raw_codes", d->raw_codes, 0, 1},
        {"fps_numerator", d->fps_numerator, 0, MOST_FPS},
        {"fps_denominator", d->fps_denominator, 0, MOST_FPS},
        {"elimination", d->elimination, 0, 1},
        {"arith", (long long)d->arith, WEFT_FRACTAL_FIXED, WEFT_FRACTAL_FLOAT},
        {"store_scaled", d->store_scaled, 0, 1},
        {"no_reorder", d->no_reorder, 0, 1},
        {"block", d->block, 0, MOST_UNROLL},
        {"unroll", d->unroll, 0, MOST_UNROLL},
        {"codebook", (long long)d->codebook, WEFT_FRACTAL_HOST, WEFT_FRACTAL_DEVICE},
    };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        if (all[i].value < all[i].least || all[i].value > all[i].most) {
            return weft_fail(WEFT_BAD_ARGUMENT, "%s %lld: must be %lld to %lld", all[i].name,
                             all[i].value, all[i].least, all[i].most);
        }
    }
    return WEFT_OK;
}

static weft_status check_together(const weft_fractal_desc *d) {
    for (size_t i = 0; i < sizeof d->reserved / sizeof *d->reserved; i++) {
        if (d->reserved[i] != 0) {
            return weft_fail(WEFT_BAD_ARGUMENT, "reserved[%zu] is not 0", i);
        }
    }
    if (d->block_size != 0 && d->block_size != BLOCK_SIDE) {
        return weft_fail(WEFT_UNSUPPORTED, "block_size %d: must be %d", d->block_size, BLOCK_SIDE);
    }
    if ((d->fps_numerator == 0) != (d->fps_denominator == 0)) {
        return weft_fail(WEFT_BAD_ARGUMENT, "%u/%u frames per second", d->fps_numerator,
                         d->fps_denominator);
    }
    if (d->profile == WEFT_FRACTAL_DENSE && (d->pruning > 0 || d->no_flat)) {
        return weft_fail(WEFT_UNSUPPORTED, "%s: not in the dense profile",
                         d->no_flat ? "no_flat" : "pruning");
    }
    size_t domains = blocks_of_plane(d->height, d->width, d->chroma, d->profile, 0).domains;
    return d->raw_codes && d->profile == WEFT_FRACTAL_SEED && domains > (size_t)1 << RAW_DOMAIN_BITS
               ? weft_fail(WEFT_UNSUPPORTED, "raw_codes: %zu domains have no numbers of %d bits",
                           domains, RAW_DOMAIN_BITS)
               : WEFT_OK;
}

/* ---- defaults ----------------------------------------------------------------------------------
 */

weft_status description_fill(weft_fractal_desc *filled, const weft_fractal_desc *given) {
    weft_status status;
    if ((status = check_side("height", given->height)) != WEFT_OK ||
        (status = check_side("width", given->width)) != WEFT_OK ||
        (status = check_numbers(given)) != WEFT_OK || (status = check_together(given)) != WEFT_OK) {
        return status;
    }
    *filled = *given;
    filled->block_size = BLOCK_SIDE;
    if (given->iterations == 0) {
        filled->iterations = given->profile == WEFT_FRACTAL_DENSE ? 10 : 5;
    }
    if (given->change == 0) {
        filled->change = DEFAULT_CHANGE;
    }
    filled->no_repeat |= given->raw_codes;
    return WEFT_OK;
}

weft_fractal_stream description_stream(const weft_fractal_desc *d, int *domain_bits) {
    int is_dense = d->profile == WEFT_FRACTAL_DENSE;
    weft_fractal_stream s = {.height = d->height,
                             .width = d->width,
                             .chroma = d->chroma,
                             .profile = d->profile,
                             .block_size = d->block_size,
                             .domain_step = is_dense ? DENSE_STEP : SEED_STEP,
                             .scales = is_dense ? DENSE_SCALES : SEED_SCALES,
                             .raw_codes = d->raw_codes,
                             .iterations = d->iterations,
                             .fps_numerator = d->fps_numerator,
                             .fps_denominator = d->fps_denominator,
                             .frames = d->frames};
    for (int i = 0; i < s.scales; i++) {
        s.scale[i] = is_dense ? (signed char)(i - DENSE_FLAT) : seed_scales[i];
    }
    *domain_bits = d->raw_codes && !is_dense ? RAW_DOMAIN_BITS : 0;
    return s;
}
