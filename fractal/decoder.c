/* SPDX-License-Identifier: MIT
 * A decoder: bytes of frames -> codes -> pictures. Whatever a header asks for is held to limits
 * before anything is allocated; a frame is read as a whole before any of it counts.
 */
#include <limits.h>
#include <string.h>

#include "arena.h"
#include "crc.h"
#include "device.h"
#include "environment.h"
#include "payload.h"
#include "plane.h"
#include "reconstruct.h"
#include "stream.h"

typedef struct decoder_plane {
    plane_blocks blocks; /* enlarged */
    payload_format format;
    size_t most_bytes; /* of a payload */
    weft_fractal_code *codes, *next;
    weft_fractal_parts parts;
    uint8_t *reference, *changed; /* the frame is in the latter unless it is a reference */
    uint16_t *half;               /* of the reference */
} decoder_plane;

#if WEFT_WITH_CUDA
static const device_decoder *const on_device = &device_decoder_cuda;
#else
static const device_decoder *const on_device = NULL;
#endif

struct weft_fractal_decoder {
    weft_fractal_stream stream;
    weft_fractal_decoding decoding;
    arena memory;
    void *device; /* the state of on_device; NULL: decodes here */
    double kernel_seconds;
    int has_failed;
    int planes, iterations, is_reference;
    int has_pixels; /* of the reference */
    size_t scale, height, width;
    unsigned frames; /* that were decoded, up to UINT_MAX */
    decoder_plane plane[WEFT_FRACTAL_PLANES];
};

/* ---- create, destroy ---------------------------------------------------------------------------
 */

static weft_status check_decoding(const weft_fractal_decoding *d) {
    for (size_t i = 0; i < sizeof d->reserved / sizeof *d->reserved; i++) {
        if (d->reserved[i] != 0) {
            return weft_fail(WEFT_BAD_ARGUMENT, "reserved[%zu] is not 0", i);
        }
    }
    if (d->scale != 0 && d->scale != 1 && d->scale != 2 && d->scale != 4) {
        return weft_fail(WEFT_BAD_ARGUMENT, "scale %d: must be 1, 2 or 4", d->scale);
    }
    if (d->iterations < 0 || d->iterations > MOST_ITERATIONS) {
        return weft_fail(WEFT_BAD_ARGUMENT, "iterations %d: must be 1 to %d, or 0", d->iterations,
                         MOST_ITERATIONS);
    }
    if ((unsigned)d->start > WEFT_FRACTAL_START_NOISE) {
        return weft_fail(WEFT_BAD_ARGUMENT, "start %d: see weft_fractal_start", (int)d->start);
    }
    if ((unsigned)d->place > WEFT_FRACTAL_DEVICE || d->device < 0) {
        return weft_fail(WEFT_BAD_ARGUMENT, "place %d, device %d: see weft_fractal_decoding",
                         (int)d->place, d->device);
    }
    return d->place == WEFT_FRACTAL_HOST || on_device != NULL
               ? WEFT_OK
               : weft_fail(WEFT_UNSUPPORTED, "place: this library is built without CUDA");
}

static void set_up(weft_fractal_decoder *d, int domain_bits) {
    const weft_fractal_stream *s = &d->stream;
    d->planes = planes_of(s->chroma);
    d->scale = d->decoding.scale > 0 ? (size_t)d->decoding.scale : 1;
    d->iterations = d->decoding.iterations > 0 ? d->decoding.iterations : s->iterations;
    d->height = s->height * d->scale;
    d->width = s->width * d->scale;
    for (int i = 0; i < d->planes; i++) {
        decoder_plane *p = &d->plane[i];
        plane_blocks b = blocks_of_plane(s->height, s->width, s->chroma, s->profile, i);
        p->format = payload_format_of(s, domain_bits, &b);
        p->most_bytes = payload_bound(&p->format);
        p->blocks =
            blocks_enlarged(&b, d->scale, weft_fractal_plane_height(d->height, s->chroma, i),
                            weft_fractal_plane_width(d->width, s->chroma, i));
    }
}

