/* SPDX-License-Identifier: MIT
 * A parser of the options before the command's name, which is one of a table; see command_group.h.
 */
#include "shell/command_group.h"

#include <stdio.h>
#include <string.h>

#include "shell/arguments.h"
#include "shell/complain.h"
#include "shell/options.h"
#include "shell/parse.h"

enum { NAME_SIZE = 64, MOST_COMMANDS = 32 };

/* What follows the options: a command with its arguments. */
typedef struct arguments {
    const command_group *group;
    int argc;
    char **argv;
} arguments;

static error_t parse(int key, char *text, struct argp_state *state) {
    arguments *a = state->input;

    (void)text;
    switch (key) {
    case ARGP_KEY_ARG:
        a->argc = state->argc - state->next + 1;
        a->argv = state->argv + state->next - 1;
        state->next = state->argc;
        break;
    case ARGP_KEY_NO_ARGS:
        usage_error(state, "no command");
        break;
    default:
        return ARGP_ERR_UNKNOWN;
    }
    return 0;
}

static const command *listed; /* while help is shown */

static const char *command_at(int i, const char **about) {
    *about = listed[i].about;
    return listed[i].name;
}

static char *help(int key, const char *text, void *context) {
    if (key != ARGP_KEY_HELP_POST_DOC) {
        return (char *)text;
    }
    listed = ((const arguments *)context)->group->commands;
    return help_with_list("Commands:", command_at, text);
}

static int run_named(const arguments *a) {
    static char name[NAME_SIZE]; /* argp keeps it */
    const char *names[MOST_COMMANDS + 1] = {"help"}, *meant;
    const command_group *g = a->group;

    for (int i = 0; g->commands[i].name != NULL; i++) {
        if (strcmp(a->argv[0], g->commands[i].name) == 0) {
            snprintf(name, sizeof name, "%s %s", g->name, a->argv[0]);
            a->argv[0] = name;
            return g->commands[i].run(a->argc, a->argv);
        }
        names[i + 1] = g->commands[i].name;
    }
    meant = nearest_word(a->argv[0], names);
    return complain(EXIT_USAGE, "unknown command '%s'; %s%s%s%s --help lists them", a->argv[0],
                    meant ? "did you mean " : "", meant ? meant : "", meant ? "? " : "", g->name);
}

/* As COMMAND --help, or as --help where none is named; of a command that has commands itself, as
 * COMMAND help and what follows. */
static int run_help(const struct argp *argp, const arguments *a) {
    static char help_option[] = "--help", own_name[NAME_SIZE];
    const char *topic = a->argc > 1 ? a->argv[1] : "help";
    char *words[] = {own_name, help_option, NULL};
    arguments asked = {a->group, 2, words};

    if (a->argc > 2 && a->group->nested != NULL && strcmp(topic, a->group->nested) == 0) {
        a->argv[1] = a->argv[0];
        a->argv[0] = (char *)topic;
        return run_named(a);
    }
    if (a->argc > 2) {
        return complain(EXIT_USAGE, "help %s %s: one command is enough", topic, a->argv[2]);
    }
    if (strcmp(topic, "help") != 0 && strcmp(topic, help_option) != 0 && strcmp(topic, "-h") != 0) {
        words[0] = a->argv[1];
        return run_named(&asked);
    }
    snprintf(own_name, sizeof own_name, "%s", a->group->name);
    return options_parse(argp, asked.argc, asked.argv, ARGP_IN_ORDER, &asked);
}

int command_group_run(const command_group *group, int argc, char **argv) {
    const struct argp argp = {.parser = parse,
                              .args_doc = "COMMAND [ARGUMENT...]",
                              .doc = group->doc,
                              .help_filter = help};
    arguments a = {.group = group};
    const int code = options_parse(&argp, argc, argv, ARGP_IN_ORDER, &a);

    if (code != EXIT_DONE) {
        return code;
    }
    return strcmp(a.argv[0], "help") == 0 ? run_help(&argp, &a) : run_named(&a);
}
