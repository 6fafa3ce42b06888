/* SPDX-License-Identifier: MIT
 * Runs each search over all frames, holds its bytes against those of seq, and times it; then the
 * decoder.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "commands/fractal/bench.h"
#include "commands/fractal/planes.h"
#include "commands/fractal/stopwatch.h"
#include "shell/progress.h"

/* ---- one search ------------------------------------------------------------------------------ */

/* Times one run over all frames; its bytes, into `bytes`, are the stream's. */
static int run_once(bench_result *r, const film *f, weft_fractal_desc *desc, uint8_t *bytes,
                    size_t *count) {
    weft_fractal_encoder *encoder;
    weft_status status = weft_fractal_encoder_create(&encoder, desc);
    double search = 0;

    r->decided = r->evaluated = 0;
    *count = 0;
    if (status == WEFT_OK) {
        status = weft_fractal_write_header(encoder, bytes, count);
    }
    const stopwatch since = stopwatch_start();
    for (size_t i = 0; status == WEFT_OK && i < f->frames; i++) {
        const weft_fractal_picture picture = picture_of_frame(&f->format, film_frame(f, i));
        weft_fractal_frame frame;
        size_t written = 0;

        status = weft_fractal_encode(encoder, &picture, bytes + *count, &written, &frame);
        *count += written;
        for (int k = 0; status == WEFT_OK && k < frame.planes; k++) {
            r->decided += frame.plane[k].terms_decided;
            r->evaluated += frame.plane[k].terms_evaluated;
        }
        search += status == WEFT_OK ? frame.search_seconds : 0;
    }
    if (r->samples > 0) {
        r->seconds[r->samples - 1] = stopwatch_seconds(&since);
        r->search_seconds[r->samples - 1] = search;
    }
    weft_fractal_encoder_destroy(encoder);
    if (status == WEFT_UNSUPPORTED || status == WEFT_NO_DEVICE) {
        snprintf(r->reason, sizeof r->reason, "%s", text_of_status(status));
        return EXIT_DONE;
    }
    return status == WEFT_OK ? EXIT_DONE : complain_status(status);
}

static int run_search(bench_result *r, const film *f, const bench_options *a,
                      const bench_stream *right) {
    weft_fractal_desc desc = film_describe(f, &a->desc);
    char what[MOST_LINE];
    size_t count;
    int code;

    desc.search = r->search;
    desc.threads = r->threads;
    snprintf(what, sizeof what, "%s on %d threads", r->search, r->threads);
    progress_start(what);
    code = run_once(r, f, &desc, right->others, &count);
    if (code == EXIT_DONE && r->reason[0] == '\0' &&
        (count != right->count || memcmp(right->bytes, right->others, count) != 0)) {
        snprintf(r->reason, sizeof r->reason, "FAIL: other codes than seq");
        code = EXIT_CHECK_FAILED;
    }
    while (code == EXIT_DONE && r->reason[0] == '\0' && r->samples < a->repeat) {
        r->samples++;
        code = run_once(r, f, &desc, right->others, &count);
        progress_step((double)r->samples / (double)a->repeat, NULL);
    }
    progress_end();
    return code;
}

/* ---- decoding -------------------------------------------------------------------------------- */

static weft_status decode_once(const film *f, const bench_stream *s, uint8_t *samples,
                               decode_times *times) {
    const weft_fractal_picture picture = picture_of_frame(&f->format, samples);
    weft_fractal_decoder *decoder = NULL;
    double sum[2] = {0, 0};
    size_t frames[2] = {0, 0}, at = 0, size;
    weft_status status = weft_fractal_header_size(s->bytes, s->count, &size);

    if (status == WEFT_OK) {
        status = weft_fractal_decoder_create(&decoder, NULL, s->bytes, size);
    }
    for (at = size; status == WEFT_OK && at < s->count; at += size) {
        status = weft_fractal_frame_size(decoder, s->bytes + at, s->count - at, &size);
        const stopwatch since = stopwatch_start();
        if (status == WEFT_OK) {
            status = weft_fractal_decode(decoder, s->bytes + at, size, &picture);
        }
        const int is_later = status == WEFT_OK && !weft_fractal_decoder_is_reference(decoder);
        sum[is_later] += stopwatch_seconds(&since);
        frames[is_later]++;
    }
    weft_fractal_decoder_destroy(decoder);
    *times = (decode_times){sum[0] / (double)frames[0], sum[1] / (double)frames[1]};
    return status;
}

