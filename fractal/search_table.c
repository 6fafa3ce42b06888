/* SPDX-License-Identifier: MIT
 * search.def, expanded into the table; a search chosen by its name; what searches refuse in the
 * same words.
 */
#include <string.h>

#include "isa.h"
#include "search.h"

#define SEARCH(name) extern const search search_##name;
#if WEFT_WITH_CUDA
#define CUDA_SEARCH(name) SEARCH(name)
#else
#define CUDA_SEARCH(name)
#endif
#include "search.def"
#undef SEARCH

#define SEARCH(name) &search_##name,
static const search *const table[] = {
#include "search.def"
};
#undef SEARCH

enum { COUNT = sizeof table / sizeof *table };

const char *weft_fractal_search_name(int i) {
    return i >= 0 && i < COUNT ? table[i]->name : NULL;
}

const char *weft_fractal_search_about(int i) {
    return i >= 0 && i < COUNT ? table[i]->about : NULL;
}

/* Instructions that were asked for and cannot be had are no reason to be slow without a word. */
static weft_status choose_first(const search_problem *p, const search **chosen) {
    isa set;
    weft_status status = isa_choose(&set);
    if (status != WEFT_OK) {
        return status;
    }
    for (int i = 0; i < COUNT; i++) {
        *chosen = table[i];
        status = table[i]->supports(p);
        if (status != WEFT_UNSUPPORTED && status != WEFT_NO_DEVICE) {
            return status;
        }
    }
    return status;
}

weft_status search_choose(const char *name, const search_problem *p, const search **chosen) {
    if (name == NULL || strcmp(name, "auto") == 0) {
        return choose_first(p, chosen);
    }
    for (int i = 0; i < COUNT; i++) {
        if (strcmp(name, table[i]->name) == 0) {
            *chosen = table[i];
            return table[i]->supports(p);
        }
    }
    return weft_fail(WEFT_BAD_ARGUMENT, "search %s: there is none of this name", name);
}

weft_status refuse_profile(const char *name, const search_problem *p, weft_fractal_profile only) {
    return p->desc->profile == only
               ? WEFT_OK
               : weft_fail(WEFT_UNSUPPORTED, "search %s: takes the %s profile only", name,
                           only == WEFT_FRACTAL_DENSE ? "dense" : "seed");
}

weft_status refuse_history(const char *name, const search_problem *p, enum history_taken takes) {
    const weft_fractal_desc *d = p->desc;
    const int has_arith = d->arith != WEFT_FRACTAL_FIXED && takes != TAKES_FLOATS;
    const char *what = has_arith                          ? "arith"
                       : d->store_scaled                  ? "store_scaled"
                       : d->no_reorder                    ? "no_reorder"
                       : d->block != 0                    ? "block"
                       : d->unroll != 0                   ? "unroll"
                       : d->codebook != WEFT_FRACTAL_HOST ? "codebook"
                                                          : NULL;
    return what == NULL ? WEFT_OK
                        : weft_fail(WEFT_UNSUPPORTED, "search %s: has no choice of %s", name, what);
}

weft_status refuse_elimination(const char *name, const search_problem *p) {
    return p->desc->elimination
               ? weft_fail(WEFT_UNSUPPORTED, "search %s: computes all terms: no elimination", name)
               : WEFT_OK;
}
