/* SPDX-License-Identifier: MIT
 * Y4M, read and written; y4m.h shows what it looks like. Reading is strict: a parameter that is not
 * understood is refused with its value, but for those of X, which are comments, and those of a
 * frame.
 */
#include "files/y4m.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "shell/complain.h"
#include "shell/parse.h"

enum { LINE_SIZE = 4096, WORD_SIZE = 64, LARGEST_SIDE = INT32_MAX };

static const char magic[] = "YUV4MPEG2", frame_word[] = "FRAME";

/* ---- parameters ------------------------------------------------------------------------------ */

static int bad_parameter(const video *v, char letter, const char *value, const char *reason) {
    return complain(EXIT_BAD_INPUT, "%s: bad Y4M header: %c%s: %s", v->in.path, letter, value,
                    reason);
}

static int take_side(const video *v, char letter, const char *value, size_t *side) {
    char reason[WORD_SIZE];

    if (parse_count(value, 1, LARGEST_SIDE, side) == 0) {
        return EXIT_DONE;
    }
    snprintf(reason, sizeof reason, "must be 1 to %d", LARGEST_SIDE);
    return bad_parameter(v, letter, value, reason);
}

static int take_width(video *v, const char *value) {
    return take_side(v, 'W', value, &v->format.width);
}

static int take_height(video *v, const char *value) {
    return take_side(v, 'H', value, &v->format.height);
}

/* "30000:1001"; 0:0 is unknown. */
static int take_ratio(const video *v, char letter, const char *value, video_ratio *ratio) {
    const size_t length = strcspn(value, ":");
    char first[WORD_SIZE];
    size_t numerator, denominator;

    snprintf(first, sizeof first, "%.*s", (int)length, value);
    if (length >= sizeof first || value[length] != ':' ||
        parse_count(first, 0, UINT32_MAX, &numerator) != 0 ||
        parse_count(value + length + 1, 0, UINT32_MAX, &denominator) != 0 ||
        (numerator == 0) != (denominator == 0)) {
        return bad_parameter(v, letter, value, "must be a ratio, such as 30000:1001, or 0:0");
    }
    *ratio = (video_ratio){(uint32_t)numerator, (uint32_t)denominator};
    return EXIT_DONE;
}

static int take_rate(video *v, const char *value) {
    return take_ratio(v, 'F', value, &v->format.rate);
}

static int take_aspect(video *v, const char *value) {
    return take_ratio(v, 'A', value, &v->format.aspect);
}

static int take_interlacing(video *v, const char *value) {
    if (strlen(value) != 1 || strchr("?ptbm", *value) == NULL) {
        return bad_parameter(v, 'I', value, "must be p, t, b, m or ?");
    }
    v->format.interlacing = *value;
    return EXIT_DONE;
}

/* Why a colour space of this name is not read. Those of more bits are named by a number behind. */
static const char *refusal_of_chroma(const char *value) {
    static const char *const of_more_bits[] = {"mono", "420p", "422p", "444p"};

    if (strstr(value, "alpha") != NULL) {
        return "has alpha, which is not read";
    }
    for (size_t i = 0; i < sizeof of_more_bits / sizeof *of_more_bits; i++) {
        const size_t length = strlen(of_more_bits[i]);

        if (strncmp(value, of_more_bits[i], length) == 0 && isdigit((unsigned char)value[length])) {
            return "has more than 8 bits a sample; only 8 are read";
        }
    }
    return "only mono, 420, 420jpeg, 420mpeg2, 420paldv, 422 and 444 are read";
}

static int take_chroma(video *v, const char *value) {
    for (video_chroma i = 0; i < VIDEO_CHROMAS; i++) {
        if (strcmp(value, video_chroma_word(i)) == 0) {
            v->format.chroma = i;
            return EXIT_DONE;
        }
    }
    return bad_parameter(v, 'C', value, refusal_of_chroma(value));
}

static int take_comment(video *v, const char *value) {
    (void)v;
    (void)value;
    return EXIT_DONE;
}

static const struct {
    char letter;
    int (*take)(video *v, const char *value);
} parameters[] = {{'W', take_width},       {'H', take_height}, {'F', take_rate},
                  {'I', take_interlacing}, {'A', take_aspect}, {'C', take_chroma},
                  {'X', take_comment}};
enum { PARAMETER_COUNT = sizeof parameters / sizeof *parameters };

/* Of those that were given already, `given` has a bit each. */
static int take_parameter(video *v, const char *word, unsigned *given) {
    for (int i = 0; i < PARAMETER_COUNT; i++) {
        if (parameters[i].letter == *word) {
            if ((*given & 1U << i) != 0 && *word != 'X') {
                return bad_parameter(v, *word, word + 1, "is given twice");
            }
            *given |= 1U << i;
            return parameters[i].take(v, word + 1);
        }
    }
    return bad_parameter(v, *word, word + 1, "is not known");
}

/* ---- lines ----------------------------------------------------------------------------------- */

