/* SPDX-License-Identifier: MIT
 * What host_calls.c, check/, the bench and the tests use of the inside of a plan: a plan over a
 * strategy that is not in the table (a peer in the bench), and where a plan's pointers live.
 */
#ifndef WEFT_PLAN_H
#define WEFT_PLAN_H

#include "strategy.h"

/* Like weft_plan_create, but over `chosen`: desc->strategy is read for its options only. NULL: over
 * the strategy that desc->strategy asks for. */
weft_status plan_create_over(weft_plan **plan, const weft_desc *desc, const strategy *chosen);

const strategy *plan_strategy(const weft_plan *plan);
const problem *plan_problem(const weft_plan *plan);

/* Bytes from the first to past the last element of an image batch / spectrum batch. */
size_t plan_image_bytes(const weft_plan *plan);
size_t plan_spectrum_bytes(const weft_plan *plan);
/* Bytes of a transfer of this kind: one image's worth, see weft_transfer. */
size_t plan_transfer_bytes(const weft_plan *plan, weft_transfer kind);

#endif
