/* SPDX-License-Identifier: MIT
 * The promise of equal bits, held to bits.def, a committed table of hashes: every strategy that
 * uses src/arith, on CPU and GPU, gives these; cpu.fast with every instruction set that fuses, on
 * any number of threads, in any position of a batch. Packed spectra of reals at many sizes, all
 * else that can be asked for at a few. Other bits are a decision: `test_bits --print cpu.fast`
 * writes the table anew.
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "buffer.h"
#include "expect.h"
#include "fast/tuning.h"
#include "refusals.h"
#include "suite.h"

/* What is called; a row of the table names one. */
typedef enum call {
    FORWARD,
    INVERSE,
    FORWARD_HALF,
    INVERSE_HALF,
    FORWARD_U8,
    INVERSE_U8,
    FORWARD_U16_HALF,
    INVERSE_U16_HALF,
    BY_GAIN,
    BY_GAIN_HALF,
    BY_SPECTRUM,
    BY_SPECTRUM_HALF,
    U8_BY_GAIN,
    U16_BY_SPECTRUM_HALF,
    CALLS
} call;

typedef enum operation { TO_SPECTRUM, TO_IMAGE, FILTER } operation;

/* WEFT_NORM_ORTHO has factors both ways, and not only powers of two. */
static const struct about_call {
    const char *name;
    operation operation;
    weft_pixel pixel;
    weft_layout layout;
    weft_norm norm;
    weft_transfer transfer; /* of a filter */
} calls[] = {
#define CALL(call, ...) [call] = {#call, __VA_ARGS__}
    CALL(FORWARD, TO_SPECTRUM, WEFT_PIXEL_REAL, WEFT_PACKED, WEFT_NORM_BACKWARD, 0),
    CALL(INVERSE, TO_IMAGE, WEFT_PIXEL_REAL, WEFT_PACKED, WEFT_NORM_BACKWARD, 0),
    CALL(FORWARD_HALF, TO_SPECTRUM, WEFT_PIXEL_REAL, WEFT_HALF, WEFT_NORM_ORTHO, 0),
    CALL(INVERSE_HALF, TO_IMAGE, WEFT_PIXEL_REAL, WEFT_HALF, WEFT_NORM_ORTHO, 0),
    CALL(FORWARD_U8, TO_SPECTRUM, WEFT_PIXEL_U8, WEFT_PACKED, WEFT_NORM_ORTHO, 0),
    CALL(INVERSE_U8, TO_IMAGE, WEFT_PIXEL_U8, WEFT_PACKED, WEFT_NORM_ORTHO, 0),
    CALL(FORWARD_U16_HALF, TO_SPECTRUM, WEFT_PIXEL_U16, WEFT_HALF, WEFT_NORM_ORTHO, 0),
    CALL(INVERSE_U16_HALF, TO_IMAGE, WEFT_PIXEL_U16, WEFT_HALF, WEFT_NORM_ORTHO, 0),
    CALL(BY_GAIN, FILTER, WEFT_PIXEL_REAL, WEFT_PACKED, WEFT_NORM_ORTHO, WEFT_TRANSFER_GAIN),
    CALL(BY_GAIN_HALF, FILTER, WEFT_PIXEL_REAL, WEFT_HALF, WEFT_NORM_ORTHO, WEFT_TRANSFER_GAIN),
    CALL(BY_SPECTRUM, FILTER, WEFT_PIXEL_REAL, WEFT_PACKED, WEFT_NORM_ORTHO,
         WEFT_TRANSFER_SPECTRUM),
    CALL(BY_SPECTRUM_HALF, FILTER, WEFT_PIXEL_REAL, WEFT_HALF, WEFT_NORM_ORTHO,
         WEFT_TRANSFER_SPECTRUM),
    CALL(U8_BY_GAIN, FILTER, WEFT_PIXEL_U8, WEFT_PACKED, WEFT_NORM_ORTHO, WEFT_TRANSFER_GAIN),
    CALL(U16_BY_SPECTRUM_HALF, FILTER, WEFT_PIXEL_U16, WEFT_HALF, WEFT_NORM_ORTHO,
         WEFT_TRANSFER_SPECTRUM),
};

typedef struct row {
    shape size;
    call call;
    uint64_t hash[2]; /* by precision */
} row;

static const row table[] = {
#include "bits.def"
};
enum { ROWS = sizeof table / sizeof *table };

