/* SPDX-License-Identifier: MIT
 * A plan on a GPU's streams gives the bits of a plain execution: replayed from a CUDA graph, beside
 * another stream or another thread on the same plan, every time, and in every place of a batch.
 */
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "buffer.h"
#include "gpu.h"
#include "plan.h"
#include "strategy_name.h"
#include "suite.h"

#if WEFT_TEST_CUDA
/* ---- a client: a stream with memory of its own ----------------------------------------------- */

enum { FORWARD, INVERSE, FILTER_SPECTRUM, FILTER_GAIN, CALLS };
enum { IMAGE, SPECTRUM, TRANSFER, GAIN, INPUTS };

static const char *const call_names[CALLS] = {"weft_forward", "weft_inverse",
                                              "weft_filter by a spectrum", "weft_filter by gains"};

/* Every call has an output of its own for each round, so that nothing has to wait for a look at it.
 */
typedef struct client {
    const weft_plan *plan;
    cudaStream_t stream;
    size_t rounds, work_bytes, in_bytes[INPUTS], out_bytes[CALLS];
    void *in[INPUTS], *out[CALLS], *work;
    char failure[256]; /* of a call, in its words; for threads, which cannot fail a test */
    pthread_t thread;
} client;

static client client_make(const weft_plan *plan, size_t rounds) {
    size_t image = plan_image_bytes(plan), spectrum = plan_spectrum_bytes(plan);
    client l = {.plan = plan,
                .rounds = rounds,
                .work_bytes = weft_plan_workspace(plan),
                .in_bytes = {image, spectrum, plan_transfer_bytes(plan, WEFT_TRANSFER_SPECTRUM),
                             plan_transfer_bytes(plan, WEFT_TRANSFER_GAIN)},
                .out_bytes = {spectrum, image, image, image}};
    must_cuda(cudaStreamCreateWithFlags(&l.stream, cudaStreamNonBlocking));
    for (int i = 0; i < INPUTS; i++)
        l.in[i] = gpu_alloc(l.in_bytes[i]);
    for (int c = 0; c < CALLS; c++)
        l.out[c] = gpu_alloc(rounds * l.out_bytes[c]);
    l.work = gpu_alloc(l.work_bytes);
    return l;
}

static void client_free(client *l) {
    for (int i = 0; i < INPUTS; i++)
        gpu_free(l->in[i]);
    for (int c = 0; c < CALLS; c++)
        gpu_free(l->out[c]);
    gpu_free(l->work);
    must_cuda(cudaStreamDestroy(l->stream));
}

static void client_poison(client *l) {
    for (int c = 0; c < CALLS; c++)
        gpu_poison(l->out[c], l->rounds * l->out_bytes[c]);
    gpu_poison(l->work, l->work_bytes);
}

/* The same noise so many times, one after the other. */
static void fill(void *memory, size_t bytes, size_t times, weft_precision precision,
                 uint64_t seed) {
    size_t one = bytes / times, count = one / (precision == WEFT_F32 ? 4 : 8);
    double *noise = must_alloc(count * sizeof *noise);
    char *host = must_alloc(bytes);
    fill_noise(seed, precision, count, noise);
    for (size_t i = 0; i < count; i++)
        element_set(host, i, precision, WEFT_PIXEL_REAL, noise[i]);
    for (size_t t = 1; t < times; t++)
        memcpy(host + t * one, host, one);
    gpu_put(memory, host, bytes);
    free(noise);
    free(host);
}

/* `alike`: how many images, and spectra, are the same; 1 for none. */
static void client_fill(client *l, size_t alike, uint64_t seed) {
    weft_precision precision = plan_problem(l->plan)->precision;
    for (size_t i = 0; i < INPUTS; i++)
        fill(l->in[i], l->in_bytes[i], i <= SPECTRUM ? alike : 1, precision, seed_of(seed, i, 0));
}

