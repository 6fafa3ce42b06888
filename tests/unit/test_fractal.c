/* SPDX-License-Identifier: MIT
 * The fractal codec from outside: every search and number of threads writes the same stream, a
 * decoder makes the pixels that the encoder measured, and every option does what the header says.
 */
#define _GNU_SOURCE /* feenableexcept() */

#include <fenv.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "expect.h"
#include "fractal_clips.h"

static const weft_fractal_chroma all_chroma[] = {WEFT_FRACTAL_MONO, WEFT_FRACTAL_422,
                                                 WEFT_FRACTAL_420, WEFT_FRACTAL_444};

static weft_fractal_desc desc_of(size_t height, size_t width, weft_fractal_chroma chroma) {
    return (weft_fractal_desc){
        .height = height, .width = width, .chroma = chroma, .search = "seq", .threads = 1};
}

static void check_same(const stream *a, const stream *b, const weft_fractal_desc *d,
                       const char *what) {
    check(a->size == b->size && memcmp(a->bytes, b->bytes, a->size) == 0,
          "%zux%zu, chroma %d, %s %d: another stream", d->height, d->width, (int)d->chroma, what,
          d->threads);
}

/* ---- the same stream ---------------------------------------------------------------------------
 */

/* Over all instruction sets that this build and CPU have. */
static void check_cpu(const weft_fractal_desc *of_seq, const stream *expected, scene what,
                      int frames) {
    static const char *const sets[] = {"plain", "v2", "v3", "v4"};
    for (size_t i = 0; i < sizeof sets / sizeof *sets; i++) {
        weft_fractal_desc d = *of_seq;
        weft_fractal_encoder *encoder;
        d.search = "cpu";
        setenv("WEFT_ISA", sets[i], 1);
        if (weft_fractal_encoder_create(&encoder, &d) == WEFT_UNSUPPORTED) {
            continue;
        }
        weft_fractal_encoder_destroy(encoder);
        stream s = encode_scene(&d, what, frames);
        check_same(expected, &s, &d, sets[i]);
        free(s.bytes);
    }
    unsetenv("WEFT_ISA");
}

static void all_sizes(void **state) {
    static const size_t sizes[][2] = {{1, 1},  {1, 2},  {5, 3},   {8, 8},  {9, 17},
                                      {1, 70}, {33, 1}, {24, 40}, {61, 83}};
    (void)state;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        for (size_t k = 0; k < 4; k++) {
            weft_fractal_desc d = desc_of(sizes[i][0], sizes[i][1], all_chroma[k]);
            stream expected = encode_scene(&d, SCENE_MOVING, 3);
            check_cpu(&d, &expected, SCENE_MOVING, 3);
            free(expected.bytes);
        }
    }
}

static void extreme_blocks(void **state) {
    (void)state;
    for (int no_flat = 0; no_flat <= 1; no_flat++) {
        weft_fractal_desc d = desc_of(40, 56, WEFT_FRACTAL_420);
        d.no_flat = no_flat;
        stream expected = encode_scene(&d, SCENE_EXTREME, 3);
        check_cpu(&d, &expected, SCENE_EXTREME, 3);
        free(expected.bytes);
    }
}

static void all_threads(void **state) {
    static const int threads[] = {1, 2, 3, 7, 16};
    weft_fractal_desc d = desc_of(90, 134, WEFT_FRACTAL_422);
    (void)state;
    stream expected = encode_scene(&d, SCENE_MOVING, 3);
    d.search = "cpu";
    for (size_t i = 0; i < sizeof threads / sizeof *threads; i++) {
        d.threads = threads[i];
        stream s = encode_scene(&d, SCENE_MOVING, 3);
        check_same(&expected, &s, &d, "threads");
        free(s.bytes);
    }
    free(expected.bytes);
}

