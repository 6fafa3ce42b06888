/* SPDX-License-Identifier: MIT
 * The search cuda and the decoder on a GPU, host code and kernels, on the emulated one: streams
 * must be those of seq, byte for byte, with every option, at small and odd sizes; answers must be
 * those of seq over codebooks that no small picture has; and pixels those of the decoder on the
 * host. Under TSan every barrier is then dropped in turn: it must be missed. `test_fractal` runs
 * all; `test_fractal FILE:LINE` runs without that barrier.
 */
#include "cuda_runtime_api.h"
#include "verdict.h"

#include "bench/issue_rate.h"
#include "search.h"
#include "weft_fractal.h"
#include <cfenv>

extern "C" {
#include "isa.h"
#include "team.h"
#include "threads.h"

extern const search search_seq, search_cuda;

/* There are no threads here but those of the emulator. */
size_t threads_asked_for(int) {
    return 1;
}
void team_run(const team_work *work, size_t) {
    for (size_t pass = 0; pass < work->passes; pass++) {
        if (work->begin)
            work->begin(work->of, pass);
        work->run(work->of, pass, 0, 0, work->tasks[pass].count);
    }
}
weft_status isa_choose(isa *chosen) {
    *chosen = ISA_PLAIN;
    return WEFT_OK;
}

/* Those in the table of searches that are not built here. */
static weft_status is_not_here(const search_problem *) {
    return weft_fail(WEFT_UNSUPPORTED, "this search is not in this program");
}
extern const search search_cpu, search_fft;
const search search_cpu = {"cpu",   "not built", 0,       is_not_here, nullptr,
                           nullptr, nullptr,     nullptr, nullptr};
const search search_fft = {"fft",   "not built", 0,       is_not_here, nullptr,
                           nullptr, nullptr,     nullptr, nullptr};
}

namespace {

// ---- Pictures ----------------------------------------------------------------------------------

enum scene { WAVES, EXTREMES, ONE_VALUE };

struct film {
    std::vector<unsigned char> bytes;
    weft_fractal_picture picture = {};

    /* Frames differ in a part of their pixels. */
    film(const weft_fractal_desc &d, scene what, unsigned frame) {
        std::mt19937 random(7 + (unsigned)(d.height * 31 + d.width));
        std::vector<size_t> begins;
        for (int i = 0; i < WEFT_FRACTAL_PLANES; i++) {
            const size_t height = weft_fractal_plane_height(d.height, d.chroma, i);
            const size_t width = weft_fractal_plane_width(d.width, d.chroma, i);
            begins.push_back(bytes.size());
            for (size_t m = 0; m < height; m++)
                for (size_t n = 0; n < width; n++)
                    bytes.push_back(pixel(what, m, n + (m % 24 < 12 ? 5 * frame : 0), random()));
        }
        for (int i = 0; i < WEFT_FRACTAL_PLANES; i++)
            picture.plane[i] = bytes.data() + begins[(size_t)i];
    }

    static unsigned char pixel(scene what, size_t m, size_t n, unsigned noise) {
        if (what == ONE_VALUE)
            return 77;
        if (what == EXTREMES)
            return (m * 7 + n * 13 + (noise >> 9 & 1)) % 3 ? 255 : 0;
        return (unsigned char)((m * n / 3 + n * 9 + (m / 5) * 40 + noise % 8) & 0xff);
    }
};

// ---- Whole streams -----------------------------------------------------------------------------

constexpr int FRAMES = 3;

struct encoding {
    std::string refused; /* or: */
    std::vector<unsigned char> bytes;
    weft_fractal_frame frame[FRAMES] = {};

