/* SPDX-License-Identifier: MIT
 * Options are looked at before argp sees them: its own words about a wrong one would show what was
 * typed as it is, and cannot say what was probably meant. The rules are those of getopt_long.
 */
#include "shell/arguments.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "shell/complain.h"
#include "shell/parse.h"

enum { MOST_OPTIONS = 64 };

/* What argp adds to every parser, and after which it leaves the program. */
static const struct argp_option argps_own[] = {
    {.name = "help", .key = '?', .doc = "Give this help list"},
    {.name = "usage", .doc = "Give a short usage message"},
    {.name = "version", .key = 'V', .doc = "Print program version"},
    {0}};

typedef struct scan {
    struct argp_state state; /* as far as usage_error() looks at it */
    const struct argp_option *options[MOST_OPTIONS];
    int count, next; /* options; the argument to look at */
    uint64_t given;  /* a bit for each option */
} scan;

void usage_error(const struct argp_state *state, const char *format, ...) {
    char text[MOST_LINE];
    va_list values;

    va_start(values, format);
    print_line(text, format, values);
    va_end(values);
    argp_error(state, "%s", text);
}

/* What has a text but no name is a heading of --help. */
static void collect(scan *s, const struct argp_option *options) {
    for (; options != NULL && (options->name != NULL || options->doc != NULL); options++) {
        if (options->name != NULL && s->count < MOST_OPTIONS) {
            s->options[s->count++] = options;
        }
    }
}

/* The option of this name, or of the only one that begins so. */
static int find_long(const scan *s, const char *name, size_t length) {
    const char *names[MOST_OPTIONS + 1] = {NULL}, *meant;
    char word[64];
    int found = -1;

    for (int i = 0; i < s->count; i++) {
        names[i] = s->options[i]->name;
        if (strncmp(names[i], name, length) == 0) {
            if (names[i][length] == '\0') {
                return i;
            }
            if (found >= 0) {
                usage_error(&s->state, "--%.*s: may be --%s or --%s", (int)length, name,
                            names[found], names[i]);
            }
            found = i;
        }
    }
    if (found < 0) {
        snprintf(word, sizeof word, "%.*s", (int)length, name);
        meant = nearest_word(word, names);
        usage_error(&s->state, "unknown option --%s%s%s%s", word, meant ? "; did you mean --" : "",
                    meant ? meant : "", meant ? "?" : "");
    }
    return found;
}

static int find_short(const scan *s, char letter) {
    for (int i = 0; i < s->count; i++) {
        if (s->options[i]->key == letter) {
            return i;
        }
    }
    usage_error(&s->state, "unknown option -%c", letter);
    return -1;
}

/* `value` NULL: it is the next argument. */
static void take(scan *s, int found, const char *value) {
    const struct argp_option *option = s->options[found];

    if (option->arg == NULL) {
        if (value != NULL) {
            usage_error(&s->state, "--%s: takes no value", option->name);
        }
        return;
    }
    if (value == NULL && (value = s->state.argv[s->next++]) == NULL) {
        usage_error(&s->state, "--%s: %s is missing", option->name, option->arg);
    }
    if ((s->given & UINT64_C(1) << found) != 0 && (option->flags & OPTION_MAY_REPEAT) == 0) {
        usage_error(&s->state, "--%s %s: given twice", option->name, value);
    }
    s->given |= UINT64_C(1) << found;
}

/* The last option of one argument. */
static int take_one(scan *s, const char *argument) {
    const char *name = argument + 2, *value = strchr(argument, '=');
    int found;

    if (argument[1] == '-') {
        found = find_long(s, name, strcspn(name, "="));
        take(s, found, value != NULL ? value + 1 : NULL);
        return found;
    }
    do {
        found = find_short(s, *++argument);
        if (s->options[found]->arg != NULL) {
            take(s, found, argument[1] != '\0' ? argument + 1 : NULL);
            return found;
        }
    } while (argument[1] != '\0');
    return found;
}

/* Up to what ends the options, and to --help and its like. -h, which no command has, becomes
 * --help: most people try it first, and argp does not know it. */
static void check_options(scan *s, int stops_at_argument) {
    static char help_option[] = "--help";
    const int count = s->count;

    collect(s, argps_own);
    while (s->next < s->state.argc) {
        char **word = &s->state.argv[s->next++];
        const char *argument = *word = strcmp(*word, "-h") == 0 ? help_option : *word;
        const int is_option = argument[0] == '-' && argument[1] != '\0';

        if (strcmp(argument, "--") == 0 || (stops_at_argument && !is_option) ||
            (is_option && take_one(s, argument) >= count)) {
            return;
        }
    }
}

static options_listener *listener; /* NULL: options are parsed */
static void *listener_context;

int options_list(int (*run)(int argc, char **argv), options_listener *to, void *context) {
    static char name[] = "weft";
    char *argv[] = {name, NULL};
    int code;

    listener = to;
    listener_context = context;
    code = run(1, argv);
    listener = NULL;
    return code == EXIT_USAGE ? EXIT_DONE : code;
}

/* An exit code that ends a command. */
static int list_options(scan *s) {
    collect(s, argps_own);
    for (int i = 0; i < s->count; i++) {
        listener(s->options[i], listener_context);
    }
    return EXIT_USAGE;
}

int options_parse(const struct argp *argp, int argc, char **argv, unsigned flags, void *arguments) {
    scan s = {.state = {.root_argp = argp,
                        .argc = argc,
                        .argv = argv,
                        .name = argv[0],
                        .err_stream = stderr,
                        .out_stream = stdout},
              .next = 1};
    error_t error;

    collect(&s, argp->options);
    collect(&s, argp->children != NULL ? argp->children->argp->options : NULL);
    if (listener != NULL) {
        return list_options(&s);
    }
    check_options(&s, (flags & ARGP_IN_ORDER) != 0);
    /* In their order, as argp would stop at the first name if POSIXLY_CORRECT were set. */
    error = argp_parse(argp, argc, argv, ARGP_IN_ORDER, NULL, arguments);
    return error == 0 ? EXIT_DONE
                      : complain(EXIT_MEMORY, "the arguments cannot be read: %s", strerror(error));
}