/* Encodes and decodes in an environment of the caller's, which comes back as it was. */
static void hold_environment(const weft_fractal_desc *d, int rounding, int traps,
                             const stream *expected) {
    static uint8_t pixels[3 * 3 * 64 * 96];
    int decoded;
    feclearexcept(FE_ALL_EXCEPT);
    fesetround(rounding);
    feenableexcept(traps);
    feraiseexcept(FE_DIVBYZERO);
    stream s = encode_scene(d, SCENE_MOVING, 3);
    weft_status status = decode_stream(s.bytes, s.size, NULL, pixels, 3, &decoded);
    int flags = fetestexcept(FE_ALL_EXCEPT), trapped = fegetexcept(), round = fegetround();
    fesetenv(FE_DFL_ENV);
    check_same(expected, &s, d, d->search);
    assert_int_equal(status, WEFT_OK);
    for (int i = 0; i < 3; i++)
        check(s.frame[i].plane[0].psnr == expected->frame[i].plane[0].psnr, "%s: another PSNR",
              d->search);
    check(flags == FE_DIVBYZERO && trapped == traps && round == rounding,
          "%s, %d threads: flags %#x, trapped %#x, rounding %#x", d->search, d->threads, flags,
          trapped, round);
    free(s.bytes);
}

static void environment_of_the_caller(void **state) {
    static const char *const searches[] = {"seq", "cpu", "fft"};
    (void)state;
    for (size_t i = 0; i < sizeof searches / sizeof *searches; i++)
        for (int threads = 1; threads <= 2; threads++) {
            weft_fractal_desc d = desc_of(64, 96, WEFT_FRACTAL_420);
            d.search = searches[i];
            d.profile = strcmp(d.search, "fft") == 0 ? WEFT_FRACTAL_DENSE : d.profile;
            d.threads = threads;
            stream expected = encode_scene(&d, SCENE_MOVING, 3);
            hold_environment(&d, FE_UPWARD, 0, &expected);
            hold_environment(&d, FE_TOWARDZERO, 0, &expected);
            hold_environment(&d, FE_TONEAREST, FE_INEXACT | FE_UNDERFLOW | FE_OVERFLOW | FE_INVALID,
                             &expected);
            free(expected.bytes);
        }
}

/* Products that are rounded rule out no domain that the scalar search finds. */
static void fft_finds_what_seq_finds(void **state) {
    static const size_t sizes[][2] = {{1, 1}, {9, 17}, {1, 70}, {33, 1}, {45, 61}, {72, 104}};
    static const scene scenes[] = {SCENE_CUT, SCENE_EXTREME, SCENE_FLAT};
    (void)state;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        for (size_t k = 0; k < 3; k++) {
            weft_fractal_desc d = desc_of(sizes[i][0], sizes[i][1], all_chroma[(i + k) % 4]);
            d.profile = WEFT_FRACTAL_DENSE;
            stream expected = encode_scene(&d, scenes[k], 3);
            d.search = "fft";
            for (d.threads = 1; d.threads <= 3; d.threads += 2) {
                stream s = encode_scene(&d, scenes[k], 3);
                check_same(&expected, &s, &d, "fft, threads");
                assert_true(s.frame[0].plane[0].terms_evaluated <=
                            expected.frame[0].plane[0].terms_evaluated);
                free(s.bytes);
            }
            free(expected.bytes);
        }
    }
}

static void elimination_changes_no_code(void **state) {
    weft_fractal_desc d = desc_of(64, 88, WEFT_FRACTAL_420);
    (void)state;
    stream full = encode_scene(&d, SCENE_MOVING, 3);
    d.elimination = 1;
    stream less = encode_scene(&d, SCENE_MOVING, 3);
    check_same(&full, &less, &d, "elimination");
    for (int i = 0; i < 3; i++) {
        const weft_fractal_counts *all = &full.frame[i].plane[0], *some = &less.frame[i].plane[0];
        assert_true(all->terms_evaluated == all->terms_decided);
        assert_true(some->terms_evaluated < 0.7 * all->terms_evaluated);
        assert_true(some->terms_decided == all->terms_decided);
    }
    free(full.bytes);
    free(less.bytes);
}

/* ---- streams that are known --------------------------------------------------------------------
 */

typedef struct known_stream {
    const char *name;
    scene what;
    int frames;
    weft_fractal_desc desc;
    uint64_t hash; /* FNV-1a of all bytes, then of all decoded pixels */
} known_stream;