static weft_status check_limits(const weft_fractal_decoder *d) {
    const size_t most_pixels =
        d->decoding.most_pixels > 0 ? d->decoding.most_pixels : (size_t)1 << 27;
    const size_t most_work = d->decoding.most_work > 0 ? d->decoding.most_work : (size_t)1 << 31;
    size_t pixels = 0;
    for (int i = 0; i < d->planes; i++) {
        const decoder_plane *p = &d->plane[i];
        pixels += padded_pixels(&p->blocks);
        if (p->format.raw_codes && p->format.domain_bits == RAW_DOMAIN_BITS &&
            p->format.domains > (size_t)1 << RAW_DOMAIN_BITS) {
            return weft_fail(WEFT_BAD_DATA, "header: %zu domains have no numbers of %d bits",
                             p->format.domains, RAW_DOMAIN_BITS);
        }
    }
    if (pixels > most_pixels) {
        return weft_fail(WEFT_UNSUPPORTED,
                         "%zux%zu: %zu pixels of all planes: at most %zu are allowed", d->height,
                         d->width, pixels, most_pixels);
    }
    size_t work = pixels * (size_t)d->iterations;
    return work <= most_work
               ? WEFT_OK
               : weft_fail(
                     WEFT_UNSUPPORTED,
                     "%zux%zu, %d iterations: %zu pixels to be computed: at most %zu are allowed",
                     d->height, d->width, d->iterations, work, most_work);
}

static void lay_out(weft_fractal_decoder *d, arena *a) {
    for (int i = 0; i < d->planes; i++) {
        decoder_plane *p = &d->plane[i];
        size_t pixels = padded_pixels(&p->blocks);
        p->codes = arena_take(a, p->blocks.ranges, sizeof *p->codes);
        p->next = arena_take(a, p->blocks.ranges, sizeof *p->next);
        p->reference = arena_take(a, pixels, 1);
        p->changed = arena_take(a, pixels, 1);
        p->half = arena_take(a, pixels / 4, sizeof *p->half);
    }
}

static weft_status open_device(weft_fractal_decoder *d) {
    device_problem problem = {
        .device = d->decoding.device, .planes = d->planes, .profile = d->stream.profile};
    for (int i = 0; i < d->planes; i++) {
        problem.blocks[i] = d->plane[i].blocks;
    }
    fenv_t callers = take_whole_environment();
    weft_status status = on_device->create(&problem, &d->device);
    give_back_whole_environment(callers);
    return status;
}

static weft_status create(weft_fractal_decoder **decoder, const weft_fractal_decoder *wanted) {
    weft_fractal_decoder *made = malloc(sizeof *made);
    weft_status status;
    if (made == NULL) {
        return weft_fail(WEFT_NO_MEMORY, "no memory for a decoder");
    }
    *made = *wanted;
    lay_out(made, &made->memory);
    if ((status = arena_open(&made->memory)) != WEFT_OK) {
        free(made);
        return status;
    }
    lay_out(made, &made->memory);
    if (made->decoding.place == WEFT_FRACTAL_DEVICE && (status = open_device(made)) != WEFT_OK) {
        weft_fractal_decoder_destroy(made);
        return status;
    }
    *decoder = made;
    return WEFT_OK;
}

weft_status weft_fractal_decoder_create(weft_fractal_decoder **decoder,
                                        const weft_fractal_decoding *decoding, const void *header,
                                        size_t count) {
    weft_fractal_decoder wanted;
    int domain_bits;
    weft_status status;
    memset(&wanted, 0, sizeof wanted);
    if (decoder == NULL || header == NULL) {
        return weft_fail(WEFT_BAD_ARGUMENT, "%s is NULL", decoder == NULL ? "decoder" : "header");
    }
    *decoder = NULL;
    if (decoding != NULL) {
        wanted.decoding = *decoding;
    }
    if ((status = check_decoding(&wanted.decoding)) != WEFT_OK ||
        (status = stream_read(&wanted.stream, &domain_bits, header, count)) != WEFT_OK) {
        return status;
    }
    set_up(&wanted, domain_bits);
    status = check_limits(&wanted);
    return status == WEFT_OK ? create(decoder, &wanted) : status;
}

void weft_fractal_decoder_destroy(weft_fractal_decoder *decoder) {
    if (decoder != NULL) {
        if (decoder->device != NULL) {
            fenv_t callers = take_whole_environment();
            on_device->destroy(decoder->device);
            give_back_whole_environment(callers);
        }
        arena_close(&decoder->memory);
        free(decoder);
    }
}

/* ---- ask ---------------------------------------------------------------------------------------
 */

