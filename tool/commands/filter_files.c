/* SPDX-License-Identifier: MIT
 * Files through a filter. As many as there are threads are on their way side by side, each through
 * all its steps on one of them, so that reading one, filtering another and writing a third keep all
 * cores busy. Of a picture by itself rows are written while others are still read; of a stack one
 * page after another is read, filtered and written.
 */
#include "commands/filter_files.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#include <omp.h>

#include "commands/overflow.h"
#include "filter/run.h"
#include "shell/arguments.h"
#include "shell/clock.h"
#include "shell/complain.h"
#include "shell/file_key.h"
#include "shell/parse.h"
#include "shell/progress.h"

/* Bytes of the pictures that are filtered at the same time, as they were read; one alone may have
 * more. Filtering takes three times as much, or four bytes for a byte of large borders. */
enum { MOST_TOGETHER = 256 << 20 };

/* What all threads share. */
typedef struct work {
    const filter_files *f;
    atomic_size_t next, done; /* files that have been begun, and that are behind us */
    double start;             /* in seconds */
    int wants_mask;
    size_t workers;       /* that go side by side */
    pthread_mutex_t lock; /* of what follows: */
    pthread_cond_t less;
    size_t together;      /* see MOST_TOGETHER */
    size_t first_failure; /* its index, and its exit code */
    int code;
} work;

/* A file on its way, and what serves the files after it, too: all that a thread has of its own. */
typedef struct passage {
    work *work;
    transform_options options;
    image_options writing;
    filter filter; /* a copy, because it says whether the output has floats, and which screen was
                      found */
    filter_run run;
    const picture_names *names;
    image_pages pages;
    image page;
    int is_filtered; /* the page is the next one that is written */
    image_writing written;
    filter_losses losses;
    size_t values; /* of all pages, of which these are lost */
} passage;

/* ---- memory ---------------------------------------------------------------------------------- */

static void wait_for_memory(work *w, size_t bytes) {
    pthread_mutex_lock(&w->lock);
    while (w->together > 0 && w->together + bytes > MOST_TOGETHER) {
        pthread_cond_wait(&w->less, &w->lock);
    }
    w->together += bytes;
    pthread_mutex_unlock(&w->lock);
}

static void give_memory(work *w, size_t bytes) {
    pthread_mutex_lock(&w->lock);
    w->together -= bytes;
    pthread_cond_broadcast(&w->less);
    pthread_mutex_unlock(&w->lock);
}

/* ---- a file ---------------------------------------------------------------------------------- */

static int is_of_floats(const char *path) {
    return path != NULL && (has_suffix(path, ".npy") || has_suffix(path, ".pfm"));
}

static int say_losses(const passage *p) {
    if (p->losses.clamped > 0) {
        complain(EXIT_DONE, "%s: clamped to 0..%u: %zu of %zu values", p->names->input,
                 image_largest(p->page.depth), p->losses.clamped, p->values);
    }
    return p->losses.not_finite == 0
               ? EXIT_DONE
               : complain_overflow(&p->options, "result", p->losses.not_finite, p->values,
                                   p->run.desc.precision == WEFT_F64 && p->page.depth == 32
                                       ? "the single precision of files"
                                       : overflow_of(p->run.desc.precision));
}

/* The words say which page was read last, where there are several. */
static const char *text_of_page(const passage *p, char text[32]) {
    text[0] = '\0';
    if (p->pages.end > 1) {
        snprintf(text, 32, ", page %zu", p->pages.next);
    }
    return text;
}

/* Which page comes now. */
static void say_page(const passage *p) {
    char which[64];

    snprintf(which, sizeof which, "page %zu of %zu, ", p->pages.next + 1, p->pages.end);
    progress_part(p->pages.end > 1 ? which : "");
}

static int read_page(passage *p) {
    say_page(p);
    image_free(&p->page);
    return image_pages_read(&p->pages, &p->page);
}

/* What is lost is said with the last page. pipeline: NULL if all of it is there. */
static int filter_page(passage *p, const filter_pipeline *pipeline) {
    filter_losses losses;
    char page[32], text[SCREEN_TEXT];
    int code = filter_run_picture(&p->run, &p->page, pipeline, &losses);

    if (code == EXIT_DONE && p->filter.descreens) {
        complain(EXIT_DONE, "%s%s: %s", p->names->input, text_of_page(p, page),
                 screen_text(&p->filter.screen, text));
    }
    p->losses.clamped += losses.clamped;
    p->losses.not_finite += losses.not_finite;
    p->values += p->page.planes * image_plane_samples(&p->page);
    p->is_filtered = 1;
    return code == EXIT_DONE && p->pages.next == p->pages.end ? say_losses(p) : code;
}

