/* SPDX-License-Identifier: MIT
 * Reading kernels; see kernel.h.
 */
#include "filter/kernel.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "files/image.h"
#include "files/npy.h"
#include "shell/complain.h"
#include "shell/input.h"

static const char byte_order_mark[] = "\xef\xbb\xbf"; /* of UTF-8 */

static int refuse_size(const char *path) {
    return complain(EXIT_BAD_INPUT, "%s: a kernel has 1 to %d numbers", path, MOST_KERNEL_TAPS);
}

static int check_finite(const kernel *k, const char *path) {
    double sum = 0;

    for (size_t i = 0; i < k->height * k->width; i++) {
        if (!isfinite(k->taps[i])) {
            return complain(EXIT_BAD_INPUT, "%s: value %zu of the kernel is no finite number", path,
                            i);
        }
        sum += fabs(k->taps[i]);
    }
    return isfinite(sum)
               ? EXIT_DONE
               : complain(EXIT_BAD_INPUT,
                          "%s: the numbers of the kernel are too large to be added up", path);
}

/* ---- text -------------------------------------------------------------------------------------
 */

typedef struct text {
    kernel *kernel;
    size_t capacity; /* of its taps */
    int code;
} text;

static double *place_for(text *t, size_t index) {
    double *more;

    if (index < t->capacity) {
        return t->kernel->taps + index;
    }
    more = realloc(t->kernel->taps, 2 * t->capacity * sizeof *more);
    if (more == NULL) {
        t->code = complain(EXIT_MEMORY, "out of memory");
        return NULL;
    }
    t->kernel->taps = more;
    t->capacity *= 2;
    return more + index;
}

/* Puts the numbers of a line behind those that are there: how many, or -1 for what is no number, or
 * with a code after a complaint. Blanks, commas or semicolons stand between them. */
static long add_line(text *t, char *line, const char *path) {
    const size_t before = t->kernel->height * t->kernel->width;
    size_t count = 0;

    for (char *end; *(line += strspn(line, " \t,;\r\n")) != '\0'; line = end, count++) {
        const double value = strtod(line, &end);
        double *place;

        if (end == line) {
            return -1;
        }
        if (before + count >= MOST_KERNEL_TAPS) {
            t->code = refuse_size(path);
            return -1;
        }
        place = place_for(t, before + count);
        if (place == NULL) {
            return -1;
        }
        *place = value;
    }
    return (long)count;
}

/* A line without numbers does not count, nor does what is behind a '#', nor the mark that some
 * editors write in front of a text. */
static void take_line(text *t, char *line, size_t number, const char *path) {
    const size_t mark = sizeof byte_order_mark - 1;
    kernel *k = t->kernel;
    long count;

    line += number == 1 && strncmp(line, byte_order_mark, mark) == 0 ? mark : 0;
    line[strcspn(line, "#")] = '\0';
    count = add_line(t, line, path);
    if (t->code != EXIT_DONE || count == 0) {
        return;
    }
    if (count > 0 && (k->width == 0 || (size_t)count == k->width)) {
        k->width = (size_t)count;
        k->height++;
        return;
    }
    if (count > 0) {
        t->code = complain(EXIT_BAD_INPUT, "%s: line %zu has %ld numbers, but rows before it %zu",
                           path, number, count, k->width);
        return;
    }
    t->code =
        complain(EXIT_BAD_INPUT,
                 "%s: line %zu is no row of a kernel: rows of equally many numbers are wanted, "
                 "with blanks or commas between them",
                 path, number);
}

static int read_lines(kernel *k, input *in) {
    text t = {.kernel = k, .capacity = 64};
    size_t size = 0;
    ssize_t length;
    char *line = NULL;

    k->taps = allocate(t.capacity, sizeof *k->taps);
    t.code = k->taps != NULL ? EXIT_DONE : EXIT_MEMORY;
    errno = 0;
    for (size_t number = 1; t.code == EXIT_DONE && (length = getline(&line, &size, in->file)) > 0;
         number++) {
        if (strlen(line) == (size_t)length) {
            take_line(&t, line, number, in->path);
        } else {
            t.code = complain(EXIT_BAD_INPUT, "%s: line %zu has a byte 0, which is no text",
                              in->path, number);
        }
        errno = 0;
    }
    if (t.code == EXIT_DONE && !feof(in->file)) {
        t.code = complain(code_of_errno(), "%s: %s", in->path, strerror(errno));
    }
    free(line);
    return t.code == EXIT_DONE && k->height == 0 ? refuse_size(in->path) : t.code;
}

/* ---- arrays and pictures ----------------------------------------------------------------------
 */

