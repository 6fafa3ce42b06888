/* SPDX-License-Identifier: MIT
 * Reads the machine off /proc, OpenMP and the CUDA runtime; see machine.h.
 */
#include "shell/machine.h"

#include <errno.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#if WEFT_WITH_CUDA
#include <cuda_runtime_api.h>
#endif

#include "shell/complain.h"

#include "commit.h" /* made by every build: WEFT_COMMIT */

enum { TEXT_SIZE = 256 };

/* ---- the processor --------------------------------------------------------------------------- */

static int cannot_read(const char *path) {
    return complain(code_of_errno(), "%s: cannot read: %s", path, strerror(errno));
}

/* What follows `key` and a colon on the first line of `path` that begins with key; "" if none, or
 * if this system has no such file. */
static int read_line_of(const char *path, const char *key, char text[TEXT_SIZE]) {
    char line[4096];
    FILE *file = fopen(path, "re");
    int code = EXIT_DONE;
    text[0] = '\0';
    if (file == NULL) {
        return access(path, R_OK) != 0 ? EXIT_DONE : cannot_read(path);
    }
    while (text[0] == '\0' && fgets(line, sizeof line, file) != NULL) {
        const char *value = strstr(line, ": ");
        if (strncmp(line, key, strlen(key)) == 0 && value != NULL) {
            snprintf(text, TEXT_SIZE, "%.*s", (int)strcspn(value + 2, "\n"), value + 2);
        }
    }
    if (ferror(file)) {
        code = cannot_read(path);
    }
    fclose(file);
    return code;
}

static int cpu_name(char text[TEXT_SIZE]) {
    const int code = read_line_of("/proc/cpuinfo", "model name", text);
    if (text[0] == '\0') {
        snprintf(text, TEXT_SIZE, "unknown");
    }
    return code;
}

/* ---- the GPU --------------------------------------------------------------------------------- */

#if WEFT_WITH_CUDA
/* The kernel driver's own version; where it does not tell, the CUDA version it is good for. */
static int driver_version(char text[TEXT_SIZE]) {
    char line[TEXT_SIZE];
    const int code = read_line_of("/proc/driver/nvidia/version", "NVRM version", line);
    int version = 0;

    text[0] = '\0';
    for (char *rest = line, *word; (word = strtok_r(rest, " ", &rest)) != NULL;) {
        if (word[0] >= '0' && word[0] <= '9' && strchr(word, '.') != NULL && text[0] == '\0') {
            snprintf(text, TEXT_SIZE, "%s", word);
        }
    }
    if (text[0] == '\0') {
        cudaDriverGetVersion(&version);
        snprintf(text, TEXT_SIZE, "CUDA %d.%d", version / 1000, version % 1000 / 10);
    }
    return code;
}

static int add_gpu(json_t *machine) {
    struct cudaDeviceProp about;
    char text[TEXT_SIZE], driver[TEXT_SIZE];
    int count = 0, version = 0, code;

    if (cudaGetDeviceCount(&count) != cudaSuccess || count == 0 ||
        cudaGetDeviceProperties(&about, 0) != cudaSuccess) {
        cudaGetLastError();
        return EXIT_DONE;
    }
    code = driver_version(driver);
    cudaRuntimeGetVersion(&version);
    snprintf(text, sizeof text, "%d.%d", version / 1000, version % 1000 / 10);
    if (code == EXIT_DONE && (json_object_set_new(machine, "gpu", json_string(about.name)) != 0 ||
                              json_object_set_new(machine, "driver", json_string(driver)) != 0 ||
                              json_object_set_new(machine, "cuda", json_string(text)) != 0)) {
        code = complain(EXIT_MEMORY, "out of memory");
    }
    return code;
}
#else
static int add_gpu(json_t *machine) {
    (void)machine;
    return EXIT_DONE;
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

int machine_threads(void) {
    const int cores = omp_get_num_procs(), most = omp_get_thread_limit();

    return cores < most ? cores : most;
}

#ifdef __clang__
#define COMPILER __VERSION__
#else
#define COMPILER "gcc " __VERSION__
#endif

int machine_json(json_t **machine) {
    char cpu[TEXT_SIZE], now[TEXT_SIZE];
    int code = cpu_name(cpu);

    if (code != EXIT_DONE) {
        return code;
    }
    date(now);
    *machine = json_pack("{s:s, s:i, s:n, s:n, s:n, s:s, s:s, s:s}", "cpu", cpu, "cores",
                         omp_get_num_procs(), "gpu", "driver", "cuda", "compiler", COMPILER,
                         "commit", commit(), "date", now);
    code = *machine != NULL ? add_gpu(*machine) : complain(EXIT_MEMORY, "out of memory");
    if (code != EXIT_DONE) {
        json_decref(*machine);
    }
    return code;
}

const char *machine_text(const json_t *machine, const char *key) {
    const char *text = json_string_value(json_object_get(machine, key));
    return text != NULL ? text : "";
}
