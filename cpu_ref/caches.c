/* SPDX-License-Identifier: MIT
 * The caches of this CPU, see caches.h.
 */
#include "caches.h"

#include <pthread.h>
#include <stdio.h>

/* What the file says of cache `index`: a number, and behind it K where it is one of KiB. */
static int read_cache(int index, const char *file, size_t *number) {
    char path[80];
    snprintf(path, sizeof path, "/sys/devices/system/cpu/cpu0/cache/index%d/%s", index, file);
    FILE *from = fopen(path, "r");
    size_t value = 0;
    char unit = '\0';
    int is_there = from != NULL && fscanf(from, "%zu%c", &value, &unit) >= 1;
    if (from != NULL) {
        fclose(from);
    }
    *number = unit == 'K' ? value * 1024 : value;
    return is_there;
}

static int is_amd(void) {
#if defined(__x86_64__)
    __builtin_cpu_init();
    return __builtin_cpu_is("amd") != 0;
#else
    return 0;
#endif
}

static cpu_caches found; /* once, as it takes 70 us */

static void find(void) {
    size_t level, bytes, highest = 1;
    found = (cpu_caches){.second = (size_t)1 << 20, .last = (size_t)1 << 25, .is_amd = is_amd()};
    for (int i = 0; read_cache(i, "level", &level) && read_cache(i, "size", &bytes); i++) {
        if (level == 2) {
            found.second = bytes;
        }
        if (level > highest) {
            highest = level;
            found.last = bytes;
        }
    }
}

cpu_caches caches_of_cpu(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, find);
    return found;
}
