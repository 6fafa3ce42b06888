/* SPDX-License-Identifier: MIT
 * Which instruction set cpu.fast and the fractal search cpu use: the best that the CPU has, or the
 * one that WEFT_ISA names.
 */
#ifndef WEFT_ISA_H
#define WEFT_ISA_H

#include "weft.h"

/* x86-64-v4 has AVX-512, v3 AVX2 and FMA; v2 has no fused multiply-add, so its bits differ. plain
 * is C without special instructions, for any CPU, with the same bits as v3 and v4. */
typedef enum isa { ISA_PLAIN, ISA_V2, ISA_V3, ISA_V4 } isa;

/* Rows of tables of kernels: each is left out where this build has none of its instruction set. */
#if WEFT_HAS_PLAIN
#define ROW_OF_PLAIN(...) [ISA_PLAIN] = __VA_ARGS__,
#else
#define ROW_OF_PLAIN(...)
#endif
#if WEFT_HAS_V2
#define ROW_OF_V2(...) [ISA_V2] = __VA_ARGS__,
#else
#define ROW_OF_V2(...)
#endif
#if WEFT_HAS_V3
#define ROW_OF_V3(...) [ISA_V3] = __VA_ARGS__,
#else
#define ROW_OF_V3(...)
#endif
#if WEFT_HAS_V4
#define ROW_OF_V4(...) [ISA_V4] = __VA_ARGS__,
#else
#define ROW_OF_V4(...)
#endif

/* WEFT_BAD_ARGUMENT if WEFT_ISA names no instruction set, WEFT_UNSUPPORTED if it names one that
 * this CPU or this build does not have. */
weft_status isa_choose(isa *chosen);

/* Whether the instruction set that isa_choose() chooses has fused multiply-adds, which equal bits
 * need. */
int isa_has_fused(void);

/* The instruction set that isa_choose() chooses, in words. */
const char *isa_about(void);

#endif
