/* SPDX-License-Identifier: MIT
 * Decoding on a device: what decoder.c asks for instead of reconstruct.h where the description says
 * WEFT_FRACTAL_DEVICE. The pixels are the same. There is one device, CUDA's, or none.
 */
#ifndef WEFT_FRACTAL_DEVICE_H
#define WEFT_FRACTAL_DEVICE_H

#include <stdint.h>

#include "blocks.h"
#include "status.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct device_problem {
    int device, planes;
    weft_fractal_profile profile;
    plane_blocks blocks[WEFT_FRACTAL_PLANES]; /* enlarged */
} device_problem;

/* Of all planes of a frame, padded, on the host. */
typedef struct device_frame {
    const weft_fractal_code *codes[WEFT_FRACTAL_PLANES];
    uint8_t *pixels[WEFT_FRACTAL_PLANES];
} device_frame;

typedef struct device_decoder {
    /* Takes all memory that the other calls want. */
    weft_status (*create)(const device_problem *p, void **state);
    void (*destroy)(void *state); /* NULL is fine */
    /* So many iterations, from the pixels of the frame into them, which become the reference. */
    weft_status (*iterate)(void *state, const device_frame *frame, int iterations, double *seconds);
    /* The pixels of a frame with changes of the reference. Both say how long kernels took. */
    weft_status (*change)(void *state, const device_frame *frame, double *seconds);
} device_decoder;

extern const device_decoder device_decoder_cuda;

#ifdef __cplusplus
}
#endif

#endif
