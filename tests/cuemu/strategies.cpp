/* SPDX-License-Identifier: MIT
 * The strategies of the emulated build: every cuda.* of strategy.def, and cpu.reference to
 * compare with. Stands in for src/strategy_table.c.
 */
extern "C" {
#include "strategy.h"

/* Built for one precision or both; names and options are those of the first, whichever it is. */
#if defined(CUEMU_F32) && defined(CUEMU_F64)
#define OF(name) &name##_f32, &name##_f64
#elif defined(CUEMU_F32)
#define OF(name) &name##_f32, nullptr
#else
#define OF(name) &name##_f64, &name##_f64
#endif

#define STRATEGY(name)
#define CUDA_STRATEGY(name) extern const strategy name##_f32, name##_f64;
#include "strategy.def"
extern const strategy cpu_reference_f32, cpu_reference_f64;
#undef CUDA_STRATEGY

#define CUDA_STRATEGY(name) {{OF(name)}},
const strategy_row strategy_table[] = {
#include "strategy.def"
    {{OF(cpu_reference)}}};

const int strategy_count = sizeof strategy_table / sizeof *strategy_table;

const char *weft_strategy_name(int i) {
    return i >= 0 && i < strategy_count ? strategy_table[i].for_precision[WEFT_F32]->name : nullptr;
}

const char *weft_strategy_options(int i) {
    return strategy_table[i].for_precision[WEFT_F32]->options;
}
}
