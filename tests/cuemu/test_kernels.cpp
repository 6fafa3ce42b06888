/* SPDX-License-Identifier: MIT
 * Every cuda.* strategy, host code and kernels, on the emulated GPU: at the smallest sizes that
 * take every branch, results must equal cpu.reference bit for bit, or stay within the oracle's
 * gates where a strategy has an arithmetic of its own. Under TSan every barrier is then dropped in
 * turn: it must be missed. `test_kernels f32|f64` runs all; with a case such as "cuda.onchip 64x64"
 * only its transforms; with `races` before it only those whose results are not looked at.
 * `test_kernels f32|f64 FILE:LINE CASE` runs without that barrier, CASE first.
 */
#include "cuda_runtime_api.h"
#include "verdict.h"

extern "C" {
#include "gates.h"
#include "oracle/oracle.h"
#include "plan.h"
#include "strategy_name.h"
}

namespace {

struct shape {
    size_t height, width;
};

/* Every first radix and number of stages on both axes, one tile and several, rows of pairs and of
 * single values; the report takes any power of two, and its grid is smaller than some of these. */
const shape small_shapes[] = {{16, 16},  {32, 16},  {16, 32},  {64, 32}, {16, 64},
                              {128, 16}, {16, 128}, {256, 16}, {16, 256}};
/* More tiles and rows than the resident blocks have, alone or in clusters: persistent blocks take
 * one after another. */
const shape many_tiles[] = {{64, 512}, {256, 64}, {64, 256}, {128, 128}};
/* Transforms that are split: see passes/split.cuh. */
const shape split_shapes[] = {{64, 512}};
/* Those with producers and consumers: see passes/producer_consumer_rows.cuh. */
const shape producer_consumer_shapes[] = {{256, 512}};
/* An image in one block, and one in a cluster: see passes/onchip.cuh. */
const shape onchip_shapes[] = {{32, 32}, {64, 64}};
/* Any size: lines of every radix, of one stage, two and more, of none; convolved lines, compiled in
 * and not; odd heights and widths, rows and columns alone; columns that have classes, compiled in
 * and not; large primes, one and two of a line, compiled in and not, four of whose outputs a thread
 * has, two (3x2032) and one (3x69). */
const shape any_shapes[] = {{1, 1},   {1, 131},  {131, 1},  {3, 5},    {24, 26}, {45, 70},
                            {17, 23}, {53, 137}, {34, 57},  {9, 121},  {60, 33}, {64, 100},
                            {26, 64}, {169, 6},  {270, 34}, {34, 400}, {263, 5}, {512, 6},
                            {3, 69},  {3, 2032}, {3, 289},  {323, 2},  {3, 211}, {1, 2557}};
/* Columns in two passes: halves of one stage, two and three, compiled in and not, for few blocks
 * and for many; large primes at the beginning of either, and one that more threads share than a
 * line of a wide block has (670x10); odd widths; more than shared memory has.
 */
const shape tall_shapes[] = {{576, 1},  {720, 34}, {3125, 2}, {592, 10},
                             {646, 18}, {629, 17}, {670, 10}, {32400, 1}};
/* An odd width whose rows are aligned where gaps are of aligned_gaps(3, 8). */
const shape odd_shapes[] = {{60, 33}, {34, 57}};
/* The least that a cooperative grid takes. */
const shape grid_shapes[] = {{256, 256}};
const shape report_shapes[] = {{1, 1}, {1, 8}, {8, 1}, {2, 4}, {16, 16}, {256, 4}, {4, 256}};
/* One group and several, threads beyond the edge, columns in tiles of 8 and fewer. A thread for
 * each pixel of each pass takes its time here, so there are few. */
#if defined(CUEMU_SLOW)
const shape dx11_shapes[] = {{2, 4}, {4, 32}};
#else
const shape dx11_shapes[] = {{1, 1}, {1, 8}, {8, 1}, {2, 4}, {4, 32}, {32, 4}};
#endif
/* How much is tried at each of a list of shapes. */
struct effort {
    bool every_combination; /* of layout, batch and gaps; else two of the four */
    int repeats;
    size_t filter_pixels; /* weft_filter is tried on images up to this size */
};
const effort quick = {false, 1, 0};
const effort with_filters = {false, 1, 64 * 512};
#if defined(CUEMU_TSAN)
const effort usual = {false, 1, 16 * 16};
#elif defined(CUEMU_ASAN)
const effort usual = {true, 1, 32 * 16};
#else
const effort usual = {true, 2, 64 * 32};
#endif

const shape long_split_shapes[] = {{512, 512}, {1024, 1024}};
#ifndef CUEMU_SLOW
/* Every other length, and more blocks than run concurrently. */
const shape long_shapes[] = {{16, 512}, {16, 1024}, {16, 2048}, {16, 4096}, {16, 8192},
                             {512, 16}, {1024, 16}, {2048, 64}, {4096, 16}, {256, 256}};
const shape long_pixel_shapes[] = {{16, 2048}, {2048, 16}, {64, 1024}};
const shape long_grid_shapes[] = {{512, 512}, {1024, 1024}};
/* Columns that a cluster shares on a GPU too, and, in f64, rows. */
const shape cluster_shapes[] = {{8192, 16}, {16384, 16}, {16, 16384}};
/* More pixels than threads in a group. */
const shape dx11_long_shapes[] = {{2, 2048}, {2048, 2}};
#endif

weft_precision precision;

/* Between rows and between images, in elements: odd, so that few of them are aligned, or whole 16
 * bytes. */
size_t gap_of_rows = 3, gap_of_images = 7;

size_t real_size() {
    return precision == WEFT_F32 ? sizeof(float) : sizeof(double);
}

// ---- Arrays: rows of elements with gaps between them, on the host and on the device ------------

constexpr unsigned char gap = 0xa5;

struct elements {
    weft_pixel type;                            /* WEFT_PIXEL_REAL for spectra and transfers */
    size_t batch, stride, rows, pitch, columns; /* in elements; a complex number is two */
    std::vector<unsigned char> bytes;

