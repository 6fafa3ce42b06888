/* SPDX-License-Identifier: MIT
 * An encoder: pictures -> codes -> bytes of frames. A reference is searched in its own domains and
 * then decoded; frames after it are searched in the domains of what the decoder has, where they
 * changed.
 */
#include <math.h>
#include <string.h>
#include <time.h>

#include "crc.h"
#include "description.h"
#include "encoder_parts.h"
#include "environment.h"
#include "plane.h"
#include "reconstruct.h"
#include "team.h"

/* ---- create, ask, destroy ----------------------------------------------------------------------
 */

static void set_up(weft_fractal_encoder *e) {
    const weft_fractal_desc *d = &e->desc;
    e->stream = description_stream(d, &e->domain_bits);
    e->planes = e->problem.planes = planes_of(d->chroma);
    e->problem.desc = d;
    e->bound = MOST_HEADER_BYTES + CRC_BYTES;
    for (int i = 0; i < e->planes; i++) {
        encoder_plane *p = &e->plane[i];
        p->blocks = blocks_of_plane(d->height, d->width, d->chroma, d->profile, i);
        p->format = payload_format_of(&e->stream, e->domain_bits, &p->blocks);
        e->problem.blocks[i] = p->blocks;
        e->bound += PLANE_HEADER_BYTES + payload_bound(&p->format);
    }
}

static void lay_out(weft_fractal_encoder *e, arena *a) {
    for (int i = 0; i < e->planes; i++) {
        encoder_plane *p = &e->plane[i];
        const plane_blocks *b = &p->blocks;
        uint8_t **const planes[] = {&p->now,      &p->before,    &p->original,
                                    &p->searched, &p->reference, &p->changed};
        for (size_t k = 0; k < sizeof planes / sizeof *planes; k++) {
            *planes[k] = arena_take(a, padded_pixels(b), 1);
        }
        p->half = arena_take(a, padded_pixels(b) / 4, sizeof *p->half);
        p->book.number = arena_take(a, b->domains, sizeof *p->book.number);
        p->book.values = arena_take(a, b->domains * BLOCK_PIXELS, sizeof *p->book.values);
        p->codes = arena_take(a, b->ranges, sizeof *p->codes);
        p->next = arena_take(a, b->ranges, sizeof *p->next);
        p->number = arena_take(a, b->ranges, sizeof *p->number);
        p->values = arena_take(a, b->ranges * BLOCK_PIXELS, sizeof *p->values);
        p->answers = arena_take(a, b->ranges, sizeof *p->answers);
    }
}

static weft_status open(weft_fractal_encoder *e, const char *search_name) {
    weft_status status = search_choose(search_name, &e->problem, &e->search);
    if (status != WEFT_OK) {
        return status;
    }
    lay_out(e, &e->memory);
    if ((status = arena_open(&e->memory)) != WEFT_OK) {
        return status;
    }
    lay_out(e, &e->memory);
    return e->search->create(&e->problem, &e->state);
}

/* The name of the search may end before the encoder. */
static weft_status create(weft_fractal_encoder **encoder, const weft_fractal_desc *filled,
                          const char *search_name) {
    weft_status status;
    weft_fractal_encoder *made = calloc(1, sizeof *made);
    if (made == NULL) {
        return weft_fail(WEFT_NO_MEMORY, "no memory for an encoder");
    }
    made->desc = *filled;
    made->desc.search = NULL;
    set_up(made);
    if ((status = open(made, search_name)) != WEFT_OK) {
        weft_fractal_encoder_destroy(made);
        return status;
    }
    *encoder = made;
    return WEFT_OK;
}

weft_status weft_fractal_encoder_create(weft_fractal_encoder **encoder,
                                        const weft_fractal_desc *desc) {
    weft_fractal_desc filled;
    weft_status status;
    if (encoder == NULL || desc == NULL) {
        return weft_fail(WEFT_BAD_ARGUMENT, "%s is NULL", encoder == NULL ? "encoder" : "desc");
    }
    *encoder = NULL;
    if ((status = description_fill(&filled, desc)) != WEFT_OK) {
        return status;
    }
    fenv_t callers = take_whole_environment();
    status = create(encoder, &filled, desc->search);
    give_back_whole_environment(callers);
    return status;
}

void weft_fractal_encoder_destroy(weft_fractal_encoder *encoder) {
    if (encoder != NULL) {
        fenv_t callers = take_whole_environment();
        if (encoder->search != NULL) {
            encoder->search->destroy(encoder->state);
        }
        give_back_whole_environment(callers);
        arena_close(&encoder->memory);
        free(encoder);
    }
}