static const known_stream known_streams[] = {
    {"clip",
     SCENE_CUT,
     4,
     {.height = 52, .width = 75, .chroma = WEFT_FRACTAL_420, .pruning = 80},
     0xe2a9db6238edad27},
    {"clip, raw",
     SCENE_CUT,
     4,
     {.height = 52, .width = 75, .chroma = WEFT_FRACTAL_420, .pruning = 80, .raw_codes = 1},
     0x26917a0c86a0f001},
    {"clip, dense",
     SCENE_CUT,
     4,
     {.height = 30, .width = 45, .chroma = WEFT_FRACTAL_422, .profile = WEFT_FRACTAL_DENSE},
     0xcbb3a7a51f26f585},
    {"thresholds",
     SCENE_CUT,
     6,
     {.height = 40, .width = 64, .change = WEFT_FRACTAL_AUTO, .refresh = WEFT_FRACTAL_AUTO},
     0x230f24777af19201},
    {"seed",
     SCENE_MOVING,
     3,
     {.height = 64,
      .width = 64,
      .chroma = WEFT_FRACTAL_422,
      .no_flat = 1,
      .trunc_mean = 1,
      .no_repeat = 1},
     0x5507094bdd6f205f},
};

static uint64_t hash_more(uint64_t hash, const uint8_t *bytes, size_t count) {
    for (size_t i = 0; i < count; i++) {
        hash = (hash ^ bytes[i]) * 0x100000001b3u;
    }
    return hash;
}

static void streams_are_known(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof known_streams / sizeof *known_streams; i++) {
        const known_stream *k = &known_streams[i];
        weft_fractal_desc d = k->desc;
        d.search = "seq";
        stream s = encode_scene(&d, k->what, k->frames);
        size_t bytes = (size_t)k->frames * picture_bytes(d.height, d.width, d.chroma);
        uint8_t *pixels = must_alloc(bytes);
        int frames;
        assert_int_equal(decode_stream(s.bytes, s.size, NULL, pixels, k->frames, &frames), WEFT_OK);
        uint64_t hash = hash_more(hash_more(0xcbf29ce484222325u, s.bytes, s.size), pixels, bytes);
        check(hash == k->hash, "%s: 0x%016llx", k->name, (unsigned long long)hash);
        free(pixels);
        free(s.bytes);
    }
}

/* ---- there and back ----------------------------------------------------------------------------
 */

static double mean_square_error(const uint8_t *x, const uint8_t *y, size_t count) {
    double sum = 0;
    for (size_t i = 0; i < count; i++) {
        sum += (x[i] - y[i]) * (x[i] - y[i]);
    }
    return sum / (double)count;
}

/* A decoder makes what the encoder measured. */
static void check_pictures(const weft_fractal_desc *d, const stream *s, scene what) {
    size_t each = picture_bytes(d->height, d->width, d->chroma);
    uint8_t *pixels = must_alloc(each * (size_t)s->frames);
    int frames;
    weft_status status = decode_stream(s->bytes, s->size, NULL, pixels, s->frames, &frames);
    check(status == WEFT_OK && frames == s->frames, "%d of %d frames: %s", frames, s->frames,
          weft_last_error());
    for (int i = 0; i < s->frames; i++) {
        weft_fractal_picture drawn = draw(what, d->height, d->width, d->chroma, i);
        weft_fractal_picture got =
            picture_in(pixels + (size_t)i * each, d->height, d->width, d->chroma);
        for (int k = 0; k < s->frame[i].planes; k++) {
            const weft_fractal_counts *c = &s->frame[i].plane[k];
            double error = mean_square_error(drawn.plane[k], got.plane[k],
                                             weft_fractal_plane_height(d->height, d->chroma, k) *
                                                 weft_fractal_plane_width(d->width, d->chroma, k));
            check(fabs(error - c->mean_square_error) <= 1e-9 * (1 + error),
                  "%zux%zu, frame %d, plane %d: error %g, not %g", d->height, d->width, i, k, error,
                  c->mean_square_error);
            check(error == 0 ? c->psnr == HUGE_VAL
                             : fabs(c->psnr - 10 * log10(65025 / error)) < 1e-9,
                  "psnr %g of error %g", c->psnr, error);
        }
        free(drawn.plane[0]);
    }
    free(pixels);
}

static void decoded_as_measured(void **state) {
    static const size_t sizes[][2] = {{1, 1}, {7, 9}, {40, 64}, {61, 83}};
    (void)state;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        for (size_t k = 0; k < 8; k++) {
            weft_fractal_desc d = desc_of(sizes[i][0], sizes[i][1], all_chroma[k % 4]);
            d.search = k < 4 ? "cpu" : "seq";
            d.profile = k < 4 ? WEFT_FRACTAL_SEED : WEFT_FRACTAL_DENSE;
            d.raw_codes = k % 4 == 1;
            d.refresh = k % 4 == 2 ? 3 : 0;
            stream s = encode_scene(&d, SCENE_CUT, 5);
            check_pictures(&d, &s, SCENE_CUT);
            free(s.bytes);
        }
    }
}

