/* SPDX-License-Identifier: MIT
 * The rung of tables with its cosines wrong by a hundred thousandth, in the place of the right one:
 * test_reproduce.py runs a weft that is linked with it.
 */
#include <math.h>

#define cos(angle) (1.00001 * cos(angle))
#define LADDER_RUNG ladder_cpu_tables
#include "reproduce/ladder/cpu_2_tables.c"
