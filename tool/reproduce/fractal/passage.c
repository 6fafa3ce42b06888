/* SPDX-License-Identifier: MIT
 * Codes frames and takes the means; see passage.h.
 */
#include "reproduce/fractal/passage.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "commands/fractal/planes.h"
#include "commands/fractal/quality.h"
#include "shell/clock.h"
#include "shell/complain.h"

/* ---- what a frame adds ----------------------------------------------------------------------- */

typedef struct sums {
    coding_sample times;
    double terms, ranges, coded, ranges_of_y, bytes_of_y, bytes;
    quality seen;
} sums;

static void add_frame(sums *s, const weft_fractal_frame *frame, double seconds) {
    double error[WEFT_FRACTAL_PLANES] = {0};

    coding_sample_add(&s->times, frame);
    s->times.whole += seconds;
    s->bytes += (double)frame->bytes;
    s->bytes_of_y += (double)frame->plane[0].bytes;
    s->ranges_of_y += (double)frame->plane[0].ranges;
    for (int i = 0; i < frame->planes; i++) {
        s->terms += frame->plane[i].terms_evaluated;
        s->ranges += (double)frame->plane[i].ranges;
        s->coded += (double)frame->plane[i].coded + (double)frame->plane[i].repeated;
        error[i] = frame->plane[i].mean_square_error;
    }
    quality_add(&s->seen, frame->planes, error);
}

static void take_means(const passage *p, const sums *s, passage_coded *coded) {
    const double frames = (double)(p->end - p->first);
    const video_format *format = &p->of->format;
    const video_plane y = plane_of_video(format, 0);

    coded->terms = s->terms / frames;
    coded->changed = s->coded / s->ranges;
    coded->bits_of_range = 8 * s->bytes_of_y / s->ranges_of_y;
    coded->ratio_of_y = (double)(y.rows * y.columns) * frames / s->bytes_of_y;
    coded->ratio = (double)video_frame_bytes(format) * frames / s->bytes;
    for (int i = 0; i < s->seen.planes; i++) {
        coded->psnr[i] = quality_of_mean_error(&s->seen, i);
    }
}

static void take_times(const passage *p, const coding_sample *times, const char *search,
                       passage_coded *coded) {
    const size_t frames = p->end - p->first;
    const double ms_of_frame = 1e3 / (double)frames;

    coded->sample[coded->samples++] =
        (passage_sample){(p->part_of != NULL ? p->part_of : p->of)->name, search, frames, *times};
    if (!(coded->ms <= times->whole * ms_of_frame)) {
        coded->ms = times->whole * ms_of_frame;
        coded->search_ms = times->search * ms_of_frame;
        coded->kernel_ms = times->kernels * ms_of_frame;
        coded->transfer_ms = times->transfers * ms_of_frame;
    }
}

/* ---- the frames ------------------------------------------------------------------------------ */

static weft_status code_frames(const passage *p, weft_fractal_encoder *encoder, uint8_t *bytes,
                               passage_coded *coded) {
    sums s = {0};
    weft_status status = WEFT_OK;

    for (size_t i = 0; status == WEFT_OK && i < p->end; i++) {
        const weft_fractal_picture picture = picture_of_frame(&p->of->format, film_frame(p->of, i));
        weft_fractal_frame frame;
        size_t written;
        const double since = clock_seconds();

        status = weft_fractal_encode(encoder, &picture, bytes, &written, &frame);
        if (status == WEFT_OK && i >= p->first) {
            add_frame(&s, &frame, clock_seconds() - since);
            coded->domains = (double)frame.plane[0].domains;
        }
    }
    if (status == WEFT_OK) {
        take_means(p, &s, coded);
        take_times(p, &s.times, weft_fractal_encoder_search(encoder), coded);
    }
    return status;
}

static weft_status code_once(const passage *p, const weft_fractal_desc *desc,
                             passage_coded *coded) {
    weft_fractal_encoder *encoder;
    uint8_t *bytes = NULL;
    weft_status status = weft_fractal_encoder_create(&encoder, desc);

    if (status == WEFT_OK) {
        bytes = malloc(weft_fractal_encoder_bound(encoder));
        status = bytes != NULL ? code_frames(p, encoder, bytes, coded) : WEFT_NO_MEMORY;
    }
    weft_fractal_encoder_destroy(encoder);
    free(bytes);
    return status;
}

static int is_built(const char *search) {
    for (int i = 0; weft_fractal_search_name(i) != NULL; i++) {
        if (strcmp(weft_fractal_search_name(i), search) == 0) {
            return 1;
        }
    }
    return 0;
}

int passage_code(const passage *p, const weft_fractal_desc *desc, passage_coded *coded) {
    const weft_fractal_desc filled = film_describe(p->of, desc);
    weft_status status = WEFT_OK;

    *coded = (passage_coded){.ms = NAN, .psnr = {NAN, NAN, NAN}};
    if (!is_built(desc->search)) {
        snprintf(coded->reason, sizeof coded->reason, "this build has no search %s", desc->search);
        return EXIT_DONE;
    }
    for (size_t i = 0; status == WEFT_OK && i < p->samples; i++) {
        status = code_once(p, &filled, coded);
    }
    if (status == WEFT_UNSUPPORTED || status == WEFT_NO_DEVICE) {
        snprintf(coded->reason, sizeof coded->reason, "%s", text_of_status(status));
        return EXIT_DONE;
    }
    return status == WEFT_OK ? EXIT_DONE : complain_status(status);
}

void passage_note_samples(const passage_coded *coded, finding_row *row) {
    for (const passage_sample *s = coded->sample; s < coded->sample + coded->samples; s++) {
        finding_add_sample(row, json_pack("{s:s, s:s, s:I, s:f, s:f, s:f, s:f}", "film", s->film,
                                          "search", s->search, "frames", (json_int_t)s->frames,
                                          "search_seconds", s->of.search, "transfer_seconds",
                                          s->of.transfers, "kernel_seconds", s->of.kernels,
                                          "seconds", s->of.whole));
    }
}
