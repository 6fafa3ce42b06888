/* SPDX-License-Identifier: MIT
 * The judgement: errors of a result against the reference, summed over the images that are judged
 * together, against the gates; see judge.h. Gates are written !(error <= gate), so that NaN fails.
 */
#include "judge.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>

#include "gates.h"
#include "oracle/oracle.h"

enum { ALIGNMENT = 256 }; /* bytes, as memory has that cudaMalloc() gives */

double verdict_ratio(const verdict *v) {
    double l2 = v->rel_l2 / v->gate_l2, most = v->max_rms / v->gate_max;
    return l2 >= most || isnan(l2) ? l2 : most;
}

__attribute__((format(printf, 2, 3))) static void fail(verdict *v, const char *format, ...) {
    va_list arguments;
    if (v->passed) { /* the first reason is the one to read */
        v->passed = 0;
        va_start(arguments, format);
        vsnprintf(v->why, sizeof v->why, format, arguments);
        va_end(arguments);
    }
}

verdict verdict_begin(const weft_plan *plan, operation what, int has_worst_case_gates) {
    const gates g = gates_of(plan_problem(plan), what, has_worst_case_gates);
    return (verdict){.passed = 1, .gate_l2 = g.l2, .gate_max = g.max_rms};
}

/* ---- errors ---------------------------------------------------------------------------------- */

/* Of the images that are judged together: sums of squares of errors and of expected values, how
 * many values those are, and the largest error. A spectrum counts as one value of 1, with its
 * relative error. */
typedef struct pool {
    long double error, energy, most;
    size_t count;
    size_t image, row, column; /* where the largest error is */
} pool;

static void add(pool *errors, long double error_squared, long double energy) {
    errors->error += error_squared;
    errors->energy += energy;
    errors->count++;
}

static void note_largest(pool *errors, long double off, size_t image, size_t row, size_t column) {
    if (off > errors->most || (isnan(off) && !isnan(errors->most))) {
        errors->most = off;
        errors->image = image;
        errors->row = row;
        errors->column = column;
    }
}

static double worse(double a, double b) {
    return b > a || isnan(b) ? b : a;
}

static void judge_pool(const pool *errors, verdict *v) {
    if (errors->error == 0) {
        return;
    }
    const long double rms = sqrtl(errors->energy / (long double)errors->count);
    v->rel_l2 = worse(v->rel_l2, (double)sqrtl(errors->error / errors->energy));
    v->max_rms = worse(v->max_rms, (double)(errors->most / rms));
    if (!(v->rel_l2 <= v->gate_l2)) {
        fail(v, "relative L2 error %.3g, gate %.3g, worst in image %zu at [%zu][%zu]", v->rel_l2,
             v->gate_l2, errors->image, errors->row, errors->column);
    }
    if (!(v->max_rms <= v->gate_max)) {
        fail(v, "max error / RMS %.3g, gate %.3g, in image %zu at [%zu][%zu]", v->max_rms,
             v->gate_max, errors->image, errors->row, errors->column);
    }
}

/* ---- spectra --------------------------------------------------------------------------------- */

/* X[0][0] of an integer image is its exact sum, rounded once. */
static void judge_dc(const problem *p, const void *spectrum, const void *pixels, size_t b,
                     verdict *v) {
    double re, im, exact, sum = 0; /* whole numbers below 2^53 */
    for (size_t i = 0; i < p->height * p->width; i++) {
        sum += element_get(pixels, i, p->precision, p->pixel);
    }
    exact = p->precision == WEFT_F32 ? (double)(float)sum : sum;
    oracle_read(p->height, p->width, p->precision, p->layout, p->spectrum_pitch, spectrum, 0, 0,
                &re, &im);
    if (!(re == exact && im == 0)) {
        fail(v, "image %zu: DC is %.17g%+gi, the sum of the pixels is %.17g", b, re, im, sum);
    }
}

