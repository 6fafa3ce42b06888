/* SPDX-License-Identifier: MIT
 * The public layout conversions: arguments checked, precision chosen.
 */
#include "convert_layout.h"
#include "environment.h"
#include "sizes.h"
#include "status.h"

static weft_status check(size_t height, size_t width, weft_precision p, const void *from,
                         void *to) {
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
    if (from == NULL || to == NULL) {
        return weft_fail(WEFT_BAD_ARGUMENT, "%s is NULL", from ? "output" : "input");
    }
    return WEFT_OK;
}

typedef void conversion(size_t height, size_t width, const void *from, void *to);

static weft_status convert(size_t height, size_t width, weft_precision p, const void *from,
                           void *to, conversion *f32, conversion *f64) {
    weft_status status = check(height, width, p, from, to);
    if (status == WEFT_OK) {
        environment callers = take_default_environment();
        (p == WEFT_F32 ? f32 : f64)(height, width, from, to);
        give_back_environment(callers);
    }
    return status;
}

weft_status weft_packed_to_half(size_t height, size_t width, weft_precision p, const void *packed,
                                void *half) {
    return convert(height, width, p, packed, half, packed_to_half_f32, packed_to_half_f64);
}

weft_status weft_half_to_packed(size_t height, size_t width, weft_precision p, const void *half,
                                void *packed) {
    return convert(height, width, p, half, packed, half_to_packed_f32, half_to_packed_f64);
}

weft_status weft_packed_to_full(size_t height, size_t width, weft_precision p, const void *packed,
                                void *full) {
    return convert(height, width, p, packed, full, packed_to_full_f32, packed_to_full_f64);
}
