/* SPDX-License-Identifier: MIT
 * Columns in two passes, between which their values lie in the workspace: for images whose columns
 * are long and few, and fill a GPU badly in one.
 */
#ifndef WEFT_CUDA_COLUMN_HALVES_PASS_CUH
#define WEFT_CUDA_COLUMN_HALVES_PASS_CUH

#include "kernels/compiled_in.h"
#include "passes/column_halves.cuh"
#include "run_time_problem.cuh"

namespace {

struct column_half {
    run_time_line line;
    run_time_cut cut;
    half_kernels kernels;
};

struct column_halves_pass {
    column_half halves[2][2]; /* forward, inverse; first, second */
    void *tables[2];
    bool is_used;

    /* How many stages the first half of a column has: the longer half is as short as can be. */
    static int stages_of_first(const factor_list &factors) {
        size_t length = product_of_list(factors), first = 1, least = length;
        int stages = 0;
        for (int s = 0; s + 1 < factors.count; s++) {
            first *= (size_t)factors.radix[s];
            size_t longer = first > length / first ? first : length / first;
            if (longer < least) {
                least = longer;
                stages = s + 1;
            }
        }
        return stages;
    }

    static factor_list half_of_list(const factor_list &factors, int half) {
        const int first = stages_of_first(factors);
        return part_of_list(factors, half == 0 ? 0 : first, half == 0 ? first : factors.count);
    }

    /* Lines of a half in the whole batch. */
    static size_t all_lines(const run_time_problem &on, const run_time_line &line) {
        return on.p.batch * (on.p.height / line.length) * on.column_pairs();
    }

    /* Neighbouring lines share a block, as many as a warp has threads, or twice as many where each
     * is one thread's; fewer while there are multiprocessors without a block, where two blocks
     * would not fit, or where a large prime takes more threads than lines would have. */
    static void cut_half(const run_time_problem &on, column_half *half) {
        static_assert(run_time_problem::has_threads_for_all(LEAST_HALF_LINES),
                      "the fewest lines of a block have threads enough for every large prime");
        const size_t all = all_lines(on, half->line);
        const size_t roots = half->line.root_count * sizeof(cpx);
        run_time_cut *cut = &half->cut;
        for (cut->lines = MOST_HALF_LINES;; cut->lines /= 2) {
            on.share_line(cut, half->line, all);
            cut->blocks = (unsigned)((all + cut->lines - 1) / cut->lines);
            cut->block_threads = cut->lines * cut->threads;
            cut->shared_bytes = cut->lines * half->line.length * sizeof(cpx) + roots;
            const bool is_wide =
                (cut->lines > USUAL_HALF_LINES && cut->threads > 1) ||
                cut->threads < run_time_problem::least_threads(half->line, cut->outputs);
            if (cut->lines == LEAST_HALF_LINES ||
                (!is_wide && cut->blocks >= (unsigned)on.processors &&
                 2 * cut->shared_bytes <= on.shared_most)) {
                break;
            }
        }
        cut->is_few = cut->blocks <= (size_t)on.processors * on.held_blocks(*cut, RUN_TIME_THREADS);
        cut->shared_bytes -=
            cut->is_few ? 0 : roots; /* kernels of many blocks have no use for them */
        half->line.outputs = cut->outputs;
    }

    bool fits(const run_time_problem &on) const {
        bool all_fit = true;
        for (const column_half(&of_way)[2] : halves) {
            for (const column_half &half : of_way) {
                all_fit = all_fit && half.cut.shared_bytes <= on.shared_most;
            }
        }
        return all_fit;
    }

