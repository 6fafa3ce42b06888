/* SPDX-License-Identifier: MIT
 * The tool's options: the input is a command line, an argument a line, for main.c and the command
 * that it finds. A command is left when its options are parsed, so that nothing is read,
 * transformed or written, and main() is left where the program would exit.
 */
#include <argp.h>
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include "fuzz.h"

enum { MOST_ARGUMENTS = 64, MESSAGE_SIZE = 8192 };

static jmp_buf outside;
static int is_inside; /* of the program */

int tool_main(int argc, char **argv); /* main.c's main() */

/* ---- what stands in the way of these functions, by the linker's names -------------------------
 */

_Noreturn void __wrap_exit(int code);
_Noreturn void __real_exit(int code);
_Noreturn void __wrap_argp_error(const struct argp_state *state, const char *format, ...);
error_t __wrap_argp_parse(const struct argp *argp, int argc, char **argv, unsigned flags, int *at,
                          void *input);
error_t __real_argp_parse(const struct argp *argp, int argc, char **argv, unsigned flags, int *at,
                          void *input);
int __wrap_options_parse(const struct argp *argp, int argc, char **argv, unsigned flags,
                         void *arguments);
int __real_options_parse(const struct argp *argp, int argc, char **argv, unsigned flags,
                         void *arguments);
int __wrap_atexit(void (*function)(void));
int __real_atexit(void (*function)(void));
void __wrap_interrupt_catch(void);
__attribute__((visibility("default"))) const char *__asan_default_options(void);

/* What the program has when it exits is lost here. */
const char *__asan_default_options(void) {
    return "detect_leaks=0";
}

_Noreturn void __wrap_exit(int code) {
    if (is_inside) {
        longjmp(outside, 1);
    }
    __real_exit(code);
}

/* The C library's own ends in an exit() that no linker reaches. */
_Noreturn void __wrap_argp_error(const struct argp_state *state, const char *format, ...) {
    char message[MESSAGE_SIZE];
    va_list values;
    (void)state;
    va_start(values, format);
    vsnprintf(message, sizeof message, format, values);
    va_end(values);
    longjmp(outside, 1);
}

error_t __wrap_argp_parse(const struct argp *argp, int argc, char **argv, unsigned flags, int *at,
                          void *input) {
    return __real_argp_parse(argp, argc, argv, flags | ARGP_NO_EXIT, at, input);
}

/* A parser that stops at its first argument finds a command there. */
int __wrap_options_parse(const struct argp *argp, int argc, char **argv, unsigned flags,
                         void *arguments) {
    int code = __real_options_parse(argp, argc, argv, flags, arguments);
    if (code != 0 || (flags & ARGP_IN_ORDER) == 0) {
        longjmp(outside, 1);
    }
    return code;
}

int __wrap_atexit(void (*function)(void)) {
    return is_inside ? 0 : __real_atexit(function);
}

void __wrap_interrupt_catch(void) {}

/* ---- an input ---------------------------------------------------------------------------------
 */

/* Cuts the lines into arguments behind the program's name; 0 if one of them is argp's --HANG, which
 * sleeps. */
static int split(char *lines, char *argv[MOST_ARGUMENTS + 2]) {
    int argc = 1;
    while (argc <= MOST_ARGUMENTS && *lines != '\0') {
        char *line = strsep(&lines, "\n");
        if (strncmp(line, "--H", 3) == 0) {
            return 0;
        }
        argv[argc++] = line;
        lines = lines != NULL ? lines : line + strlen(line);
    }
    return argc;
}

static void run(int argc, char **argv) {
    is_inside = 1;
    if (setjmp(outside) == 0) {
        tool_main(argc, argv);
    }
    is_inside = 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count) {
    static char name[] = "weft";
    char *argv[MOST_ARGUMENTS + 2] = {name}, *lines = strndup((const char *)bytes, count);
    char *own_name = program_invocation_name, *own_short_name = program_invocation_short_name;
    int argc = split(lines, argv);

    if (argc > 0) {
        run(argc, argv);
    }
    program_invocation_name = own_name; /* argp has an option for it */
    program_invocation_short_name = own_short_name;
    free(lines);
    return 0;
}
