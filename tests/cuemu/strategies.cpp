/* SPDX-License-Identifier: MIT
 * The strategies of the emulated build: every cuda.* of strategy.def, and cpu.reference to
 * compare with. Stands in for src/strategy_table.c.
 */
extern "C" {
#include "strategy.h"

#if CUEMU_F64
#define OF_F64(name) &name##_f64
#else
#define OF_F64(name) nullptr
#endif

#define STRATEGY(name)
#define CUDA_STRATEGY(name) extern const strategy name##_f32, name##_f64;
#include "strategy.def"
extern const strategy cpu_reference_f32, cpu_reference_f64;
#undef CUDA_STRATEGY

#define CUDA_STRATEGY(name) {{&name##_f32, OF_F64(name)}},
const strategy_row strategy_table[] = {
#include "strategy.def"
    {{&cpu_reference_f32, OF_F64(cpu_reference)}}};

const int strategy_count = sizeof strategy_table / sizeof *strategy_table;

const char *weft_strategy_name(int i) {
    return i >= 0 && i < strategy_count ? strategy_table[i].for_precision[WEFT_F32]->name : nullptr;
}

const char *weft_strategy_options(int i) {
    return strategy_table[i].for_precision[WEFT_F32]->options;
}
}