static weft_status judge_spectrum(const trial *t, reference *r, size_t b, pool *errors,
                                  verdict *v) {
    const problem *p = plan_problem(t->plan);
    const void *spectrum = buffer_row(t->output, b, 0);
    oracle_error e;
    weft_status status = reference_compare(r, b, p->precision, p->layout, p->spectrum_pitch,
                                           spectrum, p->forward_scale, &e);
    if (status == WEFT_OK) {
        const double rel_l2 = p->pixel == WEFT_PIXEL_REAL ? e.rel_l2 : e.rel_l2_ac;
        add(errors, (long double)rel_l2 * rel_l2, 1);
        note_largest(errors, e.max_rms, b, e.worst_k, e.worst_l);
        if (p->pixel != WEFT_PIXEL_REAL && p->forward_scale == 1) {
            judge_dc(p, spectrum, reference_pixels(r, b), b, v);
        }
    }
    return status;
}

/* ---- images ---------------------------------------------------------------------------------- */

/* The image is `factor` times the expected one. */
static void judge_real_image(const trial *t, const wide *expected, double factor, size_t b,
                             pool *errors) {
    const problem *p = plan_problem(t->plan);
    for (size_t m = 0; m < p->height; m++) {
        const void *row = buffer_row(t->output, b, m);
        for (size_t n = 0; n < p->width; n++) {
            const long double want = wide_at(expected, m * p->width + n);
            const long double got = element_get(row, n, p->precision, WEFT_PIXEL_REAL);
            const long double off = fabsl(got / factor - want);
            add(errors, off * off, want * want);
            note_largest(errors, off, b, m, n);
        }
    }
}

/* Integer pixels: the expected value, clamped, or its neighbour when the value is too near to a
 * half for the precision. */
static void judge_integer_image(const trial *t, const wide *expected, size_t b, verdict *v) {
    const problem *p = plan_problem(t->plan);
    const long double largest = p->pixel == WEFT_PIXEL_U8 ? 255 : 65535;
    const long double slack = 0.5L + (long double)v->gate_max * largest;

    for (size_t m = 0; m < p->height; m++) {
        const void *row = buffer_row(t->output, b, m);
        for (size_t n = 0; n < p->width; n++) {
            const long double exact = wide_at(expected, m * p->width + n);
            const long double want = exact < 0 ? 0 : exact > largest ? largest : exact;
            const double got = element_get(row, n, p->precision, p->pixel);
            if (!(fabsl(got - want) <= slack)) {
                v->rel_l2 = worse(v->rel_l2, (double)(fabsl(got - want) / largest));
                v->max_rms = (double)NAN;
                fail(v, "image %zu at [%zu][%zu]: pixel %g, expected %Lg", b, m, n, got, want);
                return;
            }
        }
    }
}

static void judge_image(const trial *t, const wide *expected, size_t b, pool *errors, verdict *v) {
    const problem *p = plan_problem(t->plan);
    const double pixels = (double)p->height * (double)p->width;
    /* The oracle's inverse has the factor 1/N built in. */
    const double back = p->inverse_scale * pixels;

    if (p->pixel != WEFT_PIXEL_REAL) {
        judge_integer_image(t, expected, b, v);
    } else {
        judge_real_image(t, expected, t->what == OPERATION_INVERSE ? back : p->forward_scale * back,
                         b, errors);
    }
}

/* ---- verdicts -------------------------------------------------------------------------------- */

static const wide *expected_image(const trial *t, reference *r, size_t b) {
    const weft_layout layout = plan_problem(t->plan)->layout;
    if (t->what == OPERATION_INVERSE) {
        const expectation *e = reference_inverse(r, layout, b);
        return e != NULL ? &e->image : NULL;
    }
    return t->transfer != NULL ? reference_filtered(r, t->kind, layout, b)
                               : reference_returned(r, b);
}

static weft_status judge_one(const trial *t, reference *r, size_t b, pool *errors, verdict *v) {
    const wide *expected;
    if (t->what == OPERATION_FORWARD) {
        return judge_spectrum(t, r, b, errors, v);
    }
    expected = expected_image(t, r, b);
    if (expected == NULL) {
        return weft_fail(WEFT_NO_MEMORY, "no memory for the oracle");
    }
    judge_image(t, expected, b, errors, v);
    return WEFT_OK;
}

weft_status judge(const trial *t, reference *r, verdict *v) {
    const problem *p = plan_problem(t->plan);
    const size_t together = gates_pool(p);
    weft_status status = WEFT_OK;

    for (size_t b = 0; b < p->batch && status == WEFT_OK && v->passed; b += together) {
        pool errors = {0};
        for (size_t i = 0; i < together && status == WEFT_OK; i++) {
            status = judge_one(t, r, b + i, &errors, v);
        }
        judge_pool(&errors, v);
    }
    return status;
}

