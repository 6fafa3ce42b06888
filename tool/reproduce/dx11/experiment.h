/* SPDX-License-Identifier: MIT
 * What the experiment dx11 measures: rows, each one transform of the picture at one size, either by
 * the DirectX 11 sample or by a strategy of Weft. experiment.c says which and in what order,
 * measure_*.c fill them in, claims.c and document.c read them.
 */
#ifndef WEFT_TOOL_REPRODUCE_DX11_EXPERIMENT_H
#define WEFT_TOOL_REPRODUCE_DX11_EXPERIMENT_H

#include <stddef.h>

#include "bench/samples.h"
#include "reproduce/dx11/sample.h"
#include "reproduce/reproduce.h"

enum { DX11_SAMPLES = 15, DX11_TURNS = 3, DX11_TEXT_SIZE = 240, DX11_COLOURS = 3 };

/* By the enums of sample.h. */
extern const char *const dx11_technique_words[];
extern const char *const dx11_twiddle_words[];
extern const char *const dx11_layout_words[];
extern const char *const dx11_source_words[];
extern const char *const dx11_sink_words[];

/* A strategy of Weft on the three planes of the picture. */
typedef struct dx11_own {
    const char *strategy, *twiddle, *real; /* twiddle: NULL where there is no choice */
    int and_back;                          /* forward and inverse, as the sample; or forward only */
} dx11_own;

typedef struct dx11_time {
    double samples_us[DX11_SAMPLES];
    size_t count;
    sample_summary summary; /* NaN where nothing was measured */
} dx11_time;

typedef struct dx11_row {
    const dx11_own *own;          /* NULL: the sample */
    dx11_desc desc;               /* of the sample; height and width always */
    char reason[DX11_TEXT_SIZE];  /* why it did not run, "" if it did */
    char failure[DX11_TEXT_SIZE]; /* what its verification found, "" if nothing */
    int is_shown;                 /* also measured without --full: what a page has room for */
    dx11_traffic predicted, counted, first_axis; /* the last one counted, see sample.h */
    int was_counted;
    size_t launches;                 /* kernels, as captured */
    size_t executions;               /* in a sample; 0: not verified yet */
    double psnr_db, rel_l2, gate_l2; /* NaN where not known */
    dx11_time graph, stream;
} dx11_row;

typedef struct dx11_experiment {
    dx11_row *rows; /* those of one size beside each other, the figure's size first */
    size_t count;
    size_t figure_height, figure_width; /* the picture's size as powers of two */
    const reproduce_options *options;
} dx11_experiment;

/* Exit codes, after a complaint. Free in any case. */
int dx11_experiment_run(dx11_experiment *e, const reproduce_options *o);
void dx11_experiment_free(dx11_experiment *e);

/* The sample as it was: four textures, the picture copied to one first, numbers as the result. */
dx11_desc dx11_as_it_was(size_t height, size_t width, dx11_technique technique,
                         dx11_twiddle twiddle);

/* NULL when there is none that passed its verification and was timed. */
const dx11_row *dx11_find_sample(const dx11_experiment *e, const dx11_desc *desc);
const dx11_row *dx11_find_own(const dx11_experiment *e, const char *strategy, size_t height,
                              size_t width);

/* Verified or not; NULL when there is none whose bytes were counted. */
const dx11_row *dx11_find_counted(const dx11_experiment *e, const dx11_desc *desc);

/* The i-th size, in the order of the rows; 0 past the last one. */
int dx11_size_at(const dx11_experiment *e, size_t i, size_t *height, size_t *width);

#endif
