/* SPDX-License-Identifier: MIT
 * Planes -> a PNG file: gray or colour, with or without alpha, 8 or 16 bits, with what another PNG
 * file said about this picture, or the colour profile from any. Compression takes nearly all of the
 * time, so that chunks of rows are filtered and compressed beside each other. Chunks are fixed and
 * know nothing of one another: the bytes do not depend on the number of threads. No times and no
 * comments, so that equal pictures give equal bytes.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <omp.h>
#include <zlib.h>

#include "files/deflate.h"
#include "files/image_extras.h"
#include "files/image_formats.h"
#include "files/png_extras.h"
#include "shell/complain.h"
#include "shell/progress.h"

enum {
    CHUNK_BYTES = 1 << 18,  /* of filtered rows; larger ones compress hardly better */
    CHUNKS_OF_A_THREAD = 4, /* before all are written, so that none waits long for the slowest */
    MOST_PIECE = 1 << 30,   /* of bytes in a chunk of PNG */
    FILTER_SUB = 1,
    FILTERS = 5
};

/* Rows that are compressed together, and what becomes of them. */
typedef struct slot {
    deflater deflater;
    size_t first, rows;
    unsigned char *lines;  /* of all its rows, each with its filter before it */
    unsigned char *packed; /* deflated */
    size_t packed_bytes;
    unsigned char *row, *above, *trial; /* bytes of a row as the file has them; trial: filtered */
    uLong checksum;                     /* of lines */
} slot;

typedef struct writer {
    const image *picture;
    output *out;
    int is_small;
    size_t row_bytes, pixel_bytes, chunk_rows, packed_size;
    size_t slot_count;
    slot *slots;
    int threads;
    size_t next; /* the first row that is not written */
    uLong checksum;
} writer;

/* ---- chunks of PNG --------------------------------------------------------------------------- */

static void put_number(unsigned char *bytes, size_t number) {
    for (int i = 0; i < 4; i++) {
        bytes[i] = (unsigned char)(number >> (24 - 8 * i));
    }
}

static int write_chunk(output *out, const char *name, const void *bytes, size_t count) {
    unsigned char head[8], tail[4];
    uLong checksum = crc32(0, (const Bytef *)name, 4);
    int code;

    put_number(head, count);
    memcpy(head + 4, name, 4);
    put_number(tail, count > 0 ? crc32_z(checksum, bytes, count) : checksum);
    code = output_write(out, head, sizeof head);
    if (code == EXIT_DONE) {
        code = output_write(out, bytes, count);
    }
    return code == EXIT_DONE ? output_write(out, tail, sizeof tail) : code;
}

/* Of another format: after a name and a way of compression, of which there is one. */
static int write_profile(const writer *w) {
    static const char head[] = "ICC profile\0";
    const image_extra *profile = image_extras_profile(w->picture, png_format, w->out->path);
    uLongf count = profile != NULL ? compressBound(profile->count) : 0;
    unsigned char *bytes;
    int code;

    if (profile == NULL) {
        return EXIT_DONE;
    }
    bytes = allocate(sizeof head + count, 1);
    if (bytes == NULL) {
        return EXIT_MEMORY;
    }
    memcpy(bytes, head, sizeof head);
    code = compress(bytes + sizeof head, &count, profile->bytes, profile->count) == Z_OK
               ? write_chunk(w->out, png_profile, bytes, sizeof head + count)
               : complain(EXIT_MEMORY, "%s: out of memory for zlib", w->out->path);
    free(bytes);
    return code;
}

static int write_head(const writer *w) {
    static const unsigned char signature[] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'};
    const unsigned char stream[] = {0x78, w->is_small ? 0xda : 0x01}; /* zlib's header */
    const image_extras *extras = image_extras_of(w->picture, png_format);
    unsigned char header[13] = {0};
    int code = output_write(w->out, signature, sizeof signature);

    put_number(header, w->picture->width);
    put_number(header + 4, w->picture->height);
    header[8] = (unsigned char)w->picture->depth;
    header[9] = (unsigned char)((w->picture->planes == 3 ? 2 : 0) | (w->picture->alpha ? 4 : 0));
    if (code == EXIT_DONE) {
        code = write_chunk(w->out, "IHDR", header, sizeof header);
    }
    if (code == EXIT_DONE && extras->count == 0) {
        code = write_profile(w);
    }
    for (size_t i = 0; code == EXIT_DONE && i < extras->count; i++) {
        const image_extra *e = &extras->list[i];

        if (strcmp(e->name, image_profile) != 0) { /* the chunk that it came from is another */
            code = write_chunk(w->out, e->name, e->bytes, e->count);
        }
    }
    return code == EXIT_DONE ? write_chunk(w->out, "IDAT", stream, sizeof stream) : code;
}

