/* SPDX-License-Identifier: MIT
 * A stranger's program against an installed Weft: C99, one transform, and the fractal codec. Prints
 * ok.
 */
#include <stdio.h>
#include <string.h>
#include <weft.h>
#include <weft_fractal.h>

int main(void) {
    weft_plan *plan;
    weft_desc desc = {0};
    float image[6] = {1, 2, 3, 4, 5, 6}, spectrum[6];
    desc.height = 2;
    desc.width = 3;
    desc.strategy = "cpu";
    if (weft_plan_create(&plan, &desc) != WEFT_OK ||
        weft_forward_host(plan, image, spectrum) != WEFT_OK) {
        fprintf(stderr, "%s\n", weft_last_error());
        return 1;
    }
    if (strncmp(weft_plan_describe(plan), "2x3 f32, packed, cpu.", 21) != 0) {
        fprintf(stderr, "a plan that says: %s\n", weft_plan_describe(plan));
        return 1;
    }
    weft_plan_destroy(plan);
    if (weft_fractal_plane_width(5, WEFT_FRACTAL_420, 1) != 3 ||
        weft_fractal_search_name(0) == NULL) {
        fprintf(stderr, "a codec without searches\n");
        return 1;
    }
    puts(spectrum[0] == 21 ? "ok" : "wrong");
    return spectrum[0] != 21;
}
