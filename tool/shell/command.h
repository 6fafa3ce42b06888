/* SPDX-License-Identifier: MIT
 * The commands of the tool, a function each, in a file of its own name in commands/.
 */
#ifndef WEFT_TOOL_SHELL_COMMAND_H
#define WEFT_TOOL_SHELL_COMMAND_H

/* A command: argv[0] is its name as argp shows it ("weft fft"). Returns an exit code. */
typedef struct command {
    const char *name, *about; /* about: one line for `weft --help` */
    int (*run)(int argc, char **argv);
} command;

int command_bench(int argc, char **argv);
int command_completion(int argc, char **argv);
int command_diff(int argc, char **argv);
int command_fft(int argc, char **argv);
int command_filter(int argc, char **argv);
int command_fractal(int argc, char **argv);
int command_ifft(int argc, char **argv);
int command_info(int argc, char **argv);
int command_reproduce(int argc, char **argv);
int command_scene(int argc, char **argv);
int command_spectrum(int argc, char **argv);
int command_verify(int argc, char **argv);

#endif
