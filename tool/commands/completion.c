/* SPDX-License-Identifier: MIT
 * weft completion: what a shell offers behind "weft", as a script for it. It is made of the tables
 * that the commands parse their options with, so that it has all of them. A value of the form
 * "fast|small" is a choice, one with FILE in it is a file, and nothing is offered for others.
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "shell/arguments.h"
#include "shell/command.h"
#include "shell/command_group.h"
#include "shell/complain.h"
#include "shell/parse.h"

enum { MOST_ENTRIES = 1024, PATH_SIZE = 64, TEXT_SIZE = 512 };

/* An option of a command, or a command of a group, whose path is "" or "fractal". */
typedef struct entry {
    char path[PATH_SIZE];
    const struct argp_option *option; /* NULL: it is */
    const command *command;           /* this one */
} entry;

typedef struct entries {
    entry list[MOST_ENTRIES];
    size_t count;
    const char *path; /* of those that are added */
} entries;

/* ---- what there is ----------------------------------------------------------------------------
 */

static void add(entries *e, const struct argp_option *option, const command *of_group) {
    if (e->count < MOST_ENTRIES) {
        entry *to = &e->list[e->count++];

        *to = (entry){.option = option, .command = of_group};
        snprintf(to->path, sizeof to->path, "%s", e->path);
    }
}

static void add_option(const struct argp_option *option, void *context) {
    add(context, option, NULL);
}

/* The commands of a group, then the options of each; --help and its like of the group itself. An
 * exit code. */
static int add_group(entries *e, const command_group *group, const char *path) {
    int code = EXIT_DONE;

    for (const command *c = group->commands; c->name != NULL; c++) {
        e->path = path;
        add(e, NULL, c);
    }
    for (const command *c = group->commands; code == EXIT_DONE && c->name != NULL; c++) {
        char inner[PATH_SIZE];

        snprintf(inner, sizeof inner, "%s%s%s", path, *path != '\0' ? " " : "", c->name);
        e->path = inner;
        code = options_list(c->run, add_option, e);
        if (code == EXIT_DONE && group->nested != NULL && strcmp(c->name, group->nested) == 0) {
            code = add_group(e, group->inner, inner);
        }
    }
    return code;
}

static int is_file(const struct argp_option *option) {
    return option->arg != NULL && strstr(option->arg, "FILE") != NULL;
}

static int is_choice(const struct argp_option *option) {
    return option->arg != NULL && strchr(option->arg, '|') != NULL && !is_file(option);
}

/* Of "X|mid" and "butterworth[:N]|ideal" the words that can be typed as they are. */
static const char *choices(const struct argp_option *option, char text[TEXT_SIZE]) {
    size_t used = 0;

    for (const char *from = option->arg; *from != '\0';) {
        const size_t length = strcspn(from, "|"), word = strcspn(from, "|[");

        if (!isupper((unsigned char)*from) && used + word + 2 < TEXT_SIZE) {
            used += (size_t)snprintf(text + used, TEXT_SIZE - used, "%s%.*s", used > 0 ? " " : "",
                                     (int)word, from);
        }
        from += length + (from[length] == '|');
    }
    text[used] = '\0';
    return text;
}

static int has_letter(const struct argp_option *option) {
    return isalpha((unsigned char)option->key) && option->key < 0x80;
}

/* Prints a text within single quotes, in which these characters stand behind a backslash. */
static void print_quoted(FILE *to, const char *text, const char *escaped, const char *quote) {
    for (; text != NULL && *text != '\0'; text++) {
        if (*text == '\'') {
            fputs(quote, to);
            continue;
        }
        if (strchr(escaped, *text) != NULL) {
            fputc('\\', to);
        }
        fputc(*text, to);
    }
}

/* ---- bash -------------------------------------------------------------------------------------
 */

static void bash_path(FILE *to, const entry *e) {
    fprintf(to, "        '%s:%s') command='%s%s%s' ;;\n", e->path, e->command->name, e->path,
            *e->path != '\0' ? " " : "", e->command->name);
}

static void bash_value(FILE *to, const entry *e) {
    char words[TEXT_SIZE];

    fprintf(to, "    '%s --%s'", e->path, e->option->name);
    if (has_letter(e->option)) {
        fprintf(to, " | '%s -%c'", e->path, e->option->key);
    }
    if (is_choice(e->option)) {
        fprintf(to, ") words='%s' ;;\n", choices(e->option, words));
    } else {
        fprintf(to, ") %sreturn ;;\n", is_file(e->option) ? "compopt -o default; " : "");
    }
}

