/* SPDX-License-Identifier: MIT
 * One plan, many callers: host threads with data of their own get the bits of a serial run; the
 * number of threads inside changes no bit; tuned strategies give the bits of cpu.reference. Callers
 * may be cancelled. The linker turns what asks OpenMP for threads into __wrap_omp_*.
 */
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
#include <time.h>

#include "buffer.h"
#include "expect.h"
#include "suite.h"

enum { MOST_CALLERS = 8, ROUNDS = 3 };

/* One caller: its image, and the spectrum and image that it made of it. */
typedef struct caller {
    const weft_plan *plan;
    size_t image_bytes, spectrum_bytes;
    void *image, *spectrum, *back;
    weft_status status;
    pthread_t thread;
} caller;

static size_t images_of(const weft_desc *d) {
    return d->batch > 0 ? d->batch : 1;
}

/* Noise, or pictures of noise. */
static void fill_images(const weft_desc *d, uint64_t seed, size_t count, double *values) {
    if (d->pixel == WEFT_PIXEL_REAL)
        fill_noise(seed, d->precision, count, values);
    else
        fill_picture(PICTURE_RANDOM, d->pixel, seed, (shape){1, count}, values);
}

static caller caller_make(const weft_plan *plan, const weft_desc *d, uint64_t seed) {
    size_t count = images_of(d) * d->height * d->width;
    double *values = must_alloc(count * sizeof *values);
    caller c = {.plan = plan,
                .image_bytes = images_of(d) * tight_image_bytes(d),
                .spectrum_bytes = images_of(d) * tight_spectrum_bytes(d)};
    c.image = must_alloc(c.image_bytes);
    c.spectrum = must_alloc(c.spectrum_bytes);
    c.back = must_alloc(c.image_bytes);
    fill_images(d, seed, count, values);
    for (size_t i = 0; i < count; i++)
        element_set(c.image, i, d->precision, d->pixel, values[i]);
    free(values);
    return c;
}

static void caller_free(caller *c) {
    free(c->image);
    free(c->spectrum);
    free(c->back);
}

static void *call(void *given) {
    caller *c = given;
    for (int round = 0; round < ROUNDS; round++) {
        memset(c->spectrum, 0xff, c->spectrum_bytes);
        memset(c->back, 0xff, c->image_bytes);
        c->status = weft_forward_host(c->plan, c->image, c->spectrum);
        if (c->status == WEFT_OK)
            c->status = weft_inverse_host(c->plan, c->spectrum, c->back);
        if (c->status != WEFT_OK)
            break;
    }
    return NULL;
}

static int same_bits(const caller *a, const caller *b) {
    return memcmp(a->spectrum, b->spectrum, a->spectrum_bytes) == 0 &&
           memcmp(a->back, b->back, a->image_bytes) == 0;
}

static void run_together(const weft_plan *plan, const weft_desc *d, size_t count) {
    caller serial[MOST_CALLERS], together[MOST_CALLERS];
    for (size_t i = 0; i < count; i++) {
        serial[i] = caller_make(plan, d, i);
        together[i] = caller_make(plan, d, i);
        call(&serial[i]);
        assert_int_equal(serial[i].status, WEFT_OK);
    }
    for (size_t i = 0; i < count; i++)
        assert_int_equal(pthread_create(&together[i].thread, NULL, call, &together[i]), 0);
    for (size_t i = 0; i < count; i++)
        pthread_join(together[i].thread, NULL);
    for (size_t i = 0; i < count; i++) {
        assert_int_equal(together[i].status, WEFT_OK);
        check(same_bits(&serial[i], &together[i]), "%s: caller %zu of %zu got other bits",
              d->strategy, i, count);
        caller_free(&serial[i]);
        caller_free(&together[i]);
    }
}

static void callers_share_a_plan(const variant *v) {
    static const shape sizes[] = {{64, 128}, {32, 32}, {45, 70}, {64, 64}};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        weft_plan *plan;
        weft_desc d = desc_of(v, sizes[i]);
        weft_status status = weft_plan_create(&plan, &d);
        check(status == WEFT_OK || status == WEFT_UNSUPPORTED, "%s", weft_last_error());
        if (status != WEFT_OK)
            continue;
        run_together(plan, &d, 2);
        run_together(plan, &d, 8);
        weft_plan_destroy(plan);
    }
}

/* Plans made, used and destroyed by many threads concurrently. */
static void *make_and_use(void *given) {
    caller *c = given;
    weft_plan *plan;
    weft_desc d = *(const weft_desc *)(const void *)c->plan;
    c->status = weft_plan_create(&plan, &d);
    if (c->status == WEFT_OK)
        c->status = weft_forward_host(plan, c->image, c->spectrum);
    weft_plan_destroy(plan);
    return NULL;
}

