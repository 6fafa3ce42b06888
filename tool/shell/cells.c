/* SPDX-License-Identifier: MIT
 * Cells of tables; see cells.h.
 */
#include "shell/cells.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

const char *reason_cell(const char *name, weft_status status, const char *reason,
                        int *has_told_of_gpu) {
    const size_t length = strlen(name);

    if (status == WEFT_NO_DEVICE && (*has_told_of_gpu)++) {
        return "as above";
    }
    return strncmp(reason, name, length) == 0 && strncmp(reason + length, ": ", 2) == 0
               ? reason + length + 2
               : reason;
}

const char *time_cell(double us, char cell[CELL_SIZE]) {
    const double value = us < 1e3 ? us : us < 1e6 ? us / 1e3 : us / 1e6;
    const char *unit = us < 1e3 ? "us" : us < 1e6 ? "ms" : "s";
    if (!isfinite(us)) {
        return "-";
    }
    snprintf(cell, CELL_SIZE, "%.*f %s", value < 9.995 ? 2 : value < 99.95 ? 1 : 0, value, unit);
    return cell;
}

const char *number_cell(const char *format, double value, char cell[CELL_SIZE]) {
    if (!isfinite(value)) {
        return "-";
    }
    snprintf(cell, CELL_SIZE, format, value);
    return cell;
}