    elements(const problem &p, bool spectrum) {
        const size_t unit = spectrum && p.layout == WEFT_HALF ? 2 : 1;
        type = spectrum ? WEFT_PIXEL_REAL : p.pixel;
        batch = p.batch;
        rows = p.height;
        stride = (spectrum ? p.spectrum_stride : p.image_stride) * unit;
        pitch = (spectrum ? p.spectrum_pitch : p.image_pitch) * unit;
        columns = unit == 2 ? 2 * (p.width / 2 + 1) : p.width;
        bytes.assign(((batch - 1) * stride + (rows - 1) * pitch + columns) * size(), gap);
    }
    size_t size() const {
        return type == WEFT_PIXEL_REAL ? real_size() : type == WEFT_PIXEL_U8 ? 1 : 2;
    }
    void *at(size_t image, size_t row = 0, size_t column = 0) {
        return &bytes[(image * stride + row * pitch + column) * size()];
    }
    double get(size_t image, size_t row, size_t column) {
        const void *value = at(image, row, column);
        return type == WEFT_PIXEL_U8    ? *(const unsigned char *)value
               : type == WEFT_PIXEL_U16 ? *(const unsigned short *)value
               : precision == WEFT_F32  ? *(const float *)value
                                        : *(const double *)value;
    }
    void set(size_t image, size_t row, size_t column, double value) {
        void *place = at(image, row, column);
        if (type == WEFT_PIXEL_U8)
            *(unsigned char *)place = (unsigned char)value;
        else if (type == WEFT_PIXEL_U16)
            *(unsigned short *)place = (unsigned short)value;
        else if (precision == WEFT_F32)
            *(float *)place = (float)value;
        else
            *(double *)place = value;
    }
    template <class Visit> void each(Visit visit) {
        for (size_t image = 0; image < batch; image++)
            for (size_t row = 0; row < rows; row++)
                for (size_t column = 0; column < columns; column++)
                    visit(image, row, column);
    }
    /* Noise: pixels of all values, reals in [-amplitude / 2, amplitude / 2). Gaps hold NaN, so that
     * whoever reads one is found out. */
    void fill(unsigned seed, double amplitude = 1) {
        std::mt19937 random(seed);
        std::fill(bytes.begin(), bytes.end(), 0xff);
        each([&](size_t image, size_t row, size_t column) {
            const double value = random() / 4294967296.0;
            set(image, row, column,
                type == WEFT_PIXEL_REAL ? (value - 0.5) * amplitude
                                        : floor(value * (type == WEFT_PIXEL_U8 ? 256 : 65536)));
        });
    }
    bool has_one_value() {
        bool same = true;
        each([&](size_t image, size_t row, size_t column) {
            same = same && get(image, row, column) == get(0, 0, 0);
        });
        return same;
    }
    void wipe() {
        std::fill(bytes.begin(), bytes.end(), gap);
    }
};

struct device_array {
    void *memory = nullptr;
    size_t bytes;
    explicit device_array(size_t size) : bytes(size) {
        cudaMalloc(&memory, bytes);
    }
    explicit device_array(const elements &host) : device_array(host.bytes.size()) {
        put(host);
    }
    device_array(const device_array &) = delete;
    ~device_array() {
        cudaFree(memory);
    }
    void put(const elements &host) {
        cudaMemcpy(memory, host.bytes.data(), bytes, cudaMemcpyHostToDevice);
    }
    void get(elements &host) const {
        cudaMemcpy(host.bytes.data(), memory, bytes, cudaMemcpyDeviceToHost);
    }
};

// ---- What a result is held against -------------------------------------------------------------

/* Where two arrays differ, gaps included; "" if nowhere. */
std::string difference(const char *what, const elements &got, const elements &expected) {
    for (size_t i = 0; i < got.bytes.size(); i++)
        if (got.bytes[i] != expected.bytes[i]) {
            const size_t element = i / got.size(), in_image = element % got.stride;
            return std::string(what) + " differs from cpu.reference first in image " +
                   std::to_string(element / got.stride) + " row " +
                   std::to_string(in_image / got.pitch) + " column " +
                   std::to_string(in_image % got.pitch) + ", ";
        }
    return "";
}

std::string over(const char *what, double error, double gate) {
    char text[100];
    snprintf(text, sizeof text, "%s error %.3g, gate %.3g, ", what, error, gate);
    return !(error <= gate) ? text : "";
}

/* The same without the values: only what lies between them. */
std::string gap_difference(const char *what, elements got, elements expected) {
    got.each([&](size_t image, size_t row, size_t column) {
        memcpy(got.at(image, row, column), expected.at(image, row, column), got.size());
    });
    return difference(what, got, expected).empty() ? "" : std::string(what) + " wrote into gaps, ";
}

std::string judge_spectrum(const problem &p, elements &image, elements &got) {
    std::string why;
    std::vector<double> tight(p.height * p.width);
    std::vector<long double> truth(p.height * (p.width / 2 + 1) * 2);
    for (size_t i = 0; i < p.batch; i++) {
        for (size_t n = 0; n < tight.size(); n++)
            tight[n] = image.get(i, n / p.width, n % p.width);
        oracle_forward_long(p.height, p.width, tight.data(), truth.data());
        const oracle_error error =
            oracle_compare_long(p.height, p.width, precision, p.layout, p.spectrum_pitch, got.at(i),
                                p.forward_scale, truth.data());
        why += over("forward L2", error.rel_l2, gate_l2(p.height, p.width, precision)) +
               over("forward max", error.max_rms, gate_max(p.height, p.width, precision));
    }
    return why;
}

std::string judge_image(const problem &p, elements &spectrum, elements &got) {
    std::string why;
    const size_t bins = p.width / 2 + 1;
    std::vector<long double> half(p.height * bins * 2), truth(p.height * p.width);
    for (size_t i = 0; i < p.batch; i++) {
        for (size_t k = 0; k < p.height; k++)
            for (size_t l = 0; l < bins; l++) {
                double re, im;
                oracle_read(p.height, p.width, precision, p.layout, p.spectrum_pitch,
                            spectrum.at(i), k, l, &re, &im);
                half[2 * (k * bins + l)] = re;
                half[2 * (k * bins + l) + 1] = im;
            }
        oracle_inverse_long(p.height, p.width, half.data(), truth.data());
        long double error = 0, energy = 0;
        for (size_t n = 0; n < truth.size(); n++) {
            const long double off = got.get(i, n / p.width, n % p.width) - truth[n];
            error += off * off;
            energy += truth[n] * truth[n];
        }
        why += over("inverse L2", (double)sqrtl(error / energy),
                    gate_l2(p.height, p.width, precision));
    }
    return why;
}

// ---- One strategy, one description -------------------------------------------------------------

struct plan {
    weft_plan *made = nullptr;
    weft_status status;
    plan(const char *name, weft_desc desc) {
        desc.strategy = name;
        status = weft_plan_create(&made, &desc);
    }
    ~plan() {
        weft_plan_destroy(made);
    }
};

bool promises_bits(const char *name) {
    for (int i = 0; i < strategy_count; i++) {
        const strategy *s = strategy_table[i].for_precision[WEFT_F32];
        if (name_is(name, s->name)) {
            return (s->flags & EQUAL_BITS) != 0;
        }
    }
    return false;
}

weft_desc description(shape size, weft_layout layout, bool loose,
                      weft_pixel pixel = WEFT_PIXEL_REAL) {
    weft_desc desc = {};
    desc.height = size.height;
    desc.width = size.width;
    desc.precision = precision;
    desc.layout = layout;
    desc.pixel = pixel;
    if (loose) {
        desc.batch = 2;
        desc.image_pitch = size.width + gap_of_rows;
        desc.image_stride = size.height * desc.image_pitch + gap_of_images;
        desc.spectrum_pitch = (layout == WEFT_HALF ? size.width / 2 + 1 : size.width) + gap_of_rows;
        desc.spectrum_stride = size.height * desc.spectrum_pitch + gap_of_images;
    }
    return desc;
}

/* One transform by the strategy itself, in a workspace of exactly the size that it asked for. */
weft_status run(const weft_plan *p, bool forward, const void *from, void *to) {
    const strategy *s = plan_strategy(p);
    void *state = nullptr;
    size_t workspace = 0;
    weft_status status = s->create(plan_problem(p), &state, &workspace);
    if (status == WEFT_OK) {
        device_array work(workspace);
        status = (forward ? s->forward : s->inverse)(state, from, to, work.memory, nullptr);
        cudaStreamSynchronize(nullptr);
        s->destroy(state);
    }
    return status;
}

/* One direction, over poison, in another order of blocks each time; the input must not change. */
std::string check_transform(const plan &gpu, const plan &cpu, bool forward, bool in_place,
                            int repeats) {
    const problem &p = *plan_problem(gpu.made);
    const char *what = forward ? "forward" : "inverse";
    const bool exact = promises_bits(weft_plan_strategy(gpu.made));
    elements input(p, !forward), expected(p, forward), got(p, forward), unchanged(p, !forward);
    std::vector<unsigned char> cpu_work(weft_plan_workspace(cpu.made) + 16);
    void *work = (void *)(((uintptr_t)cpu_work.data() + 15) / 16 * 16);
    /* Spectra of images with values below, in and above the range of pixels. */
    const double contrast = p.pixel == WEFT_PIXEL_U8    ? 1000
                            : p.pixel == WEFT_PIXEL_U16 ? 250000
                                                        : 1;
    input.fill(forward ? 1 : 2, forward ? 1 : contrast * sqrt((double)(p.height * p.width)));
    if ((forward ? weft_forward : weft_inverse)(cpu.made, input.bytes.data(), expected.bytes.data(),
                                                work, nullptr) != WEFT_OK)
        return weft_last_error();

    std::string why;
    for (int repeat = 0; repeat < repeats && why.empty(); repeat++) {
        got.wipe();
        device_array from(input), to(got);
        if (run(gpu.made, forward, from.memory, to.memory) != WEFT_OK)
            return weft_last_error();
        to.get(got);
        from.get(unchanged);
        if (unchanged.bytes != input.bytes)
            why += std::string(what) + " changed its input, ";
        why += exact ? difference(what, got, expected)
                     : gap_difference(what, got, expected) +
                           (forward ? judge_spectrum(p, input, got) : judge_image(p, input, got));
    }
    if (in_place && why.empty()) {
        device_array both(input);
        elements result(p, forward);
        if (run(gpu.made, forward, both.memory, both.memory) != WEFT_OK)
            return weft_last_error();
        both.get(result);
        if (result.bytes != got.bytes)
            why += std::string(what) + " in place differs from out of place, ";
    }
    return why;
}

/* Zeros of the signs that were there. */
void make_zeros(elements &all) {
    all.each([&](size_t image, size_t row, size_t column) {
        all.set(image, row, column, copysign(0, all.get(image, row, column)));
    });
}

/* are_zeros: of the image only the signs are left, on zeros. */
std::string check_filter(const plan &gpu, const plan &cpu, weft_transfer kind, unsigned pattern = 3,
                         bool are_zeros = false) {
    const problem &p = *plan_problem(gpu.made);
    problem one = p;
    one.batch = 1;
    if (kind == WEFT_TRANSFER_GAIN) {
        one.width = one.spectrum_pitch = p.width / 2 + 1;
        one.layout = WEFT_PACKED;
    }
    elements image(p, false), transfer(one, true), expected(p, false), got(p, false);
    std::vector<unsigned char> cpu_work(weft_plan_workspace(cpu.made) + 16);
    void *work = (void *)(((uintptr_t)cpu_work.data() + 15) / 16 * 16);
    image.fill(pattern);
    transfer.fill(pattern + 1);
    if (are_zeros)
        make_zeros(image);
    if (weft_filter(cpu.made, image.bytes.data(), transfer.bytes.data(), kind,
                    expected.bytes.data(), work, nullptr) != WEFT_OK)
        return weft_last_error();
    if (p.pixel != WEFT_PIXEL_REAL && p.height * p.width > 1 && expected.has_one_value())
        return "the filter's image has one value only, ";
    device_array from(image), by(transfer), to(got), device_work(weft_plan_workspace(gpu.made));
    void *own_work = weft_plan_workspace(gpu.made) ? device_work.memory : nullptr;
    if (weft_filter(gpu.made, from.memory, by.memory, kind, to.memory, own_work, nullptr) !=
        WEFT_OK)
        return weft_last_error();
    to.get(got);
    if (promises_bits(weft_plan_strategy(gpu.made)))
        return difference("filter", got, expected);
    double error = 0, energy = 0;
    got.each([&](size_t i, size_t row, size_t column) {
        const double right = expected.get(i, row, column), off = got.get(i, row, column) - right;
        error += off * off;
        energy += right * right;
    });
    return gap_difference("filter", got, expected) +
           over("filter L2", sqrt(error / energy), 4 * gate_l2(p.height, p.width, precision));
}

/* What check() tried when a barrier was first met, by its strategy and size. */
std::map<cuemu::site, std::string> first_met;

std::string case_of(const char *runner, const shape &size) {
    return std::string(runner) + " " + std::to_string(size.height) + "x" +
           std::to_string(size.width);
}

/* The only case that is to be tried, or "". */
std::string only_case;

bool is_wanted(const char *runner, const shape &size) {
    return only_case.empty() || only_case == case_of(runner, size);
}

void note_barriers(const char *runner, const shape &size) {
    for (const auto &met : cuemu::world.sites)
        first_met.emplace(met.first, case_of(runner, size));
}

void check(const char *runner, shape size, weft_layout layout, bool loose, weft_pixel pixel,
           effort how) {
    static const char *const pixels[] = {"", " u8", " u16"};
    if (!is_wanted(runner, size))
        return;
    const weft_desc desc = description(size, layout, loose, pixel);
    char name[160];
    snprintf(name, sizeof name, "%s %s%s %zux%zu %s%s, %d processors", runner,
             precision == WEFT_F32 ? "f32" : "f64", pixels[pixel], size.height, size.width,
             layout == WEFT_HALF ? "half" : "packed", loose ? ", batch of 2 with gaps" : "",
             cuemu::device.processors);
    const plan gpu(runner, desc), cpu("cpu.reference", desc);
    if (gpu.status != WEFT_OK || cpu.status != WEFT_OK) {
        verdict::give(name, weft_last_error());
        return;
    }
    const bool in_place = layout == WEFT_PACKED && !loose && pixel == WEFT_PIXEL_REAL;
    std::string why = check_transform(gpu, cpu, true, in_place, how.repeats);
    why += check_transform(gpu, cpu, false, in_place, how.repeats);
    if (size.height * size.width <= how.filter_pixels)
        why += check_filter(gpu, cpu, loose ? WEFT_TRANSFER_GAIN : WEFT_TRANSFER_SPECTRUM);
    note_barriers(runner, size);
    verdict::give(name, why);
}

template <size_t count>
void check_all(const char *runner, const shape (&shapes)[count], effort how) {
    for (const shape &size : shapes)
        for (weft_layout layout : {WEFT_PACKED, WEFT_HALF})
            for (bool loose : {false, true})
                if (how.every_combination || loose == (layout == WEFT_HALF))
                    check(runner, size, layout, loose, WEFT_PIXEL_REAL, how);
}

/* Integer pixels: tight ones of the one type, loose ones of the other. */
template <size_t count>
void check_pixels(const char *runner, const shape (&shapes)[count], effort how) {
    for (const shape &size : shapes)
        for (bool loose : {false, true}) {
            check(runner, size, WEFT_PACKED, loose, loose ? WEFT_PIXEL_U16 : WEFT_PIXEL_U8, how);
            if (how.every_combination)
                check(runner, size, WEFT_HALF, loose, loose ? WEFT_PIXEL_U8 : WEFT_PIXEL_U16, how);
        }
}

/* Every combination of a strategy's options, by name. */
template <class Visit> void each_combination(const char *name, Visit visit) {
    for (int i = 0; weft_strategy_name(i); i++)
        if (!strcmp(weft_strategy_name(i), name)) {
            char text[FULL_NAME_SIZE];
            for (int k = 0; name_combination(text, strategy_table[i].for_precision[precision], k);
                 k++)
                visit((const char *)text);
        }
}

bool is_dx11(const char *name) {
    return name_is(name, "cuda.uav") || name_is(name, "cuda.slm");
}

/* While one of these lives, the device holds all blocks of a split transform's rows concurrently,
 * as its plans demand; but only one block is alive, so that ThreadSanitizer tells its threads
 * apart. */
struct large_device {
    const int processors = cuemu::device.processors;
    const size_t most_live_threads = cuemu::world.most_live_threads;
    large_device() {
        cuemu::device.processors = 256;
        cuemu::world.most_live_threads = 1;
    }
    ~large_device() {
        cuemu::device.processors = processors;
        cuemu::world.most_live_threads = most_live_threads;
    }
};

/* While one of these lives, rows and images are aligned to 16 bytes, with gaps: of widths that are
 * multiples of four, unless it is told others. */
struct aligned_gaps {
    const size_t usual[2] = {gap_of_rows, gap_of_images};
    explicit aligned_gaps(size_t rows = 4, size_t images = 4) {
        gap_of_rows = rows;
        gap_of_images = images;
    }
    ~aligned_gaps() {
        gap_of_rows = usual[0];
        gap_of_images = usual[1];
    }
};

void check_split(const char *runner) {
    const large_device device;
    const aligned_gaps gaps;
    check_all(runner, split_shapes, with_filters);
    check_pixels(runner, split_shapes, with_filters);
    /* As much shared memory as GPUs without clusters have. */
    const size_t most = cuemu::device.shared_bytes_most;
    cuemu::device.shared_bytes_most = 99 << 10;
    check_all(runner, split_shapes, quick);
    cuemu::device.shared_bytes_most = most;
#ifdef CUEMU_SLOW
    /* Each worker has one slot, and stores its rows itself. */
    check(runner, long_split_shapes[0], WEFT_PACKED, false, WEFT_PIXEL_REAL, quick);
#else
    check_all(runner, long_split_shapes, quick);
    check_pixels(runner, long_split_shapes, quick);
#endif
}

/* Consumers one unit behind producers, several units, and behind all producers; and what a plan
 * with producers does without them: rows that are not aligned, integer pixels, filters. */
void check_producer_consumer(const char *runner) {
    const effort with_filter = {false, 1, 256 * 512};
    const shape size = producer_consumer_shapes[0];
    {
        const aligned_gaps gaps;
        const int cache_bytes = cuemu::device.cache_bytes;
        check_all(runner, producer_consumer_shapes, quick);
        for (int bytes : {1 << 20, 1 << 23}) {
            cuemu::device.cache_bytes = bytes;
            check(runner, size, WEFT_PACKED, true, WEFT_PIXEL_REAL, quick);
        }
        cuemu::device.cache_bytes = cache_bytes;
    }
    check(runner, size, WEFT_PACKED, true, WEFT_PIXEL_REAL, with_filter);
    check(runner, size, WEFT_PACKED, false, WEFT_PIXEL_U8, quick);
}

/* While one of these lives, few lines fit into shared memory, and one multiprocessor has to do all
 * of those that do not. */
struct little_shared_memory {
    const size_t most = cuemu::device.shared_bytes_most;
    const int processors = cuemu::device.processors;
    little_shared_memory() {
        cuemu::device.shared_bytes_most = 1 << 9;
        cuemu::device.processors = 1;
    }
    ~little_shared_memory() {
        cuemu::device.shared_bytes_most = most;
        cuemu::device.processors = processors;
    }
};

/* Zeros of both signs, which have bits, too: of several patterns, as sums of them seldom stay -0.
 */
void check_signed_zeros(const char *runner, shape size, weft_layout layout, bool forward) {
    const weft_desc desc = description(size, layout, false);
    const plan gpu(runner, desc), cpu("cpu.reference", desc);
    const problem &p = *plan_problem(gpu.made);
    std::vector<unsigned char> work(weft_plan_workspace(cpu.made) + 16);
    void *aligned = (void *)(((uintptr_t)work.data() + 15) / 16 * 16);
    std::string why;
    for (unsigned pattern = 0; pattern < 8 && why.empty(); pattern++) {
        elements input(p, !forward), expected(p, forward), got(p, forward);
        input.fill(pattern);
        make_zeros(input);
        (forward ? weft_forward : weft_inverse)(cpu.made, input.bytes.data(), expected.bytes.data(),
                                                aligned, nullptr);
        device_array from(input), to(got);
        run(gpu.made, forward, from.memory, to.memory);
        to.get(got);
        why = got.bytes == expected.bytes ? "" : "other bits in pattern " + std::to_string(pattern);
    }
    verdict::give(case_of(runner, size) + (forward ? " forward" : " inverse") +
                      (layout == WEFT_HALF ? " half" : " packed") + " keeps the signs of zeros",
                  why);
}

void check_filtered_zeros(const char *runner, shape size, weft_layout layout) {
    const weft_desc desc = description(size, layout, false);
    const plan gpu(runner, desc), cpu("cpu.reference", desc);
    std::string why;
    for (unsigned pattern = 0; pattern < 8; pattern++)
        why += check_filter(gpu, cpu, WEFT_TRANSFER_GAIN, pattern, true);
    verdict::give(case_of(runner, size) + (layout == WEFT_HALF ? " half" : " packed") +
                      " filter keeps the signs of zeros",
                  why);
}

/* Columns in one pass would do as well, so that only a plan's description tells. In double
 * precision a column of few lines may take one. */
void check_two_passes(const char *runner) {
    for (const shape &size : tall_shapes) {
        if (precision == WEFT_F64 && size.width > 2)
            continue;
        const plan gpu(runner, description(size, WEFT_PACKED, false));
        const char *passes = gpu.status == WEFT_OK ? weft_plan_describe(gpu.made) : "";
        verdict::give(case_of(runner, size) + " has columns in two passes",
                      strstr(passes, "columns 2") != NULL ? "" : passes);
    }
}

/* Lines in shared memory, and lines that are too long for it; rows whose last pair has a gap for
 * its second value. */
void check_any(const char *runner) {
    const effort with_filter = {usual.every_combination, usual.repeats, 64 * 128};
    check_all(runner, any_shapes, with_filter);
    check_pixels(runner, any_shapes, with_filter);
    check_two_passes(runner);
    check_all(runner, tall_shapes, with_filter);
    {
        const aligned_gaps gaps(3, 8);
        check_all(runner, odd_shapes, with_filter);
        check_pixels(runner, odd_shapes, with_filter);
    }
    for (const shape &size : {shape{1, 2}, shape{3, 5}})
        for (weft_layout layout : {WEFT_PACKED, WEFT_HALF}) {
            for (bool forward : {true, false})
                check_signed_zeros(runner, size, layout, forward);
            check_filtered_zeros(runner, size, layout);
        }
    const little_shared_memory little;
    check_all(runner, any_shapes, with_filters);
    check_pixels(runner, any_shapes, with_filters);
}

void check_strategy(const char *runner) {
    if (is_dx11(runner)) {
        each_combination(runner, [runner](const char *name) {
            check_all(name, dx11_shapes, name == std::string(runner) ? usual : quick);
#ifndef CUEMU_SLOW
            if (name_is(name, "cuda.slm"))
                check_all(name, dx11_long_shapes, quick);
#endif
        });
        return;
    }
    if (!strcmp(runner, "cuda.report")) {
        for (int processors : {1, 3}) {
            cuemu::device.processors = processors;
            check_all(runner, report_shapes, usual);
        }
        cuemu::device.processors = 2;
        return;
    }
    if (!strcmp(runner, "cuda.onchip")) {
        const effort with_filter = {usual.every_combination, usual.repeats, 64 * 64};
        check_all(runner, onchip_shapes, with_filter);
        check_pixels(runner, onchip_shapes, with_filter);
        return;
    }
    if (!strcmp(runner, "cuda.cooperative")) {
        check_all(runner, grid_shapes, quick);
        check_pixels(runner, grid_shapes, quick);
#ifndef CUEMU_SLOW
        check_all(runner, long_grid_shapes, quick);
#endif
        return;
    }
    check_all(runner, small_shapes, usual);
    check_pixels(runner, small_shapes, usual);
    check_any(runner);
    check_split(runner);
    check_producer_consumer(runner);
    /* Too little shared memory for rows in bulk, see rows_pass.fit(). */
    const size_t most = cuemu::device.shared_bytes_most;
    cuemu::device.shared_bytes_most = precision == WEFT_F32 ? 12 << 10 : 24 << 10;
    check(runner, {32, 512}, WEFT_PACKED, true, WEFT_PIXEL_REAL, quick);
    cuemu::device.shared_bytes_most = most;
    cuemu::device.processors = 1;
    check_all(runner, many_tiles, quick);
    check_pixels(runner, many_tiles, quick);
    cuemu::device.processors = 2;
#ifndef CUEMU_SLOW
    check_all(runner, long_shapes, quick);
    check_pixels(runner, long_pixel_shapes, quick);
    check_all(runner, cluster_shapes, quick);
    check_pixels(runner, cluster_shapes, quick);
#endif
}

// ---- What plans say of themselves --------------------------------------------------------------

/* Of each way in which an image can go: a line on each of its passes. */
void check_descriptions() {
    const struct {
        const char *strategy;
        shape size;
        const char *first, *second;
    } plans[] = {
        {"cuda.twopass", {32, 16}, "  columns   32 = ", "  rows      16 = "},
        {"cuda.twopass", {64, 512}, "  classes   ", "with the last stage of columns"},
        {"cuda.twopass", {256, 512}, "  classes   ", "consumers of the last stage of columns"},
        {"cuda.twopass", {60, 26}, "  columns   60 = ", ", compiled in"},
        {"cuda.cooperative", {256, 256}, "  columns   256 = ", "in the same launch"},
        {"cuda.onchip", {64, 64}, "in clusters of 2", "out of shared memory"},
        {"cuda.slm", {4, 32}, "  rows      32 = 2 2 2 2 2 ", "1 launch,"},
        {"cuda.uav", {4, 32}, "  columns   4 = 2 2 ", "5 launches,"},
        {"cuda.report", {4, 256}, "  rows      256 = 2 2 2 2 2 2 2 2 ", "in the same launch"},
    };
    for (const auto &of : plans) {
        const plan gpu(of.strategy, description(of.size, WEFT_PACKED, false));
        const std::string said = weft_plan_describe(gpu.made);
        const bool says =
            said.find(of.first) != std::string::npos && said.find(of.second) != std::string::npos;
        verdict::give(case_of(of.strategy, of.size) + " says what it consists of",
                      says ? "" : said);
    }
}

// ---- What cannot be done -----------------------------------------------------------------------

std::string expect(weft_status status, weft_status expected, const char *words) {
    return status == expected && strstr(weft_last_error(), words)
               ? ""
               : std::string("status ") + weft_status_string(status) + ": " + weft_last_error();
}

shape least_of(const char *runner) {
    return !strcmp(runner, "cuda.cooperative") ? grid_shapes[0]
           : !strcmp(runner, "cuda.onchip")    ? onchip_shapes[0]
                                               : small_shapes[0];
}

void check_refusals(const char *runner, shape size) {
    const std::string name = case_of(runner, size) + " refuses ";
    const weft_desc desc = description(size, WEFT_PACKED, false);
    if (strcmp(runner, "cuda.twopass"))
        verdict::give(name + "sizes that are not powers of two",
                      expect(plan(runner, description({24, 24}, WEFT_PACKED, false)).status,
                             WEFT_UNSUPPORTED, "24x24"));
    {
        const plan gpu(runner, desc);
        elements image(*plan_problem(gpu.made), false);
        device_array spectrum(image), work(weft_plan_workspace(gpu.made));
        verdict::give(name + "host memory",
                      expect(weft_forward(gpu.made, image.bytes.data(), spectrum.memory,
                                          work.memory, nullptr),
                             WEFT_BAD_ARGUMENT, "host memory"));
    }
    std::string why;
    for (size_t allocations = 0; why.empty(); allocations++) {
        const size_t before = cuemu::device.blocks.size();
        cuemu::device.allocations_left = allocations;
        const plan gpu(runner, desc);
        cuemu::device.allocations_left = SIZE_MAX;
        if (gpu.status == WEFT_OK)
            break;
        why = expect(gpu.status, WEFT_NO_MEMORY, "no memory");
        if (cuemu::device.blocks.size() != before)
            why += ", a plan that was not made keeps memory";
    }
    verdict::give(name + "a plan that finds no memory", why);
}

/* What "cuda" is for so many images of 64x64. */
void check_choice_of(size_t batch, const char *expected, const char *when) {
    weft_desc desc = description({64, 64}, WEFT_PACKED, false);
    desc.batch = batch;
    const plan gpu("cuda", desc);
    const char *name = gpu.status == WEFT_OK ? weft_plan_strategy(gpu.made) : weft_last_error();
    verdict::give("cuda is " + std::string(expected) + " for " + std::to_string(batch) +
                      " images of 64x64" + when,
                  strcmp(name, expected) ? std::string("it is ") + name : "");
}

/* Either side of an edge of choice.def; and where the device cannot do what it names. */
void check_choice() {
    const size_t least = precision == WEFT_F32 ? 16 : 32;
    check_choice_of(least - 1, "cuda.twopass", "");
    check_choice_of(least, "cuda.onchip", "");
    cuemu::device.has_clusters = false;
    check_choice_of(least, "cuda.twopass", " without clusters");
    const weft_desc desc = description({64, 64}, WEFT_PACKED, false);
    verdict::give("cuda.onchip refuses a device without clusters",
                  expect(plan("cuda.onchip", desc).status, WEFT_UNSUPPORTED, "clusters"));
    cuemu::device.has_clusters = true;
}

#ifndef CUEMU_SLOW
/* A short plan made after a long one leaves it the shared memory that it needs. */
void check_two_plans(const char *runner) {
    const plan longer(runner, description({16, 4096}, WEFT_PACKED, false));
    const plan shorter(runner, description({16, 16}, WEFT_PACKED, false));
    elements image(*plan_problem(longer.made), false);
    device_array from(image), to(image), work(weft_plan_workspace(longer.made));
    const weft_status status =
        weft_forward(longer.made, from.memory, to.memory, work.memory, nullptr);
    cudaStreamSynchronize(nullptr);
    verdict::give(std::string(runner) + " runs a plan after another was made",
                  status == WEFT_OK ? "" : weft_last_error());
}
#endif

// ---- Barriers one by one -----------------------------------------------------------------------

const char *gpu_strategy(int i) {
    const char *name = weft_strategy_name(i);
    return name && !strncmp(name, "cuda.", 5) ? name : nullptr;
}

void run_pixels(const char *name, const shape &size, weft_pixel pixel) {
    /* The batch of two makes blocks of cuda.cooperative do columns after rows. */
    const weft_desc desc = description(size, WEFT_PACKED, name_is(name, "cuda.cooperative"), pixel);
    const plan gpu(name, desc);
    if (gpu.status != WEFT_OK)
        return;
    elements image(*plan_problem(gpu.made), false), spectrum(*plan_problem(gpu.made), true);
    image.fill(1);
    device_array from(image), to(spectrum), work(weft_plan_workspace(gpu.made));
    /* Forward, inverse and forward again: they wait for one another only as their kernels do. */
    weft_forward(gpu.made, from.memory, to.memory, work.memory, nullptr);
    weft_inverse(gpu.made, to.memory, from.memory, work.memory, nullptr);
    weft_forward(gpu.made, from.memory, to.memory, work.memory, nullptr);
    cudaStreamSynchronize(nullptr);
}

void run_filter(const char *name, const shape &size) {
    const plan gpu(name, description(size, WEFT_PACKED, false));
    elements image(*plan_problem(gpu.made), false);
    image.fill(1);
    device_array from(image), by(image), to(image), work(weft_plan_workspace(gpu.made));
    weft_filter(gpu.made, from.memory, by.memory, WEFT_TRANSFER_SPECTRUM, to.memory, work.memory,
                nullptr);
    cudaStreamSynchronize(nullptr);
}

/* A strategy at one of the small shapes; its results are not looked at. */
struct small_run {
    std::string name;
    shape size;
    enum { plain, large, one_processor, small_cache, little_memory } device;

