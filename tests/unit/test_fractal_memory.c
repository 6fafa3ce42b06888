/* SPDX-License-Identifier: MIT
 * Memory of the fractal codec: the k-th allocation fails, for k = 1, 2, ... until an encoder or a
 * decoder is made, and gives WEFT_NO_MEMORY and no leak; frames are encoded and decoded without
 * any; and what is refused is refused before. The linker turns malloc into __wrap_malloc here.
 */
#include <string.h>

#include "expect.h"
#include "fractal_clips.h"
#include "stream.h"

void *__real_malloc(size_t bytes);
void *__real_calloc(size_t count, size_t bytes);
void *__real_realloc(void *memory, size_t bytes);
void *__real_aligned_alloc(size_t alignment, size_t bytes);
void __real_free(void *memory);
void *__wrap_malloc(size_t bytes);
void *__wrap_calloc(size_t count, size_t bytes);
void *__wrap_realloc(void *memory, size_t bytes);
void *__wrap_aligned_alloc(size_t alignment, size_t bytes);
void __wrap_free(void *memory);

static int is_armed;
static long until_failure, taken, living;

static int must_fail(void) {
    if (is_armed && taken >= until_failure) {
        return 1;
    }
    taken += is_armed;
    return 0;
}

static void *counted(void *memory) {
    living += is_armed && memory != NULL;
    return memory;
}

void *__wrap_malloc(size_t bytes) {
    return must_fail() ? NULL : counted(__real_malloc(bytes));
}

void *__wrap_calloc(size_t count, size_t bytes) {
    return must_fail() ? NULL : counted(__real_calloc(count, bytes));
}

void *__wrap_realloc(void *memory, size_t bytes) {
    if (must_fail()) {
        return NULL;
    }
    return memory != NULL ? __real_realloc(memory, bytes) : counted(__real_realloc(memory, bytes));
}

void *__wrap_aligned_alloc(size_t alignment, size_t bytes) {
    return must_fail() ? NULL : counted(__real_aligned_alloc(alignment, bytes));
}

void __wrap_free(void *memory) {
    living -= is_armed && memory != NULL;
    __real_free(memory);
}

static void arm(long allowed) {
    is_armed = 1;
    until_failure = allowed;
    taken = living = 0;
}

static void check_encoders(const char *name, weft_fractal_profile profile) {
    const weft_fractal_desc d = {.height = 40,
                                 .width = 50,
                                 .chroma = WEFT_FRACTAL_420,
                                 .profile = profile,
                                 .search = name,
                                 .threads = 1};
    weft_fractal_encoder *encoder = NULL;
    weft_fractal_frame frame;
    weft_status status = WEFT_NO_MEMORY;
    size_t size;
    for (long k = 0; status == WEFT_NO_MEMORY; k++) {
        arm(k);
        status = weft_fractal_encoder_create(&encoder, &d);
        is_armed = 0;
        if (status == WEFT_UNSUPPORTED || status == WEFT_NO_DEVICE) {
            return; /* not this profile, or not here */
        }
        check(k >= 2 || status == WEFT_NO_MEMORY, "%s: made after %ld allocations", name, k);
        check(status == WEFT_OK || living == 0, "%s: %ld blocks leak", name, living);
        check(k < 100, "%s: %s", name, weft_last_error());
    }
    assert_int_equal(status, WEFT_OK);
    uint8_t *out = must_alloc(weft_fractal_encoder_bound(encoder));
    for (int i = 0; i < 3; i++) {
        weft_fractal_picture p = draw(SCENE_MOVING, d.height, d.width, d.chroma, i);
        arm(0);
        status = weft_fractal_encode(encoder, &p, out, &size, &frame);
        is_armed = 0;
        check(status == WEFT_OK && taken == 0, "%s: frame %d allocates: %s", name, i,
              weft_last_error());
        free(p.plane[0]);
    }
    weft_fractal_encoder_destroy(encoder);
    free(out);
}

