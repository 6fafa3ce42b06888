/* SPDX-License-Identifier: MIT
 * The DirectX 11 sample on the kernels of uav.cuh and slm.cuh; see sample.h. A choice of the
 * description is a type here, so that a kernel has nothing to decide; the switches at the end pick
 * one.
 */
#include "reproduce/dx11/sample.h"

#include <stdlib.h>

#include "base/device.h"
#include "base/launch.cuh"
#include "passes/slm.cuh"
#include "passes/uav.cuh"
#include "reproduce/dx11/textures.cuh"

struct dx11_sample {
    dx11_desc desc;
    int log2_height, log2_width;
    const dx11_texel *tables[2]; /* along x, along y */
    void *textures[2];           /* two complex pictures, read and written in turn */
    void *copied;                /* RGBA32F picture, NULL unless it is wanted */
    unsigned long long *sums;    /* of a byte_tally */
    int spectrum_in;             /* which of the two the forward transform ends in */
};

namespace {

/* ---- one transform, every choice a type ------------------------------------------------------ */

/* Launches the forward and the inverse transform of one sample. Texture is planes4_texture or a
 * sibling, Weights a pair of them, along x and along y, Tally what sees the bytes. */
template <class Texture, class Weights, class Tally> struct dx11_run {
    const dx11_sample &s;
    launcher launches;
    Weights weights[2];
    Tally tally;

    template <class Picture> bound<Picture, Tally> picture(Picture pixels) const {
        return {pixels, (unsigned)s.desc.width, tally};
    }

    bound<Texture, Tally> texture(int index) const {
        return {Texture::at(s.textures[index], s.desc.height * s.desc.width),
                (unsigned)s.desc.width, tally};
    }

    /* `first` is the texture that a first pass writes. */
    template <class Source, class Sink>
    weft_status axis(int along_y, int inverse, int first, Source source, Sink sink) const {
        dx11_axis line = {along_y ? s.log2_height : s.log2_width, along_y, inverse};
        dx11_extent all = {s.log2_height, s.log2_width, 1};
        if (s.desc.technique == DX11_SLM) {
            return slm_axis(launches, weights[along_y], line, all, 0, source, sink);
        }
        bound<Texture, Tally> between[2] = {texture(0), texture(1)};
        return uav_axis(launches, weights[along_y], line, all, between, first, source, sink);
    }

    /* The texture that the last pass of an axis writes, of those that begin with `first`. */
    int ends_in(int along_y, int first) const {
        int passes = dx11_passes(along_y ? s.log2_height : s.log2_width);
        return s.desc.technique == DX11_SLM ? first : (first + passes - 1) & 1;
    }

    template <class Source> weft_status forward_from(Source source) const {
        int middle = ends_in(0, 0), end = ends_in(1, 1 - middle);
        weft_status status = axis(0, 0, 0, source, texture(middle));
        return status == WEFT_OK ? axis(1, 0, 1 - middle, texture(middle), texture(end)) : status;
    }

    template <class Sink> weft_status inverse_to(Sink sink) const {
        int start = s.spectrum_in, middle = ends_in(0, 1 - start);
        weft_status status = axis(0, 1, 1 - start, texture(start), texture(middle));
        return status == WEFT_OK ? axis(1, 1, 1 - middle, texture(middle), sink) : status;
    }

    weft_status copy(const void *from) const {
        copy_job<bound<rgba8_picture, Tally>, bound<float_picture, Tally>> job = {
            picture(rgba8_picture{(uchar4 *)from}), picture(float_picture{(float4 *)s.copied}),
            (unsigned)s.desc.width, (unsigned)s.desc.height};
        launch_shape shape = {};
        shape.blocks = (unsigned)((s.desc.height * s.desc.width + COPY_THREADS - 1) / COPY_THREADS);
        shape.threads = COPY_THREADS;
        return launches(copy_picture<bound<rgba8_picture, Tally>, bound<float_picture, Tally>>,
                        shape, job);
    }

    weft_status forward(const void *from) const {
        if (s.desc.source == DX11_DIRECT) {
            return forward_from(picture(rgba8_picture{(uchar4 *)from}));
        }
        weft_status status = copy(from);
        return status == WEFT_OK ? forward_from(picture(float_picture{(float4 *)s.copied}))
                                 : status;
    }

    weft_status first_axis(const void *from) const {
        bound<Texture, Tally> to = texture(ends_in(0, 0));
        return s.desc.technique == DX11_UAV ? axis(0, 0, 0, texture(1), to)
               : s.desc.source == DX11_COPY
                   ? axis(0, 0, 0, picture(float_picture{(float4 *)s.copied}), to)
                   : axis(0, 0, 0, picture(rgba8_picture{(uchar4 *)from}), to);
    }

    weft_status inverse(void *to) const {
        return s.desc.sink == DX11_RGBA8 ? inverse_to(picture(rgba8_picture{(uchar4 *)to}))
                                         : inverse_to(picture(float_picture{(float4 *)to}));
    }
};

/* ---- from the description to the types ------------------------------------------------------- */

enum { FORWARD = 1, INVERSE = 2, FIRST_AXIS = 4 };

/* What is to be done with a dx11_run: one or some of these, in this order. */
struct errand {
    const void *picture;
    void *out;
    int steps;

