/* SPDX-License-Identifier: MIT
 * Finds the experiment that a document is of, and has it print; see present.h.
 */
#include "reproduce/present.h"

#include <stdlib.h>
#include <string.h>

#include "reproduce/reproduce.h"
#include "shell/complain.h"
#include "shell/parse.h"

const char all_schema[] = "weft-reproduce/1";

enum { SCHEMAS_SIZE = 200 };

/* ---- whose it is ----------------------------------------------------------------------------- */

/* The same but for its version, which is another number. */
static int is_other_version(const char *schema, const char *known) {
    const size_t name = strcspn(known, "/") + 1;

    return strncmp(schema, known, name) == 0;
}

static void refuse(page *p, const char *schema) {
    const char *schemas[MOST_EXPERIMENTS + 2] = {all_schema};
    char all[SCHEMAS_SIZE];

    for (size_t i = 0; i < reproduction_count; i++) {
        schemas[i + 1] = reproductions[i].schema;
    }
    for (size_t i = 0; schemas[i] != NULL; i++) {
        if (is_other_version(schema, schemas[i])) {
            p->code = complain(EXIT_BAD_INPUT,
                               "%s: its schema is %s, this weft reads %s: print it with the weft "
                               "that wrote it",
                               p->name, schema, schemas[i]);
            return;
        }
    }
    p->code = complain(EXIT_BAD_INPUT, "%s: its schema is \"%s\", no experiment's; these are: %s",
                       p->name, schema, join_words(all, sizeof all, schemas, ", "));
}

static void print_one(page *p, const json_t *document) {
    const char *schema;

    if (!page_take(p, document, "{s:s}", "schema", &schema)) {
        return;
    }
    for (size_t i = 0; i < reproduction_count; i++) {
        if (strcmp(reproductions[i].schema, schema) == 0) {
            reproductions[i].print(p, document);
            return;
        }
    }
    refuse(p, schema);
}

/* ---- all of them ----------------------------------------------------------------------------- */

static void print_part(page *p, const json_t *part, size_t number) {
    const json_t *document;
    const char *name, *reason;

    if (!page_take(p, part, "{s:s, s:o}", "name", &name, "document", &document)) {
        return;
    }
    page_print(p, number > 0 ? "\n" : "");
    if (!json_is_null(document)) {
        print_one(p, document);
    } else if (page_take(p, part, "{s:s}", "reason", &reason)) {
        page_print(p, "SKIP %s: %s\n", name, reason);
    }
}

static void print_any(page *p, const json_t *document, size_t number) {
    const char *schema;
    const json_t *parts, *each;
    size_t i;

    (void)number;
    if (!page_take(p, document, "{s:s}", "schema", &schema)) {
        return;
    }
    if (strcmp(schema, all_schema) != 0) {
        print_one(p, document);
    } else if (page_list(p, document, "experiments", &parts)) {
        page_foreach(p, parts, i, each) {
            print_part(p, each, i);
        }
    }
}

/* ---- on paper -------------------------------------------------------------------------------- */

static int on_page(FILE *to, const char *name, const json_t *what, size_t number,
                   void (*print)(page *p, const json_t *what, size_t number)) {
    page p = {.name = name};

    print(&p, what, number);
    if (p.code == EXIT_DONE) {
        fwrite(p.text, 1, p.length, to);
        fflush(to);
    }
    free(p.text);
    return p.code == EXIT_DONE && p.wrong[0] != '\0' ? complain(EXIT_CHECK_FAILED, "%s", p.wrong)
                                                     : p.code;
}

int present(FILE *to, const char *name, const json_t *document) {
    return on_page(to, name, document, 0, print_any);
}

int present_part(FILE *to, const json_t *part, size_t number) {
    return on_page(to, "the document", part, number, print_part);
}
