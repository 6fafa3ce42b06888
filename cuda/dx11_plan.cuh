/* SPDX-License-Identifier: MIT
 * What both techniques of the DirectX 11 sample share: the options, the table of indices and
 * weights, two buffers of complex planes, and the two axes in order. real=zero is the sample's way,
 * x and then y both ways; real=tangle halves the rows, and its inverse is the forward backwards.
 */
#ifndef WEFT_CUDA_DX11_PLAN_CUH
#define WEFT_CUDA_DX11_PLAN_CUH

#include "gpu_strategy.cuh"
#include "passes/dx11_planes.cuh"

#define DX11_OPTIONS "twiddle=lut|compute real=zero|tangle"

namespace {

enum { DX11_CHOICE_TWIDDLE, DX11_CHOICE_REAL, DX11_CHOICES };

/* A Technique runs one axis: technique(launches, axis, extent, buffers, is_second, source, sink),
 * with `buffers` to go through if it must; a sink may be buffers[0], and a source of the second
 * axis is. Its base class. */
struct dx11_plan : gpu_plan {
    int log2_height, log2_width;
    const dx11_texel *tables[2]; /* along x and along y; NULL when weights are computed */

    int tangles() const {
        return p.choice[DX11_CHOICE_REAL] == 1;
    }

    int has_tables() const {
        return p.choice[DX11_CHOICE_TWIDDLE] == 0;
    }

    weft_status outline(const char *name) {
        TRY(dx11_takes(name, &p));
        log2_height = log2_of(p.height);
        log2_width = log2_of(p.width);
        return real_pixels_only(name, &p);
    }

    table_weights table_for(dx11_axis axis) const {
        return {tables[axis.along_y]};
    }

    weft_status upload_tables() {
        if (!has_tables()) {
            return WEFT_OK;
        }
        TRY(upload_dx11_table(p.device, log2_width, &tables[0]));
        return upload_dx11_table(p.device, log2_height, &tables[1]);
    }

    void release() {
        device_memory.release(p.device, (void *)tables[0]);
        device_memory.release(p.device, (void *)tables[1]);
    }

    /* ---- buffers --------------------------------------------------------------------------- */

    int log2_pairs() const {
        return log2_height > 0 ? log2_height - 1 : 0;
    }

    int log2_slots() const {
        return log2_width > 0 ? log2_width - 1 : 0;
    }

    /* Complex values of one image in a buffer. */
    size_t buffer_values() const {
        size_t pairs = (size_t)1 << (log2_pairs() + log2_width);
        size_t columns = (size_t)1 << (log2_height + log2_slots());
        return !tangles() ? p.height * p.width : pairs > columns ? pairs : columns;
    }

    size_t buffer_bytes() const {
        return p.batch * buffer_values() * sizeof(cpx);
    }

    /* Without work, when kernels are only prepared, nowhere. */
    dx11_planes buffer(void *work, int index, int log2_columns) const {
        dx11_planes b;
        b.plane_values = buffer_values();
        size_t values = p.batch * b.plane_values, first = 2 * (size_t)index * values;
        b.re = work != nullptr ? (scalar *)work + first : nullptr;
        b.im = work != nullptr ? (scalar *)work + first + values : nullptr;
        b.pitch = 1u << log2_columns;
        return b;
    }

    /* ---- what is read and written ---------------------------------------------------------- */

    dx11_axis axis(int along_y, int inverse) const {
        return {along_y ? log2_height : log2_width, along_y, inverse};
    }

    /* Halves in every pass have already divided the inverse by H W. */
    dx11_image image_of(const void *image) const {
        return {(scalar *)image, p.image_pitch, p.image_stride,
                (scalar)(p.inverse_scale * (double)p.height * (double)p.width)};
    }

    dx11_row_pairs pairs_of(const void *image) const {
        return {image_of(image), p.height};
    }

    dx11_spectra spectra_of(const void *spectrum) const {
        return {view_of(&p, (void *)spectrum, 0), spectrum_reals(&p), (scalar)p.forward_scale};
    }

    /* ---- the two axes ---------------------------------------------------------------------- */