    encoding(weft_fractal_desc d, const char *name, scene what, int frames) {
        weft_fractal_encoder *encoder = nullptr;
        d.search = name;
        if (weft_fractal_encoder_create(&encoder, &d) != WEFT_OK) {
            refused = weft_last_error();
            return;
        }
        for (int i = 0; i < frames && refused.empty(); i++) {
            film f(d, what, (unsigned)i);
            std::vector<unsigned char> out(weft_fractal_encoder_bound(encoder));
            size_t written = 0;
            if (weft_fractal_encode(encoder, &f.picture, out.data(), &written, &frame[i]))
                refused = weft_last_error();
            bytes.insert(bytes.end(), out.begin(), out.begin() + (long)written);
        }
        weft_fractal_encoder_destroy(encoder);
    }
};

/* What of the seed's way of searching is tried; `name` says what differs. */
struct options {
    const char *name;
    weft_fractal_arith arith;
    int store_scaled, no_reorder, block, unroll;
    weft_fractal_place codebook;
    int pruning, no_flat, trunc_mean;
};

constexpr weft_fractal_arith FIXED = WEFT_FRACTAL_FIXED, FLOAT = WEFT_FRACTAL_FLOAT;
constexpr weft_fractal_place HOST = WEFT_FRACTAL_HOST, DEVICE = WEFT_FRACTAL_DEVICE;

const options all_options[] = {
    {"as chosen", FIXED, 0, 0, 0, 0, HOST, 0, 0, 0},
    {"float", FLOAT, 0, 0, 0, 0, HOST, 0, 0, 0},
    {"scaled, pruned", FIXED, 1, 0, 32, 2, HOST, 80, 0, 0},
    {"float, scaled, no flat", FLOAT, 1, 0, 32, 4, HOST, 0, 1, 0},
    {"not reordered, truncated", FIXED, 0, 1, 64, 1, HOST, 90, 1, 1},
    {"float, not reordered", FLOAT, 0, 1, 32, 2, HOST, 90, 0, 1},
    {"device", FIXED, 0, 0, 32, 4, DEVICE, 0, 0, 0},
    {"device, pruned", FIXED, 0, 0, 32, 1, DEVICE, 80, 0, 0},
    {"device, pruned, scaled", FIXED, 1, 1, 96, 2, DEVICE, 60, 1, 0},
    {"device, pruned, scaled, float", FLOAT, 1, 0, 32, 1, DEVICE, 90, 0, 1},
    {"device, float", FLOAT, 0, 0, 32, 1, DEVICE, 0, 0, 0},
};

weft_fractal_desc description(const options &o, size_t height, size_t width,
                              weft_fractal_chroma chroma) {
    weft_fractal_desc d = {};
    d.height = height;
    d.width = width;
    d.chroma = chroma;
    d.arith = o.arith;
    d.store_scaled = o.store_scaled;
    d.no_reorder = o.no_reorder;
    d.block = o.block;
    d.unroll = o.unroll;
    d.codebook = o.codebook;
    d.pruning = o.pruning;
    d.no_flat = o.no_flat;
    d.trunc_mean = o.trunc_mean;
    return d;
}

weft_fractal_desc without_history(weft_fractal_desc d) {
    d.arith = FIXED;
    d.store_scaled = d.no_reorder = d.block = d.unroll = 0;
    d.codebook = HOST;
    return d;
}

/* What is wrong with what the device counted, or "". */
std::string compare_counts(const encoding &expected, const encoding &found, int frames) {
    for (int i = 0; i < frames; i++) {
        const weft_fractal_frame &e = expected.frame[i], &f = found.frame[i];
        for (int k = 0; k < e.planes; k++)
            if (e.plane[k].domains != f.plane[k].domains ||
                e.plane[k].terms_evaluated != f.plane[k].terms_evaluated)
                return "frame " + std::to_string(i) + " counts other domains or terms";
        if (f.plane[0].searched && (!(f.kernel_seconds > 0) || !(f.transfer_seconds > 0)))
            return "frame " + std::to_string(i) + " took no time";
    }
    return "";
}

void check_stream(const options &o, size_t height, size_t width, weft_fractal_chroma chroma,
                  scene what, int frames = FRAMES) {
    const weft_fractal_desc d = description(o, height, width, chroma);
    const encoding expected(without_history(d), "seq", what, frames);
    const encoding found(d, "cuda", what, frames);
    std::string why = expected.refused + found.refused;
    if (why.empty() && expected.bytes != found.bytes)
        why = "the stream is another one";
    if (why.empty())
        why = compare_counts(expected, found, frames);
    verdict::give(std::string(o.name) + ", " + std::to_string(height) + "x" +
                      std::to_string(width) + ", scene " + std::to_string(what),
                  why);
}

void check_streams() {
    static const size_t sizes[][2] = {{1, 1}, {5, 19}, {40, 33}};
    for (const options &o : all_options) {
        for (const auto &size : sizes)
            check_stream(o, size[0], size[1], WEFT_FRACTAL_420, WAVES, 2);
        check_stream(o, 32, 48, WEFT_FRACTAL_MONO, EXTREMES, 2);
    }
    check_stream(all_options[0], 24, 40, WEFT_FRACTAL_422, ONE_VALUE);
    check_stream(all_options[8], 24, 40, WEFT_FRACTAL_444, ONE_VALUE);
#ifndef CUEMU_SLOW
    check_stream(all_options[0], 96, 104, WEFT_FRACTAL_422, WAVES);
    check_stream(all_options[1], 96, 104, WEFT_FRACTAL_422, WAVES);
    check_stream(all_options[7], 96, 104, WEFT_FRACTAL_422, WAVES);
#endif
}

// ---- Codebooks that no picture has -------------------------------------------------------------

struct trial {
    size_t entries, equal; /* so many different ones again and again; 0: all differ */
    bool extreme;          /* of 255 and -255 */
};

struct ranges_of_plane {
    plane_blocks blocks = blocks_of_plane(24, 64, WEFT_FRACTAL_MONO, WEFT_FRACTAL_SEED, 0);
    std::vector<uint8_t> plane;
    std::vector<uint32_t> number;
    std::vector<int16_t> values;

