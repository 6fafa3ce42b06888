/* SPDX-License-Identifier: MIT
 * Whether a strategy can be had: the library is asked for a small plan of it, and given it back.
 */
#include "shell/try_strategy.h"

weft_status try_strategy(const char *name, int device) {
    static const size_t sides[] = {16, 64, 256}; /* every strategy takes one of them */
    weft_status status = WEFT_UNSUPPORTED;
    for (size_t i = 0; i < sizeof sides / sizeof *sides && status == WEFT_UNSUPPORTED; i++) {
        const weft_desc desc = {
            .height = sides[i], .width = sides[i], .strategy = name, .device = device};
        weft_plan *plan;
        status = weft_plan_create(&plan, &desc);
        weft_plan_destroy(plan);
    }
    return status;
}
