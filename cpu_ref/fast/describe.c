/* SPDX-License-Identifier: MIT
 * What a plan of cpu.fast says of itself: its two passes, of powers of two or of lines of any
 * length, with tiles, lanes, threads and their scratch. For strategy.describe.
 */
#include "describe.h"
#include "fast/plan.h"

/* Who works: threads that share each image, or images that have a thread each. */
static void describe_threads(const fast_plan *plan, text *to) {
    char scratch[BYTES_TEXT_SIZE];
    bytes_text(plan->thread_scratch, scratch);
    if (plan->concurrent_images > 1) {
        text_add(to, ", %d images concurrently with %s each", plan->concurrent_images, scratch);
    } else {
        text_add(to, ", %d thread%s with %s%s", plan->threads, plan->threads > 1 ? "s" : "",
                 scratch, plan->threads > 1 ? " each" : "");
    }
}

/* How wide forward tiles are where the rows of image and spectrum are whole cache lines, or, if
 * they are not, in either case. */
static size_t width_of_tiles(const fast_plan *plan) {
    int is_lines = plan->problem.spectrum_pitch * sizeof(scalar) % CACHE_LINE == 0;
    return plan->across == NULL && is_lines ? plan->width_of_lines[0] : plan->tile_width;
}

/* A tile that is not as wide as the kernels need it is loaded from a copy, as integer pixels are.
 */
static const char *staging(const fast_plan *plan) {
    if (plan->problem.pixel != WEFT_PIXEL_REAL) {
        return ", staged";
    }
    int is_whole =
        plan->across == NULL || plan->problem.width % (2 * (size_t)plan->across->lanes) == 0;
    return is_whole ? "" : ", the last one staged";
}

static void describe_columns(const fast_plan *plan, text *to) {
    const problem *p = &plan->problem;
    const fast_plan *powers = plan->across == NULL ? plan : NULL;
    size_t width = width_of_tiles(plan);
    describe_line(to, "columns", p->height, AXIS_COLUMN, powers != NULL ? "power" : "mixed");
    text_add(to, "tiles: %zu of %zu columns, %d lanes%s%s", (p->width + width - 1) / width, width,
             powers != NULL ? plan->column_kernels->lanes : plan->across->lanes, staging(plan),
             plan->streams[0] ? ", streamed" : "");
    describe_threads(plan, to);
}

static void describe_rows(const fast_plan *plan, text *to) {
    const problem *p = &plan->problem;
    if (plan->across == NULL) {
        describe_line(to, "rows", p->width, AXIS_ROW, "power");
        text_add(to, "slots: %zu, %d lanes", p->height / 2, plan->row_kernels->lanes);
    } else {
        describe_line(to, "rows", p->width, AXIS_ROW, "mixed");
        text_add(to, "blocks: %zu of %d slots", across_blocks(plan), plan->across->lanes);
    }
    describe_threads(plan, to);
}

void fast_plan_describe(const void *any_plan, text *to) {
    const fast_plan *plan = any_plan;
    const problem *p = &plan->problem;
    size_t intermediate = p->batch * p->height * p->width * sizeof(scalar);
    describe_columns(plan, to);
    describe_bytes(to, pixels_moved(p), intermediate);
    describe_rows(plan, to);
    describe_bytes(to, intermediate, spectra_moved(p));
}