const char *weft_fractal_encoder_search(const weft_fractal_encoder *encoder) {
    return encoder == NULL ? "" : encoder->search->name;
}

size_t weft_fractal_encoder_bound(const weft_fractal_encoder *encoder) {
    return encoder == NULL ? 0 : encoder->bound;
}

const weft_fractal_code *weft_fractal_encoder_codes(const weft_fractal_encoder *encoder, int plane,
                                                    size_t *count) {
    int is_there = encoder != NULL && plane >= 0 && plane < encoder->planes && encoder->frames > 0;
    if (count != NULL) {
        *count = is_there ? encoder->plane[plane].blocks.ranges : 0;
    }
    return is_there ? encoder->plane[plane].codes : NULL;
}

weft_status weft_fractal_write_header(const weft_fractal_encoder *encoder, void *out,
                                      size_t *written) {
    if (encoder == NULL || out == NULL || written == NULL) {
        return weft_fail(WEFT_BAD_ARGUMENT, "%s is NULL",
                         encoder == NULL ? "encoder"
                         : out == NULL   ? "out"
                                         : "written");
    }
    *written = stream_write(&encoder->stream, encoder->domain_bits, out);
    return WEFT_OK;
}

/* ---- search ------------------------------------------------------------------------------------
 */

static double seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static int search_makes_codebook(const weft_fractal_encoder *e) {
    return e->search->makes_codebook && e->desc.codebook == WEFT_FRACTAL_DEVICE;
}

/* The domains of a plane: of the frame itself, or of the decoded reference. */
static weft_status take_codebook(weft_fractal_encoder *e, int i, int is_reference) {
    encoder_plane *p = &e->plane[i];
    if (!is_reference && p->book_is_of_reference) {
        return WEFT_OK;
    }
    p->book_is_of_reference = !is_reference;
    p->book.plane = is_reference ? p->now : p->reference;
    if (!search_makes_codebook(e)) {
        if (is_reference) { /* otherwise the half image is there */
            plane_halve(&p->blocks, p->now, p->half);
        }
        codebook_make(&p->book, &p->blocks, p->book.plane, p->half, e->desc.pruning);
    }
    return e->search->take_codebook(e->state, i, &p->book);
}

/* What was looked for, first .. end - 1 of the list: answers become codes. A code that is the last
 * one again is said so. */
static void take_answers(weft_fractal_encoder *e, encoder_plane *p, size_t first, size_t end,
                         int is_reference) {
    for (size_t i = first; i < end; i++) {
        weft_fractal_code *code = &p->next[p->number[i]], last = p->codes[p->number[i]];
        search_answer found = p->answers[i];
        int is_flat = found.z == flat_of(e->desc.profile);
        code->domain = found.domain;
        code->z = found.z;
        code->scale = (signed char)(is_flat ? 0 : e->stream.scale[found.z]);
        if (!is_reference && !e->desc.raw_codes && code->domain == last.domain &&
            code->z == last.z && code->mean == last.mean) {
            code->mode = WEFT_FRACTAL_REPEATED;
        }
    }
}

static void remember_searched(encoder_plane *p, size_t first, size_t end) {
    for (size_t i = first; i < end; i++) {
        size_t corner = first_of_range(&p->blocks, p->number[i]);
        for (size_t m = 0; m < BLOCK_SIDE; m++) {
            size_t at = corner + m * p->blocks.padded_width;
            memcpy(p->searched + at, p->now + at, BLOCK_SIDE);
        }
    }
}

static void count_modes(const weft_fractal_encoder *e, encoder_plane *p) {
    double terms = (double)p->list.count * (double)p->book.count * BLOCK_PIXELS;
    p->counts.searched = p->list.count;
    p->counts.domains = p->book.count;
    p->counts.terms_decided = e->desc.profile == WEFT_FRACTAL_DENSE ? terms : terms * SEED_SCALES;
    for (size_t i = 0; i < p->blocks.ranges; i++) {
        p->counts.coded += p->next[i].mode == WEFT_FRACTAL_CODED;
        p->counts.repeated += p->next[i].mode == WEFT_FRACTAL_REPEATED;
        p->counts.flat += p->next[i].mode == WEFT_FRACTAL_CODED && p->next[i].scale == 0;
    }
}

/* A search that can begins with what is listed. */
static weft_status begin_plane(weft_fractal_encoder *e, int i, int is_reference) {
    encoder_plane *p = &e->plane[i];
    if (p->list.count == 0) {
        return WEFT_OK;
    }
    weft_status status = take_codebook(e, i, is_reference);
    if (status == WEFT_OK && e->search->begin != NULL) {
        double began = seconds();
        status = e->search->begin(e->state, i, &p->list);
        e->search_seconds += seconds() - began;
    }
    return status;
}

