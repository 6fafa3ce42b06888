/* SPDX-License-Identifier: MIT
 * Runs each search over frames in memory, holds its bytes against those of seq, and times it; then
 * the decoder; then what has files of its own.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "commands/fractal/bench.h"
#include "commands/fractal/planes.h"
#include "shell/clock.h"
#include "shell/progress.h"

int fractal_bench_code(weft_status status, char reason[MOST_LINE]) {
    if (status == WEFT_UNSUPPORTED || status == WEFT_NO_DEVICE) {
        snprintf(reason, MOST_LINE, "%s", text_of_status(status));
        return EXIT_DONE;
    }
    return status == WEFT_OK ? EXIT_DONE : complain_status(status);
}

int fractal_bench_fail(char reason[MOST_LINE], const char *what) {
    snprintf(reason, MOST_LINE, "FAIL: %s", what);
    return EXIT_CHECK_FAILED;
}

/* ---- one search ------------------------------------------------------------------------------ */

static void add_terms(bench_result *r, const weft_fractal_frame *frame) {
    for (int i = 0; i < frame->planes; i++) {
        r->decided += frame->plane[i].terms_decided;
        r->evaluated += frame->plane[i].terms_evaluated;
    }
}

/* Times one run over all frames; its bytes, into `bytes`, are the stream's. */
static int run_once(bench_result *r, const bench *b, weft_fractal_desc *desc, uint8_t *bytes,
                    size_t *count) {
    const film *f = &b->seen;
    weft_fractal_encoder *encoder;
    weft_status status = weft_fractal_encoder_create(&encoder, desc);
    coding_sample sums = {0};

    r->decided = r->evaluated = 0;
    *count = 0;
    if (status == WEFT_OK) {
        status = weft_fractal_write_header(encoder, bytes, count);
    }
    const double since = clock_seconds();
    for (size_t i = 0; status == WEFT_OK && i < b->frames; i++) {
        const weft_fractal_picture picture = picture_of_frame(&f->format, film_frame(f, i));
        weft_fractal_frame frame;
        size_t written = 0;

        status = weft_fractal_encode(encoder, &picture, bytes + *count, &written, &frame);
        *count += written;
        if (status == WEFT_OK) {
            coding_sample_add(&sums, &frame);
            add_terms(r, &frame);
        }
    }
    sums.whole = clock_seconds() - since;
    if (r->samples > 0) {
        r->sample[r->samples - 1] = sums;
    }
    weft_fractal_encoder_destroy(encoder);
    return fractal_bench_code(status, r->reason);
}

static int run_search(bench *b, bench_result *r) {
    const bench_stream *right = &b->right;
    weft_fractal_desc desc = film_describe(&b->seen, &b->given->desc);
    char what[MOST_LINE];
    size_t count;
    int code;

    desc.search = r->search;
    desc.threads = r->threads;
    snprintf(what, sizeof what, "%s on %d threads", r->search, r->threads);
    progress_start(what);
    code = run_once(r, b, &desc, right->others, &count);
    if (code == EXIT_DONE && r->reason[0] == '\0' &&
        (count != right->count || memcmp(right->bytes, right->others, count) != 0)) {
        code = fractal_bench_fail(r->reason, "other codes than seq");
    }
    while (code == EXIT_DONE && r->reason[0] == '\0' && r->samples < b->given->repeat) {
        r->samples++;
        code = run_once(r, b, &desc, right->others, &count);
        progress_step((double)r->samples / (double)b->given->repeat, NULL);
    }
    progress_end();
    return code;
}

/* ---- decoding -------------------------------------------------------------------------------- */

static weft_status decode_once(const film *f, const bench_stream *s, uint8_t *samples,
                               decoding_sample *sample) {
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
        const double since = clock_seconds();
        if (status == WEFT_OK) {
            status = weft_fractal_decode(decoder, s->bytes + at, size, &picture);
        }
        const int is_later = status == WEFT_OK && !weft_fractal_decoder_is_reference(decoder);
        sum[is_later] += clock_seconds() - since;
        frames[is_later]++;
    }
    weft_fractal_decoder_destroy(decoder);
    *sample = (decoding_sample){sum[0] / (double)frames[0], sum[1] / (double)frames[1]};
    return status;
}

/* The first run warms up. */
static int time_decoder(bench *b) {
    uint8_t *samples = allocate(video_frame_bytes(&b->seen.format), 1);
    weft_status status = WEFT_OK;

    b->decoding = allocate(b->given->repeat, sizeof *b->decoding);
    if (samples == NULL || b->decoding == NULL) {
        free(samples);
        return EXIT_MEMORY;
    }
    for (size_t i = 0; i <= b->given->repeat && status == WEFT_OK; i++) {
        status = decode_once(&b->seen, &b->right, samples, &b->decoding[i > 0 ? i - 1 : 0]);
    }
    free(samples);
    return status == WEFT_OK ? EXIT_DONE : complain_status(status);
}

/* ---- all of them ----------------------------------------------------------------------------- */

static int add_result(bench *b, const char *search, size_t threads) {
    bench_result *r = &b->list[b->count];

    *r = (bench_result){.search = search, .threads = (int)threads};
    r->sample = allocate(b->given->repeat, sizeof *r->sample);
    r->file_seconds = allocate(b->given->repeat, sizeof *r->file_seconds);
    b->count++;
    return r->sample && r->file_seconds ? EXIT_DONE : EXIT_MEMORY;
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
    most = (b->frames + 1) * weft_fractal_encoder_bound(encoder);
    weft_fractal_encoder_destroy(encoder);
    b->right.bytes = allocate(most, 1);
    b->right.others = allocate(most, 1);
    if (!b->right.bytes || !b->right.others) {
        return EXIT_MEMORY;
    }
    progress_start("seq, whose codes are right");
    code = run_once(&one, b, &desc, b->right.bytes, &b->right.count);
    progress_end();
    return code;
}

static int run_searches(bench *b) {
    int code = EXIT_DONE, worst = EXIT_DONE;

    for (size_t i = 0; i < b->count && (code == EXIT_DONE || code == EXIT_CHECK_FAILED); i++) {
        code = run_search(b, &b->list[i]);
        worst = code != EXIT_DONE ? code : worst;
    }
    return worst;
}

/* What differs from seq is no reason not to look at the rest. */
static int run_all(bench *b) {
    static int (*const parts[])(bench * b) = {encode_right, run_searches, time_decoder,
                                              fractal_bench_files, fractal_bench_device};
    int code = EXIT_DONE, worst = EXIT_DONE;

    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        code = parts[i](b);
        if (code != EXIT_DONE && code != EXIT_CHECK_FAILED) {
            return code;
        }
        worst = code != EXIT_DONE ? code : worst;
    }
    return worst;
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
        free(b->list[i].sample);
        free(b->list[i].file_seconds);
    }
    free(b->decoding);
    free(b->right.bytes);
    free(b->right.others);
    free(b->right.file);
    film_close(&b->seen);
}

int fractal_bench_run(bench *b) {
    int code = line_up(b);

    b->frames = b->given->frames < b->seen.frames ? b->given->frames : b->seen.frames;
    if (code == EXIT_DONE) {
        code = run_all(b);
    }
    return code == EXIT_DONE ? check_any_ran(b) : code;
}
