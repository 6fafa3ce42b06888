/* SPDX-License-Identifier: MIT
 * Whether a strategy can be had on this machine.
 */
#ifndef WEFT_TOOL_SHELL_TRY_STRATEGY_H
#define WEFT_TOOL_SHELL_TRY_STRATEGY_H

#include "weft.h"

/* WEFT_OK if weft_desc.strategy can be this name and it runs here, if on a GPU then on this one;
 * else weft_last_error() says why not. */
weft_status try_strategy(const char *name, int device);

/* why: "", or why no GPU can be used here, in so many bytes. An exit code, after a complaint unless
 * one of these is sure. */
int look_for_gpu(char *why, size_t size);

#endif