static weft_status find_plane(weft_fractal_encoder *e, int i) {
    encoder_plane *p = &e->plane[i];
    double began = seconds(), terms = e->work.terms;
    if (p->list.count > 0) {
        weft_status status = e->search->find(e->state, i, &p->list, p->answers, &e->work);
        if (status != WEFT_OK) {
            return status;
        }
    }
    e->search_seconds += seconds() - began;
    p->counts.terms_evaluated = e->work.terms - terms;
    return WEFT_OK;
}

/* ---- what the decoder will have ----------------------------------------------------------------
 */

static void decode_reference(const weft_fractal_encoder *e, encoder_plane *p) {
    memcpy(p->original, p->now, padded_pixels(&p->blocks));
    memset(p->reference, START_VALUE, padded_pixels(&p->blocks));
    for (int i = 0; i < e->desc.iterations; i++) {
        reconstruct_from_itself(&p->blocks, e->desc.profile, p->next, p->half, p->reference);
    }
    plane_halve(&p->blocks, p->reference, p->half);
}

static void decode_changes(const weft_fractal_encoder *e, encoder_plane *p) {
    memcpy(p->changed, p->reference, padded_pixels(&p->blocks));
    reconstruct(&p->blocks, e->desc.profile, p->next, p->half, p->changed);
}

static void measure(encoder_plane *p, const uint8_t *decoded) {
    double pixels = (double)p->blocks.height * (double)p->blocks.width;
    double mean = (double)plane_squared_error(&p->blocks, p->now, decoded) / pixels;
    p->counts.mean_square_error = mean;
    p->counts.psnr = mean > 0 ? 10 * log10(255.0 * 255.0 / mean) : HUGE_VAL;
}

static void decode(const weft_fractal_encoder *e, encoder_plane *p, int is_reference,
                   int is_measured) {
    if (is_reference) {
        decode_reference(e, p);
    } else if (is_measured) {
        decode_changes(e, p);
    }
    if (is_measured) {
        measure(p, is_reference ? p->reference : p->changed);
    }
}

/* ---- a frame -----------------------------------------------------------------------------------
 */

/* What finishing the planes of a frame takes; the bytes of a plane begin where those before it have
 * to end. */
typedef struct finishing {
    weft_fractal_encoder *encoder;
    int is_reference, is_measured;
    uint8_t *out[WEFT_FRACTAL_PLANES];
} finishing;

static void write_plane(encoder_plane *p, int is_reference, uint8_t *out) {
    enum plane_type type = is_reference ? TYPE_REFERENCE : TYPE_CHANGES;
    size_t bytes = payload_write(&p->format, type, p->next, p->codes, out + PLANE_HEADER_BYTES);
    out[0] = (uint8_t)type;
    put_u32(out + 1, (uint32_t)bytes);
    p->counts.bytes = bytes + PLANE_HEADER_BYTES;
}

static void take_part(const finishing *f, size_t i, size_t part) {
    encoder_plane *p = &f->encoder->plane[i];
    const size_t first = p->list.count * part / PARTS, end = p->list.count * (part + 1) / PARTS;
    take_answers(f->encoder, p, first, end, f->is_reference);
    remember_searched(p, first, end);
}

static void finish_plane(const finishing *f, size_t i, int decodes) {
    encoder_plane *p = &f->encoder->plane[i];
    if (decodes) {
        count_modes(f->encoder, p);
        decode(f->encoder, p, f->is_reference, f->is_measured);
    } else {
        write_plane(p, f->is_reference, f->out[i]);
    }
}

/* For team_run(): answers become codes; and these become, by two tasks, bytes and pixels. */
static void finish_planes(const void *of, size_t pass, size_t member, size_t first, size_t end) {
    const finishing *f = of;
    (void)member;
    for (size_t task = first; task < end; task++) {
        if (pass == 0) {
            take_part(f, task / PARTS, task % PARTS);
        } else {
            finish_plane(f, task / 2, task % 2);
        }
    }
}

static void finish_alone(const finishing *f, size_t i) {
    for (size_t part = 0; part < PARTS; part++) {
        take_part(f, i, part);
    }
    finish_plane(f, i, 0);
    finish_plane(f, i, 1);
}

/* Threads finish the planes, or, if there is one thread, it does so while a search that can goes on
 * with the planes behind it. */
