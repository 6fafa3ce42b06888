/* SPDX-License-Identifier: MIT
 * weft info: what this build is, what it runs on, and which strategies and which searches of the
 * fractal codec can run here, found out by trying each; or, with a size, what a plan for it says of
 * itself. The JSON document is made first; the text is printed from it.
 */
#include <png.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "commands/fractal/planes.h"
#include "files/image.h"
#include "shell/arguments.h"
#include "shell/cells.h"
#include "shell/command.h"
#include "shell/complain.h"
#include "shell/file_options.h"
#include "shell/json_file.h"
#include "shell/machine.h"
#include "shell/options.h"
#include "shell/parse.h"
#include "shell/try_search.h"
#include "shell/try_strategy.h"

enum {
    KEY_JSON = 0x200,
    KEY_SIZE,
    KEY_STRATEGY,
    KEY_PRECISION,
    KEY_LAYOUT,
    KEY_PIXEL,
    KEY_BATCH,
    KEY_THREADS
};
enum { ENDINGS_SIZE = 100 };

static const struct argp_option options[] = {
    {"json", KEY_JSON, "FILE", 0, "Write one JSON document instead; - is standard output", 0},
    {"size", KEY_SIZE, "HxW", 0, "Show instead what a plan for such images consists of", 1},
    {"strategy", KEY_STRATEGY, "NAME", 0, "Of that plan; default auto: what would be chosen", 1},
    {"precision", KEY_PRECISION, "f32|f64", 0, "Default f32", 1},
    {"layout", KEY_LAYOUT, "packed|half", 0, "Of the spectrum; default packed", 1},
    {"pixel", KEY_PIXEL, "real|u8|u16", 0, "Element type of the image; default real", 1},
    {"batch", KEY_BATCH, "N", 0, "Images per execution; default 1", 1},
    {"threads", KEY_THREADS, "N", 0, "For the cpu strategies; default: as OpenMP is set", 1},
    {0}};

typedef struct arguments {
    const char *json;
    weft_desc desc;         /* height 0: no plan is asked for */
    const char *only_plans; /* an option that was given and needs a size */
} arguments;

