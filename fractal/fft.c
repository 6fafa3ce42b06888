/* SPDX-License-Identifier: MIT
 * The search fft, for the dense profile: the products of a range with all domains are its
 * correlation with the half image, which weft_filter makes in one go. They are rounded, so they
 * only rule domains out: those whose error might be below the least one so far are computed in
 * integers. A batch of ranges is filtered, and then scored by a team.
 */
#include <math.h>
#include <string.h>

#include "arena.h"
#include "search.h"
#include "team.h"
#include "threads.h"

enum { BATCH = 8, VALUES = 16 };

/* What a domain has for all ranges, in floats: sigma, what the square of a product is divided by,
 * and how far the means of its pixels are from that of the half image. */
typedef struct domain_facts {
    float *square, *part_of_square, *mean;
} domain_facts;

typedef struct fft_plane {
    plane_blocks blocks;
    const codebook *book;
    weft_plan *plan;
    size_t height, width; /* of what is transformed: the half image and zeros behind it */
    size_t work_bytes;
    float *spectrum; /* of the half image less its mean */
    double norm;     /* of the same image */
    domain_facts facts;
} fft_plane;

typedef struct fft_state {
    size_t threads;
    int planes;
    arena memory;
    float *ranges, *products; /* BATCH images each */
    void *work;
    fft_plane plane[WEFT_FRACTAL_PLANES];
} fft_state;

static weft_status supports(const search_problem *p) {
    weft_status status;
    if ((status = refuse_profile("fft", p, WEFT_FRACTAL_DENSE)) != WEFT_OK ||
        (status = refuse_history("fft", p, TAKES_NOTHING)) != WEFT_OK) {
        return status;
    }
    return refuse_elimination("fft", p);
}

/* ---- create, destroy ---------------------------------------------------------------------------
 */

static weft_status make_plan(fft_plane *p, const search_problem *problem) {
    weft_desc d = {.height = p->blocks.padded_height / 2,
                   .width = p->blocks.padded_width / 2,
                   .batch = BATCH,
                   .strategy = "cpu",
                   .threads = problem->desc->threads};
    weft_status status = weft_good_size(&d, &p->height, &p->width);
    if (status != WEFT_OK) {
        return status;
    }
    d.height = p->height;
    d.width = p->width;
    if ((status = weft_plan_create(&p->plan, &d)) == WEFT_OK) {
        p->work_bytes = weft_plan_workspace(p->plan);
    }
    return status;
}

static void lay_out(fft_state *s, arena *a) {
    size_t most = 0, work = 0;
    for (int i = 0; i < s->planes; i++) {
        fft_plane *p = &s->plane[i];
        size_t pixels = p->height * p->width, domains = p->blocks.domains;
        p->spectrum = arena_take(a, BATCH * pixels, sizeof(float));
        p->facts.square = arena_take(a, domains, sizeof(float));
        p->facts.part_of_square = arena_take(a, domains, sizeof(float));
        p->facts.mean = arena_take(a, domains, sizeof(float));
        most = most > pixels ? most : pixels;
        work = work > p->work_bytes ? work : p->work_bytes;
    }
    s->ranges = arena_take(a, BATCH * most, sizeof(float));
    s->products = arena_take(a, BATCH * most, sizeof(float));
    s->work = arena_take(a, work, 1);
}

static void destroy(void *state) {
    fft_state *s = state;
    if (s != NULL) {
        for (int i = 0; i < s->planes; i++) {
            weft_plan_destroy(s->plane[i].plan);
        }
        arena_close(&s->memory);
        free(s);
    }
}

static weft_status create(const search_problem *p, void **state) {
    fft_state *made = calloc(1, sizeof *made);
    weft_status status = WEFT_OK;
    if (made == NULL) {
        return weft_fail(WEFT_NO_MEMORY, "no memory for a search");
    }
    made->planes = p->planes;
    made->threads = threads_asked_for(p->desc->threads);
    for (int i = 0; i < p->planes && status == WEFT_OK; i++) {
        made->plane[i].blocks = p->blocks[i];
        status = make_plan(&made->plane[i], p);
    }
    if (status == WEFT_OK) {
        lay_out(made, &made->memory);
        status = arena_open(&made->memory);
    }
    if (status != WEFT_OK) {
        destroy(made);
        return status;
    }
    lay_out(made, &made->memory);
    *state = made;
    return WEFT_OK;
}

