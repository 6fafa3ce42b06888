/* SPDX-License-Identifier: MIT
 * A spectrum of cpu.fast in which one bit is wrong, once: linked with --wrap=weft_forward_host, for
 * the test that weft reproduce weft notices a promise that is not kept.
 */
#include <string.h>

#include "weft.h"

enum { WRONG_CALL = 10 };

weft_status __real_weft_forward_host(const weft_plan *plan, const void *image, void *spectrum);
weft_status __wrap_weft_forward_host(const weft_plan *plan, const void *image, void *spectrum);

weft_status __wrap_weft_forward_host(const weft_plan *plan, const void *image, void *spectrum) {
    static int calls;
    const weft_status status = __real_weft_forward_host(plan, image, spectrum);

    if (strcmp(weft_plan_strategy(plan), "cpu.fast") == 0 && ++calls == WRONG_CALL) {
        *(char *)spectrum ^= 1;
    }
    return status;
}