/* Both sides have the same codes after each frame. */
static void codes_come_back(void **state) {
    weft_fractal_desc d = desc_of(50, 75, WEFT_FRACTAL_420);
    weft_fractal_encoder *encoder;
    weft_fractal_decoder *decoder;
    size_t size, count, same_count;
    (void)state;
    assert_int_equal(weft_fractal_encoder_create(&encoder, &d), WEFT_OK);
    uint8_t *bytes = must_alloc(weft_fractal_encoder_bound(encoder));
    assert_int_equal(weft_fractal_write_header(encoder, bytes, &size), WEFT_OK);
    assert_int_equal(weft_fractal_decoder_create(&decoder, NULL, bytes, size), WEFT_OK);
    assert_null(weft_fractal_decoder_codes(decoder, 0, &count));
    for (int frame = 0; frame < 4; frame++) {
        weft_fractal_picture p = draw(SCENE_MOVING, 50, 75, d.chroma, frame);
        weft_fractal_frame f;
        assert_int_equal(weft_fractal_encode(encoder, &p, bytes, &size, &f), WEFT_OK);
        assert_int_equal(weft_fractal_decode(decoder, bytes, size, NULL), WEFT_OK);
        assert_int_equal(weft_fractal_decoder_is_reference(decoder), frame == 0);
        for (int i = 0; i < WEFT_FRACTAL_PLANES; i++) {
            const weft_fractal_code *from = weft_fractal_encoder_codes(encoder, i, &count);
            const weft_fractal_code *to = weft_fractal_decoder_codes(decoder, i, &same_count);
            weft_fractal_parts parts = weft_fractal_decoder_parts(decoder, i);
            assert_int_equal(count, same_count);
            assert_memory_equal(from, to, count * sizeof *from);
            assert_int_equal(parts.header + parts.tables + parts.changes + parts.domains +
                                 parts.scales + parts.means + parts.padding,
                             8 * f.plane[i].bytes);
        }
        free(p.plane[0]);
    }
    assert_null(weft_fractal_decoder_codes(decoder, 3, &count));
    assert_int_equal(count, 0);
    weft_fractal_encoder_destroy(encoder);
    weft_fractal_decoder_destroy(decoder);
    free(bytes);
}

/* ---- options -----------------------------------------------------------------------------------
 */

static void unchanged_frames_are_small(void **state) {
    weft_fractal_desc d = desc_of(64, 96, WEFT_FRACTAL_420);
    weft_fractal_picture still = draw(SCENE_MOVING, 64, 96, d.chroma, 0);
    const weft_fractal_picture pictures[] = {still, still, still};
    (void)state;
    stream s = encode_pictures(&d, pictures, 3);
    for (int i = 1; i < 3; i++) {
        assert_false(s.frame[i].is_reference);
        for (int k = 0; k < 3; k++) {
            assert_int_equal(s.frame[i].plane[k].coded + s.frame[i].plane[k].repeated, 0);
            assert_true(s.frame[i].plane[k].mean_square_error ==
                        s.frame[0].plane[k].mean_square_error);
        }
        assert_true(s.frame[i].bytes < 80);
    }
    free(s.bytes);
    free(still.plane[0]);
}

/* A frame that changed and then stays costs flags, no codes. */
static void codes_are_repeated(void **state) {
    weft_fractal_desc d = desc_of(64, 96, WEFT_FRACTAL_MONO);
    weft_fractal_picture first = draw(SCENE_CUT, 64, 96, d.chroma, 0),
                         other = draw(SCENE_CUT, 64, 96, d.chroma, 2);
    const weft_fractal_picture pictures[] = {first, other, other};
    (void)state;
    for (int no_repeat = 0; no_repeat <= 1; no_repeat++) {
        d.no_repeat = no_repeat;
        stream s = encode_pictures(&d, pictures, 3);
        const weft_fractal_counts *then = &s.frame[1].plane[0], *last = &s.frame[2].plane[0];
        assert_true(then->coded > then->ranges / 2);
        assert_int_equal(last->searched, no_repeat ? then->searched : 0);
        assert_int_equal(last->coded, 0); /* searched again, they are found again */
        assert_int_equal(last->repeated, then->coded + then->repeated);
        assert_true(last->mean_square_error == then->mean_square_error);
        assert_true(s.frame[2].bytes * 8 < s.frame[1].bytes);
        free(s.bytes);
    }
    free(first.plane[0]);
    free(other.plane[0]);
}

