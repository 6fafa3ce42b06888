/* SPDX-License-Identifier: MIT
 * The caller's floating-point environment changes no bit of a result, on any number of threads, and
 * comes back as it was, flags included: four rounding modes, denormals kept or flushed, exceptions
 * trapped. It is that of the calling thread and of all threads that OpenMP has already. The same
 * holds of a device whose calls raise flags of their own, of which one is made up here.
 */
#define _GNU_SOURCE /* feenableexcept() */

#include <fenv.h>
#include <math.h>
#include <omp.h>
#include <string.h>
#if defined(__x86_64__)
#include <immintrin.h>
#endif

#include "elements.h"
#include "expect.h"
#include "plan.h"
#include "suite.h"

enum { MOST_THREADS = 7, RAISED = FE_DIVBYZERO };

typedef struct mode {
    int rounding, flushes, traps;
} mode;

static const mode modes[] = {{FE_TONEAREST, 0, 0},  {FE_TONEAREST, 1, 0},  {FE_UPWARD, 0, 0},
                             {FE_UPWARD, 1, 0},     {FE_DOWNWARD, 0, 0},   {FE_DOWNWARD, 1, 0},
                             {FE_TOWARDZERO, 0, 0}, {FE_TOWARDZERO, 1, 0}, {FE_TONEAREST, 0, 1}};
enum { MODES = sizeof modes / sizeof *modes };

/* ---- environments ------------------------------------------------------------------------------
 */

/* What a thread can be asked about its environment. */
typedef struct seen {
    int rounding, flags, trapped;
    unsigned control; /* MXCSR */
} seen;

static seen look(void) {
    seen now = {.rounding = fegetround(), .flags = fetestexcept(FE_ALL_EXCEPT)};
    now.trapped = fegetexcept();
#if defined(__x86_64__)
    now.control = _mm_getcsr();
#endif
    return now;
}

static void take(mode m) {
    fesetenv(FE_DFL_ENV);
    fesetround(m.rounding);
#if defined(__x86_64__)
    enum { FLUSH_TO_ZERO = 0x8000, DENORMALS_ARE_ZERO = 0x40 };
    if (m.flushes)
        _mm_setcsr(_mm_getcsr() | FLUSH_TO_ZERO | DENORMALS_ARE_ZERO);
#endif
    feraiseexcept(RAISED);
    if (m.traps)
        feenableexcept(FE_INEXACT | FE_UNDERFLOW | FE_OVERFLOW | FE_INVALID);
}

/* By every thread that OpenMP has for this one. */
static void all_take(mode m) {
#pragma omp parallel num_threads(MOST_THREADS)
    take(m);
}

static int differs(seen a, seen b) {
    return a.rounding != b.rounding || a.flags != b.flags || a.trapped != b.trapped ||
           a.control != b.control;
}

/* How many threads have another environment than the calling one had. */
static int count_changed(seen was) {
    int changed = 0;
#pragma omp parallel num_threads(MOST_THREADS) reduction(+ : changed)
    changed += differs(look(), was);
    return changed;
}

/* ---- results -----------------------------------------------------------------------------------
 */

typedef struct results {
    weft_status status;
    size_t image_bytes, spectrum_bytes;
    unsigned char *spectrum, *back, *filtered;
} results;

static results results_make(const weft_desc *d) {
    results r = {.image_bytes = tight_image_bytes(d), .spectrum_bytes = tight_spectrum_bytes(d)};
    r.spectrum = must_alloc(r.spectrum_bytes);
    r.back = must_alloc(r.image_bytes);
    r.filtered = must_alloc(r.image_bytes);
    return r;
}

static void results_free(results *r) {
    free(r->spectrum);
    free(r->back);
    free(r->filtered);
}

/* Plan and all. Over a strategy that is in no table, or the one that is asked for. */
static void compute_over(const strategy *chosen, const weft_desc *d, const unsigned char *image,
                         const void *gain, results *r) {
    weft_plan *plan;
    r->status = plan_create_over(&plan, d, chosen);
    if (r->status == WEFT_OK)
        r->status = weft_forward_host(plan, image, r->spectrum);
    if (r->status == WEFT_OK)
        r->status = weft_inverse_host(plan, r->spectrum, r->back);
    if (r->status == WEFT_OK)
        r->status = weft_filter_host(plan, image, gain, WEFT_TRANSFER_GAIN, r->filtered);
    weft_plan_destroy(plan);
}

static void compute(const weft_desc *d, const unsigned char *image, const void *gain, results *r) {
    compute_over(NULL, d, image, gain, r);
}

static int same_bits(const results *a, const results *b) {
    return memcmp(a->spectrum, b->spectrum, a->spectrum_bytes) == 0 &&
           memcmp(a->back, b->back, a->image_bytes) == 0 &&
           memcmp(a->filtered, b->filtered, a->image_bytes) == 0;
}

