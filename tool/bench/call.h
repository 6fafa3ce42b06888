/* SPDX-License-Identifier: MIT
 * What one timed execution is: a plan on one set of a ring of buffers. The ring is shared by all
 * contenders of a memory space; walking it makes every cache forget a set before its turn comes
 * again.
 */
#ifndef WEFT_TOOL_BENCH_CALL_H
#define WEFT_TOOL_BENCH_CALL_H

#include "weft.h"

#include "operation.h"

typedef struct buffer_ring {
    const memory_space *space;
    int device;
    size_t sets, input_bytes, output_bytes; /* bytes a set's halves hold */
    const void *master; /* host: what every input is filled with; lives elsewhere */
    char *slab;
    void *work, *transfer;
} buffer_ring;

/* As many sets as make the ring larger than every cache, in host and device memory alike; 1 when
 * the image is so small that thousands would be needed: it is then never cold. */
size_t ring_cold_sets(size_t set_bytes);

weft_status ring_open(buffer_ring *ring, size_t work_bytes, const void *transfer,
                      size_t transfer_bytes);
void *ring_input(const buffer_ring *ring, size_t set);
void *ring_output(const buffer_ring *ring, size_t set);
weft_status ring_refill(const buffer_ring *ring, size_t set);
void ring_close(buffer_ring *ring);

typedef struct timed_call {
    const weft_plan *plan;
    operation what;
    int spoils; /* its input must be written anew now and then */
    const buffer_ring *ring;
} timed_call;

/* Runs on a host, enqueues on a device. */
weft_status call_run(const timed_call *call, size_t set, struct CUstream_st *stream);

/* Writes the inputs of the first `sets` sets anew if the call spoils them. */
weft_status call_refresh(const timed_call *call, size_t sets);

double clock_us(void);

#endif