static void references_by_number_and_by_change(void **state) {
    weft_fractal_desc d = desc_of(40, 64, WEFT_FRACTAL_422);
    (void)state;
    d.change = 80; /* above the noise */
    for (int refresh = WEFT_FRACTAL_AUTO; refresh <= 3; refresh++) {
        d.refresh = refresh;
        stream s = encode_scene(&d, SCENE_CUT, 7);
        for (int i = 0; i < 7; i++) {
            int expected = refresh > 0 ? i % refresh == 0 : i == 0 || (refresh < 0 && i == 2);
            check(s.frame[i].is_reference == expected, "refresh %d, frame %d", refresh, i);
        }
        free(s.bytes);
    }
}

static void thresholds(void **state) {
    static const int changes[] = {WEFT_FRACTAL_EVERY, 1, 16, 0, 64, 4080};
    weft_fractal_desc d = desc_of(64, 96, WEFT_FRACTAL_MONO);
    size_t before = 64 / 4 * 96 / 4;
    (void)state;
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
        d.change = changes[i];
        stream s = encode_scene(&d, SCENE_MOVING, 2);
        const weft_fractal_counts *c = &s.frame[1].plane[0];
        assert_int_equal(c->change, changes[i] ? changes[i] : 32);
        check(i == 0 ? c->coded + c->repeated == before : c->coded + c->repeated <= before,
              "change %d: %zu after %zu", d.change, c->coded + c->repeated, before);
        before = c->coded + c->repeated;
        free(s.bytes);
    }
    assert_int_equal(before, 0);
    d.change = WEFT_FRACTAL_AUTO;
    stream s = encode_scene(&d, SCENE_MOVING, 2);
    int found = s.frame[1].plane[0].change;
    check(found >= 32 && found <= 96, "noise of 0 to 7: T = %d", found);
    assert_true(s.frame[1].plane[0].coded < s.frame[1].plane[0].ranges / 4);
    free(s.bytes);
}

static void pruning_keeps_less(void **state) {
    weft_fractal_desc d = desc_of(64, 96, WEFT_FRACTAL_MONO);
    size_t before = 64 / 8 * 96 / 8;
    (void)state;
    for (int percent = 99; percent > 0; percent -= 14) {
        d.pruning = percent;
        stream s = encode_scene(&d, SCENE_MOVING, 2), of_cpu;
        d.search = "cpu";
        of_cpu = encode_scene(&d, SCENE_MOVING, 2);
        check_same(&s, &of_cpu, &d, "pruning");
        assert_true(s.frame[0].plane[0].domains <= before && s.frame[0].plane[0].domains > 0);
        before = s.frame[0].plane[0].domains;
        free(s.bytes);
        free(of_cpu.bytes);
        d.search = "seq";
    }
    assert_true(before < 64 / 8 * 96 / 8);
    d.pruning = 80;
    stream flat = encode_scene(&d, SCENE_FLAT, 1);
    assert_int_equal(flat.frame[0].plane[0].domains, 1);
    free(flat.bytes);
}

static void flat_ranges(void **state) {
    weft_fractal_desc d = desc_of(20, 30, WEFT_FRACTAL_444);
    (void)state;
    stream s = encode_scene(&d, SCENE_FLAT, 1);
    for (int i = 0; i < 3; i++) {
        assert_int_equal(s.frame[0].plane[i].flat, s.frame[0].plane[i].ranges);
        assert_true(s.frame[0].plane[i].psnr == HUGE_VAL);
    }
    free(s.bytes);
    d.no_flat = 1;
    s = encode_scene(&d, SCENE_FLAT, 1);
    assert_int_equal(s.frame[0].plane[0].flat, 0);
    check_pictures(&d, &s, SCENE_FLAT);
    free(s.bytes);
}

