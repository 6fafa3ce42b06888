/* SPDX-License-Identifier: MIT
 * The judgement: what trial_run brings back against what the reference says, image by image of the
 * batch. Gates are written !(error <= gate), so that NaN fails.
 */
#include "judge.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "oracle/oracle.h"
#include "trial.h"

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

static double worse(double a, double b) {
    return b > a || isnan(b) ? b : a;
}

static void note(verdict *v, double rel_l2, double max_rms) {
    v->rel_l2 = worse(v->rel_l2, rel_l2);
    v->max_rms = worse(v->max_rms, max_rms);
}

static void judge_gates(verdict *v, size_t b) {
    if (!(v->rel_l2 <= v->gate_l2)) {
        fail(v, "image %zu: relative L2 error %.3g, gate %.3g", b, v->rel_l2, v->gate_l2);
    }
    if (!(v->max_rms <= v->gate_max)) {
        fail(v, "image %zu: max error / RMS %.3g, gate %.3g", b, v->max_rms, v->gate_max);
    }
}

/* ---- one trial's arrays ---------------------------------------------------------------------- */

static const problem *shape(const weft_plan *plan) {
    return plan_problem(plan);
}

static size_t image_bytes(const weft_plan *plan) { /* of one image of the batch */
    return plan_image_bytes(plan) / shape(plan)->batch;
}

static size_t spectrum_bytes(const weft_plan *plan) {
    return plan_spectrum_bytes(plan) / shape(plan)->batch;
}

/* b-th image or spectrum that the operation reads; NULL when out of memory. */
static const void *input_of(const trial *t, reference *r, size_t b) {
    const expectation *e;
    if (t->what != OPERATION_INVERSE) {
        return r->pixels[b % r->distinct];
    }
    e = reference_inverse(r, shape(t->plan)->layout, b);
    return e == NULL ? NULL : e->input;
}

static weft_status gather_input(trial *t, reference *r, void *memory) {
    const size_t bytes = t->input_bytes / shape(t->plan)->batch;
    for (size_t b = 0; b < shape(t->plan)->batch; b++) {
        const void *one = input_of(t, r, b);
        if (one == NULL) {
            return weft_fail(WEFT_NO_MEMORY, "no memory for the oracle");
        }
        memcpy((char *)memory + b * bytes, one, bytes);
    }
    t->input = memory;
    return WEFT_OK;
}

/* ---- spectra --------------------------------------------------------------------------------- */

static oracle_error compare(const problem *p, const void *spectrum, const wide *expected) {
    return expected->is_long
               ? oracle_compare_long(p->height, p->width, p->precision, p->layout,
                                     p->spectrum_pitch, spectrum, p->forward_scale, expected->data)
               : oracle_compare(p->height, p->width, p->precision, p->layout, p->spectrum_pitch,
                                spectrum, p->forward_scale, expected->data);
}

/* X[0][0] of an integer image is its exact sum, rounded once. */
static void judge_dc(const problem *p, const void *spectrum, const void *pixels, size_t b,
                     verdict *v) {
    unsigned long long sum = 0;
    double re, im, exact;
    for (size_t i = 0; i < p->height * p->width; i++) {
        sum += p->pixel == WEFT_PIXEL_U8 ? ((const unsigned char *)pixels)[i]
                                         : ((const unsigned short *)pixels)[i];
    }
    exact = p->precision == WEFT_F32 ? (double)(float)sum : (double)sum;
    oracle_read(p->height, p->width, p->precision, p->layout, p->spectrum_pitch, spectrum, 0, 0,
                &re, &im);
    if (!(re == exact && im == 0)) {
        fail(v, "image %zu: DC is %.17g%+gi, the sum of the pixels is %llu", b, re, im, sum);
    }
}