static weft_status enqueue(const client *l, int call, size_t round) {
    void *out = (char *)l->out[call] + round * l->out_bytes[call];
    if (call == FORWARD)
        return weft_forward(l->plan, l->in[IMAGE], out, l->work, l->stream);
    if (call == INVERSE)
        return weft_inverse(l->plan, l->in[SPECTRUM], out, l->work, l->stream);
    if (call == FILTER_SPECTRUM)
        return weft_filter(l->plan, l->in[IMAGE], l->in[TRANSFER], WEFT_TRANSFER_SPECTRUM, out,
                           l->work, l->stream);
    return weft_filter(l->plan, l->in[IMAGE], l->in[GAIN], WEFT_TRANSFER_GAIN, out, l->work,
                       l->stream);
}

static void enqueue_round(client *l, size_t round) {
    for (int c = 0; c < CALLS && !*l->failure; c++)
        if (enqueue(l, c, round) != WEFT_OK)
            snprintf(l->failure, sizeof l->failure, "%s: %s", call_names[c], weft_last_error());
}

static void client_wait(const client *l) {
    check(!*l->failure, "%s", l->failure);
    must_cuda(cudaStreamSynchronize(l->stream));
}

/* ---- what a round gave ----------------------------------------------------------------------- */

static size_t round_bytes(const client *l) {
    size_t bytes = 0;
    for (int c = 0; c < CALLS; c++)
        bytes += l->out_bytes[c];
    return bytes;
}

/* The outputs of all calls, one after the other, on the host. */
static void get_round(const client *l, size_t round, unsigned char *to) {
    for (int c = 0; c < CALLS; to += l->out_bytes[c], c++)
        gpu_get(to, (char *)l->out[c] + round * l->out_bytes[c], l->out_bytes[c]);
}

static const char *about(const client *l) {
    static char text[160];
    const problem *p = plan_problem(l->plan);
    snprintf(text, sizeof text, "%s %zux%zu batch %zu %s %s", weft_plan_strategy(l->plan),
             p->height, p->width, p->batch, precision_name(p->precision), layout_name(p->layout));
    return text;
}

/* The first real that is not a number; `count` if there is none. */
static size_t first_odd(const void *reals, size_t count, weft_precision precision) {
    const float *floats = reals;
    const double *doubles = reals;
    size_t i = 0;
    if (precision == WEFT_F32)
        while (i < count && isfinite(floats[i]))
            i++;
    else
        while (i < count && isfinite(doubles[i]))
            i++;
    return i;
}

/* Poison on both sides would be equal, too. */
static void check_numbers(const client *l, const unsigned char *results) {
    weft_precision precision = plan_problem(l->plan)->precision;
    size_t count = round_bytes(l) / (precision == WEFT_F32 ? 4 : 8);
    size_t odd = first_odd(results, count, precision);
    check(odd == count, "%s: real %zu of all results is not a number", about(l), odd);
}

static void check_round(const client *l, const unsigned char *got, const unsigned char *expected,
                        const char *how, size_t round) {
    for (int c = 0; c < CALLS; got += l->out_bytes[c], expected += l->out_bytes[c], c++)
        check(memcmp(got, expected, l->out_bytes[c]) == 0, "%s: %s %s, round %zu: other bits",
              about(l), call_names[c], how, round);
}

/* Runs round 0 alone; the results are to be freed. */
static unsigned char *run_alone(client *l) {
    unsigned char *results = must_alloc(round_bytes(l));
    client_poison(l);
    enqueue_round(l, 0);
    client_wait(l);
    get_round(l, 0, results);
    check_numbers(l, results);
    return results;
}

/* 0 when the strategy refuses it. */
static int plan_make(weft_plan **plan, const variant *v, shape s, size_t batch) {
    weft_desc d = {.height = s.height,
                   .width = s.width,
                   .batch = batch,
                   .precision = v->precision,
                   .layout = v->layout,
                   .strategy = v->strategy};
    weft_status status = weft_plan_create(plan, &d);
    check(status == WEFT_OK || status == WEFT_UNSUPPORTED, "%s", weft_last_error());
    return status == WEFT_OK;
}

