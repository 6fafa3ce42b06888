/* SPDX-License-Identifier: MIT
 * Which instruction set cpu.fast uses: the best that the CPU has, or the one that WEFT_ISA names.
 */
#ifndef WEFT_CPU_REF_FAST_ISA_H
#define WEFT_CPU_REF_FAST_ISA_H

#include "weft.h"

/* x86-64-v4 has AVX-512, v3 AVX2 and FMA; v2 has no fused multiply-add, so its bits differ. plain
 * is C without special instructions, for any CPU, with the same bits as v3 and v4. */
typedef enum isa { ISA_PLAIN, ISA_V2, ISA_V3, ISA_V4 } isa;

/* WEFT_BAD_ARGUMENT if WEFT_ISA names no instruction set, WEFT_UNSUPPORTED if it names one that
 * this CPU or this build does not have. */
weft_status isa_choose(isa *chosen);

/* Whether the instruction set that isa_choose() chooses has fused multiply-adds, which equal bits
 * need. */
int isa_has_fused(void);

/* The instruction set that isa_choose() chooses, in words. */
const char *isa_about(void);

#endif
