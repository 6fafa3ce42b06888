/* SPDX-License-Identifier: MIT
 * The plan of two passes over lines of any length: the lines' tables, how many lines a block has,
 * where the values between stages lie, and the launches. Three passes for a filter.
 */
#ifndef WEFT_CUDA_RUN_TIME_PLAN_CUH
#define WEFT_CUDA_RUN_TIME_PLAN_CUH

#include <limits.h>

#include "convolutions.h"
#include "gpu_strategy.cuh"
#include "line/run_time_tables.cuh"
#include "run_time_kernels.cuh"

namespace {

/* How a pass is cut into blocks. */
struct run_time_cut {
    unsigned lines;   /* of a block: complex columns of a tile, or slots */
    unsigned threads; /* of a line */
    unsigned outputs; /* of a large prime that a thread computes together */
    unsigned block_threads;
    unsigned of_line, of_block, blocks;
    bool is_global;
    size_t shared_bytes;
    bool is_few; /* the GPU holds all blocks with twice as many registers a thread */
};

struct run_time_plan : gpu_plan {
    run_time_line row[2], column[2], back; /* forward, inverse; back: of a filter */
    void *tables[5];
    int processors, launches_dependents;
    size_t shared_most;
    run_time_cut row_cut, column_cut;
    const compiled_in *known_columns, *known_rows; /* NULL: none for this image */

    static constexpr const char *name = "cuda.twopass";
    static constexpr unsigned flags = EQUAL_BITS;
    static constexpr bool has_filter = true;

    enum { MOST_VALUES = INT_MAX / 2 }; /* of a line, and lines: kernels count in 32 bits */

    weft_status outline() {
        const size_t longest = p.height > p.width ? p.height : p.width;
        if (p.batch * longest > MOST_VALUES) {
            return weft_fail(WEFT_UNSUPPORTED, "%s: batch %zu of %zux%zu: more than %d lines", name,
                             p.batch, p.height, p.width, MOST_VALUES);
        }
        return short_convolutions_only(name, &p);
    }

    weft_status ask_device() {
        return device_has_kernel((const void *)row_kernels[ROWS_FORWARD][DIRECT_VALUES]);
    }

    /* ---- how the work is cut ------------------------------------------------------------------
     */

    bool has_integer_pixels() const {
        return p.pixel != WEFT_PIXEL_REAL;
    }

    unsigned classes() const {
        return classes_of_column(p.height);
    }

    /* Tasks of a line: butterflies of the stage that has most of them, or so many outputs of a
     * large prime's. */
    static unsigned tasks_of_line(const run_time_line &line, unsigned outputs) {
        unsigned most = 1;
        for (unsigned s = 0; s < line.count; s++) {
            unsigned radix = (unsigned)line.stages[s].radix, tasks = line.stages[s].butterflies;
            tasks *= radix > LARGEST_RADIX ? large_prime_groups(radix, outputs) : 1;
            most = tasks > most ? tasks : most;
        }
        return most;
    }

    /* Threads of a line: one a task, or so many that in whole rounds none waits in vain. Where
     * multiprocessors have one block at most, that of a long convolution may have all of the
     * registers, and outputs of large primes are spread over as many threads as a block may have.
     */
    void share_line(run_time_cut *cut, const run_time_line &line, size_t lines) const {
        const bool are_few = lines <= (size_t)processors * cut->lines;
        const bool is_long = line.chirp != NULL && !convolution_loads_early(line.positions);
        const unsigned most = RUN_TIME_THREADS * (are_few && is_long ? 2 : 1) / cut->lines;
        cut->outputs = LARGE_PRIME_OUTPUTS;
        while (cut->outputs > 1 && are_few && tasks_of_line(line, cut->outputs / 2) <= most) {
            cut->outputs /= 2;
        }
        unsigned tasks = tasks_of_line(line, cut->outputs), rounds = (tasks + most - 1) / most;
        cut->threads = (tasks + rounds - 1) / rounds;
    }

