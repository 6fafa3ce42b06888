/* SPDX-License-Identifier: MIT
 * A rough estimate, made before anything is allocated: a system that overcommits would hand out the
 * memory and end the process later.
 */
#include "bench/memory.h"

#include <unistd.h>

#include "reference.h"
#include "shell/complain.h"

/* A pixel's share, as measured: of the oracle, for each distinct image; and for every image of
 * guarded input, output and workspace, which have a mirror each, and of the first run's output. */
static const double oracle_bytes[] = {[WEFT_F32] = 60, [WEFT_F64] = 110};
static const double image_bytes[] = {[WEFT_F32] = 28, [WEFT_F64] = 56};
static const double gibibyte = 1 << 30;

static double wanted_bytes(const weft_desc *d) {
    const double batch = d->batch != 0 ? (double)d->batch : 1;
    const double distinct = batch < MOST_DISTINCT ? batch : MOST_DISTINCT;

    return (double)d->height * (double)d->width *
           (oracle_bytes[d->precision] * distinct + image_bytes[d->precision] * batch);
}

static double machine_bytes(void) {
    return (double)sysconf(_SC_PHYS_PAGES) * (double)sysconf(_SC_PAGESIZE);
}

double memory_lacks(const weft_desc *desc) {
    return machine_bytes() > 0 ? (wanted_bytes(desc) - machine_bytes()) / gibibyte : 0;
}

int memory_check(const weft_desc *desc) {
    if (memory_lacks(desc) <= 0) {
        return EXIT_DONE;
    }
    return complain(EXIT_MEMORY,
                    "%zux%zu: wants about %.1f GiB, this machine has %.1f GiB; a smaller --size%s",
                    desc->height, desc->width, wanted_bytes(desc) / gibibyte,
                    machine_bytes() / gibibyte, desc->batch > 1 ? " or --batch" : "");
}
