/* SPDX-License-Identifier: MIT
 * Every size has the bits of cpu.reference in cpu.fast: forward, inverse and both filters, in each
 * layout, of reals and of integer pixels, tight or with gaps that must stay untouched, in place, on
 * several threads and with each instruction set that fuses. Sizes to 32 x 32, and larger ones of
 * each kind of line: powers of two, other factors, primes.
 */
#include <stdio.h>
#include <string.h>

#include "elements.h"
#include "expect.h"
#include "fast/caches.h"
#include "plan.h"
#include "suite.h"

typedef enum operation { TO_SPECTRUM, TO_IMAGE, BY_GAIN, BY_SPECTRUM, OPERATIONS } operation;

static const char *const operation_names[] = {"forward", "inverse", "by gain", "by spectrum"};

enum { GUARD = 64 }; /* bytes before and behind what is written: a line of the cache */

/* Begins with a line of the cache, as what is stored past the caches must. */
static void *at_a_line(size_t bytes) {
    void *made = aligned_alloc(GUARD, (bytes + GUARD - 1) / GUARD * GUARD);
    if (made == NULL)
        abort();
    return made;
}

/* Noise of `count` reals or integer pixels, gaps included. */
static void *noise(const weft_desc *d, weft_pixel pixel, uint64_t seed, size_t count) {
    double *values = must_alloc(count * sizeof *values);
    void *made = must_alloc(count * element_size(d->precision, pixel));
    if (pixel == WEFT_PIXEL_REAL)
        fill_noise(seed, d->precision, count, values);
    else
        fill_picture(PICTURE_RANDOM, pixel, seed, (shape){1, count}, values);
    for (size_t i = 0; i < count; i++)
        element_set(made, i, d->precision, pixel, values[i]);
    free(values);
    return made;
}

static size_t reals(size_t bytes, const weft_desc *d) {
    return bytes / element_size(d->precision, WEFT_PIXEL_REAL);
}

/* What goes in and by what it is multiplied. */
typedef struct operands {
    void *in, *by;
    size_t in_bytes, out_bytes;
} operands;

static operands operands_make(const weft_plan *plan, const weft_desc *d, operation which) {
    size_t image = plan_image_bytes(plan), spectrum = plan_spectrum_bytes(plan);
    size_t by =
        plan_transfer_bytes(plan, which == BY_GAIN ? WEFT_TRANSFER_GAIN : WEFT_TRANSFER_SPECTRUM);
    operands o = {.in_bytes = which == TO_IMAGE ? spectrum : image,
                  .out_bytes = which == TO_SPECTRUM ? spectrum : image};
    o.in = which == TO_IMAGE ? noise(d, WEFT_PIXEL_REAL, 1, reals(spectrum, d))
                             : noise(d, d->pixel, 1, image / element_size(d->precision, d->pixel));
    o.by = noise(d, WEFT_PIXEL_REAL, 2, reals(by, d));
    return o;
}

static void operands_free(operands *o) {
    free(o->in);
    free(o->by);
}

static weft_status call(const weft_plan *plan, operation which, const void *in, const void *by,
                        void *out, void *work) {
    return which == TO_SPECTRUM ? weft_forward(plan, in, out, work, NULL)
           : which == TO_IMAGE
               ? weft_inverse(plan, in, out, work, NULL)
               : weft_filter(plan, in, by,
                             which == BY_GAIN ? WEFT_TRANSFER_GAIN : WEFT_TRANSFER_SPECTRUM, out,
                             work, NULL);
}

static int may_be_in_place(const weft_desc *d, operation which) {
    return which > TO_IMAGE ||
           (d->pixel == WEFT_PIXEL_REAL && d->layout == WEFT_PACKED &&
            d->image_pitch == d->spectrum_pitch && d->image_stride == d->spectrum_stride);
}

