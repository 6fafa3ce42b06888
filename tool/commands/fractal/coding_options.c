/* SPDX-License-Identifier: MIT
 * Parsing the options of weft_fractal_desc; see coding_options.h.
 */
#include "commands/fractal/coding_options.h"

#include <stdint.h>
#include <string.h>

#include "commands/fractal/planes.h"
#include "shell/options.h"

enum {
    KEY_PROFILE = 0x300,
    KEY_THRESHOLD,
    KEY_CHANGE,
    KEY_REFRESH,
    KEY_NO_FLAT,
    KEY_MEAN,
    KEY_ITERATIONS,
    KEY_RAW_CODES,
    KEY_NO_REPEAT,
    KEY_ELIMINATE,
    KEY_DEVICE,
    KEY_ARITH,
    KEY_CODEBOOK,
    KEY_STORE_SCALED,
    KEY_NO_REORDER,
    KEY_BLOCK,
    KEY_UNROLL
};
enum { MOST_PERCENT = 99, MOST_CHANGE = 4080, MOST_ITERATIONS = 32, MOST_DEVICES = 1024 };
enum { MOST_TURN = 1024, MOST_SEARCHES = 16 };

static const struct argp_option options[] = {
    {"profile", KEY_PROFILE, "seed|dense", 0,
     "What is searched: domains side by side for the least absolute differences (default), or "
     "domains at every even position for the least squares",
     0},
    {"threshold", KEY_THRESHOLD, "PERCENT", 0,
     "Leave out domains that correlate more than this with the one to the left or above; 1 to 99; "
     "default: none",
     0},
    {"change", KEY_CHANGE, "T|auto|every", 0,
     "A range changed if its absolute differences add up to more than T, 1 to 4080; auto: by the "
     "median difference of two frames; every: all are coded; default 32",
     0},
    {"refresh", KEY_REFRESH, "N|auto", 0,
     "Every N-th frame is a reference; auto: those of which more than 60 % changed; default: the "
     "first alone",
     0},
    {"no-flat", KEY_NO_FLAT, NULL, 0, "Take a domain even where the mean alone is as good", 0},
    {"mean", KEY_MEAN, "round|trunc", 0, "Means are rounded, to nearest (default) or down", 0},
    {"iterations", KEY_ITERATIONS, "N", 0,
     "Of the decoder, 1 to 32; default 5, of the dense profile 10", 0},
    {"raw-codes", KEY_RAW_CODES, NULL, 0, "Codes of fixed length, 25 bits in the seed profile", 0},
    {"no-repeat", KEY_NO_REPEAT, NULL, 0,
     "Search changed ranges anew although they are as they were in the frame before", 0},
    {"eliminate", KEY_ELIMINATE, NULL, 0,
     "Rule domains out by bounds, where the search can; the codes are the same", 0},
    {"device", KEY_DEVICE, "N", 0, "For cuda: which GPU; default 0", 0},
    {"arith", KEY_ARITH, "fixed|float", 0, "Numbers of the search", 0},
    {"codebook", KEY_CODEBOOK, "host|device", 0, "Where the domains are made", 0},
    {"store-scaled", KEY_STORE_SCALED, NULL, 0, "Store and transfer all scaled copies of domains",
     0},
    {"no-reorder", KEY_NO_REORDER, NULL, 0, "Leave the pixels of a block where they lie", 0},
    {"block", KEY_BLOCK, "N", 0, "Threads of a block", 0},
    {"unroll", KEY_UNROLL, "N", 0, "Domains of a loop's turn", 0},
    {0}};

static int change_option(struct argp_state *state, const char *text) {
    return strcmp(text, "auto") == 0    ? WEFT_FRACTAL_AUTO
           : strcmp(text, "every") == 0 ? WEFT_FRACTAL_EVERY
                                        : (int)count_option(state, "change", text, 1, MOST_CHANGE);
}

static int refresh_option(struct argp_state *state, const char *text) {
    return strcmp(text, "auto") == 0 ? WEFT_FRACTAL_AUTO
                                     : (int)count_option(state, "refresh", text, 1, INT32_MAX);
}

/* What changes no code. */
static error_t parse_search(int key, char *text, struct argp_state *state) {
    static const char *const ariths[] = {"fixed", "float", NULL};
    static const char *const places[] = {"host", "device", NULL};
    weft_fractal_desc *d = state->input;

    switch (key) {
    case KEY_ELIMINATE:
        d->elimination = 1;
        return 0;
    case KEY_DEVICE:
        d->device = (int)count_option(state, "device", text, 0, MOST_DEVICES);
        return 0;
    case KEY_ARITH:
        d->arith = (weft_fractal_arith)word_option(state, "arith", text, ariths);
        return 0;
    case KEY_CODEBOOK:
        d->codebook = (weft_fractal_place)word_option(state, "codebook", text, places);
        return 0;
    case KEY_STORE_SCALED:
        d->store_scaled = 1;
        return 0;
    case KEY_NO_REORDER:
        d->no_reorder = 1;
        return 0;
    case KEY_BLOCK:
        d->block = (int)count_option(state, "block", text, 1, MOST_TURN);
        return 0;
    case KEY_UNROLL:
        d->unroll = (int)count_option(state, "unroll", text, 1, MOST_TURN);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static error_t parse(int key, char *text, struct argp_state *state) {
    static const char *const means[] = {"round", "trunc", NULL};
    weft_fractal_desc *d = state->input;

    switch (key) {
    case KEY_PROFILE:
        d->profile = (weft_fractal_profile)word_option(state, "profile", text, profile_words);
        return 0;
    case KEY_THRESHOLD:
        d->pruning = (int)count_option(state, "threshold", text, 1, MOST_PERCENT);
        return 0;
    case KEY_CHANGE:
        d->change = change_option(state, text);
        return 0;
    case KEY_REFRESH:
        d->refresh = refresh_option(state, text);
        return 0;
    case KEY_NO_FLAT:
        d->no_flat = 1;
        return 0;
    case KEY_MEAN:
        d->trunc_mean = word_option(state, "mean", text, means);
        return 0;
    case KEY_ITERATIONS:
        d->iterations = (int)count_option(state, "iterations", text, 1, MOST_ITERATIONS);
        return 0;
    case KEY_RAW_CODES:
        d->raw_codes = 1;
        return 0;
    case KEY_NO_REPEAT:
        d->no_repeat = 1;
        return 0;
    default:
        return parse_search(key, text, state);
    }
}

static const struct argp coding_argp = {.options = options, .parser = parse};

const struct argp_child coding_options_child[] = {{&coding_argp, 0, "Coding options:", 1}, {0}};

const char *search_option(struct argp_state *state, const char *text) {
    const char *words[MOST_SEARCHES + 2] = {"auto"};

    for (int i = 0; i < MOST_SEARCHES && weft_fractal_search_name(i) != NULL; i++) {
        words[i + 1] = weft_fractal_search_name(i);
    }
    return words[word_option(state, "search", text, words)];
}

static const char *search_at(int i, const char **about) {
    *about = weft_fractal_search_about(i);
    return weft_fractal_search_name(i);
}

char *help_with_searches(int key, const char *text, void *context) {
    (void)context;
    return key == ARGP_KEY_HELP_POST_DOC
               ? help_with_list("Searches, fastest first:", search_at, text)
               : (char *)text;
}
