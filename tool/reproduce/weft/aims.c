/* SPDX-License-Identifier: MIT
 * aims.def and sizes.def as a list of benches, in the order in which they run; see experiment.h.
 */
#include <stdio.h>
#include <string.h>

#include "reproduce/weft/experiment.h"
#include "shell/cells.h"
#include "shell/options.h"

#define F32 WEFT_F32
#define F64 WEFT_F64
#define FORWARD OPERATION_FORWARD
#define FILTER OPERATION_FILTER
#define TASK(h, w, b, p, o)                                                                        \
    {                                                                                              \
        .height = (h), .width = (w), .batch = (b), .precision = (p), .what = (o), .is_sweep = 1,   \
        .peers_alone = 1                                                                           \
    }
#define AIM_H200(table, h, w, b, p, o, least, first, second, first_h200, second_h200)              \
    {table, TASK(h, w, b, p, o), least, {first, second}, {first_h200, second_h200}},
#define AIM(table, h, w, b, p, o, least, first, second)                                            \
    AIM_H200(table, h, w, b, p, o, least, first, second, first, second)
#define ACCURACY_OF(h, w, p, least)                                                                \
    AIM((p) == F32 ? L2_F32 : L2_F64, h, w, 1, p, FORWARD, least, NULL, NULL)
/* Large ones take long: those of more than so many pixels are left out. */
enum { QUICK_PIXELS = 1 << 17, USUAL_PIXELS = 1 << 19 };
#define SWEEP_SIZE(h, w)                                                                           \
    AIM(SIZES, h, w, 1, F32, FORWARD,                                                              \
        (h) * (w) <= QUICK_PIXELS   ? QUICK                                                        \
        : (h) * (w) <= USUAL_PIXELS ? USUAL                                                        \
                                    : FULL,                                                        \
        NULL, NULL)

const aim aims[] = {
#include "reproduce/weft/aims.def"
#include "reproduce/weft/sizes.def"
};
const size_t aim_count = sizeof aims / sizeof *aims;

int own_is_of_gpu(const aim *a) {
    return a->table == GPU_REACH || a->table == GPU_KEEP;
}

int own_is_of_errors(const aim *a) {
    return a->table == L2_F32 || a->table == L2_F64;
}

/* Of a size that is only compared, whoever has a peer takes part. */
int own_is_wanted(const own_experiment *e, const aim *a) {
    const int has_gpu = e->no_gpu[0] == '\0';

    return a->least <= e->chosen && (!own_is_of_gpu(a) || has_gpu) &&
           (a->table != SIZES || e->has_peer[ON_CPU] || (has_gpu && e->has_peer[ON_GPU]));
}

void own_label(const bench_task *task, char label[MOST_WORDS]) {
    char batch[CELL_SIZE] = "";

    if (task->batch > 1) {
        snprintf(batch, sizeof batch, " (%zu)", task->batch);
    }
    snprintf(label, MOST_WORDS, "%s%s%s%s%zux%zu%s",
             task->precision == WEFT_F64 ? precision_words[task->precision] : "",
             task->precision == WEFT_F64 ? " " : "",
             task->what != OPERATION_FORWARD ? operation_words[task->what] : "",
             task->what != OPERATION_FORWARD ? " " : "", task->height, task->width, batch);
}