    /* Those with numbers that are no multiples of 3. Single white and black pixels have the most
     * extreme values that there are. */
    explicit ranges_of_plane(bool extreme) : plane(padded_pixels(&blocks)) {
        std::mt19937 random(3);
        for (uint8_t &each : plane)
            each = extreme ? (random() % 16 ? 0 : 255) : (uint8_t)(random() % 256);
        for (uint32_t i = 0; i < blocks.ranges; i++) {
            if (i % 3 == 0)
                continue;
            number.push_back(i);
            values.resize(number.size() * BLOCK_PIXELS);
            range_values(&blocks, i, plane.data(), 0, values.data() + values.size() - BLOCK_PIXELS);
        }
    }
};

std::vector<int16_t> entries_of(const trial &t) {
    std::mt19937 random(5);
    std::vector<int16_t> values(t.entries * BLOCK_PIXELS);
    for (size_t i = 0; i < values.size(); i += 2) {
        const size_t block = i / BLOCK_PIXELS;
        const int value = t.extreme ? 255 : (int)(random() % 201) - 100;
        values[i] = (int16_t)(random() % 2 ? value : -value);
        values[i + 1] = (int16_t)-values[i];
        if (t.equal && block >= t.equal) {
            values[i] = values[i % (t.equal * BLOCK_PIXELS)];
            values[i + 1] = values[i % (t.equal * BLOCK_PIXELS) + 1];
        }
    }
    return values;
}

weft_status find_with(const search &s, const weft_fractal_desc &d, const ranges_of_plane &from,
                      codebook book, std::vector<search_answer> *answers) {
    search_problem problem = {};
    search_work work = {};
    problem.desc = &d;
    problem.planes = 1;
    problem.blocks[0] = from.blocks;
    problem.blocks[0].domains = book.count;
    const range_list ranges = {from.number.size(), from.number.data(), from.values.data(),
                               from.plane.data()};
    void *state = nullptr;
    weft_status status = s.supports(&problem);
    if (status == WEFT_OK)
        status = s.create(&problem, &state);
    if (status == WEFT_OK)
        status = s.take_codebook(state, 0, &book);
    answers->resize(ranges.count);
    if (status == WEFT_OK)
        status = s.find(state, 0, &ranges, answers->data(), &work);
    s.destroy(state);
    return status;
}

void check_trial(const trial &t, const options &o) {
    const weft_fractal_desc d = description(o, 24, 64, WEFT_FRACTAL_MONO);
    const weft_fractal_desc plain = without_history(d);
    const ranges_of_plane from(t.extreme);
    std::vector<int16_t> values = entries_of(t);
    std::vector<uint32_t> number;
    for (uint32_t i = 0; i < t.entries; i++)
        number.push_back(3 * i + 1);
    const codebook book = {t.entries, number.data(), values.data(), from.plane.data()};
    std::vector<search_answer> expected, found;
    std::string why;
    if (find_with(search_seq, plain, from, book, &expected) != WEFT_OK ||
        find_with(search_cuda, d, from, book, &found) != WEFT_OK)
        why = weft_last_error();
    for (size_t i = 0; why.empty() && i < expected.size(); i++)
        if (expected[i].domain != found[i].domain || expected[i].z != found[i].z)
            why = "range " + std::to_string(i) + " has another code";
    verdict::give(std::string(o.name) + ", " + std::to_string(t.entries) + " entries, " +
                      (t.extreme ? "extreme" : "of all values"),
                  why);
}

void check_trials() {
    static const trial trials[] = {{1, 0, true}, {9, 4, false}, {100, 37, true}, {130, 0, false}};
    for (const trial &t : trials)
        for (const options &o : all_options)
            if (o.codebook == HOST && o.pruning == 0)
                check_trial(t, o);
}

// ---- Decoding ----------------------------------------------------------------------------------

struct coded {
    std::vector<unsigned char> header;
    std::vector<std::vector<unsigned char>> frames;

