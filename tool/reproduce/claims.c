/* SPDX-License-Identifier: MIT
 * Claims are judged, written and printed; see claims.h.
 */
#include "reproduce/claims.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "shell/json_file.h"

void claim_add(claim *c, const char *format, ...) {
    const size_t used = strlen(c->text);
    va_list values;

    va_start(values, format);
    vsnprintf(c->text + used, sizeof c->text - used, format, values);
    va_end(values);
}

void claim_note(claim *c, int holds) {
    if (c->verdict != CLAIM_FAIL) {
        c->verdict = holds ? CLAIM_PASS : CLAIM_FAIL;
    }
}

static json_t *passed(claim_verdict v) {
    return v == CLAIM_SKIP ? json_null() : json_boolean(v == CLAIM_PASS);
}

json_t *claims_append(json_t *list, const claim *c) {
    const char *text = c->text[0] != '\0' ? c->text : "nothing was measured that could tell";

    return json_append(list, json_pack("{s:s, s:o, s:s}", "name", c->name, "passed",
                                       passed(c->verdict), "text", text));
}

json_t *claims_judge(json_t *list, const claim_rule *rules, size_t count, const void *experiment) {
    for (size_t i = 0; i < count; i++) {
        claim c = {.name = rules[i].name, .verdict = CLAIM_SKIP};

        rules[i].judge(experiment, &c);
        list = claims_append(list, &c);
    }
    return list;
}

void claims_print(page *p, const json_t *claims) {
    const json_t *each;
    size_t i;

    page_print(p, json_array_size(claims) > 0 ? "\n" : "");
    page_foreach(p, claims, i, each) {
        const char *name, *text;
        const json_t *holds;

        if (page_take(p, each, "{s:s, s:o, s:s}", "name", &name, "passed", &holds, "text", &text)) {
            page_print(p, "%s %s: %s\n",
                       json_is_true(holds)    ? "PASS"
                       : json_is_false(holds) ? "FAIL"
                                              : "SKIP",
                       name, text);
        }
    }
}