static weft_status judge_spectrum(const trial *t, reference *r, size_t b, verdict *v) {
    const problem *p = shape(t->plan);
    const char *spectrum = (const char *)t->output + b * spectrum_bytes(t->plan);
    const wide *expected = reference_spectrum(r, b);
    oracle_error e;

    if (expected == NULL) {
        return weft_fail(WEFT_NO_MEMORY, "no memory for the oracle");
    }
    e = compare(p, spectrum, expected);
    note(v, p->pixel == WEFT_PIXEL_REAL ? e.rel_l2 : e.rel_l2_ac, e.max_rms);
    if (p->pixel != WEFT_PIXEL_REAL && p->forward_scale == 1) {
        judge_dc(p, spectrum, r->pixels[b % r->distinct], b, v);
    }
    judge_gates(v, b);
    if (!v->passed) {
        size_t used = strlen(v->why);
        snprintf(v->why + used, sizeof v->why - used, " (worst at k %zu, l %zu)", e.worst_k,
                 e.worst_l);
    }
    return WEFT_OK;
}

/* ---- images ---------------------------------------------------------------------------------- */

static void judge_real_image(const problem *p, const void *got, const wide *expected, double factor,
                             size_t b, verdict *v) {
    const size_t count = p->height * p->width;
    long double error = 0, energy = 0, most = 0;
    int unknown = 0;

    for (size_t i = 0; i < count; i++) {
        long double want = wide_at(expected, i);
        long double value = p->precision == WEFT_F32 ? (long double)((const float *)got)[i]
                                                     : (long double)((const double *)got)[i];
        long double off = fabsl(value / factor - want);
        unknown |= isnan(off);
        most = off > most ? off : most;
        error += off * off;
        energy += want * want;
    }
    if (unknown) {
        note(v, NAN, NAN);
    } else if (error > 0) {
        note(v, (double)sqrtl(error / energy), (double)(most / sqrtl(energy / (long double)count)));
    }
    judge_gates(v, b);
}

/* Integer pixels: the expected value, clamped, or its neighbour when the value is too near to a
 * half for the precision. The figures are of what is left after that rounding. */
static void judge_integer_image(const problem *p, const void *got, const wide *expected, size_t b,
                                verdict *v) {
    const long double largest = p->pixel == WEFT_PIXEL_U8 ? 255 : 65535;
    const long double slack = 0.5L + (long double)v->gate_max * largest;
    const size_t count = p->height * p->width;

    for (size_t i = 0; i < count; i++) {
        long double want = wide_at(expected, i);
        long double value = p->pixel == WEFT_PIXEL_U8 ? ((const unsigned char *)got)[i]
                                                      : ((const unsigned short *)got)[i];
        want = want < 0 ? 0 : want > largest ? largest : want;
        if (!(fabsl(value - want) <= slack)) {
            note(v, (double)(fabsl(value - want) / largest), NAN);
            fail(v, "image %zu, row %zu, column %zu: pixel %Lg, expected %Lg", b, i / p->width,
                 i % p->width, value, want);
            return;
        }
    }
}

static weft_status judge_image(const trial *t, reference *r, size_t b, verdict *v) {
    const problem *p = shape(t->plan);
    const char *got = (const char *)t->output + b * image_bytes(t->plan);
    const wide *expected;

    if (t->what == OPERATION_INVERSE) {
        const expectation *e = reference_inverse(r, p->layout, b);
        expected = e == NULL ? NULL : &e->image;
    } else {
        expected = reference_filtered(r, t->kind, p->layout, b);
    }
    if (expected == NULL) {
        return weft_fail(WEFT_NO_MEMORY, "no memory for the oracle");
    }
    if (p->pixel == WEFT_PIXEL_REAL) {
        const double both = t->what == OPERATION_FILTER ? p->forward_scale : 1;
        const double pixels = (double)p->height * (double)p->width;
        judge_real_image(p, got, expected, p->inverse_scale * pixels * both, b, v);
    } else {
        judge_integer_image(p, got, expected, b, v);
    }
    return WEFT_OK;
}

/* ---- verdicts -------------------------------------------------------------------------------- */

/* Higham's bound for any input, 6.7 u log2(H W), as a multiple of the gate for random input. */
static double worst_case_factor(const problem *p) {
    const double u = p->precision == WEFT_F32 ? 0x1p-24 : 0x1p-53;
    const double stages = fmax(1, log2((double)p->height * (double)p->width));
    return 6.7 * u * stages / oracle_gate_l2(p->height, p->width, p->precision);
}

