/* SPDX-License-Identifier: MIT
 * Costs, see cost.h. An image costs H W (traffic + cost of a column's value + cost of a row's
 * value), all of them small whole numbers.
 */
#define WEFT_REAL_BITS 32 /* both precisions have the same lists, but for the order of radices */

#include "cost.h"

#include "arith/chirp.h"
#include "arith/factors.h"
#include "refusals.h"

/* ---- the table ------------------------------------------------------------------------------- */

enum rest { CONVOLUTION, TRAFFIC, POWERS };

#define STAGE(radix, host, device) [radix] = {host, device},
#define REST(what, host, device)
static const unsigned stage_costs[LARGEST_ODD_RADIX + 1][2] = {
#include "cost.def"
};
#undef STAGE
#undef REST

#define STAGE(radix, host, device)
#define REST(what, host, device) [what] = {host, device},
static const unsigned rest_costs[][2] = {
#include "cost.def"
};

/* ---- costs ----------------------------------------------------------------------------------- */

static unsigned stages_cost(const factor_list *list, int is_device) {
    unsigned cost = 0;
    for (int s = 0; s < list->count; s++) {
        cost += stage_costs[list->radix[s]][is_device];
    }
    return cost;
}

unsigned line_cost(size_t length, int is_device) {
    factor_list list;
    if (factor_length(length, &list)) {
        return stages_cost(&list, is_device);
    }
    size_t padded = convolution_length(length);
    factor_line(padded, CONVOLVED, 0, &list);
    double transforms = 2.0 * stages_cost(&list, is_device) * (double)padded / (double)length;
    return (unsigned)transforms + rest_costs[CONVOLUTION][is_device];
}

double image_cost(size_t height, size_t width, unsigned sides, int is_device) {
    int are_powers = is_power_of_two(height) && is_power_of_two(width);
    unsigned percent = are_powers ? rest_costs[POWERS][is_device] : 100;
    return (double)height * (double)width * (rest_costs[TRAFFIC][is_device] + sides) * percent;
}