static void hold_mode(const weft_desc *d, mode m, const void *image, const void *gain,
                      const results *right) {
    results r = results_make(d);
    all_take(m);
    seen before = look();
    compute(d, image, gain, &r);
    seen after = look();
    int changed = count_changed(before);
    all_take(modes[0]);
    check(r.status == WEFT_OK, "%s", weft_last_error());
    check(same_bits(&r, right),
          "%s %zux%zu, pixel %d, %d threads: rounding %d, flushing %d give other bits", d->strategy,
          d->height, d->width, (int)d->pixel, d->threads, m.rounding, m.flushes);
    check(!differs(before, after) && changed == 0,
          "%s, %d threads: rounding %d, flushing %d, traps %d: flags %#x, trapped %#x, control %#x "
          "have become %#x, %#x, %#x, of %d threads",
          d->strategy, d->threads, m.rounding, m.flushes, m.traps, (unsigned)before.flags,
          (unsigned)before.trapped, before.control, (unsigned)after.flags, (unsigned)after.trapped,
          after.control, changed);
    results_free(&r);
}

static void hold_image(weft_desc *d, const void *image, const void *gain) {
    static const int threads[] = {1, 2, MOST_THREADS};
    results right = results_make(d);
    d->threads = 1;
    compute(d, image, gain, &right);
    check(right.status == WEFT_OK || right.status == WEFT_UNSUPPORTED, "%s", weft_last_error());
    for (int t = 0; right.status == WEFT_OK && t < (uses_threads(d->strategy) ? 3 : 1); t++)
        for (int m = 0; m < MODES; m++) {
            d->threads = threads[t];
            hold_mode(d, modes[m], image, gain, &right);
        }
    results_free(&right);
}

/* Noise of this magnitude, or a picture of it. */
static void *elements_of(const weft_desc *d, weft_pixel pixel, size_t count, double magnitude) {
    double *values = must_alloc(count * sizeof *values);
    void *made = must_alloc(count * sizeof *values);
    if (pixel == WEFT_PIXEL_REAL)
        fill_noise(3, d->precision, count, values);
    else
        fill_picture(PICTURE_RANDOM, pixel, 3, (shape){1, count}, values);
    for (size_t i = 0; i < count; i++)
        element_set(made, i, d->precision, pixel, values[i] * magnitude);
    free(values);
    return made;
}

/* Transforms whose values are all ordinary, or on their way among the denormals. */
static void modes_change_no_bit(const variant *v) {
    static const shape sizes[] = {{64, 128}, {45, 139}};
    double tiny = v->precision == WEFT_F32 ? ldexp(1, -130) : ldexp(1, -1026);
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        for (weft_pixel pixel = WEFT_PIXEL_REAL; pixel <= WEFT_PIXEL_U16; pixel++)
            for (int is_tiny = 0; is_tiny <= (pixel == WEFT_PIXEL_REAL); is_tiny++) {
                weft_desc d = desc_of(v, sizes[i]);
                size_t count = d.height * d.width;
                d.pixel = pixel;
                d.norm = WEFT_NORM_ORTHO;
                void *image = elements_of(&d, pixel, count, is_tiny ? tiny : 1);
                void *gain = elements_of(&d, WEFT_PIXEL_REAL, count + d.height, 1);
                hold_image(&d, image, gain);
                free(image);
                free(gain);
            }
}

/* ---- a device whose calls raise flags
 * ------------------------------------------------------------
 */

/* In both units of the CPU, as CUDA's driver may. */
static void raise_in_both(void) {
    static volatile double sse = 3;
    static volatile long double x87 = 3;
    sse = 1 / sse;
    x87 = 1 / x87;
}

static weft_status raising_allocate(int device, size_t bytes, void **memory) {
    raise_in_both();
    return host_memory.allocate(device, bytes, memory);
}

static void raising_release(int device, void *memory) {
    raise_in_both();
    host_memory.release(device, memory);
}

static weft_status raising_copy(int device, void *to, const void *from, size_t bytes) {
    raise_in_both();
    return host_memory.copy_in(device, to, from, bytes);
}

static weft_status raising_wait(int device) {
    raise_in_both();
    return host_memory.wait(device);
}

static weft_status raising_check(int device, const char *what, const void *memory) {
    raise_in_both();
    return host_memory.check_pointer(device, what, memory);
}

static const memory_space raising_memory = {.name = "raising",
                                            .is_device = 1,
                                            .allocate = raising_allocate,
                                            .release = raising_release,
                                            .copy_in = raising_copy,
                                            .copy_out = raising_copy,
                                            .wait = raising_wait,
                                            .check_pointer = raising_check};

static const strategy *beneath; /* what computes */

static void raising_destroy(void *state) {
    raise_in_both();
    beneath->destroy(state);
}

static weft_status raising_forward(const void *state, const void *image, void *spectrum, void *work,
                                   struct CUstream_st *stream) {
    raise_in_both();
    return beneath->forward(state, image, spectrum, work, stream);
}

static weft_status raising_inverse(const void *state, const void *spectrum, void *image, void *work,
                                   struct CUstream_st *stream) {
    raise_in_both();
    return beneath->inverse(state, spectrum, image, work, stream);
}

