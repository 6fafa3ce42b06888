/* SPDX-License-Identifier: MIT
 * The curve of sRGB, IEC 61966-2-1; see light.h.
 */
#include "filter/light.h"

#include <math.h>
#include <stdlib.h>

#include "files/image.h"
#include "shell/complain.h"

int light_make(light *l, int depth) {
    const unsigned largest = image_largest(depth);

    if (depth == 32) {
        return complain(EXIT_USAGE, "--linear: is for pictures of 8 and 16 bits; floats are taken "
                                    "as they are");
    }
    *l = (light){.of = allocate((size_t)largest + 1, sizeof *l->of), .largest = largest};
    for (unsigned i = 0; l->of != NULL && i <= largest; i++) {
        const double stored = (double)i / largest;

        l->of[i] =
            largest * (stored <= 0.04045 ? stored / 12.92 : pow((stored + 0.055) / 1.055, 2.4));
    }
    return l->of != NULL ? EXIT_DONE : EXIT_MEMORY;
}

double light_stored(const light *l, double value) {
    const double part = value / l->largest;

    return l->largest * (part <= 0.0031308 ? part * 12.92 : 1.055 * pow(part, 1 / 2.4) - 0.055);
}

void light_free(light *l) {
    free(l->of);
    *l = (light){0};
}