static void encoders(void **state) {
    (void)state;
    for (int i = 0; weft_fractal_search_name(i) != NULL; i++) {
        if (strcmp(weft_fractal_search_name(i), "cuda") == 0) {
            continue; /* allocations of a CUDA runtime are not the library's */
        }
        check_encoders(weft_fractal_search_name(i), WEFT_FRACTAL_SEED);
        check_encoders(weft_fractal_search_name(i), WEFT_FRACTAL_DENSE);
    }
}

static void decoders(void **state) {
    const weft_fractal_desc d = {
        .height = 40, .width = 50, .chroma = WEFT_FRACTAL_420, .search = "seq"};
    stream s = encode_scene(&d, SCENE_MOVING, 3);
    uint8_t *pixels = must_alloc(picture_bytes(40, 50, d.chroma));
    weft_fractal_picture p = picture_in(pixels, 40, 50, d.chroma);
    weft_fractal_decoder *decoder = NULL;
    weft_status status = WEFT_NO_MEMORY;
    (void)state;
    for (long k = 0; status == WEFT_NO_MEMORY; k++) {
        arm(k);
        status = weft_fractal_decoder_create(&decoder, NULL, s.bytes, s.begin[0]);
        is_armed = 0;
        check(status == WEFT_OK || living == 0, "%ld blocks leak", living);
        check(k < 100, "%s", weft_last_error());
    }
    assert_int_equal(status, WEFT_OK);
    for (int i = 0; i < 3; i++) {
        arm(0);
        status =
            weft_fractal_decode(decoder, s.bytes + s.begin[i], s.begin[i + 1] - s.begin[i], &p);
        is_armed = 0;
        check(status == WEFT_OK && taken == 0, "frame %d allocates: %s", i, weft_last_error());
    }
    weft_fractal_decoder_destroy(decoder);
    free(pixels);
    free(s.bytes);
}

/* The largest picture with the most iterations that a header can ask for. */
static size_t largest_header(uint8_t *header, weft_fractal_profile profile) {
    const int is_dense = profile == WEFT_FRACTAL_DENSE;
    const weft_fractal_stream s = {.height = 65535,
                                   .width = 65535,
                                   .chroma = WEFT_FRACTAL_444,
                                   .profile = profile,
                                   .block_size = 4,
                                   .domain_step = is_dense ? 2 : 8,
                                   .scales = 1,
                                   .scale = {1},
                                   .iterations = 32};
    return stream_write(&s, 0, header);
}

static void check_bomb(const uint8_t *header, size_t size, const weft_fractal_decoding *limits,
                       const char *text) {
    weft_fractal_decoder *decoder;
    arm(0);
    weft_status status = weft_fractal_decoder_create(&decoder, limits, header, size);
    is_armed = 0;
    check(status == WEFT_UNSUPPORTED && taken == 0, "%s: status %d", text, (int)status);
    check(strstr(weft_last_error(), text) != NULL, "\"%s\" does not say %s", weft_last_error(),
          text);
}

/* Limits hold before the first allocation. */
static void bombs(void **state) {
    const weft_fractal_desc d = {.height = 40, .width = 50, .search = "seq"};
    static const weft_fractal_decoding limits[] = {{.most_pixels = 40 * 56 - 1},
                                                   {.most_work = 5 * 40 * 56 - 1},
                                                   {.most_pixels = 4 * 40 * 56 - 1, .scale = 2}};
    static const char *const texts[] = {"2239 are", "11199 are", "8959 are"};
    uint8_t header[MOST_HEADER_BYTES];
    stream s = encode_scene(&d, SCENE_FLAT, 1);
    (void)state;
    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++) {
        check_bomb(s.bytes, s.begin[0], &limits[i], texts[i]);
    }
    free(s.bytes);
    for (int profile = WEFT_FRACTAL_SEED; profile <= WEFT_FRACTAL_DENSE; profile++) {
        size_t size = largest_header(header, (weft_fractal_profile)profile);
        check_bomb(header, size, NULL, "12884901888 pixels of all planes");
        check_bomb(header, size, &(weft_fractal_decoding){.most_pixels = (size_t)1 << 40},
                   "412316860416 pixels to be computed");
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(encoders),
        cmocka_unit_test(decoders),
        cmocka_unit_test(bombs),
    };
    return cmocka_run_group_tests_name("fractal memory", tests, NULL, NULL);
}