/* Codes of fixed length: 25 bits each, no matter what they say. */
static void raw_codes_have_25_bits(void **state) {
    weft_fractal_desc d = desc_of(64, 96, WEFT_FRACTAL_MONO);
    (void)state;
    d.raw_codes = 1;
    stream s = encode_scene(&d, SCENE_MOVING, 2);
    const weft_fractal_counts *c = s.frame[1].plane;
    assert_int_equal(s.frame[0].bytes, 5 + (25 * c->ranges + 7) / 8 + 4);
    assert_int_equal(s.frame[1].bytes, 5 + c->ranges / 8 + (25 * c->coded + 7) / 8 + 4);
    assert_int_equal(c->repeated, 0);
    check_pictures(&d, &s, SCENE_MOVING);
    free(s.bytes);
}

/* ---- decoders ----------------------------------------------------------------------------------
 */

typedef struct traced {
    size_t count;         /* pixels */
    uint8_t last[64][96]; /* the picture after the last iteration */
    int iterations, differences[40];
} traced;

/* How many pixels differ by more than 1 from those one iteration before. */
static void trace(void *of, int iteration, const weft_fractal_picture *picture) {
    traced *t = of;
    t->iterations = iteration;
    t->differences[iteration] = 0;
    for (size_t i = 0; i < t->count; i++) {
        uint8_t *before = &t->last[i / 96][i % 96],
                now = picture->plane[0][i / 96 * picture->pitch[0] + i % 96];
        t->differences[iteration] += abs(now - *before) > 1;
        *before = now;
    }
}

/* Domains are made of whole ranges, so that the number of iterations until nothing changes but by
 * rounding is known: 1 + log2(4), and one for what a start that is not flat is off. */
static void settles_within_four_iterations(void **state) {
    weft_fractal_desc d = desc_of(64, 96, WEFT_FRACTAL_MONO);
    uint8_t *pixels = must_alloc(64 * 96), *from_grey = must_alloc(64 * 96);
    int frames, off = 0;
    (void)state;
    stream s = encode_scene(&d, SCENE_MOVING, 1);
    assert_int_equal(decode_stream(s.bytes, s.size, NULL, from_grey, 1, &frames), WEFT_OK);
    for (int start = WEFT_FRACTAL_START_GREY; start <= WEFT_FRACTAL_START_NOISE; start++) {
        traced t = {.count = 64 * 96};
        weft_fractal_decoding how = {
            .start = (weft_fractal_start)start, .iterations = 12, .trace = trace, .trace_of = &t};
        assert_int_equal(decode_stream(s.bytes, s.size, &how, pixels, 1, &frames), WEFT_OK);
        assert_int_equal(t.iterations, 12);
        for (int i = 5; i <= 12; i++) {
            check(t.differences[i] == 0, "start %d, iteration %d: %d pixels", start, i,
                  t.differences[i]);
        }
        for (size_t i = 0; i < t.count; i++) {
            off += abs(pixels[i] - from_grey[i]) > 1;
        }
    }
    assert_int_equal(off, 0);
    free(s.bytes);
    free(pixels);
    free(from_grey);
}

/* Enlarged pictures, made small again by means, are nearly those of their own size. */
static void larger_pictures(void **state) {
    weft_fractal_desc d = desc_of(41, 70, WEFT_FRACTAL_420);
    (void)state;
    stream s = encode_scene(&d, SCENE_MOVING, 2);
    uint8_t *small = must_alloc(2 * picture_bytes(41, 70, d.chroma));
    int frames;
    assert_int_equal(decode_stream(s.bytes, s.size, NULL, small, 2, &frames), WEFT_OK);
    for (size_t scale = 2; scale <= 4; scale *= 2) {
        weft_fractal_decoding how = {.scale = (int)scale};
        uint8_t *large = must_alloc(2 * picture_bytes(41 * scale, 70 * scale, d.chroma));
        double error = 0;
        assert_int_equal(decode_stream(s.bytes, s.size, &how, large, 2, &frames), WEFT_OK);
        for (size_t i = 0; i < 41 * 70; i++) {
            size_t sum = 0;
            for (size_t k = 0; k < scale * scale; k++) {
                sum +=
                    large[(i / 70 * scale + k / scale) * 70 * scale + i % 70 * scale + k % scale];
            }
            double off = (double)sum / (double)(scale * scale) - small[i];
            error += off * off / (41 * 70);
        }
        check(error < 12, "scale %zu: error %g", scale, error);
        free(large);
    }
    free(small);
    free(s.bytes);
}

