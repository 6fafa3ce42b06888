/* SPDX-License-Identifier: MIT
 * Buffers and one execution on them; see call.h. Every byte of a ring is written before it is
 * timed, so that no page fault and no first touch falls into a sample.
 */
#include "bench/call.h"

#include <stdlib.h>

#include "shell/clock.h"

enum { COLD_BYTES = 200 * 1000 * 1000, MOST_SETS = 8192, SET_ALIGNMENT = 256 };

static size_t aligned(size_t bytes) {
    return (bytes + SET_ALIGNMENT - 1) / SET_ALIGNMENT * SET_ALIGNMENT;
}

size_t ring_cold_sets(size_t set_bytes) {
    size_t sets = COLD_BYTES / set_bytes + 2;
    return sets <= MOST_SETS ? sets : 1;
}

void *ring_input(const buffer_ring *ring, size_t set) {
    return ring->slab + set * (aligned(ring->input_bytes) + aligned(ring->output_bytes));
}

void *ring_output(const buffer_ring *ring, size_t set) {
    return (char *)ring_input(ring, set) + aligned(ring->input_bytes);
}

weft_status ring_refill(const buffer_ring *ring, size_t set) {
    return ring->space->copy_in(ring->device, ring_input(ring, set), ring->master,
                                ring->input_bytes);
}

static weft_status touch(const buffer_ring *ring, void *memory, size_t bytes, const void *zeros,
                         size_t zeros_bytes) {
    weft_status status = WEFT_OK;
    for (size_t done = 0; done < bytes && status == WEFT_OK; done += zeros_bytes) {
        size_t part = bytes - done < zeros_bytes ? bytes - done : zeros_bytes;
        status = ring->space->copy_in(ring->device, (char *)memory + done, zeros, part);
    }
    return status;
}

static weft_status fill_all(const buffer_ring *ring, size_t work_bytes) {
    const size_t zeros_bytes = (size_t)1 << 20;
    void *zeros = calloc(1, zeros_bytes);
    weft_status status = zeros != NULL ? touch(ring, ring->work, work_bytes, zeros, zeros_bytes)
                                       : weft_fail(WEFT_NO_MEMORY, "no memory for a bench buffer");

    for (size_t set = 0; set < ring->sets && status == WEFT_OK; set++) {
        status = ring_refill(ring, set);
        if (status == WEFT_OK) {
            status = touch(ring, ring_output(ring, set), ring->output_bytes, zeros, zeros_bytes);
        }
    }
    free(zeros);
    return status;
}

weft_status ring_open(buffer_ring *ring, size_t work_bytes, const void *transfer,
                      size_t transfer_bytes) {
    const memory_space *s = ring->space;
    const size_t set_bytes = aligned(ring->input_bytes) + aligned(ring->output_bytes);
    void *slab = NULL;
    weft_status status;

    ring->work = ring->transfer = NULL;
    status = s->allocate(ring->device, ring->sets * set_bytes, &slab);
    ring->slab = slab;
    if (status == WEFT_OK) {
        status = s->allocate(ring->device, aligned(work_bytes), &ring->work);
    }
    if (status == WEFT_OK && transfer != NULL) {
        status = s->allocate(ring->device, transfer_bytes, &ring->transfer);
    }
    if (status == WEFT_OK && transfer != NULL) {
        status = s->copy_in(ring->device, ring->transfer, transfer, transfer_bytes);
    }
    return status == WEFT_OK ? fill_all(ring, work_bytes) : status;
}

void ring_close(buffer_ring *ring) {
    if (ring->space != NULL) {
        ring->space->release(ring->device, ring->slab);
        ring->space->release(ring->device, ring->work);
        ring->space->release(ring->device, ring->transfer);
    }
    *ring = (buffer_ring){0};
}

weft_status call_run(const timed_call *call, size_t set, struct CUstream_st *stream) {
    const buffer_ring *ring = call->ring;
    const operands o = {ring_input(ring, set), ring->transfer, WEFT_TRANSFER_GAIN,
                        ring_output(ring, set), ring->work};
    return operation_run(call->what, call->plan, &o, stream);
}

weft_status call_refresh(const timed_call *call, size_t sets) {
    weft_status status = WEFT_OK;
    for (size_t set = 0; call->spoils && set < sets && status == WEFT_OK; set++) {
        status = ring_refill(call->ring, set);
    }
    return status;
}

double clock_us(void) {
    return 1e6 * clock_seconds();
}
