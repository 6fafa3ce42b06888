/* SPDX-License-Identifier: MIT
 * The figures of the report whose program cpu.report and cuda.report are: a forward transform of
 * 2048x2048, on one thread and on a GPU.
 */
#ifndef WEFT_TOOL_BENCH_REPORT_FIGURES_H
#define WEFT_TOOL_BENCH_REPORT_FIGURES_H

enum { REPORT_SIDE = 2048 };
static const double report_cpu_s = 9.18, report_gpu_s = 0.12;
static const char report_cpu[] = "Core i7-8700K", report_gpu[] = "GTX 1080 Ti";

#endif
