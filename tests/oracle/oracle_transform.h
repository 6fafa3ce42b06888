/* SPDX-License-Identifier: MIT
 * The oracle's transform for one real type, included by oracle.c once per type with REAL the type
 * and NAME(x) its names: a recursive mixed-radix DFT with exact twiddles; Bluestein's convolution
 * where a prime factor is large. In: image [H][W]; out: half spectrum [H][W/2 + 1]; and back.
 */

typedef struct NAME(complex_number) {
    REAL re, im;
} NAME(complex_number);
#define COMPLEX NAME(complex_number)

/* A DFT of one length. chirp and friends are there when the length has a large prime factor. */
typedef struct NAME(line) {
    size_t n;
    size_t factors[64]; /* n = product; ends with 1 */
    COMPLEX *root;      /* root[j] = exp(-2 pi i j / n) */
    struct NAME(line) * padded;
    COMPLEX *chirp, *chirp_spectrum; /* exp(-pi i j^2 / n) [n]; DFT of its conjugate [padded->n] */
} NAME(line);
#define LINE NAME(line)

static COMPLEX NAME(times)(COMPLEX a, COMPLEX b) {
    return (COMPLEX){a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}

static COMPLEX NAME(plus)(COMPLEX a, COMPLEX b) {
    return (COMPLEX){a.re + b.re, a.im + b.im};
}

static COMPLEX NAME(minus)(COMPLEX a, COMPLEX b) {
    return (COMPLEX){a.re - b.re, a.im - b.im};
}

static COMPLEX NAME(root_of)(size_t j, size_t n) {
    long double re, im;
    unit_root(j, n, &re, &im);
    return (COMPLEX){(REAL)re, (REAL)im};
}

static void NAME(butterfly_2)(const LINE *line, COMPLEX *out, size_t m, size_t step) {
    for (size_t k = 0; k < m; k++) {
        COMPLEX a = out[k], b = NAME(times)(out[m + k], line->root[k * step]);
        out[k] = NAME(plus)(a, b);
        out[m + k] = NAME(minus)(a, b);
    }
}

static void NAME(butterfly_4)(const LINE *line, COMPLEX *out, size_t m, size_t step) {
    for (size_t k = 0; k < m; k++) {
        COMPLEX a = out[k], b = NAME(times)(out[m + k], line->root[k * step]);
        COMPLEX c = NAME(times)(out[2 * m + k], line->root[2 * k * step]);
        COMPLEX d = NAME(times)(out[3 * m + k], line->root[3 * k * step]);
        COMPLEX sum_ac = NAME(plus)(a, c), sum_bd = NAME(plus)(b, d);
        COMPLEX dif_ac = NAME(minus)(a, c), dif_bd = NAME(minus)(b, d);
        COMPLEX turned = {dif_bd.im, -dif_bd.re}; /* times -i */
        out[k] = NAME(plus)(sum_ac, sum_bd);
        out[m + k] = NAME(plus)(dif_ac, turned);
        out[2 * m + k] = NAME(minus)(sum_ac, sum_bd);
        out[3 * m + k] = NAME(minus)(dif_ac, turned);
    }
}

static void NAME(butterfly)(const LINE *line, COMPLEX *out, size_t p, size_t m, size_t step) {
    COMPLEX gathered[LARGEST_DIRECT_PRIME];
    for (size_t k = 0; k < m; k++) {
        for (size_t r = 0; r < p; r++)
            gathered[r] = NAME(times)(out[r * m + k], line->root[r * k * step]);
        for (size_t q = 0; q < p; q++) {
            COMPLEX sum = gathered[0];
            for (size_t r = 1; r < p; r++)
                sum = NAME(plus)(sum,
                                 NAME(times)(gathered[r], line->root[r * q % p * (line->n / p)]));
            out[q * m + k] = sum;
        }
    }
}

/* out[0..n) = DFT of in[0], in[stride], ...; n = the product of the factors from *factor on. */
static void NAME(recurse)(const LINE *line, const size_t *factor, size_t n, const COMPLEX *in,
                          size_t stride, COMPLEX *out) {
    if (n == 1) {
        *out = *in;
        return;
    }
    size_t p = *factor, m = n / p, step = line->n / n;
    for (size_t r = 0; r < p; r++)
        NAME(recurse)(line, factor + 1, m, in + r * stride, stride * p, out + r * m);
    if (p == 2)
        NAME(butterfly_2)(line, out, m, step);
    else if (p == 4)
        NAME(butterfly_4)(line, out, m, step);
    else
        NAME(butterfly)(line, out, p, m, step);
}

/* Complex numbers of scratch that one call of transform() wants. */
static size_t NAME(scratch_size)(const LINE *line) {
    return line->padded ? 2 * line->padded->n : 0;
}

/* X[k] = chirp[k] * sum_j (x[j] chirp[j]) * conj chirp[k - j], the sum by DFTs of a power of two.
 */
static void NAME(bluestein)(const LINE *line, const COMPLEX *in, COMPLEX *out, COMPLEX *scratch) {
    const LINE *padded = line->padded;
    COMPLEX *spectrum = scratch, *signal = scratch + padded->n;
    for (size_t j = 0; j < padded->n; j++)
        signal[j] = j < line->n ? NAME(times)(in[j], line->chirp[j]) : (COMPLEX){0, 0};
    NAME(recurse)(padded, padded->factors, padded->n, signal, 1, spectrum);
    for (size_t k = 0; k < padded->n; k++) { /* conjugated, for the inverse by a forward DFT */
        spectrum[k] = NAME(times)(spectrum[k], line->chirp_spectrum[k]);
        spectrum[k].im = -spectrum[k].im;
    }
    NAME(recurse)(padded, padded->factors, padded->n, spectrum, 1, signal);
    for (size_t k = 0; k < line->n; k++) {
        COMPLEX sum = {signal[k].re / (REAL)padded->n, -signal[k].im / (REAL)padded->n};
        out[k] = NAME(times)(sum, line->chirp[k]);
    }
}

static void NAME(transform)(const LINE *line, const COMPLEX *in, COMPLEX *out, COMPLEX *scratch) {
    if (line->padded)
        NAME(bluestein)(line, in, out, scratch);
    else
        NAME(recurse)(line, line->factors, line->n, in, 1, out);
}

static void NAME(line_free)(LINE *line) {
    if (!line)
        return;
    NAME(line_free)(line->padded);
    free(line->root);
    free(line->chirp);
    free(line->chirp_spectrum);
    free(line);
}

static LINE *NAME(line_make)(size_t n);

static int NAME(prepare_direct)(LINE *line) {
    line->root = malloc(line->n * sizeof *line->root);
    if (!line->root)
        return -1;
    for (size_t j = 0; j < line->n; j++)
        line->root[j] = NAME(root_of)(j, line->n);
    return 0;
}

static int NAME(prepare_bluestein)(LINE *line) {
    size_t n = line->n, length = 1;
    while (length < 2 * n - 1)
        length *= 2;
    line->padded = NAME(line_make)(length);
    line->chirp = malloc(n * sizeof *line->chirp);
    line->chirp_spectrum = malloc(length * sizeof *line->chirp_spectrum);
    COMPLEX *wrapped = calloc(length, sizeof *wrapped);
    int failed = !line->padded || !line->chirp || !line->chirp_spectrum || !wrapped;
    for (size_t j = 0; !failed && j < n; j++) {
        line->chirp[j] = NAME(root_of)((size_t)((unsigned long long)j * j % (2 * n)), 2 * n);
        wrapped[j] = (COMPLEX){line->chirp[j].re, -line->chirp[j].im};
        wrapped[(length - j) % length] = wrapped[j];
    }
    if (!failed)
        NAME(recurse)
    (line->padded, line->padded->factors, length, wrapped, 1, line->chirp_spectrum);
    free(wrapped);
    return failed ? -1 : 0;
}

static LINE *NAME(line_make)(size_t n) {
    LINE *line = calloc(1, sizeof *line);
    if (!line)
        return NULL;
    line->n = n;
    int direct = factorize(n, line->factors) <= LARGEST_DIRECT_PRIME;
    if (direct ? NAME(prepare_direct)(line) : NAME(prepare_bluestein)(line)) {
        NAME(line_free)(line);
        return NULL;
    }
    return line;
}

/* Room for one thread: two lines of the longer length and what the transforms want. */
typedef struct NAME(room) {
    COMPLEX *in, *out, *scratch;
} NAME(room);
#define ROOM NAME(room)

static ROOM NAME(room_of)(COMPLEX *rooms, size_t room_size, size_t longest) {
    COMPLEX *mine = rooms + room_size * (size_t)thread_index();
    return (ROOM){mine, mine + COLUMNS_AT_ONCE * longest, mine + (COLUMNS_AT_ONCE + 1) * longest};
}

/* Columns first .. first + count of half, forward or (conjugated both ways) inverse with the factor
 * 1/H. */
static void NAME(columns)(const LINE *line, size_t row_length, COMPLEX *half, size_t first,
                          size_t count, int inverse, ROOM room) {
    size_t height = line->n;
    REAL sign = inverse ? -1 : 1, factor = inverse ? (REAL)height : 1;
    for (size_t k = 0; k < height; k++)
        for (size_t c = 0; c < count; c++) {
            COMPLEX value = half[k * row_length + first + c];
            room.in[c * height + k] = (COMPLEX){value.re, sign * value.im};
        }
    for (size_t c = 0; c < count; c++) {
        NAME(transform)(line, room.in + c * height, room.out, room.scratch);
        for (size_t k = 0; k < height; k++)
            room.in[c * height + k] =
                (COMPLEX){room.out[k].re / factor, sign * room.out[k].im / factor};
    }
    for (size_t k = 0; k < height; k++)
        for (size_t c = 0; c < count; c++)
            half[k * row_length + first + c] = room.in[c * height + k];
}

static void NAME(row_forward)(const LINE *line, const double *image_row, COMPLEX *half_row,
                              ROOM room) {
    for (size_t n = 0; n < line->n; n++)
        room.in[n] = (COMPLEX){(REAL)image_row[n], 0};
    NAME(transform)(line, room.in, room.out, room.scratch);
    memcpy(half_row, room.out, (line->n / 2 + 1) * sizeof *half_row);
}

/* A real row from its half spectrum: the conjugate of the whole row goes through the forward DFT.
 */
static void NAME(row_inverse)(const LINE *line, const COMPLEX *half_row, REAL *image_row,
                              ROOM room) {
    size_t width = line->n;
    for (size_t l = 0; l <= width / 2; l++) {
        size_t mirrored = (width - l) % width;
        int real = l == mirrored;
        room.in[mirrored] = half_row[l];
        room.in[l] = (COMPLEX){half_row[l].re, real ? 0 : -half_row[l].im};
    }
    NAME(transform)(line, room.in, room.out, room.scratch);
    for (size_t n = 0; n < width; n++)
        image_row[n] = room.out[n].re / (REAL)width;
}

typedef struct NAME(task) {
    LINE *row, *column;
    COMPLEX *rooms;
    size_t room_size, longest;
} NAME(task);
#define TASK NAME(task)

static int NAME(task_make)(TASK *task, size_t height, size_t width) {
    *task = (TASK){.longest = height > width ? height : width};
    task->row = NAME(line_make)(width);
    task->column = NAME(line_make)(height);
    if (!task->row || !task->column)
        return -1;
    size_t a = NAME(scratch_size)(task->row), b = NAME(scratch_size)(task->column);
    task->room_size = (COLUMNS_AT_ONCE + 1) * task->longest + (a > b ? a : b);
    task->rooms = malloc((size_t)thread_limit() * task->room_size * sizeof *task->rooms);
    return task->rooms ? 0 : -1;
}

static void NAME(task_free)(TASK *task) {
    NAME(line_free)(task->row);
    NAME(line_free)(task->column);
    free(task->rooms);
}

static int NAME(worth_threads)(const TASK *task) {
    return task->row->n * task->column->n > 16384;
}

static void NAME(all_columns)(const TASK *task, COMPLEX *half, int inverse) {
    size_t row_length = task->row->n / 2 + 1;
#pragma omp parallel for schedule(static) if (NAME(worth_threads)(task))
    for (size_t first = 0; first < row_length; first += COLUMNS_AT_ONCE) {
        size_t count = row_length - first < COLUMNS_AT_ONCE ? row_length - first : COLUMNS_AT_ONCE;
        NAME(columns)
        (task->column, row_length, half, first, count, inverse,
         NAME(room_of)(task->rooms, task->room_size, task->longest));
    }
}

static void NAME(forward)(const TASK *task, const double *image, COMPLEX *half) {
    size_t height = task->column->n, width = task->row->n;
#pragma omp parallel for schedule(static) if (NAME(worth_threads)(task))
    for (size_t m = 0; m < height; m++)
        NAME(row_forward)
    (task->row, image + m * width, half + m * (width / 2 + 1),
     NAME(room_of)(task->rooms, task->room_size, task->longest));
    NAME(all_columns)(task, half, 0);
}

static void NAME(inverse)(const TASK *task, COMPLEX *half, REAL *image) {
    size_t height = task->column->n, width = task->row->n;
    NAME(all_columns)(task, half, 1);
#pragma omp parallel for schedule(static) if (NAME(worth_threads)(task))
    for (size_t m = 0; m < height; m++)
        NAME(row_inverse)
    (task->row, half + m * (width / 2 + 1), image + m * width,
     NAME(room_of)(task->rooms, task->room_size, task->longest));
}

static int NAME(oracle_run_forward)(size_t height, size_t width, const double *image, REAL *half) {
    TASK task;
    int failed = NAME(task_make)(&task, height, width);
    if (!failed)
        NAME(forward)(&task, image, (COMPLEX *)half);
    NAME(task_free)(&task);
    return failed;
}

static int NAME(oracle_run_inverse)(size_t height, size_t width, const REAL *half, REAL *image) {
    TASK task;
    size_t bytes = height * (width / 2 + 1) * sizeof(COMPLEX);
    COMPLEX *copy = malloc(bytes);
    int failed = NAME(task_make)(&task, height, width) || !copy ? -1 : 0;
    if (!failed) {
        memcpy(copy, half, bytes);
        NAME(inverse)(&task, copy, image);
    }
    NAME(task_free)(&task);
    free(copy);
    return failed;
}

#undef TASK
#undef ROOM
#undef LINE
#undef COMPLEX
