/* SPDX-License-Identifier: MIT
 * A picture through a filter; see run.h. Where an average cannot leave the range of the pixels, the
 * library reads and rounds them itself; else it gets real numbers, because the tool counts what it
 * has to clamp.
 */
#include "filter/run.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "filter/pieces.h"
#include "shell/complain.h"
#include "shell/progress.h"

/* What a result may miss of what is far away, as a part of a pixel. */
static const double least_of_8_bits = 4e-6, least_of_more = 1e-8;

/* ---- plan and transfer ------------------------------------------------------------------------
 */

static int has_real_result(const filter_run *r, const image *picture) {
    return picture->depth == 32 || r->filter->is_to_float;
}

/* Without its mean, and with it most of what it has, a picture is so small that what single
 * precision does to the whole would be seen in numbers that are not rounded. */
static int choose_precision(filter_run *r, const image *picture) {
    const weft_desc one = {
        .height = 1, .width = 1, .precision = WEFT_F64, .strategy = "cpu", .threads = 1};
    const int is_open = r->options->precision < 0;
    transfer of_mean;
    int code = EXIT_DONE;

    r->precision = is_open ? WEFT_F32 : (weft_precision)r->options->precision;
    if (is_open && has_real_result(r, picture) && r->filter->table == NULL) {
        code = transfer_make(&of_mean, r->filter, &one);
        if (code == EXIT_DONE) {
            r->precision = fabs(transfer_real(&of_mean, 0, 0)) < no_mean ? WEFT_F64 : WEFT_F32;
            transfer_free(&of_mean);
        }
    }
    return code;
}

/* Large planes go one after another through the same memory, but for a result that is spread: its
 * range is that of all of them. Strips are large enough for a thread to be worth its while, and so
 * small that several take no more memory than a plane. */
enum { LARGE_PLANE = 1 << 22, LEAST_STRIP = 1 << 20, MOST_STRIP = 1 << 23 };
static size_t planes_together(const filter_run *r, const image *picture) {
    return r->filter->is_spread || image_plane_samples(picture) < LARGE_PLANE ? picture->planes : 1;
}

/* Strips are filtered side by side, and so by one thread each. */
static weft_desc describe(const filter_run *r, const image *picture) {
    const transform_options *o = r->options;
    const int is_integer = !has_real_result(r, picture) && filter_averages(r->filter) &&
                           !r->filter->has_offset && !r->filter->keeps_mean &&
                           !r->filter->is_spread && !values_are_rounded_down(r, picture);

    return (weft_desc){.height = picture->height,
                       .width = picture->width,
                       .batch = planes_together(r, picture),
                       .precision = r->precision,
                       .pixel = !is_integer            ? WEFT_PIXEL_REAL
                                : picture->depth == 16 ? WEFT_PIXEL_U16
                                                       : WEFT_PIXEL_U8,
                       .layout = WEFT_HALF,
                       .strategy = o->strategy,
                       .threads = r->strips > 1 ? 1 : (int)o->threads,
                       .device = (int)o->device};
}

/* Neighbours of a strip are filtered again: that is to be a tenth more at most, and so they all are
 * rows of the strips before and behind it. A mirrored border has the rows that it mirrors beside
 * it, one that wraps does not; what is looked for in all of a picture, a screen or a range, is not
 * in a strip. */
static size_t count_strips(const filter_run *r, const image *picture) {
    const double most_again = 0.1, rows_again = fmax(2 * r->reach, 1);
    const double fit = floor(most_again * (double)picture->height / rows_again);
    const double samples = (double)image_plane_samples(picture);
    const double strips = fmin(fit, floor(samples / LEAST_STRIP));
    const int can = planes_together(r, picture) == 1 && !r->filter->descreens &&
                    !r->filter->is_spread && r->filter->border != WRAP;

    return can && strips >= 1 && samples <= strips * MOST_STRIP ? (size_t)strips : 1;
}

/* The plane of a picture becomes that of its strips, with what lies beside and between them. */
static weft_status enlarge_plane(filter_run *r, const image *picture) {
    r->desc.height = (picture->height + r->strips - 1) / r->strips;
    return border_enlarge(r->filter->border, r->reach, r->strips > 1, &r->desc);
}