/* ---- the half image ----------------------------------------------------------------------------
 */

/* The mean of the four pixels of each value, as codebook.c rounds it. */
static int half_value(const fft_plane *p, size_t m, size_t n) {
    const uint8_t *four = p->book->plane + 2 * m * p->blocks.padded_width + 2 * n;
    size_t below = p->blocks.padded_width;
    return (four[0] + four[1] + four[below] + four[below + 1] + 2) >> 2;
}

static int mean_of_half(const fft_plane *p) {
    size_t height = p->blocks.padded_height / 2, width = p->blocks.padded_width / 2, sum = 0;
    for (size_t m = 0; m < height; m++) {
        for (size_t n = 0; n < width; n++) {
            sum += (size_t)half_value(p, m, n);
        }
    }
    return (int)(sum / (height * width));
}

static void fill_half(fft_plane *p, int mean, float *image) {
    double squares = 0;
    memset(image, 0, p->height * p->width * sizeof *image);
    for (size_t m = 0; m < p->blocks.padded_height / 2; m++) {
        for (size_t n = 0; n < p->blocks.padded_width / 2; n++) {
            int value = half_value(p, m, n) - mean;
            image[m * p->width + n] = (float)value;
            squares += value * value;
        }
    }
    p->norm = sqrt(squares);
}

static void fill_facts(fft_plane *p, int mean) {
    const plane_blocks *b = &p->blocks;
    for (size_t j = 0; j < b->domains; j++) {
        const int16_t *values = p->book->values + j * BLOCK_PIXELS;
        int square = 0;
        for (int i = 0; i < BLOCK_PIXELS; i++) {
            square += values[i] * values[i];
        }
        int first = half_value(p, j / b->domain_columns, j % b->domain_columns);
        p->facts.square[j] = (float)square;
        p->facts.part_of_square[j] = square > 0 ? 256.0f / (float)square : 0;
        p->facts.mean[j] = (float)(first - values[0] - mean);
    }
}

static weft_status take_codebook(void *state, int plane, codebook *book) {
    fft_state *s = state;
    fft_plane *p = &s->plane[plane];
    p->book = book;
    int mean = mean_of_half(p);
    memset(s->ranges, 0, BATCH * p->height * p->width * sizeof(float));
    fill_half(p, mean, s->ranges);
    fill_facts(p, mean);
    return weft_forward(p->plan, s->ranges, p->spectrum, s->work, NULL);
}

/* ---- scores ------------------------------------------------------------------------------------
 */

/* A batch of ranges, and what comes of it. */
typedef struct batch {
    const fft_state *state;
    const fft_plane *plane;
    const int16_t *ranges;
    size_t pixels; /* of an image */
    search_answer answers[BATCH];
    size_t computed[BATCH]; /* domains, in integers */
} batch;

/* The best so far of a range. */
typedef struct scorer {
    const fft_plane *plane;
    const int16_t *range;
    float sum, off; /* of the range's values; what its products may be wrong by */
    int64_t least;
    search_answer best;
    size_t computed;
} scorer;

static void compute(scorer *s, size_t domain) {
    int k;
    int64_t error = least_dense_error(s->plane->book->values + domain * BLOCK_PIXELS, s->range, &k);
    if (error < s->least) {
        s->least = error;
        s->best = (search_answer){(uint32_t)domain, (uint8_t)(k + DENSE_FLAT)};
    }
    s->computed++;
}

/* By how much a domain can be better than flat at most, c being its product: by 256 c^2 / sigma, or
 * by 480 |c| - 225 sigma where |k| ends at 15. A little more, for floats are rounded. */
static inline float most_gain(const scorer *s, size_t domain, float product) {
    const domain_facts *f = &s->plane->facts;
    const float more = 1.00001f, less = 0.99999f;
    float c = fabsf(product - f->mean[domain] * s->sum) + s->off;
    float free = c * c * f->part_of_square[domain] * more;
    float limited = 480 * more * c - 225 * less * f->square[domain];
    return 16 * c > 15 * f->square[domain] ? limited : free;
}