/* FNV-1a. What was hashed last is kept: mostly the same is hashed again, with other threads. */
static uint64_t hash_of(const void *bytes, size_t count) {
    static void *kept;
    static size_t kept_count;
    static uint64_t hash;
    if (kept != NULL && count == kept_count && memcmp(kept, bytes, count) == 0)
        return hash;
    free(kept);
    kept = must_alloc(kept_count = count);
    memcpy(kept, bytes, count);
    hash = 0xcbf29ce484222325u;
    for (size_t i = 0; i < count; i++)
        hash = (hash ^ ((const unsigned char *)bytes)[i]) * 0x100000001b3u;
    return hash;
}

/* ---- what goes in: the same numbers for every strategy -----------------------------------------
 */

/* As elements of that type; frees the values. */
static void *elements(double *values, size_t count, weft_precision precision, weft_pixel pixel) {
    void *made = must_alloc(count * 8);
    for (size_t i = 0; i < count; i++)
        element_set(made, i, precision, pixel, values[i]);
    free(values);
    return made;
}

static void *new_image(const weft_desc *d) {
    size_t count = d->height * d->width;
    double *values = must_alloc(count * sizeof *values);
    if (d->pixel == WEFT_PIXEL_REAL)
        fill_noise(5, d->precision, count, values);
    else
        fill_picture(PICTURE_RANDOM, d->pixel, 5, (shape){d->height, d->width}, values);
    return elements(values, count, d->precision, d->pixel);
}

/* Noise, for WEFT_HALF with what is not Hermitian too. Of pixels, it becomes a picture about the
 * middle of their range, with some of it out of that. */
static void *new_spectrum(const weft_desc *d) {
    size_t count = tight_spectrum_reals(d);
    double *values = must_alloc(count * sizeof *values);
    fill_noise(5, d->precision, count, values);
    if (d->pixel != WEFT_PIXEL_REAL) {
        double levels = d->pixel == WEFT_PIXEL_U8 ? 256 : 65536;
        for (size_t i = 0; i < count; i++)
            values[i] *= levels;
        values[0] = levels / 2 * sqrt((double)d->height * (double)d->width);
    }
    return elements(values, count, d->precision, WEFT_PIXEL_REAL);
}

/* The last one is kept: the same is wanted with other threads, or the other way. */
static const void *input_of(const weft_desc *d, operation o) {
    static weft_desc last;
    static int was_spectrum;
    static void *kept;
    int is_spectrum = o == TO_IMAGE;
    /* Noise is noise, as an image or as a packed spectrum. */
    int same_kind =
        is_spectrum == was_spectrum || (d->pixel == WEFT_PIXEL_REAL && d->layout == WEFT_PACKED);
    if (kept == NULL || !same_kind || last.height != d->height || last.width != d->width ||
        last.precision != d->precision || last.pixel != d->pixel || last.layout != d->layout) {
        free(kept);
        kept = is_spectrum ? new_spectrum(d) : new_image(d);
        last = *d;
        was_spectrum = is_spectrum;
    }
    return kept;
}

/* A picture keeps its mean. */
static void *new_transfer(const weft_desc *d, weft_transfer kind) {
    size_t count =
        kind == WEFT_TRANSFER_GAIN ? d->height * (d->width / 2 + 1) : tight_spectrum_reals(d);
    double *values = must_alloc(count * sizeof *values);
    fill_noise(6, d->precision, count, values);
    for (size_t i = 0; i < count && kind == WEFT_TRANSFER_GAIN; i++)
        values[i] += 1;
    values[0] = 1;
    return elements(values, count, d->precision, WEFT_PIXEL_REAL);
}

/* ---- what comes out ----------------------------------------------------------------------------
 */

static weft_desc desc_of_call(const variant *v, shape size, call which) {
    weft_desc d = desc_of(v, size);
    d.pixel = calls[which].pixel;
    d.layout = calls[which].layout;
    d.norm = calls[which].norm;
    return d;
}

static weft_status execute(const weft_plan *plan, const weft_desc *d, const struct about_call *c,
                           const void *input, void *output) {
    if (c->operation == TO_SPECTRUM)
        return weft_forward_host(plan, input, output);
    if (c->operation == TO_IMAGE)
        return weft_inverse_host(plan, input, output);
    void *transfer = new_transfer(d, c->transfer);
    weft_status status = weft_filter_host(plan, input, transfer, c->transfer, output);
    free(transfer);
    return status;
}

