/* SPDX-License-Identifier: MIT
 * Known answers of the seed profile on the photographs of data/images: the codes of the full
 * search, as hashes that a prototype had too, PSNR, and what pruning costs. test_fractal_known
 * FOLDER.
 */
#include <math.h>

#include "expect.h"
#include "fractal_clips.h"
#include "fractal_photographs.h"

static const char *folder;

static weft_fractal_picture camera(void) {
    return photograph(folder, "camera");
}

/* How TARGETS of the codec hash codes. */
static uint64_t hash_of(const weft_fractal_encoder *encoder) {
    uint64_t hash = 1469598103934665603u;
    size_t count;
    const weft_fractal_code *codes = weft_fractal_encoder_codes(encoder, 0, &count);
    for (size_t i = 0; i < count; i++) {
        hash ^= 4096 * (uint64_t)codes[i].domain + 256 * (uint64_t)codes[i].z + codes[i].mean;
        hash *= 1099511628211u;
    }
    return hash;
}

typedef struct answer {
    int pruning;
    size_t domains; /* that are left */
    double psnr;    /* +-0.005 */
    uint64_t hash;  /* 0: not known */
} answer;

static void check_answer(const weft_fractal_desc *given, const weft_fractal_picture *picture,
                         const answer *expected) {
    weft_fractal_desc d = *given;
    weft_fractal_encoder *encoder;
    weft_fractal_frame frame;
    size_t size;
    d.pruning = expected->pruning;
    assert_int_equal(weft_fractal_encoder_create(&encoder, &d), WEFT_OK);
    uint8_t *out = must_alloc(weft_fractal_encoder_bound(encoder));
    assert_int_equal(weft_fractal_encode(encoder, picture, out, &size, &frame), WEFT_OK);
    const weft_fractal_counts *c = &frame.plane[0];
    uint64_t hash = hash_of(encoder);
    check(expected->hash == 0 || hash == expected->hash, "hash %llx", (unsigned long long)hash);
    check(c->domains == expected->domains, "pruning %d: %zu domains", d.pruning, c->domains);
    check(fabs(c->psnr - expected->psnr) < 0.0051, "pruning %d: %.3f dB", d.pruning, c->psnr);
    check(c->terms_decided == (double)c->ranges * (double)c->domains * 7 * 16, "terms");
    weft_fractal_encoder_destroy(encoder);
    free(out);
}

static void camera_of_cif(void **state) {
    static const answer known = {0, 1584, 30.924, 0xf7cd49181d10deb8};
    (void)state;
    weft_fractal_picture p = camera();
    for (int i = 0; i < 3; i++) {
        weft_fractal_desc d = {.height = CIF_HEIGHT,
                               .width = CIF_WIDTH,
                               .search = i == 0 ? "cpu" : "seq",
                               .elimination = i == 2};
        if (i == 0 || getenv("WEFT_TEST_QUICK") == NULL) {
            check_answer(&d, &p, &known);
        }
    }
    free(p.plane[0]);
}

static void mosaic_of_4cif(void **state) {
    static const answer known[] = {{0, 6336, 33.286, 0x215ec1e0331c378b},
                                   {95, 5702, 33.142, 0},
                                   {90, 5358, 32.998, 0},
                                   {80, 4782, 32.777, 0},
                                   {70, 4266, 32.514, 0},
                                   {60, 3782, 32.296, 0}};
    const weft_fractal_desc d = {.height = 2 * CIF_HEIGHT, .width = 2 * CIF_WIDTH, .search = "cpu"};
    (void)state;
    if (getenv("WEFT_TEST_QUICK") != NULL) {
        skip_because("takes long under sanitizers");
    }
    weft_fractal_picture p = mosaic(folder);
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        check_answer(&d, &p, &known[i]);
    }
    free(p.plane[0]);
}

/* From noise, the PSNR after 4 iterations is that after 20. */
static void camera_settles(void **state) {
    const weft_fractal_desc d = {.height = CIF_HEIGHT, .width = CIF_WIDTH, .search = "cpu"};
    const size_t pixels = (size_t)CIF_HEIGHT * CIF_WIDTH;
    weft_fractal_picture p = camera();
    uint8_t *decoded = must_alloc(pixels);
    double psnr[2];
    int frames;
    (void)state;
    stream s = encode_pictures(&d, &p, 1);
    for (int i = 0; i < 2; i++) {
        const weft_fractal_decoding how = {.start = WEFT_FRACTAL_START_NOISE,
                                           .iterations = i == 0 ? 4 : 20};
        double sum = 0;
        assert_int_equal(decode_stream(s.bytes, s.size, &how, decoded, 1, &frames), WEFT_OK);
        for (size_t k = 0; k < pixels; k++) {
            sum += (decoded[k] - p.plane[0][k]) * (decoded[k] - p.plane[0][k]);
        }
        psnr[i] = 10 * log10(65025 * (double)pixels / sum);
    }
    check(fabs(psnr[0] - psnr[1]) < 0.01 && fabs(psnr[0] - 30.924) < 0.01, "%.3f and %.3f dB",
          psnr[0], psnr[1]);
    free(s.bytes);
    free(decoded);
    free(p.plane[0]);
}

int main(int argc, char **argv) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(camera_of_cif),
        cmocka_unit_test(mosaic_of_4cif),
        cmocka_unit_test(camera_settles),
    };
    folder = argc > 1 ? argv[1] : "data/images";
    return cmocka_run_group_tests_name("fractal, known answers", tests, NULL, NULL);
}
