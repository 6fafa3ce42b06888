/* SPDX-License-Identifier: MIT
 * The caches of this CPU and its maker, and which images they are too small for: see caches.h.
 */
#include "caches.h"

#include <limits.h>
#include <pthread.h>
#include <stdio.h>

/* A number in the file of cache `index`, in KiB where a K is behind it; 0 if there is none. */
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

static int is_amd(void) {
#if defined(__x86_64__)
    __builtin_cpu_init();
    return __builtin_cpu_is("amd") != 0;
#else
    return 0;
#endif
}

cpu_caches caches_in(const char *folder) {
    cpu_caches found = {.second = (size_t)1 << 20, .last = (size_t)1 << 25, .is_amd = is_amd()};
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

/* Written once, as it takes 70 us, and the same for all plans. */
static cpu_caches of_cpu;

static void find(void) {
    of_cpu = caches_in("/sys/devices/system/cpu/cpu0/cache");
}

cpu_caches caches_of_cpu(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, find);
    return of_cpu;
}

/* From a part of the last cache on, see docs/performance.md. AMD: an EPYC with 32 MB, 2026-11-25,
 * where forward 8 MiB gain 5 to 20 % and 4 MiB lose as much, and of an inverse 16 MiB gain 10 %, 8
 * MiB lose 40 and 4 MiB 60 %. Others: Xeons with 256 and 300 MB, 2026-11-23, where 128 MiB gain, 64
 * MiB do on one thread and lose on sixteen, and 32 MiB lose. */
enum { PART_ON_AMD = 4, PART_OF_INVERSE_ON_AMD = 2, PART_ON_OTHERS = 5 };

int are_outgrown(const cpu_caches *caches, size_t bytes, int is_inverse) {
    size_t part = !caches->is_amd ? PART_ON_OTHERS
                  : is_inverse    ? PART_OF_INVERSE_ON_AMD
                                  : PART_ON_AMD;
    return bytes > caches->second && bytes >= caches->last / part;
}
