/* SPDX-License-Identifier: MIT
 * The tool weft: its commands, of which one is run.
 */
#include <argp.h>
#include <png.h>
#include <stdio.h>

#include "commands/fractal/commands.h"
#include "files/image.h"
#include "shell/command_group.h"
#include "shell/complain.h"
#include "shell/interrupt.h"
#include "shell/output.h"
#include "shell/parse.h"
#include "weft.h"

enum { ENDINGS_SIZE = 100 };

static const command commands[] = {
    {"fft", "a picture to its spectrum, as a NumPy array", command_fft},
    {"ifft", "a spectrum back to the picture", command_ifft},
    {"spectrum", "a picture of the spectrum, to look at", command_spectrum},
    {"filter", "blur, sharpen, remove rasters and stripes", command_filter},
    {"diff", "how much two pictures differ", command_diff},
    {"fractal", "pictures and video, coded as fractals", command_fractal},
    {"scene", "a test picture with natural statistics", command_scene},
    {"bench", "check every strategy, then time it", command_bench},
    {"verify", "check every strategy", command_verify},
    {"reproduce", "published experiments, run again", command_reproduce},
    {"info", "versions, machine, strategies", command_info},
    {"completion", "what a shell completes", command_completion},
    {0},
};
static char tool_name[] = "weft";

const command_group weft_commands = {
    .name = tool_name,
    .doc =
        "Fourier transforms of pictures, on CPU and GPU; and a fractal codec."
        "\vweft COMMAND --help, or weft help COMMAND, says more about a command.\n\n"
        "Exit codes: 0 done, 1 a check failed, 2 usage, 3 bad input, 4 a file could not be read or "
        "written, 5 out of memory, 6 no usable GPU or the GPU failed; 129, 130 and 143 hung "
        "up, interrupted and terminated.",
    .commands = commands,
    .nested = "fractal",
    .inner = &fractal_commands};

static void print_version(FILE *to, struct argp_state *state) {
    char endings[ENDINGS_SIZE];

    (void)state;
    fprintf(to, "weft %s, libpng %s\npictures: %s; PNG written with %s\n", weft_version(),
            png_get_libpng_ver(NULL), join_words(endings, sizeof endings, image_suffixes, " "),
            image_compressor());
}

int main(int argc, char **argv) {
    argp_program_version_hook = print_version;
    argp_err_exit_status = EXIT_USAGE;
    output_watch_standard_streams();
    interrupt_catch();
    if (argc > 0) {
        argv[0] = tool_name; /* argp shows it */
    }
    return interrupt_over(command_group_run(&weft_commands, argc, argv));
}