    weft_status prepare(const run_time_problem &on, void *angles) {
        const problem &p = on.p;
        for (int way = 0; way < 2; way++) {
            factor_list factors;
            factor_line(p.height, AXIS_COLUMN, way, &factors);
            const table_size size = size_of_tables(p.height, AXIS_COLUMN, way);
            run_time_line lines[2];
            TRY(device_memory.allocate(p.device, size.bytes(), &tables[way]));
            TRY(make_half_lines(p.device, factors, stages_of_first(factors), size, angles, lines,
                                tables[way]));
            for (int h = 0; h < 2; h++) {
                column_half *half = &halves[way][h];
                half->line = lines[h];
                cut_half(on, half);
                const factor_list list = half_of_list(factors, h);
                half->kernels =
                    REAL_NAME(kernels_of_half)(h, list.count, list.radix, half->cut.is_few);
                TRY(allow_shared_memory(half->kernels.of));
            }
        }
        is_used = fits(on);
        return WEFT_OK;
    }

    void release(int device) {
        for (void *table : tables) {
            device_memory.release(device, table);
        }
    }

    /* Steps of values in memory are counted in 32 bits. */
    static bool can_address(const run_time_problem &on, const real_view &intermediate) {
        const size_t pitch =
            larger(on.pitch_of_intermediate(), larger(on.p.image_pitch, intermediate.pitch));
        return on.p.height * pitch <= UINT_MAX;
    }

    /* is_paired: whether rows of views[0] and of views[2] are aligned to pairs. */
    weft_status run_both(const run_time_problem &on, int way, const real_view (&views)[3],
                         const bool (&is_paired)[2], cudaStream_t stream) const {
        for (int h = 0; h < 2; h++) {
            const column_half &half = halves[way][h];
            const unsigned length = half.line.length, lines = (unsigned)on.p.height / length;
            column_half_job j = {};
            j.from = {views[h], h == 0 ? 1 : length, h == 0 ? lines : 1};
            j.to = {views[h + 1], 1, lines};
            j.line = half.line;
            j.lines_log2 = log2_of(half.cut.lines);
            j.pairs = divider_of((unsigned)on.column_pairs());
            j.lines = divider_of(lines);
            j.all = (unsigned)all_lines(on, half.line);
            j.width = (unsigned)on.p.width;
            j.is_inverse = way;
            j.scale = (scalar)on.p.inverse_scale;
            TRY(launch((column_half_kernel *)half.kernels.of[is_paired[h]], on.shape_of(half.cut),
                       stream, j));
        }
        return WEFT_OK;
    }

    /* From the image to the intermediate or, for an inverse, back. */
    weft_status run(const run_time_problem &on, int way, const void *image, real_view intermediate,
                    void *work, cudaStream_t stream) const {
        const real_view images = real_view_of(image, on.p.image_pitch, on.p.image_stride);
        const real_view between = on.view_between(work);
        const bool has_pairs = images.is_paired && on.p.width % 2 == 0;
        const bool is_paired = intermediate.is_paired;
        return way == 0 ? run_both(on, 0, {images, between, intermediate}, {has_pairs, is_paired},
                                   stream)
                        : run_both(on, 1, {intermediate, between, images}, {is_paired, has_pairs},
                                   stream);
    }

    static unsigned log2_of(unsigned power) {
        unsigned log2 = 0;
        while (1u << log2 < power) {
            log2++;
        }
        return log2;
    }

    void describe(const run_time_problem &on, text *to) const {
        const size_t between = on.bytes_between();
        factor_list factors;
        factor_line(on.p.height, AXIS_COLUMN, 0, &factors);
        for (int h = 0; h < 2; h++) {
            const column_half &half = halves[0][h];
            const factor_list list = half_of_list(factors, h);
            describe_list(to, h == 0 ? "columns 1" : "columns 2", 0, &list, "mixed");
            text_add(to, "%u lines a block, ", half.cut.lines);
            describe_launch(to, on.shape_of(half.cut));
            text_add(to, "%s", half.kernels.is_compiled_in ? ", compiled in" : "");
            describe_bytes(to, h == 0 ? pixels_moved(&on.p) : between, between);
        }
    }
};

} // namespace

#endif