static const shape sizes[] = {{16, 16},   {64, 64}, {256, 256}, {512, 128},
                              {512, 512}, {90, 77}, {131, 62}};
enum { SIZES = sizeof sizes / sizeof *sizes };

/* ---- graphs ---------------------------------------------------------------------------------- */

static cudaGraphExec_t captured(const client *l, int call) {
    cudaGraph_t graph = NULL;
    cudaGraphExec_t replay = NULL;
    must_cuda(cudaStreamBeginCapture(l->stream, cudaStreamCaptureModeThreadLocal));
    weft_status status = enqueue(l, call, 0);
    cudaError_t ended = cudaStreamEndCapture(l->stream, &graph);
    check(status == WEFT_OK, "%s: %s while capturing: %s", about(l), call_names[call],
          weft_last_error());
    gpu_must(ended, "cudaStreamEndCapture", call_names[call], 0);
    must_cuda(cudaGraphInstantiate(&replay, graph, 0));
    must_cuda(cudaGraphDestroy(graph));
    return replay;
}

static void replay_on_new_data(client *l, const cudaGraphExec_t *graphs) {
    enum { REPLAYS = 4 };
    unsigned char *got = must_alloc(round_bytes(l));
    for (size_t i = 0; i < REPLAYS; i++) {
        client_fill(l, 1, i);
        client_poison(l);
        for (int c = 0; c < CALLS; c++)
            must_cuda(cudaGraphLaunch(graphs[c], l->stream));
        client_wait(l);
        get_round(l, 0, got);
        unsigned char *expected = run_alone(l);
        check_round(l, got, expected, "replayed from a graph", i);
        free(expected);
    }
    free(got);
}

/* Captured before the plan has ever run: what a first execution takes, it has to have already. */
static void graphs_replay(const variant *v) {
    for (size_t i = 0; i < SIZES; i++) {
        weft_plan *plan;
        cudaGraphExec_t graphs[CALLS];
        if (!plan_make(&plan, v, sizes[i], 3))
            continue;
        client l = client_make(plan, 1);
        for (int c = 0; c < CALLS; c++)
            graphs[c] = captured(&l, c);
        replay_on_new_data(&l, graphs);
        for (int c = 0; c < CALLS; c++)
            must_cuda(cudaGraphExecDestroy(graphs[c]));
        client_free(&l);
        weft_plan_destroy(plan);
    }
}

/* ---- concurrently ---------------------------------------------------------------------------- */

enum { CLIENTS = 2, ROUNDS = 24, ROUNDS_WHEN_QUICK = 8 };

static void from_one_thread(client *clients) {
    for (size_t round = 0; round < clients->rounds; round++)
        for (int i = 0; i < CLIENTS; i++)
            enqueue_round(&clients[i], round);
}

static void *enqueue_rounds(void *given) {
    client *l = given;
    for (size_t round = 0; round < l->rounds; round++)
        enqueue_round(l, round);
    return NULL;
}

static void from_a_thread_each(client *clients) {
    for (int i = 0; i < CLIENTS; i++)
        assert_int_equal(pthread_create(&clients[i].thread, NULL, enqueue_rounds, &clients[i]), 0);
    for (int i = 0; i < CLIENTS; i++)
        pthread_join(clients[i].thread, NULL);
}

static void check_rounds(const client *l, const unsigned char *expected, const char *how) {
    unsigned char *got = must_alloc(round_bytes(l));
    for (size_t round = 0; round < l->rounds; round++) {
        get_round(l, round, got);
        check_round(l, got, expected, how, round);
    }
    free(got);
}