/* Begins with a line of the cache, as what is stored past the caches must. */
enum { LINE = 64 };

static char *whole_lines(size_t bytes) {
    char *made = aligned_alloc(LINE, (bytes + LINE - 1) / LINE * LINE);
    if (made == NULL)
        abort();
    return made;
}

/* Of the first image of the batch that d describes; all are the same, and must become the same.
 * They come to lie so many bytes behind the beginning of a line. 0 where the strategy refuses. */
static int hash_off_a_line(size_t off, const weft_desc *d, call which, uint64_t *hash) {
    const struct about_call *c = &calls[which];
    size_t images = d->batch ? d->batch : 1;
    size_t in = c->operation == TO_IMAGE ? tight_spectrum_bytes(d) : tight_image_bytes(d);
    size_t out = c->operation == TO_SPECTRUM ? tight_spectrum_bytes(d) : tight_image_bytes(d);
    weft_plan *plan;
    weft_status status = weft_plan_create(&plan, d);
    check(status == WEFT_OK || status == WEFT_UNSUPPORTED, "%s", weft_last_error());
    if (status != WEFT_OK)
        return 0;
    const void *one = input_of(d, c->operation);
    char *all = images > 1 ? must_alloc(images * in) : NULL;
    char *memory = whole_lines(off + images * out), *result = memory + off;
    for (size_t i = 0; all != NULL && i < images; i++)
        memcpy(all + i * in, one, in);
    memset(result, 0xff, images * out); /* not the right bits of the run before */
    check(execute(plan, d, c, all != NULL ? all : one, result) == WEFT_OK, "%s", weft_last_error());
    for (size_t i = 1; i < images; i++)
        check(memcmp(result, result + i * out, out) == 0, "%s %zux%zu %s: image %zu has other bits",
              d->strategy, d->height, d->width, c->name, i);
    *hash = hash_of(result, out);
    free(memory);
    free(all);
    weft_plan_destroy(plan);
    return 1;
}

static int hash_of_call(const weft_desc *d, call which, uint64_t *hash) {
    return hash_off_a_line(0, d, which, hash);
}

/* Returns whether it ran. */
static int hold(const weft_desc *d, const row *r, const char *how) {
    uint64_t hash;
    if (!hash_of_call(d, r->call, &hash))
        return 0;
    check(hash == r->hash[d->precision], "%s %zux%zu %s%s: other bits than bits.def", d->strategy,
          d->height, d->width, calls[r->call].name, how);
    return 1;
}

/* ---- the tests ---------------------------------------------------------------------------------
 */

static size_t pixels_of(const row *r) {
    return r->size.height * r->size.width;
}

/* Small enough to be run many times. */
static int is_small(const row *r) {
    return pixels_of(r) <= (quick_mode() ? 1 << 13 : 1 << 16);
}

/* A CPU's one thread is slow, and so is everything under a sanitizer. */
static int is_quick_enough(const row *r, const char *name) {
    if (!is_cuda(name) && !uses_threads(name))
        return is_small(r);
    return !quick_mode() || pixels_of(r) <= (r->call <= INVERSE ? 1 << 18 : 1 << 14);
}

/* What a strategy takes on every machine that it runs on; it may take more. */
static int must_take(const variant *v, shape s) {
    const strategy_sizes sizes = strategy_of(v->strategy, v->precision)->sizes;
    size_t shorter = s.height < s.width ? s.height : s.width;
    size_t longer = s.height > s.width ? s.height : s.width;
    return (!sizes.powers_of_two || (is_power_of_two(s.height) && is_power_of_two(s.width))) &&
           (!sizes.squares || s.height == s.width) && shorter >= sizes.shortest &&
           (sizes.longest == 0 || longer <= sizes.longest);
}

/* Returns whether it ran; it may refuse only what it need not take. */
static int hold_or_refuse(const variant *v, const weft_desc *d, const row *r, const char *how) {
    int ran = hold(d, r, how);
    check(ran || !must_take(v, r->size), "%s %zux%zu %s%s: refused: %s", d->strategy, d->height,
          d->width, calls[r->call].name, how, weft_last_error());
    return ran;
}