static int next_page(void *context, const image **page) {
    passage *p = context;
    int code = p->is_filtered ? EXIT_DONE : read_page(p);

    if (code == EXIT_DONE && !p->is_filtered) {
        code = filter_page(p, NULL);
    }
    p->is_filtered = 0;
    *page = &p->page;
    return code;
}

static int write_pages(output *out, void *context) {
    passage *p = context;

    return image_write_pages(p->pages.end - p->pages.next + 1, next_page, p, out, &p->writing);
}

/* What would fail after all the work: floats into a file of whole numbers, a stack that is read
 * while it is written. */
static int check_output(const passage *p) {
    const int code = image_check_floats(&p->page, p->names->output);

    return code != EXIT_DONE ? code
           : p->pages.next < p->pages.end && is_input(p->names->output, p->names->input)
               ? complain(EXIT_USAGE, "%s: a stack cannot be written over itself", p->names->output)
               : EXIT_DONE;
}

static int explain(passage *p) {
    int code = filter_run_prepare(&p->run, &p->page);

    if (code == EXIT_DONE && p->pages.next < p->pages.end) {
        printf("%s: a stack of %zu pages, each of them by itself; the first one:\n",
               p->names->input, p->pages.end);
    }
    if (code == EXIT_DONE) {
        code = filter_say_picture(&p->run, p->names->input, &p->page, stdout);
    }
    return code == EXIT_DONE ? output_flush_stdout() : code;
}

/* The first page is filtered before the output is opened, which may be its input. */
static int write_whole(passage *p) {
    int code = image_pages_rest(&p->pages, &p->page);

    if (code == EXIT_DONE) {
        code = filter_page(p, NULL);
    }
    return code == EXIT_DONE ? output_whole(p->names->output, write_pages, p) : code;
}

/* ---- a page whose rows go from file to file ---- */

/* With the last row comes the end of the file. */
static int read_rows(void *context, size_t end) {
    passage *p = context;
    const int code = image_pages_rows(&p->pages, end);

    return code == EXIT_DONE && end == p->page.height ? image_pages_finish(&p->pages) : code;
}

static int write_rows(void *context, size_t end) {
    passage *p = context;

    return image_write_rows(&p->written, end);
}

static int write_pipelined(output *out, void *context) {
    passage *p = context;
    const filter_pipeline pipeline = {read_rows, write_rows, p};
    int code = image_write_begin(&p->written, &p->page, out, &p->writing);

    if (code == EXIT_DONE) {
        code = filter_page(p, &pipeline);
    }
    if (code == EXIT_DONE) {
        progress_start("writing");
        code = image_write_finish(&p->written);
        progress_end();
    }
    image_write_end(&p->written);
    return code;
}

/* Of one page, whose rows the result can take the place of: integers have none for floats. */
static int can_pipeline(const passage *p) {
    return p->pages.next == p->pages.end && (!p->filter.is_to_float || p->page.depth == 32);
}

static int filter_and_write(passage *p) {
    const size_t bytes =
        p->page.planes * image_plane_samples(&p->page) * image_sample_bytes(&p->page);
    output out;
    int code;

    wait_for_memory(p->work, bytes);
    code = can_pipeline(p) && output_open_unseen(&out, p->names->output)
               ? output_complete(&out, write_pipelined, p)
               : write_whole(p);
    if (bytes > MOST_TOGETHER / p->work->workers) {
        filter_run_rest(&p->run);
    }
    give_memory(p->work, bytes);
    return code;
}

static int do_file(passage *p, const picture_names *names) {
    const filter_files *f = p->work->f;
    int code = image_pages_open(&p->pages, names->input, f->options->max_pixels);

    p->names = names;
    p->losses = (filter_losses){0};
    p->values = 0;
    p->filter.is_to_float = is_of_floats(names->output);
    if (code == EXIT_DONE && f->page > 0) {
        code = image_pages_choose(&p->pages, f->page);
    }
    if (code == EXIT_DONE) {
        say_page(p);
        code = image_pages_begin(&p->pages, &p->page);
    }
    if (code == EXIT_DONE) {
        code = f->dry_run ? image_pages_rest(&p->pages, &p->page) : check_output(p);
    }
    if (code == EXIT_DONE) {
        code = f->dry_run ? explain(p) : filter_and_write(p);
    }
    p->is_filtered = 0;
    progress_part("");
    image_pages_close(&p->pages);
    return code;
}

