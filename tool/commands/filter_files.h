/* SPDX-License-Identifier: MIT
 * The work of weft filter once its options are known: files are read, filtered and written.
 */
#ifndef WEFT_TOOL_COMMANDS_FILTER_FILES_H
#define WEFT_TOOL_COMMANDS_FILTER_FILES_H

#include "commands/picture_list.h"
#include "files/image.h"
#include "filter/filter.h"
#include "shell/options.h"

typedef struct filter_files {
    const filter *filter;
    const transform_options *options;
    const image_options *writing;
    const picture_list *pictures;
    const char *mask; /* where the gains are drawn, or NULL */
    size_t page;      /* of each file; 0: all */
    int dry_run;      /* explain only */
} filter_files;

/* A file that fails is complained about, and the others are done; the exit code of the first one of
 * the list that failed. */
int filter_files_do(const filter_files *f);

#endif
