/* SPDX-License-Identifier: MIT
 * Reads the machine off /proc, OpenMP and the CUDA runtime; see machine.h.
 */
#include "shell/machine.h"

#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#if WEFT_WITH_CUDA
#include <cuda_runtime_api.h>
#endif

#include "commit.h" /* made by every build: WEFT_COMMIT */

enum { TEXT_SIZE = 256 };

/* ---- the processor --------------------------------------------------------------------------- */

/* What follows `key` and `separator` on the first line of `path` that begins with key; "" if none.
 */
static void read_line_of(const char *path, const char *key, char separator, char text[TEXT_SIZE]) {
    char line[4096];
    FILE *file = fopen(path, "re");
    text[0] = '\0';
    while (file != NULL && text[0] == '\0' && fgets(line, sizeof line, file) != NULL) {
        const char *value = strchr(line, separator);
        if (strncmp(line, key, strlen(key)) == 0 && value != NULL) {
            snprintf(text, TEXT_SIZE, "%.*s", (int)strcspn(value + 2, "\n"), value + 2);
        }
    }
    if (file != NULL) {
        fclose(file);
    }
}

static void cpu_name(char text[TEXT_SIZE]) {
    read_line_of("/proc/cpuinfo", "model name", ':', text);
    if (text[0] == '\0') {
        snprintf(text, TEXT_SIZE, "unknown");
    }
}

/* ---- the GPU --------------------------------------------------------------------------------- */

#if WEFT_WITH_CUDA
/* The kernel driver's own version; where it does not tell, the CUDA version it is good for. */
static json_t *driver_version(void) {
    char line[TEXT_SIZE], text[TEXT_SIZE] = "";
    int version = 0;

    read_line_of("/proc/driver/nvidia/version", "NVRM version", ':', line);
    for (char *rest = line, *word; (word = strtok_r(rest, " ", &rest)) != NULL;) {
        if (word[0] >= '0' && word[0] <= '9' && strchr(word, '.') != NULL && text[0] == '\0') {
            snprintf(text, sizeof text, "%s", word);
        }
    }
    if (text[0] == '\0') {
        cudaDriverGetVersion(&version);
        snprintf(text, sizeof text, "CUDA %d.%d", version / 1000, version % 1000 / 10);
    }
    return json_string(text);
}

static void add_gpu(json_t *machine) {
    struct cudaDeviceProp about;
    char text[TEXT_SIZE];
    int count = 0, version = 0;

    if (cudaGetDeviceCount(&count) != cudaSuccess || count == 0 ||
        cudaGetDeviceProperties(&about, 0) != cudaSuccess) {
        cudaGetLastError();
        return;
    }
    cudaRuntimeGetVersion(&version);
    snprintf(text, sizeof text, "%d.%d", version / 1000, version % 1000 / 10);
    json_object_set_new(machine, "gpu", json_string(about.name));
    json_object_set_new(machine, "driver", driver_version());
    json_object_set_new(machine, "cuda", json_string(text));
}
#else
static void add_gpu(json_t *machine) {
    (void)machine;
}
#endif

/* ---- the build ------------------------------------------------------------------------------- */

/* A machine without git is told by the environment what it runs. */
static const char *commit(void) {
    const char *told = getenv("WEFT_COMMIT");
    return told != NULL && told[0] != '\0' ? told : WEFT_COMMIT;
}

static void date(char text[TEXT_SIZE]) {
    const time_t now = time(NULL);
    struct tm utc;
    gmtime_r(&now, &utc);
    strftime(text, TEXT_SIZE, "%Y-%m-%dT%H:%M:%SZ", &utc);
}

#ifdef __clang__
#define COMPILER __VERSION__
#else
#define COMPILER "gcc " __VERSION__
#endif

json_t *machine_json(void) {
    char cpu[TEXT_SIZE], now[TEXT_SIZE];
    json_t *machine;

    cpu_name(cpu);
    date(now);
    machine = json_pack("{s:s, s:i, s:n, s:n, s:n, s:s, s:s, s:s}", "cpu", cpu, "cores",
                        omp_get_num_procs(), "gpu", "driver", "cuda", "compiler", COMPILER,
                        "commit", commit(), "date", now);
    if (machine != NULL) {
        add_gpu(machine);
    }
    return machine;
}

const char *machine_text(const json_t *machine, const char *key) {
    const char *text = json_string_value(json_object_get(machine, key));
    return text != NULL ? text : "";
}
