/* SPDX-License-Identifier: MIT
 * What may be handed to weft_forward and its kin: NULL, misaligned, overlapping and foreign
 * pointers are refused before a byte is written; what weft.h allows is accepted.
 */
#include <string.h>

#include "buffer.h"
#include "expect.h"
#include "plan.h"
#include "suite.h"

/* One block of memory; operands are offsets into it. image and spectrum take up to EXTENT bytes. */
typedef struct arena {
    weft_plan *plan;
    buffer memory;
} arena;

enum {
    LEAST_SIDE = 64,
    MOST_SIDE = 256,
    EXTENT = 1 << 20,
    AT_IMAGE = 0,
    AT_SPECTRUM = EXTENT,
    AT_OUT = 2 * EXTENT,
    AT_WORK = 3 * EXTENT
};
static const size_t nowhere = (size_t)-1;

/* A square that the strategy takes. */
static weft_desc basic(const variant *v) {
    size_t taken = side_taken(v->strategy, v->precision);
    size_t side = taken < LEAST_SIDE ? LEAST_SIDE : taken;
    return (weft_desc){.height = side,
                       .width = side,
                       .precision = v->precision,
                       .layout = v->layout,
                       .strategy = v->strategy};
}

static arena arena_make(const weft_desc *d) {
    arena a;
    check(weft_plan_create(&a.plan, d) == WEFT_OK, "%s", weft_last_error());
    size_t bytes = AT_WORK + weft_plan_workspace(a.plan) + EXTENT;
    assert_int_equal(
        buffer_make(&a.memory, plan_strategy(a.plan)->space, d->device, line_grid(bytes), 64),
        WEFT_OK);
    /* Zeros are a legal image and a legal spectrum. */
    assert_int_equal(buffer_poison(&a.memory, 0), WEFT_OK);
    return a;
}

static void arena_free(arena *a) {
    buffer_free(&a->memory);
    weft_plan_destroy(a->plan);
}

static void *at(const arena *a, size_t offset) {
    return offset == nowhere ? NULL : (char *)buffer_memory(&a->memory) + offset;
}

static void refused(const arena *a, weft_status status, const char *text) {
    check(status == WEFT_BAD_ARGUMENT, "%s, \"%s\" expected: %s", weft_plan_strategy(a->plan), text,
          weft_status_string(status));
    check(strstr(weft_last_error(), text) != NULL, "\"%s\" is not in: %s", text, weft_last_error());
    ptrdiff_t change;
    assert_int_equal(buffer_find_change(&a->memory, &change), WEFT_OK);
    check(change == NOWHERE, "%s: refused (%s) but wrote at byte %td", weft_plan_strategy(a->plan),
          text, change);
}

/* Neither direction takes these operands. */
static void refuse(const arena *a, size_t image, size_t spectrum, size_t work, const char *text) {
    refused(a, weft_forward(a->plan, at(a, image), at(a, spectrum), at(a, work), NULL), text);
    refused(a, weft_inverse(a->plan, at(a, spectrum), at(a, image), at(a, work), NULL), text);
}

static void accept(arena *a, size_t image, size_t spectrum, size_t work) {
    check(weft_forward(a->plan, at(a, image), at(a, spectrum), at(a, work), NULL) == WEFT_OK, "%s",
          weft_last_error());
    check(weft_inverse(a->plan, at(a, spectrum), at(a, image), at(a, work), NULL) == WEFT_OK, "%s",
          weft_last_error());
    assert_int_equal(buffer_get(&a->memory), WEFT_OK);
}

static void null_pointers(const variant *v) {
    weft_desc d = basic(v);
    arena a = arena_make(&d);
    refuse(&a, nowhere, AT_SPECTRUM, AT_WORK, "image is NULL");
    refuse(&a, AT_IMAGE, nowhere, AT_WORK, "spectrum is NULL");
    if (weft_plan_workspace(a.plan) > 0)
        refuse(&a, AT_IMAGE, AT_SPECTRUM, nowhere, "work is NULL");
    refused(&a, weft_forward(NULL, at(&a, 0), at(&a, AT_SPECTRUM), at(&a, AT_WORK), NULL), "plan");
    refused(&a, weft_inverse(NULL, at(&a, 0), at(&a, AT_SPECTRUM), at(&a, AT_WORK), NULL), "plan");
    arena_free(&a);
}