static int refuse_size(const filter_run *r, const image *picture) {
    return complain(EXIT_BAD_INPUT,
                    "%zux%zu with its borders is %zux%zu, more than --max-pixels %zu; say --pad "
                    "wrap, or filter less widely",
                    picture->height, picture->width, r->desc.height, r->desc.width,
                    r->options->max_pixels);
}

static int enlarge(filter_run *r, const image *picture) {
    weft_status status;

    r->reach = filter_reach(r->filter, picture->depth == 8 && !has_real_result(r, picture)
                                           ? least_of_8_bits
                                           : least_of_more);
    r->strips = count_strips(r, picture);
    r->desc = describe(r, picture);
    status = enlarge_plane(r, picture);
    if (status == WEFT_UNSUPPORTED && r->desc.pixel != WEFT_PIXEL_REAL) {
        r->desc = describe(r, picture);
        r->desc.pixel = WEFT_PIXEL_REAL;
        status = enlarge_plane(r, picture);
    }
    if (status != WEFT_OK) {
        return complain_plan(status, &r->desc);
    }
    return r->desc.height <= SIZE_MAX / r->desc.width &&
                   r->desc.height * r->desc.width <= r->options->max_pixels
               ? EXIT_DONE
               : refuse_size(r, picture);
}

static int make_plan(filter_run *r) {
    weft_status status;

    progress_start("planning");
    status = weft_plan_create(&r->plan, &r->desc);
    if (status == WEFT_UNSUPPORTED && r->desc.pixel != WEFT_PIXEL_REAL) {
        r->desc.pixel = WEFT_PIXEL_REAL;
        status = weft_plan_create(&r->plan, &r->desc);
    }
    progress_end();
    if (status == WEFT_OK && r->options->verbose) {
        fputs(weft_plan_describe(r->plan), stderr);
    }
    return status == WEFT_OK ? EXIT_DONE : complain_plan(status, &r->desc);
}

/* A result of integers without its mean would be half black. */
static void settle_mean(filter_run *r, const image *picture) {
    const int is_integer = !has_real_result(r, picture);

    r->gain_of_mean = transfer_real(&r->transfer, 0, 0);
    r->keeps_mean = filter_keeps_mean(r->filter, is_integer, r->gain_of_mean);
    if (r->keeps_mean) {
        r->desc.pixel = WEFT_PIXEL_REAL;
    }
}

int filter_run_prepare(filter_run *r, const image *picture) {
    int code = EXIT_DONE;

    if (r->plan != NULL && r->height == picture->height && r->width == picture->width &&
        r->colours == picture->planes && r->depth == picture->depth &&
        r->is_to_float == r->filter->is_to_float && !r->filter->descreens) {
        return EXIT_DONE;
    }
    filter_run_end(r);
    for (size_t i = 0; i < r->filter->gain_count; i++) {
        r->filter->gains[i].is_of_bytes = picture->depth == 8;
    }
    if (r->filter->descreens) {
        code = screen_find(&r->filter->screen, picture, r->options);
    }
    if (code == EXIT_DONE) {
        code = choose_precision(r, picture);
    }
    if (code == EXIT_DONE) {
        code = enlarge(r, picture);
    }
    if (code == EXIT_DONE) {
        progress_start("planning");
        code = transfer_make(&r->transfer, r->filter, &r->desc);
        progress_end();
    }
    if (code == EXIT_DONE) {
        settle_mean(r, picture);
        code = make_plan(r);
    }
    r->height = picture->height;
    r->width = picture->width;
    r->colours = picture->planes;
    r->depth = picture->depth;
    r->is_to_float = r->filter->is_to_float;
    return code;
}

void filter_run_rest(filter_run *r) {
    free(r->planes);
    free(r->work);
    r->planes = r->work = NULL;
}

void filter_run_end(filter_run *r) {
    filter_run_rest(r);
    weft_plan_destroy(r->plan);
    transfer_free(&r->transfer);
    *r = (filter_run){.filter = r->filter, .options = r->options};
}

/* ---- results ----------------------------------------------------------------------------------
 */

/* Alpha is as it was, but of the new type. */
static void convert_alpha(const image *picture, image *result) {
    const image alpha = {.depth = picture->depth, .pixels = picture->alpha};

    for (size_t i = 0; i < image_plane_samples(picture); i++) {
        ((float *)result->alpha)[i] = (float)image_value(&alpha, i);
    }
}