    template <class Run> weft_status operator()(const Run &run) const {
        weft_status status = steps & FORWARD ? run.forward(picture) : WEFT_OK;
        if (status == WEFT_OK && steps & INVERSE) {
            status = run.inverse(out);
        }
        return status == WEFT_OK && steps & FIRST_AXIS ? run.first_axis(picture) : status;
    }
};

template <class Texture>
weft_status run_with_weights(const dx11_sample *s, launcher launches, const errand &e) {
    if (s->desc.twiddle == DX11_COMPUTE) {
        return e(dx11_run<Texture, computed_weights, no_tally>{*s, launches, {{}, {}}, {}});
    }
    return e(dx11_run<Texture, table_weights, no_tally>{
        *s, launches, {{s->tables[0]}, {s->tables[1]}}, {}});
}

template <class Texture>
weft_status run_counted(const dx11_sample *s, launcher launches, const errand &e) {
    byte_tally tally = {s->sums};
    if (s->desc.twiddle == DX11_COMPUTE) {
        return e(dx11_run<Texture, computed_weights, byte_tally>{*s, launches, {{}, {}}, tally});
    }
    return e(dx11_run<Texture, tallied_table, byte_tally>{
        *s, launches, {{{s->tables[0]}, tally}, {{s->tables[1]}, tally}}, tally});
}

weft_status run(const dx11_sample *s, launcher launches, const errand &e, int counted) {
    switch (s->desc.layout) {
    case DX11_FIG14:
        return counted ? run_counted<fig14_texture>(s, launches, e)
                       : run_with_weights<fig14_texture>(s, launches, e);
    case DX11_PLANES3:
        return counted ? run_counted<planes3_texture>(s, launches, e)
                       : run_with_weights<planes3_texture>(s, launches, e);
    case DX11_PLANES4:
    default:
        return counted ? run_counted<planes4_texture>(s, launches, e)
                       : run_with_weights<planes4_texture>(s, launches, e);
    }
}

/* ---- create ---------------------------------------------------------------------------------- */

weft_status check(const dx11_desc *d) {
    problem p = {};
    p.height = d->height;
    p.width = d->width;
    p.batch = 1;
    weft_status status = dx11_takes("dx11", &p);
    if (status != WEFT_OK) {
        return status;
    }
    size_t longest = d->height > d->width ? d->height : d->width;
    return d->technique == DX11_SLM
               ? device_has_shared_memory("dx11 SLM", slm_shared_bytes<3>(log2_of(longest), 0))
               : WEFT_OK;
}

/* All NaN: a pass that leaves something out must not find what another sample has left there. */
weft_status take_texture(int device, size_t bytes, void **texture) {
    weft_status status = device_memory.allocate(device, bytes, texture);
    if (status == WEFT_OK) {
        CUDA_TRY(cudaMemset(*texture, 0xff, bytes));
    }
    return status;
}

weft_status take(dx11_sample *s) {
    size_t pixels = s->desc.height * s->desc.width;
    int device = s->desc.device;
    weft_status status = device_memory.allocate(device, 2 * sizeof *s->sums, (void **)&s->sums);
    for (int i = 0; i < 2 && status == WEFT_OK; i++) {
        status = take_texture(device, pixels * DX11_MOST_PIXEL_BYTES, &s->textures[i]);
    }
    if (status == WEFT_OK && s->desc.source == DX11_COPY) {
        status = take_texture(device, pixels * sizeof(float4), &s->copied);
    }
    if (status == WEFT_OK && s->desc.twiddle == DX11_LUT) {
        status = upload_dx11_table(device, s->log2_width, &s->tables[0]);
        if (status == WEFT_OK) {
            status = upload_dx11_table(device, s->log2_height, &s->tables[1]);
        }
    }
    return status;
}

/* Both kinds of kernels, walked through once. */
weft_status prepare(dx11_sample *s) {
    launcher prepares = {nullptr, 1};
    errand both = {nullptr, nullptr, FORWARD | INVERSE};
    weft_status status = run(s, prepares, both, 0);
    return status == WEFT_OK ? run(s, prepares, both, 1) : status;
}

size_t launches_of(const dx11_desc *d) {
    size_t lines = d->technique == DX11_SLM
                       ? 2
                       : (size_t)(dx11_passes(log2_of(d->height)) + dx11_passes(log2_of(d->width)));
    return 2 * lines + (d->source == DX11_COPY);
}

double texture_bytes(dx11_layout layout) {
    return layout == DX11_PLANES4 ? planes4_texture::bytes
           : layout == DX11_FIG14 ? fig14_texture::bytes
                                  : planes3_texture::bytes;
}

} // namespace

