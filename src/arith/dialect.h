/* SPDX-License-Identifier: MIT
 * The few words in which C17 and CUDA C++ differ, so that the same text serves both.
 */
#ifndef WEFT_ARITH_DIALECT_H
#define WEFT_ARITH_DIALECT_H

#if defined(__CUDACC__)
#define WEFT_HD __host__ __device__ __forceinline__
#elif defined(WEFT_LANES)
#define WEFT_HD inline __attribute__((always_inline))
#else
#define WEFT_HD inline
#endif

/* A function that a C++ compiler may also evaluate while compiling, as kernels need it of factor
 * lists. */
#if defined(__cplusplus)
#define WEFT_CONSTANT constexpr WEFT_HD
#else
#define WEFT_CONSTANT inline
#endif

/* Functions of .c files, declared for both languages. */
#if defined(__cplusplus)
#define WEFT_C extern "C"
#else
#define WEFT_C
#endif

/* For loops over arrays in registers: the compiler must unroll them, or the arrays go to memory. */
#if defined(__CUDA_ARCH__) || (defined(WEFT_LANES) && defined(__clang__))
#define WEFT_UNROLL _Pragma("unroll")
#elif defined(WEFT_LANES)
#define WEFT_UNROLL _Pragma("GCC unroll 16")
#else
#define WEFT_UNROLL
#endif

#endif