/* Where the result goes: into the picture itself, or into one of floats. */
static int make_result(const filter_run *r, const image *picture, image *result) {
    int code;

    if (!r->filter->is_to_float || picture->depth == 32) {
        *result = *picture;
        return EXIT_DONE;
    }
    code = image_allocate(result, picture->height, picture->width, picture->planes, 32,
                          picture->alpha != NULL);
    if (code == EXIT_DONE && picture->alpha != NULL) {
        convert_alpha(picture, result);
    }
    return code;
}

/* It becomes the picture. */
static void take_result(image *picture, image *result) {
    if (result->pixels != picture->pixels) {
        result->extras = picture->extras;
        picture->extras = NULL;
        image_free(picture);
    }
    *picture = *result;
}

/* Memory that serves all planes and pictures: new memory would be cleared by the system first. */
static int take_memory(filter_run *r, const image *picture) {
    const size_t work_bytes = pieces_work_bytes(r);

    if (r->planes != NULL) {
        return EXIT_DONE;
    }
    r->planes = allocate(pieces_kept(r, picture), pieces_bytes(r));
    if (r->planes != NULL && work_bytes > 0) {
        r->work = allocate(pieces_together(r, picture), work_bytes);
    }
    if (r->planes != NULL && (r->work != NULL || work_bytes == 0)) {
        return EXIT_DONE;
    }
    filter_run_rest(r);
    return EXIT_MEMORY;
}

static int find_shifts(filter_run *r, const image *picture, const light *l,
                       shift shifts[MOST_PLANES]) {
    int code = EXIT_DONE;

    for (size_t p = 0; code == EXIT_DONE && p < picture->planes; p++) {
        code = values_find_shift(r, picture, l, p, &shifts[p]);
    }
    return code;
}

static int read_all(const image *picture, const filter_pipeline *pipeline) {
    int code = EXIT_DONE;

    if (pipeline != NULL) {
        progress_start("reading");
        code = pipeline->read(pipeline->context, picture->height);
        progress_end();
    }
    return code;
}

/* Whether a strip can be filtered before all rows are there: means are those of the whole. */
static int begins_early(const filter_run *r) {
    return r->strips > 1 && r->desc.pixel != WEFT_PIXEL_REAL;
}

static int run_through(filter_run *r, image *picture, const light *l,
                       const filter_pipeline *pipeline, filter_losses *losses) {
    shift shifts[MOST_PLANES] = {{0}};
    image result;
    const pieces all = {.run = r,
                        .picture = picture,
                        .result = &result,
                        .light = l,
                        .shifts = shifts,
                        .pipeline = pipeline};
    int code = make_result(r, picture, &result);

    if (code == EXIT_DONE && !begins_early(r)) {
        code = read_all(picture, pipeline);
    }
    if (code == EXIT_DONE && r->desc.pixel == WEFT_PIXEL_REAL) {
        code = find_shifts(r, picture, l, shifts);
    }
    if (code == EXIT_DONE) {
        progress_start("filtering");
        code = pieces_filter(&all, losses);
        progress_end();
    }
    if (code == EXIT_DONE && pipeline != NULL) {
        progress_start("writing");
        code = pipeline->write(pipeline->context, picture->height);
        progress_end();
    }
    if (code == EXIT_DONE) {
        take_result(picture, &result);
    } else if (result.pixels != picture->pixels) {
        image_free(&result);
    }
    return code;
}

int filter_run_picture(filter_run *r, image *picture, const filter_pipeline *pipeline,
                       filter_losses *losses) {
    light l = {0};
    int code = EXIT_DONE;

    *losses = (filter_losses){0};
    if (r->filter->descreens) { /* the screen is looked for in all of it */
        code = read_all(picture, pipeline);
    }
    if (code == EXIT_DONE) {
        code = filter_run_prepare(r, picture);
    }
    if (code == EXIT_DONE && r->filter->is_spread && has_real_result(r, picture)) {
        code = complain(EXIT_USAGE, "--autoscale: is for results of 8 and 16 bits; floats have "
                                    "neither black nor white");
    }
    if (code == EXIT_DONE && r->filter->is_linear) {
        code = light_make(&l, picture->depth);
    }
    if (code == EXIT_DONE) {
        code = take_memory(r, picture);
    }
    if (code == EXIT_DONE) {
        code = run_through(r, picture, &l, pipeline, losses);
    }
    light_free(&l);
    return code;
}