void dx11_destroy(dx11_sample *s) {
    if (s != nullptr) {
        int device = s->desc.device;
        device_memory.release(device, (void *)s->tables[0]);
        device_memory.release(device, (void *)s->tables[1]);
        device_memory.release(device, s->textures[0]);
        device_memory.release(device, s->textures[1]);
        device_memory.release(device, s->copied);
        device_memory.release(device, s->sums);
        free(s);
    }
}

weft_status dx11_create(dx11_sample **made, const dx11_desc *desc) {
    *made = nullptr;
    weft_status status = device_usable(desc->device);
    if (status != WEFT_OK) {
        return status;
    }
    dx11_sample *s = (dx11_sample *)calloc(1, sizeof *s);
    if (s == nullptr) {
        return weft_fail(WEFT_NO_MEMORY, "no memory for a sample");
    }
    s->desc = *desc;
    s->log2_height = log2_of(desc->height);
    s->log2_width = log2_of(desc->width);
    s->spectrum_in = desc->technique == DX11_SLM
                         ? 1
                         : (dx11_passes(s->log2_width) + dx11_passes(s->log2_height) - 1) & 1;
    status = on_device(desc->device, [&]() {
        weft_status here = check(desc);
        here = here == WEFT_OK ? take(s) : here;
        return here == WEFT_OK ? prepare(s) : here;
    });
    if (status != WEFT_OK) {
        dx11_destroy(s);
        return status;
    }
    *made = s;
    return WEFT_OK;
}

/* ---- execute --------------------------------------------------------------------------------- */

weft_status dx11_forward(dx11_sample *s, const void *picture, struct CUstream_st *stream) {
    launcher launches = {stream, 0};
    return on_device(s->desc.device, [&]() {
        return run(s, launches, errand{picture, nullptr, FORWARD}, 0);
    });
}

weft_status dx11_inverse(dx11_sample *s, void *out, struct CUstream_st *stream) {
    launcher launches = {stream, 0};
    return on_device(s->desc.device, [&]() {
        return run(s, launches, errand{nullptr, out, INVERSE}, 0);
    });
}

/* ---- what it did ----------------------------------------------------------------------------- */

