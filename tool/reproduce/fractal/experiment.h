/* SPDX-License-Identifier: MIT
 * weft reproduce fractal in parts: what is coded, and the functions that each find some tables.
 */
#ifndef WEFT_TOOL_REPRODUCE_FRACTAL_EXPERIMENT_H
#define WEFT_TOOL_REPRODUCE_FRACTAL_EXPERIMENT_H

#include "reproduce/fractal/passage.h"
#include "reproduce/reproduce.h"

enum { MOST_PICTURES = 4, MOST_FILMS = 8, DRAWN_FILMS = 5 };
/* The source of all that is found is the paper that the codec was built after. */
extern const char seed_name[];
enum { SEED_PRUNING = 80 }; /* percent; the seed's choice for all its videos */

/* How much is done, by --quick and --full. */
typedef struct effort {
    size_t height, width, frames; /* of drawn films */
    size_t picture_height, picture_width;
    size_t samples, samples_of_seq; /* of times */
} effort;

/* Pictures are films of one frame, of Y alone. The first films are the drawn ones. */
typedef struct experiment {
    const effort *chosen;
    int no_seq; /* the search seq is not timed */
    film pictures[MOST_PICTURES], films[MOST_FILMS];
    size_t picture_count, film_count;
    findings found;
} experiment;

/* Exit codes, after a complaint. */
int experiment_open(experiment *e, const reproduce_options *o);
void experiment_close(experiment *e); /* fine when zeroed */

int find_convergence(experiment *e); /* Fig. 5 */
int find_crossing(experiment *e);    /* Table I */
int find_pruning(experiment *e);     /* Table II */
int find_platforms(experiment *e);   /* Table III */
int find_quality(experiment *e);     /* Table IV, and the rate */
int find_times(experiment *e);       /* Tables V to VII, and the transfer */
int find_overtaking(experiment *e);  /* when the search fft pays; the seed has no such table */

/* What the claims look for: cells of Fig. 5, rows of Table I and of the rate. */
enum { SHOWN_ITERATIONS = 5, SETTLED_CELL = SHOWN_ITERATIONS, LIMIT_CELL };
extern const char crossing_mean[], rate_of_all[];

/* The list for the document, NULL where memory ran out. */
json_t *fractal_claims(const experiment *e);

#endif
