/* SPDX-License-Identifier: MIT
 * Draws, reads and cuts what is coded; see experiment.h.
 */
#include "reproduce/fractal/experiment.h"

#include <stdlib.h>
#include <string.h>

#include "files/scene.h"
#include "files/sequence.h"
#include "shell/complain.h"
#include "shell/json_file.h"

static const effort quick_effort = {.height = 144,
                                    .width = 176,
                                    .frames = 3,
                                    .picture_height = 144,
                                    .picture_width = 176,
                                    .samples = 1,
                                    .samples_of_seq = 1};
static const effort usual_effort = {.height = 288,
                                    .width = 352,
                                    .frames = 4,
                                    .picture_height = 288,
                                    .picture_width = 352,
                                    .samples = 3,
                                    .samples_of_seq = 3};
/* The seed's size. A sample of seq takes minutes. */
static const effort full_effort = {.height = 576,
                                   .width = 704,
                                   .frames = 3,
                                   .picture_height = 288,
                                   .picture_width = 352,
                                   .samples = 3,
                                   .samples_of_seq = 1};

/* ---- pictures -------------------------------------------------------------------------------- */

static film *add_picture(experiment *e, const char *name) {
    film *f = &e->pictures[e->picture_count];

    f->format = (video_format){.height = e->chosen->picture_height,
                               .width = e->chosen->picture_width,
                               .chroma = VIDEO_MONO};
    f->frames = 1;
    f->samples = allocate(video_frame_bytes(&f->format), 1);
    json_label(f->name, sizeof f->name, name);
    e->picture_count++;
    return f->samples != NULL ? f : NULL;
}

static int draw_picture(experiment *e, size_t number) {
    const size_t height = e->chosen->picture_height, width = e->chosen->picture_width;
    uint16_t *drawn = allocate(height * width, sizeof *drawn);
    char name[MOST_WORDS];
    film *f;
    int code = drawn != NULL ? EXIT_DONE : EXIT_MEMORY;

    snprintf(name, sizeof name, "scene %zu", number);
    f = code == EXIT_DONE ? add_picture(e, name) : NULL;
    code = f != NULL ? scene_render(height, width, 8, 1, number, drawn) : EXIT_MEMORY;
    for (size_t i = 0; code == EXIT_DONE && i < height * width; i++) {
        f->samples[i] = (uint8_t)drawn[i];
    }
    free(drawn);
    return code;
}

static const char *name_of_path(const char *path) {
    const char *slash = strrchr(path, '/');

    return slash != NULL ? slash + 1 : path;
}

static unsigned sample_of_8_bits(const image *given, size_t i) {
    const unsigned value = image_sample(given, i);

    return given->depth == 16 ? image_to_8_bits(value) : value;
}

/* Y of a pixel. */
static uint8_t luma(const image *given, size_t i) {
    const size_t plane = image_plane_samples(given);
    uint8_t ycc[VIDEO_MOST_PLANES];

    if (given->planes == 1) {
        return (uint8_t)sample_of_8_bits(given, i);
    }
    video_of_rgb(sample_of_8_bits(given, i), sample_of_8_bits(given, plane + i),
                 sample_of_8_bits(given, 2 * plane + i), ycc);
    return ycc[0];
}

/* Its middle. */
static int cut_picture(experiment *e, const image *given, const char *path) {
    const size_t height = e->chosen->picture_height, width = e->chosen->picture_width;
    film *f;

    if (given->height < height || given->width < width) {
        return complain(EXIT_BAD_INPUT, "%s: %zux%zu is smaller than %zux%zu", path, given->height,
                        given->width, height, width);
    }
    f = add_picture(e, name_of_path(path));
    for (size_t i = 0; f != NULL && i < height * width; i++) {
        const size_t row = i / width + (given->height - height) / 2;

        f->samples[i] = luma(given, row * given->width + i % width + (given->width - width) / 2);
    }
    return f != NULL ? EXIT_DONE : EXIT_MEMORY;
}

static int take_pictures(experiment *e, const reproduce_options *o) {
    int code = EXIT_DONE;

    for (size_t i = 0; code == EXIT_DONE && i < o->pictures; i++) {
        code = cut_picture(e, &o->picture[i], o->picture_paths[i]);
    }
    for (size_t i = 0; code == EXIT_DONE && o->pictures == 0 && i < MOST_PICTURES; i++) {
        code = draw_picture(e, i);
    }
    return code;
}

/* ---- films ----------------------------------------------------------------------------------- */

static int take_film(experiment *e, const film_source *source) {
    film *f = &e->films[e->film_count++];
    int code = film_open(f, source);

    if (code == EXIT_DONE && f->frames < 2) {
        return complain(EXIT_BAD_INPUT, "%s: has one frame only", f->name);
    }
    if (source->path != NULL) {
        json_label(f->name, sizeof f->name, name_of_path(source->path));
    }
    return code;
}

static int take_films(experiment *e, const reproduce_options *o) {
    film_source source = {.height = e->chosen->height, .width = e->chosen->width};
    int code = EXIT_DONE;

    source.frames = e->chosen->frames;
    for (int i = 0; code == EXIT_DONE && i < DRAWN_FILMS; i++) {
        source.sequence = i;
        code = take_film(e, &source);
    }
    for (size_t i = 0; code == EXIT_DONE && i < o->videos; i++) {
        source.path = o->video_paths[i];
        code = take_film(e, &source);
    }
    return code;
}

int experiment_open(experiment *e, const reproduce_options *o) {
    int code;

    e->chosen = o->quick ? &quick_effort : o->full ? &full_effort : &usual_effort;
    e->no_seq = o->no_seq;
    e->found.source = seed_name;
    code = take_pictures(e, o);
    return code == EXIT_DONE ? take_films(e, o) : code;
}

void experiment_close(experiment *e) {
    for (size_t i = 0; i < e->picture_count; i++) {
        film_close(&e->pictures[i]);
    }
    for (size_t i = 0; i < e->film_count; i++) {
        film_close(&e->films[i]);
    }
    findings_free(&e->found);
}