static const decoder_plane *plane_of(const weft_fractal_decoder *d, int plane) {
    return d != NULL && plane >= 0 && plane < d->planes ? &d->plane[plane] : NULL;
}

const weft_fractal_stream *weft_fractal_decoder_stream(const weft_fractal_decoder *decoder) {
    return decoder == NULL ? NULL : &decoder->stream;
}

size_t weft_fractal_decoder_height(const weft_fractal_decoder *decoder) {
    return decoder == NULL ? 0 : decoder->height;
}

size_t weft_fractal_decoder_width(const weft_fractal_decoder *decoder) {
    return decoder == NULL ? 0 : decoder->width;
}

const weft_fractal_code *weft_fractal_decoder_codes(const weft_fractal_decoder *decoder, int plane,
                                                    size_t *count) {
    const decoder_plane *p = plane_of(decoder, plane);
    int is_there = p != NULL && decoder->frames > 0;
    if (count != NULL) {
        *count = is_there ? p->blocks.ranges : 0;
    }
    return is_there ? p->codes : NULL;
}

weft_fractal_parts weft_fractal_decoder_parts(const weft_fractal_decoder *decoder, int plane) {
    const decoder_plane *p = plane_of(decoder, plane);
    return p == NULL ? (weft_fractal_parts){0} : p->parts;
}

int weft_fractal_decoder_is_reference(const weft_fractal_decoder *decoder) {
    return decoder != NULL && decoder->is_reference;
}

double weft_fractal_decoder_kernel_seconds(const weft_fractal_decoder *decoder) {
    return decoder == NULL ? 0 : decoder->kernel_seconds;
}

/* ---- frames of bytes ---------------------------------------------------------------------------
 */

weft_status weft_fractal_header_size(const void *bytes, size_t count, size_t *size) {
    if (bytes == NULL || size == NULL) {
        return weft_fail(WEFT_BAD_ARGUMENT, "%s is NULL", bytes == NULL ? "bytes" : "size");
    }
    return stream_size(bytes, count, size);
}

static weft_status check_plane_header(const weft_fractal_decoder *d, int i, const uint8_t *bytes,
                                      int type) {
    size_t payload = get_u32(bytes + 1);
    if (bytes[0] > TYPE_CHANGES) {
        return weft_fail(bytes[0] < FIRST_UNKNOWN ? WEFT_UNSUPPORTED : WEFT_BAD_DATA,
                         "frame %u, plane %d: of type %d, which is not known", d->frames, i,
                         bytes[0]);
    }
    if (bytes[0] != type) {
        return weft_fail(WEFT_BAD_DATA, "frame %u, plane %d: of type %d behind a plane of type %d",
                         d->frames, i, bytes[0], type);
    }
    if (type == TYPE_CHANGES && d->frames == 0) {
        return weft_fail(WEFT_BAD_DATA, "frame 0: has changes, but there is no frame before");
    }
    return payload <= d->plane[i].most_bytes
               ? WEFT_OK
               : weft_fail(WEFT_BAD_DATA, "frame %u, plane %d: %zu bytes of codes: at most %zu",
                           d->frames, i, payload, d->plane[i].most_bytes);
}

/* Where the payloads begin, as far as the bytes go, and the size of the frame as far as known. */
static weft_status outline(const weft_fractal_decoder *d, const uint8_t *bytes, size_t count,
                           size_t begin[WEFT_FRACTAL_PLANES], size_t *size) {
    *size = 0;
    if (d->stream.frames > 0 && d->frames >= d->stream.frames) {
        return weft_fail(WEFT_BAD_DATA, "bytes behind the last of %u frames", d->stream.frames);
    }
    for (int i = 0; i < d->planes; i++) {
        size_t at = *size;
        *size += PLANE_HEADER_BYTES;
        if (*size > count) {
            break;
        }
        weft_status status = check_plane_header(d, i, bytes + at, bytes[0]);
        if (status != WEFT_OK) {
            return status;
        }
        begin[i] = *size;
        *size += get_u32(bytes + at + 1);
    }
    *size += CRC_BYTES;
    return WEFT_OK;
}

static weft_status check_bytes(const weft_fractal_decoder *decoder, const void *bytes) {
    return decoder == NULL || bytes == NULL
               ? weft_fail(WEFT_BAD_ARGUMENT, "%s is NULL", decoder == NULL ? "decoder" : "bytes")
               : WEFT_OK;
}

