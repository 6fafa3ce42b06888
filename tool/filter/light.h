/* SPDX-License-Identifier: MIT
 * The light that a stored value of 8 or 16 bits stands for in sRGB, and back, on the scale of the
 * stored values: 0 and the largest value stay what they are.
 */
#ifndef WEFT_TOOL_FILTER_LIGHT_H
#define WEFT_TOOL_FILTER_LIGHT_H

typedef struct light {
    double *of; /* of each stored value; NULL: values are filtered as they are stored */
    double largest;
} light;

int light_make(light *l, int depth); /* an exit code, after a complaint */
double light_stored(const light *l, double value);
void light_free(light *l); /* fine when zeroed */

#endif