static void alignment(const variant *v) {
    weft_desc d = basic(v);
    arena a = arena_make(&d);
    size_t real = v->precision == WEFT_F32 ? 4 : 8;
    refuse(&a, AT_IMAGE + 1, AT_SPECTRUM, AT_WORK, "image");
    refuse(&a, AT_IMAGE + real / 2, AT_SPECTRUM, AT_WORK, "align");
    refuse(&a, AT_IMAGE, AT_SPECTRUM + real / 2, AT_WORK, "spectrum");
    if (weft_plan_workspace(a.plan) > 0)
        refuse(&a, AT_IMAGE, AT_SPECTRUM, AT_WORK + 8, "work");
    accept(&a, AT_IMAGE + real, AT_SPECTRUM + 2 * real, AT_WORK + 16);
    arena_free(&a);
}

static void overlaps(const variant *v) {
    weft_desc d = basic(v);
    arena a = arena_make(&d);
    size_t image = plan_image_bytes(a.plan), spectrum = plan_spectrum_bytes(a.plan);
    size_t work = weft_plan_workspace(a.plan);
    refuse(&a, AT_IMAGE, AT_IMAGE + 16, AT_WORK, "overlap");
    refuse(&a, AT_IMAGE, AT_IMAGE + image - 16, AT_WORK, "overlap");
    refuse(&a, AT_SPECTRUM + spectrum - 16, AT_SPECTRUM, AT_WORK, "overlap");
    accept(&a, AT_IMAGE, AT_IMAGE + image, AT_WORK);
    accept(&a, AT_SPECTRUM + spectrum, AT_SPECTRUM, AT_WORK);
    if (work > 0) {
        refuse(&a, AT_WORK + work - 16, AT_SPECTRUM, AT_WORK, "overlap");
        refuse(&a, AT_IMAGE, AT_WORK + work - 16, AT_WORK, "overlap");
        refuse(&a, AT_IMAGE, AT_WORK + 64, AT_WORK, "overlap");
        accept(&a, AT_WORK - image, AT_WORK + work, AT_WORK);
    }
    arena_free(&a);
}

/* If the strategy takes the description at all. */
static void refuse_in_place(const weft_desc *d) {
    weft_plan *plan;
    weft_status status = weft_plan_create(&plan, d);
    weft_plan_destroy(plan);
    if (status == WEFT_UNSUPPORTED)
        return;
    arena a = arena_make(d);
    refuse(&a, AT_IMAGE, AT_IMAGE, AT_WORK, "overlap");
    arena_free(&a);
}

/* In place: only PACKED, REAL, equal pitches and strides. */
static void aliasing(const variant *v) {
    weft_desc d = basic(v);
    arena a = arena_make(&d);
    if (v->layout == WEFT_PACKED)
        accept(&a, AT_IMAGE, AT_IMAGE, AT_WORK);
    else
        refuse(&a, AT_IMAGE, AT_IMAGE, AT_WORK, "overlap");
    arena_free(&a);
    weft_desc gapped = d, pixels = d, strided = d;
    gapped.image_pitch = d.width + 2;
    pixels.pixel = WEFT_PIXEL_U16;
    strided.batch = 2;
    strided.image_stride = d.height * d.width + 2;
    refuse_in_place(&gapped);
    refuse_in_place(&pixels);
    refuse_in_place(&strided);
}

static void refuse_filter(const arena *a, size_t image, size_t transfer, weft_transfer kind,
                          size_t out, size_t work, const char *text) {
    refused(
        a, weft_filter(a->plan, at(a, image), at(a, transfer), kind, at(a, out), at(a, work), NULL),
        text);
}

