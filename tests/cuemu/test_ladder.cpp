/* SPDX-License-Identifier: MIT
 * The rungs of the ladder on the emulated GPU, and the last one without each of its ideas: the
 * packed spectrum of noise against the oracle, at sizes that take every branch.
 */
#include "cuda_runtime_api.h"
#include "verdict.h"

#define LADDER_RUNG
#include "reproduce/ladder/ladder.h"
#undef LADDER_RUNG

extern "C" {
#include "gates.h"
#include "oracle/oracle.h"

#define RUNG_OF_cpu(name)
#define RUNG_OF_gpu(name) extern const ladder_rung ladder_gpu_##name;
#define LADDER_RUNG(device, number, name) RUNG_OF_##device(name)
#define LADDER_WITHOUT(device, name) RUNG_OF_##device(without_##name)
#include "reproduce/ladder/ladder.def"
#undef RUNG_OF_gpu
}

namespace {

#define RUNG_OF_gpu(name) {"ladder_gpu_" #name, &ladder_gpu_##name},
const struct {
    const char *name;
    const ladder_rung *rung;
} rungs[] = {
#include "reproduce/ladder/ladder.def"
};

/* A size that need not be taken; last radices of 2, 4 and 8; one exchange of a line and two, of
 * which the second waits for the first; tiles narrower than the image. */
enum { SMALLEST_SIZE = 16 };
const size_t sizes[] = {8, 16, 32, 64, 128};

std::string compare(size_t n, const std::vector<float> &image, const std::vector<float> &spectrum) {
    std::vector<double> pixels(image.begin(), image.end()), truth(2 * n * (n / 2 + 1));
    if (oracle_forward(n, n, pixels.data(), truth.data()))
        return "the oracle has no memory";
    const double error =
        oracle_compare(n, n, WEFT_F32, WEFT_PACKED, n, spectrum.data(), 1, truth.data()).rel_l2;
    return error <= gate_l2(n, n, WEFT_F32) ? "" : "L2 " + std::to_string(error);
}

std::string check(const ladder_rung &rung, size_t n) {
    const size_t bytes = n * n * sizeof(float);
    std::vector<float> image(n * n), spectrum(n * n);
    std::mt19937 random(1);
    for (float &pixel : image)
        pixel = (float)random() / 4294967296.0f - 0.5f;
    void *from = nullptr, *to = nullptr, *of = rung.prepare(n);
    if (!of)
        return n < SMALLEST_SIZE ? "" : "it was not prepared";
    cudaMalloc(&from, bytes);
    cudaMalloc(&to, bytes);
    cudaMemcpy(from, image.data(), bytes, cudaMemcpyHostToDevice);
    std::string why = rung.run(of, (const float *)from, (float *)to) ? "it failed, " : "";
    why += rung.run(of, (const float *)from, (float *)to) ? "it failed the second time, " : "";
    cudaMemcpy(spectrum.data(), to, bytes, cudaMemcpyDeviceToHost);
    cudaFree(to);
    cudaFree(from);
    rung.finish(of);
    return why + compare(n, image, spectrum);
}

/* The k-th allocation fails, for every k: it must be said, and nothing may be kept. */
std::string check_without_memory(const ladder_rung &rung) {
    for (size_t k = 0;; k++) {
        cuemu::device.allocations_left = k;
        void *of = rung.prepare(16);
        cuemu::device.allocations_left = SIZE_MAX;
        if (of) {
            rung.finish(of);
            return "";
        }
        if (!cuemu::device.blocks.empty())
            return "memory is kept after allocation " + std::to_string(k) + " failed";
    }
}

} // namespace

int main() {
    for (const auto &each : rungs) {
        for (size_t n : sizes)
            verdict::give(std::string(each.name) + " " + std::to_string(n), check(*each.rung, n));
        verdict::give(std::string(each.name) + " without memory", check_without_memory(*each.rung));
    }
    verdict::give("all device memory is given back",
                  cuemu::device.blocks.empty() ? "" : "some is not");
    return verdict::end();
}
