/* SPDX-License-Identifier: MIT
 * When a GPU has no memory left: calls say so with figures, a plan with memory of its own runs on,
 * and nothing of it sticks once there is memory again. No check stands between taking all memory
 * and giving it back: what happened is kept, and judged afterwards.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "buffer.h"
#include "gpu.h"
#include "plan.h"
#include "status.h"
#include "suite.h"

#if WEFT_TEST_CUDA
/* ---- taking all memory ----------------------------------------------------------------------- */

enum { MOST_CHUNKS = 8192 };
static const size_t largest_chunk = (size_t)1 << 30, smallest_chunk = (size_t)1 << 12;

static void *chunks[MOST_CHUNKS];
static size_t chunk_count;

/* Large chunks as long as there are any, then ever smaller ones. */
static cudaError_t take_all(void) {
    for (size_t bytes = largest_chunk; bytes >= smallest_chunk; bytes /= 2) {
        cudaError_t error = cudaSuccess;
        while (chunk_count < MOST_CHUNKS && error == cudaSuccess) {
            error = cudaMalloc(&chunks[chunk_count], bytes);
            chunk_count += error == cudaSuccess;
        }
        cudaGetLastError();
        if (error != cudaErrorMemoryAllocation)
            return error;
    }
    return cudaErrorMemoryAllocation;
}

static cudaError_t give_back(void) {
    cudaError_t error = cudaSuccess;
    while (chunk_count > 0 && error == cudaSuccess)
        error = cudaFree(chunks[--chunk_count]);
    return error;
}

/* ---- one plan and what belongs to it --------------------------------------------------------- */

/* So much that no remainder of the memory could hold it. */
static const shape big = {4096, 4096};

typedef struct job {
    weft_plan *plan;
    size_t image_bytes, spectrum_bytes;
    unsigned char *image, *expected, *got;       /* on the host */
    void *device_image, *device_spectrum, *work; /* on the device */
} job;

static unsigned char *noise_of(size_t bytes, weft_precision precision) {
    size_t count = bytes / (precision == WEFT_F32 ? 4 : 8);
    double *noise = must_alloc(count * sizeof *noise);
    unsigned char *image = must_alloc(bytes);
    fill_noise(7, precision, count, noise);
    for (size_t i = 0; i < count; i++)
        element_set(image, i, precision, WEFT_PIXEL_REAL, noise[i]);
    free(noise);
    return image;
}

static int all_poison(const unsigned char *memory, size_t bytes) {
    for (size_t i = 0; i < bytes; i++)
        if (memory[i] != GPU_POISON)
            return 0;
    return 1;
}

/* With the spectrum of a run while there was memory. */
static job job_make(const weft_desc *d) {
    job j = {0};
    check(weft_plan_create(&j.plan, d) == WEFT_OK, "%s", weft_last_error());
    j.image_bytes = plan_image_bytes(j.plan);
    j.spectrum_bytes = plan_spectrum_bytes(j.plan);
    j.image = noise_of(j.image_bytes, d->precision);
    j.expected = must_alloc(j.spectrum_bytes);
    j.got = must_alloc(j.spectrum_bytes);
    memset(j.expected, GPU_POISON, j.spectrum_bytes);
    check(weft_forward_host(j.plan, j.image, j.expected) == WEFT_OK, "%s", weft_last_error());
    check(!all_poison(j.expected, j.spectrum_bytes), "%s: wrote nothing", d->strategy);
    j.device_image = gpu_alloc(j.image_bytes);
    j.device_spectrum = gpu_alloc(j.spectrum_bytes);
    j.work = gpu_alloc(weft_plan_workspace(j.plan));
    gpu_put(j.device_image, j.image, j.image_bytes);
    return j;
}

static void job_free(job *j) {
    gpu_free(j->device_image);
    gpu_free(j->device_spectrum);
    gpu_free(j->work);
    free(j->image);
    free(j->expected);
    free(j->got);
    weft_plan_destroy(j->plan);
}

/* ---- without memory -------------------------------------------------------------------------- */

/* Of a call: what it returned, in its words. */
typedef struct outcome {
    weft_status status;
    char text[LAST_ERROR_SIZE];
} outcome;

static outcome outcome_of(weft_status status) {
    outcome o = {.status = status};
    snprintf(o.text, sizeof o.text, "%s", status == WEFT_OK ? "" : weft_last_error());
    return o;
}

static const shape new_shapes[] = {{16, 16}, {1024, 512}, {4096, 4096}};
enum { NEW_SHAPES = sizeof new_shapes / sizeof *new_shapes };

typedef struct happenings {
    cudaError_t took, ran, left, gave;
    outcome created[NEW_SHAPES], host_call, run;
    int is_untouched; /* the output of the host call */
} happenings;

static outcome create_and_destroy(const variant *v, shape s) {
    weft_plan *plan;
    weft_desc d = desc_of(v, s);
    outcome o = outcome_of(weft_plan_create(&plan, &d));
    weft_plan_destroy(plan);
    return o;
}