static void filter_operands(const variant *v) {
    weft_desc d = basic(v);
    arena a = arena_make(&d);
    for (int kind = WEFT_TRANSFER_SPECTRUM; kind <= WEFT_TRANSFER_GAIN; kind++) {
        weft_transfer k = (weft_transfer)kind;
        refuse_filter(&a, nowhere, AT_SPECTRUM, k, AT_OUT, AT_WORK, "NULL");
        refuse_filter(&a, AT_IMAGE, nowhere, k, AT_OUT, AT_WORK, "transfer is NULL");
        refuse_filter(&a, AT_IMAGE, AT_SPECTRUM, k, nowhere, AT_WORK, "NULL");
        if (weft_plan_workspace(a.plan) > 0) {
            refuse_filter(&a, AT_IMAGE, AT_SPECTRUM, k, AT_OUT, nowhere, "work is NULL");
            refuse_filter(&a, AT_IMAGE, AT_WORK + 16, k, AT_OUT, AT_WORK, "overlap");
        }
        refuse_filter(&a, AT_IMAGE, AT_SPECTRUM + 2, k, AT_OUT, AT_WORK, "transfer");
        refuse_filter(&a, AT_IMAGE, AT_SPECTRUM, k, AT_IMAGE + 16, AT_WORK, "overlap");
        refuse_filter(&a, AT_IMAGE, AT_OUT + 16, k, AT_OUT, AT_WORK, "overlap");
        refuse_filter(&a, AT_IMAGE, AT_OUT, k, AT_OUT, AT_WORK, "overlap");
        check(weft_filter(a.plan, at(&a, AT_IMAGE), at(&a, AT_SPECTRUM), k, at(&a, AT_IMAGE),
                          at(&a, AT_WORK), NULL) == WEFT_OK,
              "%s", weft_last_error());
        assert_int_equal(buffer_get(&a.memory), WEFT_OK);
    }
    refuse_filter(&a, AT_IMAGE, AT_SPECTRUM, (weft_transfer)2, AT_OUT, AT_WORK, "kind 2");
    arena_free(&a);
}

static void foreign_memory(const variant *v) {
    weft_desc d = basic(v);
    arena a = arena_make(&d);
    void *host = must_alloc(EXTENT);
    refused(&a, weft_forward(a.plan, host, at(&a, AT_SPECTRUM), at(&a, AT_WORK), NULL), "image");
    refused(&a, weft_forward(a.plan, at(&a, AT_IMAGE), host, at(&a, AT_WORK), NULL), "spectrum");
    free(host);
    arena_free(&a);
}

static void host_calls(const variant *v) {
    weft_desc d = basic(v);
    arena a = arena_make(&d);
    static double image[MOST_SIDE * MOST_SIDE], spectrum[MOST_SIDE * (MOST_SIDE / 2 + 1) * 2],
        gain[MOST_SIDE * (MOST_SIDE / 2 + 1)];
    memset(image, 0, sizeof image);
    memset(gain, 0, sizeof gain);
    memset(spectrum, 0x55, sizeof spectrum);
    refused(&a, weft_forward_host(NULL, image, spectrum), "plan is NULL");
    refused(&a, weft_inverse_host(NULL, spectrum, image), "plan is NULL");
    refused(&a, weft_filter_host(NULL, image, gain, WEFT_TRANSFER_GAIN, image), "plan is NULL");
    refused(&a, weft_forward_host(a.plan, NULL, spectrum), "NULL");
    refused(&a, weft_forward_host(a.plan, image, NULL), "NULL");
    refused(&a, weft_inverse_host(a.plan, NULL, image), "NULL");
    refused(&a, weft_inverse_host(a.plan, spectrum, NULL), "NULL");
    refused(&a, weft_filter_host(a.plan, image, NULL, WEFT_TRANSFER_GAIN, image), "NULL");
    refused(&a, weft_filter_host(a.plan, image, gain, (weft_transfer)5, image), "kind 5");
    for (size_t i = 0; i < sizeof spectrum; i++)
        assert_int_equal(((unsigned char *)spectrum)[i], 0x55);
    assert_int_equal(weft_forward_host(a.plan, image, spectrum), WEFT_OK);
    assert_int_equal(weft_filter_host(a.plan, image, gain, WEFT_TRANSFER_GAIN, image), WEFT_OK);
    arena_free(&a);
}

int main(int argc, char **argv) {
    static const suite_test tests[] = {
        {"null pointers", null_pointers, 1, NULL, 0},
        {"alignment", alignment, 1, NULL, 0},
        {"overlaps", overlaps, 1, NULL, 0},
        {"aliasing", aliasing, 1, NULL, 0},
        {"filter operands", filter_operands, 1, NULL, 0},
        {"foreign memory", foreign_memory, 0, is_cuda, 0},
        {"host calls", host_calls, 1, NULL, 0},
    };
    cases_init(argc, argv);
    return suite_run("pointers", tests, sizeof tests / sizeof *tests);
}