/* A filter is a round trip: its gates are wider by what theory gives a round trip. */
static double round_trip_factor(const problem *p) {
    return oracle_gate_round_trip(p->height, p->width, p->precision) /
           oracle_gate_l2(p->height, p->width, p->precision);
}

static void verdict_start(verdict *v, const problem *p, operation what, leniency allowed) {
    const double wider = (what == OPERATION_FILTER ? round_trip_factor(p) : 1) *
                         (allowed.worst_case_gates ? worst_case_factor(p) : 1);
    *v = (verdict){.passed = 1,
                   .gate_l2 = wider * oracle_gate_l2(p->height, p->width, p->precision),
                   .gate_max = wider * oracle_gate_max(p->height, p->width, p->precision)};
    if (what == OPERATION_FORWARD && p->pixel != WEFT_PIXEL_REAL) {
        v->gate_max = INFINITY; /* DC dwarfs all else and is off by its one rounding: judge_dc */
    }
}

static weft_status judge(const trial *t, reference *r, verdict *v) {
    weft_status status = WEFT_OK;
    for (size_t b = 0; b < shape(t->plan)->batch && status == WEFT_OK && v->passed; b++) {
        status =
            t->what == OPERATION_FORWARD ? judge_spectrum(t, r, b, v) : judge_image(t, r, b, v);
    }
    return status;
}

static weft_status run_and_judge(trial *t, reference *r, verdict *v) {
    const char *complaint = NULL;
    void *input = malloc(t->input_bytes);
    weft_status status;

    t->output = malloc(t->output_bytes);
    if (input == NULL || t->output == NULL) {
        status = weft_fail(WEFT_NO_MEMORY, "no memory to verify %s", weft_plan_strategy(t->plan));
    } else if ((status = gather_input(t, r, input)) == WEFT_OK &&
               (status = trial_run(t, &complaint)) == WEFT_OK) {
        if (complaint != NULL) {
            fail(v, "%s", complaint);
        }
        status = judge(t, r, v);
    }
    free(t->output);
    free(input);
    return status;
}

static weft_status verify_filter(trial *t, reference *r, verdict *v) {
    weft_status status = WEFT_OK;
    for (int kind = 0; kind < 2 && status == WEFT_OK && v->passed; kind++) {
        t->kind = (weft_transfer)kind;
        t->transfer = reference_transfer(r, t->kind, shape(t->plan)->layout);
        t->transfer_bytes = plan_transfer_bytes(t->plan, t->kind);
        status = t->transfer == NULL ? weft_fail(WEFT_NO_MEMORY, "no memory for a transfer")
                                     : run_and_judge(t, r, v);
    }
    return status;
}

weft_status verify_plan(const weft_plan *plan, operation what, reference *r, leniency allowed,
                        verdict *v) {
    trial t = {.plan = plan,
               .what = what,
               .input_bytes = operation_input_bytes(what, plan),
               .output_bytes = operation_output_bytes(what, plan),
               .input_may_change = allowed.input_may_change};

    verdict_start(v, shape(plan), what, allowed);
    return what == OPERATION_FILTER ? verify_filter(&t, r, v) : run_and_judge(&t, r, v);
}

weft_status verify_copy(const weft_plan *plan, verdict *v) {
    const size_t bytes = plan_image_bytes(plan);
    trial t = {
        .plan = plan, .what = OPERATION_FORWARD, .input_bytes = bytes, .output_bytes = bytes};
    unsigned char *input = malloc(bytes);
    const char *complaint = NULL;
    weft_status status;

    *v = (verdict){.passed = 1};
    t.output = malloc(bytes);
    if (input == NULL || t.output == NULL) {
        status = weft_fail(WEFT_NO_MEMORY, "no memory to verify copy");
    } else {
        for (size_t i = 0; i < bytes; i++) {
            input[i] = (unsigned char)(i * 2654435761u >> 13);
        }
        t.input = input;
        status = trial_run(&t, &complaint);
        if (complaint != NULL || (status == WEFT_OK && memcmp(input, t.output, bytes) != 0)) {
            fail(v, "%s", complaint != NULL ? complaint : "the copy differs from its source");
        }
    }
    free(input);
    free(t.output);
    return status;
}
