/* SPDX-License-Identifier: MIT
 * The column pass of any height: how wide its tiles are, and which kernel has them, see
 * passes/run_time_columns.cuh; or the two passes of column_halves_pass.cuh in its place.
 */
#ifndef WEFT_CUDA_RUN_TIME_COLUMNS_PASS_CUH
#define WEFT_CUDA_RUN_TIME_COLUMNS_PASS_CUH

#include "column_halves_pass.cuh"
#include "kernels/find.cuh"

namespace {

struct run_time_columns_pass {
    run_time_line line[2]; /* forward, inverse */
    run_time_cut cut;
    const compiled_in *known;  /* NULL: none for this image */
    column_halves_pass halves; /* in place of this one, where it is used */

    /* ---- how the work is cut ---------------------------------------------------------------- */

    static unsigned classes(const run_time_problem &on) {
        return classes_of_column(on.p.height);
    }

    /* A tile of so many columns. */
    run_time_cut cut_of(const run_time_problem &on, unsigned lines) const {
        run_time_cut of = {};
        const size_t pairs = on.column_pairs(), of_column = classes(on);
        size_t sums = has_integer_pixels(&on.p) ? of_column * 2 * lines * sizeof(column_sum) : 0;
        of.lines = lines;
        on.share_line(&of, line[0], on.p.batch * pairs);
        of.threads = (unsigned)((of.threads + of_column - 1) / of_column * of_column);
        of.block_threads = lines * of.threads;
        on.place_values(&of, line, sums, on.p.batch * ((pairs + lines - 1) / lines) * lines,
                        known != NULL);
        return of;
    }

    /* The lines of the multiprocessor that has most of them; more where few threads are there to
     * wait for memory concurrently. */
    static double lines_to_wait_for(const run_time_problem &on, const run_time_cut &of) {
        unsigned tasks = (of.blocks + (unsigned)on.processors - 1) / (unsigned)on.processors;
        unsigned held = on.held_blocks(of, 2 * RUN_TIME_THREADS);
        held = held < tasks ? held : tasks;
        return tasks * of.lines *
               (1 + (double)THREADS_TO_WAIT / (of.block_threads * (held > 0 ? held : 1)));
    }

    enum { SECTOR = 32 }; /* bytes of the cache that are moved together */

    /* What a cut may cost: its lines; more where rows of a tile are less than a sector of the
     * cache, above all if tiles as wide as that fill the GPU, and least for convolutions, which
     * have more to compute. */
    double cost_of(const run_time_problem &on, const run_time_cut &of) const {
        double cost = lines_to_wait_for(on, of);
        const bool is_full =
            on.p.batch * on.p.width >= 2 * SECTOR / sizeof(cpx) * (size_t)on.processors;
        for (size_t bytes = of.lines * sizeof(cpx); bytes < SECTOR; bytes *= 2) {
            cost *= (is_full                 ? COST_OF_NARROW_IN_FULL
                     : line[0].chirp != NULL ? COST_OF_NARROW_CONVOLVED
                                             : COST_OF_NARROW) /
                    100.0;
        }
        return cost;
    }

    /* Tiles are as wide as two sectors, unless narrower ones spread better or are all that fits. */
    void cut_tiles(const run_time_problem &on) {
        static_assert(run_time_problem::has_threads_for_all(COLUMNS_BYTES / sizeof(cpx)),
                      "a large prime has threads enough in every tile");
        cut = cut_of(on, COLUMNS_BYTES / sizeof(cpx));
        for (unsigned lines = cut.lines / 2; lines > 0; lines /= 2) {
            run_time_cut narrower = cut_of(on, lines);
            if (cut.is_global ||
                (!narrower.is_global && cost_of(on, narrower) < cost_of(on, cut))) {
                cut = narrower;
            }
        }
    }

    /* How many bytes are moved for one of a tile's rows: those of all sectors that it touches, the
     * mean of all tiles and rows. */
    double bytes_for_one(const run_time_problem &on) const {
        const size_t bytes = cut.lines * sizeof(cpx);
        size_t aligned = SECTOR;
        while (bytes % aligned != 0 || on.p.image_pitch * sizeof(scalar) % aligned != 0) {
            aligned /= 2;
        }
        return (double)(bytes + SECTOR - aligned) / (double)bytes;
    }

