/* SPDX-License-Identifier: MIT
 * Costs and cheap sizes, see cost.h. An image costs H W (traffic + cost of a column's value + cost
 * of a row's value). Costs for a value are small whole numbers, so that of all lengths of a side
 * with the same cost only the shortest is worth a look: a few, and all pairs of them are tried.
 */
#define WEFT_REAL_BITS 32 /* both precisions have the same lists, but for the order of radices */

#include "cost.h"

#include <stdlib.h>
#include <string.h>

#include "arith/chirp.h"
#include "arith/factors.h"
#include "choose.h"
#include "environment.h"
#include "problem.h"
#include "refusals.h"

/* ---- the table ------------------------------------------------------------------------------- */

enum rest { CONVOLUTION, TRAFFIC, POWERS, ENLARGED };

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

/* The cost of an image whose sides have these costs together. */
static double cost_of_sides(size_t height, size_t width, unsigned sides, int is_device) {
    int are_powers = is_power_of_two(height) && is_power_of_two(width);
    unsigned percent = are_powers ? rest_costs[POWERS][is_device] : 100;
    return (double)height * (double)width * (rest_costs[TRAFFIC][is_device] + sides) * percent;
}

double image_cost(size_t height, size_t width, int is_device) {
    return cost_of_sides(height, width, line_cost(height, is_device) + line_cost(width, is_device),
                         is_device);
}

/* ---- the cheapest size ----------------------------------------------------------------------- */

/* More than any line costs: 64 bits have no more than 9 stages of 370, or of a convolution, which
 * is less than three times as long, twice 14 of 22. */
enum { MOST_COST = 4096 };

/* Of the lengths of a side that cost the same for each value, the shortest; 0: there is none. */
typedef struct side {
    size_t shortest[MOST_COST];
} side;

static void offer(side *to, size_t length, int is_device) {
    size_t *shortest = &to->shortest[line_cost(length, is_device)];
    if (*shortest == 0 || length < *shortest) {
        *shortest = length;
    }
}

/* The products of `odd`, the primes from `primes` on and a power of two that are from least to
 * most, which is less than twice as much. */
static void offer_products(side *to, size_t odd, const size_t *primes, size_t least, size_t most,
                           int is_device) {
    size_t product = odd;
    while (product < least) {
        product *= 2;
    }
    if (product <= most) {
        offer(to, product, is_device);
    }
    for (; *primes != 0; primes++) {
        if (odd <= most / *primes) {
            offer_products(to, odd * *primes, primes, least, most, is_device);
        }
    }
}

/* Only the shortest length of a side may be one that needs a convolution or has a prime above 13:
 * a longer one has no cheaper lines for it. Returns the next power of two. */
static size_t make_side(side *made, size_t least, int is_device) {
    static const size_t odd_primes[] = {3, 5, 7, 11, 13, 0};
    size_t power = 1;
    while (power < least) {
        power *= 2;
    }
    memset(made, 0, sizeof *made);
    offer(made, least, is_device);
    offer_products(made, 1, odd_primes, least, power, is_device);
    return power;
}

/* The best size up to now, from the least one on; of equally cheap ones the lower, then the
 * narrower. */
typedef struct best_size {
    size_t least_height, least_width, height, width;
    double cost;
} best_size;

static void try_size(best_size *best, size_t height, size_t width, unsigned sides, int is_device) {
    unsigned enlarged = rest_costs[ENLARGED][is_device];
    double cost = cost_of_sides(height, width, sides, is_device) *
                  (height > best->least_height ? enlarged : 100) *
                  (width > best->least_width ? enlarged : 100);
    if (best->height == 0 || cost < best->cost ||
        (cost == best->cost &&
         (height < best->height || (height == best->height && width < best->width)))) {
        best->height = height;
        best->width = width;
        best->cost = cost;
    }
}

/* `sides` is memory for two. */
static best_size cheapest(size_t height, size_t width, int is_device, side sides[2]) {
    best_size best = {.least_height = height, .least_width = width};
    size_t powers[] = {make_side(&sides[0], height, is_device),
                       make_side(&sides[1], width, is_device)};
    for (unsigned a = 0; a < MOST_COST; a++) {
        for (unsigned b = 0; b < MOST_COST && sides[0].shortest[a] != 0; b++) {
            if (sides[1].shortest[b] != 0) {
                try_size(&best, sides[0].shortest[a], sides[1].shortest[b], a + b, is_device);
            }
        }
    }
    /* Two powers of two are cheaper than their sides say. */
    try_size(&best, powers[0], powers[1],
             line_cost(powers[0], is_device) + line_cost(powers[1], is_device), is_device);
    return best;
}

static weft_status good_size(const weft_desc *desc, size_t *height, size_t *width) {
    problem p;
    const strategy *chosen;
    weft_status status;
    if ((status = problem_from_desc(&p, desc)) != WEFT_OK ||
        (status = choose_strategy(desc->strategy, &p, &chosen)) != WEFT_OK) {
        return status;
    }
    side *sides = malloc(2 * sizeof *sides);
    if (sides == NULL) {
        return weft_fail(WEFT_NO_MEMORY, "no memory to compare sizes");
    }
    best_size best = cheapest(p.height, p.width, chosen->space->is_device, sides);
    free(sides);
    *height = best.height;
    *width = best.width;
    return WEFT_OK;
}

weft_status weft_good_size(const weft_desc *desc, size_t *height, size_t *width) {
    if (height == NULL || width == NULL) {
        return weft_fail(WEFT_BAD_ARGUMENT, "%s is NULL", height == NULL ? "height" : "width");
    }
    fenv_t callers = take_whole_environment(); /* the strategies of a GPU are asked */
    weft_status status = good_size(desc, height, width);
    give_back_whole_environment(callers);
    return status;
}