namespace {

/* Half of a texture on the host as complex numbers. */
template <class Texture>
void read_texture(void *host, size_t height, size_t width, float *spectra) {
    Texture texture = Texture::at(host, height * width);
    size_t bins = width / 2 + 1;
    for (size_t y = 0, i = 0; y < height; y++) {
        for (size_t x = 0; x < bins; x++, i++) {
            colour c = texture.get(y * width + x);
            for (size_t k = 0; k < 3; k++) {
                spectra[2 * (k * height * bins + i)] = c.value[k].re;
                spectra[2 * (k * height * bins + i) + 1] = c.value[k].im;
            }
        }
    }
}

} // namespace

weft_status dx11_read_spectrum(dx11_sample *s, float *spectra) {
    size_t height = s->desc.height, width = s->desc.width;
    size_t bytes = height * width * DX11_MOST_PIXEL_BYTES;
    void *host = malloc(bytes);
    if (host == nullptr) {
        return weft_fail(WEFT_NO_MEMORY, "no memory for a texture of %zu bytes", bytes);
    }
    weft_status status =
        device_memory.copy_out(s->desc.device, host, s->textures[s->spectrum_in], bytes);
    if (status == WEFT_OK) {
        switch (s->desc.layout) {
        case DX11_FIG14:
            read_texture<fig14_texture>(host, height, width, spectra);
            break;
        case DX11_PLANES3:
            read_texture<planes3_texture>(host, height, width, spectra);
            break;
        case DX11_PLANES4:
        default:
            read_texture<planes4_texture>(host, height, width, spectra);
        }
    }
    free(host);
    return status;
}

/* Of P = log2 W + log2 H passes one way, UAV reads two pixels a pass and SLM one an axis; the first
 * reads the picture, the last writes it. */
dx11_traffic dx11_predict(const dx11_desc *d) {
    double pixels = (double)d->height * (double)d->width, texture = texture_bytes(d->layout);
    double passes = dx11_passes(log2_of(d->height)) + dx11_passes(log2_of(d->width));
    double steps = d->technique == DX11_SLM ? 2 : passes, reads = d->technique == DX11_SLM ? 1 : 2;
    double source = d->source == DX11_COPY ? float_picture::bytes : rgba8_picture::bytes;
    double sink = d->sink == DX11_FLOAT ? float_picture::bytes : rgba8_picture::bytes;
    double table = d->twiddle == DX11_LUT ? sizeof(dx11_texel) * 2 * passes : 0;
    dx11_traffic t;
    t.launches = launches_of(d);
    t.read = pixels * (reads * ((2 * steps - 1) * texture + source) + table);
    t.written = pixels * ((2 * steps - 1) * texture + sink);
    if (d->source == DX11_COPY) {
        t.read += pixels * rgba8_picture::bytes;
        t.written += pixels * float_picture::bytes;
    }
    return t;
}

static weft_status count(dx11_sample *s, const errand &e, dx11_traffic *counted) {
    unsigned long long sums[2] = {0, 0};
    launcher launches = {nullptr, 0};
    int device = s->desc.device;
    weft_status status = device_memory.copy_in(device, s->sums, sums, sizeof sums);
    if (status == WEFT_OK) {
        status = on_device(device, [&]() { return run(s, launches, e, 1); });
    }
    if (status == WEFT_OK) {
        status = device_memory.copy_out(device, sums, s->sums, sizeof sums);
    }
    counted->read = (double)sums[0];
    counted->written = (double)sums[1];
    return status;
}

weft_status dx11_count(dx11_sample *s, const void *picture, void *out, dx11_traffic *counted) {
    counted->launches = launches_of(&s->desc);
    return count(s, errand{picture, out, FORWARD | INVERSE}, counted);
}

weft_status dx11_count_first_axis(dx11_sample *s, const void *picture, dx11_traffic *counted) {
    counted->launches = s->desc.technique == DX11_SLM ? 1 : (size_t)dx11_passes(s->log2_width);
    return count(s, errand{picture, nullptr, FIRST_AXIS}, counted);
}