    template <class Technique>
    weft_status run_forward(const Technique &technique, const void *image, const void *spectrum,
                            void *work) const {
        if (!tangles()) {
            dx11_extent all = {log2_height, log2_width, p.batch};
            dx11_planes buffers[2] = {buffer(work, 0, log2_width), buffer(work, 1, log2_width)};
            TRY(technique(axis(0, 0), all, buffers, 0, image_of(image), buffers[0]));
            return technique(axis(1, 0), all, buffers, 1, buffers[0],
                             dx11_whole_spectrum{spectra_of(spectrum)});
        }
        dx11_extent rows = {log2_pairs(), log2_width, p.batch};
        dx11_extent columns = {log2_height, log2_slots(), p.batch};
        dx11_planes of_rows[2] = {buffer(work, 0, log2_width), buffer(work, 1, log2_width)};
        dx11_planes of_columns[2] = {buffer(work, 0, log2_slots()), buffer(work, 1, log2_slots())};
        TRY(technique(axis(0, 0), rows, of_rows, 0, pairs_of(image),
                      dx11_untangled{of_columns[0], p.height, p.width}));
        return technique(axis(1, 0), columns, of_columns, 1, of_columns[0],
                         dx11_folded_spectrum{spectra_of(spectrum)});
    }

    template <class Technique>
    weft_status run_inverse(const Technique &technique, const void *spectrum, const void *image,
                            void *work) const {
        if (!tangles()) {
            dx11_extent all = {log2_height, log2_width, p.batch};
            dx11_planes buffers[2] = {buffer(work, 0, log2_width), buffer(work, 1, log2_width)};
            TRY(technique(axis(0, 1), all, buffers, 0, dx11_whole_spectrum{spectra_of(spectrum)},
                          buffers[0]));
            return technique(axis(1, 1), all, buffers, 1, buffers[0], image_of(image));
        }
        dx11_extent rows = {log2_pairs(), log2_width, p.batch};
        dx11_extent columns = {log2_height, log2_slots(), p.batch};
        dx11_planes of_rows[2] = {buffer(work, 0, log2_width), buffer(work, 1, log2_width)};
        dx11_planes of_columns[2] = {buffer(work, 0, log2_slots()), buffer(work, 1, log2_slots())};
        TRY(technique(axis(1, 1), columns, of_columns, 0,
                      dx11_folded_spectrum{spectra_of(spectrum)},
                      dx11_tangled{of_rows[0], p.height, p.width}));
        return technique(axis(0, 1), rows, of_rows, 1, of_rows[0], pairs_of(image));
    }
};

/* The rest of a Plan, for a Plan that derives from it and makes its technique: technique_on().
 * passes_in_memory: whether each butterfly pass is a launch. */
template <class Plan> struct dx11_strategy : dx11_plan {
    const Plan &self() const {
        return *static_cast<const Plan *>(this);
    }

    weft_status outline() {
        return dx11_plan::outline(Plan::name);
    }

    /* Lines go through memory between their passes, or only before the first and after the last. */
    void describe_axis(text *to, const char *name, int along_y, size_t in, size_t out) const {
        factor_list list = stages_of_two(along_y ? p.height : p.width);
        size_t between =
            Plan::passes_in_memory ? (size_t)(dx11_passes(axis(along_y, 0).log2) - 1) : 0;
        describe_list(to, name, 0, &list, "dx11");
        text_add(to, "%zu launch%s%s%s", between + 1, between > 0 ? "es" : "",
                 has_tables() ? ", weights from a table" : ", weights computed",
                 tangles() ? ", two lines in one" : "");
        describe_bytes(to, in + between * buffer_bytes(), out + between * buffer_bytes());
    }

    void describe(text *to) const {
        describe_axis(to, "rows", 0, pixels_moved(&p), buffer_bytes());
        describe_axis(to, "columns", 1, buffer_bytes(), spectra_moved(&p));
    }

    /* Walks through both directions without launching. */
    weft_status prepare() {
        launcher prepares = {nullptr, 1};
        TRY(run_forward(self().technique_on(prepares), nullptr, nullptr, nullptr));
        TRY(run_inverse(self().technique_on(prepares), nullptr, nullptr, nullptr));
        return upload_tables();
    }

    weft_status forward(const void *image, void *spectrum, void *work, cudaStream_t stream) const {
        launcher launches = {stream, 0};
        return run_forward(self().technique_on(launches), image, spectrum, work);
    }

    weft_status inverse(const void *spectrum, void *image, void *work, cudaStream_t stream) const {
        launcher launches = {stream, 0};
        return run_inverse(self().technique_on(launches), spectrum, image, work);
    }
};

} // namespace

#endif
