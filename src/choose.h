/* SPDX-License-Identifier: MIT
 * From a name ("cuda.twopass", "cpu", NULL) to the strategy that will run a problem.
 */
#ifndef WEFT_CHOOSE_H
#define WEFT_CHOOSE_H

#include "strategy.h"

/* *p gets the choices that the name's options make. */
weft_status choose_strategy(const char *name, problem *p, const strategy **chosen);

#endif
