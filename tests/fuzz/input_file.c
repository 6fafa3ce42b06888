/* SPDX-License-Identifier: MIT
 * An input as a file: one file in memory, which is written anew for each input.
 */
#include "input_file.h"

#include <sys/mman.h>
#include <unistd.h>

#include "fuzz.h"

const char *input_file(const uint8_t *bytes, size_t count) {
    static char name[64];
    static int descriptor = -1;
    if (descriptor < 0) {
        descriptor = memfd_create("input", MFD_CLOEXEC);
        snprintf(name, sizeof name, "/proc/self/fd/%d", descriptor);
    }
    must(ftruncate(descriptor, 0) == 0 && pwrite(descriptor, bytes, count, 0) == (ssize_t)count,
         "no file in memory of %zu bytes", count);
    return name;
}
