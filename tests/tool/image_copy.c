/* SPDX-License-Identifier: MIT
 * A picture from file to file, in the format that the name of the second asks for: image_copy IN
 * OUT [MAX_PIXELS [small]]. It prints the most memory that it had, in KiB, and ends with the exit
 * codes of weft.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "files/image.h"
#include "shell/complain.h"

typedef struct copy {
    image picture;
    image_options options;
} copy;

static int write_copy(output *out, void *context) {
    const copy *c = context;

    return image_write(&c->picture, out, &c->options);
}

/* Of this program alone, where getrusage() would count its parent's. */
static long most_memory(void) {
    FILE *status = fopen("/proc/self/status", "re");
    char line[256];
    long kib = 0;

    while (status != NULL && fgets(line, sizeof line, status) != NULL) {
        if (strncmp(line, "VmHWM:", 6) == 0) {
            kib = strtol(line + 6, NULL, 10);
        }
    }
    if (status != NULL) {
        fclose(status);
    }
    return kib;
}

int main(int argc, char **argv) {
    copy c = {.options = {.is_small = argc > 4}};
    int code;

    if (argc < 3) {
        return EXIT_USAGE;
    }
    code = image_read(&c.picture, argv[1], argc > 3 ? strtoull(argv[3], NULL, 10) : 1 << 30);
    if (code == EXIT_DONE) {
        code = output_whole(argv[2], write_copy, &c);
    }
    image_free(&c.picture);
    printf("%ld\n", most_memory());
    return code;
}
