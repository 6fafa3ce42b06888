/* SPDX-License-Identifier: MIT
 * Whether a search can be had: for each profile the library is asked for an encoder of small
 * pictures with it, which is given back. A refusal of the machine is the same in both; one of a
 * profile is only told if the other one is refused, too.
 */
#include "shell/try_search.h"

enum { SIDE = 16 };

static weft_status try_profile(const char *name, weft_fractal_profile profile) {
    const weft_fractal_desc desc = {
        .height = SIDE, .width = SIDE, .search = name, .profile = profile};
    weft_fractal_encoder *encoder;
    const weft_status status = weft_fractal_encoder_create(&encoder, &desc);

    weft_fractal_encoder_destroy(encoder);
    return status;
}

weft_status try_search(const char *name, int takes[FRACTAL_PROFILES]) {
    weft_status status = WEFT_UNSUPPORTED;
    int count = 0;

    for (int i = 0; i < FRACTAL_PROFILES; i++) {
        takes[i] = 0;
    }
    for (int i = 0; i < FRACTAL_PROFILES && (status == WEFT_UNSUPPORTED || status == WEFT_OK);
         i++) {
        status = try_profile(name, (weft_fractal_profile)i);
        takes[i] = status == WEFT_OK;
        count += takes[i];
    }
    return count > 0 && status == WEFT_UNSUPPORTED ? WEFT_OK : status;
}
