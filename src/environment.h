/* SPDX-License-Identifier: MIT
 * Every number is computed in the default floating-point environment: rounded to nearest, denormals
 * kept, nothing trapped. The environment belongs to a thread, so whoever computes for a caller
 * takes the default one first and gives the caller's back afterwards, its flags as they were.
 */
#ifndef WEFT_ENVIRONMENT_H
#define WEFT_ENVIRONMENT_H

#include <fenv.h>

/* All that the C library knows of, the x87 unit too: for tables, which are computed
 * in long double, and for whatever may call CUDA, whose driver raises flags of its own. */
static inline fenv_t take_whole_environment(void) {
    fenv_t callers;
    fegetenv(&callers);
    fesetenv(FE_DFL_ENV);
    return callers;
}

static inline void give_back_whole_environment(fenv_t callers) {
    fesetenv(&callers);
}

#if defined(__x86_64__)
#include <xmmintrin.h>

/* SSE's control and status word. The x87 unit takes far longer to save than a small image to
 * transform: whoever may use it takes the whole environment. */
typedef unsigned environment;

static inline environment take_default_environment(void) {
    enum { ALL_MASKED = 0x1f80 }; /* nothing else is set */
    environment callers = _mm_getcsr();
    _mm_setcsr(ALL_MASKED);
    return callers;
}

static inline void give_back_environment(environment callers) {
    _mm_setcsr(callers);
}

/* The exceptions raised since then; and to raise them in another thread's. */
static inline unsigned raised_flags(void) {
    return _mm_getcsr() & _MM_EXCEPT_MASK;
}

static inline void raise_flags(unsigned flags) {
    _mm_setcsr(_mm_getcsr() | flags);
}

/* Whether a finite result was too large for its type since this thread asked last. */
static inline int take_overflow(void) {
    unsigned now = _mm_getcsr();
    if ((now & _MM_EXCEPT_OVERFLOW) == 0) {
        return 0;
    }
    _mm_setcsr(now & ~(unsigned)_MM_EXCEPT_OVERFLOW);
    return 1;
}

#else

typedef fenv_t environment;

static inline environment take_default_environment(void) {
    return take_whole_environment();
}

static inline void give_back_environment(environment callers) {
    give_back_whole_environment(callers);
}

static inline unsigned raised_flags(void) {
    return (unsigned)fetestexcept(FE_ALL_EXCEPT);
}

static inline void raise_flags(unsigned flags) {
    feraiseexcept((int)flags);
}

static inline int take_overflow(void) {
    int overflows = fetestexcept(FE_OVERFLOW) != 0;
    feclearexcept(FE_OVERFLOW);
    return overflows;
}

#endif

#endif
