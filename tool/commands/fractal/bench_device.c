/* SPDX-License-Identifier: MIT
 * What a GPU does for itself: the full search of one frame of Y and its decoding, by events, with
 * nothing of transfers or the host; and the rate at which it issues instructions, against which the
 * search is held. Codes and pixels must be those of the CPU.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "bench/issue_rate.h"
#include "commands/fractal/bench.h"
#include "commands/fractal/planes.h"
#include "shell/progress.h"

enum { DEVICE_PIXELS = DEVICE_HEIGHT * DEVICE_WIDTH };

/* The frame, its stream, and what is held against that. */
typedef struct device_frame {
    film seen;
    uint8_t *bytes, *others;
    size_t count, header;
    uint8_t *pixels, *other_pixels;
} device_frame;

static weft_fractal_desc describe(const bench *b) {
    return (weft_fractal_desc){.height = DEVICE_HEIGHT,
                               .width = DEVICE_WIDTH,
                               .refresh = 1,
                               .iterations = DEVICE_ITERATIONS,
                               .device = b->given->desc.device};
}

static weft_fractal_picture picture_of_y(uint8_t *samples) {
    return (weft_fractal_picture){.plane = {samples}};
}

static int open_frame(device_frame *f) {
    const film_source source = {.height = DEVICE_HEIGHT, .width = DEVICE_WIDTH, .frames = 1};
    const int code = film_open(&f->seen, &source);

    if (code != EXIT_DONE) {
        return code;
    }
    f->pixels = allocate(DEVICE_HEIGHT, DEVICE_WIDTH);
    f->other_pixels = allocate(DEVICE_HEIGHT, DEVICE_WIDTH);
    return f->pixels && f->other_pixels ? EXIT_DONE : EXIT_MEMORY;
}

static void close_frame(device_frame *f) {
    film_close(&f->seen);
    free(f->bytes);
    free(f->others);
    free(f->pixels);
    free(f->other_pixels);
}

/* ---- the search ------------------------------------------------------------------------------ */

/* The stream that searches on a GPU must give. */
static weft_status encode_on_cpu(const bench *b, device_frame *f) {
    weft_fractal_desc desc = describe(b);
    const weft_fractal_picture picture = picture_of_y(f->seen.samples);
    weft_fractal_encoder *encoder;
    weft_status status;

    desc.search = "cpu";
    status = weft_fractal_encoder_create(&encoder, &desc);
    if (status == WEFT_OK) {
        f->bytes = malloc(2 * weft_fractal_encoder_bound(encoder));
        f->others = malloc(weft_fractal_encoder_bound(encoder));
        status = f->bytes && f->others ? weft_fractal_write_header(encoder, f->bytes, &f->header)
                                       : WEFT_NO_MEMORY;
    }
    if (status == WEFT_OK) {
        status = weft_fractal_encode(encoder, &picture, f->bytes + f->header, &f->count, NULL);
    }
    weft_fractal_encoder_destroy(encoder);
    return status;
}

static int has_same_codes(const device_frame *f, size_t written) {
    return written == f->count && memcmp(f->bytes + f->header, f->others, written) == 0;
}

/* The first run warms up, and its codes are looked at. */
static int search_on_device(bench *b, device_frame *f, weft_fractal_arith arith) {
    bench_device *d = &b->device;
    weft_fractal_desc desc = describe(b);
    const weft_fractal_picture picture = picture_of_y(f->seen.samples);
    weft_fractal_encoder *encoder;
    weft_status status;

    desc.search = "cuda";
    desc.arith = arith;
    status = weft_fractal_encoder_create(&encoder, &desc);
    for (size_t i = 0; i <= DEVICE_SAMPLES && status == WEFT_OK; i++) {
        weft_fractal_frame frame;
        size_t written;

        status = weft_fractal_encode(encoder, &picture, f->others, &written, &frame);
        if (status == WEFT_OK && i == 0 && !has_same_codes(f, written)) {
            weft_fractal_encoder_destroy(encoder);
            return fractal_bench_fail(d->reason, "other codes than cpu");
        }
        if (status == WEFT_OK) {
            d->terms = frame.plane[0].terms_evaluated;
            d->search_seconds[arith][i > 0 ? i - 1 : 0] = frame.kernel_seconds;
        }
    }
    weft_fractal_encoder_destroy(encoder);
    return fractal_bench_code(status, d->reason);
}