static int bad_line(const video *v, const char *where, const char *reason) {
    return complain(EXIT_BAD_INPUT, "%s: the line of %s %s", v->in.path, where, reason);
}

/* What follows a line's first word: nothing, or parameters after a blank. */
static int read_parameters(video *v, const char *where, char line[LINE_SIZE]) {
    for (size_t i = 0; i < LINE_SIZE; i++) {
        size_t got;
        const int code = input_read_most(&v->in, &line[i], 1, &got);

        if (code != EXIT_DONE) {
            return code;
        }
        if (got == 0) {
            return bad_line(v, where, "is truncated");
        }
        if (line[i] == '\n') {
            line[i] = '\0';
            return EXIT_DONE;
        }
        if (line[i] == '\0' || *line != ' ') {
            return bad_line(v, where, "has other bytes than parameters after blanks");
        }
    }
    return complain(EXIT_BAD_INPUT, "%s: the line of %s has more than %d bytes", v->in.path, where,
                    LINE_SIZE);
}

static int check_header(video *v, size_t max_pixels) {
    const char letter = v->format.width == 0 ? 'W' : 'H';

    if (v->format.width == 0 || v->format.height == 0) {
        return bad_parameter(v, letter, "", "is missing");
    }
    return video_check_size(v, max_pixels);
}

/* Without a word about them colours are those of JPEG, as the format has it. */
static int read_header(video *v) {
    char line[LINE_SIZE], *rest = line, *word;
    unsigned given = 0;
    int code = read_parameters(v, "the header", line);

    v->format.chroma = VIDEO_420_JPEG;
    while (code == EXIT_DONE && (word = strsep(&rest, " ")) != NULL) {
        code = *word != '\0' ? take_parameter(v, word, &given) : EXIT_DONE;
    }
    return code;
}

static void warn_of_fields(const video *v) {
    if (strchr("tbm", v->format.interlacing) != NULL) {
        complain(EXIT_DONE, "%s: is interlaced (I%c); both fields are taken as one frame",
                 v->in.path, v->format.interlacing);
    }
}

static int open_y4m(video *v, size_t max_pixels) {
    char start[sizeof magic] = {0};
    size_t got;
    int code = input_read_most(&v->in, start, sizeof magic - 1, &got);

    if (code == EXIT_DONE && strcmp(start, magic) != 0) {
        code =
            complain(EXIT_BAD_INPUT, "%s: not a Y4M file: begins with \"%s\"", v->in.path, start);
    }
    if (code == EXIT_DONE) {
        code = read_header(v);
    }
    if (code == EXIT_DONE) {
        code = check_header(v, max_pixels);
    }
    if (code == EXIT_DONE) {
        code = video_expect_frame(v, sizeof frame_word + video_frame_bytes(&v->format));
    }
    if (code == EXIT_DONE) {
        warn_of_fields(v);
    }
    return code;
}

/* *is_there: 0 at the end of the file. */
static int read_frame_line(video *v, int *is_there) {
    char line[LINE_SIZE], start[sizeof frame_word] = {0}, where[WORD_SIZE];
    size_t got;
    const int code = input_read_most(&v->in, start, sizeof frame_word - 1, &got);

    *is_there = got > 0;
    if (code != EXIT_DONE || got == 0) {
        return code;
    }
    snprintf(where, sizeof where, "frame %zu", v->frames);
    if (strncmp(start, frame_word, got) != 0) {
        return complain(EXIT_BAD_INPUT, "%s: %s begins with \"%s\", not with %s", v->in.path, where,
                        start, frame_word);
    }
    return got < sizeof frame_word - 1 ? bad_line(v, where, "is truncated")
                                       : read_parameters(v, where, line);
}

static int read_y4m(video *v, uint8_t *samples, int *has_frame) {
    const size_t bytes = video_frame_bytes(&v->format);
    size_t got;
    int is_there, code = read_frame_line(v, &is_there);

    if (code != EXIT_DONE || !is_there) {
        return code;
    }
    code = input_read_most(&v->in, samples, bytes, &got);
    if (code == EXIT_DONE && got < bytes) {
        code = video_truncated(v, got, bytes);
    }
    *has_frame = code == EXIT_DONE;
    return code;
}

const video_kind y4m_kind = {"Y4M", open_y4m, read_y4m};

/* ---- writing --------------------------------------------------------------------------------- */

int y4m_write_header(output *out, const video_format *format) {
    char line[LINE_SIZE];
    const int length = snprintf(
        line, sizeof line, "%s W%zu H%zu F%u:%u I%c A%u:%u C%s\n", magic, format->width,
        format->height, format->rate.numerator, format->rate.denominator, format->interlacing,
        format->aspect.numerator, format->aspect.denominator, video_chroma_word(format->chroma));

    return output_write(out, line, (size_t)length);
}

int y4m_write_frame(output *out, const video_format *format, const uint8_t *samples) {
    static const char line[] = "FRAME\n";
    const int code = output_write(out, line, sizeof line - 1);

    return code == EXIT_DONE ? output_write(out, samples, video_frame_bytes(format)) : code;
}