/* An empty last block of deflate, and the checksum of all lines. */
static int write_tail(const writer *w) {
    unsigned char end[] = {0x03, 0x00, 0, 0, 0, 0};
    int code;

    put_number(end + 2, w->checksum);
    code = write_chunk(w->out, "IDAT", end, sizeof end);
    return code == EXIT_DONE ? write_chunk(w->out, "IEND", NULL, 0) : code;
}

/* ---- a slot's work --------------------------------------------------------------------------- */

/* Big-endian, as PNG is. */
static void take_row(const writer *w, size_t row, unsigned char *bytes) {
    uint16_t *samples = (uint16_t *)(void *)bytes;

    image_join_row(w->picture, row, bytes);
    for (size_t i = 0; w->picture->depth == 16 && i < w->row_bytes / 2; i++) {
        samples[i] = __builtin_bswap16(samples[i]);
    }
}

static int paeth(int a, int b, int c) {
    const int of_a = abs(b - c), of_b = abs(a - c), of_c = abs(a + b - 2 * c);

    return of_a <= of_b && of_a <= of_c ? a : of_b <= of_c ? b : c;
}

/* Of byte i what the filter guesses from those to the left and above. */
static int guess(const slot *s, int filter, size_t i, size_t step) {
    const int left = i >= step ? s->row[i - step] : 0, above = s->above[i];

    switch (filter) {
    case FILTER_SUB:
        return left;
    case 2:
        return above;
    case 3:
        return (left + above) / 2;
    case 4:
        return paeth(left, above, i >= step ? s->above[i - step] : 0);
    default:
        return 0;
    }
}

/* The filter whose differences are the smallest together, as the specification of PNG advises. */
static void filter_best(const writer *w, slot *s, unsigned char *line) {
    size_t least = SIZE_MAX;

    for (int filter = 0; filter < FILTERS; filter++) {
        size_t sum = 0;

        for (size_t i = 0; i < w->row_bytes; i++) {
            const unsigned char difference =
                (unsigned char)(s->row[i] - guess(s, filter, i, w->pixel_bytes));

            s->trial[i] = difference;
            sum += (size_t)abs((signed char)difference);
        }
        if (sum < least) {
            least = sum;
            line[0] = (unsigned char)filter;
            memcpy(line + 1, s->trial, w->row_bytes);
        }
    }
}

static void filter_sub(const writer *w, const slot *s, unsigned char *line) {
    line[0] = FILTER_SUB;
    memcpy(line + 1, s->row, w->pixel_bytes);
    for (size_t i = w->pixel_bytes; i < w->row_bytes; i++) {
        line[1 + i] = (unsigned char)(s->row[i] - s->row[i - w->pixel_bytes]);
    }
}

static void filter_rows(const writer *w, slot *s) {
    unsigned char *line = s->lines;

    if (w->is_small && s->first > 0) {
        take_row(w, s->first - 1, s->above);
    } else {
        memset(s->above, 0, w->row_bytes);
    }
    for (size_t row = s->first; row < s->first + s->rows; row++, line += 1 + w->row_bytes) {
        take_row(w, row, s->row);
        if (w->is_small) {
            unsigned char *now = s->row;

            filter_best(w, s, line);
            s->row = s->above;
            s->above = now;
        } else {
            filter_sub(w, s, line);
        }
    }
}

static void pack(const writer *w, slot *s) {
    const size_t count = s->rows * (1 + w->row_bytes);

    s->packed_bytes = deflater_pack(&s->deflater, s->lines, count, s->packed, w->packed_size);
    s->checksum = adler32_z(adler32(0, NULL, 0), s->lines, count);
}

/* ---- all slots ------------------------------------------------------------------------------- */

static int make_slot(const writer *w, slot *s) {
    const size_t lines = w->chunk_rows * (1 + w->row_bytes);

    s->lines = allocate(lines, 1);
    s->packed = s->lines != NULL ? allocate(w->packed_size, 1) : NULL;
    s->row = s->packed != NULL ? allocate(w->row_bytes, 1) : NULL;
    s->above = s->row != NULL ? allocate(w->row_bytes, 1) : NULL;
    s->trial = s->above != NULL ? allocate(w->row_bytes, 1) : NULL;
    return s->trial != NULL ? deflater_begin(&s->deflater, w->is_small, w->out->path) : EXIT_MEMORY;
}

static void free_slots(writer *w) {
    for (size_t i = 0; w->slots != NULL && i < w->slot_count; i++) {
        slot *s = &w->slots[i];

        deflater_end(&s->deflater);
        free(s->lines);
        free(s->packed);
        free(s->row);
        free(s->above);
        free(s->trial);
    }
    free(w->slots);
}

