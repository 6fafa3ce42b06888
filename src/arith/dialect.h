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

/* A radix that the compiler knows is in C a parameter like others, and in C++ a type: what an
 * IF_CONSTANT rules out is not even compiled there. Inlined first and ruled out then, the code of
 * all other radices takes most of the time that a kernel takes the compiler. */
#if defined(__cplusplus)
template <int N> struct constant_int {
    constexpr WEFT_HD operator int() const {
        return N;
    }
};
#define CONSTANT_INT(n) (constant_int<(n)>())
#define OF_CONSTANT_RADIX template <class Radix>
#define CONSTANT_RADIX Radix
#define IF_CONSTANT if constexpr
#else
#define CONSTANT_INT(n) (n)
#define OF_CONSTANT_RADIX
#define CONSTANT_RADIX int
#define IF_CONSTANT if
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
