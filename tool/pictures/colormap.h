/* SPDX-License-Identifier: MIT
 * Levels as colours, by the maps that matplotlib has made known: viridis and inferno become
 * brighter all the way, also for who sees few colours; twilight ends as it begins, for angles.
 */
#ifndef WEFT_TOOL_PICTURES_COLORMAP_H
#define WEFT_TOOL_PICTURES_COLORMAP_H

extern const char *const colormap_words[]; /* gray is the first; NULL at the end */

/* level and colour: 0..1. */
void colormap_color(int map, double level, double color[3]);

#endif