    coded(weft_fractal_desc d, scene what) {
        weft_fractal_encoder *encoder = nullptr;
        size_t written = 0;
        d.search = "seq";
        weft_fractal_encoder_create(&encoder, &d);
        std::vector<unsigned char> out(weft_fractal_encoder_bound(encoder));
        weft_fractal_write_header(encoder, out.data(), &written);
        header.assign(out.begin(), out.begin() + (long)written);
        for (unsigned i = 0; i < FRAMES; i++) {
            film f(d, what, i);
            weft_fractal_encode(encoder, &f.picture, out.data(), &written, nullptr);
            frames.emplace_back(out.begin(), out.begin() + (long)written);
        }
        weft_fractal_encoder_destroy(encoder);
    }
};

struct decoding {
    std::string refused; /* or: */
    std::vector<unsigned char> pixels, traced;
    bool took_time = true;
    size_t height = 0, width = 0;
    weft_fractal_chroma chroma = WEFT_FRACTAL_MONO;

    decoding(const coded &from, weft_fractal_decoding how, bool is_traced) {
        weft_fractal_decoder *decoder = nullptr;
        how.trace = is_traced ? add_traced : nullptr;
        how.trace_of = this;
        if (weft_fractal_decoder_create(&decoder, &how, from.header.data(), from.header.size())) {
            refused = weft_last_error();
            return;
        }
        height = weft_fractal_decoder_height(decoder);
        width = weft_fractal_decoder_width(decoder);
        chroma = weft_fractal_decoder_stream(decoder)->chroma;
        for (const auto &bytes : from.frames)
            add_frame(decoder, bytes);
        weft_fractal_decoder_destroy(decoder);
    }

  private:
    void add_frame(weft_fractal_decoder *decoder, const std::vector<unsigned char> &bytes) {
        weft_fractal_picture picture = {};
        size_t used = pixels.size(), sizes[WEFT_FRACTAL_PLANES];
        for (int i = 0; i < WEFT_FRACTAL_PLANES; i++) {
            sizes[i] = weft_fractal_plane_height(height, chroma, i) *
                       weft_fractal_plane_width(width, chroma, i);
            pixels.resize(pixels.size() + sizes[i], 0x5a);
        }
        for (int i = 0; i < WEFT_FRACTAL_PLANES; used += sizes[i++])
            picture.plane[i] = pixels.data() + used;
        if (weft_fractal_decode(decoder, bytes.data(), bytes.size(), &picture) && refused.empty())
            refused = weft_last_error();
        took_time &= weft_fractal_decoder_kernel_seconds(decoder) > 0;
    }

