/* SPDX-License-Identifier: MIT
 * A JPEG file -> planes of 8 bits, turned upright where EXIF says how it was held. The file is
 * untrusted: what libjpeg would only warn of, because it made up pixels, is a failure. All of
 * libjpeg's jumps land in guarded(); state that must survive them lives in the struct.
 */
#include "files/jpeg.h"

#include <stdlib.h>
#include <string.h>

#include "files/exif.h"
#include "files/image_extras.h"
#include "files/image_formats.h"
#include "shell/complain.h"

/* A progressive file has a dozen scans; each goes through all of the picture. */
enum {
    BUFFER_SIZE = 1 << 16,
    MOST_SCANS = 200,
    MOST_MARKER = 0xffff,
    MARKER_EXIF = JPEG_APP0 + 1,
    MARKER_PROFILE = JPEG_APP0 + 2
};

typedef struct reader {
    struct jpeg_decompress_struct codec;
    struct jpeg_source_mgr source;
    struct jpeg_progress_mgr progress;
    jpeg_failure failure;
    input *in;
    image *picture;
    size_t max_pixels, end; /* end: of the rows that are wanted now */
    int orientation;
    void *row;       /* interleaved samples */
    JOCTET *profile; /* libjpeg's own malloc() */
    JOCTET buffer[BUFFER_SIZE];
} reader;

static void nothing(j_decompress_ptr codec) {
    (void)codec;
}

/* Gives up with an exit code that has been complained about. */
static void give_up(reader *r, int code) {
    r->failure.code = code;
    longjmp(r->failure.back, 1);
}

static boolean fill(j_decompress_ptr codec) {
    reader *r = codec->client_data;
    size_t got;
    int code = input_read_most(r->in, r->buffer, sizeof r->buffer, &got);

    if (code == EXIT_DONE && got == 0) {
        code = complain(EXIT_BAD_INPUT, "%s: truncated JPEG", r->in->path);
    }
    if (code != EXIT_DONE) {
        give_up(r, code);
    }
    r->source.next_input_byte = r->buffer;
    r->source.bytes_in_buffer = got;
    return TRUE;
}

static void skip(j_decompress_ptr codec, long count) {
    reader *r = codec->client_data;

    while (count > 0 && (size_t)count > r->source.bytes_in_buffer) {
        count -= (long)r->source.bytes_in_buffer;
        fill(codec);
    }
    if (count > 0) {
        r->source.next_input_byte += count;
        r->source.bytes_in_buffer -= (size_t)count;
    }
}

/* A few bytes can name a scan that goes through all pixels. */
static void count_scans(j_common_ptr codec) {
    j_decompress_ptr decoder = (j_decompress_ptr)codec;
    reader *r = codec->client_data;

    if (decoder->input_scan_number > MOST_SCANS) {
        give_up(r, complain(EXIT_BAD_INPUT, "%s: damaged JPEG: more than %d scans", r->in->path,
                            MOST_SCANS));
    }
}

/* As JFIF has it, of the picture that stands upright. */
static int keep_density(reader *r) {
    const int is_turned = r->orientation >= 5; /* its rows will be columns */
    const unsigned across = is_turned ? r->codec.Y_density : r->codec.X_density;
    const unsigned down = is_turned ? r->codec.X_density : r->codec.Y_density;
    const unsigned char density[] = {r->codec.density_unit, (unsigned char)(across >> 8),
                                     (unsigned char)across, (unsigned char)(down >> 8),
                                     (unsigned char)down};

    return image_extras_keep(r->picture, jpeg_format, jpeg_density, density, sizeof density);
}

static int keep_markers(reader *r) {
    const jpeg_saved_marker_ptr first = r->codec.marker_list;
    unsigned length;
    int code = EXIT_DONE;

    for (jpeg_saved_marker_ptr m = first; m != NULL && code == EXIT_DONE; m = m->next) {
        if (m->marker == MARKER_EXIF && m->data_length > sizeof jpeg_exif_start &&
            memcmp(m->data, jpeg_exif_start, sizeof jpeg_exif_start) == 0) {
            unsigned char *exif = m->data + sizeof jpeg_exif_start;

            r->orientation = exif_take_orientation(exif, m->data_length - sizeof jpeg_exif_start);
            exif_forget_thumbnail(exif, m->data_length - sizeof jpeg_exif_start);
            code = image_extras_keep(r->picture, jpeg_format, jpeg_exif, m->data, m->data_length);
            break;
        }
    }
    if (code == EXIT_DONE && jpeg_read_icc_profile(&r->codec, &r->profile, &length)) {
        code = image_extras_keep(r->picture, jpeg_format, image_profile, r->profile, length);
    }
    if (code == EXIT_DONE && r->codec.saw_JFIF_marker) {
        code = keep_density(r);
    }
    return code;
}