weft_status weft_fractal_frame_size(const weft_fractal_decoder *decoder, const void *bytes,
                                    size_t count, size_t *size) {
    size_t begin[WEFT_FRACTAL_PLANES];
    weft_status status = check_bytes(decoder, bytes);
    if (status != WEFT_OK) {
        return status;
    }
    return size == NULL ? weft_fail(WEFT_BAD_ARGUMENT, "size is NULL")
                        : outline(decoder, bytes, count, begin, size);
}

weft_status weft_fractal_decoder_end(const weft_fractal_decoder *decoder) {
    if (decoder == NULL) {
        return weft_fail(WEFT_BAD_ARGUMENT, "decoder is NULL");
    }
    return decoder->frames >= decoder->stream.frames
               ? WEFT_OK
               : weft_fail(WEFT_BAD_DATA, "ends after %u of %u frames", decoder->frames,
                           decoder->stream.frames);
}

/* Into `next` and `parts`: nothing counts yet. */
static weft_status read_frame(weft_fractal_decoder *d, const uint8_t *bytes, size_t count,
                              weft_fractal_parts parts[WEFT_FRACTAL_PLANES]) {
    size_t begin[WEFT_FRACTAL_PLANES], size;
    weft_status status = outline(d, bytes, count, begin, &size);
    if (status != WEFT_OK) {
        return status;
    }
    if (size != count) {
        return weft_fail(WEFT_BAD_DATA, "frame %u: has %zu bytes, not %zu", d->frames, size, count);
    }
    if (get_u32(bytes + count - CRC_BYTES) != crc_of(bytes, count - CRC_BYTES)) {
        return weft_fail(WEFT_BAD_DATA, "frame %u: damaged: its checksum is another", d->frames);
    }
    for (int i = 0; i < d->planes && status == WEFT_OK; i++) {
        decoder_plane *p = &d->plane[i];
        parts[i] = (weft_fractal_parts){.header = 8 * PLANE_HEADER_BYTES};
        status = payload_read(&p->format, (enum plane_type)bytes[0], bytes + begin[i],
                              get_u32(bytes + begin[i] - 4), p->codes, p->next, &parts[i]);
    }
    return status;
}

/* ---- pictures ----------------------------------------------------------------------------------
 */

static void begin_plane(const weft_fractal_decoder *d, decoder_plane *p) {
    static const uint8_t values[] = {START_VALUE, 0, 255};
    size_t pixels = padded_pixels(&p->blocks);
    if (d->decoding.start != WEFT_FRACTAL_START_NOISE) {
        memset(p->reference, values[d->decoding.start], pixels);
        return;
    }
    uint64_t state = 1; /* Knuth's generator, of which the highest bits are the best */
    for (size_t i = 0; i < pixels; i++) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        p->reference[i] = (uint8_t)(state >> 56);
    }
}

static void tell(const weft_fractal_decoder *d, int iteration) {
    weft_fractal_picture picture = {{NULL}, {0}};
    if (d->decoding.trace != NULL) {
        for (int i = 0; i < d->planes; i++) {
            picture.plane[i] = d->plane[i].reference;
            picture.pitch[i] = d->plane[i].blocks.padded_width;
        }
        d->decoding.trace(d->decoding.trace_of, iteration, &picture);
    }
}

static device_frame frame_of(const weft_fractal_decoder *d, int is_reference) {
    device_frame frame = {{NULL}, {NULL}};
    for (int i = 0; i < d->planes; i++) {
        const decoder_plane *p = &d->plane[i];
        frame.codes[i] = p->codes;
        frame.pixels[i] = is_reference ? p->reference : p->changed;
    }
    return frame;
}

/* All iterations on a device, or one after another if somebody wants to see each. */
static weft_status iterate_on_device(weft_fractal_decoder *d) {
    const device_frame frame = frame_of(d, 1);
    const int each = d->decoding.trace != NULL ? 1 : d->iterations;
    weft_status status = WEFT_OK;
    for (int done = 0; done < d->iterations && status == WEFT_OK; done += each) {
        double seconds = 0;
        fenv_t callers = take_whole_environment();
        status = on_device->iterate(d->device, &frame, each, &seconds);
        give_back_whole_environment(callers);
        d->kernel_seconds += seconds;
        if (status == WEFT_OK && each == 1) {
            tell(d, done + 1);
        }
    }
    return status;
}

