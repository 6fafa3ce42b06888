/* SPDX-License-Identifier: MIT
 * Status names, the version, and this thread's last error text.
 */
#include "status.h"

#include <stdarg.h>
#include <stdio.h>

static _Thread_local char last_error[LAST_ERROR_SIZE];

weft_status weft_fail(weft_status status, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(last_error, sizeof last_error, format, arguments);
    va_end(arguments);
    return status;
}

const char *weft_last_error(void) {
    return last_error;
}

const char *weft_status_string(weft_status status) {
    switch (status) {
    case WEFT_OK:
        return "WEFT_OK";
    case WEFT_BAD_ARGUMENT:
        return "WEFT_BAD_ARGUMENT";
    case WEFT_UNSUPPORTED:
        return "WEFT_UNSUPPORTED";
    case WEFT_NO_MEMORY:
        return "WEFT_NO_MEMORY";
    case WEFT_NO_DEVICE:
        return "WEFT_NO_DEVICE";
    case WEFT_DEVICE_FAILED:
        return "WEFT_DEVICE_FAILED";
    case WEFT_BAD_DATA:
        return "WEFT_BAD_DATA";
    }
    return "unknown status";
}

const char *weft_version(void) {
    return WEFT_VERSION;
}

const char *bytes_text(size_t bytes, char buffer[BYTES_TEXT_SIZE]) {
    static const char *const units[] = {"bytes", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
    double value = (double)bytes;
    int unit = 0;
    while (value >= 1024 && unit < 6) {
        value /= 1024;
        unit++;
    }
    snprintf(buffer, BYTES_TEXT_SIZE, unit ? "%.1f %s" : "%.0f %s", value, units[unit]);
    return buffer;
}
