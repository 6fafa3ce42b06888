/* SPDX-License-Identifier: MIT
 * What follows from the parts of a filter; see filter.h.
 */
#include "filter/filter.h"

#include <math.h>
#include <stdlib.h>

#include "shell/complain.h"
#include "shell/input.h"

const double no_mean = 1e-5;

int filter_read_kernel(filter *f, const char *path) {
    const int code = kernel_read(&f->kernel, path);
    const double sum = code == EXIT_DONE ? kernel_sum(&f->kernel) : 1;

    if (fabs(sum - 1) > 1e-3 && fabs(sum) > no_mean) {
        complain(EXIT_DONE,
                 "%s: the numbers of this kernel add up to %.6g, so that a picture becomes %.6g "
                 "times as bright; divide them by that to keep its brightness",
                 path, sum, sum);
    }
    return code;
}

int filter_read_spread(filter *f, const char *path) {
    double sum;
    int code = kernel_read(&f->spread, path);

    if (code != EXIT_DONE) {
        return code;
    }
    sum = kernel_sum(&f->spread);
    kernel_divide(&f->spread, sum);
    return sum > 0 && isfinite(sum) && isfinite(kernel_sum(&f->spread))
               ? EXIT_DONE
               : complain(EXIT_BAD_INPUT,
                          "%s: the numbers of what blurred a picture must add up to more than 0",
                          path);
}

static int read_values(filter *f, input *in) {
    int code = npy_read_header(in, &f->table_header);

    if (code == EXIT_DONE && f->table_header.dimensions != 2) {
        code =
            complain(EXIT_BAD_INPUT, "%s: gains are an array (H, W/2 + 1), as of rfft2", in->path);
    }
    if (code == EXIT_DONE) {
        f->table = allocate(npy_bytes(&f->table_header), 1);
        code = f->table != NULL ? npy_read_values(in, &f->table_header, f->table) : EXIT_MEMORY;
    }
    return code;
}

int filter_read_table(filter *f, const char *path) {
    input in;
    int code = input_open(&in, path);

    f->table_path = path;
    if (code == EXIT_DONE) {
        code = read_values(f, &in);
        input_close(&in);
    }
    return code;
}

void filter_free(filter *f) {
    kernel_free(&f->kernel);
    kernel_free(&f->spread);
    free(f->table);
    f->table = NULL;
}

/* The way back from a blur has no end, and a table may have any. */
double filter_reach(const filter *f, double least) {
    double reach = f->spread.taps != NULL || f->table != NULL ? HUGE_VAL : 0;

    if (f->kernel.taps != NULL) {
        reach += (double)kernel_reach(&f->kernel);
    }
    for (size_t i = 0; i < f->gain_count; i++) {
        reach += ceil(f->gains[i].kind->reach(&f->gains[i], least));
    }
    return reach + ceil(screen_reach(&f->screen, least));
}

int filter_averages(const filter *f) {
    if (f->spread.taps != NULL || f->table != NULL || f->is_linear || f->descreens ||
        (f->kernel.taps != NULL &&
         (kernel_has_negative(&f->kernel) || kernel_sum(&f->kernel) > 1 + 1e-6))) {
        return 0;
    }
    for (size_t i = 0; i < f->gain_count; i++) {
        if (!(f->gains[i].kind->traits & AVERAGES) || f->gains[i].shape != SHAPE_GAUSSIAN) {
            return 0;
        }
    }
    return 1;
}

/* Without its mean a picture of integers would be half black. */
int filter_keeps_mean(const filter *f, int is_integer, double gain_of_mean) {
    int keeps = f->keeps_mean || (is_integer && !f->has_offset && fabs(gain_of_mean) < no_mean);

    for (size_t i = 0; i < f->gain_count; i++) {
        keeps |= (f->gains[i].kind->traits & KEEPS_MEAN) && !f->has_offset;
    }
    return keeps;
}

static void say_kernel(const filter *f, FILE *to) {
    fprintf(to, "  %s with a kernel of %zux%zu, whose numbers add up to %.6g\n",
            f->correlates ? "correlation" : "convolution", f->kernel.height, f->kernel.width,
            kernel_sum(&f->kernel));
}

void filter_say(const filter *f, FILE *to) {
    char text[SCREEN_TEXT];

    if (f->descreens) {
        fprintf(to, "  %s\n", screen_text(&f->screen, text));
    }
    if (f->kernel.taps != NULL) {
        say_kernel(f, to);
    }
    if (f->spread.taps != NULL) {
        fprintf(to,
                "  undoes a blur of %zux%zu (Wiener), balance %g: more of it is "
                "smoother, less is sharper and noisier\n",
                f->spread.height, f->spread.width, f->balance);
    }
    if (f->table != NULL) {
        fprintf(to, "  multiplies the spectrum by the %s numbers of %s\n",
                f->table_header.is_complex ? "complex" : "real", f->table_path);
    }
    for (size_t i = 0; i < f->gain_count; i++) {
        fprintf(to, "  ");
        f->gains[i].kind->say(&f->gains[i], to);
        fprintf(to, "\n");
    }
    if (f->like != NULL) {
        fprintf(to, "    like %s: %s\n", f->like_word, f->like->about);
    }
}