static void iterate(weft_fractal_decoder *d) {
    for (int iteration = 1; iteration <= d->iterations; iteration++) {
        for (int i = 0; i < d->planes; i++) {
            decoder_plane *p = &d->plane[i];
            reconstruct_from_itself(&p->blocks, d->stream.profile, p->codes, p->half, p->reference);
        }
        tell(d, iteration);
    }
    for (int i = 0; i < d->planes; i++) {
        plane_halve(&d->plane[i].blocks, d->plane[i].reference, d->plane[i].half);
    }
}

static weft_status decode_reference(weft_fractal_decoder *d) {
    weft_status status = WEFT_OK;
    for (int i = 0; i < d->planes; i++) {
        begin_plane(d, &d->plane[i]);
    }
    tell(d, 0);
    if (d->device != NULL) {
        status = iterate_on_device(d);
    } else {
        iterate(d);
    }
    d->has_pixels = status == WEFT_OK;
    return status;
}

static weft_status decode_changes(weft_fractal_decoder *d) {
    if (d->device != NULL) {
        const device_frame frame = frame_of(d, 0);
        fenv_t callers = take_whole_environment();
        weft_status status = on_device->change(d->device, &frame, &d->kernel_seconds);
        give_back_whole_environment(callers);
        return status;
    }
    for (int i = 0; i < d->planes; i++) {
        decoder_plane *p = &d->plane[i];
        memcpy(p->changed, p->reference, padded_pixels(&p->blocks));
        reconstruct(&p->blocks, d->stream.profile, p->codes, p->half, p->changed);
    }
    return WEFT_OK;
}

static void store(const weft_fractal_decoder *d, const weft_fractal_picture *picture) {
    for (int i = 0; i < d->planes; i++) {
        const decoder_plane *p = &d->plane[i];
        size_t pitch = picture->pitch[i] > 0 ? picture->pitch[i] : p->blocks.width;
        plane_store(&p->blocks, d->is_reference ? p->reference : p->changed, picture->plane[i],
                    pitch);
    }
}

static weft_status check_picture(const weft_fractal_decoder *d,
                                 const weft_fractal_picture *picture) {
    weft_status status = WEFT_OK;
    for (int i = 0; picture != NULL && i < d->planes && status == WEFT_OK; i++) {
        status = picture_check(picture, &d->plane[i].blocks, i);
    }
    return status;
}

static void take_codes(weft_fractal_decoder *d, int is_reference,
                       const weft_fractal_parts parts[WEFT_FRACTAL_PLANES]) {
    for (int i = 0; i < d->planes; i++) {
        decoder_plane *p = &d->plane[i];
        weft_fractal_code *before = p->codes;
        p->codes = p->next;
        p->next = before;
        p->parts = parts[i];
    }
    d->is_reference = is_reference;
    d->has_pixels &= !is_reference;
    d->frames += d->frames < UINT_MAX;
}

weft_status weft_fractal_decode(weft_fractal_decoder *decoder, const void *bytes, size_t count,
                                const weft_fractal_picture *picture) {
    weft_fractal_parts parts[WEFT_FRACTAL_PLANES];
    weft_status status = check_bytes(decoder, bytes);
    if (status == WEFT_OK && decoder->has_failed) {
        return weft_fail(WEFT_BAD_ARGUMENT, "decoder: a device failed it before");
    }
    if (status != WEFT_OK || (status = check_picture(decoder, picture)) != WEFT_OK ||
        (status = read_frame(decoder, bytes, count, parts)) != WEFT_OK) {
        return status;
    }
    int is_reference = *(const uint8_t *)bytes == TYPE_REFERENCE;
    if (picture != NULL && !is_reference && !decoder->has_pixels) {
        return weft_fail(WEFT_BAD_ARGUMENT, "picture: its reference was decoded without one");
    }
    take_codes(decoder, is_reference, parts);
    decoder->kernel_seconds = 0;
    if (picture != NULL) {
        status = is_reference ? decode_reference(decoder) : decode_changes(decoder);
        if (status != WEFT_OK) {
            decoder->has_failed = 1;
            return status;
        }
        store(decoder, picture);
    }
    return WEFT_OK;
}
