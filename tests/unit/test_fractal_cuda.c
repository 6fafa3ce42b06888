/* SPDX-License-Identifier: MIT
 * The fractal codec on a GPU, through the library: with every option the streams of the search cuda
 * are those of seq and cpu, byte for byte, over photographs, clips and odd sizes. Tells how fast it
 * was; skips where there is no GPU. test_fractal_cuda FOLDER.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "expect.h"
#include "fractal_clips.h"
#include "fractal_photographs.h"

static const char *folder;

/* Under a sanitizer of the GPU there is time for little. */
static int is_quick(void) {
    return getenv("WEFT_TEST_QUICK") != NULL;
}

static void skip_without_gpu(void) {
    const weft_fractal_desc d = {.height = 8, .width = 8, .search = "cuda"};
    weft_fractal_encoder *encoder;
    weft_status status = weft_fractal_encoder_create(&encoder, &d);
    weft_fractal_encoder_destroy(encoder);
    if (status == WEFT_NO_DEVICE) {
        skip_because("%s", weft_last_error());
    } else if (!WEFT_TEST_CUDA) {
        skip_because("built without CUDA");
    }
    check(status == WEFT_OK, "%s", weft_last_error());
}

/* All of a choice that changes no code: numbers 0 to CHOICES - 1. */
enum { BLOCKS = 4, UNROLLS = 4, CHOICES = 16 * BLOCKS * UNROLLS };

static weft_fractal_desc with_choice(weft_fractal_desc d, int choice) {
    static const int blocks[BLOCKS] = {0, 32, 96, 256}, unrolls[UNROLLS] = {0, 1, 2, 4};
    d.search = "cuda";
    d.arith = choice & 1 ? WEFT_FRACTAL_FLOAT : WEFT_FRACTAL_FIXED;
    d.codebook = choice & 2 ? WEFT_FRACTAL_DEVICE : WEFT_FRACTAL_HOST;
    d.store_scaled = choice >> 2 & 1;
    d.no_reorder = choice >> 3 & 1;
    d.block = blocks[choice / 16 % BLOCKS];
    d.unroll = unrolls[choice / 16 / BLOCKS];
    return d;
}

static void check_same(const char *what, int choice, const stream *expected, const stream *found) {
    check(found->size == expected->size &&
              memcmp(found->bytes, expected->bytes, expected->size) == 0,
          "%s, choice %d: another stream", what, choice);
    for (int i = 0; i < expected->frames; i++) {
        const weft_fractal_frame *e = &expected->frame[i], *f = &found->frame[i];
        for (int k = 0; k < e->planes; k++) {
            check(e->plane[k].domains == f->plane[k].domains &&
                      e->plane[k].terms_evaluated == f->plane[k].terms_evaluated &&
                      e->plane[k].mean_square_error == f->plane[k].mean_square_error,
                  "%s, choice %d, frame %d: other counts", what, choice, i);
        }
    }
}

/* Choices 0, step, 2 step ... of one picture, against another search. */
static void check_picture(const char *what, const weft_fractal_desc *given,
                          weft_fractal_picture picture, const char *search, int step) {
    weft_fractal_desc d = *given;
    d.search = search;
    stream expected = encode_pictures(&d, &picture, 1);
    for (int choice = 0; choice < CHOICES; choice += step) {
        d = with_choice(*given, choice);
        stream found = encode_pictures(&d, &picture, 1);
        check_same(what, choice, &expected, &found);
        free(found.bytes);
    }
    free(expected.bytes);
    free(picture.plane[0]);
}

static void photographs(void **state) {
    static const char *const names[] = {"astronaut", "camera", "coffee", "brick"};
    (void)state;
    skip_without_gpu();
    for (int i = is_quick() ? 3 : 0; i < 4; i++) {
        const weft_fractal_desc d = {
            .height = CIF_HEIGHT, .width = CIF_WIDTH, .pruning = 30 * i, .no_flat = i == 2};
        check_picture(names[i], &d, photograph(folder, names[i]), "cpu", is_quick() ? 53 : 1);
    }
    if (is_quick()) {
        return;
    }
    const weft_fractal_desc d = {.height = CIF_HEIGHT, .width = CIF_WIDTH};
    check_picture("camera", &d, photograph(folder, "camera"), "seq", CHOICES);
    const weft_fractal_desc larger = {.height = 2 * CIF_HEIGHT, .width = 2 * CIF_WIDTH};
    check_picture("mosaic", &larger, mosaic(folder), "cpu", 1);
}

