/* SPDX-License-Identifier: MIT
 * Which instruction set cpu.fast uses: the best that the CPU has, or the one that WEFT_ISA names.
 */
#ifndef WEFT_CPU_REF_FAST_ISA_H
#define WEFT_CPU_REF_FAST_ISA_H

#include "weft.h"

/* x86-64-v4 has AVX-512, v3 AVX2 and FMA; v2 has no fused multiply-add, so its bits differ; plain
 * is C that any compiler makes something of, with the same bits as v3 and v4. */
typedef enum isa { ISA_PLAIN, ISA_V2, ISA_V3, ISA_V4 } isa;

/* WEFT_BAD_ARGUMENT where WEFT_ISA names none, WEFT_UNSUPPORTED where this CPU or this build has
 * not what it names. */
weft_status isa_choose(isa *chosen);

/* Whether what isa_choose() chooses has fused multiply-adds, as equal bits need them. */
int isa_has_fused(void);

/* What isa_choose() chooses, in words. */
const char *isa_about(void);

#endif
