/* SPDX-License-Identifier: MIT
 * weft info: what this build is, what it runs on, and which strategies can run here, found out by
 * trying each. The JSON document is made first; the text is printed from it.
 */
#include <argp.h>
#include <png.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "shell/command.h"
#include "shell/complain.h"
#include "shell/json_file.h"
#include "shell/machine.h"
#include "shell/options.h"
#include "shell/try_strategy.h"

enum { KEY_JSON = 0x200 };

static const struct argp_option options[] = {
    {"json", KEY_JSON, "FILE", 0, "Write one JSON document instead; - is standard output", 0}, {0}};

static error_t parse(int key, char *text, struct argp_state *state) {
    const char **json = state->input;

    switch (key) {
    case KEY_JSON:
        *json = file_option(state, "--json", text);
        break;
    case ARGP_KEY_ARG:
        argp_error(state, "%s: no arguments are taken", text);
        break;
    default:
        return ARGP_ERR_UNKNOWN;
    }
    return 0;
}

static const struct argp argp = {.options = options,
                                 .parser = parse,
                                 .doc = "Show versions, this machine, and the strategies."
                                        "\vOf each strategy: whether it can run here and, if not, "
                                        "why. WEFT_ISA=plain, v2, v3 or v4 in the environment "
                                        "gives cpu.fast other instructions than the best that the "
                                        "CPU has; which it takes is said under its name.\n\n"
                                        "Examples:\n"
                                        "  weft info\n"
                                        "  weft info --json info.json"};

/* "twiddle=lut|compute real=zero|tangle" as {"twiddle": ["lut", "compute"], ...}. */
static json_t *describe_options(const char *choices) {
    char *text = strdup(choices), *rest = text, *values, *key, *value;
    json_t *all = text ? json_object() : NULL, *list;

    while (text && (values = strtok_r(rest, " ", &rest)) != NULL) {
        key = strtok_r(values, "=", &values);
        list = json_array();
        while ((value = strtok_r(values, "|", &values)) != NULL) {
            json_array_append_new(list, json_string(value));
        }
        json_object_set_new(all, key, list);
    }
    free(text);
    return all;
}

static json_t *describe_strategy(int i) {
    const char *name = weft_strategy_name(i);
    const char *here = weft_strategy_here(i);
    weft_status status = try_strategy(name, 0);

    return json_pack("{s:s, s:s, s:s?, s:o, s:b, s:s?}", "name", name, "about",
                     weft_strategy_about(i), "here", status == WEFT_OK && *here ? here : NULL,
                     "options", describe_options(weft_strategy_options(i)), "runs",
                     status == WEFT_OK, "reason", status == WEFT_OK ? NULL : weft_last_error());
}

static json_t *describe_strategies(int *has_cuda) {
    json_t *all = json_array();

    *has_cuda = 0;
    for (int i = 0; weft_strategy_name(i); i++) {
        *has_cuda |= strncmp(weft_strategy_name(i), "cuda.", 5) == 0;
        json_array_append_new(all, describe_strategy(i));
    }
    return all;
}

static json_t *describe(void) {
    int has_cuda;
    json_t *strategies = describe_strategies(&has_cuda);

    return json_pack("{s:s, s:s, s:b, s:s, s:s, s:o, s:o}", "schema", "weft-info/1", "version",
                     weft_version(), "cuda_build", has_cuda, "libpng", png_get_libpng_ver(NULL),
                     "zlib", zlibVersion(), "machine", machine_json(), "strategies", strategies);
}

static void print_value(const char *key, const json_t *value) {
    if (json_is_integer(value)) {
        printf("%-9s %lld\n", key, (long long)json_integer_value(value));
    } else {
        printf("%-9s %s\n", key, json_is_string(value) ? json_string_value(value) : "none");
    }
}

static const char *text_of(json_t *object, const char *key) {
    return json_string_value(json_object_get(object, key));
}

static void print_strategy(json_t *described, const char *choices) {
    printf("  %-17s %s\n", text_of(described, "name"), text_of(described, "about"));
    if (json_is_string(json_object_get(described, "here"))) {
        printf("  %-17s here: %s\n", "", text_of(described, "here"));
    }
    if (*choices) {
        printf("  %-17s options: %s (the first of each is the default)\n", "", choices);
    }
    if (!json_is_true(json_object_get(described, "runs"))) {
        printf("  %-17s cannot run here: %s\n", "", text_of(described, "reason"));
    }
}

static void print(json_t *info) {
    const char *key;
    json_t *value;
    size_t i;

    printf("weft      %s, %s CUDA\n", text_of(info, "version"),
           json_is_true(json_object_get(info, "cuda_build")) ? "with" : "without");
    print_value("libpng", json_object_get(info, "libpng"));
    print_value("zlib", json_object_get(info, "zlib"));
    json_object_foreach(json_object_get(info, "machine"), key, value) print_value(key, value);
    puts("\nstrategies, fastest first:");
    json_array_foreach(json_object_get(info, "strategies"), i, value)
        print_strategy(value, weft_strategy_options((int)i));
}

int command_info(int argc, char **argv) {
    const char *json = NULL;
    json_t *info;
    int code = EXIT_DONE;

    argp_parse(&argp, argc, argv, 0, NULL, &json);
    info = describe();
    if (!info) {
        return complain(EXIT_MEMORY, "out of memory for the description");
    }
    if (json) {
        code = json_file_write(json, info);
    } else {
        print(info);
    }
    json_decref(info);
    return code;
}