    /* Whether columns take two passes: where that is less, in values that a multiprocessor waits
     * for, which move as they should if there are two passes. */
    bool wants_halves(const run_time_problem &on) const {
        const size_t values = on.p.batch * on.p.height * on.column_pairs();
        if (line[0].chirp != NULL || line[0].count < 2 || has_integer_pixels(&on.p) ||
            on.p.height < LEAST_HALVED || values > INT_MAX) {
            return false;
        }
        double one = lines_to_wait_for(on, cut) * bytes_for_one(on) * (double)on.p.height;
        double two = 2.0 * (double)values / on.processors + COST_OF_HALVES;
        return cut.is_global || one > two;
    }

    /* ---- in a plan -------------------------------------------------------------------------- */

    /* Its lines are there, and the angles of their tables. */
    weft_status prepare(const run_time_problem &on, void *angles) {
        if (!has_integer_pixels(&on.p)) { /* of these the compiler would take minutes more */
            TRY(find_compiled_in(line[0], AXIS_COLUMN, &known));
        }
        cut_tiles(on);
        if (wants_halves(on)) {
            TRY(halves.prepare(on, angles));
        }
        for (int way = 0; way < 2; way++) {
            line[way].outputs = cut.outputs;
            TRY(allow_shared_memory((const void *)kernel(on, way, false)));
            TRY(allow_shared_memory((const void *)kernel(on, way, true)));
        }
        return WEFT_OK;
    }

    void release(const run_time_problem &on) {
        halves.release(on.p.device);
    }

    /* Bytes of the workspace behind what all passes have there. Where the halves have their values
     * between, the rest is not in use. */
    size_t workspace(const run_time_problem &on) const {
        return larger(run_time_problem::bytes_of_values(cut),
                      halves.is_used ? on.bytes_between() : 0);
    }

    column_kernel *kernel(const run_time_problem &on, int way, bool is_direct) const {
        bool has = known != NULL && known->columns[way] != NULL;
        run_time_variant v = run_time_problem::variant_of(cut, line[way], has, is_direct);
        return (column_kernel *)(v == CONSTANT_VALUES ? known->columns[way]
                                                      : REAL_NAME(run_time_column_kernel)(
                                                            has_integer_pixels(&on.p), v));
    }

    static image_view images_of(const run_time_problem &on, const void *image) {
        const problem &p = on.p;
        bool is_paired = !has_integer_pixels(&on.p) &&
                         real_view_of(image, p.image_pitch, p.image_stride).is_paired;
        return {(void *)image, p.pixel, p.image_pitch, p.image_stride, is_paired};
    }

    weft_status run(const run_time_problem &on, int way, const void *image, real_view intermediate,
                    void *work, cudaStream_t stream) const {
        const problem &p = on.p;
        if (halves.is_used && halves.can_address(on, intermediate)) {
            return halves.run(on, way, image, intermediate, work, stream);
        }
        run_time_columns_job j = {};
        j.image = images_of(on, image);
        j.intermediate = intermediate;
        j.line = line[way];
        j.memory = on.memory_of(cut, work);
        j.width = (unsigned)p.width;
        j.columns = cut.lines;
        j.tiles = divider_of((unsigned)((on.column_pairs() + j.columns - 1) / j.columns));
        j.all_tiles = (unsigned)p.batch * j.tiles.divisor;
        j.classes = classes(on);
        j.sums = on.sums_of(work);
        j.is_inverse = way;
        j.scale = (scalar)p.inverse_scale;
        size_t largest_step = p.height * larger(p.image_pitch, intermediate.pitch);
        bool is_direct = intermediate.is_paired &&
                         largest_step <= UINT_MAX; /* values of a column are so far apart at most */
        return launch(kernel(on, way, is_direct), on.shape_of(cut), stream, j);
    }

    void describe(const run_time_problem &on, text *to) const {
        if (halves.is_used) {
            halves.describe(on, to);
            return;
        }
        describe_line(to, "columns", on.p.height, AXIS_COLUMN, "mixed");
        text_add(to, "%u columns a block, ", 2 * cut.lines);
        on.describe_cut(to, cut, known != NULL);
        describe_bytes(to, pixels_moved(&on.p), on.bytes_between());
    }
};

} // namespace

#endif
