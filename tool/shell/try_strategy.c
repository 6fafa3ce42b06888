/* SPDX-License-Identifier: MIT
 * Whether a strategy can be had: the library is asked for a small plan of it, and given it back.
 */
#include "shell/try_strategy.h"

enum { TRIAL_SIDE = 16 }; /* a size that every strategy takes */

weft_status try_strategy(const char *name, int device) {
    const weft_desc desc = {
        .height = TRIAL_SIDE, .width = TRIAL_SIDE, .strategy = name, .device = device};
    weft_plan *plan;
    const weft_status status = weft_plan_create(&plan, &desc);
    weft_plan_destroy(plan);
    return status;
}