    /* L2 holds all of it, so that all launches are dependent that ever are. But with producers and
     * consumers it is small: with a large one, tasks would not overtake one another. */
    void run() const {
        const int cache_bytes = cuemu::device.cache_bytes;
        cuemu::device.cache_bytes = device == small_cache ? cache_bytes : 1 << 22;
        if (device == large) {
            const large_device device_of_all;
            run_shape();
            run_filter(name.c_str(), size);
        } else if (device == little_memory) {
            const little_shared_memory device_of_all;
            run_shape();
            run_filter(name.c_str(), size);
        } else {
            cuemu::device.processors = device == one_processor ? 1 : 2;
            run_shape();
            cuemu::device.processors = 2;
        }
        cuemu::device.cache_bytes = cache_bytes;
    }

  private:
    void run_shape() const {
        run_pixels(name.c_str(), size, WEFT_PIXEL_REAL);
        run_pixels(name.c_str(), size, WEFT_PIXEL_U8);
    }
};

/* All of them; first those in which blocks take turn after turn, where races are that nothing else
 * has. */
std::vector<small_run> small_runs() {
    std::vector<small_run> runs;
    for (const shape &size : producer_consumer_shapes)
        runs.push_back({"cuda.twopass", size, small_run::small_cache});
    for (int i = 0; gpu_strategy(i); i++)
        if (!is_dx11(gpu_strategy(i)) && strcmp(gpu_strategy(i), "cuda.report"))
            for (const shape &size : many_tiles)
                runs.push_back({gpu_strategy(i), size, small_run::one_processor});
    for (const shape &size : split_shapes)
        runs.push_back({"cuda.twopass", size, small_run::large});
    for (int i = 0; gpu_strategy(i); i++) {
        const char *runner = gpu_strategy(i);
        if (is_dx11(runner))
            each_combination(runner, [&](const char *name) {
                runs.push_back({name, dx11_shapes[sizeof dx11_shapes / sizeof *dx11_shapes - 1],
                                small_run::plain});
            });
        else if (!strcmp(runner, "cuda.cooperative"))
            runs.push_back({runner, grid_shapes[0], small_run::plain});
        else if (!strcmp(runner, "cuda.onchip"))
            for (const shape &size : onchip_shapes)
                runs.push_back({runner, size, small_run::plain});
        else
            for (const shape &size : small_shapes)
                runs.push_back({runner, size, small_run::plain});
    }
    for (const shape &size : any_shapes) {
        runs.push_back({"cuda.twopass", size, small_run::plain});
        runs.push_back({"cuda.twopass", size, small_run::little_memory});
    }
    return runs;
}

/* None of them has a race, which only ThreadSanitizer tells; and there are some. */
[[maybe_unused]] void check_small_runs() {
    size_t count = 0;
    for (const small_run &each : small_runs())
        if (is_wanted(each.name.c_str(), each.size)) {
            each.run();
            count++;
        }
    verdict::give("no race in transforms whose results are not looked at",
                  count ? "" : "there are none of " + only_case);
}

/* All small runs without one barrier, for TSan to see. They begin with what met it first, as
 * case_of() names it, or, if that is not among them, with its strategy, and go on with those that
 * are most like it. */
void run_without(const char *place, const std::string &met) {
    const char *colon = strrchr(place, ':');
    static const std::string file(place, (size_t)(colon - place));
    cuemu::world.muted = {file.c_str(), atoi(colon + 1)};
    auto is_case = [&](const small_run &r) { return case_of(r.name.c_str(), r.size) == met; };
    auto is_strategy = [&](const small_run &r) { return !met.compare(0, r.name.size(), r.name); };
    std::vector<small_run> runs = small_runs();
    auto first = std::find_if(runs.begin(), runs.end(), is_case);
    if (first == runs.end())
        first = std::find_if(runs.begin(), runs.end(), is_strategy);
    std::rotate(runs.begin(), first, runs.end());
    for (const small_run &each : runs)
        each.run();
}

[[maybe_unused]] void check_barriers(const char *argument) {
    const auto sites = cuemu::world.sites;
    for (const auto &met : sites) {
        const std::string place = cuemu::name(met.first);
        const char *file = strrchr(met.first.file, '/');
        verdict::expect_report("the barrier in line " + std::to_string(met.first.line) + " of " +
                                   (file ? file + 1 : met.first.file) + " is needed",
                               std::string(argument) + " '" + place + "' '" + first_met[met.first] +
                                   "'",
                               "ThreadSanitizer: data race");
    }
}

} // namespace