    /* How many blocks a multiprocessor holds that has registers for so many threads. */
    unsigned held_blocks(const run_time_cut &cut, unsigned threads) const {
        size_t fit = shared_most / (cut.shared_bytes + 1024);
        unsigned held = threads / cut.block_threads;
        return held < fit ? held : (unsigned)fit;
    }

    /* Memory for `lines` lines of a block, in shared memory, or, where they do not fit there, in
     * the workspace. */
    void place_values(run_time_cut *cut, unsigned of_line, size_t sums_bytes, size_t tasks) const {
        cut->of_line = of_line;
        cut->of_block = cut->of_line * cut->lines;
        size_t bytes = cut->of_block * sizeof(cpx);
        cut->is_global = bytes + sums_bytes > shared_most;
        cut->shared_bytes = sums_bytes + (cut->is_global ? 0 : bytes);
        size_t blocks = (tasks + cut->lines - 1) / cut->lines;
        if (cut->is_global) {
            size_t fit = MOST_GLOBAL / bytes, held = 2 * (size_t)processors;
            blocks = blocks < fit ? blocks : fit;
            blocks = blocks < held ? blocks : held;
        }
        cut->blocks = blocks < 1 ? 1 : (unsigned)blocks;
        cut->is_few = cut->blocks <= (size_t)processors * held_blocks(*cut, RUN_TIME_THREADS);
    }

    static size_t max_of(size_t a, size_t b) {
        return a > b ? a : b;
    }

    static unsigned places_of_both(const run_time_line (&lines)[2]) {
        return (unsigned)max_of(places_of(lines[0]), places_of(lines[1]));
    }

    /* A tile of so many columns. */
    run_time_cut cut_of_columns(unsigned lines) const {
        run_time_cut cut = {};
        size_t pairs = (p.width + 1) / 2;
        size_t sums = has_integer_pixels() ? classes() * 2 * lines * sizeof(column_sum) : 0;
        cut.lines = lines;
        share_line(&cut, column[0], p.batch * pairs);
        cut.threads = (cut.threads + classes() - 1) / classes() * classes();
        cut.block_threads = lines * cut.threads;
        place_values(&cut, places_of_both(column), sums,
                     p.batch * ((pairs + lines - 1) / lines) * lines);
        return cut;
    }

    /* What a cut of columns may cost: the lines of the multiprocessor that has most of them; more
     * where few threads are there to wait for memory concurrently, and where rows of a tile are
     * less than a sector of the cache, above all if tiles as wide as that fill the GPU. */
    double cost_of_columns(const run_time_cut &cut) const {
        unsigned tasks = (cut.blocks + (unsigned)processors - 1) / (unsigned)processors;
        unsigned held = held_blocks(cut, 2 * RUN_TIME_THREADS);
        held = held < tasks ? held : tasks;
        double cost = tasks * cut.lines * (1 + 256.0 / (cut.block_threads * (held > 0 ? held : 1)));
        const bool is_full = p.batch * p.width >= 2 * SECTOR / sizeof(cpx) * (size_t)processors;
        for (size_t bytes = cut.lines * sizeof(cpx); bytes < SECTOR; bytes *= 2) {
            cost *= is_full ? 2 : 1.5;
        }
        return cost;
    }

    /* Tiles are as wide as two sectors, unless narrower ones spread better or are all that fits. */
    void cut_columns() {
        column_cut = cut_of_columns(COLUMNS_BYTES / sizeof(cpx));
        for (unsigned lines = column_cut.lines / 2; lines > 0; lines /= 2) {
            run_time_cut narrower = cut_of_columns(lines);
            if (column_cut.is_global ||
                (!narrower.is_global && cost_of_columns(narrower) < cost_of_columns(column_cut))) {
                column_cut = narrower;
            }
        }
    }