static error_t parse_plan(int key, char *text, struct argp_state *state) {
    arguments *a = state->input;
    weft_desc *d = &a->desc;

    switch (key) {
    case KEY_SIZE:
        size_option(state, text, &d->height, &d->width);
        return 0;
    case KEY_STRATEGY:
        a->only_plans = "strategy";
        d->strategy = text;
        return 0;
    case KEY_PRECISION:
        a->only_plans = "precision";
        d->precision = (weft_precision)word_option(state, a->only_plans, text, precision_words);
        return 0;
    case KEY_LAYOUT:
        a->only_plans = "layout";
        d->layout = (weft_layout)word_option(state, a->only_plans, text, layout_words);
        return 0;
    case KEY_PIXEL:
        a->only_plans = "pixel";
        d->pixel = (weft_pixel)word_option(state, a->only_plans, text, pixel_words);
        return 0;
    case KEY_BATCH:
        a->only_plans = "batch";
        d->batch = count_option(state, a->only_plans, text, 1, (size_t)1 << 30);
        return 0;
    case KEY_THREADS:
        a->only_plans = "threads";
        d->threads = (int)count_option(state, a->only_plans, text, 1, WEFT_MOST_THREADS);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static error_t parse(int key, char *text, struct argp_state *state) {
    arguments *a = state->input;

    switch (key) {
    case KEY_JSON:
        a->json = json_option(state, text);
        break;
    case ARGP_KEY_ARG:
        usage_error(state, "%s: no arguments are taken", text);
        break;
    case ARGP_KEY_SUCCESS:
        if (a->only_plans != NULL && a->desc.height == 0) {
            usage_error(state, "--%s: is of a plan, and that needs --size", a->only_plans);
        }
        break;
    default:
        return parse_plan(key, text, state);
    }
    return 0;
}

static const struct argp argp = {.options = options,
                                 .parser = parse,
                                 .doc =
                                     "Show versions, this machine, the strategies, and the "
                                     "searches of the fractal codec; or, with "
                                     "--size, what a plan consists of."
                                     "\vOf each of them: whether it can run here and, if not, "
                                     "why. WEFT_ISA=plain, v2, v3 or v4 in the environment "
                                     "gives cpu.fast other instructions than the best that the "
                                     "CPU has; which it takes is said under its name.\n\n"
                                     "Of a plan: a line for each pass of the forward transform "
                                     "with the factors of its lines, the engine that transforms "
                                     "them, how work is cut, and the bytes that are read and "
                                     "written; at last the workspace, and all these bytes beside "
                                     "those of a copy.\n\n"
                                     "Examples:\n"
                                     "  weft info\n"
                                     "  weft info --json info.json\n"
                                     "  weft info --size 1080x1920 --strategy cpu"};

/* "twiddle=lut|compute real=zero|tangle" as {"twiddle": ["lut", "compute"], ...}; NULL when out of
 * memory, as below. */
static json_t *describe_options(const char *choices) {
    char *text = strdup(choices), *rest = text, *values, *key, *value;
    json_t *all = json_object(), *list;
    int failed = text == NULL;

    while (!failed && (values = strtok_r(rest, " ", &rest)) != NULL) {
        key = strtok_r(values, "=", &values);
        list = json_array();
        while ((value = strtok_r(values, "|", &values)) != NULL) {
            list = json_append(list, json_string(value));
        }
        failed = json_object_set_new(all, key, list);
    }
    free(text);
    if (failed) {
        json_decref(all);
    }
    return failed ? NULL : all;
}

static int is_on_gpu(int i) {
    return strncmp(weft_strategy_name(i), "cuda.", 5) == 0;
}

static json_t *describe_strategy(int i) {
    const char *name = weft_strategy_name(i);
    const char *here = weft_strategy_here(i);
    weft_status status = try_strategy(name, 0);

    if (status == WEFT_NO_MEMORY && !is_on_gpu(i)) {
        return NULL; /* a GPU without memory is worth a reason */
    }
    return json_pack("{s:s, s:s, s:s?, s:o, s:b, s:s?}", "name", name, "about",
                     weft_strategy_about(i), "here", status == WEFT_OK && *here ? here : NULL,
                     "options", describe_options(weft_strategy_options(i)), "runs",
                     status == WEFT_OK, "reason", status == WEFT_OK ? NULL : weft_last_error());
}

static json_t *describe_strategies(int *has_cuda) {
    json_t *all = json_array();

    *has_cuda = 0;
    for (int i = 0; weft_strategy_name(i); i++) {
        *has_cuda |= is_on_gpu(i);
        all = json_append(all, describe_strategy(i));
    }
    return all;
}

static json_t *describe_search(int i) {
    const char *name = weft_fractal_search_name(i);
    json_t *profiles = json_array();
    int takes[FRACTAL_PROFILES];
    const weft_status status = try_search(name, takes);

    if (status == WEFT_NO_MEMORY && strcmp(name, "cuda") != 0) {
        json_decref(profiles);
        return NULL; /* as above */
    }
    for (int k = 0; k < FRACTAL_PROFILES; k++) {
        profiles = takes[k] ? json_append(profiles, json_string(profile_words[k])) : profiles;
    }
    return json_pack("{s:s, s:s, s:o, s:b, s:s?}", "name", name, "about",
                     weft_fractal_search_about(i), "profiles", profiles, "runs", status == WEFT_OK,
                     "reason", status == WEFT_OK ? NULL : weft_last_error());
}

static json_t *describe_searches(void) {
    json_t *all = json_array();

    for (int i = 0; weft_fractal_search_name(i); i++) {
        all = json_append(all, describe_search(i));
    }
    return all;
}

static int describe(json_t **info) {
    char endings[ENDINGS_SIZE];
    int has_cuda, code;
    json_t *machine, *strategies;

    code = machine_json(&machine);
    if (code != EXIT_DONE) {
        return code;
    }
    strategies = describe_strategies(&has_cuda);
    *info = json_pack("{s:s, s:s, s:b, s:s, s:s, s:s, s:o, s:o, s:o}", "schema", "weft-info/1",
                      "version", weft_version(), "cuda_build", has_cuda, "libpng",
                      png_get_libpng_ver(NULL), "zlib", zlibVersion(), "pictures",
                      join_words(endings, sizeof endings, image_suffixes, " "), "machine", machine,
                      "strategies", strategies, "searches", describe_searches());
    return *info != NULL ? EXIT_DONE : complain(EXIT_MEMORY, "out of memory for the description");
}

static void print_value(const char *key, const json_t *value) {
    if (json_is_integer(value)) {
        printf("%-9s %lld\n", key, (long long)json_integer_value(value));
    } else {
        printf("%-9s %s\n", key, json_is_string(value) ? json_string_value(value) : "none");
    }
}

static const char *text_of(const json_t *object, const char *key) {
    return json_string_value(json_object_get(object, key));
}

/* Where there is no GPU, that is why many cannot run: it is said once. Returns the last reason. */
static const char *print_reason(const json_t *described, const char *last) {
    const char *reason = text_of(described, "reason");
    char text[MOST_LINE];

    if (reason == NULL) {
        return last;
    }
    snprintf(text, sizeof text, "%s",
             last != NULL && strcmp(reason, last) == 0 ? "as above" : reason);
    make_printable(text);
    printf("  %-17s cannot run here: %s\n", "", text);
    return reason;
}

static void print_strategy(json_t *described, const char *choices) {
    printf("  %-17s %s\n", text_of(described, "name"), text_of(described, "about"));
    if (json_is_string(json_object_get(described, "here"))) {
        printf("  %-17s here: %s\n", "", text_of(described, "here"));
    }
    if (*choices) {
        printf("  %-17s options: %s (the first of each is the default)\n", "", choices);
    }
}

static void print_search(const json_t *described) {
    const json_t *profile;
    size_t i;

    printf("  %-17s %s", text_of(described, "name"), text_of(described, "about"));
    json_array_foreach(json_object_get(described, "profiles"), i, profile) {
        printf("%s%s", i == 0 ? "; profiles: " : ", ", json_string_value(profile));
    }
    putchar('\n');
}

static void print(json_t *info) {
    const char *key, *reason = NULL;
    json_t *value;
    size_t i;

    printf("weft      %s, %s CUDA\n", text_of(info, "version"),
           json_is_true(json_object_get(info, "cuda_build")) ? "with" : "without");
    print_value("libpng", json_object_get(info, "libpng"));
    print_value("zlib", json_object_get(info, "zlib"));
    print_value("pictures", json_object_get(info, "pictures"));
    json_object_foreach(json_object_get(info, "machine"), key, value) print_value(key, value);
    puts("\nstrategies, fastest first:");
    json_array_foreach(json_object_get(info, "strategies"), i, value) {
        print_strategy(value, weft_strategy_options((int)i));
        reason = print_reason(value, reason);
    }
    puts("\nsearches of the fractal codec, fastest first:");
    json_array_foreach(json_object_get(info, "searches"), i, value) {
        print_search(value);
        reason = print_reason(value, reason);
    }
}

/* The document gets `plan`, the description of the one that is asked for, and `good_size`. */
static int add_plan(json_t *info, const weft_desc *desc) {
    char good_size[2 * CELL_SIZE];
    size_t height, width;
    weft_plan *plan;
    weft_status status = weft_plan_create(&plan, desc);
    int has_failed;

    if (status == WEFT_OK) {
        status = weft_good_size(desc, &height, &width);
    }
    if (status != WEFT_OK) {
        weft_plan_destroy(plan);
        return complain_plan(status, desc);
    }
    snprintf(good_size, sizeof good_size, "%zux%zu", height, width);
    has_failed = json_object_set_new(info, "plan", json_string(weft_plan_describe(plan))) ||
                 json_object_set_new(info, "good_size", json_string(good_size));
    weft_plan_destroy(plan);
    return has_failed ? complain(EXIT_MEMORY, "out of memory for the description") : EXIT_DONE;
}

static int show(json_t *info, const arguments *a) {
    const int is_of_plan = a->desc.height > 0;
    int code = is_of_plan ? add_plan(info, &a->desc) : EXIT_DONE;

    if (code != EXIT_DONE) {
        return code;
    }
    if (a->json != NULL) {
        return json_file_write(a->json, info);
    }
    if (is_of_plan) {
        printf("%s  good size %s\n", text_of(info, "plan"), text_of(info, "good_size"));
    } else {
        print(info);
    }
    return EXIT_DONE;
}

int command_info(int argc, char **argv) {
    arguments a = {0};
    json_t *info = NULL;
    int code = options_parse(&argp, argc, argv, 0, &a);

    if (code == EXIT_DONE) {
        code = describe(&info);
    }
    if (code == EXIT_DONE) {
        code = show(info, &a);
    }
    json_decref(info);
    return code;
}
