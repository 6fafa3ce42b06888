/* SPDX-License-Identifier: MIT
 * These functions make the cells of the tool's tables: numbers, and reasons why something
 * cannot run.
 */
#ifndef WEFT_TOOL_SHELL_CELLS_H
#define WEFT_TOOL_SHELL_CELLS_H

#include "weft.h"

enum { CELL_SIZE = 24 };

/* Why something cannot run, for a row that begins with its name or a text that has none (""): the
 * library says the name first. That there is no GPU has the same reason everywhere: it is told
 * once. */
const char *reason_cell(const char *name, weft_status status, const char *reason,
                        int *has_told_of_gpu);

/* Three digits and a unit; "-" for what is not finite. Both return cell or a constant. */
const char *time_cell(double us, char cell[CELL_SIZE]);
const char *number_cell(const char *format, double value, char cell[CELL_SIZE])
    __attribute__((format_arg(1)));

#endif
