/* SPDX-License-Identifier: MIT
 * The experiments of weft reproduce, a row each, in the order in which all of them run.
 */
#include "reproduce/reproduce.h"

const reproduction reproductions[] = {
    {"report", "the report's program and today's", "weft-report/1", 0, 0, 0, 3, 60, 60,
     report_measure, report_print},
    {"dx11", "the DirectX 11 image FFT, two techniques", "weft-dx11/1", 1, 1, 0, 10, 20, 60,
     WEFT_WITH_CUDA ? dx11_measure : NULL, dx11_print},
    {"fractal", "fractal video compression, on CPU and GPU", "weft-fractal/1", 0, MOST_IMAGES,
     MOST_VIDEOS, 2, 60, 240, fractal_measure, fractal_print},
    {"ladder", "from the report's program to today's, one idea a rung", "weft-ladder/1", 0, 0, 0,
     15, 150, 150, ladder_measure, ladder_print},
    {"weft", "what Weft is to reach: times, errors, bits", "weft-weft/1", 0, 0, 0, 10, 180, 600,
     weft_measure, weft_print},
};
const size_t reproduction_count = sizeof reproductions / sizeof *reproductions;
