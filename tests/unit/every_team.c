/* SPDX-License-Identifier: MIT
 * For tests of what several threads do: teams work where they do not pay, too. The linker turns
 * team_pays into __wrap_team_pays there.
 */
#include "worth.h"

int __real_team_pays(work_times *times);
int __wrap_team_pays(work_times *times);

int __wrap_team_pays(work_times *times) {
    __real_team_pays(times);
    return 1;
}