static happenings try_without_memory(const variant *v, job *j) {
    happenings h = {.took = take_all()};
    for (int i = 0; i < NEW_SHAPES; i++)
        h.created[i] = create_and_destroy(v, new_shapes[i]);
    memset(j->got, GPU_POISON, j->spectrum_bytes);
    h.host_call = outcome_of(weft_forward_host(j->plan, j->image, j->got));
    h.is_untouched = all_poison(j->got, j->spectrum_bytes);
    h.run = outcome_of(weft_forward(j->plan, j->device_image, j->device_spectrum, j->work, NULL));
    h.left = cudaGetLastError();
    h.ran = cudaDeviceSynchronize();
    h.gave = give_back();
    return h;
}

/* ---- what is right --------------------------------------------------------------------------- */

/* As in "no memory on the GPU: wants 64.0 MiB, 512.0 KiB free". */
static void says_how_much(const char *text, size_t wanted) {
    char amount[BYTES_TEXT_SIZE], wants[BYTES_TEXT_SIZE + 16], unit[8] = "", word[8] = "";
    double available = NAN;
    snprintf(wants, sizeof wants, "wants %s, ", bytes_text(wanted, amount));
    const char *found = strstr(text, wants);
    check(found != NULL, "\"%s\" is not in: %s", wants, text);
    int fields = sscanf(found + strlen(wants), "%lf %7s %7s", &available, unit, word);
    check(fields == 3 && strcmp(word, "free") == 0, "does not say what is free: %s", text);
}

static void check_without_memory(const variant *v, const job *j, const happenings *h) {
    check(h->took == cudaErrorMemoryAllocation, "taking all memory: %s",
          cudaGetErrorString(h->took));
    gpu_must(h->gave, "cudaFree", __FILE__, __LINE__);
    for (int i = 0; i < NEW_SHAPES; i++)
        check(h->created[i].status == WEFT_OK || h->created[i].status == WEFT_NO_MEMORY ||
                  h->created[i].status == WEFT_UNSUPPORTED,
              "%s: a plan of %zux%zu: %s", v->strategy, new_shapes[i].height, new_shapes[i].width,
              h->created[i].text);
    check(h->host_call.status == WEFT_NO_MEMORY, "%s: weft_forward_host: %s %s", v->strategy,
          weft_status_string(h->host_call.status), h->host_call.text);
    size_t work = weft_plan_workspace(j->plan);
    says_how_much(h->host_call.text, work > 0 ? work : j->image_bytes);
    check(h->is_untouched, "%s: failed and wrote its output", v->strategy);
    check(h->left == cudaSuccess, "%s: left an error behind: %s", v->strategy,
          cudaGetErrorString(h->left));
}

/* A plan that has all it needs does not notice. */
static void check_run(const variant *v, const job *j, const happenings *h) {
    check(h->run.status == WEFT_OK, "%s: a run without memory: %s", v->strategy, h->run.text);
    gpu_must(h->ran, "a run without memory", v->strategy, 0);
    gpu_get(j->got, j->device_spectrum, j->spectrum_bytes);
    check(memcmp(j->got, j->expected, j->spectrum_bytes) == 0,
          "%s: other bits in a run without memory", v->strategy);
}

static void check_afterwards(const job *j, const weft_plan *plan, const char *which) {
    memset(j->got, GPU_POISON, j->spectrum_bytes);
    check(weft_forward_host(plan, j->image, j->got) == WEFT_OK, "%s plan afterwards: %s", which,
          weft_last_error());
    check(memcmp(j->got, j->expected, j->spectrum_bytes) == 0, "%s plan afterwards: other bits",
          which);
    gpu_is_clean(which);
}

static void nothing_left(const variant *v) {
    weft_plan *plan;
    weft_desc d = desc_of(v, big);
    weft_status status = weft_plan_create(&plan, &d);
    weft_plan_destroy(plan);
    if (status == WEFT_UNSUPPORTED)
        skip_because("%s", weft_last_error());
    job j = job_make(&d);
    happenings h = try_without_memory(v, &j);
    check_without_memory(v, &j, &h);
    check_run(v, &j, &h);
    check_afterwards(&j, j.plan, "the same");
    check(weft_plan_create(&plan, &d) == WEFT_OK, "a new plan afterwards: %s", weft_last_error());
    check_afterwards(&j, plan, "a new");
    weft_plan_destroy(plan);
    for (int i = 0; i < NEW_SHAPES; i++) {
        outcome o = create_and_destroy(v, new_shapes[i]);
        check(o.status == WEFT_OK || o.status == WEFT_UNSUPPORTED, "a plan of %zux%zu: %s",
              new_shapes[i].height, new_shapes[i].width, o.text);
    }
    job_free(&j);
}
#endif

int main(int argc, char **argv) {
    static const suite_test tests[] = {
        {"no memory left", WITH_CUDA(nothing_left), 0, is_cuda, 0},
    };
    cases_init(argc, argv);
    return suite_run("device memory", tests, sizeof tests / sizeof *tests);
}
