/* SPDX-License-Identifier: MIT
 * The search cuda: codebook and ranges -> answers, on a GPU. Each plane has a stream of its own,
 * so that what one sends and receives goes on beside what another one computes. All memory is taken
 * when a search is made: on the device, and page-locked on the host, from which copies return
 * before they are done. The kernels lie in domains.cuh, ranges.cuh and find.cuh.
 */
#include "domains.cuh"
#include "floats.cuh"
#include "packed.cuh"

#include "base/launch.cuh"
#include "memory_places.cuh"
#include "search.h"

namespace {

static_assert((int)SCALES == (int)SEED_SCALES && (int)FLAT_Z == (int)SEED_FLAT &&
                  (int)SUM_ABOVE_ALL == (int)NO_FLAT_SUM && (int)RANGE_SIDE == (int)BLOCK_SIDE,
              "what kernels and other searches suppose is the same");

constexpr const char *NAME = "cuda";

/* Blocks for each multiprocessor, so that they end at nearly the same time, but no chunks so small
 * that loading ranges takes long, or so large that their shared memory leaves no room for others.
 */
enum {
    BLOCKS_A_PROCESSOR = 32,
    LEAST_CHUNK = 8,
    MOST_CHUNK_BYTES = 40 * 1024,
    DEFAULT_BLOCK = 128
};
enum { PREPARE_THREADS = 128 };

/* ---- which kernel ------------------------------------------------------------------------------
 */

const int unrolls[] = {1, 2, 4};
constexpr int UNROLLS = sizeof unrolls / sizeof *unrolls;

struct form_kernels {
    unsigned words, ranges, entry_bytes;
    void (*prepare)(range_job);
    void (*find[UNROLLS])(find_job);
};

template <class Form> constexpr form_kernels kernels_of() {
    return {Form::WORDS,
            Form::RANGES,
            Form::ENTRY_BYTES,
            prepare_ranges<Form>,
            {find_best<Form, 1>, find_best<Form, 2>, find_best<Form, 4>}};
}

const form_kernels packed_kernels = kernels_of<packed_form>();
const form_kernels float_kernels = kernels_of<float_form<0>>();
const form_kernels scaled_float_kernels = kernels_of<float_form<1>>();

const form_kernels &kernels_for(const weft_fractal_desc *d) {
    return d->arith != WEFT_FRACTAL_FLOAT ? packed_kernels
           : d->store_scaled              ? scaled_float_kernels
                                          : float_kernels;
}

/* Of unrolls; UNROLLS if there is none such. */
int unroll_of(const weft_fractal_desc *d) {
    int i = 0;
    while (i < UNROLLS && unrolls[i] != (d->unroll == 0 ? 1 : d->unroll)) {
        i++;
    }
    return i;
}

/* How the ranges and entries of a plane are cut. */
struct cut {
    unsigned tiles, chunk, chunks;
};

unsigned divided_up(size_t number, size_t by) {
    return (unsigned)((number + by - 1) / by);
}

unsigned block_of(const weft_fractal_desc *d) {
    return d->block > 0 ? (unsigned)d->block : (unsigned)DEFAULT_BLOCK;
}

cut cut_of(const weft_fractal_desc *d, size_t ranges, size_t entries, int processors) {
    const form_kernels &kernels = kernels_for(d);
    const unsigned unroll = (unsigned)unrolls[unroll_of(d)];
    const unsigned most = MOST_CHUNK_BYTES / kernels.entry_bytes / unroll * unroll;
    cut c;
    c.tiles = divided_up(ranges, (size_t)block_of(d) * kernels.ranges);
    size_t chunks = divided_up((size_t)processors * BLOCKS_A_PROCESSOR, c.tiles);
    size_t chunk = (size_t)divided_up(divided_up(entries, chunks), unroll) * unroll;
    const unsigned least = divided_up(LEAST_CHUNK, unroll) * unroll;
    c.chunk = (unsigned)(chunk < least ? least : chunk > most ? most : chunk);
    c.chunks = divided_up(entries, c.chunk);
    return c;
}

/* ---- a plane -----------------------------------------------------------------------------------
 */

enum moment { SENDS, HAS_SENT, HAS_COMPUTED, HAS_RECEIVED, MOMENTS };

struct plane_memory {
    uint8_t *plane, *domains_plane;
    uint32_t *number, *domain_number;
    search_key *best;
    uint4 *values, *scaled; /* of the codebook */
    unsigned *count;        /* of domains that are kept */
    /* Of the device only. */
    uint32_t *words;
    uint4 *all_values;
    uint8_t *is_kept;
};

struct plane_search {
    plane_blocks blocks;
    plane_memory device, host;
    cudaStream_t stream;
    cudaEvent_t moments[MOMENTS];
    codebook *book;
    size_t entries; /* at most, until the device has said how many are kept */
    int is_book_new, is_begun;
};

struct cuda_search {
    weft_fractal_desc desc;
    int planes, processors;
    void *device_memory_block, *host_memory_block;
    plane_search plane[WEFT_FRACTAL_PLANES];
    int last; /* plane that began since answers were waited for; -1: none */
};

bool makes_domains(const weft_fractal_desc &d) {
    return d.codebook == WEFT_FRACTAL_DEVICE;
}

bool prunes(const weft_fractal_desc &d) {
    return makes_domains(d) && d.pruning > 0;
}

/* What the host and the device both have, for copies between them. */
void lay_out_both(const weft_fractal_desc &d, const plane_blocks &b, memory_places *places,
                  plane_memory *m) {
    const bool is_host_scaled = d.store_scaled && !makes_domains(d);
    m->plane = places->take<uint8_t>(padded_pixels(&b));
    m->number = places->take<uint32_t>(b.ranges);
    m->best = places->take<search_key>(b.ranges);
    if (makes_domains(d)) {
        m->domains_plane = places->take<uint8_t>(padded_pixels(&b));
    } else if (is_host_scaled) {
        m->scaled = places->take<uint4>(b.domains * 2 * SCALES);
    } else {
        m->values = places->take<uint4>(b.domains * 2);
    }
    if (prunes(d)) {
        m->domain_number = places->take<uint32_t>(b.domains);
        m->count = places->take<unsigned>(1);
    }
}

void lay_out_device(const weft_fractal_desc &d, const plane_blocks &b, memory_places *places,
                    plane_memory *m) {
    lay_out_both(d, b, places, m);
    if (!d.no_reorder) {
        m->words = places->take<uint32_t>(b.ranges * kernels_for(&d).words);
    }
    if (makes_domains(d)) {
        m->all_values = m->values = places->take<uint4>(b.domains * 2);
        if (d.store_scaled) {
            m->scaled = places->take<uint4>(b.domains * 2 * SCALES);
        }
    }
    if (prunes(d)) {
        m->values = places->take<uint4>(b.domains * 2);
        m->is_kept = places->take<uint8_t>(b.domains);
    }
}

/* Measures, if there is no block yet; returns the bytes that are wanted. */
size_t lay_out(cuda_search *s, void *block, bool is_device) {
    memory_places places = {(unsigned char *)block, 0};
    for (int i = 0; i < s->planes; i++) {
        plane_search *p = &s->plane[i];
        if (is_device) {
            lay_out_device(s->desc, p->blocks, &places, &p->device);
        } else {
            lay_out_both(s->desc, p->blocks, &places, &p->host);
        }
    }
    return places.used;
}

template <class Type>
weft_status send(const plane_search *p, Type *to, const Type *from, size_t count) {
    CUDA_TRY(cudaMemcpyAsync(to, from, count * sizeof *to, cudaMemcpyHostToDevice, p->stream));
    return WEFT_OK;
}

template <class Type>
weft_status receive(const plane_search *p, Type *to, const Type *from, size_t count) {
    CUDA_TRY(cudaMemcpyAsync(to, from, count * sizeof *to, cudaMemcpyDeviceToHost, p->stream));
    return WEFT_OK;
}

weft_status mark(const plane_search *p, moment which) {
    CUDA_TRY(cudaEventRecord(p->moments[which], p->stream));
    return WEFT_OK;
}

launch_shape threads_for(size_t count, unsigned block) {
    launch_shape shape = {};
    shape.blocks = divided_up(count, block);
    shape.threads = block;
    return shape;
}

/* ---- the codebook ------------------------------------------------------------------------------
 */

weft_status send_book(const cuda_search *s, const plane_search *p) {
    if (makes_domains(s->desc)) {
        return send(p, p->device.domains_plane, p->host.domains_plane, padded_pixels(&p->blocks));
    }
    return s->desc.store_scaled ? send(p, p->device.scaled, p->host.scaled, p->entries * 2 * SCALES)
                                : send(p, p->device.values, p->host.values, p->entries * 2);
}

weft_status launch_pruning(const plane_search *p, const domain_job &job) {
    const unsigned threads = divided_up(p->blocks.domains, WARP) * WARP;
    launch_shape keeping = {};
    keeping.blocks = 1;
    keeping.threads = threads < KEEP_THREADS ? threads : (unsigned)KEEP_THREADS;
    keeping.shared_bytes = keeping.threads * sizeof(unsigned);
    TRY(launch(prune_domains, threads_for(p->blocks.domains, DOMAIN_THREADS), p->stream, job));
    return launch(keep_domains, keeping, p->stream, job);
}

weft_status make_book(const cuda_search *s, const plane_search *p) {
    const plane_blocks &b = p->blocks;
    const domain_job job = {
        p->device.domains_plane, (unsigned)b.padded_width, (unsigned)b.domain_columns,
        (unsigned)b.domains,     s->desc.pruning,          p->device.all_values,
        p->device.is_kept,       p->device.values,         p->device.domain_number,
        p->device.count};
    TRY(launch(make_domains, threads_for(b.domains, DOMAIN_THREADS), p->stream, job));
    if (prunes(s->desc)) {
        TRY(launch_pruning(p, job));
    }
    if (s->desc.store_scaled) {
        const scaling_job scaling = {p->device.values, p->device.count, (unsigned)b.domains,
                                     p->device.scaled};
        TRY(launch(scale_domains, threads_for(b.domains * SCALES, DOMAIN_THREADS), p->stream,
                   scaling));
    }
    return WEFT_OK;
}

void store_scaled_copies(const codebook *book, int16_t *to) {
    for (size_t entry = 0; entry < book->count; entry++) {
        for (int z = 0; z < SCALES; z++) {
            for (size_t k = 0; k < BLOCK_PIXELS; k++) {
                *to++ = (int16_t)(scale_of(z) * book->values[entry * BLOCK_PIXELS + k]);
            }
        }
    }
}

/* Into memory of which copies return before they are done; begin() sends it. */
weft_status take_codebook(void *state, int plane, codebook *book) {
    cuda_search *s = (cuda_search *)state;
    plane_search *p = &s->plane[plane];
    p->book = book;
    p->is_book_new = 1;
    if (makes_domains(s->desc)) {
        p->entries = p->blocks.domains;
        memcpy(p->host.domains_plane, book->plane, padded_pixels(&p->blocks));
        return WEFT_OK;
    }
    p->entries = book->count;
    if (s->desc.store_scaled) {
        store_scaled_copies(book, (int16_t *)p->host.scaled);
    } else {
        memcpy(p->host.values, book->values, book->count * BLOCK_VALUES_BYTES);
    }
    return WEFT_OK;
}

/* ---- begin and find ----------------------------------------------------------------------------
 */

weft_status send_all(const cuda_search *s, const plane_search *p, size_t ranges) {
    TRY(mark(p, SENDS));
    if (p->is_book_new) {
        TRY(send_book(s, p));
    }
    TRY(send(p, p->device.plane, p->host.plane, padded_pixels(&p->blocks)));
    TRY(send(p, p->device.number, p->host.number, ranges));
    return mark(p, HAS_SENT);
}

weft_status launch_find(const cuda_search *s, const plane_search *p, const range_job &ranges) {
    const form_kernels &kernels = kernels_for(&s->desc);
    const cut c = cut_of(&s->desc, ranges.count, p->entries, s->processors);
    find_job job = {};
    job.ranges = ranges;
    job.entries = s->desc.store_scaled ? p->device.scaled : p->device.values;
    job.is_scaled = s->desc.store_scaled;
    job.kept = p->device.count;
    job.most_entries = (unsigned)p->entries;
    job.tiles = c.tiles;
    job.chunk = c.chunk;
    job.one = 1;
    launch_shape shape = {};
    shape.blocks = c.tiles * c.chunks;
    shape.threads = block_of(&s->desc);
    shape.shared_bytes = (size_t)c.chunk * kernels.entry_bytes;
    return launch(kernels.find[unroll_of(&s->desc)], shape, p->stream, job);
}

weft_status compute_all(const cuda_search *s, const plane_search *p, size_t count) {
    const range_job ranges = {p->device.plane,
                              (unsigned)p->blocks.padded_width,
                              (unsigned)p->blocks.range_columns,
                              p->device.number,
                              (unsigned)count,
                              s->desc.trunc_mean,
                              s->desc.no_flat,
                              p->device.words,
                              p->device.best};
    if (p->is_book_new && makes_domains(s->desc)) {
        TRY(make_book(s, p));
    }
    TRY(launch(kernels_for(&s->desc).prepare, threads_for(count, PREPARE_THREADS), p->stream,
               ranges));
    TRY(launch_find(s, p, ranges));
    return mark(p, HAS_COMPUTED);
}

weft_status receive_all(const cuda_search *s, const plane_search *p, size_t count) {
    TRY(receive(p, p->host.best, p->device.best, count));
    if (p->is_book_new && prunes(s->desc)) {
        TRY(receive(p, p->host.count, p->device.count, 1));
        TRY(receive(p, p->host.domain_number, p->device.domain_number, p->blocks.domains));
    }
    return mark(p, HAS_RECEIVED);
}

weft_status begin(void *state, int plane, const range_list *ranges) {
    cuda_search *s = (cuda_search *)state;
    plane_search *p = &s->plane[plane];
    memcpy(p->host.plane, ranges->plane, padded_pixels(&p->blocks));
    memcpy(p->host.number, ranges->number, ranges->count * sizeof *ranges->number);
    const weft_status status = on_device(s->desc.device, [&]() {
        TRY(send_all(s, p, ranges->count));
        TRY(compute_all(s, p, ranges->count));
        return receive_all(s, p, ranges->count);
    });
    p->is_begun = status == WEFT_OK;
    return status;
}

weft_status seconds_between(cudaEvent_t from, cudaEvent_t to, double *seconds) {
    float milliseconds = 0;
    CUDA_TRY(cudaEventElapsedTime(&milliseconds, from, to));
    *seconds = 1e-3 * (double)milliseconds;
    return WEFT_OK;
}

/* Kernels of planes overlap: of those of this one only what came after those of the last one. */
weft_status add_times(cuda_search *s, int plane, search_work *work) {
    const cudaEvent_t *of = s->plane[plane].moments;
    double sending = 0, computing = 0, receiving = 0;
    TRY(seconds_between(of[SENDS], of[HAS_SENT], &sending));
    TRY(seconds_between(of[HAS_SENT], of[HAS_COMPUTED], &computing));
    TRY(seconds_between(of[HAS_COMPUTED], of[HAS_RECEIVED], &receiving));
    if (s->last >= 0) {
        double since_last = 0;
        TRY(seconds_between(s->plane[s->last].moments[HAS_COMPUTED], of[HAS_COMPUTED],
                            &since_last));
        computing = since_last < computing ? since_last : computing;
    }
    work->transfer_seconds += sending + receiving;
    if (computing > 0) {
        work->kernel_seconds += computing;
        s->last = plane;
    }
    return WEFT_OK;
}

weft_status wait_for(cuda_search *s, int plane, search_work *work) {
    plane_search *p = &s->plane[plane];
    p->is_begun = 0;
    CUDA_TRY(cudaStreamSynchronize(p->stream));
    TRY(add_times(s, plane, work));
    if (p->is_book_new && prunes(s->desc)) {
        p->entries = *p->host.count;
    }
    p->book->count = p->entries;
    p->is_book_new = 0;
    int others = 0;
    for (int i = 0; i < s->planes; i++) {
        others += s->plane[i].is_begun;
    }
    s->last = others > 0 ? s->last : -1;
    return WEFT_OK;
}

search_answer answer_of(const cuda_search *s, const plane_search *p, search_key key) {
    search_answer answer = {0, (uint8_t)(key & ((1 << LOG2_Z) - 1))};
    if (answer.z != SEED_FLAT) {
        const uint32_t entry = (uint32_t)(key >> LOG2_Z) - 1;
        answer.domain = !makes_domains(s->desc) ? p->book->number[entry]
                        : prunes(s->desc)       ? p->host.domain_number[entry]
                                                : entry;
    }
    return answer;
}

weft_status find(void *state, int plane, const range_list *ranges, search_answer *answers,
                 search_work *work) {
    cuda_search *s = (cuda_search *)state;
    plane_search *p = &s->plane[plane];
    if (!p->is_begun) {
        TRY(begin(state, plane, ranges));
    }
    TRY(on_device(s->desc.device, [&]() { return wait_for(s, plane, work); }));
    for (size_t i = 0; i < ranges->count; i++) {
        answers[i] = answer_of(s, p, p->host.best[i]);
    }
    work->terms += (double)ranges->count * (double)p->entries * SCALES * BLOCK_PIXELS;
    return WEFT_OK;
}

/* ---- supports, create, destroy -----------------------------------------------------------------
 */

weft_status check_choices(const weft_fractal_desc *d) {
    if (d->block % WARP != 0 || d->block > MOST_BLOCK) {
        return weft_fail(WEFT_UNSUPPORTED,
                         "search cuda: block %d: must be a multiple of %d, %d at most", d->block,
                         WARP, MOST_BLOCK);
    }
    return unroll_of(d) < UNROLLS
               ? WEFT_OK
               : weft_fail(WEFT_UNSUPPORTED, "search cuda: unroll %d: must be 1, 2 or 4",
                           d->unroll);
}

/* Numbers of blocks and of threads have 31 bits. */
weft_status check_size(const search_problem *p) {
    for (int i = 0; i < p->planes; i++) {
        const plane_blocks &b = p->blocks[i];
        const cut c = cut_of(p->desc, b.ranges, b.domains, 1);
        if ((uint64_t)c.tiles * c.chunks > INT32_MAX || (uint64_t)b.domains * SCALES > INT32_MAX) {
            return weft_fail(WEFT_UNSUPPORTED,
                             "search cuda: plane %d: %zu ranges and %zu domains are too many", i,
                             b.ranges, b.domains);
        }
    }
    return WEFT_OK;
}

weft_status supports(const search_problem *p) {
    TRY(refuse_profile(NAME, p, WEFT_FRACTAL_SEED));
    TRY(refuse_elimination(NAME, p));
    TRY(check_choices(p->desc));
    TRY(check_size(p));
    TRY(device_usable(p->desc->device));
    return on_device(p->desc->device, [&]() {
        const void *kernel = (const void *)kernels_for(p->desc).find[unroll_of(p->desc)];
        return device_has_kernel(kernel);
    });
}

weft_status open_plane(plane_search *p) {
    CUDA_TRY(cudaStreamCreateWithFlags(&p->stream, cudaStreamNonBlocking));
    for (int i = 0; i < MOMENTS; i++) {
        CUDA_TRY(cudaEventCreate(&p->moments[i]));
    }
    return WEFT_OK;
}

/* Also after open_plane() stopped half-way. */
void close_plane(plane_search *p) {
    if (p->stream != NULL) {
        cudaStreamSynchronize(p->stream);
        cudaStreamDestroy(p->stream);
    }
    for (int i = 0; i < MOMENTS; i++) {
        if (p->moments[i] != NULL) {
            cudaEventDestroy(p->moments[i]);
        }
    }
}

weft_status open(cuda_search *s) {
    TRY(device_processors(&s->processors));
    TRY(device_memory.allocate(s->desc.device, lay_out(s, NULL, true), &s->device_memory_block));
    TRY(allocate_locked(lay_out(s, NULL, false), &s->host_memory_block));
    lay_out(s, s->device_memory_block, true);
    lay_out(s, s->host_memory_block, false);
    TRY(allow_shared_memory((const void *)kernels_for(&s->desc).find[unroll_of(&s->desc)]));
    for (int i = 0; i < s->planes; i++) {
        TRY(open_plane(&s->plane[i]));
    }
    return WEFT_OK;
}

void destroy(void *state) {
    cuda_search *s = (cuda_search *)state;
    if (s != NULL) {
        on_device(s->desc.device, [&]() {
            for (int i = 0; i < s->planes; i++) {
                close_plane(&s->plane[i]);
            }
            device_memory.release(s->desc.device, s->device_memory_block);
            release_locked(s->host_memory_block);
            return WEFT_OK;
        });
        free(s);
    }
}

weft_status create(const search_problem *p, void **state) {
    cuda_search *s = (cuda_search *)calloc(1, sizeof *s);
    if (s == NULL) {
        return weft_fail(WEFT_NO_MEMORY, "no memory for a search");
    }
    s->desc = *p->desc;
    s->planes = p->planes;
    s->last = -1;
    for (int i = 0; i < p->planes; i++) {
        s->plane[i].blocks = p->blocks[i];
    }
    weft_status status = on_device(s->desc.device, [&]() { return open(s); });
    if (status != WEFT_OK) {
        destroy(s);
        return status;
    }
    *state = s;
    return WEFT_OK;
}

} // namespace

extern "C" const search search_cuda;
const search search_cuda = {NAME,
                            "a GPU: ranges in registers, domains in shared memory",
                            1,
                            supports,
                            create,
                            destroy,
                            take_codebook,
                            begin,
                            find};
