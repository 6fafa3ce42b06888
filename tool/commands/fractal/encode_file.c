/* SPDX-License-Identifier: MIT
 * Each frame that is read becomes bytes, which are written as they come; see encode_file.h.
 */
#include "commands/fractal/encode_file.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "commands/fractal/planes.h"
#include "shell/clock.h"
#include "shell/complain.h"
#include "shell/output.h"
#include "shell/progress.h"

enum { LONGEST_SIDE = 65535, MOST_RATE = 65535, DETAIL_SIZE = 160 };

typedef struct encoding {
    const encode_job *job;
    video in;
    size_t length; /* of the file behind what was read to open it; SIZE_MAX: not known */
    weft_fractal_encoder *encoder;
    uint8_t *samples, *bytes; /* of a frame, raw and coded */
    int has_frame;            /* in samples, to be coded */
    encode_done *done;
    double since; /* clock_seconds() of its start */
} encoding;

/* ---- before the first frame ------------------------------------------------------------------ */

/* The stream has 16 bits for each number of frames a second. */
static void take_rate(weft_fractal_desc *desc, const video *in) {
    const video_ratio rate = in->format.rate;

    if (rate.numerator > MOST_RATE || rate.denominator > MOST_RATE) {
        complain(EXIT_DONE, "%s: %u:%u frames a second are not kept: a stream has at most %d:%d",
                 in->in.path, rate.numerator, rate.denominator, MOST_RATE, MOST_RATE);
        return;
    }
    desc->fps_numerator = rate.numerator;
    desc->fps_denominator = rate.denominator;
}

static int check_sides(const video *in) {
    const video_format *f = &in->format;

    return f->height <= LONGEST_SIDE && f->width <= LONGEST_SIDE
               ? EXIT_DONE
               : complain(EXIT_BAD_INPUT, "%s: %zux%zu: a stream has sides up to %d", in->in.path,
                          f->height, f->width, LONGEST_SIDE);
}

static int make_encoder(encoding *e) {
    weft_fractal_desc desc = e->job->desc;
    const video_format *f = &e->in.format;
    weft_status status;

    desc.height = f->height;
    desc.width = f->width;
    desc.chroma = chroma_of_video(f->chroma);
    desc.frames = e->in.kind == &picture_kind && e->job->frames > 0;
    take_rate(&desc, &e->in);
    status = weft_fractal_encoder_create(&e->encoder, &desc);
    return status == WEFT_OK ? EXIT_DONE : complain_status(status);
}

static int read_frame(encoding *e) {
    e->has_frame = 0;
    return e->done->all.frames < e->job->frames ? video_read(&e->in, e->samples, &e->has_frame)
                                                : EXIT_DONE;
}

/* An encoder takes eleven times the memory of a frame, which a header alone, of a pipe whose length
 * nobody knows, must not claim: the first frame is read before. */
static int open_encoding(encoding *e) {
    const encode_job *job = e->job;
    int code = video_open(&e->in, job->input, job->height, job->width, job->max_pixels);

    if (code == EXIT_DONE) {
        code = check_sides(&e->in);
    }
    if (code != EXIT_DONE) {
        return code;
    }
    e->length = input_left(&e->in.in);
    e->samples = allocate(video_frame_bytes(&e->in.format), 1);
    code = e->samples ? read_frame(e) : EXIT_MEMORY;
    if (code == EXIT_DONE) {
        code = make_encoder(e);
    }
    if (code == EXIT_DONE && !(e->bytes = allocate(weft_fractal_encoder_bound(e->encoder), 1))) {
        code = EXIT_MEMORY;
    }
    return code;
}

static void close_encoding(encoding *e) {
    video_close(&e->in);
    weft_fractal_encoder_destroy(e->encoder);
    free(e->samples);
    free(e->bytes);
}

/* ---- frames ---------------------------------------------------------------------------------- */

/* How much of the input was read; below 0 if its length is not known. */
static double fraction_of(encoding *e) {
    return e->length == SIZE_MAX || e->length == 0
               ? -1
               : 1 - (double)input_left(&e->in.in) / (double)e->length;
}

static void tell(encoding *e, const weft_fractal_frame *frame) {
    const double fraction = fraction_of(e), seconds = clock_seconds() - e->since;
    char text[TOTALS_TEXT], left[CELL_SIZE], detail[DETAIL_SIZE];

    snprintf(detail, sizeof detail, "frame %zu, %s, %.3g frames/s%s%s%s", e->done->all.frames,
             totals_so_far(&e->done->all, text), (double)e->done->all.frames / seconds,
             fraction > 0 ? ", " : "",
             fraction > 0 ? time_cell(1e6 * seconds * (1 - fraction) / fraction, left) : "",
             fraction > 0 ? " left" : "");
    progress_step(fraction, detail);
    if (e->job->verbose) {
        progress_wipe();
        totals_print_frame(stderr, e->done->all.frames - 1, &e->in.format, frame);
    }
}

static int write_frame(encoding *e, output *out) {
    const weft_fractal_picture picture = picture_of_frame(&e->in.format, e->samples);
    weft_fractal_frame frame;
    size_t written;
    const weft_status status =
        weft_fractal_encode(e->encoder, &picture, e->bytes, &written, &frame);

    if (status != WEFT_OK) {
        return complain_status(status);
    }
    totals_add(&e->done->all, &e->in.format, &frame);
    tell(e, &frame);
    return output_write(out, e->bytes, written);
}

static int write_frames(encoding *e, output *out) {
    int code = EXIT_DONE;

    while (code == EXIT_DONE && e->has_frame) {
        code = write_frame(e, out);
        if (code == EXIT_DONE) {
            code = read_frame(e);
        }
    }
    return code;
}

static int write_stream(output *out, void *context) {
    encoding *e = context;
    size_t written;
    const weft_status status = weft_fractal_write_header(e->encoder, e->bytes, &written);
    int code = status == WEFT_OK ? output_write(out, e->bytes, written) : complain_status(status);

    e->since = clock_seconds();
    progress_start("encoding");
    if (code == EXIT_DONE) {
        e->done->all.plane[QUALITY_OF_ALL].bytes += (double)written;
        code = write_frames(e, out);
    }
    progress_end();
    return code;
}

int encode_file(const encode_job *job, encode_done *done) {
    encoding e = {.job = job, .done = done};
    int code;

    *done = (encode_done){0};
    code = open_encoding(&e);
    if (code == EXIT_DONE) {
        done->format = e.in.format;
        done->search = weft_fractal_encoder_search(e.encoder);
        code = output_whole(job->output, write_stream, &e);
        done->seconds = clock_seconds() - e.since;
    }
    close_encoding(&e);
    return code;
}
