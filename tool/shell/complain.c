/* SPDX-License-Identifier: MIT
 * One line on stderr for everything that goes wrong, and the exit code that belongs to it.
 */
#include "shell/complain.h"

#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "shell/progress.h"

static int continues_character(char c) {
    return ((unsigned char)c & 0xc0) == 0x80;
}

/* Bytes of the character of UTF-8 that begins here; 1 of what is none. */
static size_t character_bytes(const char *text) {
    const unsigned char first = (unsigned char)text[0];
    const size_t bytes = first < 0xc2 || first > 0xf4 ? 1 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
    size_t found = 1;

    while (found < bytes && continues_character(text[found])) {
        found++;
    }
    return found == bytes ? bytes : 1;
}

/* U+0080 to U+009F are such, too, and so are bytes of these numbers to a terminal without UTF-8. */
static int is_control(const char *text, size_t bytes) {
    const char *last = text + bytes - 1;

    return iscntrl((unsigned char)text[0]) ||
           ((bytes == 1 || text[0] == '\xc2') && ((unsigned char)*last & 0xe0) == 0x80);
}

void make_printable(char *text) {
    for (size_t bytes; *text; text += bytes) {
        bytes = character_bytes(text);
        if (is_control(text, bytes)) {
            memset(text, '?', bytes);
        }
    }
}

int is_printable(const char *text) {
    while (*text && !is_control(text, character_bytes(text))) {
        text += character_bytes(text);
    }
    return *text == '\0';
}

/* Both ends of a text of more than MOST_LINE characters, whole characters of UTF-8 only. */
static void keep_ends(char text[MOST_LINE], const char *whole, size_t length) {
    static const char gap[] = "...";
    size_t head = (MOST_LINE - sizeof gap) / 2, tail = length - head;

    while (head > 0 && continues_character(whole[head])) {
        head--;
    }
    while (continues_character(whole[tail])) {
        tail++;
    }
    snprintf(text, MOST_LINE, "%.*s%s%s", (int)head, whole, gap, whole + tail);
}

void print_line(char text[MOST_LINE], const char *format, va_list values) {
    va_list again;
    int length;

    va_copy(again, values);
    length = vsnprintf(text, MOST_LINE, format, values);
    if (length >= MOST_LINE) {
        char *whole = malloc((size_t)length + 1);

        if (whole != NULL) {
            vsnprintf(whole, (size_t)length + 1, format, again);
            keep_ends(text, whole, (size_t)length);
            free(whole);
        }
    }
    va_end(again);
    make_printable(text);
}

int complain(int code, const char *format, ...) {
    char text[MOST_LINE];
    va_list values;

    progress_end();
    va_start(values, format);
    print_line(text, format, values);
    va_end(values);
    fprintf(stderr, "weft: %s\n", text);
    return code;
}

int code_of_errno(void) {
    return errno == ENOMEM ? EXIT_MEMORY : EXIT_FILE;
}

int code_of_status(weft_status status) {
    switch (status) {
    case WEFT_OK:
        return EXIT_DONE;
    case WEFT_BAD_ARGUMENT:
    case WEFT_UNSUPPORTED:
        return EXIT_USAGE;
    case WEFT_NO_MEMORY:
        return EXIT_MEMORY;
    case WEFT_NO_DEVICE:
    case WEFT_DEVICE_FAILED:
        return EXIT_GPU;
    case WEFT_BAD_DATA:
        return EXIT_BAD_INPUT;
    }
    return EXIT_CHECK_FAILED;
}

const char *text_of_status(weft_status status) {
    const char *text = weft_last_error();
    return *text ? text : weft_status_string(status);
}

/* Where no GPU can be had because the tool is built without. */
static const char *advice(weft_status status) {
    return status == WEFT_NO_DEVICE && !WEFT_WITH_CUDA
               ? "; omit --strategy, or build with CUDA: ./run --cuda"
               : "";
}

int complain_status(weft_status status) {
    return complain(code_of_status(status), "%s%s", text_of_status(status), advice(status));
}

const char omit_strategy[] = "; omit --strategy, and those that can take part";

int complain_plan(weft_status status, const weft_desc *desc) {
    char text[MOST_LINE];
    weft_desc open = *desc;
    weft_plan *plan = NULL;
    int code;

    snprintf(text, sizeof text, "%s", text_of_status(status));
    open.strategy = NULL;
    if (status == WEFT_UNSUPPORTED && desc->strategy != NULL &&
        weft_plan_create(&plan, &open) == WEFT_OK) {
        code = complain(EXIT_USAGE, "%s; omit --strategy, and %s is taken", text,
                        weft_plan_strategy(plan));
    } else {
        code = complain(code_of_status(status), "%s%s", text, advice(status));
    }
    weft_plan_destroy(plan);
    return code;
}

/* Large blocks lie in large pages where the system has them on request: that a page is touched for
 * the first time takes more time than to write it, and a picture has thousands of small ones. */
enum { HUGE_PAGE = 2 << 20 };
static void *allocate_bytes(size_t bytes) {
    const size_t whole = (bytes + HUGE_PAGE - 1) / HUGE_PAGE * HUGE_PAGE;
    void *memory;

    if (bytes < 4 * (size_t)HUGE_PAGE || whole < bytes) {
        return malloc(bytes ? bytes : 1);
    }
    memory = aligned_alloc(HUGE_PAGE, whole);
#ifdef MADV_HUGEPAGE
    if (memory != NULL) {
        madvise(memory, whole, MADV_HUGEPAGE);
    }
#endif
    return memory;
}

void *allocate(size_t count, size_t bytes_each) {
    size_t bytes;
    void *memory = NULL;

    if (__builtin_mul_overflow(count, bytes_each, &bytes)) {
        bytes = SIZE_MAX;
    } else {
        memory = allocate_bytes(bytes);
    }
    if (!memory) {
        complain(EXIT_MEMORY, "out of memory: %.1f MiB wanted", (double)bytes / (1 << 20));
    }
    return memory;
}