static void bits_of_the_table(const variant *v) {
    int ran = 0;
    for (size_t i = 0; i < ROWS; i++) {
        weft_desc d = desc_of_call(v, table[i].size, table[i].call);
        ran += is_quick_enough(&table[i], v->strategy) && hold_or_refuse(v, &d, &table[i], "");
    }
    check(ran > 0, "%s took no size of the table", v->strategy);
}

/* cpu.fast takes no more threads than there are tiles or pairs of rows, and room for: of small
 * images mostly fewer than asked for, here all. */
static int has_work_for_all(const row *r) {
    return r->size.height == 512 && r->size.width == 2048;
}

static const int thread_counts[] = {1, 2, 3, 7, 16};
enum { THREAD_COUNTS = sizeof thread_counts / sizeof *thread_counts };

/* Every one of them, or in quick mode every second. */
static int next_count(int t) {
    return t + (quick_mode() ? 2 : 1);
}

static void any_number_of_threads(const variant *v) {
    int large = 0;
    for (size_t i = 0; i < ROWS; i++) {
        int is_large = has_work_for_all(&table[i]) && !quick_mode();
        large += is_large;
        for (int t = 0; (is_small(&table[i]) || is_large) && t < THREAD_COUNTS; t = next_count(t)) {
            char how[40];
            weft_desc d = desc_of_call(v, table[i].size, table[i].call);
            d.threads = thread_counts[t];
            snprintf(how, sizeof how, ", %d threads", thread_counts[t]);
            assert_true(hold(&d, &table[i], how));
            d.batch = 3; /* one after the other, or each on a thread of its own */
            assert_true(is_large || hold(&d, &table[i], strcat(how, ", batch of 3")));
        }
    }
    assert_true(large == (quick_mode() ? 0 : CALLS));
}

/* What weft.h allows to be one memory. */
static int may_be_in_place(call which) {
    const struct about_call *c = &calls[which];
    return c->operation == FILTER || (c->pixel == WEFT_PIXEL_REAL && c->layout == WEFT_PACKED);
}

/* A batch of images of the row in one memory for all; images and spectra are then as large. */
static void hold_in_place(const row *r, weft_desc d) {
    const struct about_call *c = &calls[r->call];
    size_t bytes = tight_image_bytes(&d);
    char *memory = whole_lines(d.batch * bytes);
    weft_plan *plan;
    for (size_t b = 0; b < d.batch; b++)
        memcpy(memory + b * bytes, input_of(&d, c->operation), bytes);
    check(weft_plan_create(&plan, &d) == WEFT_OK && execute(plan, &d, c, memory, memory) == WEFT_OK,
          "%s", weft_last_error());
    for (size_t b = 0; b < d.batch; b++)
        check(hash_of(memory + b * bytes, bytes) == r->hash[d.precision],
              "%s %zux%zu %s in place, %zu of %zu: other bits than bits.def", d.strategy, d.height,
              d.width, c->name, b, d.batch);
    weft_plan_destroy(plan);
    free(memory);
}

static void in_place(const variant *v) {
    int ran = 0;
    for (size_t i = 0; i < ROWS; i++) {
        const row *r = &table[i];
        weft_desc d = desc_of_call(v, r->size, r->call);
        if (!may_be_in_place(r->call) || !is_quick_enough(r, v->strategy) || pixels_of(r) > 1 << 20)
            continue;
        d.batch = 1;
        hold_in_place(r, d);
        ran++;
        d.batch = 3;
        d.threads = 3;
        if (is_small(r))
            hold_in_place(r, d);
    }
    assert_true(ran > 0);
}

static void any_position_of_a_batch(const variant *v) {
    for (size_t i = 0; i < ROWS; i++) {
        weft_desc d = desc_of_call(v, table[i].size, table[i].call);
        d.batch = 3;
        if (is_small(&table[i]))
            hold_or_refuse(v, &d, &table[i], ", batch of 3");
    }
}

static char *caller_instructions; /* what WEFT_ISA was, or NULL: getenv()'s own text may go */

static void keep_caller_instructions(void) {
    const char *before = getenv("WEFT_ISA");
    caller_instructions = before != NULL ? strdup(before) : NULL;
}

static void ask_for_instructions(const char *set) {
    setenv("WEFT_ISA", set, 1);
}

