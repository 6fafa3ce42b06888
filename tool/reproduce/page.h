/* SPDX-License-Identifier: MIT
 * A document on its way to paper. Experiments print what a document says, whether it was measured a
 * moment ago or lay in a file, where anything may stand: what is missing or of a wrong type is a
 * complaint, and nothing is printed.
 */
#ifndef WEFT_TOOL_REPRODUCE_PAGE_H
#define WEFT_TOOL_REPRODUCE_PAGE_H

#include <jansson.h>
#include <stddef.h>

enum { PAGE_TEXT = 400 };

typedef struct page {
    char *text; /* what was printed on it; to be freed */
    size_t length, capacity;
    const char *name;      /* of the document, for complaints */
    int code;              /* EXIT_DONE, or after the first complaint what it was */
    char wrong[PAGE_TEXT]; /* the first wrong number that was measured; "": none */
} page;

/* Values out of an object by a format of json_unpack(), a list, and all members of a list that must
 * be objects. Each is 1, or 0 where the page has a complaint. */
int page_take(page *p, const json_t *of, const char *format, ...);
int page_list(page *p, const json_t *of, const char *name, const json_t **list);
#define page_foreach(p, list, i, each)                                                             \
    for (i = 0; (p)->code == 0 && i < json_array_size(list) && (each = json_array_get(list, i));   \
         i++)

__attribute__((format(printf, 2, 3))) void page_print(page *p, const char *format, ...);

/* NAN for null, and for what is no number; "" for what is no text. */
double page_number(const json_t *value);
const char *page_text(const json_t *value);

/* That what was measured is wrong: the exit code is 1. */
__attribute__((format(printf, 2, 3))) void page_wrong(page *p, const char *format, ...);

/* Two lines of the head: what machine it was, and which Weft. */
void page_machine(page *p, const json_t *document);
void page_weft(page *p, const json_t *document);

#endif
