/* SPDX-License-Identifier: MIT
 * How the cuemu tests speak: PASS and FAIL lines, and programs that call themselves to see
 * how a broken kernel ends.
 */
#ifndef WEFT_TESTS_CUEMU_VERDICT_H
#define WEFT_TESTS_CUEMU_VERDICT_H

#include "engine.h"
#include <sys/wait.h>
#include <unistd.h>

namespace verdict {

inline int passed = 0, failed = 0;
inline unsigned long races = 0; /* reported by TSan since the last verdict */

/* `why` is empty for a pass; a race is always a failure. Whom one failure is enough, as it is for
 * mutants, sets WEFT_TEST_STOP. */
inline void give(const std::string &name, std::string why) {
    if (races)
        why += (why.empty() ? "" : ", ") + std::to_string(races) + " data races";
    races = 0;
    printf("%s %s%s%s\n", why.empty() ? "PASS" : "FAIL", name.c_str(), why.empty() ? "" : ": ",
           why.c_str());
    fflush(stdout);
    (why.empty() ? passed : failed)++;
    if (failed && getenv("WEFT_TEST_STOP"))
        exit(1);
}

/* Runs `this_program argument...` and demands that it ends badly and says `words`. */
inline void expect_report(const std::string &name, const std::string &arguments,
                          const char *words) {
    char self[4096];
    const ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
    self[length > 0 ? length : 0] = 0;
    const std::string command =
        "TSAN_OPTIONS=halt_on_error=1 '" + std::string(self) + "' " + arguments;
    FILE *child = popen((command + " 2>&1").c_str(), "r");
    std::string said;
    for (int letter; child && (letter = fgetc(child)) != EOF;)
        said += (char)letter;
    const int status = child ? pclose(child) : -1;
    if (status == -1)
        give(name, "could not run itself");
    else if (!WIFEXITED(status))
        give(name, "ended by signal " + std::to_string(WTERMSIG(status)) + ", and said:\n" + said);
    else if (!WEXITSTATUS(status))
        give(name, "was not noticed by: " + command);
    else if (said.find(words) == std::string::npos)
        give(name, std::string("no \"") + words + "\" in what it said:\n" + said);
    else
        give(name, "");
}

/* The program's exit status. */
inline int end() {
    cuemu::print_counts();
    printf("%d passed, %d failed, 0 skipped\n", passed, failed);
    return failed != 0;
}

} // namespace verdict

#ifdef CUEMU_TSAN
/* A race is reported only while TSan remembers where the earlier access was, so that others may
 * come between: with its default it forgot some. */
extern "C" __attribute__((visibility("default"))) const char *__tsan_default_options() {
    return "history_size=4";
}

extern "C" __attribute__((visibility("default"))) void __tsan_on_report(void *) {
    verdict::races++;
}
#endif

#endif