/* All that the call writes, between two guards; to be freed. */
static char *result_of(const weft_desc *d, operation which, int in_place) {
    weft_plan *plan;
    check(weft_plan_create(&plan, d) == WEFT_OK, "%s %zux%zu: %s", d->strategy, d->height, d->width,
          weft_last_error());
    operands o = operands_make(plan, d, which);
    size_t bytes = o.out_bytes + 2 * GUARD, work_bytes = weft_plan_workspace(plan);
    char *all = at_a_line(bytes), *work = must_alloc(work_bytes + 2 * GUARD);
    memset(all, 0x55, bytes);
    memset(work, 0xff, work_bytes + 2 * GUARD); /* NaN */
    if (in_place)
        memcpy(all + GUARD, o.in, o.in_bytes);
    check(call(plan, which, in_place ? all + GUARD : o.in, o.by, all + GUARD, work + GUARD) ==
              WEFT_OK,
          "%s", weft_last_error());
    for (size_t i = 0; i < GUARD; i++)
        check((unsigned char)work[i] == 0xff && (unsigned char)work[GUARD + work_bytes + i] == 0xff,
              "%s %zux%zu %s: wrote beside its workspace", d->strategy, d->height, d->width,
              operation_names[which]);
    operands_free(&o);
    free(work);
    weft_plan_destroy(plan);
    return all;
}

static size_t result_bytes(const weft_desc *d, operation which) {
    weft_plan *plan;
    assert_int_equal(weft_plan_create(&plan, d), WEFT_OK);
    size_t bytes = which == TO_SPECTRUM ? plan_spectrum_bytes(plan) : plan_image_bytes(plan);
    weft_plan_destroy(plan);
    return bytes + 2 * GUARD;
}

/* One call on 1 and on 3 threads and in place, against cpu.reference on one. */
static void hold(const weft_desc *d, operation which) {
    static const int threads[] = {1, 3};
    for (int in_place = 0; in_place <= may_be_in_place(d, which); in_place++) {
        weft_desc by_reference = *d, by_fast = *d;
        by_reference.strategy = "cpu.reference";
        char *expected = result_of(&by_reference, which, in_place);
        for (size_t t = 0; t < sizeof threads / sizeof *threads; t++) {
            by_fast.threads = threads[t];
            char *got = result_of(&by_fast, which, in_place);
            check(memcmp(expected, got, result_bytes(d, which)) == 0,
                  "%s %zux%zu %s %s %s pixel %d, batch %zu, pitches %zu and %zu, %d threads%s: not "
                  "the bits of cpu.reference",
                  d->strategy, d->height, d->width, operation_names[which],
                  precision_name(d->precision), layout_name(d->layout), (int)d->pixel, d->batch,
                  d->image_pitch, d->spectrum_pitch, threads[t], in_place ? ", in place" : "");
            free(got);
        }
        free(expected);
    }
}

/* Two images, tight, or with equal gaps, or with different ones. */
static weft_desc with_gaps(const variant *v, shape s, int gaps) {
    weft_desc d = desc_of(v, s);
    size_t columns = v->layout == WEFT_HALF ? s.width / 2 + 1 : s.width;
    d.batch = 2;
    d.norm = WEFT_NORM_ORTHO;
    if (gaps > 0) {
        d.image_pitch = s.width + 3;
        d.image_stride = s.height * d.image_pitch + 5;
        d.spectrum_pitch = gaps == 1 ? d.image_pitch : columns + 1;
        d.spectrum_stride = gaps == 1 ? d.image_stride : s.height * d.spectrum_pitch + 7;
    }
    return d;
}

/* Every operation on reals, and every second one on one kind of integer pixels. */
static void hold_size(const variant *v, shape s) {
    for (operation which = TO_SPECTRUM; which < OPERATIONS; which++) {
        weft_desc d = with_gaps(v, s, (int)((s.height + s.width / 2 + which) % 3));
        hold(&d, which);
        d.pixel = (s.height + s.width) % 2 ? WEFT_PIXEL_U8 : WEFT_PIXEL_U16;
        if ((s.height / 2 + s.width / 2 + which) % 2 == 0)
            hold(&d, which);
    }
}

/* Half of the sizes in each layout, odd and even in every combination. */
static void small_sizes(const variant *v) {
    for (size_t h = 1; h <= SMALL_LIMIT; h++)
        for (size_t w = 1; w <= SMALL_LIMIT; w++)
            if (small_shape_wanted((shape){h, w}) && (h / 2 + w / 2) % 2 == (size_t)v->layout)
                hold_size(v, (shape){h, w});
}

/* Lines of every kind: with a factor list and without, with one stage and with many, longer than
 * the first-level cache; columns with classes; tiles and blocks that are not whole. */
static const shape larger[] = {
    {45, 70},
    {17, 139},
    {59, 34},
    {97, 127},
    {64, 48},
    {48, 64},
    {131, 23},
    {263, 14},
    {379, 9},
    {1, 211},
    {509, 1},
    {512, 30},
    {35, 512},
    {143, 77},
    {608, 46},
    {58, 899},
    /* not in quick mode: */
    {1, 4096},
    {4096, 1},
    {64, 1000},
    {1024, 36},
    {1000, 64},
    {2048, 19},
    {1430, 33},
    {33, 2310},
    {451, 300},
    {1021, 62},
    {66, 1031},
    {2557, 4},
};
enum { LARGER = sizeof larger / sizeof *larger, QUICK_LARGER = 16 };