static void plans_in_parallel(const variant *v) {
    size_t side = side_taken(v->strategy, v->precision);
    weft_desc d = desc_of(v, (shape){side, side});
    caller callers[MOST_CALLERS];
    for (size_t i = 0; i < MOST_CALLERS; i++) {
        callers[i] = caller_make((const weft_plan *)(const void *)&d, &d, 1);
        assert_int_equal(pthread_create(&callers[i].thread, NULL, make_and_use, &callers[i]), 0);
    }
    for (size_t i = 0; i < MOST_CALLERS; i++) {
        pthread_join(callers[i].thread, NULL);
        check(callers[i].status == WEFT_OK, "%s: caller %zu: %s", v->strategy, i,
              weft_status_string(callers[i].status));
        check(memcmp(callers[0].spectrum, callers[i].spectrum, callers[i].spectrum_bytes) == 0,
              "%s: caller %zu got other bits", v->strategy, i);
    }
    for (size_t i = 0; i < MOST_CALLERS; i++)
        caller_free(&callers[i]);
}

/* Runs one image under a description into c. 0 when the strategy refuses it. */
static int run_alone(const weft_desc *d, caller *c) {
    weft_plan *plan;
    weft_status status = weft_plan_create(&plan, d);
    check(status == WEFT_OK || status == WEFT_UNSUPPORTED, "%s", weft_last_error());
    *c = caller_make(plan, d, 77);
    if (status == WEFT_OK)
        call(c);
    check(c->status == WEFT_OK, "%s: %s", d->strategy, weft_last_error());
    weft_plan_destroy(plan);
    return status == WEFT_OK;
}

static const shape compared[] = {{1, 1},    {2, 2},     {8, 8},    {16, 64}, {64, 16},
                                 {7, 9},    {64, 64},   {128, 96}, {1, 256}, {256, 1},
                                 {37, 139}, {128, 128}, {256, 256}};
enum { COMPARED = sizeof compared / sizeof *compared };

static void threads_change_no_bit(const variant *v) {
    static const int threads[] = {0, 2, 3, 8};
    for (size_t i = 0; i < COMPARED; i++) {
        caller one, many;
        weft_desc d = desc_of(v, compared[i]);
        d.threads = 1;
        int runs = run_alone(&d, &one);
        for (size_t t = 0; runs && t < sizeof threads / sizeof *threads; t++) {
            d.threads = threads[t];
            run_alone(&d, &many);
            check(same_bits(&one, &many), "%s %zux%zu: %d threads give other bits", v->strategy,
                  d.height, d.width, d.threads);
            caller_free(&many);
        }
        caller_free(&one);
    }
}

/* All of a batch gives the bits that each image gives by itself. */
static void hold_to_images_alone(const weft_desc *batch) {
    weft_desc d = *batch;
    weft_plan *plan;
    caller all, one;
    check(weft_plan_create(&plan, &d) == WEFT_OK, "%s", weft_last_error());
    all = caller_make(plan, &d, 5);
    call(&all);
    check(all.status == WEFT_OK, "%s", weft_last_error());
    weft_plan_destroy(plan);
    d.batch = 1;
    d.threads = 1;
    check(weft_plan_create(&plan, &d) == WEFT_OK, "%s", weft_last_error());
    one = caller_make(plan, &d, 0);
    for (size_t i = 0; i < batch->batch; i++) {
        memcpy(one.image, (char *)all.image + i * one.image_bytes, one.image_bytes);
        call(&one);
        check(memcmp(one.spectrum, (char *)all.spectrum + i * one.spectrum_bytes,
                     one.spectrum_bytes) == 0 &&
                  memcmp(one.back, (char *)all.back + i * one.image_bytes, one.image_bytes) == 0,
              "%s %zux%zu, pixel %d, %d threads: image %zu of %zu has other bits than alone",
              d.strategy, d.height, d.width, (int)d.pixel, batch->threads, i, batch->batch);
    }
    weft_plan_destroy(plan);
    caller_free(&all);
    caller_free(&one);
}

/* One after the other by all threads, or each by a thread of its own. */
static void images_of_a_batch(const variant *v) {
    static const shape sizes[] = {{16, 16}, {64, 64}, {32, 256}, {45, 70}, {17, 36}, {256, 256}};
    size_t count = sizeof sizes / sizeof *sizes - (quick_mode() ? 1 : 0);
    for (size_t i = 0; i < count; i++)
        for (weft_pixel pixel = WEFT_PIXEL_REAL; pixel <= WEFT_PIXEL_U16; pixel++)
            for (int threads = 1; threads <= 8; threads += 1 + threads / 2) {
                weft_desc d = desc_of(v, sizes[i]);
                d.pixel = pixel;
                d.batch = 5;
                d.threads = threads;
                hold_to_images_alone(&d);
            }
}

/* ---- how threads are asked for, and callers end ------------------------------------------------
 */

int __real_omp_get_max_threads(void);
int __real_omp_get_thread_limit(void);
int __wrap_omp_get_max_threads(void);
int __wrap_omp_get_thread_limit(void);

static atomic_int questions; /* to OpenMP */

