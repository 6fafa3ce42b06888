/* SPDX-License-Identifier: MIT
 * Rung 7 on a GPU, l2: the L2 cache is left to the intermediate, which is the only thing that is
 * wanted again. Pixels are read one time and results written one time, so both are marked as the
 * first to be evicted. Where image and intermediate do not fit into L2 together, more of the
 * intermediate is still there when the rows come; where they do, nothing has to be evicted.
 */
#include <cuda_runtime_api.h>
#include <math.h>
#include <stdlib.h>

#include "ladder.h"

#ifndef WEFT_SHARED /* the emulator of the tests has its own */
#define WEFT_SHARED(type, name) extern __shared__ type name[]
#endif

namespace {

/* Values of a line in a thread; of a butterfly; neighbouring columns in a thread; complex columns
 * of a tile; threads of a block. */
enum { VALUES = 8, RADIX = 8, EACH = 2, WIDEST_TILE = 8, MOST_THREADS = 1024 };
/* What has a tile, and what shared memory holds. */
enum { SMALLEST_SIZE = 16, LARGEST_SIZE = 4096 };

/* The values of E neighbouring columns, which are loaded and stored as one. */
template <unsigned E> struct alignas(8 * E) vector { float2 of[E]; };

typedef struct work {
    unsigned n, tile; /* vectors */
    float2 *twiddles; /* in the order in which stages read them, see make_twiddles() */
} work;

__device__ float2 times(float2 a, float2 b) {
    return make_float2(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x);
}

/* Times exp(-2 pi i eighths / 8). */
__device__ __forceinline__ float2 turn(float2 a, unsigned eighths) {
    const float r = 0.707106781186547524f; /* the root of 1/2 */
    return eighths == 0   ? a
           : eighths == 1 ? make_float2(r * (a.x + a.y), r * (a.y - a.x))
           : eighths == 2 ? make_float2(a.y, -a.x)
                          : make_float2(r * (a.y - a.x), -r * (a.x + a.y));
}

/* The transform of R values, the even results out of sums and the odd ones out of differences. */
template <unsigned R> __device__ __forceinline__ void butterfly(float2 *z) {
    float2 even[R / 2], odd[R / 2];
    for (unsigned i = 0; i < R / 2; i++) {
        float2 a = z[i], b = z[i + R / 2];
        even[i] = make_float2(a.x + b.x, a.y + b.y);
        odd[i] = turn(make_float2(a.x - b.x, a.y - b.y), 8 / R * i);
    }
    butterfly<R / 2>(even);
    butterfly<R / 2>(odd);
    for (unsigned i = 0; i < R / 2; i++) {
        z[2 * i] = even[i];
        z[2 * i + 1] = odd[i];
    }
}
template <> __device__ __forceinline__ void butterfly<1>(float2 *) {}

/* A thread's part of a line: it has the values t + v n/8 in z[v] before and after a stage. Those
 * that a butterfly needs are n/R apart. */
typedef struct part {
    unsigned n, t, tile, column;
    const float2 *twiddles;
} part;

/* Where value i of the line lies in shared memory: the columns of a tile lie side by side, and
 * after 128 bytes there is a gap, so that the banks of a stage's results differ. */
template <unsigned E> __device__ __forceinline__ unsigned place(part p, unsigned i) {
    unsigned j = i * p.tile + p.column;
    return j + j / (16 / E);
}

/* A load and a store of what nobody wants again. */
__device__ __forceinline__ vector<EACH> load_once(const vector<EACH> *from) {
    float4 values = __ldcs((const float4 *)from);
    return {{make_float2(values.x, values.y), make_float2(values.z, values.w)}};
}
__device__ __forceinline__ void store_once(float *to, float value) {
    __stcs(to, value);
}

/* A stage makes transforms of R s values each out of R of s values. */
template <unsigned R, unsigned E>
__device__ __forceinline__ void stage(vector<E> *z, part p, unsigned s) {
    for (unsigned b = 0; b < VALUES / R; b++) {
        unsigned k = (p.t + b * (p.n / VALUES)) & (s - 1);
        for (unsigned r = 1; r < R && s > 1; r++) {
            float2 twiddle = p.twiddles[r * s + k - 1];
            for (unsigned e = 0; e < E; e++) {
                float2 *value = &z[b + r * (VALUES / R)].of[e];
                *value = times(*value, twiddle);
            }
        }
        for (unsigned e = 0; e < E; e++) {
            float2 x[R];
            for (unsigned r = 0; r < R; r++) {
                x[r] = z[b + r * (VALUES / R)].of[e];
            }
            butterfly<R>(x);
            for (unsigned r = 0; r < R; r++) {
                z[b + r * (VALUES / R)].of[e] = x[r];
            }
        }
    }
}

/* After a stage, by all threads of the block: each gets what its next stage needs. */
template <unsigned E>
__device__ __forceinline__ void exchange(vector<E> *z, part p, unsigned s, vector<E> *shared) {
    __syncthreads();
    for (unsigned b = 0; b < VALUES / RADIX; b++) {
        unsigned j = p.t + b * (p.n / VALUES), k = j & (s - 1);
        for (unsigned r = 0; r < RADIX; r++) {
            shared[place<E>(p, (j - k) * RADIX + k + r * s)] = z[b + r * (VALUES / RADIX)];
        }
    }
    __syncthreads();
    for (unsigned v = 0; v < VALUES; v++) {
        z[v] = shared[place<E>(p, p.t + v * (p.n / VALUES))];
    }
}

template <unsigned E>
__device__ __forceinline__ void transform(vector<E> *z, part p, vector<E> *shared) {
    unsigned s = 1;
    for (; s * RADIX < p.n; s *= RADIX) {
        stage<RADIX>(z, p, s);
        exchange(z, p, s, shared);
    }
    p.n / s == 8 ? stage<8>(z, p, s) : p.n / s == 4 ? stage<4>(z, p, s) : stage<2>(z, p, s);
}

/* in      image[n][n]
 * out     intermediate[n][n/2]: row k has the value k of the spectra of all complex columns
 * grid    a block for each tile */
__global__ void __launch_bounds__(MOST_THREADS)
    columns(work w, const vector<EACH> *image, vector<EACH> *intermediate) {
    WEFT_SHARED(vector<EACH>, tile); /* with its gaps */
    part p = {w.n, threadIdx.x / w.tile, w.tile, threadIdx.x % w.tile, w.twiddles};
    size_t pitch = w.n / 2 / EACH, first = (size_t)blockIdx.x * w.tile + p.column;
    vector<EACH> z[VALUES];
    for (unsigned v = 0; v < VALUES; v++) {
        z[v] = load_once(&image[(p.t + v * (w.n / VALUES)) * pitch + first]);
    }
    transform(z, p, tile);
    for (unsigned v = 0; v < VALUES; v++) {
        intermediate[(p.t + v * (w.n / VALUES)) * pitch + first] = z[v];
    }
}

/* Column i of row k out of the tangled spectra of columns 2q and 2q + 1, of which `a` is value k
 * and `b` value n - k. */
__device__ float2 untangle_column(unsigned i, float2 a, float2 b) {
    return i % 2 == 0 ? make_float2((a.x + b.x) / 2, (a.y - b.y) / 2)
                      : make_float2((a.y + b.y) / 2, (b.x - a.x) / 2);
}

/* Rows 0 and n/2 of the columns' spectra are real: one is the real part, one the imaginary part. */
__device__ float2 fold_rows(unsigned i, float2 a, float2 b) {
    return i % 2 == 0 ? make_float2(a.x, b.x) : make_float2(a.y, b.y);
}

/* Value l of both rows' spectra out of the values l and n - l of the tangled one: real parts first,
 * imaginary parts mirrored behind. */
__device__ void unfold_rows(float2 z, float2 mirrored, unsigned l, unsigned n, float *upper,
                            float *lower) {
    store_once(&upper[l], l <= n / 2 ? (z.x + mirrored.x) / 2 : (mirrored.y - z.y) / 2);
    store_once(&lower[l], l <= n / 2 ? (z.y + mirrored.y) / 2 : (z.x - mirrored.x) / 2);
}

/* Value l of row k of the spectrum, whose mirror image is row n - k, as both are packed. */
__device__ void pack_rows(float2 z, unsigned l, unsigned n, float *upper, float *lower) {
    unsigned m = (n - l) % n;
    if (l == m) {
        store_once(&upper[l], z.x);
        store_once(&lower[l], z.y);
    } else if (l < m) {
        store_once(&upper[l], z.x);
        store_once(&upper[m], z.y);
    } else { /* of row n - k, whose value m is the conjugate */
        store_once(&lower[m], z.x);
        store_once(&lower[l], -z.y);
    }
}

/* in, out the rows k and n - k of the spectrum, or 0 and n/2; the intermediate lies in them
 * grid    a block for each such pair */
__global__ void __launch_bounds__(MOST_THREADS) rows(work w, float *spectrum) {
    WEFT_SHARED(vector<1>, line); /* with its gaps */
    part p = {w.n, threadIdx.x, 1, 0, w.twiddles};
    unsigned k = blockIdx.x;
    float *upper = spectrum + (size_t)k * w.n;
    float *lower = spectrum + (size_t)(k > 0 ? w.n - k : w.n / 2) * w.n;
    vector<1> z[VALUES];
    for (unsigned v = 0; v < VALUES; v++) {
        unsigned i = p.t + v * (w.n / VALUES);
        float2 a = ((const float2 *)upper)[i / 2], b = ((const float2 *)lower)[i / 2];
        z[v].of[0] = k > 0 ? untangle_column(i, a, b) : fold_rows(i, a, b);
    }
    transform(z, p, line);
    if (k == 0) {
        __syncthreads();
        for (unsigned v = 0; v < VALUES; v++) {
            line[place<1>(p, p.t + v * (w.n / VALUES))] = z[v];
        }
        __syncthreads();
    }
    for (unsigned v = 0; v < VALUES; v++) {
        unsigned l = p.t + v * (w.n / VALUES);
        if (k == 0) {
            float2 mirrored = line[place<1>(p, (w.n - l) % w.n)].of[0];
            unfold_rows(z[v].of[0], mirrored, l, w.n, upper, lower);
        } else {
            pack_rows(z[v].of[0], l, w.n, upper, lower);
        }
    }
}

void finish(void *of) {
    work *w = (work *)of;
    cudaFree(w->twiddles);
    free(w);
}

unsigned lesser(unsigned a, unsigned b) {
    return a < b ? a : b;
}

/* Of the stage from s to R s values the number r s + k - 1 is exp(-2 pi i r k / (R s)). Threads
 * that are neighbours have neighbouring k; and a stage's numbers lie where those before it end. */
int make_twiddles(work *w) {
    size_t bytes = w->n * sizeof(float2);
    float2 *twiddles = (float2 *)malloc(bytes);
    if (twiddles == NULL || cudaMalloc((void **)&w->twiddles, bytes) != cudaSuccess) {
        free(twiddles);
        return 1;
    }
    for (unsigned s = 1, radix; s < w->n; s *= radix) {
        radix = lesser(w->n / s, RADIX);
        for (unsigned j = s; j < radix * s; j++) {
            double angle = 6.283185307179586476925 * (j / s) * (j % s) / (radix * s);
            twiddles[j - 1] = make_float2((float)cos(angle), (float)-sin(angle));
        }
    }
    int failed = cudaMemcpy(w->twiddles, twiddles, bytes, cudaMemcpyHostToDevice) != cudaSuccess;
    free(twiddles);
    return failed;
}

/* Of a block with so many numbers, with a gap of one vector after 128 bytes. */
size_t shared_bytes(unsigned numbers, unsigned each) {
    return numbers * sizeof(float2) + numbers / 16 * each * sizeof(float2);
}

void *prepare(size_t n) {
    int is_taken = n >= SMALLEST_SIZE && n <= LARGEST_SIZE;
    work *w = is_taken ? (work *)calloc(1, sizeof *w) : NULL;
    if (w != NULL) {
        w->n = (unsigned)n;
        w->tile = lesser(MOST_THREADS / (w->n / VALUES), WIDEST_TILE / EACH);
        if (make_twiddles(w) != 0 ||
            cudaFuncSetAttribute((const void *)columns, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                 (int)shared_bytes(w->n * w->tile * EACH, EACH)) != cudaSuccess) {
            finish(w);
            return NULL;
        }
    }
    return w;
}

int run(void *of, const float *image, float *spectrum) {
    work *w = (work *)of;
    cudaLaunchConfig_t config = {};
    config.gridDim = dim3(w->n / 2 / EACH / w->tile);
    config.blockDim = dim3(w->n / VALUES * w->tile);
    config.dynamicSmemBytes = shared_bytes(w->n * w->tile * EACH, EACH);
    if (cudaLaunchKernelEx(&config, columns, *w, (const vector<EACH> *)image,
                           (vector<EACH> *)spectrum) != cudaSuccess) {
        return 1;
    }
    config.gridDim = dim3(w->n / 2);
    config.blockDim = dim3(w->n / VALUES);
    config.dynamicSmemBytes = shared_bytes(w->n, 1);
    return cudaLaunchKernelEx(&config, rows, *w, spectrum) != cudaSuccess;
}

} // namespace

LADDER_DEFINE(ladder_gpu_l2) = {
    "l2",
    "pixels and results are the first to leave L2, which is to keep the intermediate",
    "gpu_7_l2.cu",
    LADDER_PACKED,
    prepare,
    run,
    finish};

#ifndef LADDER_RUNG
int main(int argc, char **argv) {
    return ladder_main(&ladder_gpu_l2, argc, argv);
}
#endif
