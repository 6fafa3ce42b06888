/* SPDX-License-Identifier: MIT
 * Runs over poison, and what is looked at afterwards; see trial.h. Output and workspace are NaN
 * before the first run and huge numbers before the second: what reads them before it writes them
 * gives NaN, or two different results.
 */
#include "trial.h"

#include <stdarg.h>
#include <stdio.h>

__attribute__((format(printf, 2, 3))) static void complain_of(complaint *c, const char *format,
                                                              ...) {
    va_list values;
    if (c->text[0] == '\0') { /* the first is the one to read */
        va_start(values, format);
        vsnprintf(c->text, sizeof c->text, format, values);
        va_end(values);
    }
}

static weft_status check_unchanged(const buffer *b, const char *what, complaint *c) {
    ptrdiff_t at;
    weft_status status = buffer_find_change(b, &at);
    if (status == WEFT_OK && at != NOWHERE) {
        complain_of(c, "the %s was modified, first at byte %td of %zu", what, at, b->bytes);
    }
    return status;
}

/* Fetches what was written. */
static weft_status check_holes(const buffer *b, const char *what, int poison, complaint *c) {
    ptrdiff_t at;
    weft_status status = buffer_get(b);
    if (status == WEFT_OK) {
        buffer_find_stain(b, poison, &at);
        if (at != NOWHERE) {
            complain_of(c, "wrote outside the %s, first at byte %td of %zu", what, at, b->bytes);
        }
    }
    return status;
}

/* A number in the row of an output that holds this byte. */
static double number_at(const trial *t, const buffer *b, size_t image, size_t row, size_t byte) {
    const problem *p = plan_problem(t->plan);
    const weft_pixel pixel = t->what == OPERATION_FORWARD ? WEFT_PIXEL_REAL : p->pixel;
    return element_get(buffer_row(b, image, row), byte / element_size(p->precision, pixel),
                       p->precision, pixel);
}

static void check_same(const trial *t, const buffer *expected, const buffer *got, const char *what,
                       complaint *c) {
    const grid *g = &expected->shape;
    ptrdiff_t at;
    buffer_find_difference(expected, got, &at);
    if (at != NOWHERE) {
        const size_t element = (size_t)at / g->element;
        const size_t image = g->batch > 1 ? element / g->stride : 0;
        const size_t row = (element - image * g->stride) / g->pitch;
        const size_t byte = (size_t)at - (image * g->stride + row * g->pitch) * g->element;
        complain_of(c, "%s gave other bits, first in image %zu at [%zu][%zu]: %.17g, not %.17g",
                    what, image, row, byte / g->element, number_at(t, got, image, row, byte),
                    number_at(t, expected, image, row, byte));
    }
}

static weft_status prepare(const trial *t, const buffer *output, int poison) {
    weft_status status;
    if ((status = buffer_poison(t->work, poison)) != WEFT_OK ||
        (output != t->input && (status = buffer_poison(output, poison)) != WEFT_OK) ||
        (t->transfer != NULL && (status = buffer_put(t->transfer)) != WEFT_OK)) {
        return status;
    }
    return buffer_put(t->input);
}

/* Where input and output are one, its gaps hold the poison of NaN. */
static weft_status run_once(const trial *t, const buffer *output, int poison, complaint *c) {
    const operands o = {buffer_memory(t->input),
                        t->transfer != NULL ? buffer_memory(t->transfer) : NULL, t->kind,
                        buffer_memory(output), buffer_memory(t->work)};
    weft_status status;
    if ((status = prepare(t, output, poison)) != WEFT_OK ||
        (status = operation_run(t->what, t->plan, &o, NULL)) != WEFT_OK ||
        (output != t->input && !t->input_may_change &&
         (status = check_unchanged(t->input, "input", c)) != WEFT_OK) ||
        (t->transfer != NULL &&
         (status = check_unchanged(t->transfer, "transfer", c)) != WEFT_OK) ||
        (status = check_holes(output, "output", poison, c)) != WEFT_OK) {
        return status;
    }
    return check_holes(t->work, "workspace", poison, c);
}

weft_status trial_run(const trial *t, complaint *c) {
    buffer first = {0};
    weft_status status;

    c->text[0] = '\0';
    if ((status = run_once(t, t->output, POISON_NAN, c)) == WEFT_OK &&
        (status = buffer_keep(t->output, &first)) == WEFT_OK &&
        (status = run_once(t, t->output, POISON_HUGE, c)) == WEFT_OK) {
        check_same(t, &first, t->output, "the second run", c);
    }
    buffer_free(&first);
    return status;
}

weft_status trial_run_in_place(const trial *t, complaint *c) {
    weft_status status;
    c->text[0] = '\0';
    if ((status = run_once(t, t->input, POISON_NAN, c)) == WEFT_OK) {
        check_same(t, t->output, t->input, "the run in place", c);
    }
    return status;
}