static double value_at(const npy_header *header, const void *values, size_t i) {
    switch (header->whole_bytes) {
    case 0:
        return header->precision == WEFT_F64 ? ((const double *)values)[i]
                                             : (double)((const float *)values)[i];
    case 1:
        return header->is_signed ? ((const int8_t *)values)[i] : ((const uint8_t *)values)[i];
    case 2:
        return header->is_signed ? ((const int16_t *)values)[i] : ((const uint16_t *)values)[i];
    case 4:
        return header->is_signed ? ((const int32_t *)values)[i]
                                 : (double)((const uint32_t *)values)[i];
    default:
        return header->is_signed ? (double)((const int64_t *)values)[i]
                                 : (double)((const uint64_t *)values)[i];
    }
}

static int take_values(kernel *k, input *in, const npy_header *header) {
    const size_t count = k->height * k->width;
    void *values = allocate(npy_bytes(header), 1);
    int code = values != NULL ? npy_read_values(in, header, values) : EXIT_MEMORY;

    k->taps = code == EXIT_DONE ? allocate(count, sizeof *k->taps) : NULL;
    for (size_t i = 0; k->taps != NULL && i < count; i++) {
        k->taps[i] = value_at(header, values, i);
    }
    free(values);
    return code == EXIT_DONE && k->taps == NULL ? EXIT_MEMORY : code;
}

static int read_array(kernel *k, input *in) {
    npy_header header;
    int code = npy_read_kernel_header(in, &header);

    if (code != EXIT_DONE) {
        return code;
    }
    if (header.dimensions > 2) {
        return complain(EXIT_BAD_INPUT,
                        "%s: a kernel is one array of real numbers, (rows, columns)", in->path);
    }
    k->height = header.dimensions == 2 ? header.shape[0] : 1;
    k->width = header.shape[header.dimensions - 1];
    if (k->height > MOST_KERNEL_TAPS || k->width > MOST_KERNEL_TAPS / k->height) {
        return refuse_size(in->path);
    }
    return take_values(k, in, &header);
}

static int take_picture(kernel *k, image *picture, const char *path) {
    double sum;

    image_to_gray(picture);
    k->height = picture->height;
    k->width = picture->width;
    k->taps = allocate(k->height * k->width, sizeof *k->taps);
    if (k->taps == NULL) {
        return EXIT_MEMORY;
    }
    for (size_t i = 0; i < k->height * k->width; i++) {
        k->taps[i] = image_value(picture, i);
    }
    sum = kernel_sum(k);
    kernel_divide(k, sum);
    return sum > 0 ? EXIT_DONE : complain(EXIT_BAD_INPUT, "%s: a black picture is no kernel", path);
}

static int read_picture(kernel *k, const char *path) {
    image picture = {0};
    int code = image_read(&picture, path, MOST_KERNEL_TAPS);

    if (code == EXIT_DONE) {
        code = take_picture(k, &picture, path);
    }
    image_free(&picture);
    return code;
}

/* No picture that is read begins with a small letter, but a word that is no number does. */
static int is_of_text(int first) {
    return isdigit(first) || islower(first) || isspace(first) ||
           (first != '\0' && strchr("+-.#", first) != NULL) ||
           first == (unsigned char)byte_order_mark[0];
}

int kernel_read(kernel *k, const char *path) {
    int first = 0, is_picture = 0;
    input in;
    int code = input_open(&in, path);

    *k = (kernel){0};
    if (code != EXIT_DONE) {
        return code;
    }
    code = input_peek(&in, &first);
    if (code == EXIT_DONE && is_of_text(first)) {
        code = read_lines(k, &in);
    } else if (code == EXIT_DONE && first == (unsigned char)npy_magic[0]) {
        code = read_array(k, &in);
    } else {
        is_picture = 1;
    }
    input_close(&in);
    if (code == EXIT_DONE && is_picture) {
        code = read_picture(k, path);
    }
    if (code == EXIT_DONE) {
        code = check_finite(k, path);
    }
    if (code != EXIT_DONE) {
        kernel_free(k);
    }
    return code;
}

void kernel_free(kernel *k) {
    free(k->taps);
    *k = (kernel){0};
}

double kernel_sum(const kernel *k) {
    double sum = 0;

    for (size_t i = 0; i < k->height * k->width; i++) {
        sum += k->taps[i];
    }
    return sum;
}

void kernel_divide(kernel *k, double by) {
    for (size_t i = 0; i < k->height * k->width; i++) {
        k->taps[i] /= by;
    }
}

int kernel_has_negative(const kernel *k) {
    for (size_t i = 0; i < k->height * k->width; i++) {
        if (k->taps[i] < 0) {
            return 1;
        }
    }
    return 0;
}

size_t kernel_reach(const kernel *k) {
    return (k->height > k->width ? k->height : k->width) / 2;
}
