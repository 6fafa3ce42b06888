/* SPDX-License-Identifier: MIT
 * The tool weft: finds the command and runs it.
 */
#include <png.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "shell/arguments.h"
#include "shell/command.h"
#include "shell/complain.h"
#include "shell/interrupt.h"
#include "shell/options.h"
#include "shell/output.h"
#include "shell/parse.h"

static const command commands[] = {
    {"fft", "a picture to its spectrum, as a NumPy array", command_fft},
    {"ifft", "a spectrum back to the picture", command_ifft},
    {"spectrum", "a picture of the spectrum, to look at", command_spectrum},
    {"scene", "a test picture with natural statistics", command_scene},
    {"bench", "check every strategy, then time it", command_bench},
    {"verify", "check every strategy", command_verify},
    {"reproduce", "published experiments, run again", command_reproduce},
    {"info", "versions, machine, strategies", command_info},
};
static char tool_name[] = "weft";
enum { COMMAND_COUNT = sizeof commands / sizeof *commands, NAME_SIZE = 32 };

/* What follows the tool's own options: a command with its arguments. */
typedef struct arguments {
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

static const char *command_at(int i, const char **about) {
    *about = i < COMMAND_COUNT ? commands[i].about : NULL;
    return i < COMMAND_COUNT ? commands[i].name : NULL;
}

static char *help(int key, const char *text, void *context) {
    (void)context;
    return key == ARGP_KEY_HELP_POST_DOC ? help_with_list("Commands:", command_at, text)
                                         : (char *)text;
}

static const struct argp argp = {
    .parser = parse,
    .args_doc = "COMMAND [ARGUMENT...]",
    .doc =
        "Fourier transforms of pictures, on CPU and GPU."
        "\vweft COMMAND --help, or weft help COMMAND, says more about a command.\n\n"
        "Exit codes: 0 done, 1 a check failed, 2 usage, 3 bad input, 4 a file could not be read or "
        "written, 5 out of memory, 6 no usable GPU or the GPU failed; 129, 130 and 143 hung "
        "up, interrupted and terminated.",
    .help_filter = help};

static void print_version(FILE *to, struct argp_state *state) {
    (void)state;
    fprintf(to, "weft %s, libpng %s\n", weft_version(), png_get_libpng_ver(NULL));
}

static int run(const command *chosen, arguments *a) {
    static char name[NAME_SIZE]; /* argp keeps it */

    snprintf(name, sizeof name, "weft %s", chosen->name);
    a->argv[0] = name;
    return interrupt_over(chosen->run(a->argc, a->argv));
}

static int run_named(arguments *a) {
    const char *names[COMMAND_COUNT + 2] = {"help"}, *meant;

    for (int i = 0; i < COMMAND_COUNT; i++) {
        if (strcmp(a->argv[0], commands[i].name) == 0) {
            return run(&commands[i], a);
        }
        names[i + 1] = commands[i].name;
    }
    meant = nearest_word(a->argv[0], names);
    return complain(EXIT_USAGE, "unknown command '%s'; %s%s%sweft --help lists them", a->argv[0],
                    meant ? "did you mean " : "", meant ? meant : "", meant ? "? " : "");
}

/* As COMMAND --help, or as --help where none is named. */
static int run_help(const arguments *a) {
    static char help_option[] = "--help";
    const char *topic = a->argc > 1 ? a->argv[1] : "help";
    char *words[] = {tool_name, help_option, NULL};
    arguments asked = {2, words};

    if (a->argc > 2) {
        return complain(EXIT_USAGE, "help %s %s: one command is enough", topic, a->argv[2]);
    }
    if (strcmp(topic, "help") != 0 && strcmp(topic, help_option) != 0) {
        words[0] = a->argv[1];
        return run_named(&asked);
    }
    return options_parse(&argp, asked.argc, asked.argv, ARGP_IN_ORDER, &asked);
}

int main(int argc, char **argv) {
    arguments a = {0};
    int code;

    argp_program_version_hook = print_version;
    argp_err_exit_status = EXIT_USAGE;
    output_watch_standard_streams();
    interrupt_catch();
    if (argc > 0) {
        argv[0] = tool_name; /* argp shows it */
    }
    code = options_parse(&argp, argc, argv, ARGP_IN_ORDER, &a);
    if (code != EXIT_DONE) {
        return code;
    }
    return strcmp(a.argv[0], "help") == 0 ? run_help(&a) : run_named(&a);
}
