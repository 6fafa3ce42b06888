/* SPDX-License-Identifier: MIT
 * A transform takes a picture for one of many that lie side by side. Where opposite edges of it
 * differ there is a step, and the spectrum of the steps is a cross that hides what is in the
 * picture. Here are two ways to be rid of it; both work on the half spectrum itself, in place.
 */
#ifndef WEFT_TOOL_PICTURES_EDGES_H
#define WEFT_TOOL_PICTURES_EDGES_H

#include "files/spectrum.h"

/* Exit codes, after a complaint.
 *
 * The periodic part (L. Moisan, Periodic plus smooth image decomposition, 2011): the picture less
 * the smoothest one that has its steps. Nothing in the picture is lost. */
int edges_take_away_steps(spectrum *s);
/* Of the picture less its mean, times a Hann window along both sides; the mean stays. What lies at
 * the edges is lost, but peaks between two bins become dots. */
int edges_apply_hann(spectrum *s);

#endif
