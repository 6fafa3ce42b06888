/* SPDX-License-Identifier: MIT
 * From a name ("cuda.twopass", "cpu", NULL) to the strategy that will run a problem.
 */
#ifndef WEFT_CHOOSE_H
#define WEFT_CHOOSE_H

#include "strategy.h"

/* Whether choice.def puts the strategy of this name before all others for the problem. */
int choice_prefers(const char *name, const problem *p);

/* Sets *chosen, and p->choice to what the name's options say. */
weft_status choose_strategy(const char *name, problem *p, const strategy **chosen);

#endif