    /* Several short rows share a block, but not where there are too few for all multiprocessors. A
     * block with a slot 0 has work for more threads than a short row. */
    void cut_rows() {
        const unsigned of_line = places_of_both(row);
        const size_t slots = p.batch * folded_lines(p.height);
        size_t most = shared_most < ROWS_BYTES ? shared_most : (size_t)ROWS_BYTES;
        row_cut.lines = 1;
        share_line(&row_cut, row[0], slots);
        row_cut.lines = ROWS_THREADS / row_cut.threads;
        row_cut.lines = row_cut.lines < 1 ? 1 : row_cut.lines;
        while (row_cut.lines > 1 && (row_cut.lines * of_line * sizeof(cpx) > most ||
                                     slots / row_cut.lines < 2 * (size_t)processors)) {
            row_cut.lines /= 2;
        }
        const unsigned full = row_cut.lines * row_cut.threads;
        row_cut.block_threads = (unsigned)max_of(full, LEAST_ROWS_THREADS);
        place_values(&row_cut, of_line, row_cut.lines * sizeof(column_sum), slots);
        if (known_rows == NULL && !row_cut.is_few) { /* is_full_block() */
            row_cut.block_threads = full;
        }
    }

    enum {
        MOST_GLOBAL = 1 << 28,
        SECTOR = 32 /* bytes of the cache that are moved together */
    };

