/* SPDX-License-Identifier: MIT
 * Where a function with a stack of its own stands. swapcontext() asks the system for the signals
 * that are blocked, at each switch, which takes a third of an emulated kernel's time; nobody blocks
 * any here, so that x86-64 has a switch of its own.
 */
#ifndef WEFT_TESTS_CUEMU_CONTEXT_H
#define WEFT_TESTS_CUEMU_CONTEXT_H

#include <cstddef>
#include <cstdint>

#ifdef __x86_64__

/* Saves what a function must keep, and in *from where the stack stands; goes on from *to. Neither
 * is an access that ThreadSanitizer sees. */
extern "C" void cuemu_switch_stack(void **from, void **to);
asm(R"(
.pushsection .text
cuemu_switch_stack:
    push %rbp
    push %rbx
    push %r12
    push %r13
    push %r14
    push %r15
    mov %rsp, (%rdi)
    mov (%rsi), %rsp
    pop %r15
    pop %r14
    pop %r13
    pop %r12
    pop %rbx
    pop %rbp
    ret
.popsection
)");

namespace cuemu {

struct context {
    void *top = nullptr;

    /* `begin`, which never returns, will begin on that stack. */
    void make(char *stack, size_t bytes, void (*begin)()) {
        enum { KEPT = 6 };
        uintptr_t *const end = (uintptr_t *)((uintptr_t)(stack + bytes) / 16 * 16);
        end[-1] = 0; /* from where it was called */
        end[-2] = (uintptr_t)begin;
        for (int i = 1; i <= KEPT; i++)
            end[-2 - i] = 0;
        top = end - 2 - KEPT;
    }
    /* In the caller, and not at its very end: of a function that ends with a jump ThreadSanitizer
     * is told before the jump that it has ended. */
    [[gnu::always_inline]] static void change(context &from, context &to) {
        cuemu_switch_stack(&from.top, &to.top);
        asm volatile("");
    }
};

} // namespace cuemu

#else

#include <ucontext.h>

namespace cuemu {

struct context {
    ucontext_t all;

    void make(char *stack, size_t bytes, void (*begin)()) {
        getcontext(&all);
        all.uc_stack.ss_sp = stack;
        all.uc_stack.ss_size = bytes;
        makecontext(&all, begin, 0);
        all.uc_stack = {}; /* else AddressSanitizer forgets all about the stack at each switch */
    }
    static void change(context &from, context &to) {
        swapcontext(&from.all, &to.all);
    }
};

} // namespace cuemu

#endif
#endif