static void score_row(scorer *s, size_t first, size_t count, const float *products) {
    float gains[VALUES];
    for (size_t n = 0; n < count; n += VALUES) {
        size_t values = count - n < VALUES ? count - n : VALUES;
        float most = 0;
        for (size_t i = 0; i < values; i++) {
            gains[i] = most_gain(s, first + n + i, products[n + i]);
        }
        for (size_t i = 0; i < values; i++) {
            most = gains[i] > most ? gains[i] : most;
        }
        for (size_t i = 0; i < values && most > (float)-s->least; i++) {
            if (gains[i] > (float)-s->least) {
                compute(s, first + n + i);
            }
        }
    }
}

/* Twice what transforms of this length are off by, as is known of them: rounding errors of floats,
 * as many as there are stages, of the product of both norms. */
static float rounding_of(const fft_plane *p, const int16_t *range) {
    int squares = 0;
    for (int i = 0; i < BLOCK_PIXELS; i++) {
        squares += range[i] * range[i];
    }
    double stages = log2((double)p->height * (double)p->width);
    return (float)(2 * ldexp(1, -24) * stages * p->norm * sqrt(squares));
}

static void score(batch *b, size_t i) {
    const plane_blocks *blocks = &b->plane->blocks;
    const float *products = b->state->products + i * b->pixels;
    const int16_t *range = b->ranges + i * BLOCK_PIXELS;
    scorer s = {.plane = b->plane, .range = range, .best = {.z = DENSE_FLAT}};
    int sum = 0;
    for (int k = 0; k < BLOCK_PIXELS; k++) {
        sum += range[k];
    }
    s.sum = (float)sum;
    s.off = rounding_of(b->plane, range);
    for (size_t first = 0; first < blocks->domains; first += blocks->domain_columns) {
        score_row(&s, first, blocks->domain_columns,
                  products + first / blocks->domain_columns * b->plane->width);
    }
    b->answers[i] = s.best;
    b->computed[i] = s.computed;
}

/* For team_run(). */
static void run_tasks(const void *of, size_t pass, size_t member, size_t first, size_t end) {
    batch *const *b = of; /* tasks write their own parts of it */
    (void)pass;
    (void)member;
    for (size_t i = first; i < end; i++) {
        score(*b, i);
    }
}

/* ---- find --------------------------------------------------------------------------------------
 */

/* The pixels of a range with all indices negated: the filter is a convolution then that is the
 * correlation. All others of the image are zeros. */
static void place_range(const fft_plane *p, const int16_t *range, float *image) {
    for (size_t i = 0; i < BLOCK_PIXELS; i++) {
        size_t m = (p->height - i / BLOCK_SIDE) % p->height;
        size_t n = (p->width - i % BLOCK_SIDE) % p->width;
        image[m * p->width + n] = range[i];
    }
}

static weft_status find_batch(batch *b, size_t count, search_answer *answers, search_work *work) {
    fft_state *s = (fft_state *)b->state;
    const fft_plane *p = b->plane;
    const team_work all = {.run = run_tasks, .of = &b, .passes = 1, .tasks = {{count, 1}}};
    for (size_t i = 0; i < count; i++) {
        place_range(p, b->ranges + i * BLOCK_PIXELS, s->ranges + i * b->pixels);
    }
    weft_status status = weft_filter(p->plan, s->ranges, p->spectrum, WEFT_TRANSFER_SPECTRUM,
                                     s->products, s->work, NULL);
    if (status != WEFT_OK) {
        return status;
    }
    team_run(&all, s->threads < count ? s->threads : count);
    for (size_t i = 0; i < count; i++) {
        answers[i] = b->answers[i];
        work->terms += (double)b->computed[i] * BLOCK_PIXELS;
    }
    return WEFT_OK;
}

static weft_status find(void *state, int plane, const range_list *ranges, search_answer *answers,
                        search_work *work) {
    fft_state *s = state;
    fft_plane *p = &s->plane[plane];
    batch b = {.state = s, .plane = p, .pixels = p->height * p->width};
    weft_status status = WEFT_OK;
    memset(s->ranges, 0, BATCH * b.pixels * sizeof(float));
    for (size_t i = 0; i < ranges->count && status == WEFT_OK; i += BATCH) {
        size_t count = ranges->count - i < BATCH ? ranges->count - i : BATCH;
        b.ranges = ranges->values + i * BLOCK_PIXELS;
        status = find_batch(&b, count, answers + i, work);
    }
    return status;
}

const search search_fft = {
    .name = "fft",
    .about = "products with all domains by Fourier transforms; dense profile",
    .supports = supports,
    .create = create,
    .destroy = destroy,
    .take_codebook = take_codebook,
    .find = find,
};
