/* SPDX-License-Identifier: MIT
 * The commands of weft fractal, a function each, in a file of its own name.
 */
#ifndef WEFT_TOOL_COMMANDS_FRACTAL_COMMANDS_H
#define WEFT_TOOL_COMMANDS_FRACTAL_COMMANDS_H

#include "shell/command_group.h"

extern const command_group fractal_commands;

int command_fractal_encode(int argc, char **argv);
int command_fractal_decode(int argc, char **argv);
int command_fractal_info(int argc, char **argv);
int command_fractal_bench(int argc, char **argv);

#endif
