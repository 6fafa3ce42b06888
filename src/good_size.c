/* SPDX-License-Identifier: MIT
 * Sizes that transform fast: weft_next_fast_size() and weft_good_size(). The costs of cost.h are
 * small whole numbers for each value, so that of all lengths of a side with the same cost only the
 * shortest is worth a look: a few, and all pairs of them are tried.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "choose.h"
#include "cost.h"
#include "environment.h"
#include "problem.h"

/* ---- of one side, whatever its strategy --------------------------------------------------------
 */

/* Smallest product of powers of 2, 3, 5, 7 that is >= n: for every 3^a 5^b 7^c the power of two on
 * top. */
size_t weft_next_fast_size(size_t n) {
    size_t best = 0;
    for (size_t sevens = 1;; sevens *= 7) {
        for (size_t fives = sevens;; fives *= 5) {
            for (size_t threes = fives;; threes *= 3) {
                size_t twos = threes;
                while (twos < n && twos <= SIZE_MAX / 2) {
                    twos *= 2;
                }
                if (twos >= n && (best == 0 || twos < best)) {
                    best = twos;
                }
                if (threes >= n || threes > SIZE_MAX / 3) {
                    break;
                }
            }
            if (fives >= n || fives > SIZE_MAX / 5) {
                break;
            }
        }
        if (sevens >= n || sevens > SIZE_MAX / 7) {
            break;
        }
    }
    return best;
}

/* ---- of an image, by costs ----------------------------------------------------------------------
 */

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

/* The percentage that a side counts which is longer than it need be: costs are off by a tenth. */
enum { ENLARGED = 110 };

static void try_size(best_size *best, size_t height, size_t width, unsigned sides, int is_device) {
    double cost = image_cost(height, width, sides, is_device) *
                  (height > best->least_height ? ENLARGED : 100) *
                  (width > best->least_width ? ENLARGED : 100);
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