/* What begins a word behind a command: its options, or the commands of a group. */
static void bash_words(FILE *to, const entries *e, size_t first, int are_commands) {
    const char *path = e->list[first].path;

    fprintf(to, "        '%s:%s'*) words='%s", path, are_commands ? "" : "-",
            are_commands ? "help" : "");
    for (size_t i = first, any = (size_t)are_commands; i < e->count; i++) {
        const entry *at = &e->list[i];

        if (strcmp(at->path, path) == 0 && (at->command != NULL) == are_commands) {
            fprintf(to, "%s%s%s", any++ > 0 ? " " : "", are_commands ? "" : "--",
                    are_commands ? at->command->name : at->option->name);
        }
    }
    fprintf(to, "' ;;\n");
}

static int is_first(const entries *e, size_t i) {
    const entry *at = &e->list[i], *before = at - 1;

    return i == 0 || strcmp(before->path, at->path) != 0 ||
           (before->command != NULL) != (at->command != NULL);
}

static void write_bash(FILE *to, const entries *e) {
    fputs("# What bash offers behind weft; written by: weft completion bash\n"
          "_weft() {\n"
          "    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]}\n"
          "    local command= option= words= i\n"
          "    for ((i = 1; i < COMP_CWORD; i++)); do\n"
          "        case \"$command:${COMP_WORDS[i]}\" in\n",
          to);
    for (size_t i = 0; i < e->count; i++) {
        if (e->list[i].command != NULL) {
            bash_path(to, &e->list[i]);
        }
    }
    fputs("        esac\n"
          "    done\n"
          "    if [[ $word == = ]]; then\n"
          "        word= option=$before\n"
          "    elif [[ $before == = ]]; then\n"
          "        option=${COMP_WORDS[COMP_CWORD - 2]}\n"
          "    else\n"
          "        option=$before\n"
          "    fi\n"
          "    COMPREPLY=()\n"
          "    case \"$command $option\" in\n",
          to);
    for (size_t i = 0; i < e->count; i++) {
        if (e->list[i].option != NULL && e->list[i].option->arg != NULL) {
            bash_value(to, &e->list[i]);
        }
    }
    fputs("    *)\n"
          "        case \"$command:$word\" in\n"
          "        ':-'*) words='--help --usage --version' ;;\n",
          to);
    for (int are_commands = 0; are_commands < 2; are_commands++) {
        for (size_t i = 0; i < e->count; i++) {
            if (is_first(e, i) && (e->list[i].command != NULL) == are_commands) {
                bash_words(to, e, i, are_commands);
            }
        }
    }
    fputs("        *) compopt -o default; return ;;\n"
          "        esac\n"
          "        ;;\n"
          "    esac\n"
          "    COMPREPLY=($(compgen -W \"$words\" -- \"$word\"))\n"
          "}\n"
          "complete -F _weft weft\n",
          to);
}

/* ---- zsh --------------------------------------------------------------------------------------
 */

static const char zsh_quote[] = "'\\''";

static void zsh_option(FILE *to, const entry *e) {
    const struct argp_option *o = e->option;
    char words[TEXT_SIZE];

    fputs(" \\\n        ", to);
    if (has_letter(o)) {
        fprintf(to, "'(-%c --%s)'{-%c%s,--%s%s}'[", o->key, o->name, o->key,
                o->arg != NULL ? "+" : "", o->name, o->arg != NULL ? "=" : "");
    } else {
        fprintf(to, "'%s--%s%s[", (o->flags & OPTION_MAY_REPEAT) != 0 ? "*" : "", o->name,
                o->arg != NULL ? "=" : "");
    }
    print_quoted(to, o->doc, "[]\\", zsh_quote);
    fputc(']', to);
    if (o->arg != NULL) {
        fputc(':', to);
        print_quoted(to, o->arg, ":\\", zsh_quote);
        fputc(':', to);
        if (is_choice(o)) {
            fprintf(to, "(%s)", choices(o, words));
        } else if (is_file(o)) {
            fputs("_files", to);
        }
    }
    fputc('\'', to);
}

static void zsh_name(FILE *to, const char *path) {
    fputs("_weft", to);
    if (*path != '\0') {
        fputc('_', to);
    }
    for (; *path != '\0'; path++) {
        fputc(*path == ' ' ? '_' : *path, to);
    }
}

/* The function of a command that has options, or of one that has commands. */
static void zsh_function(FILE *to, const entries *e, size_t first) {
    const char *path = e->list[first].path;
    const int are_commands = e->list[first].command != NULL;

    zsh_name(to, path);
    fprintf(to, "() {\n%s    _arguments%s", are_commands ? "    local state line\n" : "",
            are_commands ? " -C '--help' '--usage' '--version' '1: :->command' '*:: :->rest'\n"
                           "    case $state in\n    command)\n        local -a commands=(\n"
                           "            'help:say more about a command'\n"
                         : "");
    for (size_t i = first; i < e->count && (i == first || !is_first(e, i)); i++) {
        const entry *at = &e->list[i];

        if (are_commands) {
            fprintf(to, "            '%s:", at->command->name);
            print_quoted(to, at->command->about, "\\", zsh_quote);
            fputs("'\n", to);
        } else {
            zsh_option(to, at);
        }
    }
    if (!are_commands) {
        fputs(" \\\n        '*:file:_files'\n}\n\n", to);
        return;
    }
    fputs("        )\n        _describe command commands\n        ;;\n    rest)\n"
          "        case $words[1] in\n",
          to);
    for (size_t i = first; i < e->count && (i == first || !is_first(e, i)); i++) {
        fprintf(to, "        %s) ", e->list[i].command->name);
        zsh_name(to, path);
        fprintf(to, "_%s ;;\n", e->list[i].command->name);
    }
    fputs("        esac\n        ;;\n    esac\n}\n\n", to);
}