static weft_status find_and_finish(weft_fractal_encoder *e, const finishing *f) {
    const size_t planes = (size_t)e->planes, threads = threads_of(e);
    const team_work all = {.run = finish_planes,
                           .of = f,
                           .passes = 2,
                           .tasks = {{planes * PARTS, 1}, {2 * planes, 1}}};
    weft_status status = WEFT_OK;
    for (int i = 0; i < e->planes && status == WEFT_OK; i++) {
        status = find_plane(e, i);
        if (status == WEFT_OK && threads == 1) {
            finish_alone(f, (size_t)i);
        }
    }
    if (status == WEFT_OK && threads > 1) {
        team_run(&all, threads);
    }
    return status;
}

/* Moves the planes together. */
static size_t join_planes(const weft_fractal_encoder *e, const finishing *f) {
    uint8_t *out = f->out[0];
    size_t size = 0;
    for (int i = 0; i < e->planes; i++) {
        memmove(out + size, f->out[i], e->plane[i].counts.bytes);
        size += e->plane[i].counts.bytes;
    }
    put_u32(out + size, crc_of(out, size));
    return size + CRC_BYTES;
}

static weft_status encode_planes(weft_fractal_encoder *e, int is_reference, int is_measured,
                                 uint8_t *out, size_t *written) {
    finishing f = {.encoder = e, .is_reference = is_reference, .is_measured = is_measured};
    weft_status status = WEFT_OK;
    for (int i = 0; i < e->planes && status == WEFT_OK; i++) {
        f.out[i] = out;
        out += PLANE_HEADER_BYTES + payload_bound(&e->plane[i].format);
        status = begin_plane(e, i, is_reference);
    }
    if (status == WEFT_OK && (status = find_and_finish(e, &f)) == WEFT_OK) {
        *written = join_planes(e, &f);
    }
    return status;
}

static void report(const weft_fractal_encoder *e, int is_reference, size_t bytes,
                   weft_fractal_frame *frame) {
    *frame = (weft_fractal_frame){.bytes = bytes,
                                  .is_reference = is_reference,
                                  .planes = e->planes,
                                  .search_seconds = e->search_seconds,
                                  .transfer_seconds = e->work.transfer_seconds,
                                  .kernel_seconds = e->work.kernel_seconds};
    for (int i = 0; i < e->planes; i++) {
        frame->plane[i] = e->plane[i].counts;
    }
}

static void finish(weft_fractal_encoder *e, int is_reference) {
    for (int i = 0; i < e->planes; i++) {
        encoder_plane *p = &e->plane[i];
        weft_fractal_code *last = p->codes;
        p->codes = p->next;
        p->next = last;
        p->book_is_of_reference &= !is_reference;
    }
    e->frames += e->frames < UINT32_MAX;
    e->since_refresh = is_reference ? 1 : e->since_refresh + (e->since_refresh < UINT32_MAX);
}

static weft_status check_call(const weft_fractal_encoder *e, const weft_fractal_picture *picture,
                              const void *out, const size_t *written) {
    weft_status status = WEFT_OK;
    if (e == NULL || picture == NULL || out == NULL || written == NULL) {
        return weft_fail(WEFT_BAD_ARGUMENT, "%s is NULL",
                         e == NULL         ? "encoder"
                         : picture == NULL ? "picture"
                         : out == NULL     ? "out"
                                           : "written");
    }
    if (e->has_failed) {
        return weft_fail(WEFT_BAD_ARGUMENT, "encoder: a device failed it before");
    }
    if (e->desc.frames > 0 && e->frames >= e->desc.frames) {
        return weft_fail(WEFT_BAD_ARGUMENT, "frame %u: the header says %u frames", e->frames,
                         e->desc.frames);
    }
    for (int i = 0; i < e->planes && status == WEFT_OK; i++) {
        status = picture_check(picture, &e->plane[i].blocks, i);
    }
    return status;
}

static weft_status encode_frame(weft_fractal_encoder *encoder, const weft_fractal_picture *picture,
                                void *out, size_t *written, weft_fractal_frame *frame) {
    weft_status status;
    encoder->search_seconds = 0;
    encoder->work = (search_work){0};
    int is_reference = prepare_frame(encoder, picture);
    if ((status = encode_planes(encoder, is_reference, frame != NULL, out, written)) != WEFT_OK) {
        encoder->has_failed = 1;
        return status;
    }
    if (frame != NULL) {
        report(encoder, is_reference, *written, frame);
    }
    finish(encoder, is_reference);
    return WEFT_OK;
}

weft_status weft_fractal_encode(weft_fractal_encoder *encoder, const weft_fractal_picture *picture,
                                void *out, size_t *written, weft_fractal_frame *frame) {
    weft_status status = check_call(encoder, picture, out, written);
    if (status != WEFT_OK) {
        return status;
    }
    fenv_t callers = take_whole_environment(); /* a search may be CUDA's */
    status = encode_frame(encoder, picture, out, written, frame);
    give_back_whole_environment(callers);
    return status;
}