/* The header, checked, and the memory that it asks for. */
static int prepare(reader *r) {
    image header = {0};
    int code;

    jpeg_save_markers(&r->codec, MARKER_EXIF, MOST_MARKER);
    jpeg_save_markers(&r->codec, MARKER_PROFILE, MOST_MARKER);
    jpeg_read_header(&r->codec, TRUE);
    code =
        image_check_size(r->in->path, r->codec.image_height, r->codec.image_width, r->max_pixels);
    if (code != EXIT_DONE) {
        return code;
    }
    if (r->codec.jpeg_color_space == JCS_CMYK || r->codec.jpeg_color_space == JCS_YCCK) {
        return complain(EXIT_BAD_INPUT,
                        "%s: a JPEG in CMYK, for printing; convert it first: convert %s "
                        "-colorspace sRGB picture.png",
                        r->in->path, r->in->path);
    }
    r->codec.out_color_space = r->codec.jpeg_color_space == JCS_GRAYSCALE ? JCS_GRAYSCALE : JCS_RGB;
    code = image_allocate(&header, r->codec.image_height, r->codec.image_width,
                          r->codec.out_color_space == JCS_RGB ? 3 : 1, 8, 0);
    *r->picture = header;
    if (code == EXIT_DONE && !(r->row = allocate(header.width, header.planes))) {
        code = EXIT_MEMORY;
    }
    return code == EXIT_DONE ? keep_markers(r) : code;
}

static int start(reader *r) {
    int code;

    jpeg_create_decompress(&r->codec);
    r->codec.client_data = r;
    r->codec.src = &r->source;
    r->codec.progress = &r->progress;
    r->source = (struct jpeg_source_mgr){.init_source = nothing,
                                         .fill_input_buffer = fill,
                                         .skip_input_data = skip,
                                         .resync_to_restart = jpeg_resync_to_restart,
                                         .term_source = nothing};
    r->progress.progress_monitor = count_scans;
    code = prepare(r);
    if (code == EXIT_DONE) {
        jpeg_start_decompress(&r->codec);
    }
    return code;
}

static int read_rows(reader *r) {
    while (r->codec.output_scanline < r->end) {
        const size_t row = r->codec.output_scanline;
        JSAMPROW samples = r->row;

        jpeg_read_scanlines(&r->codec, &samples, 1);
        image_split_row(r->picture, row, r->row);
    }
    return EXIT_DONE;
}

static int end_file(reader *r) {
    jpeg_finish_decompress(&r->codec);
    return EXIT_DONE;
}

static int guarded(reader *r, int (*step)(reader *)) {
    if (setjmp(r->failure.back)) {
        return r->failure.code;
    }
    return step(r);
}

static int rows(void *state, size_t end) {
    reader *r = state;

    r->end = end;
    return guarded(r, read_rows);
}

static int finish(void *state) {
    return guarded(state, end_file);
}

static void release(void *state) {
    reader *r = state;

    jpeg_destroy_decompress(&r->codec);
    free(r->profile);
    free(r->row);
    free(r);
}

/* A picture that is turned has its form only when all of its rows are there. */
static int read_turned(reader *r) {
    int code = rows(r, r->picture->height);

    if (code == EXIT_DONE) {
        code = finish(r);
    }
    return code == EXIT_DONE ? image_turn_upright(r->picture, r->orientation) : code;
}

static int begin(void **state, image *picture, input *in, size_t max_pixels) {
    reader *r = allocate(1, sizeof *r);
    int code;

    *state = r;
    if (r == NULL) {
        return EXIT_MEMORY;
    }
    memset(r, 0, offsetof(reader, buffer));
    r->in = in;
    r->picture = picture;
    r->max_pixels = max_pixels;
    r->orientation = 1;
    r->failure.is_strict = 1;
    r->codec.err = jpeg_failing(&r->failure, in->path, "damaged JPEG", EXIT_BAD_INPUT);
    code = guarded(r, start);
    if (code == EXIT_DONE && r->orientation != 1) {
        code = read_turned(r);
        release(r);
        *state = NULL;
    }
    return code;
}

const image_row_reader image_jpeg_reader = {begin, rows, finish, release};