    static void add_traced(void *of, int, const weft_fractal_picture *picture) {
        decoding *d = (decoding *)of;
        for (size_t m = 0; m < d->height; m++) {
            const unsigned char *row = picture->plane[0] + m * picture->pitch[0];
            d->traced.insert(d->traced.end(), row, row + d->width);
        }
    }
};

void check_decoding(weft_fractal_profile profile, size_t height, size_t width,
                    weft_fractal_chroma chroma, scene what, weft_fractal_decoding how,
                    bool is_traced) {
    weft_fractal_desc d = {};
    d.height = height;
    d.width = width;
    d.chroma = chroma;
    d.profile = profile;
    const coded stream(d, what);
    const decoding expected(stream, how, is_traced);
    how.place = WEFT_FRACTAL_DEVICE;
    const decoding found(stream, how, is_traced);
    std::string why = expected.refused + found.refused;
    if (why.empty() && (expected.pixels != found.pixels || expected.traced != found.traced))
        why = "pixels are others";
    if (why.empty() && (!found.took_time || expected.took_time))
        why = "its time is wrong";
    verdict::give("decodes " + std::to_string(height) + "x" + std::to_string(width) + ", profile " +
                      std::to_string(profile) + ", scale " + std::to_string(how.scale) +
                      ", scene " + std::to_string(what),
                  why);
}

void check_decodings() {
    for (int scale : {1, 2, 4})
        for (weft_fractal_profile profile : {WEFT_FRACTAL_SEED, WEFT_FRACTAL_DENSE}) {
            weft_fractal_decoding how = {};
            how.scale = scale;
            how.start = scale == 1 ? WEFT_FRACTAL_START_NOISE : WEFT_FRACTAL_START_WHITE;
            how.iterations = scale == 4 ? 2 : 0;
            check_decoding(profile, 1, 1, WEFT_FRACTAL_MONO, EXTREMES, how, false);
            check_decoding(profile, 21, 35, WEFT_FRACTAL_420, WAVES, how, scale == 2);
            check_decoding(profile, 16, 24, WEFT_FRACTAL_422, EXTREMES, how, false);
        }
}

/* The flags of the caller stay as they were, though the emulated CUDA raises others. */
void check_environment() {
    const weft_fractal_desc d = description(all_options[0], 24, 40, WEFT_FRACTAL_420);
    const coded stream(d, WAVES);
    weft_fractal_decoding how = {};
    how.place = WEFT_FRACTAL_DEVICE;
    std::feclearexcept(FE_ALL_EXCEPT);
    std::feraiseexcept(FE_DIVBYZERO);
    const encoding encoded(d, "cuda", WAVES, 2);
    const int after_encoding = std::fetestexcept(FE_ALL_EXCEPT);
    const decoding decoded(stream, how, false);
    const int after_decoding = std::fetestexcept(FE_ALL_EXCEPT);
    std::feclearexcept(FE_ALL_EXCEPT);
    std::string why = encoded.refused + decoded.refused;
    if (why.empty() && (after_encoding != FE_DIVBYZERO || after_decoding != FE_DIVBYZERO))
        why = "flags are " + std::to_string(after_encoding) + ", then " +
              std::to_string(after_decoding);
    verdict::give("gives back the caller's flags", why);
}

// ---- Refusals, and memory that is lacking ------------------------------------------------------

void check_refusal(weft_fractal_desc d, const char *words) {
    d.height = d.width = 16;
    const encoding e(d, "cuda", WAVES, 1);
    verdict::give(std::string("refuses: ") + words,
                  e.refused.find(words) != std::string::npos ? "" : "it says: " + e.refused);
}

void check_refusals() {
    weft_fractal_desc block = {}, unroll = {}, profile = {}, elimination = {}, size = {};
    block.block = 33;
    check_refusal(block, "block 33");
    block.block = 512;
    check_refusal(block, "block 512");
    unroll.unroll = 3;
    check_refusal(unroll, "unroll 3");
    profile.profile = WEFT_FRACTAL_DENSE;
    check_refusal(profile, "seed profile only");
    elimination.elimination = 1;
    check_refusal(elimination, "no elimination");
    search_problem large = {};
    large.desc = &size;
    large.planes = 1;
    large.blocks[0] = blocks_of_plane(65535, 65535, WEFT_FRACTAL_MONO, WEFT_FRACTAL_SEED, 0);
    verdict::give("refuses planes of too many blocks",
                  search_cuda.supports(&large) == WEFT_UNSUPPORTED ? "" : "it does not");
}

void check_memory() {
    weft_fractal_desc d = description(all_options[8], 16, 16, WEFT_FRACTAL_420);
    std::string why;
    size_t lacking = 0;
    for (;; lacking++) {
        cuemu::device.allocations_left = lacking;
        const encoding e(d, "cuda", WAVES, 1);
        cuemu::device.allocations_left = SIZE_MAX;
        if (e.refused.empty())
            break;
        if (e.refused.find("no memory on the GPU") && e.refused.find("no page-locked memory"))
            why = "it says: " + e.refused;
    }
    if (lacking != 2)
        why = "it takes memory " + std::to_string(lacking) + " times";
    verdict::give("says which memory it lacks", why);

    const coded stream(without_history(d), WAVES);
    weft_fractal_decoding how = {};
    how.place = WEFT_FRACTAL_DEVICE;
    cuemu::device.allocations_left = 0;
    const decoding without(stream, how, false);
    cuemu::device.allocations_left = SIZE_MAX;
    verdict::give("a decoder says which memory it lacks",
                  without.refused.find("no memory on the GPU") ? "it says: " + without.refused
                                                               : "");
}

/* The k-th copy or launch fails, for every k; and nothing goes on with what failed. */
void check_failures() {
    weft_fractal_desc d = description(all_options[8], 8, 16, WEFT_FRACTAL_MONO);
    const coded stream(without_history(d), WAVES);
    weft_fractal_decoding how = {};
    how.place = WEFT_FRACTAL_DEVICE;
    std::string why;
    bool fails[] = {true, true};
    for (size_t k = 0; fails[0] || fails[1]; k++) {
        cuemu::device.enqueued_left = k;
        const encoding e(d, "cuda", WAVES, FRAMES);
        cuemu::device.enqueued_left = k;
        const decoding decoded(stream, how, false);
        cuemu::device.enqueued_left = SIZE_MAX;
        const std::string said[] = {e.refused, decoded.refused};
        for (int i = 0; i < 2; i++) {
            fails[i] = !said[i].empty();
            if (fails[i] && said[i].find("CUDA error") == std::string::npos &&
                said[i].find("a device failed it before") == std::string::npos)
                why = "it says: " + said[i];
        }
        if (k < 4 && (!fails[0] || !fails[1]))
            why = "a failure is not noticed";
    }
    verdict::give("says that a device failed", why);
}

/* What the search is held against: every lane counts its own instructions, and says so. */
void check_issue_rate() {
    double seconds[2] = {}, instructions = 0;
    std::string why;
    if (issue_rate_measure(0, 3, 2, seconds, &instructions))
        why = weft_last_error();
    else if (!(seconds[0] > 0 && seconds[1] > 0))
        why = "it takes no time";
    else if (instructions != 2.0 * 8 * 256 * 3 * 512) /* processors, blocks, lanes, rounds */
        why = "it counts " + std::to_string(instructions);
    size_t k = 0; /* the k-th launch or copy fails */
    for (bool failed = true; failed && why.empty(); k++) {
        cuemu::device.enqueued_left = k;
        failed = issue_rate_measure(0, 1, 1, seconds, &instructions) != WEFT_OK;
        cuemu::device.enqueued_left = SIZE_MAX;
    }
    if (why.empty() && k < 3)
        why = "a failure is not noticed";
    verdict::give("measures the rate of instructions", why);
}

/* All kernels, with several blocks of several warps; answers are not looked at. */
void run_all() {
    for (const options &o : {all_options[0], all_options[1], all_options[3], all_options[8]})
        encoding(description(o, 40, 33, WEFT_FRACTAL_420), "cuda", WAVES, 2);
}

[[maybe_unused]] void check_barriers() {
    const auto sites = cuemu::world.sites;
    for (const auto &met : sites) {
        const char *file = strrchr(met.first.file, '/');
        verdict::expect_report("the barrier in line " + std::to_string(met.first.line) + " of " +
                                   (file ? file + 1 : met.first.file) + " is needed",
                               "'" + cuemu::name(met.first) + "'", "ThreadSanitizer: data race");
    }
}

} // namespace

int main(int count, char **arguments) {
    if (count > 1) {
        const char *colon = strrchr(arguments[1], ':');
        static const std::string file(arguments[1], (size_t)(colon - arguments[1]));
        cuemu::world.muted = {file.c_str(), atoi(colon + 1)};
        run_all();
        return 0;
    }
    check_streams();
    check_trials();
    check_decodings();
    check_environment();
    check_refusals();
    check_memory();
    check_failures();
    check_issue_rate();
    verdict::give(
        "all that was taken is given back",
        cuemu::device.blocks.empty() && !cuemu::device.streams_and_events ? "" : "some is not");
#ifdef CUEMU_TSAN
    check_barriers();
#endif
    return verdict::end();
}