/* ---- memory of its own ----------------------------------------------------------------------- */

typedef struct operand_buffers {
    buffer input, output, work, transfer;
} operand_buffers;

static weft_status make(buffer *b, const weft_plan *plan, grid shape) {
    return buffer_make(b, plan_strategy(plan)->space, plan_problem(plan)->device, shape, ALIGNMENT);
}

static weft_status buffers_make(operand_buffers *of, const weft_plan *plan, grid input,
                                grid output) {
    weft_status status;
    *of = (operand_buffers){0};
    if ((status = make(&of->input, plan, input)) != WEFT_OK ||
        (status = make(&of->output, plan, output)) != WEFT_OK) {
        return status;
    }
    return make(&of->work, plan, line_grid(weft_plan_workspace(plan)));
}

static void buffers_free(operand_buffers *of) {
    buffer_free(&of->input);
    buffer_free(&of->output);
    buffer_free(&of->work);
    buffer_free(&of->transfer);
}

static weft_status run_and_judge(const trial *t, reference *r, verdict *v) {
    complaint c;
    weft_status status;
    if ((status = reference_put(r, t->what, plan_problem(t->plan)->layout, t->input)) != WEFT_OK ||
        (status = trial_run(t, &c)) != WEFT_OK) {
        return status;
    }
    if (c.text[0] != '\0') {
        fail(v, "%s", c.text);
    }
    return judge(t, r, v);
}

static weft_status verify_filter(trial *t, operand_buffers *of, reference *r, verdict *v) {
    const problem *p = plan_problem(t->plan);
    weft_status status = WEFT_OK;
    t->transfer = &of->transfer;
    for (int kind = 0; kind < 2 && status == WEFT_OK && v->passed; kind++) {
        t->kind = (weft_transfer)kind;
        status = make(&of->transfer, t->plan, transfer_grid(p, t->kind));
        if (status == WEFT_OK) {
            status = reference_put_transfer(r, t->kind, p->layout, &of->transfer);
        }
        if (status == WEFT_OK) {
            status = run_and_judge(t, r, v);
        }
        buffer_free(&of->transfer);
    }
    return status;
}

weft_status verify_plan(const weft_plan *plan, operation what, reference *r, leniency allowed,
                        verdict *v) {
    const problem *p = plan_problem(plan);
    operand_buffers of;
    trial t = {.plan = plan,
               .what = what,
               .input = &of.input,
               .output = &of.output,
               .work = &of.work,
               .input_may_change = allowed.input_may_change};
    weft_status status =
        buffers_make(&of, plan, what == OPERATION_INVERSE ? spectrum_grid(p) : image_grid(p),
                     what == OPERATION_FORWARD ? spectrum_grid(p) : image_grid(p));

    *v = verdict_begin(plan, what, allowed.worst_case_gates);
    if (status == WEFT_OK) {
        status = what == OPERATION_FILTER ? verify_filter(&t, &of, r, v) : run_and_judge(&t, r, v);
    }
    buffers_free(&of);
    return status;
}

weft_status verify_copy(const weft_plan *plan, verdict *v) {
    const grid bytes = line_grid(plan_image_bytes(plan));
    operand_buffers of;
    const trial t = {.plan = plan,
                     .what = OPERATION_FORWARD,
                     .input = &of.input,
                     .output = &of.output,
                     .work = &of.work};
    complaint c;
    ptrdiff_t at;
    weft_status status = buffers_make(&of, plan, bytes, bytes);

    *v = (verdict){.passed = 1};
    if (status == WEFT_OK) {
        for (size_t i = 0; i < bytes.width; i++) {
            ((unsigned char *)buffer_mirror(&of.input))[i] = (unsigned char)(i * 2654435761u >> 13);
        }
        status = trial_run(&t, &c);
    }
    if (status == WEFT_OK) {
        buffer_find_difference(&of.input, &of.output, &at);
        if (c.text[0] != '\0') {
            fail(v, "%s", c.text);
        } else if (at != NOWHERE) {
            fail(v, "the copy differs from its source, first at byte %td", at);
        }
    }
    buffers_free(&of);
    return status;
}
