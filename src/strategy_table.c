/* SPDX-License-Identifier: MIT
 * strategy.def, expanded into the table.
 */
#include "strategy.h"

#if WEFT_WITH_CUDA
#define CUDA_STRATEGY(name) STRATEGY(name)
#else
#define CUDA_STRATEGY(name)
#endif

#define STRATEGY(name) extern const strategy name##_f32, name##_f64;
#include "strategy.def"
#undef STRATEGY

#define STRATEGY(name) {{&name##_f32, &name##_f64}},
const strategy_row strategy_table[] = {
#include "strategy.def"
};
#undef STRATEGY

const int strategy_count = sizeof strategy_table / sizeof *strategy_table;

const char *weft_strategy_name(int i) {
    return i >= 0 && i < strategy_count ? strategy_table[i].for_precision[WEFT_F32]->name : NULL;
}

const char *weft_strategy_options(int i) {
    const char *options =
        i >= 0 && i < strategy_count ? strategy_table[i].for_precision[WEFT_F32]->options : NULL;
    return options ? options : "";
}

const char *weft_strategy_here(int i) {
    const strategy *s =
        i >= 0 && i < strategy_count ? strategy_table[i].for_precision[WEFT_F32] : NULL;
    return s != NULL && s->here != NULL ? s->here() : "";
}

const char *weft_strategy_about(int i) {
    return i >= 0 && i < strategy_count ? strategy_table[i].for_precision[WEFT_F32]->about : NULL;
}