/* ---- refusals ----------------------------------------------------------------------------------
 */

static void check_refused(weft_fractal_desc d, weft_status expected, const char *text) {
    weft_fractal_encoder *encoder = (weft_fractal_encoder *)&d;
    weft_status status = weft_fractal_encoder_create(&encoder, &d);
    check(status == expected && encoder == NULL, "%s: status %d", text, (int)status);
    check(strstr(weft_last_error(), text) != NULL, "\"%s\" does not say %s", weft_last_error(),
          text);
}

#define REFUSED(status, text, ...)                                                                 \
    check_refused((weft_fractal_desc){.height = 16, .width = 16, __VA_ARGS__}, status, text)

static void descriptions_are_refused(void **state) {
    char text[64];
    (void)state;
    check_refused((weft_fractal_desc){.width = 9}, WEFT_BAD_ARGUMENT, "height 0");
    check_refused((weft_fractal_desc){.height = 9, .width = 65536}, WEFT_BAD_ARGUMENT,
                  "width 65536");
    snprintf(text, sizeof text, "height %zu: must be 1 to 65535", SIZE_MAX);
    check_refused((weft_fractal_desc){.height = SIZE_MAX, .width = 9}, WEFT_BAD_ARGUMENT, text);
    check_refused((weft_fractal_desc){.height = 1024, .width = 1032, .raw_codes = 1},
                  WEFT_UNSUPPORTED, "16512 domains");
    REFUSED(WEFT_BAD_ARGUMENT, "chroma 4", .chroma = (weft_fractal_chroma)4);
    REFUSED(WEFT_BAD_ARGUMENT, "profile 2", .profile = (weft_fractal_profile)2);
    REFUSED(WEFT_UNSUPPORTED, "block_size 8", .block_size = 8);
    REFUSED(WEFT_BAD_ARGUMENT, "search fast", .search = "fast");
    REFUSED(WEFT_BAD_ARGUMENT, "threads -1", .threads = -1);
    REFUSED(WEFT_BAD_ARGUMENT, "device -1", .device = -1);
    REFUSED(WEFT_BAD_ARGUMENT, "pruning 100", .pruning = 100);
    REFUSED(WEFT_BAD_ARGUMENT, "iterations 33", .iterations = 33);
    REFUSED(WEFT_BAD_ARGUMENT, "change -3", .change = -3);
    REFUSED(WEFT_BAD_ARGUMENT, "change 4081", .change = 4081);
    REFUSED(WEFT_BAD_ARGUMENT, "refresh -2", .refresh = -2);
    REFUSED(WEFT_BAD_ARGUMENT, "no_flat 2", .no_flat = 2);
    REFUSED(WEFT_BAD_ARGUMENT, "fps_numerator 65536", .fps_numerator = 65536);
    REFUSED(WEFT_BAD_ARGUMENT, "25/0 frames", .fps_numerator = 25);
    REFUSED(WEFT_BAD_ARGUMENT, "reserved[7]", .reserved = {0, 0, 0, 0, 0, 0, 0, 1});
    REFUSED(WEFT_UNSUPPORTED, "seed profile only", .search = "cpu", .profile = WEFT_FRACTAL_DENSE);
    REFUSED(WEFT_UNSUPPORTED, "pruning: not", .pruning = 80, .profile = WEFT_FRACTAL_DENSE);
    REFUSED(WEFT_UNSUPPORTED, "no_flat: not", .no_flat = 1, .profile = WEFT_FRACTAL_DENSE);
    REFUSED(WEFT_UNSUPPORTED, "no elimination", .search = "cpu", .elimination = 1);
    REFUSED(WEFT_UNSUPPORTED, "no choice of arith", .search = "seq", .arith = WEFT_FRACTAL_FLOAT);
    REFUSED(WEFT_UNSUPPORTED, "no choice of unroll", .search = "cpu", .unroll = 4);
}

