/* SPDX-License-Identifier: MIT
 * The choice of an instruction set, see isa.h.
 */
#include "isa.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "status.h"

static const char *const isa_words[] = {"plain", "v2", "v3", "v4", NULL};

/* What this build has kernels for, as bits. */
enum {
    BUILT = WEFT_HAS_PLAIN << ISA_PLAIN | WEFT_HAS_V2 << ISA_V2 | WEFT_HAS_V3 << ISA_V3 |
            WEFT_HAS_V4 << ISA_V4
};

static int cpu_has(isa set) {
#if defined(__x86_64__)
    __builtin_cpu_init();
    switch (set) {
    case ISA_V4:
        return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
               __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("avx512dq") &&
               __builtin_cpu_supports("avx512vl") && cpu_has(ISA_V3);
    case ISA_V3:
        return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
               __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2") && cpu_has(ISA_V2);
    case ISA_V2:
        return __builtin_cpu_supports("sse4.2") && __builtin_cpu_supports("popcnt");
    case ISA_PLAIN:
    default:
        return 1;
    }
#else
    return set == ISA_PLAIN;
#endif
}

static int is_usable(isa set) {
    return (BUILT & 1 << set) != 0 && cpu_has(set);
}

weft_status isa_choose(isa *chosen) {
    const char *wanted = getenv("WEFT_ISA");
    *chosen = ISA_V4;
    if (wanted == NULL || *wanted == '\0') {
        while (*chosen > ISA_PLAIN && !is_usable(*chosen)) {
            (*chosen)--;
        }
        return is_usable(*chosen) ? WEFT_OK
                                  : weft_fail(WEFT_UNSUPPORTED, "this build is for other CPUs");
    }
    for (int i = 0; isa_words[i] != NULL; i++) {
        if (strcmp(wanted, isa_words[i]) == 0) {
            *chosen = (isa)i;
            return is_usable(*chosen) ? WEFT_OK
                                      : weft_fail(WEFT_UNSUPPORTED,
                                                  "WEFT_ISA %s: this CPU or this build has no such "
                                                  "instructions",
                                                  wanted);
        }
    }
    return weft_fail(WEFT_BAD_ARGUMENT, "WEFT_ISA %s: must be plain, v2, v3 or v4", wanted);
}

int isa_has_fused(void) {
    isa set;
    return isa_choose(&set) != WEFT_OK || set != ISA_V2;
}

const char *isa_about(void) {
    static const char *const about[] = {
        "plain C, as the compiler found",
        "x86-64-v2, without fused multiply-add: its bits differ from those of all others",
        "x86-64-v3: AVX2 and fused multiply-add", "x86-64-v4: AVX-512"};
    char before[LAST_ERROR_SIZE]; /* nobody is told that a call failed */
    isa set;
    snprintf(before, sizeof before, "%s", weft_last_error());
    weft_status status = isa_choose(&set);
    if (status == WEFT_OK) {
        return about[set];
    }
    weft_fail(status, "%s", before);
    return "none of the instructions that WEFT_ISA or this build asks for";
}