static int make_slots(writer *w) {
    int code = EXIT_DONE;

    w->slots = allocate(w->slot_count, sizeof *w->slots);
    if (w->slots == NULL) {
        return EXIT_MEMORY;
    }
    memset(w->slots, 0, w->slot_count * sizeof *w->slots);
    for (size_t i = 0; i < w->slot_count && code == EXIT_DONE; i++) {
        code = make_slot(w, &w->slots[i]);
    }
    return code;
}

static int write_packed(const writer *w, const slot *s) {
    int code = EXIT_DONE;

    for (size_t at = 0; at < s->packed_bytes && code == EXIT_DONE; at += MOST_PIECE) {
        const size_t left = s->packed_bytes - at;

        code = write_chunk(w->out, "IDAT", s->packed + at, left < MOST_PIECE ? left : MOST_PIECE);
    }
    return code;
}

static void fill_slot(const writer *w, slot *s, size_t first, size_t end) {
    s->first = first;
    s->rows = end - first < w->chunk_rows ? end - first : w->chunk_rows;
    filter_rows(w, s);
    pack(w, s);
}

/* Rows from the next one on, in as many slots as there are, beside each other: tasks of a team that
 * is at work already, where another would have one thread only. How many slots. */
static size_t fill_slots(writer *w, size_t end) {
    const size_t chunks = (end - w->next + w->chunk_rows - 1) / w->chunk_rows;
    const size_t used = chunks < w->slot_count ? chunks : w->slot_count;

    if (omp_get_active_level() >= omp_get_max_active_levels()) {
#pragma omp taskgroup
        for (size_t i = 0; i < used; i++) {
#pragma omp task
            fill_slot(w, &w->slots[i], w->next + i * w->chunk_rows, end);
        }
    } else {
#pragma omp parallel for schedule(dynamic) num_threads(w->threads) if (used > 1)
        for (size_t i = 0; i < used; i++) {
            fill_slot(w, &w->slots[i], w->next + i * w->chunk_rows, end);
        }
    }
    return used;
}

/* A chunk has the same rows whenever they come. */
static int rows(void *state, size_t end) {
    writer *w = state;
    int code = EXIT_DONE;

    if (end < w->picture->height) {
        end -= end % w->chunk_rows;
    }
    while (w->next < end && code == EXIT_DONE) {
        const size_t used = fill_slots(w, end);

        for (size_t i = 0; i < used && code == EXIT_DONE; i++) {
            const slot *s = &w->slots[i];

            code = write_packed(w, s);
            w->checksum =
                adler32_combine(w->checksum, s->checksum, (z_off_t)(s->rows * (1 + w->row_bytes)));
            w->next += s->rows;
        }
        progress_step((double)w->next / (double)w->picture->height, NULL);
    }
    return code;
}

static int finish(void *state) {
    return write_tail(state);
}

static void measure(writer *w) {
    const size_t height = w->picture->height;
    size_t chunks;

    w->pixel_bytes = image_channels(w->picture) * image_sample_bytes(w->picture);
    w->row_bytes = w->picture->width * w->pixel_bytes;
    w->chunk_rows = CHUNK_BYTES / (1 + w->row_bytes) > 0 ? CHUNK_BYTES / (1 + w->row_bytes) : 1;
    if (w->chunk_rows > height) {
        w->chunk_rows = height;
    }
    w->packed_size = deflate_bound(w->chunk_rows * (1 + w->row_bytes));
    chunks = (height + w->chunk_rows - 1) / w->chunk_rows;
    w->slot_count = (size_t)w->threads * CHUNKS_OF_A_THREAD;
    if (w->slot_count > chunks) {
        w->slot_count = chunks;
    }
}

static int begin(void **state, const image *picture, output *out, const image_options *options) {
    writer *w;
    int code = image_check_floats(picture, out->path);

    if (code != EXIT_DONE) {
        return code;
    }
    *state = w = allocate(1, sizeof *w);
    if (w == NULL) {
        return EXIT_MEMORY;
    }
    *w = (writer){.picture = picture,
                  .out = out,
                  .is_small = options->is_small,
                  .threads = options->threads > 0 ? options->threads : omp_get_max_threads(),
                  .checksum = adler32(0, NULL, 0)};
    measure(w);
    code = make_slots(w);
    return code == EXIT_DONE ? write_head(w) : code;
}

static void release(void *state) {
    free_slots(state);
    free(state);
}

const image_row_writer image_png_writer = {begin, rows, finish, release};
