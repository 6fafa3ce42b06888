/* SPDX-License-Identifier: MIT
 * What the article promises, what its model says of the bytes that kernels count, and what Weft
 * promises of tangling, each held against what was measured; a claim's name says whose it is.
 */
#ifndef WEFT_TOOL_REPRODUCE_DX11_CLAIMS_H
#define WEFT_TOOL_REPRODUCE_DX11_CLAIMS_H

#include <stddef.h>

#include "reproduce/dx11/experiment.h"

/* The article's one published measurement: Figure 11. Its 1 048 576 invocations are four for each
 * pixel of 512x512, a thread a pixel and axis both ways: the SLM technique. */
typedef struct dx11_published {
    const char *where, *gpu;
    size_t height, width;
    dx11_technique technique;
    double lut_us, compute_us;
} dx11_published;
extern const dx11_published dx11_figure_11;

typedef enum dx11_verdict { DX11_SKIP = -1, DX11_FAIL, DX11_PASS } dx11_verdict;
extern const char *dx11_verdict_word(dx11_verdict v);

enum { DX11_CLAIMS = 5, DX11_CLAIM_SIZE = 1000 };
typedef struct dx11_claim {
    const char *name;
    dx11_verdict verdict; /* DX11_SKIP: nothing was measured that could tell */
    char text[DX11_CLAIM_SIZE];
} dx11_claim;

void dx11_judge(const dx11_experiment *e, dx11_claim claims[DX11_CLAIMS]);

#endif
