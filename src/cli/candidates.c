/* SPDX-License-Identifier: MIT
 * Names from the command line against the tables; see candidates.h.
 */
#include "candidates.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"

static int is_cpu(const char *name) {
    return strncmp(name, "cpu.", 4) == 0;
}

static int is_cuda(const char *name) {
    return strncmp(name, "cuda.", 5) == 0;
}

/* Whether `name` is one of the comma-separated `names`. */
static int listed(const char *names, const char *name) {
    const size_t length = strlen(name);
    for (const char *at = names; at != NULL; at = strchr(at, ',')) {
        at += *at == ',';
        if (strncmp(at, name, length) == 0 && (at[length] == ',' || at[length] == '\0')) {
            return 1;
        }
    }
    return 0;
}

int candidate_count(void) {
    return strategy_count + peer_count;
}

const strategy_row *candidate(int i, const peer **its_peer) {
    *its_peer = i < strategy_count ? NULL : &peer_table[i - strategy_count];
    return i < strategy_count ? &strategy_table[i] : &(*its_peer)->row;
}

const char *candidate_name(int i) {
    const peer *its_peer;
    return candidate(i, &its_peer)->for_precision[WEFT_F32]->name;
}

static int known(const char *name) {
    for (int i = 0; i < candidate_count(); i++) {
        if (candidate_is_named(i, name)) {
            return 1;
        }
    }
    return 0;
}

static int refuse_name(const char *name) {
    char all[1024] = "auto, cpu, cuda";
    size_t used = strlen(all);
    int has_cuda = 0;
    for (int i = 0; i < candidate_count(); i++) {
        const char *each = candidate_name(i);
        has_cuda |= is_cuda(each);
        if (used < sizeof all && strstr(all, each) == NULL) {
            used += (size_t)snprintf(all + used, sizeof all - used, ", %s", each);
        }
    }
    if (!has_cuda && (is_cuda(name) || strcmp(name, "cuda") == 0)) {
        return complain(EXIT_GPU, "strategy %s: this weft was built without CUDA", name);
    }
    return complain(EXIT_USAGE, "strategy '%s': unknown; there are %s", name, all);
}

int candidates_check_names(const char *names) {
    char *copy, *next;
    int code = EXIT_DONE;
    if (names == NULL) {
        return EXIT_DONE;
    }
    copy = strdup(names);
    if (copy == NULL) {
        return complain(EXIT_MEMORY, "out of memory");
    }
    for (next = copy; code == EXIT_DONE && next != NULL;) {
        const char *name = next;
        next = strchr(name, ',');
        if (next != NULL) {
            *next++ = '\0';
        }
        code = known(name) ? EXIT_DONE : refuse_name(name);
    }
    free(copy);
    return code;
}

/* A strategy of the library, not a peer. */
static int is_ours(const char *name) {
    for (int i = 0; weft_strategy_name(i); i++) {
        if (strcmp(weft_strategy_name(i), name) == 0) {
            return 1;
        }
    }
    return 0;
}

int candidate_is_demanded(const char *name, const char *names) {
    return names != NULL &&
           (listed(names, name) || (is_ours(name) && ((listed(names, "cpu") && is_cpu(name)) ||
                                                      (listed(names, "cuda") && is_cuda(name)))));
}

int candidate_is_named(int i, const char *names) {
    return names == NULL || candidate_is_demanded(candidate_name(i), names) ||
           (i < strategy_count && listed(names, "auto"));
}

leniency peer_leniency(const peer *its_peer, operation what) {
    return (leniency){.input_may_change =
                          its_peer != NULL && its_peer->inverse_spoils && what == OPERATION_INVERSE,
                      .worst_case_gates = its_peer != NULL};
}
