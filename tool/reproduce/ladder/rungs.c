/* SPDX-License-Identifier: MIT
 * See rungs.h.
 */
#include "reproduce/ladder/rungs.h"

#define DECLARE_cpu(name) extern const ladder_rung ladder_cpu_##name;
#define ADDRESS_cpu(name) &ladder_cpu_##name
#if WEFT_WITH_CUDA
#define DECLARE_gpu(name) extern const ladder_rung ladder_gpu_##name;
#define ADDRESS_gpu(name) &ladder_gpu_##name
#else
#define DECLARE_gpu(name)
#define ADDRESS_gpu(name) NULL
#endif

#define LADDER_RUNG(device, number, name) DECLARE_##device(name)
#define LADDER_WITHOUT(device, name) DECLARE_##device(without_##name)
#include "reproduce/ladder/ladder.def"
#undef LADDER_RUNG
#undef LADDER_WITHOUT

#define LADDER_RUNG(device, number, name) {#device, #name, ADDRESS_##device(name), 0},
#define LADDER_WITHOUT(device, name) {#device, #name, ADDRESS_##device(without_##name), 1},
const ladder_entry ladder_entries[] = {
#include "reproduce/ladder/ladder.def"
};
const size_t ladder_entry_count = sizeof ladder_entries / sizeof *ladder_entries;