static void check_clip(const weft_fractal_desc *given, scene what, int choice) {
    weft_fractal_desc d = *given;
    char name[64];
    snprintf(name, sizeof name, "%zux%zu, scene %d", d.height, d.width, (int)what);
    d.search = "seq";
    stream expected = encode_scene(&d, what, 4);
    d = with_choice(*given, choice);
    stream found = encode_scene(&d, what, 4);
    check_same(name, choice, &expected, &found);
    free(expected.bytes);
    free(found.bytes);
}

static void clips(void **state) {
    static const size_t sizes[][2] = {{1, 1},   {1, 9},   {9, 1},    {7, 8},  {8, 17},
                                      {40, 50}, {65, 33}, {121, 99}, {3, 257}};
    (void)state;
    skip_without_gpu();
    for (int i = 0; i < 9; i++) {
        for (int choice = 0; choice < CHOICES; choice += is_quick() ? 45 : 5) {
            const weft_fractal_desc d = {.height = sizes[i][0],
                                         .width = sizes[i][1],
                                         .chroma = (weft_fractal_chroma)(choice % 4),
                                         .pruning = choice % 3 == 0 ? 80 : 0,
                                         .no_flat = choice % 7 == 0,
                                         .trunc_mean = choice % 2,
                                         .no_repeat = choice % 9 == 0,
                                         .change = choice % 11 == 0 ? WEFT_FRACTAL_EVERY : 0,
                                         .refresh = choice % 8 == 0 ? WEFT_FRACTAL_AUTO : 0};
            check_clip(&d, (scene)(choice % 4), choice);
        }
    }
}

/* Encoders do not disturb one another, and each frame of one of them gets its own answers. */
static void two_encoders(void **state) {
    const weft_fractal_desc d = {.height = 64, .width = 96, .chroma = WEFT_FRACTAL_422};
    weft_fractal_encoder *encoder[2];
    (void)state;
    skip_without_gpu();
    stream expected = encode_scene(&d, SCENE_MOVING, 4);
    for (int i = 0; i < 2; i++) {
        weft_fractal_desc of = with_choice(d, i);
        assert_int_equal(weft_fractal_encoder_create(&encoder[i], &of), WEFT_OK);
    }
    uint8_t *out = must_alloc(weft_fractal_encoder_bound(encoder[0]));
    for (int frame = 0; frame < 4; frame++) {
        weft_fractal_picture p = draw(SCENE_MOVING, d.height, d.width, d.chroma, frame);
        for (int i = 0; i < 2; i++) {
            size_t size;
            assert_int_equal(weft_fractal_encode(encoder[i], &p, out, &size, NULL), WEFT_OK);
            assert_int_equal(size, expected.begin[frame + 1] - expected.begin[frame]);
            assert_memory_equal(out, expected.bytes + expected.begin[frame], size);
        }
        free(p.plane[0]);
    }
    weft_fractal_encoder_destroy(encoder[0]);
    weft_fractal_encoder_destroy(encoder[1]);
    free(out);
    free(expected.bytes);
}

static void check_decoding(const stream *s, size_t bytes, weft_fractal_decoding how) {
    uint8_t *expected = must_alloc(bytes), *found = must_alloc(bytes);
    int frames;
    memset(found, 0x5a, bytes);
    assert_int_equal(decode_stream(s->bytes, s->size, &how, expected, s->frames, &frames), WEFT_OK);
    how.place = WEFT_FRACTAL_DEVICE;
    assert_int_equal(decode_stream(s->bytes, s->size, &how, found, s->frames, &frames), WEFT_OK);
    check(memcmp(expected, found, bytes) == 0, "scale %d, start %d: other pixels", how.scale,
          (int)how.start);
    free(expected);
    free(found);
}

