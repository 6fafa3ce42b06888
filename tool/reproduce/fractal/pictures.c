/* SPDX-License-Identifier: MIT
 * What the seed says of pictures: from any beginning to the same limit (Fig. 5), and how little is
 * lost with the codebook of another picture (Table I).
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "commands/fractal/planes.h"
#include "commands/fractal/quality.h"
#include "reproduce/fractal/experiment.h"
#include "shell/complain.h"
#include "shell/progress.h"

enum { ITERATIONS = 10 };

const char crossing_mean[] = "mean of all pictures";

/* ---- one pixel ------------------------------------------------------------------------------- */

/* The seed's own example. */
static void find_one_pixel(experiment *e) {
    static const char *const columns[] = {"after 1", "after 2", "after 3", "after 4",
                                          "after 5", "limit",   NULL};
    finding_table *t = findings_add(&e->found, "Fig. 5, one pixel", "x becomes 0.5 x + 2", columns);
    finding_row *row = finding_add(t, "from 10");
    double x = 10;

    for (int i = 0; i < SHOWN_ITERATIONS; i++) {
        x = 0.5 * x + 2;
        row->here[i] = x;
    }
    for (int i = 0; i < 64; i++) {
        x = 0.5 * x + 2;
    }
    row->here[SHOWN_ITERATIONS] = x;
    row->source[SHOWN_ITERATIONS] = "4";
}

/* ---- a picture ------------------------------------------------------------------------------- */

typedef struct stream_of_picture {
    uint8_t *bytes;
    size_t header, count; /* the frame follows the header */
} stream_of_picture;

static int encode_picture(const film *f, stream_of_picture *s) {
    const weft_fractal_desc of_seed = {.search = "cpu"};
    const weft_fractal_desc desc = film_describe(f, &of_seed);
    const weft_fractal_picture picture = picture_of_frame(&f->format, f->samples);
    weft_fractal_encoder *encoder;
    weft_status status = weft_fractal_encoder_create(&encoder, &desc);

    if (status == WEFT_OK) {
        s->bytes = malloc(2 * weft_fractal_encoder_bound(encoder));
        status = s->bytes != NULL ? weft_fractal_write_header(encoder, s->bytes, &s->header)
                                  : WEFT_NO_MEMORY;
    }
    if (status == WEFT_OK) {
        status = weft_fractal_encode(encoder, &picture, s->bytes + s->header, &s->count, NULL);
    }
    weft_fractal_encoder_destroy(encoder);
    return status == WEFT_OK ? EXIT_DONE : complain_status(status);
}

/* What the decoder shows on its way. */
typedef struct way {
    const film *of;
    uint8_t *pictures; /* [ITERATIONS + 1][pixels] */
    size_t pixels;
} way;

static void look(void *of, int iteration, const weft_fractal_picture *picture) {
    way *w = of;
    const size_t width = w->of->format.width;
    const size_t pitch = picture->pitch[0] != 0 ? picture->pitch[0] : width;

    for (size_t row = 0; row < w->of->format.height; row++) {
        memcpy(w->pictures + (size_t)iteration * w->pixels + row * width,
               picture->plane[0] + row * pitch, width);
    }
}

static int decode_picture(const stream_of_picture *s, weft_fractal_start start, way *w) {
    const weft_fractal_decoding decoding = {
        .start = start, .iterations = ITERATIONS, .trace = look, .trace_of = w};
    weft_fractal_decoder *decoder;
    weft_status status = weft_fractal_decoder_create(&decoder, &decoding, s->bytes, s->header);

    if (status == WEFT_OK) {
        uint8_t *last = malloc(w->pixels);
        const weft_fractal_picture to = {.plane = {last}};

        status = last != NULL ? weft_fractal_decode(decoder, s->bytes + s->header, s->count, &to)
                              : WEFT_NO_MEMORY;
        free(last);
    }
    weft_fractal_decoder_destroy(decoder);
    return status == WEFT_OK ? EXIT_DONE : complain_status(status);
}

static int farthest(const uint8_t *a, const uint8_t *b, size_t count) {
    int most = 0;

    for (size_t i = 0; i < count; i++) {
        most = abs(a[i] - b[i]) > most ? abs(a[i] - b[i]) : most;
    }
    return most;
}

static double decibels_after(const way *w, int iteration) {
    quality q = {0};

    quality_compare(&q, &w->of->format, w->of->samples,
                    w->pictures + (size_t)iteration * w->pixels);
    return quality_of_mean_error(&q, 0);
}

/* As far as PSNR tells, in hundredths of a decibel: rounding keeps some pixels moving for ever. */
static int settled_after(const way *w) {
    const double limit = decibels_after(w, ITERATIONS);
    int i = ITERATIONS;

    for (; i > 0; i--) {
        const double before = decibels_after(w, i - 1);
        if (before != limit &&
            !(fabs(before - limit) < 0.01)) { /* of a flat picture both are infinite */
            break;
        }
    }
    return i;
}