int main(int count, char **arguments) {
    if (count < 2 || (strcmp(arguments[1], "f32") && strcmp(arguments[1], "f64"))) {
        fprintf(stderr, "usage: test_kernels f32|f64 [CASE | races CASE | FILE:LINE [CASE]]\n");
        return 2;
    }
    precision = strcmp(arguments[1], "f32") ? WEFT_F64 : WEFT_F32;
    const bool is_of_races = count == 4 && !strcmp(arguments[2], "races");
    if (is_of_races || (count == 3 && strchr(arguments[2], ' '))) {
        only_case = arguments[count - 1];
        if (is_of_races)
            check_small_runs();
        else
            for (int i = 0; gpu_strategy(i); i++)
                check_strategy(gpu_strategy(i));
        return verdict::end();
    }
    if (count > 2) {
        run_without(arguments[2], count > 3 ? arguments[3] : "");
        return 0;
    }
    for (int i = 0; gpu_strategy(i); i++) {
        check_strategy(gpu_strategy(i));
        check_refusals(gpu_strategy(i), least_of(gpu_strategy(i)));
#ifndef CUEMU_SLOW
        if (strcmp(gpu_strategy(i), "cuda.uav") && strcmp(gpu_strategy(i), "cuda.cooperative") &&
            strcmp(gpu_strategy(i), "cuda.onchip"))
            check_two_plans(gpu_strategy(i));
#endif
    }
    check_refusals("cuda.twopass", {24, 26});
    check_refusals("cuda.twopass", {263, 5});
    check_descriptions();
    check_choice();
    verdict::give("all device memory is given back",
                  cuemu::device.blocks.empty() ? "" : "some is not");
#ifdef CUEMU_TSAN
    check_small_runs();
    check_barriers(arguments[1]);
#endif
    return verdict::end();
}
