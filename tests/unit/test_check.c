/* SPDX-License-Identifier: MIT
 * check/ itself: that each way in which a strategy can do wrong is seen and named. cpu.reference
 * does the work here, and a strategy around it does one thing wrong afterwards.
 */
#include <math.h>
#include <string.h>

#include "expect.h"
#include "judge.h"

/* What is done wrong, to arrays of floats. */
typedef enum wrong {
    NOTHING,
    INPUT,
    TRANSFER,
    BEFORE_OUTPUT,
    BEHIND_OUTPUT,
    GAP_OF_OUTPUT,
    BEHIND_WORK,
    READS_OUTPUT,
    READS_WORK,
    OTHER_BITS,
    ONE_ERROR,
    ALL_ERRORS,
    NO_NUMBER,
    IN_PLACE
} wrong;

static wrong done;

static const strategy *whole(void) {
    for (int i = 0; i < strategy_count; i++)
        if (strcmp(strategy_table[i].for_precision[WEFT_F32]->name, "cpu.reference") == 0)
            return strategy_table[i].for_precision[WEFT_F32];
    abort();
}

static const weft_desc desc = {
    .height = 16, .width = 12, .batch = 2, .image_pitch = 13, .spectrum_pitch = 13};
enum { LAST = (2 * 16 - 1) * 13 + 11, GAP = 12 };

static size_t workspace_bytes;

static void do_wrong(const void *input, float *output, void *work, float before) {
    static float drift;
    unsigned char *end_of_work = (unsigned char *)work + workspace_bytes;
    float unwritten;
    memcpy(&unwritten, end_of_work - sizeof unwritten, sizeof unwritten);
    if (done == INPUT)
        ((float *)(uintptr_t)input)[5] += 1;
    if (done == BEFORE_OUTPUT)
        output[-1] = 0;
    if (done == BEHIND_OUTPUT)
        output[LAST + 1] = 0;
    if (done == GAP_OF_OUTPUT)
        output[GAP] = 0;
    if (done == BEHIND_WORK)
        end_of_work[0] = 0;
    if (done == READS_OUTPUT)
        output[0] = before;
    if (done == READS_WORK)
        output[0] = unwritten;
    if (done == OTHER_BITS)
        output[3] += drift += 1e-3F;
    if (done == ONE_ERROR)
        output[LAST] += 0.01F;
    for (size_t i = 0; done == ALL_ERRORS && i < LAST; i++)
        output[i] *= i % 13 == GAP ? 1 : 1.00001F;
    if (done == NO_NUMBER)
        output[0] = NAN;
    if (done == IN_PLACE && input == output)
        output[0] += 1;
}

static weft_status forward(const void *state, const void *image, void *spectrum, void *work,
                           struct CUstream_st *stream) {
    float before = *(float *)spectrum;
    weft_status status = whole()->forward(state, image, spectrum, work, stream);
    do_wrong(image, spectrum, work, before);
    return status;
}

static weft_status inverse(const void *state, const void *spectrum, void *image, void *work,
                           struct CUstream_st *stream) {
    float before = *(float *)image;
    weft_status status = whole()->inverse(state, spectrum, image, work, stream);
    do_wrong(spectrum, image, work, before);
    return status;
}

static weft_status multiply(const void *state, void *spectrum, const void *transfer,
                            weft_transfer kind, struct CUstream_st *stream) {
    weft_status status = whole()->multiply(state, spectrum, transfer, kind, stream);
    if (done == TRANSFER)
        ((float *)(uintptr_t)transfer)[2] += 1;
    return status;
}

/* weft_filter wants a workspace whose end the transforms alone do not touch. */
static weft_plan *plan_of_wrongdoer(void) {
    static strategy wrongdoer;
    weft_plan *plan;
    wrongdoer = *whole();
    wrongdoer.forward = forward;
    wrongdoer.inverse = inverse;
    wrongdoer.multiply = multiply;
    wrongdoer.filter = NULL;
    check(plan_create_over(&plan, &desc, &wrongdoer) == WEFT_OK, "%s", weft_last_error());
    workspace_bytes = weft_plan_workspace(plan);
    return plan;
}

