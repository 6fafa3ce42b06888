/* SPDX-License-Identifier: MIT
 * The roofline on the CPU: memcpy of an image as large as what a transform must read and write,
 * halved. Threads share it in equal parts, since one core alone does not reach a machine's memory
 * rate.
 */
#include <omp.h>
#include <stdlib.h>
#include <string.h>

#include "bench/peers/peers.h"
#include "problem.h"

typedef struct copy_state {
    size_t bytes;
    int threads;
} copy_state;

static weft_status create(const problem *p, void **state, size_t *workspace) {
    copy_state *made = malloc(sizeof *made);
    if (made == NULL) {
        return weft_fail(WEFT_NO_MEMORY, "no memory for a plan");
    }
    made->bytes = image_batch_bytes(p);
    made->threads = p->threads ? p->threads : omp_get_max_threads();
    *state = made;
    *workspace = 0;
    return WEFT_OK;
}

static weft_status copy(const void *state, const void *from, void *to, void *work,
                        struct CUstream_st *stream) {
    const copy_state *s = state;
    size_t part = s->bytes / (size_t)s->threads / 64 * 64;
    (void)work, (void)stream;
    if (s->threads == 1) { /* no team, not even one of one: the smallest images would notice */
        memcpy(to, from, s->bytes);
        return WEFT_OK;
    }
#pragma omp parallel for num_threads(s->threads) schedule(static, 1)
    for (int t = 0; t < s->threads; t++) {
        size_t first = (size_t)t * part, last = t == s->threads - 1 ? s->bytes : first + part;
        memcpy((char *)to + first, (const char *)from + first, last - first);
    }
    return WEFT_OK;
}

const strategy peer_copy_host = {
    .name = "copy",
    .about = "memcpy of the bytes a transform must move: the roofline",
    .space = &host_memory,
    .supports = peer_copy_shape,
    .create = create,
    .destroy = free,
    .forward = copy,
    .inverse = copy,
    .multiply = peer_no_multiply,
    .flags = USES_THREADS,
};
