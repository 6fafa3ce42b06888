/* SPDX-License-Identifier: MIT
 * The photographs of data/images as the tests of the fractal codec want them: luma, of CIF, and a
 * mosaic of all four, of 4CIF. plane[0] is to be freed.
 */
#ifndef WEFT_TESTS_UNIT_FRACTAL_PHOTOGRAPHS_H
#define WEFT_TESTS_UNIT_FRACTAL_PHOTOGRAPHS_H

#include "weft_fractal.h"

enum { CIF_HEIGHT = 288, CIF_WIDTH = 352 };

/* The centre of one of them. */
weft_fractal_picture photograph(const char *folder, const char *name);

/* Four of them, of twice the size. */
weft_fractal_picture mosaic(const char *folder);

#endif