static verdict verdict_on(operation what, wrong is_done) {
    weft_plan *plan = plan_of_wrongdoer();
    reference of;
    verdict v;
    done = is_done;
    assert_int_equal(reference_create(&of, &desc, 2, 1, NULL, NULL), 0);
    check(verify_plan(plan, what, &of, (leniency){0, 0}, &v) == WEFT_OK, "%s", weft_last_error());
    reference_destroy(&of);
    weft_plan_destroy(plan);
    return v;
}

static void check_is_wrong(operation what, wrong is_done, const char *words) {
    verdict v = verdict_on(what, is_done);
    check(!v.passed && strstr(v.why, words) != NULL, "%s, %s: %s", operation_words[what], words,
          v.why);
}

static void what_is_wrong_is_named(void **state) {
    (void)state;
    static const struct {
        wrong done;
        const char *words;
    } cases[] = {
        {INPUT, "the input was modified, first at byte 2"}, /* of the float at 20 */
        {BEFORE_OUTPUT, "wrote outside the output, first at byte -4"},
        {BEHIND_OUTPUT, "wrote outside the output, first at byte 1660 of 1660"},
        {GAP_OF_OUTPUT, "wrote outside the output, first at byte 48"},
        {BEHIND_WORK, "wrote outside the workspace"},
        {READS_OUTPUT, "the second run gave other bits, first in image 0 at [0][0]"},
        {READS_WORK, "the second run gave other bits, first in image 0 at [0][0]"},
        {OTHER_BITS, "the second run gave other bits, first in image 0 at [0][3]"},
        {ONE_ERROR, "in image 1 at [15][1"},
        {ALL_ERRORS, "relative L2 error 1"},
        {NO_NUMBER, "relative L2 error"},
    };
    for (int what = 0; what <= OPERATION_FILTER; what++) {
        verdict right = verdict_on((operation)what, NOTHING);
        check(right.passed && right.rel_l2 > 0 && verdict_ratio(&right) < 1, "%s", right.why);
    }
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        check_is_wrong(OPERATION_FORWARD, cases[i].done, cases[i].words);
        check_is_wrong(OPERATION_INVERSE, cases[i].done, cases[i].words);
    }
    check_is_wrong(OPERATION_FILTER, TRANSFER, "the transfer was modified");
}

static void peers_may_spoil_their_input(void **state) {
    (void)state;
    weft_plan *plan = plan_of_wrongdoer();
    reference of;
    verdict v;
    done = INPUT;
    assert_int_equal(reference_create(&of, &desc, 2, 1, NULL, NULL), 0);
    assert_int_equal(verify_plan(plan, OPERATION_INVERSE, &of, (leniency){1, 1}, &v), WEFT_OK);
    check(v.passed, "%s", v.why);
    reference_destroy(&of);
    weft_plan_destroy(plan);
}

static void in_place_is_compared(void **state) {
    (void)state;
    weft_plan *plan = plan_of_wrongdoer();
    const problem *p = plan_problem(plan);
    reference of;
    buffer image, spectrum, work;
    complaint c;
    trial t = {.plan = plan,
               .what = OPERATION_FORWARD,
               .input = &image,
               .output = &spectrum,
               .work = &work};
    assert_int_equal(reference_create(&of, &desc, 2, 1, NULL, NULL), 0);
    assert_int_equal(buffer_make(&image, &host_memory, 0, image_grid(p), 4), WEFT_OK);
    assert_int_equal(buffer_make(&spectrum, &host_memory, 0, spectrum_grid(p), 4), WEFT_OK);
    assert_int_equal(buffer_make(&work, &host_memory, 0, line_grid(workspace_bytes), 16), WEFT_OK);
    for (done = NOTHING; done <= IN_PLACE; done += IN_PLACE) {
        assert_int_equal(reference_put(&of, t.what, p->layout, &image), WEFT_OK);
        assert_int_equal(trial_run(&t, &c), WEFT_OK);
        check(c.text[0] == '\0', "%s", c.text);
        assert_int_equal(trial_run_in_place(&t, &c), WEFT_OK);
        check((c.text[0] == '\0') == (done == NOTHING), "%s", c.text);
    }
    buffer_free(&image);
    buffer_free(&spectrum);
    buffer_free(&work);
    reference_destroy(&of);
    weft_plan_destroy(plan);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_wrong_is_named),
        cmocka_unit_test(peers_may_spoil_their_input),
        cmocka_unit_test(in_place_is_compared),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
