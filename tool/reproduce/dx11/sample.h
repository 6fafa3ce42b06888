/* SPDX-License-Identifier: MIT
 * The DirectX 11 image FFT as it was: a colour picture to the frequency domain and back on the GPU,
 * X then Y both ways, in four textures of which two are read and two written, with one of two
 * techniques. Red, green and blue are transformed together. Sides are powers of two. A texture is
 * an array of rows in CUDA's memory, not a tiled Direct3D texture behind a texture unit.
 */
#ifndef WEFT_TOOL_REPRODUCE_DX11_SAMPLE_H
#define WEFT_TOOL_REPRODUCE_DX11_SAMPLE_H

#include <stddef.h>

#include "weft.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum dx11_technique { DX11_UAV, DX11_SLM } dx11_technique;
typedef enum dx11_twiddle { DX11_LUT, DX11_COMPUTE } dx11_twiddle;

/* How the complex numbers of a pixel lie in textures, with the bytes of each. */
typedef enum dx11_layout {
    DX11_PLANES4, /* 32: RGBA32F real parts and RGBA32F imaginary parts, alpha unused */
    DX11_FIG14,   /* 24: RGBA32F (R.re, G.re, B.re, R.im) and RG32F (G.im, B.im) */
    DX11_PLANES3  /* 24: six planes of R32F */
} dx11_layout;

typedef enum dx11_source {
    DX11_DIRECT, /* the first pass reads the RGBA8 picture itself */
    DX11_COPY    /* the picture is copied to an RGBA32F texture first */
} dx11_source;

typedef enum dx11_sink { DX11_RGBA8, DX11_FLOAT } dx11_sink;

typedef struct dx11_desc {
    size_t height, width;
    dx11_technique technique;
    dx11_twiddle twiddle;
    dx11_layout layout;
    dx11_source source;
    dx11_sink sink;
    int device;
} dx11_desc;

typedef struct dx11_sample dx11_sample;

/* Takes the textures, all NaN at first. WEFT_UNSUPPORTED for sides that are not powers of two or
 * too long or, in SLM, lines that do not fit into shared memory; WEFT_NO_DEVICE, WEFT_NO_MEMORY,
 * WEFT_DEVICE_FAILED. */
weft_status dx11_create(dx11_sample **sample, const dx11_desc *desc);
void dx11_destroy(dx11_sample *sample);

/* Both enqueue on the stream and return. picture: device memory, RGBA8 [H][W], values taken as
 * 0..1; the result stays in the sample's textures. out: device memory, RGBA8 or RGBA32F [H][W] as
 * the sink says, alpha opaque; it leaves nothing of the spectrum. */
weft_status dx11_forward(dx11_sample *sample, const void *picture, struct CUstream_st *stream);
weft_status dx11_inverse(dx11_sample *sample, void *out, struct CUstream_st *stream);

/* The half spectra in the textures as complex numbers [3][H][W/2 + 1] in host memory, after
 * dx11_forward and before dx11_inverse, which passes through them. Waits for the forward transform
 * on the default stream. */
weft_status dx11_read_spectrum(dx11_sample *sample, float *spectra);

/* Kernel launches and the bytes of pixels and table texels that their threads ask for. */
typedef struct dx11_traffic {
    size_t launches;
    double read, written;
} dx11_traffic;

/* What the model of the article predicts for one forward and one inverse transform. */
dx11_traffic dx11_predict(const dx11_desc *desc);

/* The same as it is: one forward and one inverse with kernels that count their own accesses. Waits.
 */
weft_status dx11_count(dx11_sample *sample, const void *picture, void *out, dx11_traffic *counted);

/* Forward along X alone, after dx11_forward, counted as the article does: every pass of UAV reads
 * complex pixels from a texture, also the first, which otherwise reads the picture as SLM does.
 * Waits; leaves nothing of the spectrum. */
weft_status dx11_count_first_axis(dx11_sample *sample, const void *picture, dx11_traffic *counted);

#ifdef __cplusplus
}
#endif
#endif
