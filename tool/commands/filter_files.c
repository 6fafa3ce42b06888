/* SPDX-License-Identifier: MIT
 * Files through a filter, each page after page: never more than one page of a stack is in memory.
 */
#include "commands/filter_files.h"

#include <stdio.h>
#include <sys/stat.h>

#include "commands/overflow.h"
#include "filter/run.h"
#include "shell/arguments.h"
#include "shell/complain.h"
#include "shell/parse.h"
#include "shell/progress.h"

/* A file on its way, and what serves the files after it, too. */
typedef struct passage {
    const filter_files *all;
    filter filter; /* a copy, because it says whether the output has floats */
    filter_run run;
    const picture_names *names;
    image_pages pages;
    image page;
    int is_filtered; /* the page is the next one that is written */
    filter_losses losses;
    size_t values; /* of all pages, of which these are lost */
} passage;

static int is_of_floats(const char *path) {
    return has_suffix(path, ".npy") || has_suffix(path, ".pfm");
}

static int say_losses(const passage *p) {
    if (p->losses.clamped > 0) {
        complain(EXIT_DONE, "%s: %zu of %zu values were outside 0..%u and have been clamped",
                 p->names->input, p->losses.clamped, p->values, image_largest(p->page.depth));
    }
    return p->losses.not_finite == 0
               ? EXIT_DONE
               : complain_overflow(p->all->options, "result", p->losses.not_finite, p->values,
                                   p->run.desc.precision == WEFT_F64 && p->page.depth == 32
                                       ? "the single precision of files"
                                       : overflow_of(p->run.desc.precision));
}

static int read_page(passage *p) {
    char which[64];

    snprintf(which, sizeof which, "page %zu of %zu, ", p->pages.next + 1, p->pages.end);
    progress_part(p->pages.end > 1 ? which : "");
    image_free(&p->page);
    return image_pages_read(&p->pages, &p->page);
}

/* What is lost is said with the last page. */
static int filter_page(passage *p) {
    filter_losses losses;
    int code = filter_run_picture(&p->run, &p->page, &losses);

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
        code = filter_page(p);
    }
    p->is_filtered = 0;
    *page = &p->page;
    return code;
}

static int write_pages(output *out, void *context) {
    passage *p = context;

    return image_write_pages(p->pages.end - p->pages.next + 1, next_page, p, out, p->all->writing);
}

/* Such as a stack that is read while it is written. */
static int check_stack(const passage *p) {
    struct stat from, to;

    return p->pages.next < p->pages.end && stat(p->names->input, &from) == 0 &&
                   stat(p->names->output, &to) == 0 && from.st_dev == to.st_dev &&
                   from.st_ino == to.st_ino
               ? complain(EXIT_USAGE, "%s: a stack cannot be written over itself", p->names->output)
               : EXIT_DONE;
}

/* That standard output cannot be written is said at exit. */
static int explain(passage *p) {
    int code = filter_run_prepare(&p->run, &p->page);

    if (code == EXIT_DONE && p->pages.next < p->pages.end) {
        printf("%s: a stack of %zu pages, each of them by itself; the first one:\n",
               p->names->input, p->pages.end);
    }
    if (code == EXIT_DONE) {
        code = filter_say_picture(&p->run, p->names->input, &p->page, stdout);
    }
    return code == EXIT_DONE && (fflush(stdout) != 0 || ferror(stdout)) ? EXIT_FILE : code;
}

/* The first page is filtered before the output is opened, which may be its input. */
static int do_file(passage *p, const picture_names *names) {
    const filter_files *f = p->all;
    int code = image_pages_open(&p->pages, names->input, f->options->max_pixels);

    p->names = names;
    p->losses = (filter_losses){0};
    p->values = 0;
    p->filter.is_to_float = is_of_floats(names->output);
    if (code == EXIT_DONE && f->page > 0) {
        code = image_pages_choose(&p->pages, f->page);
    }
    if (code == EXIT_DONE) {
        code = read_page(p);
    }
    if (code == EXIT_DONE && f->dry_run) {
        code = explain(p);
    } else if (code == EXIT_DONE) {
        code = check_stack(p);
        if (code == EXIT_DONE) {
            code = filter_page(p);
        }
        if (code == EXIT_DONE) {
            code = output_whole(names->output, write_pages, p);
        }
    }
    p->is_filtered = 0;
    progress_part("");
    image_pages_close(&p->pages);
    return code;
}

static int write_drawing(output *out, void *context) {
    return image_write(context, out, NULL);
}

/* Of the page that the passage has. */
static int draw_mask(passage *p) {
    image drawing = {0};
    double white;
    int code = filter_draw_gains(&p->run, p->page.height, p->page.width, &drawing, &white);

    if (code == EXIT_DONE) {
        code = output_whole(p->all->mask, write_drawing, &drawing);
    }
    if (code == EXIT_DONE && white > 1) {
        complain(EXIT_DONE, "%s: white is %.4g times the wave", p->all->mask, white);
    }
    image_free(&drawing);
    return code;
}

int filter_files_do(const filter_files *f) {
    passage p = {.all = f, .filter = *f->filter};
    const size_t count = f->pictures->count;
    int first_failure = EXIT_DONE, mask = f->mask != NULL;

    p.run = (filter_run){.filter = &p.filter, .options = f->options};
    for (size_t i = 0; i < count; i++) {
        char which[64];
        int code;

        snprintf(which, sizeof which, "%zu of %zu, ", i + 1, count);
        progress_within(count > 1 ? which : "");
        code = do_file(&p, &f->pictures->list[i]);
        if (code == EXIT_DONE && mask) {
            code = draw_mask(&p);
            mask = 0;
        }
        image_free(&p.page);
        first_failure = first_failure == EXIT_DONE ? code : first_failure;
    }
    progress_within("");
    filter_run_end(&p.run);
    return first_failure;
}
