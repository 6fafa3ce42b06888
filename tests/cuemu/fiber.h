/* SPDX-License-Identifier: MIT
 * A fiber: a function with a stack of its own, which runs until it rests or returns. To
 * ThreadSanitizer each fiber is a thread, and neither making one nor switching orders anything;
 * AddressSanitizer is told which fiber's stack is in use.
 */
#ifndef WEFT_TESTS_CUEMU_FIBER_H
#define WEFT_TESTS_CUEMU_FIBER_H

#include <cstddef>
#include <cstdlib>

#include "context.h"

#if defined(__SANITIZE_ADDRESS__)
#define CUEMU_ASAN 1
#elif defined(__SANITIZE_THREAD__)
#define CUEMU_TSAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define CUEMU_ASAN 1
#elif __has_feature(thread_sanitizer)
#define CUEMU_TSAN 1
#endif
#endif
#if defined(CUEMU_TSAN) || defined(CUEMU_ASAN)
#define CUEMU_SLOW 1 /* threads cost ten times as much */
#endif

namespace cuemu {

extern "C" {
#ifdef CUEMU_ASAN
void __sanitizer_start_switch_fiber(void **fake_stack, const void *bottom, size_t size);
void __sanitizer_finish_switch_fiber(void *fake_stack, const void **bottom, size_t *size);
#endif
#ifdef CUEMU_TSAN
void *__tsan_get_current_fiber(void);
void *__tsan_create_fiber(unsigned flags);
void __tsan_destroy_fiber(void *fiber);
void __tsan_switch_to_fiber(void *fiber, unsigned flags);
void AnnotateIgnoreSyncBegin(const char *file, int line);
void AnnotateIgnoreSyncEnd(const char *file, int line);
void AnnotateIgnoreReadsBegin(const char *file, int line);
void AnnotateIgnoreReadsEnd(const char *file, int line);
#endif
}

/* While one of these lives, TSan sees neither what this fiber does to memory nor what orders it; to
 * ignore reads is to ignore writes too. The host has one whenever it deals with fibers. */
struct unseen {
#ifdef CUEMU_TSAN
    unseen() {
        AnnotateIgnoreSyncBegin(__FILE__, __LINE__);
        AnnotateIgnoreReadsBegin(__FILE__, __LINE__);
    }
    ~unseen() {
        AnnotateIgnoreReadsEnd(__FILE__, __LINE__);
        AnnotateIgnoreSyncEnd(__FILE__, __LINE__);
    }
#else
    ~unseen() {}
#endif
};

class fiber {
  public:
    explicit fiber(void (*function)()) : run(function), stack((char *)malloc(stack_bytes)) {
        if (!stack)
            abort();
        own.make(stack, stack_bytes, begin);
#ifdef CUEMU_TSAN
        host_id = __tsan_get_current_fiber();
        id = __tsan_create_fiber(0);
#endif
    }
    ~fiber() {
#ifdef CUEMU_TSAN
        __tsan_destroy_fiber(id);
#endif
        free(stack);
    }
    fiber(const fiber &) = delete;

    /* The host runs the fiber until it rests or returns. */
    void resume() {
        current = this;
#ifdef CUEMU_ASAN
        void *fake;
        __sanitizer_start_switch_fiber(&fake, stack, stack_bytes);
#endif
#ifdef CUEMU_TSAN
        __tsan_switch_to_fiber(id, 1);
#endif
        context::change(host, own);
#ifdef CUEMU_ASAN
        __sanitizer_finish_switch_fiber(fake, nullptr, nullptr);
#endif
    }

    /* The fiber that runs rests until it is resumed. */
    static void rest() {
        current->leave(false);
    }

  private:
#ifdef CUEMU_TSAN
    static constexpr size_t stack_bytes = 32 << 10; /* TSan forgets one with little work */
#else
    static constexpr size_t stack_bytes = 64 << 10;
#endif
    static inline fiber *current = nullptr;

    void (*run)();
    char *stack;
    context own, host;
#ifdef CUEMU_ASAN
    const void *host_stack = nullptr;
    size_t host_bytes = 0;
#endif
#ifdef CUEMU_TSAN
    void *id, *host_id;
#endif

    void arrived([[maybe_unused]] void *fake) {
#ifdef CUEMU_ASAN
        __sanitizer_finish_switch_fiber(fake, &host_stack, &host_bytes);
#endif
    }

    /* A function that has ended reads, unseen, where it goes. */
    __attribute__((no_sanitize("thread"))) void leave([[maybe_unused]] bool for_ever) {
        void *fake = nullptr;
#ifdef CUEMU_ASAN
        __sanitizer_start_switch_fiber(for_ever ? nullptr : &fake, host_stack, host_bytes);
#endif
#ifdef CUEMU_TSAN
        __tsan_switch_to_fiber(host_id, 1);
#endif
        context::change(own, host);
        arrived(fake);
    }

    static void begin() {
        void (*function)();
        {
            unseen hidden;
            current->arrived(nullptr);
            function = current->run;
        }
        function();
        current->leave(true);
    }
};

} // namespace cuemu

#endif