static void larger_sizes(const variant *v) {
    for (size_t i = 0; i < (quick_mode() ? QUICK_LARGER : LARGER); i++)
        hold_size(v, larger[i]);
}

/* Images that have tasks for many threads, in single precision. */
static void large_sizes(const variant *v) {
    static const shape sizes[] = {{1000, 1000}, {1366, 768}, {30030, 3}, {3, 32749}};
    if (quick_mode())
        skip_because("it takes long under a sanitizer");
    for (size_t i = 0; v->precision == WEFT_F32 && i < sizeof sizes / sizeof *sizes; i++) {
        weft_desc d = desc_of(v, sizes[i]);
        hold(&d, TO_SPECTRUM);
        hold(&d, TO_IMAGE);
    }
}

/* Lines that do not fit into any cache. */
static void longest_lines(const variant *v) {
    static const shape sizes[] = {{1, 1 << 20}, {1 << 20, 1}, {1, 524287}, {800000, 2}};
    if (quick_mode())
        skip_because("it takes long under a sanitizer");
    for (size_t i = 0; v->precision == WEFT_F32 && i < sizeof sizes / sizeof *sizes; i++) {
        weft_desc d = desc_of(v, sizes[i]);
        hold(&d, i % 2 ? TO_IMAGE : TO_SPECTRUM);
    }
}

/* The linker has the library ask here for caches_of_cpu(). */
static const cpu_caches *pretended;
cpu_caches __real_caches_of_cpu(void);
cpu_caches __wrap_caches_of_cpu(void);

cpu_caches __wrap_caches_of_cpu(void) {
    return pretended != NULL ? *pretended : __real_caches_of_cpu();
}

/* Where all is stored past the caches, and where nothing is; with narrow tiles and with wide ones.
 */
static void other_cpus(const variant *v) {
    static const cpu_caches others[] = {{1, 1, CPU_OF_AMD},
                                        {1, 1, CPU_OF_OTHERS},
                                        {1 << 30, 1 << 30, CPU_OF_AMD},
                                        {1 << 30, 1 << 30, CPU_OF_OTHERS}};
    static const shape sizes[] = {{45, 96}, {68, 128}, {75, 160}, {1000, 64}};
    for (size_t n = 0; n < sizeof others / sizeof *others; n++) {
        pretended = &others[n];
        for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
            for (operation which = TO_SPECTRUM; which < OPERATIONS; which++) {
                weft_desc d = desc_of(v, sizes[i]);
                hold(&d, which);
            }
        pretended = NULL;
    }
}

static void instruction_sets(const variant *v) {
    static const char *const sets[] = {"plain", "v3", "v4"};
    const char *before = getenv("WEFT_ISA");
    char *kept = before != NULL ? strdup(before) : NULL;
    for (size_t i = 0; i < sizeof sets / sizeof *sets; i++) {
        weft_plan *plan;
        weft_desc d = desc_of(v, larger[0]);
        setenv("WEFT_ISA", sets[i], 1);
        weft_status status = weft_plan_create(&plan, &d);
        check(status == WEFT_OK || (i > 0 && status == WEFT_UNSUPPORTED), "%s", weft_last_error());
        weft_plan_destroy(plan);
        for (size_t n = 0; status == WEFT_OK && n < QUICK_LARGER; n++)
            hold_size(v, larger[n]);
    }
    if (kept != NULL)
        setenv("WEFT_ISA", kept, 1);
    else
        unsetenv("WEFT_ISA");
    free(kept);
}

int main(int argc, char **argv) {
    static const suite_test tests[] = {
        {"sizes to 32x32", small_sizes, 1, is_fast, 0},
        {"larger sizes", larger_sizes, 1, is_fast, 0},
        {"large sizes", large_sizes, 0, is_fast, 0},
        {"longest lines", longest_lines, 0, is_fast, 0},
        {"other CPUs", other_cpus, 0, is_fast, 0},
        {"instruction sets", instruction_sets, 1, is_fast, 0},
    };
    cases_init(argc, argv);
    suite_takes_fused();
    return suite_run("any_size", tests, sizeof tests / sizeof *tests);
}