static void there_is_no_such_plane(void **state) {
    (void)state;
    for (int chroma = -1; chroma <= WEFT_FRACTAL_444 + 1; chroma++) {
        for (int plane = -1; plane <= WEFT_FRACTAL_PLANES; plane++) {
            const int planes = chroma < 0 || chroma > WEFT_FRACTAL_444 ? 0
                               : chroma == WEFT_FRACTAL_MONO           ? 1
                                                                       : WEFT_FRACTAL_PLANES;
            const int is_there = plane >= 0 && plane < planes;
            const weft_fractal_chroma of = (weft_fractal_chroma)chroma;
            check((weft_fractal_plane_height(9, of, plane) > 0) == is_there &&
                      (weft_fractal_plane_width(9, of, plane) > 0) == is_there,
                  "chroma %d, plane %d", chroma, plane);
        }
    }
}

static void calls_are_refused(void **state) {
    weft_fractal_desc d = desc_of(9, 9, WEFT_FRACTAL_422);
    weft_fractal_encoder *encoder;
    size_t size;
    (void)state;
    d.frames = 1;
    assert_int_equal(weft_fractal_encoder_create(&encoder, &d), WEFT_OK);
    uint8_t *out = must_alloc(weft_fractal_encoder_bound(encoder));
    weft_fractal_picture p = draw(SCENE_MOVING, 9, 9, d.chroma, 0), lacks = p, narrow = p;
    lacks.plane[2] = NULL;
    narrow.pitch[0] = 8;
    assert_int_equal(weft_fractal_encoder_create(NULL, &d), WEFT_BAD_ARGUMENT);
    assert_int_equal(weft_fractal_encode(NULL, &p, out, &size, NULL), WEFT_BAD_ARGUMENT);
    assert_int_equal(weft_fractal_encode(encoder, NULL, out, &size, NULL), WEFT_BAD_ARGUMENT);
    assert_int_equal(weft_fractal_encode(encoder, &p, NULL, &size, NULL), WEFT_BAD_ARGUMENT);
    assert_int_equal(weft_fractal_encode(encoder, &lacks, out, &size, NULL), WEFT_BAD_ARGUMENT);
    assert_int_equal(weft_fractal_encode(encoder, &narrow, out, &size, NULL), WEFT_BAD_ARGUMENT);
    assert_non_null(strstr(weft_last_error(), "pitch 8"));
    assert_null(weft_fractal_encoder_codes(encoder, 0, &size));
    assert_int_equal(weft_fractal_encode(encoder, &p, out, &size, NULL), WEFT_OK);
    assert_int_equal(weft_fractal_encode(encoder, &p, out, &size, NULL), WEFT_BAD_ARGUMENT);
    assert_non_null(strstr(weft_last_error(), "1 frames"));
    weft_fractal_encoder_destroy(encoder);
    weft_fractal_encoder_destroy(NULL);
    weft_fractal_decoder_destroy(NULL);
    free(p.plane[0]);
    free(out);
}

static void searches_are_listed(void **state) {
    int count = 0;
    (void)state;
    for (const char *name; (name = weft_fractal_search_name(count)) != NULL; count++) {
        assert_true(*name != '\0' && *weft_fractal_search_about(count) != '\0');
    }
    assert_true(count >= 2);
    assert_null(weft_fractal_search_name(-1));
    assert_null(weft_fractal_search_about(count));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_sizes),
        cmocka_unit_test(extreme_blocks),
        cmocka_unit_test(all_threads),
        cmocka_unit_test(environment_of_the_caller),
        cmocka_unit_test(fft_finds_what_seq_finds),
        cmocka_unit_test(elimination_changes_no_code),
        cmocka_unit_test(streams_are_known),
        cmocka_unit_test(decoded_as_measured),
        cmocka_unit_test(codes_come_back),
        cmocka_unit_test(unchanged_frames_are_small),
        cmocka_unit_test(codes_are_repeated),
        cmocka_unit_test(references_by_number_and_by_change),
        cmocka_unit_test(thresholds),
        cmocka_unit_test(pruning_keeps_less),
        cmocka_unit_test(flat_ranges),
        cmocka_unit_test(raw_codes_have_25_bits),
        cmocka_unit_test(settles_within_four_iterations),
        cmocka_unit_test(larger_pictures),
        cmocka_unit_test(descriptions_are_refused),
        cmocka_unit_test(there_is_no_such_plane),
        cmocka_unit_test(calls_are_refused),
        cmocka_unit_test(searches_are_listed),
    };
    return cmocka_run_group_tests_name("fractal", tests, NULL, NULL);
}