/* Calls with pointers of its memory, which are here those of any other. */
static weft_status execute_on_device(const strategy *raising, const weft_desc *d, const void *image,
                                     const void *gain, results *r) {
    weft_plan *plan;
    weft_status status = plan_create_over(&plan, d, raising);
    if (status != WEFT_OK)
        return status;
    void *work = must_alloc(weft_plan_workspace(plan));
    if ((status = weft_forward(plan, image, r->spectrum, work, NULL)) == WEFT_OK &&
        (status = weft_inverse(plan, r->spectrum, r->back, work, NULL)) == WEFT_OK)
        status = weft_filter(plan, image, gain, WEFT_TRANSFER_GAIN, r->filtered, work, NULL);
    weft_plan_destroy(plan);
    free(work);
    return status;
}

static void hold_raising(const strategy *raising, const weft_desc *d, const void *image,
                         const void *gain, const results *right) {
    for (int m = 0; m < MODES; m++) {
        results host = results_make(d), device = results_make(d);
        take(modes[m]);
        seen before = look();
        compute_over(raising, d, image, gain, &host);
        seen after_host = look();
        device.status = execute_on_device(raising, d, image, gain, &device);
        seen after_device = look();
        take(modes[0]);
        check(host.status == WEFT_OK && device.status == WEFT_OK, "%s", weft_last_error());
        check(same_bits(&host, right) && same_bits(&device, right), "rounding %d: other bits",
              modes[m].rounding);
        check(!differs(before, after_host), "rounding %d, host calls: flags %#x have become %#x",
              modes[m].rounding, (unsigned)before.flags, (unsigned)after_host.flags);
        check(!differs(before, after_device), "rounding %d, executions: flags %#x have become %#x",
              modes[m].rounding, (unsigned)before.flags, (unsigned)after_device.flags);
        results_free(&host);
        results_free(&device);
    }
}

static void flags_of_a_device(const variant *v) {
    weft_desc d = desc_of(v, (shape){12, 18});
    beneath = strategy_of(v->strategy, v->precision);
    strategy raising = *beneath;
    size_t count = d.height * d.width;
    raising.space = &raising_memory;
    raising.destroy = raising_destroy;
    raising.forward = raising_forward;
    raising.inverse = raising_inverse;
    void *image = elements_of(&d, WEFT_PIXEL_REAL, count, 1);
    void *gain = elements_of(&d, WEFT_PIXEL_REAL, count + d.height, 1);
    results right = results_make(&d);
    compute(&d, image, gain, &right);
    check(right.status == WEFT_OK, "%s", weft_last_error());
    hold_raising(&raising, &d, image, gain, &right);
    results_free(&right);
    free(image);
    free(gain);
}

static int is_reference(const char *name) {
    return strcmp(name, "cpu.reference") == 0;
}

/* ---- what computes without a plan ---------------------------------------------------------------
 */

static void conversions(const variant *v) {
    weft_desc d = desc_of(v, (shape){6, 8});
    d.layout = WEFT_HALF;
    size_t bytes = tight_spectrum_bytes(&d);
    void *half = elements_of(&d, WEFT_PIXEL_REAL, tight_spectrum_reals(&d), 1);
    unsigned char *right = calloc(1, bytes), *packed = calloc(1, bytes);
    weft_half_to_packed(d.height, d.width, d.precision, half, right);
    for (int m = 0; m < MODES; m++) {
        take(modes[m]);
        seen before = look();
        weft_status status = weft_half_to_packed(d.height, d.width, d.precision, half, packed);
        seen after = look();
        take(modes[0]);
        assert_int_equal(status, WEFT_OK);
        check(memcmp(packed, right, bytes) == 0, "rounding %d: other bits", modes[m].rounding);
        check(!differs(before, after), "rounding %d: has changed", modes[m].rounding);
    }
    free(half);
    free(right);
    free(packed);
}

static void good_sizes(const variant *v) {
    weft_desc d = desc_of(v, (shape){331, 509});
    size_t right[2], found[2];
    weft_status asked = weft_good_size(&d, &right[0], &right[1]);
    if (asked == WEFT_UNSUPPORTED)
        skip_because("%s", weft_last_error());
    check(asked == WEFT_OK, "%s", weft_last_error());
    for (int m = 0; m < MODES; m++) {
        take(modes[m]);
        seen before = look();
        weft_status status = weft_good_size(&d, &found[0], &found[1]);
        seen after = look();
        take(modes[0]);
        assert_int_equal(status, WEFT_OK);
        check(memcmp(found, right, sizeof right) == 0, "rounding %d: %zux%zu is not %zux%zu",
              modes[m].rounding, found[0], found[1], right[0], right[1]);
        check(!differs(before, after), "rounding %d: has changed", modes[m].rounding);
    }
}

int main(int argc, char **argv) {
    static const suite_test tests[] = {
        {"modes change no bit", modes_change_no_bit, 1, NULL, 0},
        {"flags of a device", flags_of_a_device, 0, is_reference, 0},
        {"conversions", conversions, 0, uses_one_arithmetic, 0},
        {"good sizes", good_sizes, 0, uses_one_arithmetic, 0},
    };
    cases_init(argc, argv);
    return suite_run("environment", tests, sizeof tests / sizeof *tests);
}