static int is_group(const entries *e, const char *path) {
    for (size_t i = 0; i < e->count; i++) {
        if (e->list[i].command != NULL && strcmp(e->list[i].path, path) == 0) {
            return 1;
        }
    }
    return 0;
}

static void write_zsh(FILE *to, const entries *e) {
    fputs("#compdef weft\n# What zsh offers behind weft; written by: weft completion zsh\n\n", to);
    for (size_t i = 0; i < e->count; i++) {
        if (is_first(e, i) && (e->list[i].command != NULL || !is_group(e, e->list[i].path))) {
            zsh_function(to, e, i);
        }
    }
    fputs("_weft \"$@\"\n", to);
}

/* ---- fish -------------------------------------------------------------------------------------
 */

static const char fish_quote[] = "\\'";

/* That the words so far begin with those of the path; of a command, that there are no more. */
static void fish_condition(FILE *to, const entry *e) {
    fprintf(to, " -n '__weft_%s%s%s'", e->command != NULL ? "group" : "command",
            *e->path != '\0' ? " " : "", e->path);
}

static void fish_entry(FILE *to, const entry *e) {
    const struct argp_option *o = e->option;
    char words[TEXT_SIZE];

    fputs("complete -c weft", to);
    fish_condition(to, e);
    if (e->command != NULL) {
        fprintf(to, " -f -a %s", e->command->name);
    } else {
        fprintf(to, " -l %s", o->name);
        if (has_letter(o)) {
            fprintf(to, " -s %c", o->key);
        }
        if (is_choice(o)) {
            fprintf(to, " -x -a '%s'", choices(o, words));
        } else if (o->arg != NULL) {
            fputs(is_file(o) ? " -r -F" : " -x", to);
        }
    }
    fputs(" -d '", to);
    print_quoted(to, e->command != NULL ? e->command->about : o->doc, "\\", fish_quote);
    fputs("'\n", to);
}

static void write_fish(FILE *to, const entries *e) {
    fputs("# What fish offers behind weft; written by: weft completion fish\n"
          "function __weft_command\n"
          "    set -l words (commandline -opc)\n"
          "    set -l last (math 1 + (count $argv))\n"
          "    test (count $words) -ge $last; and test \"$words[2..$last]\" = \"$argv\"\n"
          "end\n"
          "function __weft_group\n"
          "    set -l words (commandline -opc)\n"
          "    test \"$words[2..]\" = \"$argv\"\n"
          "end\n",
          to);
    for (size_t i = 0; i < e->count; i++) {
        fish_entry(to, &e->list[i]);
    }
}

/* ---- the command ------------------------------------------------------------------------------
 */

static const char *const shell_words[] = {"bash", "zsh", "fish", NULL};

static error_t parse(int key, char *text, struct argp_state *state) {
    int *shell = state->input;

    switch (key) {
    case ARGP_KEY_ARG:
        if (*shell >= 0) {
            usage_error(state, "%s: one shell is enough", text);
        }
        *shell = parse_word(text, shell_words);
        if (*shell < 0) {
            usage_error(state, "%s: must be bash, zsh or fish", text);
        }
        break;
    case ARGP_KEY_NO_ARGS:
        usage_error(state, "which shell: bash, zsh or fish?");
        break;
    default:
        return ARGP_ERR_UNKNOWN;
    }
    return 0;
}

static const struct argp argp = {
    .parser = parse,
    .args_doc = "bash|zsh|fish",
    .doc =
        "Print the script with which a shell completes commands, options and their values."
        "\vIt is installed where the shells look for it. For one session of a weft that is not:\n\n"
        "Examples:\n"
        "  source <(weft completion bash)\n"
        "  weft completion fish | source"};

int command_completion(int argc, char **argv) {
    static void (*const writers[])(FILE *, const entries *) = {write_bash, write_zsh, write_fish};
    int shell = -1, code = options_parse(&argp, argc, argv, 0, &shell);
    entries *e;

    if (code != EXIT_DONE) {
        return code;
    }
    e = allocate(1, sizeof *e);
    if (e == NULL) {
        return EXIT_MEMORY;
    }
    e->count = 0;
    code = add_group(e, &weft_commands, "");
    if (code == EXIT_DONE) {
        writers[shell](stdout, e);
    }
    free(e);
    return code;
}