static void decoders(void **state) {
    static const size_t sizes[][2] = {{1, 1}, {40, 50}, {121, 99}, {CIF_HEIGHT, CIF_WIDTH}};
    (void)state;
    skip_without_gpu();
    for (int i = 0; i < 4; i++) {
        for (int k = 0; k < 24; k++) {
            const weft_fractal_decoding how = {.scale = 1 << k % 3,
                                               .start = (weft_fractal_start)(k / 6)};
            const weft_fractal_desc d = {.height = sizes[i][0],
                                         .width = sizes[i][1],
                                         .chroma = (weft_fractal_chroma)(k % 4),
                                         .profile = k / 3 % 2 && i < 3 ? WEFT_FRACTAL_DENSE
                                                                       : WEFT_FRACTAL_SEED};
            stream s = encode_scene(&d, (scene)(k / 4 % 4), 3);
            const size_t scale = (size_t)how.scale;
            check_decoding(&s, 3 * picture_bytes(d.height * scale, d.width * scale, d.chroma), how);
            free(s.bytes);
        }
    }
}

/* The least of several times of the mosaic, all ranges against all domains. */
static void tell_time(weft_fractal_arith arith, const char *name) {
    const weft_fractal_desc d = {.height = 2 * CIF_HEIGHT,
                                 .width = 2 * CIF_WIDTH,
                                 .search = "cuda",
                                 .arith = arith,
                                 .refresh = 1};
    weft_fractal_encoder *encoder;
    weft_fractal_picture p = mosaic(folder);
    double kernels = HUGE_VAL, all = HUGE_VAL, terms = 0;
    assert_int_equal(weft_fractal_encoder_create(&encoder, &d), WEFT_OK);
    uint8_t *out = must_alloc(weft_fractal_encoder_bound(encoder));
    for (int i = 0; i < 30; i++) {
        weft_fractal_frame frame;
        size_t size;
        assert_int_equal(weft_fractal_encode(encoder, &p, out, &size, &frame), WEFT_OK);
        kernels = fmin(kernels, frame.kernel_seconds);
        all = fmin(all, frame.search_seconds);
        terms = frame.plane[0].terms_evaluated;
    }
    assert_true(kernels > 0 && kernels < all);
    print_message("%s, 704x576, full search: %.3g terms, kernels %.3f ms (%.3g terms/s), with "
                  "transfers %.3f ms\n",
                  name, terms, 1e3 * kernels, terms / kernels, 1e3 * all);
    weft_fractal_encoder_destroy(encoder);
    free(out);
    free(p.plane[0]);
}

static void tell_time_of_decoding(void) {
    const weft_fractal_desc d = {.height = 2 * CIF_HEIGHT, .width = 2 * CIF_WIDTH};
    const weft_fractal_decoding how = {.place = WEFT_FRACTAL_DEVICE};
    weft_fractal_picture p = mosaic(folder);
    stream s = encode_pictures(&d, &p, 1);
    weft_fractal_decoder *decoder;
    double kernels = HUGE_VAL;
    for (int i = 0; i < 30; i++) {
        assert_int_equal(weft_fractal_decoder_create(&decoder, &how, s.bytes, s.begin[0]), WEFT_OK);
        assert_int_equal(
            weft_fractal_decode(decoder, s.bytes + s.begin[0], s.size - s.begin[0], &p), WEFT_OK);
        kernels = fmin(kernels, weft_fractal_decoder_kernel_seconds(decoder));
        weft_fractal_decoder_destroy(decoder);
    }
    assert_true(kernels > 0);
    print_message("704x576, 5 iterations of decoding: kernels %.3f ms\n", 1e3 * kernels);
    free(s.bytes);
    free(p.plane[0]);
}

static void times(void **state) {
    (void)state;
    skip_without_gpu();
    if (is_quick()) { /* a sanitizer's time says nothing, and is minutes */
        skip();
    }
    tell_time(WEFT_FRACTAL_FIXED, "fixed");
    tell_time(WEFT_FRACTAL_FLOAT, "float");
    tell_time_of_decoding();
}

int main(int argc, char **argv) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(photographs), cmocka_unit_test(clips), cmocka_unit_test(two_encoders),
        cmocka_unit_test(decoders),    cmocka_unit_test(times),
    };
    folder = argc > 1 ? argv[1] : "data/images";
    return cmocka_run_group_tests_name("fractal, cuda", tests, NULL, NULL);
}
