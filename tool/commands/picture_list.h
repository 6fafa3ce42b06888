/* SPDX-License-Identifier: MIT
 * Which pictures a command reads and what it writes for each: one file to one, or files and folders
 * into a folder, where every picture keeps its name.
 */
#ifndef WEFT_TOOL_COMMANDS_PICTURE_LIST_H
#define WEFT_TOOL_COMMANDS_PICTURE_LIST_H

#include <stddef.h>

#include <argp.h>

typedef struct picture_names {
    char *input, *output; /* output: NULL where nothing is written, and no name was given */
} picture_names;

typedef struct picture_list {
    picture_names *list;
    size_t count;
    const char *folder; /* that is to be there before a picture is written, or NULL */
    int is_folder_new;  /* it was made for this list */
} picture_list;

/* Out of the names of a command line; of a folder the pictures in it, by their endings, in the
 * order of their names. What is wrong ends the program: a usage error, or a folder that cannot be
 * read. output may be NULL. dry_run: nothing will be written. */
void picture_list_make(picture_list *p, struct argp_state *state, char *const *inputs, size_t count,
                       const char *output, int force, int dry_run);
int picture_list_make_folder(picture_list *p); /* an exit code, after a complaint */
/* Fine when zeroed. A folder that was made, and in which nothing has been written, goes. */
void picture_list_free(picture_list *p);

#endif