static void restore_instructions(void) {
    if (caller_instructions != NULL)
        setenv("WEFT_ISA", caller_instructions, 1);
    else
        unsetenv("WEFT_ISA");
}

/* Plain C needs nothing that a CPU may not have. */
static int is_everywhere(const char *set) {
    return strcmp(set, "plain") == 0;
}

/* On several numbers of threads: with other vectors there are other tiles to share. */
static void with_instructions(const variant *v, const char *set) {
    char how[40];
    int ran = 0, wanted = 0;
    ask_for_instructions(set);
    for (size_t i = 0; i < ROWS; i++) {
        int is_large = has_work_for_all(&table[i]) && !quick_mode();
        for (int t = 0; (is_small(&table[i]) || is_large) && t < THREAD_COUNTS; t += 2) {
            weft_desc d = desc_of_call(v, table[i].size, table[i].call);
            d.threads = thread_counts[t];
            snprintf(how, sizeof how, ", WEFT_ISA=%s, %d threads", set, thread_counts[t]);
            ran += hold(&d, &table[i], how);
            wanted++;
        }
    }
    restore_instructions();
    check(ran == wanted || (ran == 0 && !is_everywhere(set)), "WEFT_ISA=%s: ran %d of %d", set, ran,
          wanted);
    if (ran == 0)
        skip_because("%s", weft_last_error());
}

static void in_plain_c(const variant *v) {
    with_instructions(v, "plain");
}

static void with_v3(const variant *v) {
    with_instructions(v, "v3");
}

static void with_v4(const variant *v) {
    with_instructions(v, "v4");
}

/* Of larger ones what people transform most: with each instruction set, plain C only up to where
 * its calls of fma() take long, and with the best one on several numbers of threads. */
static void of_larger_images(const variant *v) {
    static const char *const sets[] = {"plain", "v3", "v4"};
    enum { SETS = sizeof sets / sizeof *sets };
    int ran[SETS] = {0}, wanted[SETS] = {0};
    char how[40];
    if (quick_mode())
        skip_because("it takes long under a sanitizer");
    for (size_t i = 0; i < ROWS; i++) {
        const row *r = &table[i];
        weft_desc d = desc_of_call(v, r->size, r->call);
        if (is_small(r) || r->call > INVERSE)
            continue;
        for (size_t k = 0; k < SETS; k++) {
            if (is_everywhere(sets[k]) && pixels_of(r) > 1 << 20)
                continue;
            wanted[k]++;
            snprintf(how, sizeof how, ", WEFT_ISA=%s", sets[k]);
            ask_for_instructions(sets[k]);
            ran[k] += hold(&d, r, how);
            restore_instructions();
        }
        for (int t = 1; t < THREAD_COUNTS; t += 3) {
            snprintf(how, sizeof how, ", %d threads", thread_counts[t]);
            d.threads = thread_counts[t];
            assert_true(hold(&d, r, how));
        }
    }
    for (size_t k = 0; k < SETS; k++)
        check(ran[k] == wanted[k] || (ran[k] == 0 && !is_everywhere(sets[k])),
              "WEFT_ISA=%s: ran %d of %d", sets[k], ran[k], wanted[k]);
}

/* The rows of an image or a spectrum as the description lays them out, in bytes. */
typedef struct laid_out {
    size_t rows, used, pitch, stride;
} laid_out;

static laid_out image_laid_out(const weft_desc *d) {
    size_t used = tight_image_bytes(d) / d->height, element = used / d->width;
    return (laid_out){d->height, used, d->image_pitch * element, d->image_stride * element};
}

static laid_out spectrum_laid_out(const weft_desc *d) {
    size_t columns = d->layout == WEFT_HALF ? d->width / 2 + 1 : d->width;
    size_t used = tight_spectrum_bytes(d) / d->height, element = used / columns;
    return (laid_out){d->height, used, d->spectrum_pitch * element, d->spectrum_stride * element};
}

/* Two images with gaps between rows, and `between` elements more between them. */
static weft_desc desc_with_gaps(const variant *v, const row *r, size_t image_pitch,
                                size_t spectrum_pitch, size_t between) {
    weft_desc d = desc_of_call(v, r->size, r->call);
    d.batch = 2;
    d.image_pitch = image_pitch;
    d.image_stride = d.height * d.image_pitch + between;
    if (calls[r->call].operation != FILTER) { /* whose transfer is laid out so, too */
        d.spectrum_pitch = spectrum_pitch;
        d.spectrum_stride = d.height * d.spectrum_pitch + between;
    }
    return d;
}