    /* The device's memory for all tables is taken before the first is made. */
    weft_status make_lines() {
        const struct {
            size_t length;
            int axis, way;
            line_entry entry;
            run_time_line *line;
        } lines[] = {{p.width, AXIS_ROW, 0, FROM_NATURAL, &row[0]},
                     {p.height, AXIS_COLUMN, 0, FROM_NATURAL, &column[0]},
                     {p.width, AXIS_ROW, 1, FROM_NATURAL, &row[1]},
                     {p.height, AXIS_COLUMN, 1, FROM_NATURAL, &column[1]},
                     {p.width, AXIS_ROW, 1, FROM_PLACES, &back}};
        static_assert(sizeof lines / sizeof *lines == sizeof tables / sizeof *tables,
                      "a table each");
        for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
            const table_size size = size_of_tables(lines[i].length, lines[i].axis, lines[i].way);
            TRY(device_memory.allocate(p.device, size.bytes(), &tables[i]));
        }
        for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
            TRY(make_run_time_line(p.device, lines[i].length, lines[i].axis, lines[i].way,
                                   lines[i].entry, lines[i].line, tables[i]));
        }
        return WEFT_OK;
    }

    weft_status prepare() {
        TRY(device_processors(&processors));
        TRY(device_shared_memory(&shared_most));
        TRY(make_lines());
        /* Of integer pixels the compiler knows no columns: they would take it minutes more. */
        known_columns = has_integer_pixels() ? NULL : compiled_in_for(column[0]);
        known_rows = compiled_in_for(row[0]);
        TRY(device_launches_dependents((const void *)row_kernels[0][0], &launches_dependents));
        cut_columns();
        cut_rows();
        for (int way = 0; way < 2; way++) {
            column[way].outputs = column_cut.outputs;
            row[way].outputs = row_cut.outputs;
        }
        back.outputs = row_cut.outputs;
        for (int is_direct = 0; is_direct < 2; is_direct++) {
            for (int way = 0; way < 2; way++) {
                TRY(allow_shared_memory((const void *)kernel_of_columns(way, is_direct)));
            }
            for (int purpose = 0; purpose < ROWS_OF_ANY_PURPOSE; purpose++) {
                TRY(allow_shared_memory((const void *)kernel_of_rows(purpose, is_direct)));
            }
        }
        return WEFT_OK;
    }

    void release() {
        for (size_t i = 0; i < sizeof tables / sizeof *tables; i++) {
            device_memory.release(p.device, tables[i]);
        }
    }

    /* ---- where the data lies --------------------------------------------------------------------
     */

    /* In reals: complex columns are pairs of them, aligned to 16 bytes. */
    size_t pitch_of_intermediate() const {
        const size_t wide = 16 / sizeof(scalar);
        return (p.width + wide - 1) / wide * wide;
    }

    /* An odd width has a real column more; rows of HALF spectra have no even pitch; integer pixels
     * are too small. */
    bool has_intermediate() const {
        return p.width % 2 != 0 || p.layout == WEFT_HALF || has_integer_pixels();
    }

    size_t bytes_of_intermediate() const {
        return !has_intermediate() ? 0
                                   : p.batch * p.height * pitch_of_intermediate() * sizeof(scalar);
    }

    size_t bytes_of_sums() const {
        return !has_integer_pixels() ? 0 : (p.batch * p.width * sizeof(column_sum) + 15) / 16 * 16;
    }

    static size_t bytes_of_values(const run_time_cut &cut) {
        return !cut.is_global ? 0 : (size_t)cut.blocks * cut.of_block * sizeof(cpx);
    }

    size_t workspace() const {
        return bytes_of_intermediate() + bytes_of_sums() +
               max_of(bytes_of_values(row_cut), bytes_of_values(column_cut));
    }

    /* In `result` where it has space. */
    real_view intermediate_of(bool is_result_packed, const void *result, size_t pitch,
                              size_t stride, void *work) const {
        return is_result_packed ? real_view_of(result, pitch, stride)
                                : real_view_of(work, pitch_of_intermediate(),
                                               p.height * pitch_of_intermediate());
    }

    real_view intermediate_of_forward(const void *spectrum, void *work) const {
        return intermediate_of(!has_intermediate(), spectrum, p.spectrum_pitch, p.spectrum_stride,
                               work);
    }

    real_view intermediate_of_inverse(const void *image, void *work) const {
        bool fits = p.width % 2 == 0 && !has_integer_pixels();
        return intermediate_of(fits, image, p.image_pitch, p.image_stride, work);
    }

    column_sum *sums_of(void *work) const {
        return has_integer_pixels() ? (column_sum *)((char *)work + bytes_of_intermediate()) : NULL;
    }

    run_time_memory memory_of(const run_time_cut &cut, void *work) const {
        run_time_memory m = {cut.of_line, cut.of_block, NULL};
        if (cut.is_global) {
            m.global = (cpx *)((char *)work + bytes_of_intermediate() + bytes_of_sums());
        }
        return m;
    }

    /* ---- launches -------------------------------------------------------------------------------
     */

    launch_shape shape_of(const run_time_cut &cut) const {
        launch_shape shape = {};
        shape.blocks = cut.blocks;
        shape.threads = cut.block_threads;
        shape.shared_bytes = cut.shared_bytes;
        shape.is_dependent = launches_dependents;
        return shape;
    }

    static run_time_variant variant_of(const run_time_cut &cut, const run_time_line &line,
                                       bool has_constant, bool is_direct) {
        return cut.is_global        ? GLOBAL_VALUES
               : !is_direct         ? STAGED_VALUES
               : has_constant       ? CONSTANT_VALUES
               : line.chirp != NULL ? STAGED_VALUES
               : cut.is_few         ? FEW_VALUES
                                    : DIRECT_VALUES;
    }

    column_kernel *kernel_of_columns(int way, bool is_direct) const {
        bool has = known_columns != NULL && known_columns->columns[way] != NULL;
        run_time_variant v = variant_of(column_cut, column[way], has, is_direct);
        return v == CONSTANT_VALUES ? (column_kernel *)known_columns->columns[way]
                                    : column_kernels[has_integer_pixels()][v];
    }

    /* The compiler knows no lines that begin in places, as those of a filter do. */
    row_kernel *kernel_of_rows(int purpose, bool is_direct) const {
        bool has =
            purpose != ROWS_FILTER && known_rows != NULL && known_rows->rows[purpose] != NULL;
        run_time_variant v = variant_of(row_cut, row[0], has, is_direct);
        return v == CONSTANT_VALUES ? (row_kernel *)known_rows->rows[purpose]
                                    : row_kernels[purpose][v];
    }

    void describe_cut(text *to, const run_time_cut &cut, const compiled_in *known) const {
        describe_launch(to, shape_of(cut));
        text_add(to, "%s",
                 cut.is_global   ? ", values in the workspace"
                 : known != NULL ? ", compiled in"
                                 : "");
    }

    void describe(text *to) const {
        size_t between = p.batch * p.height * pitch_of_intermediate() * sizeof(scalar);
        describe_line(to, "columns", p.height, AXIS_COLUMN, "mixed");
        text_add(to, "%u columns a block, ", 2 * column_cut.lines);
        describe_cut(to, column_cut, known_columns);
        describe_bytes(to, pixels_moved(&p), between);
        describe_line(to, "rows", p.width, AXIS_ROW, "mixed");
        text_add(to, "%u row%s a block, ", row_cut.lines, row_cut.lines == 1 ? "" : "s");
        describe_cut(to, row_cut, known_rows);
        describe_bytes(to, between, spectra_moved(&p));
    }

    image_view images_of(const void *image) const {
        bool is_paired =
            !has_integer_pixels() && real_view_of(image, p.image_pitch, p.image_stride).is_paired;
        return {(void *)image, p.pixel, p.image_pitch, p.image_stride, is_paired};
    }

    weft_status launch_columns(int way, const void *image, real_view intermediate, void *work,
                               cudaStream_t stream) const {
        run_time_columns_job j = {};
        j.image = images_of(image);
        j.intermediate = intermediate;
        j.line = column[way];
        j.memory = memory_of(column_cut, work);
        j.width = (unsigned)p.width;
        j.columns = column_cut.lines;
        j.tiles = divider_of((unsigned)(((p.width + 1) / 2 + j.columns - 1) / j.columns));
        j.all_tiles = (unsigned)p.batch * j.tiles.divisor;
        j.classes = classes();
        j.sums = sums_of(work);
        j.is_inverse = way;
        j.scale = (scalar)p.inverse_scale;
        size_t largest_step = p.height * max_of(p.image_pitch, intermediate.pitch);
        bool is_direct = intermediate.is_paired &&
                         largest_step <= UINT_MAX; /* values of a column are so far apart at most */
        return launch(kernel_of_columns(way, is_direct), shape_of(column_cut), stream, j);
    }

    run_time_rows_job rows_job_of(run_time_rows_purpose purpose, const void *spectrum,
                                  real_view intermediate, void *work) const {
        run_time_rows_job j = {};
        j.spectrum = view_of(&p, (void *)spectrum, 0);
        j.spectrum_reals = spectrum_reals(&p);
        j.intermediate = intermediate;
        j.purpose = purpose;
        j.line = row[purpose == ROWS_INVERSE];
        j.memory = memory_of(row_cut, work);
        j.threads = row_cut.threads;
        j.lines = row_cut.lines;
        j.slots = divider_of((unsigned)folded_lines(p.height));
        j.all_slots = (unsigned)p.batch * j.slots.divisor;
        j.scale = untangled_scale((scalar)p.forward_scale);
        j.sums = purpose == ROWS_INVERSE ? NULL : sums_of(work);
        j.dc_scale = p.forward_scale;
        return j;
    }

    weft_status launch_rows(const run_time_rows_job &j, cudaStream_t stream) const {
        bool is_direct =
            j.intermediate.is_paired && (j.purpose != ROWS_INVERSE || p.layout == WEFT_PACKED);
        return launch(kernel_of_rows(j.purpose, is_direct), shape_of(row_cut), stream, j);
    }

    weft_status forward(const void *image, void *spectrum, void *work, cudaStream_t stream) const {
        real_view intermediate = intermediate_of_forward(spectrum, work);
        TRY(launch_columns(0, image, intermediate, work, stream));
        return launch_rows(rows_job_of(ROWS_FORWARD, spectrum, intermediate, work), stream);
    }

    weft_status inverse(const void *spectrum, void *image, void *work, cudaStream_t stream) const {
        real_view intermediate = intermediate_of_inverse(image, work);
        TRY(launch_rows(rows_job_of(ROWS_INVERSE, spectrum, intermediate, work), stream));
        return launch_columns(1, image, intermediate, work, stream);
    }

    weft_status filter(const void *image, const void *transfer, weft_transfer kind, void *out,
                       void *work, cudaStream_t stream) const {
        real_view intermediate = intermediate_of_inverse(out, work);
        run_time_rows_job j = rows_job_of(ROWS_FILTER, NULL, intermediate, work);
        j.back = back;
        j.transfer = transfer_of(&p, transfer, kind);
        TRY(launch_columns(0, image, intermediate, work, stream));
        TRY(launch_rows(j, stream));
        return launch_columns(1, out, intermediate, work, stream);
    }
};

} // namespace

#endif
