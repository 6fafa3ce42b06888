/* SPDX-License-Identifier: MIT
 * The public layout conversions: arguments checked, precision chosen.
 */
#include "convert_layout.h"
#include "environment.h"
#include "range.h"
#include "sizes.h"

static weft_status check_size(size_t height, size_t width, weft_precision p) {
    size_t span;
    if (height == 0 || width == 0) {
        return weft_fail(WEFT_BAD_ARGUMENT, "%s 0: must be at least 1",
                         height ? "width" : "height");
    }
    if (!span_elements(1, 0, height, width, width, &span)) {
        return weft_fail(WEFT_BAD_ARGUMENT, "%zux%zu: too large", height, width);
    }
    if (p != WEFT_F32 && p != WEFT_F64) {
        return weft_fail(WEFT_BAD_ARGUMENT, "precision %d: must be WEFT_F32 or WEFT_F64", (int)p);
    }
    return WEFT_OK;
}

static range range_of(const char *what, size_t height, size_t row_reals, weft_precision p,
                      const void *memory) {
    size_t real = p == WEFT_F32 ? sizeof(float) : sizeof(double);
    return (range){what, memory, height * row_reals * real, real};
}

static range packed_range(size_t height, size_t width, weft_precision p, const void *packed) {
    return range_of("packed", height, width, p, packed);
}

static range half_range(size_t height, size_t width, weft_precision p, const void *half) {
    return range_of("half", height, 2 * (width / 2 + 1), p, half);
}

static weft_status check(size_t height, size_t width, weft_precision p, range from, range to) {
    weft_status status;
    if ((status = check_size(height, width, p)) != WEFT_OK ||
        (status = check_aligned(from)) != WEFT_OK || (status = check_aligned(to)) != WEFT_OK) {
        return status;
    }
    return check_apart(from, to);
}

typedef void conversion(size_t height, size_t width, const void *from, void *to);

static weft_status convert(size_t height, size_t width, weft_precision p, range from, range to,
                           void *output, conversion *f32, conversion *f64) {
    weft_status status = check(height, width, p, from, to);
    if (status == WEFT_OK) {
        environment callers = take_default_environment();
        (p == WEFT_F32 ? f32 : f64)(height, width, from.memory, output);
        give_back_environment(callers);
    }
    return status;
}

weft_status weft_packed_to_half(size_t height, size_t width, weft_precision p, const void *packed,
                                void *half) {
    return convert(height, width, p, packed_range(height, width, p, packed),
                   half_range(height, width, p, half), half, packed_to_half_f32,
                   packed_to_half_f64);
}

weft_status weft_half_to_packed(size_t height, size_t width, weft_precision p, const void *half,
                                void *packed) {
    return convert(height, width, p, half_range(height, width, p, half),
                   packed_range(height, width, p, packed), packed, half_to_packed_f32,
                   half_to_packed_f64);
}

weft_status weft_packed_to_full(size_t height, size_t width, weft_precision p, const void *packed,
                                void *full) {
    return convert(height, width, p, packed_range(height, width, p, packed),
                   range_of("full", height, 2 * width, p, full), full, packed_to_full_f32,
                   packed_to_full_f64);
}
