/* SPDX-License-Identifier: MIT
 * cuemu: CUDA kernels as plain C++17, run by engine.h on a CPU. Here is the part of CUDA's
 * language that the kernels of cuda/ may use; what is not here does not compile. Headers beside
 * this one have the names of CUDA's own, and stand before those in the include path of the emulated
 * build, and only there. test_cuemu.cpp tries all this on toy kernels, test_kernels.cpp runs the
 * kernels of cuda/.
 */
#ifndef WEFT_TESTS_CUEMU_CUEMU_H
#define WEFT_TESTS_CUEMU_CUEMU_H

#include "engine.h"
#include <math.h>

// ---- Words, vectors, indices (no __shared__: see WEFT_SHARED of base/instructions.cuh) ---------

#define __global__
#define __device__
#define __host__
#define __forceinline__ inline
#define __launch_bounds__(...)
#define __grid_constant__
#define __align__(bytes) __attribute__((aligned(bytes)))

struct __align__(8) float2 {
    float x, y;
};
struct __align__(16) float4 {
    float x, y, z, w;
};
struct __align__(16) double2 {
    double x, y;
};
struct __align__(4) uchar4 {
    unsigned char x, y, z, w;
};
struct __align__(8) uint2 {
    unsigned x, y;
};
struct __align__(16) uint4 {
    unsigned x, y, z, w;
};

inline float2 make_float2(float x, float y) {
    return {x, y};
}
inline float4 make_float4(float x, float y, float z, float w) {
    return {x, y, z, w};
}
inline uint4 make_uint4(unsigned x, unsigned y, unsigned z, unsigned w) {
    return {x, y, z, w};
}
inline uchar4 make_uchar4(unsigned char x, unsigned char y, unsigned char z, unsigned char w) {
    return {x, y, z, w};
}
inline double2 make_double2(double x, double y) {
    return {x, y};
}

// ---- Device functions --------------------------------------------------------------------------

inline void __syncthreads(CUEMU_HERE) {
    cuemu::self->home->all.sync({file, line});
}

inline void __syncwarp(unsigned mask = ~0u, CUEMU_HERE) {
    cuemu::lanes_of(mask).sync({file, line});
}

template <class T> T __shfl_sync(unsigned mask, T value, int from, int width = 32, CUEMU_HERE) {
    const unsigned lane = cuemu::self->rank % cuemu::warp_size, last = (unsigned)width - 1;
    return cuemu::shuffle(mask, value, (lane & ~last) + ((unsigned)from & last), true,
                          {file, line});
}

template <class T> T __shfl_xor_sync(unsigned mask, T value, int bits, int width = 32, CUEMU_HERE) {
    const unsigned lane = cuemu::self->rank % cuemu::warp_size, last = lane | ((unsigned)width - 1);
    const unsigned from = lane ^ (unsigned)bits;
    return cuemu::shuffle(mask, value, from, from <= last, {file, line});
}

template <class T>
T __shfl_down_sync(unsigned mask, T value, unsigned by, int width = 32, CUEMU_HERE) {
    const unsigned lane = cuemu::self->rank % cuemu::warp_size, last = lane | ((unsigned)width - 1);
    return cuemu::shuffle(mask, value, lane + by, lane + by <= last, {file, line});
}

template <class T> T __ldg(const T *from) {
    return *from;
}
template <class T> T __ldcs(const T *from) {
    return *from;
}
template <class T> void __stcs(T *to, T value) {
    *to = value;
}
template <class T> void __stwb(T *to, T value) {
    *to = value;
}
template <class T> T atomicAdd(T *to, T value) {
    return __atomic_fetch_add(to, value, __ATOMIC_RELAXED);
}
template <class T> T atomicMin(T *to, T value) {
    T found = __atomic_load_n(to, __ATOMIC_RELAXED);
    while (value < found && !__atomic_compare_exchange_n(to, &found, value, false, __ATOMIC_RELAXED,
                                                         __ATOMIC_RELAXED)) {
    }
    return found;
}

/* Of the two halves of words: the larger ones, and their sum with weights that are bytes. */
inline unsigned __vmaxu2(unsigned x, unsigned y) {
    const unsigned upper = std::max(x >> 16, y >> 16), lower = std::max(x & 0xffff, y & 0xffff);
    return upper << 16 | lower;
}
inline unsigned __dp2a_lo(unsigned halves, unsigned weights, unsigned sum) {
    return sum + (halves & 0xffff) * (weights & 0xff) + (halves >> 16) * (weights >> 8 & 0xff);
}

inline unsigned __float_as_uint(float value) {
    unsigned bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}
inline float __uint_as_float(unsigned bits) {
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* The sine and cosine of pi x: x is reduced exactly to |r| <= 1/4, and the next wider type computes
 * them. */
template <class Real, class Wide> void cuemu_sincospi(Real x, Real *sine, Real *cosine) {
    const Wide turn = fmod((Wide)x, (Wide)2), quarters = nearbyint(2 * turn);
    const Wide angle = (turn - quarters / 2) * (Wide)3.14159265358979323846264338327950288L;
    const Wide s = sin(angle), c = cos(angle);
    const int quadrant = isfinite(x) ? (int)quarters & 3 : 0;
    *sine = (Real)(quadrant == 0 ? s : quadrant == 1 ? c : quadrant == 2 ? -s : -c);
    *cosine = (Real)(quadrant == 0 ? c : quadrant == 1 ? -s : quadrant == 2 ? -c : s);
}
inline void sincospif(float x, float *sine, float *cosine) {
    cuemu_sincospi<float, double>(x, sine, cosine);
}
inline void sincospi(double x, double *sine, double *cosine) {
    cuemu_sincospi<double, long double>(x, sine, cosine);
}

/* Programmatic dependent launch: what follows comes after the launch before. */
inline void cudaGridDependencySynchronize() {
    if (cuemu::world.launches.size() > 1)
        (*(cuemu::world.launches.end() - 2))->finished.acquire();
}
inline void cudaTriggerProgrammaticLaunchCompletion() {}

#endif