/* ---- the decoder ----------------------------------------------------------------------------- */

static weft_status decode_at(const bench *b, const device_frame *f, weft_fractal_place place,
                             uint8_t *pixels, double seconds[DEVICE_SAMPLES]) {
    const weft_fractal_decoding how = {.place = place, .device = b->given->desc.device};
    const weft_fractal_picture picture = picture_of_y(pixels);
    weft_fractal_decoder *decoder;
    weft_status status = weft_fractal_decoder_create(&decoder, &how, f->bytes, f->header);
    const size_t samples = place == WEFT_FRACTAL_DEVICE ? DEVICE_SAMPLES : 0;

    for (size_t i = 0; i <= samples && status == WEFT_OK; i++) {
        status = weft_fractal_decode(decoder, f->bytes + f->header, f->count, &picture);
        seconds[i > 0 ? i - 1 : 0] = weft_fractal_decoder_kernel_seconds(decoder);
    }
    weft_fractal_decoder_destroy(decoder);
    return status;
}

static int decode_on_device(bench *b, device_frame *f) {
    bench_device *d = &b->device;
    weft_status status = decode_at(b, f, WEFT_FRACTAL_HOST, f->pixels, d->decoding_seconds);

    if (status == WEFT_OK) {
        status = decode_at(b, f, WEFT_FRACTAL_DEVICE, f->other_pixels, d->decoding_seconds);
    }
    return status == WEFT_OK && memcmp(f->pixels, f->other_pixels, DEVICE_PIXELS) != 0
               ? fractal_bench_fail(d->reason, "other pixels than those of the host")
               : fractal_bench_code(status, d->reason);
}

/* ---- all of it ------------------------------------------------------------------------------- */

static weft_status measure_rate(bench *b) {
#if WEFT_WITH_CUDA
    return issue_rate_measure(b->given->desc.device, ISSUE_ROUNDS, DEVICE_SAMPLES,
                              b->device.instruction_seconds, &b->device.instructions);
#else
    (void)b; /* there is no search cuda to be held against it */
    return WEFT_OK;
#endif
}

/* The rate first: without a GPU there is nothing else to do, and with one it is awake then. */
static int measure(bench *b, device_frame *f) {
    bench_device *d = &b->device;
    int code = fractal_bench_code(measure_rate(b), d->reason);

    if (code == EXIT_DONE && d->reason[0] == '\0') {
        code = fractal_bench_code(encode_on_cpu(b, f), d->reason);
    }
    for (int i = 0; code == EXIT_DONE && d->reason[0] == '\0' && i < DEVICE_ARITHS; i++) {
        code = search_on_device(b, f, (weft_fractal_arith)i);
    }
    return code == EXIT_DONE && d->reason[0] == '\0' ? decode_on_device(b, f) : code;
}

/* Only for who asks for the search cuda, in the profile that it takes. */
static int is_asked_for(const bench_options *a) {
    for (size_t i = 0; i < a->searches; i++) {
        if (strcmp(a->search[i], "cuda") == 0) {
            return a->desc.profile == WEFT_FRACTAL_SEED;
        }
    }
    return 0;
}

int fractal_bench_device(bench *b) {
    device_frame f = {.count = 0};
    int code;

    b->device.is_asked_for = is_asked_for(b->given);
    if (!b->device.is_asked_for) {
        return EXIT_DONE;
    }
    code = open_frame(&f);
    if (code == EXIT_DONE) {
        progress_start("the GPU alone");
        code = measure(b, &f);
        progress_end();
    }
    close_frame(&f);
    return code;
}