static void run_concurrently(const weft_plan *plan, void (*enqueue_all)(client *clients),
                             const char *how) {
    client clients[CLIENTS];
    unsigned char *expected[CLIENTS];
    for (size_t i = 0; i < CLIENTS; i++) {
        clients[i] = client_make(plan, quick_mode() ? ROUNDS_WHEN_QUICK : ROUNDS);
        client_fill(&clients[i], 1, 100 + i);
        expected[i] = run_alone(&clients[i]);
        client_poison(&clients[i]);
    }
    enqueue_all(clients);
    for (size_t i = 0; i < CLIENTS; i++)
        client_wait(&clients[i]);
    for (size_t i = 0; i < CLIENTS; i++) {
        check_rounds(&clients[i], expected[i], how);
        free(expected[i]);
        client_free(&clients[i]);
    }
}

static void share_a_plan(const variant *v, void (*enqueue_all)(client *clients), const char *how) {
    for (size_t i = 0; i < SIZES; i++) {
        weft_plan *plan;
        if (!plan_make(&plan, v, sizes[i], 1))
            continue;
        run_concurrently(plan, enqueue_all, how);
        weft_plan_destroy(plan);
    }
}

static void streams_share_a_plan(const variant *v) {
    share_a_plan(v, from_one_thread, "beside another stream");
}

static void threads_share_a_plan(const variant *v) {
    share_a_plan(v, from_a_thread_each, "beside another thread");
}

/* ---- the same bits every time ---------------------------------------------------------------- */

enum { RUNS = 100, RUNS_WHEN_QUICK = 10 };

/* Every place of the batch must hold what the first place held after the first run. */
static void check_places(const client *l, const unsigned char *got, const unsigned char *first,
                         int run) {
    size_t batch = plan_problem(l->plan)->batch;
    for (int c = 0; c < CALLS; got += l->out_bytes[c], first += l->out_bytes[c], c++) {
        size_t one = l->out_bytes[c] / batch;
        for (size_t i = 0; i < batch; i++)
            check(memcmp(got + i * one, first, one) == 0,
                  "%s: %s, run %d, image %zu: not the bits of image 0 in run 0", about(l),
                  call_names[c], run, i);
    }
}

static void run_again_and_again(const variant *v, shape s, size_t batch) {
    weft_plan *plan;
    if (!plan_make(&plan, v, s, batch))
        return;
    client l = client_make(plan, 1);
    client_fill(&l, batch, 200);
    unsigned char *first = run_alone(&l), *got = must_alloc(round_bytes(&l));
    check_places(&l, first, first, 0);
    for (int run = 1; run < (quick_mode() ? RUNS_WHEN_QUICK : RUNS); run++) {
        client_poison(&l);
        enqueue_round(&l, 0);
        client_wait(&l);
        get_round(&l, 0, got);
        check_places(&l, got, first, run);
    }
    free(first);
    free(got);
    client_free(&l);
    weft_plan_destroy(plan);
}

static void the_same_bits(const variant *v) {
    run_again_and_again(v, (shape){64, 64}, 7);
    run_again_and_again(v, (shape){128, 128}, 6);
    run_again_and_again(v, (shape){256, 256}, 5);
    run_again_and_again(v, (shape){512, 128}, 5);
    run_again_and_again(v, (shape){90, 77}, 5);
    run_again_and_again(v, (shape){131, 62}, 5);
    run_again_and_again(v, (shape){512, 512}, 4);
    /* The others would take minutes. */
    if (uses_one_arithmetic(v->strategy) && v->precision == WEFT_F32)
        run_again_and_again(v, (shape){2048, 2048}, 1);
}
#endif

int main(int argc, char **argv) {
    static const suite_test tests[] = {
        {"graphs replay", WITH_CUDA(graphs_replay), 1, is_cuda, 0},
        {"streams share a plan", WITH_CUDA(streams_share_a_plan), 1, is_cuda, 0},
        {"threads share a plan", WITH_CUDA(threads_share_a_plan), 1, is_cuda, 0},
        {"the same bits every time", WITH_CUDA(the_same_bits), 1, is_cuda, 0},
    };
    cases_init(argc, argv);
    return suite_run("streams", tests, sizeof tests / sizeof *tests);
}
