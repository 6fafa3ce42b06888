/* SPDX-License-Identifier: MIT
 * The caches of this CPU and its maker: see caches.h.
 */
#include "fast/caches.h"

#include <limits.h>
#include <pthread.h>
#include <stdio.h>

/* The number in a file of cache `index`, times 1024 if a K follows it; 0 if there is none. */
static size_t read_cache(const char *folder, int index, const char *file) {
    char path[PATH_MAX];
    int length = snprintf(path, sizeof path, "%s/index%d/%s", folder, index, file);
    FILE *from = length < (int)sizeof path ? fopen(path, "r") : NULL;
    size_t value = 0;
    char unit = '\0';
    if (from != NULL && fscanf(from, "%zu%c", &value, &unit) < 1) {
        value = 0;
    }
    if (from != NULL) {
        fclose(from);
    }
    return unit == 'K' ? value * 1024 : value;
}

static cpu_maker maker(void) {
#if defined(__x86_64__)
    __builtin_cpu_init();
    return __builtin_cpu_is("amd") ? CPU_OF_AMD : CPU_OF_OTHERS;
#else
    return CPU_OF_OTHERS;
#endif
}

cpu_caches caches_in(const char *folder) {
    cpu_caches found = {.second = (size_t)1 << 20, .last = (size_t)1 << 25, .maker = maker()};
    size_t highest = 1;
    for (int i = 0; read_cache(folder, i, "level") > 0; i++) {
        size_t level = read_cache(folder, i, "level"), bytes = read_cache(folder, i, "size");
        if (level == 2 && bytes > 0) {
            found.second = bytes;
        }
        if (level > highest && bytes > 0) {
            highest = level;
            found.last = bytes;
        }
    }
    return found;
}

/* Found once and the same for all plans, as reading the files takes longer than a small transform.
 */
static cpu_caches of_cpu;

static void find(void) {
    of_cpu = caches_in("/sys/devices/system/cpu/cpu0/cache");
}

cpu_caches caches_of_cpu(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, find);
    return of_cpu;
}
