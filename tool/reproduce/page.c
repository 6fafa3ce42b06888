/* SPDX-License-Identifier: MIT
 * Values out of documents, with complaints; see page.h.
 */
#include "reproduce/page.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "shell/complain.h"
#include "shell/machine.h"

static int refuse(page *p, const json_error_t *error) {
    p->code = json_error_code(error) == json_error_out_of_memory
                  ? complain(EXIT_MEMORY, "%s: out of memory", p->name)
                  : complain(EXIT_BAD_INPUT, "%s: damaged: %s", p->name, error->text);
    return 0;
}

int page_take(page *p, const json_t *of, const char *format, ...) {
    json_error_t error;
    va_list values;
    int failed;

    if (p->code != EXIT_DONE) {
        return 0;
    }
    va_start(values, format);
    failed = json_vunpack_ex((json_t *)of, &error, 0, format, values);
    va_end(values);
    return failed ? refuse(p, &error) : 1;
}

int page_list(page *p, const json_t *of, const char *name, const json_t **list) {
    if (!page_take(p, of, "{s:o}", name, list)) {
        return 0;
    }
    if (!json_is_array(*list)) {
        p->code = complain(EXIT_BAD_INPUT, "%s: damaged: %s is no list", p->name, name);
    }
    return p->code == EXIT_DONE;
}

/* Space for so many characters more, and for the end of the text. */
static int reserve(page *p, size_t length) {
    const size_t capacity = 2 * p->capacity + length + 1;
    char *longer;

    if (p->length + length < p->capacity) {
        return 1;
    }
    longer = realloc(p->text, capacity);
    if (longer == NULL) {
        p->code = complain(EXIT_MEMORY, "%s: out of memory", p->name);
        return 0;
    }
    p->text = longer;
    p->capacity = capacity;
    return 1;
}

void page_print(page *p, const char *format, ...) {
    va_list values, again;
    int length;

    va_start(values, format);
    va_copy(again, values);
    length = vsnprintf(NULL, 0, format, values);
    if (p->code == EXIT_DONE && reserve(p, (size_t)length)) {
        vsnprintf(p->text + p->length, p->capacity - p->length, format, again);
        p->length += (size_t)length;
    }
    va_end(again);
    va_end(values);
}

double page_number(const json_t *value) {
    return json_is_number(value) ? json_number_value(value) : (double)NAN;
}

const char *page_text(const json_t *value) {
    return json_is_string(value) ? json_string_value(value) : "";
}

void page_wrong(page *p, const char *format, ...) {
    va_list values;

    if (p->wrong[0] == '\0') {
        va_start(values, format);
        vsnprintf(p->wrong, sizeof p->wrong, format, values);
        va_end(values);
    }
}

void page_machine(page *p, const json_t *document) {
    const json_t *machine = json_object_get(document, "machine");
    const char *cpu, *gpu = machine_text(machine, "gpu");
    int cores;

    if (!page_take(p, document, "{s:{s:s, s:i}}", "machine", "cpu", &cpu, "cores", &cores)) {
        return;
    }
    page_print(p, "  CPU   %s, %d usable cores\n", cpu, cores);
    if (gpu[0] != '\0') {
        page_print(p, "  GPU   %s, driver %s, CUDA %s\n", gpu, machine_text(machine, "driver"),
                   machine_text(machine, "cuda"));
    } else {
        page_print(p, "  GPU   none\n");
    }
}

void page_weft(page *p, const json_t *document) {
    const char *commit, *compiler, *date;

    if (page_take(p, document, "{s:{s:s, s:s, s:s}}", "machine", "commit", &commit, "compiler",
                  &compiler, "date", &date)) {
        page_print(p, "  weft  commit %s, %s, %s\n", commit, compiler, date);
    }
}