static void note_way(finding_table *t, const char *start, const way *w, const uint8_t *limit) {
    finding_row *row = finding_add(t, start);

    for (int i = 0; i < SHOWN_ITERATIONS; i++) {
        row->here[i] = decibels_after(w, i + 1);
        row->source[i] = lost_value;
    }
    row->here[SETTLED_CELL] = settled_after(w);
    row->source[SETTLED_CELL] = "4-5";
    row->here[LIMIT_CELL] =
        farthest(w->pictures + (size_t)ITERATIONS * w->pixels, limit, w->pixels);
}

static const struct {
    const char *what;
    weft_fractal_start start;
} starts[] = {{"from grey", WEFT_FRACTAL_START_GREY},
              {"from noise", WEFT_FRACTAL_START_NOISE},
              {"from black", WEFT_FRACTAL_START_BLACK},
              {"from white", WEFT_FRACTAL_START_WHITE}};

/* The limit of the first beginning is what the others are held against. */
static int follow(finding_table *t, const film *f, const stream_of_picture *s) {
    const size_t pixels = video_frame_bytes(&f->format);
    way w = {.of = f, .pixels = pixels, .pictures = allocate(ITERATIONS + 1, pixels)};
    uint8_t *limit = allocate(pixels, 1);
    int code = w.pictures && limit ? EXIT_DONE : EXIT_MEMORY;

    for (size_t i = 0; code == EXIT_DONE && i < sizeof starts / sizeof *starts; i++) {
        code = decode_picture(s, starts[i].start, &w);
        if (code == EXIT_DONE && i == 0) {
            memcpy(limit, w.pictures + ITERATIONS * pixels, pixels);
        }
        if (code == EXIT_DONE) {
            note_way(t, starts[i].what, &w, limit);
        }
    }
    free(w.pictures);
    free(limit);
    return code;
}

int find_convergence(experiment *e) {
    static const char *const columns[] = {"dB after 1", "after 2",       "after 3", "after 4",
                                          "after 5",    "settled after", "off by",  NULL};
    const film *f = &e->pictures[0];
    stream_of_picture s = {0};
    finding_table *t;
    int code;

    find_one_pixel(e);
    t = findings_add(
        &e->found, "Fig. 5",
        "PSNR of the first picture by iterations, settled to 0.01 dB; off by: farthest "
        "pixel from the limit from grey",
        columns);
    progress_start("Fig. 5");
    code = encode_picture(f, &s);
    if (code == EXIT_DONE) {
        code = follow(t, f, &s);
    }
    progress_end();
    free(s.bytes);
    return code;
}

/* ---- the codebook of another picture --------------------------------------------------------- */

/* Two pictures are a film: all ranges of the second are coded with domains of the first one as it
 * is decoded. */
static int cross(const film *book, const film *f, double *decibels) {
    const size_t bytes = video_frame_bytes(&f->format);
    const weft_fractal_desc desc = {.search = "cpu", .change = WEFT_FRACTAL_EVERY, .no_repeat = 1};
    film both = {.format = f->format, .frames = 2};
    passage_coded coded;
    int code;

    both.samples = allocate(2, bytes);
    if (both.samples == NULL) {
        return EXIT_MEMORY;
    }
    memcpy(both.samples, book->samples, bytes);
    memcpy(both.samples + bytes, f->samples, bytes);
    /* With its own codebook a picture is its own limit: the first frame. */
    const passage p = {
        .of = &both, .first = book == f ? 0 : 1, .end = book == f ? 1 : 2, .samples = 1};
    code = passage_code(&p, &desc, &coded);
    *decibels = coded.psnr[0];
    free(both.samples);
    return code;
}

static int cross_row(experiment *e, finding_table *t, size_t i, double *loss) {
    finding_row *row = finding_add(t, e->pictures[i].name);
    const size_t count = e->picture_count;
    int code = EXIT_DONE;

    *loss = 0;
    for (size_t k = 0; code == EXIT_DONE && k < count; k++) {
        row->source[k] = lost_value;
        code = cross(&e->pictures[k], &e->pictures[i], &row->here[k]);
    }
    for (size_t k = 0; k < count; k++) {
        *loss += (row->here[i] - row->here[k]) / (double)(count - 1);
    }
    row->here[count] = *loss;
    row->source[count] = lost_value;
    return code;
}

int find_crossing(experiment *e) {
    const size_t count = e->picture_count;
    const char *columns[MOST_PICTURES + 2] = {NULL};
    double sum = 0, loss;
    finding_table *t;
    finding_row *mean;
    int code = EXIT_DONE;

    for (size_t i = 0; i < count; i++) {
        columns[i] = e->pictures[i].name;
    }
    columns[count] = "mean loss";
    t = findings_add(&e->found, "Table I",
                     "PSNR of each picture (rows) with the codebook of each (columns), dB",
                     columns);
    progress_start("Table I");
    for (size_t i = 0; code == EXIT_DONE && i < count; i++) {
        code = cross_row(e, t, i, &loss);
        sum += loss;
        progress_step((double)(i + 1) / (double)count, NULL);
    }
    progress_end();
    mean = finding_add(t, crossing_mean);
    mean->here[count] = sum / (double)count;
    mean->source[count] = "1";
    return code;
}