static size_t columns_of_spectrum(const row *r) {
    size_t width = r->size.width;
    return calls[r->call].layout == WEFT_HALF ? width / 2 + 1 : width;
}

/* Rows that do not begin where a vector or a line of the cache does. */
static weft_desc odd_rows(const variant *v, const row *r) {
    return desc_with_gaps(v, r, r->size.width + 3, columns_of_spectrum(r) + 1, 5);
}

/* Rows of whole lines, of half spectra too, as what is stored past the caches must have. */
static weft_desc rows_of_lines(const variant *v, const row *r) {
    return desc_with_gaps(v, r, r->size.width + LINE, (columns_of_spectrum(r) / LINE + 1) * LINE,
                          0);
}

/* Returns whether it ran. */
static int hold_with_gaps(const row *r, weft_desc d, const char *how) {
    const struct about_call *c = &calls[r->call];
    laid_out in = c->operation == TO_IMAGE ? spectrum_laid_out(&d) : image_laid_out(&d);
    laid_out out = c->operation == TO_SPECTRUM ? spectrum_laid_out(&d) : image_laid_out(&d);
    char *input = whole_lines(d.batch * in.stride), *output = whole_lines(d.batch * out.stride);
    char *tight = must_alloc(out.rows * out.used);
    weft_plan *plan;
    memset(input, 0xff, d.batch * in.stride); /* gaps are NaN */
    memset(output, 0xff, d.batch * out.stride);
    for (size_t b = 0; b < d.batch; b++)
        for (size_t k = 0; k < in.rows; k++)
            memcpy(input + b * in.stride + k * in.pitch,
                   (const char *)input_of(&d, c->operation) + k * in.used, in.used);
    weft_status status = weft_plan_create(&plan, &d);
    check(status == WEFT_OK || status == WEFT_UNSUPPORTED, "%s", weft_last_error());
    if (status == WEFT_OK)
        check(execute(plan, &d, c, input, output) == WEFT_OK, "%s", weft_last_error());
    for (size_t b = 0; status == WEFT_OK && b < d.batch; b++) {
        for (size_t k = 0; k < out.rows; k++)
            memcpy(tight + k * out.used, output + b * out.stride + k * out.pitch, out.used);
        check(hash_of(tight, out.rows * out.used) == r->hash[d.precision],
              "%s %zux%zu %s with gaps%s: other bits than bits.def", d.strategy, d.height, d.width,
              c->name, how);
    }
    weft_plan_destroy(plan);
    free(tight);
    free(output);
    free(input);
    return status == WEFT_OK;
}

static void with_gaps(const variant *v) {
    static const char *const sets[] = {"plain", "v3", "v4"};
    char how[40];
    for (size_t k = 0; k < sizeof sets / sizeof *sets; k++) {
        int ran = 0, wanted = 0;
        snprintf(how, sizeof how, ", WEFT_ISA=%s", sets[k]);
        ask_for_instructions(sets[k]);
        for (size_t i = 0; i < ROWS; i++) {
            const row *r = &table[i];
            if (is_small(r)) {
                ran += hold_with_gaps(r, odd_rows(v, r), how);
                ran += hold_with_gaps(r, rows_of_lines(v, r), how);
                wanted += 2;
            }
        }
        restore_instructions();
        check(ran == wanted || (ran == 0 && !is_everywhere(sets[k])), "WEFT_ISA=%s: ran %d of %d",
              sets[k], ran, wanted);
    }
}

/* The linker has the library ask here for caches_of_cpu(). */
static const cpu_caches *pretended;
cpu_caches __real_caches_of_cpu(void);
cpu_caches __wrap_caches_of_cpu(void);

cpu_caches __wrap_caches_of_cpu(void) {
    return pretended != NULL ? *pretended : __real_caches_of_cpu();
}

/* What cpu.fast chooses on other CPUs: all that can be stored past the caches, and nothing; tiles
 * as AMD's want them, and the others. */
