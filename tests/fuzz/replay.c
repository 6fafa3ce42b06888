/* SPDX-License-Identifier: MIT
 * Gives a fuzzer's function files instead of libFuzzer's inputs: TARGET FOLDER..., all files of the
 * folders in the order of their names. Prints a PASS line for each; who fails has ended the
 * program.
 */
#include <dirent.h>
#include <string.h>

#include "fuzz.h"

/* Why this build cannot try them; "": it can. */
#ifndef REPLAY_SKIPPED
#define REPLAY_SKIPPED ""
#endif

/* Memory of the file's own size, so that AddressSanitizer sees what lies behind. */
static uint8_t *read_file(const char *path, size_t *count) {
    FILE *file = fopen(path, "rb");
    long end = file != NULL && fseek(file, 0, SEEK_END) == 0 ? ftell(file) : -1;
    must(end >= 0, "%s: cannot be read", path);
    *count = (size_t)end;
    uint8_t *bytes = malloc(*count + !*count);
    rewind(file);
    must(bytes != NULL && fread(bytes, 1, *count, file) == *count, "%s: cannot be read", path);
    fclose(file);
    return bytes;
}

static void replay(const char *folder, const char *name) {
    char path[4096];
    size_t count;
    snprintf(path, sizeof path, "%s/%s", folder, name);
    uint8_t *bytes = read_file(path, &count);
    if (REPLAY_SKIPPED[0] != '\0') {
        printf("SKIP %s: %s\n", name, REPLAY_SKIPPED);
    } else {
        LLVMFuzzerTestOneInput(bytes, count);
        printf("PASS %s\n", name);
    }
    free(bytes);
    fflush(stdout);
}

int main(int argc, char **argv) {
    for (int i = 1; i < argc; i++) {
        struct dirent **entries;
        int count = scandir(argv[i], &entries, NULL, alphasort);
        must(count >= 0, "%s: cannot be read", argv[i]);
        for (int j = 0; j < count; j++) {
            if (entries[j]->d_name[0] != '.') {
                replay(argv[i], entries[j]->d_name);
            }
            free(entries[j]);
        }
        free(entries);
    }
    return argc < 2;
}