int __wrap_omp_get_max_threads(void) {
    questions++;
    return __real_omp_get_max_threads();
}

int __wrap_omp_get_thread_limit(void) {
    questions++;
    return __real_omp_get_thread_limit();
}

static void one_thread_without_openmp(const variant *v) {
    caller c;
    weft_desc d = desc_of(v, (shape){64, 64});
    d.threads = 1;
    questions = 0;
    run_alone(&d, &c);
    check(questions == 0, "%s: asked OpenMP %d times", v->strategy, questions);
    caller_free(&c);
}

static void *call_until_cancelled(void *given) {
    for (;;) {
        call(given);
        pthread_testcancel();
    }
    return NULL;
}

/* Wherever it is then, its team ends its work, and so do those after it. */
static void cancelled_callers(const variant *v) {
    enum { TIMES = 20, MOMENT = 3000000, LONGER = 700000 /* ns */ };
    weft_plan *plan;
    weft_desc d = desc_of(v, (shape){256, 256});
    d.threads = 3;
    check(weft_plan_create(&plan, &d) == WEFT_OK, "%s", weft_last_error());
    for (int i = 0; i < TIMES; i++) {
        const struct timespec moment = {.tv_nsec = MOMENT + i * LONGER};
        void *result;
        caller c = caller_make(plan, &d, 1);
        assert_int_equal(pthread_create(&c.thread, NULL, call_until_cancelled, &c), 0);
        nanosleep(&moment, NULL);
        pthread_cancel(c.thread);
        pthread_join(c.thread, &result);
        check(result == PTHREAD_CANCELED, "caller %d was not cancelled", i);
        caller_free(&c);
    }
    run_together(plan, &d, 2);
    weft_plan_destroy(plan);
}

static int is_tuned(const char *name) {
    return uses_one_arithmetic(name) && strcmp(name, "cpu.reference") != 0;
}

static void bits_of_the_reference(const variant *v) {
    for (size_t i = 0; i < COMPARED; i++) {
        caller reference, tuned;
        weft_desc d = desc_of(v, compared[i]);
        int runs = run_alone(&d, &tuned);
        d.strategy = "cpu.reference";
        run_alone(&d, &reference);
        check(!runs || same_bits(&reference, &tuned), "%s %zux%zu: not the bits of cpu.reference",
              v->strategy, d.height, d.width);
        caller_free(&reference);
        caller_free(&tuned);
    }
}

/* An image; twice that where a small input is kept, because it may be overwritten. */
static size_t most_workspace(const weft_desc *d) {
    const size_t most_kept = 1 << 12;
    size_t real = d->precision == WEFT_F32 ? sizeof(float) : sizeof(double);
    size_t image = d->height * d->width * real, threads = (size_t)d->threads;
    size_t most = d->pixel != WEFT_PIXEL_REAL ? 2 * image + 8 * d->width + 3072
                  : image <= most_kept        ? 2 * image
                                              : image;
    return image > 1 << 20 ? most : (d->batch < threads ? d->batch : threads) * most;
}

/* However many threads and images there are. */
static void workspace_of_an_image(const variant *v) {
    for (size_t height = 16; height <= 4096; height *= 2)
        for (size_t width = 16; width <= 4096; width *= 2)
            for (int threads = 1; threads <= 64; threads *= quick_mode() ? 8 : 2)
                for (weft_pixel pixel = WEFT_PIXEL_REAL; pixel <= WEFT_PIXEL_U16; pixel++)
                    for (size_t batch = 1; batch <= 16; batch *= 16) {
                        weft_desc d = desc_of(v, (shape){height, width});
                        weft_plan *plan;
                        d.threads = threads;
                        d.pixel = pixel;
                        d.batch = batch;
                        check(weft_plan_create(&plan, &d) == WEFT_OK, "%s", weft_last_error());
                        check(weft_plan_workspace(plan) <= most_workspace(&d),
                              "%s %zux%zux%zu, %d threads, pixel %d: workspace of %zu bytes",
                              v->strategy, height, width, batch, threads, (int)pixel,
                              weft_plan_workspace(plan));
                        weft_plan_destroy(plan);
                    }
}

int main(int argc, char **argv) {
    static const suite_test tests[] = {
        {"callers share a plan", callers_share_a_plan, 1, NULL, 0},
        {"plans in parallel", plans_in_parallel, 0, NULL, 0},
        {"threads change no bit", threads_change_no_bit, 1, NULL, 0},
        {"bits of cpu.reference", bits_of_the_reference, 1, is_tuned, 0},
        {"images of a batch", images_of_a_batch, 1, is_fast, 0},
        {"one thread without OpenMP", one_thread_without_openmp, 0, uses_threads, 0},
        {"cancelled callers", cancelled_callers, 0, uses_threads, 0},
        {"workspace of an image", workspace_of_an_image, 1, is_fast, 0},
    };
    cases_init(argc, argv);
    suite_takes_fused();
    return suite_run("threads", tests, sizeof tests / sizeof *tests);
}
