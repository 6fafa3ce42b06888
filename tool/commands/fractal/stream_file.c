/* SPDX-License-Identifier: MIT
 * Asks the library how many bytes a header or a frame has, reads so many, and asks again until it
 * wants no more; see stream_file.h.
 */
#include "commands/fractal/stream_file.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "shell/complain.h"
#include "shell/options.h"

enum { FIRST_CAPACITY = 4096, WHERE_SIZE = 64 };

const char most_pixels_about[] =
    "Refuse streams whose decoded frames have more, in all planes; default 2^27";
const char most_work_about[] = "Refuse those with more pixels times iterations; default 2^31";

size_t most_option(struct argp_state *state, const char *option, const char *text) {
    return count_option(state, option, text, 1, (size_t)1 << 48);
}

/* What the library says of a stream is about the input, but for a lack of memory. */
static int complain_of_stream(const stream_file *s, weft_status status) {
    const int is_input = status == WEFT_BAD_DATA || status == WEFT_UNSUPPORTED;

    return complain(is_input ? EXIT_BAD_INPUT : code_of_status(status), "%s: %s", s->in.path,
                    text_of_status(status));
}

static int grow(stream_file *s, size_t wanted) {
    uint8_t *grown = wanted > s->capacity ? realloc(s->bytes, wanted) : s->bytes;

    if (grown == NULL) {
        return complain(EXIT_MEMORY, "%s: out of memory: a frame has %zu bytes", s->in.path,
                        wanted);
    }
    s->bytes = grown;
    s->capacity = wanted > s->capacity ? wanted : s->capacity;
    return EXIT_DONE;
}

/* So that there are `wanted` bytes of a header or frame. */
static int read_up_to(stream_file *s, size_t wanted, const char *where) {
    const size_t before = s->count;
    size_t got;
    int code = grow(s, wanted);

    if (code == EXIT_DONE) {
        code = input_read_most(&s->in, s->bytes + before, wanted - before, &got);
    }
    if (code == EXIT_DONE) {
        s->count += got;
        code = s->count < wanted
                   ? complain(EXIT_BAD_INPUT, "%s: %s is truncated: %zu bytes of %zu at least",
                              s->in.path, where, s->count, wanted)
                   : EXIT_DONE;
    }
    return code;
}

/* What is left of a regular file must suffice before memory is taken. */
static int expect(stream_file *s, size_t wanted, const char *where) {
    const size_t left = input_left(&s->in);

    return left >= wanted - s->count
               ? read_up_to(s, wanted, where)
               : complain(EXIT_BAD_INPUT, "%s: %s is truncated: %zu bytes of %zu at least",
                          s->in.path, where, s->count + left, wanted);
}

static weft_status size_of(const stream_file *s, size_t *size) {
    return s->decoder != NULL ? weft_fractal_frame_size(s->decoder, s->bytes, s->count, size)
                              : weft_fractal_header_size(s->bytes, s->count, size);
}

static int read_whole(stream_file *s, const char *where) {
    s->count = 0;
    for (;;) {
        size_t size;
        const weft_status status = size_of(s, &size);
        int code;

        if (status != WEFT_OK) {
            return complain_of_stream(s, status);
        }
        if (size <= s->count) {
            return EXIT_DONE;
        }
        code = expect(s, size, where);
        if (code != EXIT_DONE) {
            return code;
        }
    }
}

int stream_file_open(stream_file *s, const char *path, const weft_fractal_decoding *how) {
    weft_status status = WEFT_OK;
    int code;

    *s = (stream_file){0};
    code = input_open(&s->in, path);
    if (code == EXIT_DONE) {
        code = input_not_empty(&s->in);
    }
    if (code == EXIT_DONE) {
        code = grow(s, FIRST_CAPACITY);
    }
    if (code == EXIT_DONE) {
        code = read_whole(s, "the header");
    }
    if (code == EXIT_DONE) {
        status = weft_fractal_decoder_create(&s->decoder, how, s->bytes, s->count);
        code = status == WEFT_OK ? EXIT_DONE : complain_of_stream(s, status);
    }
    s->length = code == EXIT_DONE ? input_left(&s->in) : 0;
    if (code != EXIT_DONE) {
        stream_file_close(s);
    }
    return code;
}

int stream_file_read(stream_file *s, int *has_frame) {
    char where[WHERE_SIZE];
    weft_status status;
    int code;

    *has_frame = 0;
    if (input_at_end(&s->in)) {
        status = weft_fractal_decoder_end(s->decoder);
        return status == WEFT_OK ? EXIT_DONE : complain_of_stream(s, status);
    }
    snprintf(where, sizeof where, "frame %zu", s->frames);
    code = read_whole(s, where);
    s->frames += code == EXIT_DONE;
    *has_frame = code == EXIT_DONE;
    return code;
}

int stream_file_decode(stream_file *s, const weft_fractal_picture *picture) {
    const weft_status status = weft_fractal_decode(s->decoder, s->bytes, s->count, picture);

    return status == WEFT_OK ? EXIT_DONE : complain_of_stream(s, status);
}

double stream_file_fraction(stream_file *s) {
    return s->length == SIZE_MAX || s->length == 0
               ? -1
               : 1 - (double)input_left(&s->in) / (double)s->length;
}

void stream_file_close(stream_file *s) {
    input_close(&s->in);
    weft_fractal_decoder_destroy(s->decoder);
    free(s->bytes);
    s->decoder = NULL;
    s->bytes = NULL;
}
