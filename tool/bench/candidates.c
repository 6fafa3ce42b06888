/* SPDX-License-Identifier: MIT
 * Names from the command line against the tables; see candidates.h.
 */
#include "bench/candidates.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "shell/complain.h"
#include "shell/try_strategy.h"

/* ---- the tables ------------------------------------------------------------------------------ */

/* The candidate at this place of both tables together, strategies first; it has no name yet. */
static candidate candidate_at(int place) {
    const peer *its_peer = place < strategy_count ? NULL : &peer_table[place - strategy_count];
    return (candidate){.row = its_peer == NULL ? &strategy_table[place] : &its_peer->row,
                       .peer = its_peer};
}

static int place_of(const candidate *c) {
    return c->peer == NULL ? (int)(c->row - strategy_table)
                           : strategy_count + (int)(c->peer - peer_table);
}

/* What a name says does not depend on the precision. */
static const strategy *strategy_of(const candidate *c) {
    return c->row->for_precision[WEFT_F32];
}

/* ---- one name -------------------------------------------------------------------------------- */

static int is_meant(const candidate *c, const char *name) {
    const strategy *s = strategy_of(c);
    return name == NULL || name_is(name, s->name) ||
           (c->peer == NULL && (strcmp(name, "auto") == 0 || strcmp(name, s->space->name) == 0));
}

static candidate *find(const candidate_list *l, const candidate *like) {
    for (size_t i = 0; i < l->count; i++) {
        if (l->list[i].row == like->row && strcmp(l->list[i].name, like->name) == 0) {
            return &l->list[i];
        }
    }
    return NULL;
}

/* Into the tables' order, behind the same strategy with other options. */
static int insert(candidate_list *l, const candidate *c) {
    candidate *longer = reallocarray(l->list, l->count + 1, sizeof *longer);
    size_t at = l->count;
    if (longer == NULL) {
        return complain(EXIT_MEMORY, "out of memory");
    }
    for (; at > 0 && place_of(&longer[at - 1]) > place_of(c); at--) {
        longer[at] = longer[at - 1];
    }
    longer[at] = *c;
    *l = (candidate_list){longer, l->count + 1};
    return EXIT_DONE;
}

static int take(candidate_list *l, candidate c, const char *name) {
    int choice[MOST_OPTIONS];
    const weft_status status = name_choices(name, strategy_of(&c), choice);
    candidate *same;
    if (status != WEFT_OK) {
        return complain_status(status);
    }
    name_write(c.name, strategy_of(&c), choice);
    c.demanded = name != NULL && strcmp(name, "auto") != 0;
    same = find(l, &c);
    if (same == NULL) {
        return insert(l, &c);
    }
    same->demanded |= c.demanded;
    return EXIT_DONE;
}

static const char *peer_name(int i) {
    return peer_table[i].row.for_precision[WEFT_F32]->name;
}

/* In the library's own words, and with the peers, of which it knows nothing. */
static int refuse_name(const char *name) {
    char words[LAST_ERROR_SIZE];
    weft_status status = try_strategy(name, 0);
    if (status == WEFT_BAD_ARGUMENT) {
        size_t used = (size_t)snprintf(words, sizeof words, "%s", weft_last_error());
        for (int i = 0; i < peer_count && used < sizeof words; i++) {
            if (i == 0 || strcmp(peer_name(i), peer_name(i - 1)) != 0) { /* copies have one name */
                used += (size_t)snprintf(words + used, sizeof words - used, ", %s", peer_name(i));
            }
        }
        weft_fail(status, "%s", words);
    }
    return complain_status(status);
}

static int take_name(candidate_list *l, const char *name) {
    int found = 0, code = EXIT_DONE;
    for (int place = 0; place < strategy_count + peer_count && code == EXIT_DONE; place++) {
        const candidate c = candidate_at(place);
        if (is_meant(&c, name)) {
            found = 1;
            code = take(l, c, name);
        }
    }
    return found ? code : refuse_name(name);
}

/* ---- the list -------------------------------------------------------------------------------- */

static int begins_with_option(const char *text) {
    return text[strcspn(text, "=:,")] == '=';
}

/* The characters of the first name: up to a comma, unless the comma stands between its options. */
static size_t first_length(const char *names) {
    size_t length = strcspn(names, ",");
    const int has_options = name_length(names) < length;
    while (has_options && names[length] == ',' && begins_with_option(names + length + 1)) {
        length += 1 + strcspn(names + length + 1, ",");
    }
    return length;
}

int candidates_add(candidate_list *l, const char *names) {
    int code = EXIT_DONE;
    if (names == NULL) {
        return take_name(l, NULL);
    }
    for (const char *at = names; at != NULL && code == EXIT_DONE;) {
        const size_t length = first_length(at);
        char *name = strndup(at, length);
        code = name != NULL ? take_name(l, name) : complain(EXIT_MEMORY, "out of memory");
        free(name);
        at = at[length] == ',' ? at + length + 1 : NULL;
    }
    return code;
}

int candidates_add_chosen(candidate_list *l, const weft_desc *task, const char *kind,
                          int may_lack) {
    weft_desc desc = *task;
    weft_status status;
    weft_plan *plan;
    int code = EXIT_DONE;

    desc.strategy = kind;
    status = weft_plan_create(&plan, &desc);
    if (status == WEFT_OK) {
        code = candidates_add(l, weft_plan_strategy(plan));
    } else if (status != WEFT_NO_DEVICE && (status != WEFT_UNSUPPORTED || !may_lack)) {
        code = complain_status(status);
    }
    weft_plan_destroy(plan);
    return code;
}

int candidates_add_peers(candidate_list *l) {
    int code = EXIT_DONE;

    for (int i = 0; i < peer_count && code == EXIT_DONE; i++) {
        code = candidates_add(l, peer_name(i));
    }
    for (size_t i = 0; i < l->count; i++) {
        l->list[i].demanded = 0;
    }
    return code;
}

void candidates_option(candidate_list *l, const char *names) {
    const int code = candidates_add(l, names);
    if (code != EXIT_DONE) {
        exit(code);
    }
}

void candidates_free(candidate_list *l) {
    free(l->list);
    *l = (candidate_list){0};
}

int candidates_name_width(const candidate_list *l) {
    size_t width = 16;
    for (size_t i = 0; i < l->count; i++) {
        const size_t length = strlen(l->list[i].name);
        width = length > width ? length : width;
    }
    return (int)width;
}

leniency peer_leniency(const peer *its_peer, operation what) {
    return (leniency){.input_may_change =
                          its_peer != NULL && its_peer->inverse_spoils && what == OPERATION_INVERSE,
                      .worst_case_gates = its_peer != NULL};
}