static int time_decoder(const film *f, const bench_options *a, const bench_stream *s,
                        decode_times *least_of) {
    uint8_t *samples = allocate(video_frame_bytes(&f->format), 1);
    weft_status status = WEFT_OK;

    *least_of = (decode_times){HUGE_VAL, HUGE_VAL};
    if (samples == NULL) {
        return EXIT_MEMORY;
    }
    for (size_t i = 0; i <= a->repeat && status == WEFT_OK; i++) {
        decode_times one;

        status = decode_once(f, s, samples, &one);
        least_of->reference = fmin(least_of->reference, one.reference);
        least_of->later = fmin(least_of->later, one.later);
    }
    free(samples);
    return status == WEFT_OK ? EXIT_DONE : complain_status(status);
}

/* ---- all of them ----------------------------------------------------------------------------- */

static int add_result(bench *b, const char *search, size_t threads) {
    bench_result *r = &b->list[b->count];

    *r = (bench_result){.search = search, .threads = (int)threads};
    r->search_seconds = allocate(b->given->repeat, sizeof *r->search_seconds);
    r->seconds = allocate(b->given->repeat, sizeof *r->seconds);
    b->count++;
    return r->search_seconds && r->seconds ? EXIT_DONE : EXIT_MEMORY;
}

/* seq has one thread, whatever it is told. */
static int line_up(bench *b) {
    const bench_options *a = b->given;
    int code = EXIT_DONE;

    for (size_t i = 0; i < a->searches; i++) {
        const size_t counts = strcmp(a->search[i], "seq") == 0 ? 1 : a->thread_counts;

        for (size_t k = 0; code == EXIT_DONE && k < counts; k++) {
            code = add_result(b, a->search[i], counts == 1 ? 1 : a->threads[k]);
        }
    }
    return code;
}

/* The description without what changes no code, which seq may refuse. */
static weft_fractal_desc describe_right(const bench *b) {
    weft_fractal_desc desc = film_describe(&b->seen, &b->given->desc);

    desc.search = "seq";
    desc.arith = WEFT_FRACTAL_FIXED;
    desc.codebook = WEFT_FRACTAL_HOST;
    desc.store_scaled = desc.no_reorder = desc.block = desc.unroll = 0;
    return desc;
}

static int encode_right(bench *b) {
    weft_fractal_desc desc = describe_right(b);
    weft_fractal_encoder *encoder;
    bench_result one = {.search = "seq"};
    weft_status status;
    size_t most;
    int code;

    status = weft_fractal_encoder_create(&encoder, &desc);
    if (status != WEFT_OK) {
        return complain_status(status);
    }
    most = (b->seen.frames + 1) * weft_fractal_encoder_bound(encoder);
    weft_fractal_encoder_destroy(encoder);
    b->right.bytes = allocate(most, 1);
    b->right.others = allocate(most, 1);
    if (!b->right.bytes || !b->right.others) {
        return EXIT_MEMORY;
    }
    progress_start("seq, whose codes are right");
    code = run_once(&one, &b->seen, &desc, b->right.bytes, &b->right.count);
    progress_end();
    return code;
}

static int run_all(bench *b) {
    int code = encode_right(b), worst = EXIT_DONE;

    for (size_t i = 0; i < b->count && (code == EXIT_DONE || code == EXIT_CHECK_FAILED); i++) {
        code = run_search(&b->list[i], &b->seen, b->given, &b->right);
        worst = code != EXIT_DONE ? code : worst;
    }
    if (code == EXIT_DONE || code == EXIT_CHECK_FAILED) {
        code = time_decoder(&b->seen, b->given, &b->right, &b->decode);
    }
    return code == EXIT_DONE ? worst : code;
}

/* If there is none, why the first cannot. */
static int check_any_ran(const bench *b) {
    for (size_t i = 0; i < b->count; i++) {
        if (b->list[i].samples > 0) {
            return EXIT_DONE;
        }
    }
    return complain(EXIT_USAGE, "nothing can run: %s", b->list[0].reason);
}

void fractal_bench_close(bench *b) {
    for (size_t i = 0; i < b->count; i++) {
        free(b->list[i].search_seconds);
        free(b->list[i].seconds);
    }
    free(b->right.bytes);
    free(b->right.others);
    film_close(&b->seen);
}

int fractal_bench_run(bench *b) {
    int code = line_up(b);

    if (code == EXIT_DONE) {
        code = run_all(b);
    }
    return code == EXIT_DONE ? check_any_ran(b) : code;
}