static void on_other_cpus(const variant *v) {
    static const cpu_caches others[] = {{1, 1, CPU_OF_AMD},
                                        {1, 1, CPU_OF_OTHERS},
                                        {1 << 15, 1 << 30, CPU_OF_AMD},
                                        {1 << 15, 1 << 30, CPU_OF_OTHERS},
                                        {1 << 30, 1 << 30, CPU_OF_AMD},
                                        {1 << 30, 1 << 30, CPU_OF_OTHERS}};
    char how[80];
    for (size_t n = 0; n < sizeof others / sizeof *others; n++) {
        pretended = &others[n];
        snprintf(how, sizeof how, ", on %s CPU with %zu and %zu bytes of cache",
                 others[n].maker == CPU_OF_AMD ? "AMD's" : "another", others[n].second,
                 others[n].last);
        for (size_t i = 0; i < ROWS; i++) {
            const row *r = &table[i];
            size_t most = quick_mode() ? 1 << 14 : 1 << 16;
            int is_large = has_work_for_all(r) && !quick_mode();
            if (pixels_of(r) > most && !is_large)
                continue;
            /* With one thread or with two, in turn from row to row and from one pair of caches to
             * the next. */
            weft_desc tight = desc_of_call(v, r->size, r->call), lines = rows_of_lines(v, r);
            tight.threads = lines.threads = 1 + (int)((i + n / 2) % 2);
            check(hold(&tight, r, how) && hold_with_gaps(r, lines, how), "%s", weft_last_error());
        }
        pretended = NULL;
    }
}

/* 0 where the CPU has not those instructions. */
static int hash_with(const char *set, const weft_desc *d, call which, uint64_t *hash) {
    ask_for_instructions(set);
    int ran = hash_of_call(d, which, hash);
    restore_instructions();
    return ran;
}

/* Large images are stored past the caches, but not by plain C, nor where rows are not whole lines;
 * on a CPU without caches every image is. */
static void past_the_caches(const variant *v) {
    static const cpu_caches none = {1, 1, CPU_OF_OTHERS};
    static const char *const sets[] = {"v3", "v4"};
    int ran = 0;
    pretended = &none;
    for (size_t i = 0; i < ROWS; i++) {
        const row *r = &table[i];
        weft_desc d = desc_of_call(v, r->size, r->call);
        uint64_t hash;
        if (pixels_of(r) < 1 << 12 || pixels_of(r) > (quick_mode() ? 1 << 13 : 1 << 16))
            continue;
        assert_true(hash_off_a_line(16, &d, r->call, &hash));
        check(hash == r->hash[d.precision], "%s %zux%zu %s, off a line: other bits", d.strategy,
              d.height, d.width, calls[r->call].name);
        for (size_t k = 0; k < sizeof sets / sizeof *sets; k++) {
            ask_for_instructions(sets[k]);
            int has = hold(&d, r, ", past the caches");
            ran += has;
            d.batch = 1;
            if (has && may_be_in_place(r->call))
                hold_in_place(r, d);
            restore_instructions();
        }
    }
    pretended = NULL;
    if (ran == 0)
        skip_because("there are no vectors here, which alone are stored past the caches");
}

/* Without fused operations the bits are others; that the numbers are right, other programs see. */
static void without_fused_operations(const variant *v) {
    weft_desc d = desc_of(v, (shape){64, 64});
    uint64_t fused, unfused;
    assert_true(hash_of_call(&d, FORWARD, &fused));
    if (!hash_with("v2", &d, FORWARD, &unfused))
        skip_because("this CPU has not the instructions of x86-64-v2");
    assert_int_not_equal(fused, unfused);
}

static void unknown_instruction_set(const variant *v) {
    weft_desc d = desc_of(v, (shape){16, 16});
    weft_plan *plan;
    ask_for_instructions("sse9");
    weft_status status = weft_plan_create(&plan, &d);
    restore_instructions();
    assert_int_equal(status, WEFT_BAD_ARGUMENT);
    assert_non_null(strstr(weft_last_error(), "sse9"));
}

/* The sizes of all calls: with classes of columns and without, those that are an option of
 * cuda.onchip, and one with work for many threads. */
static int is_for_all_calls(shape s) {
    static const shape few[] = {{16, 16},   {64, 32},   {64, 64},   {128, 128},
                                {256, 256}, {256, 512}, {1024, 64}, {512, 2048}};
    for (size_t i = 0; i < sizeof few / sizeof *few; i++)
        if (few[i].height == s.height && few[i].width == s.width)
            return 1;
    return 0;
}

