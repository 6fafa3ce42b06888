/* SPDX-License-Identifier: MIT
 * weft fractal: the commands around the fractal codec.
 */
#include "commands/fractal/commands.h"
#include "shell/command_group.h"

static const command commands[] = {
    {"encode", "pictures or video to a stream, FVC1", command_fractal_encode},
    {"decode", "a stream back to video or a picture", command_fractal_decode},
    {"info", "what a stream consists of", command_fractal_info},
    {"bench", "hold the searches against one another, then time them", command_fractal_bench},
    {0},
};

const command_group fractal_commands = {
    .name = "weft fractal",
    .doc = "Code pictures and video as fractals: partitioned iterated function systems."
           "\vweft fractal COMMAND --help, or weft fractal help COMMAND, says more about a "
           "command.\n\n"
           "Examples:\n"
           "  weft fractal encode city.y4m -o city.fvc --threshold 80\n"
           "  weft fractal decode city.fvc -o again.y4m --like city.y4m\n"
           "  weft fractal info city.fvc",
    .commands = commands};

int command_fractal(int argc, char **argv) {
    return command_group_run(&fractal_commands, argc, argv);
}
