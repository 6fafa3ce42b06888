/* SPDX-License-Identifier: MIT
 * The DirectX 11 sample on the emulated GPU, with every choice that it offers: the spectrum of each
 * colour against the oracle, the picture that comes back, and the bytes that its threads ask for,
 * which must be exactly those of the model and, along the first axis, of the article.
 */
#include "cuda_runtime_api.h"
#include "reproduce/dx11/sample.h"
#include "verdict.h"

extern "C" {
#include "base/device.h"
#include "gates.h"
#include "oracle/oracle.h"
}

namespace {

struct shape {
    size_t height, width;
};

/* The spectrum ends in either texture, the lines have odd and even numbers of passes. */
const shape shapes[] = {{8, 16}, {16, 4}, {1, 2}};

struct device_bytes {
    void *memory = nullptr;
    explicit device_bytes(size_t size) {
        cudaMalloc(&memory, size);
    }
    device_bytes(const device_bytes &) = delete;
    ~device_bytes() {
        cudaFree(memory);
    }
};

std::string name_of(const dx11_desc &d) {
    const char *layouts[] = {"planes4", "fig14", "planes3"};
    return std::string(d.technique == DX11_UAV ? "uav" : "slm") +
           (d.twiddle == DX11_LUT ? " lut " : " compute ") + layouts[d.layout] +
           (d.source == DX11_DIRECT ? " direct" : " copied") +
           (d.sink == DX11_RGBA8 ? " rgba8 " : " float ") + std::to_string(d.height) + "x" +
           std::to_string(d.width);
}

std::string check_spectrum(const dx11_desc &d, dx11_sample *sample,
                           const std::vector<unsigned char> &picture) {
    const size_t pixels = d.height * d.width, bins = d.width / 2 + 1;
    const size_t values = 2 * d.height * bins;
    std::vector<float> spectra(3 * values);
    std::vector<double> plane(pixels);
    std::vector<long double> truth(values);
    if (dx11_read_spectrum(sample, spectra.data()) != WEFT_OK)
        return weft_last_error();
    for (size_t c = 0; c < 3; c++) {
        for (size_t i = 0; i < pixels; i++)
            plane[i] = (double)((float)picture[4 * i + c] / 255);
        oracle_forward_long(d.height, d.width, plane.data(), truth.data());
        const double error = oracle_compare_long(d.height, d.width, WEFT_F32, WEFT_HALF, bins,
                                                 spectra.data() + c * values, 1, truth.data())
                                 .rel_l2;
        if (!(error <= gate_l2(d.height, d.width, WEFT_F32)))
            return "colour " + std::to_string(c) + ": L2 " + std::to_string(error) + ", ";
    }
    return "";
}

std::string check_out(const dx11_desc &d, const std::vector<unsigned char> &picture,
                      const std::vector<unsigned char> &out) {
    for (size_t i = 0; i < picture.size(); i++) {
        const int right = i % 4 == 3 ? 255 : picture[i];
        const float value = d.sink == DX11_RGBA8 ? out[i] : ((const float *)out.data())[i] * 255;
        if (!(fabsf(value - (float)right) <= (d.sink == DX11_RGBA8 ? 0 : 1e-4f)))
            return "byte " + std::to_string(i) + " comes back as " + std::to_string(value) +
                   ", was " + std::to_string(right) + ", ";
    }
    return "";
}

std::string check_bytes(const dx11_desc &d, const dx11_traffic &counted) {
    const dx11_traffic model = dx11_predict(&d);
    return counted.read == model.read && counted.written == model.written &&
                   counted.launches == model.launches
               ? ""
               : "reads " + std::to_string(counted.read) + " bytes, the model " +
                     std::to_string(model.read) + "; writes " + std::to_string(counted.written) +
                     ", the model " + std::to_string(model.written) + ", ";
}

/* By the article: P passes read two complex pixels and write one; or one pass reads the picture. */
std::string check_first_axis(const dx11_desc &d, const dx11_traffic &counted) {
    const double pixels = (double)(d.height * d.width), passes = log2((double)d.width);
    const double pixel = d.layout == DX11_PLANES4 ? 32 : 24,
                 picture = d.source == DX11_COPY ? 16 : 4;
    const double table = d.twiddle == DX11_LUT ? 16 * passes : 0;
    const int is_uav = d.technique == DX11_UAV;
    return counted.read == pixels * ((is_uav ? 2 * passes * pixel : picture) + table) &&
                   counted.written == pixels * (is_uav ? passes * pixel : pixel) &&
                   counted.launches == (is_uav ? passes : 1)
               ? ""
               : "first axis: reads " + std::to_string(counted.read) + " and writes " +
                     std::to_string(counted.written) + ", ";
}

std::string check_with(const dx11_desc &d, dx11_sample *sample) {
    const size_t bytes = 4 * d.height * d.width;
    const size_t out_bytes = d.sink == DX11_FLOAT ? 4 * bytes : bytes;
    std::vector<unsigned char> picture(bytes), out(out_bytes);
    std::mt19937 random(1);
    for (unsigned char &byte : picture)
        byte = (unsigned char)random();
    device_bytes from(bytes), to(out_bytes);
    cudaMemcpy(from.memory, picture.data(), bytes, cudaMemcpyHostToDevice);
    const size_t before = cuemu::world.launch_count;
    if (dx11_forward(sample, from.memory, nullptr) != WEFT_OK)
        return weft_last_error();
    cudaStreamSynchronize(nullptr);
    std::string why = check_spectrum(d, sample, picture);
    if (dx11_inverse(sample, to.memory, nullptr) != WEFT_OK)
        return weft_last_error();
    cudaStreamSynchronize(nullptr);
    const size_t launches = cuemu::world.launch_count - before;
    cudaMemcpy(out.data(), to.memory, out_bytes, cudaMemcpyDeviceToHost);
    why += check_out(d, picture, out);

    dx11_traffic counted, first_axis;
    if (dx11_count(sample, from.memory, to.memory, &counted) != WEFT_OK ||
        dx11_count_first_axis(sample, from.memory, &first_axis) != WEFT_OK)
        return weft_last_error();
    if (launches != counted.launches)
        why += std::to_string(launches) + " launches, ";
    return why + check_bytes(d, counted) + check_first_axis(d, first_axis);
}

void check(const dx11_desc &d) {
    dx11_sample *sample = nullptr;
    std::string why = dx11_create(&sample, &d) == WEFT_OK ? check_with(d, sample)
                                                          : std::string(weft_last_error());
    dx11_destroy(sample);
    verdict::give(name_of(d), why);
}

void check_refusal(const char *name, size_t height, size_t width, const char *words) {
    dx11_sample *sample = nullptr;
    dx11_desc d = {};
    d.height = height;
    d.width = width;
    const weft_status status = dx11_create(&sample, &d);
    verdict::give(name, status == WEFT_UNSUPPORTED && strstr(weft_last_error(), words)
                            ? ""
                            : weft_last_error());
}

void check_refusals() {
    check_refusal("refuses 24x16", 24, 16, "powers of two");
    check_refusal("refuses sides above 2^24", 1, (size_t)1 << 25, "2^24");
    check_refusal("refuses more pixels than an int has", (size_t)1 << 16, (size_t)1 << 15,
                  "pixels");
}

} // namespace

int main() {
    for (const shape &size : shapes)
        for (int technique : {DX11_UAV, DX11_SLM})
            for (int twiddle : {DX11_LUT, DX11_COMPUTE})
                for (int layout : {DX11_PLANES4, DX11_FIG14, DX11_PLANES3})
                    for (int sides = 0; sides < 2; sides++)
                        check({size.height, size.width, (dx11_technique)technique,
                               (dx11_twiddle)twiddle, (dx11_layout)layout, (dx11_source)sides,
                               (dx11_sink)sides, 0});
    check_refusals();
    verdict::give("all device memory is given back",
                  cuemu::device.blocks.empty() ? "" : "some is not");
    return verdict::end();
}
