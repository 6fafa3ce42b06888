/* SPDX-License-Identifier: MIT
 * Whether a strategy can be had: the library is asked for a small plan of it, and given it back.
 */
#include "shell/try_strategy.h"

#include <stdio.h>
#include <string.h>

#include "shell/complain.h"

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

/* The library's refusals are "what: why; advice", but its advice is for transforms. */
int look_for_gpu(char *why, size_t size) {
    const weft_status status = try_strategy("cuda", 0);
    const char *text = weft_last_error(), *colon = strstr(text, ": ");
    const char *reason = colon != NULL ? colon + 2 : text;
    const size_t length = status == WEFT_NO_DEVICE ? strcspn(reason, ";") : 0;

    snprintf(why, size, "%.*s", (int)length, reason);
    return status == WEFT_OK || status == WEFT_NO_DEVICE ? EXIT_DONE : complain_status(status);
}