static int write_drawing(output *out, void *context) {
    return image_write(context, out, NULL);
}

/* The mask is that of the page that the passage has. */
static int draw_mask(passage *p) {
    image drawing = {0};
    double white;
    int code = filter_draw_gains(&p->run, p->page.height, p->page.width, &drawing, &white);

    if (code == EXIT_DONE) {
        code = output_whole(p->work->f->mask, write_drawing, &drawing);
    }
    if (code == EXIT_DONE && white > 1) {
        complain(EXIT_DONE, "%s: white is %.4g times the wave", p->work->f->mask, white);
    }
    image_free(&drawing);
    return code;
}

/* ---- all files ------------------------------------------------------------------------------- */

/* The text is such as "37 of 300, 12 s left, ". */
static void show_progress(const work *w) {
    const size_t count = w->f->pictures->count, done = atomic_load(&w->done);
    char text[100] = "";

    if (count > 1) {
        snprintf(text, sizeof text, "%zu of %zu, ", done + 1, count);
    }
    if (count > 1 && done > 0) {
        const size_t length = strlen(text);
        const double left = (clock_seconds() - w->start) / (double)done * (double)(count - done);

        snprintf(text + length, sizeof text - length, "%.0f s left, ", left);
    }
    progress_within(text);
}

static void keep_failure(work *w, size_t index, int code) {
    pthread_mutex_lock(&w->lock);
    if (code != EXIT_DONE && index < w->first_failure) {
        w->first_failure = index;
        w->code = code;
    }
    pthread_mutex_unlock(&w->lock);
}

static void begin(passage *p, work *w, size_t threads) {
    *p = (passage){
        .work = w, .options = *w->f->options, .writing = *w->f->writing, .filter = *w->f->filter};
    p->options.threads = threads;
    p->writing.threads = (int)threads;
    p->run = (filter_run){.filter = &p->filter, .options = &p->options};
}

/* Takes the next file; 0 if there is none. */
static int do_next(passage *p) {
    work *w = p->work;
    const size_t index = atomic_fetch_add(&w->next, 1);
    int code;

    if (index >= w->f->pictures->count) {
        return 0;
    }
    show_progress(w);
    code = do_file(p, &w->f->pictures->list[index]);
    if (code == EXIT_DONE && w->wants_mask) {
        w->wants_mask = 0;
        code = draw_mask(p);
    }
    image_free(&p->page);
    keep_failure(w, index, code);
    atomic_fetch_add(&w->done, 1);
    return 1;
}

/* What is printed or drawn is so in the order of the list, on all threads. */
static void do_in_turn(work *w) {
    passage p;

    begin(&p, w, w->f->options->threads);
    while ((w->f->dry_run || w->wants_mask) && do_next(&p)) {
    }
    filter_run_end(&p.run);
}

static void do_side_by_side(work *w) {
    const size_t asked = w->f->options->threads;
    const size_t threads = asked > 0 ? asked : (size_t)omp_get_max_threads();
    const size_t begun = atomic_load(&w->next), count = w->f->pictures->count;
    const size_t left = begun < count ? count - begun : 0;
    const size_t workers = left < threads ? left : threads;

    if (workers == 0) {
        return;
    }
    w->workers = workers;
    omp_set_max_active_levels(workers > 1 && threads > workers ? 2 : 1);
#pragma omp parallel num_threads(workers)
    {
        passage p;

        begin(&p, w, workers > 1 ? threads / workers : asked);
        while (do_next(&p)) {
        }
        filter_run_end(&p.run);
    }
}

int filter_files_do(const filter_files *f) {
    work w = {.f = f,
              .start = clock_seconds(),
              .wants_mask = f->mask != NULL,
              .workers = 1,
              .lock = PTHREAD_MUTEX_INITIALIZER,
              .less = PTHREAD_COND_INITIALIZER,
              .first_failure = f->pictures->count};

    do_in_turn(&w);
    do_side_by_side(&w);
    progress_within("");
    return w.code;
}