static void print_row(const char *name, shape s, call which) {
    uint64_t hash[2] = {0};
    for (int p = WEFT_F32; p <= WEFT_F64; p++) {
        variant v = {name, (weft_precision)p, WEFT_PACKED};
        weft_desc d = desc_of_call(&v, s, which);
        if (!hash_of_call(&d, which, &hash[p]))
            return;
    }
    printf("{{%zu, %zu}, %s, {0x%016" PRIx64 ", 0x%016" PRIx64 "}},\n", s.height, s.width,
           calls[which].name, hash[0], hash[1]);
}

/* All sizes up to 4096; beyond, where lines have a stage more, thin ones. */
static int is_in_the_table(shape s) {
    size_t longer = s.height > s.width ? s.height : s.width;
    return longer <= 4096 || s.height * s.width == 16 * longer;
}

/* Sizes that are no powers of two, beside them short lines and long ones: other factors, with one
 * stage and with many; odd heights and widths; primes; columns with classes; picture sizes. */
static const shape other_sizes[] = {
    {1, 1},     {2, 3},      {3, 2},       {5, 5},     {6, 7},      {7, 6},     {9, 8},
    {8, 9},     {11, 13},    {13, 11},     {15, 49},   {17, 16},    {16, 17},   {23, 20},
    {20, 23},   {27, 25},    {29, 30},     {53, 14},   {59, 40},    {1, 97},    {97, 1},
    {1, 4096},  {4096, 1},   {45, 70},     {64, 48},   {48, 64},    {100, 131}, {131, 100},
    {121, 169}, {512, 30},   {30, 512},    {143, 77},  {210, 330},  {251, 36},  {451, 300},
    {1024, 60}, {768, 1366}, {1000, 1000}, {1080, 96}, {1080, 1920}};

static int is_for_all_calls_of_others(shape s) {
    return (s.height == 45 && s.width == 70) || (s.height == 512 && s.width == 30) ||
           (s.height == 131 && s.width == 100);
}

static void print_table(const char *name) {
    puts("/* SPDX-License-Identifier: MIT\n"
         " * Hashes of spectra and images, see test_bits.c: {{height, width}, call, {f32, f64}}.\n"
         " * Written by `test_bits --print cpu.fast`.\n"
         " */");
    for (size_t h = 16; h <= 16384; h *= 2)
        for (size_t w = 16; w <= 16384; w *= 2)
            for (call which = FORWARD; which < CALLS && is_in_the_table((shape){h, w}); which++)
                if (which <= INVERSE || is_for_all_calls((shape){h, w}))
                    print_row(name, (shape){h, w}, which);
    for (size_t i = 0; i < sizeof other_sizes / sizeof *other_sizes; i++)
        for (call which = FORWARD; which < CALLS; which++)
            if (which <= INVERSE || is_for_all_calls_of_others(other_sizes[i]))
                print_row(name, other_sizes[i], which);
}

int main(int argc, char **argv) {
    static const suite_test tests[] = {
        {"bits of the table", bits_of_the_table, 0, uses_one_arithmetic, 0},
        {"bits in any position of a batch", any_position_of_a_batch, 0, uses_one_arithmetic, 0},
        {"bits in place", in_place, 0, is_fast, 0},
        {"bits on any number of threads", any_number_of_threads, 0, is_fast, 0},
        {"bits in plain C", in_plain_c, 0, is_fast, 0},
        {"bits of x86-64-v3", with_v3, 0, is_fast, 0},
        {"bits of x86-64-v4", with_v4, 0, is_fast, 0},
        {"bits of larger images", of_larger_images, 0, is_fast, 0},
        {"bits with gaps", with_gaps, 0, is_fast, 0},
        {"bits on other CPUs", on_other_cpus, 0, is_fast, 0},
        {"bits past the caches", past_the_caches, 0, is_fast, 0},
        {"without fused operations", without_fused_operations, 0, is_fast, 0},
        {"unknown instruction set", unknown_instruction_set, 0, is_fast, 0},
    };
    if (argc == 3 && strcmp(argv[1], "--print") == 0) {
        print_table(argv[2]);
        return 0;
    }
    cases_init(argc, argv);
    suite_takes_fused();
    keep_caller_instructions();
    int failed = suite_run("bits", tests, sizeof tests / sizeof *tests);
    free(caller_instructions);
    return failed;
}
