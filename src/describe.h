/* SPDX-License-Identifier: MIT
 * The form in which strategies say what their passes are, so that all plans read alike:
 *
 *     "  columns   1080 = 15 9 8              mixed      " ... "   7.9 MiB in   7.9 MiB out"
 *
 * A strategy's describe() begins each line with describe_line(), adds what it knows of tiles and
 * threads with text_add(), and ends it with describe_bytes().
 */
#ifndef WEFT_DESCRIBE_H
#define WEFT_DESCRIBE_H

#include "arith/chirp.h"
#include "arith/factors.h"
#include "status.h"
#include "text.h"

/* The head of the line of a pass over lines with this list, which an engine transforms. convolved:
 * the length of the line if the list is that of its convolution, else 0: "683 in 2048 = 8 16 16".
 */
static inline void describe_list(text *to, const char *pass, size_t convolved,
                                 const factor_list *list, const char *engine) {
    enum { LIST_WIDTH = 26 };
    size_t length = 1, begin;
    text_add(to, "  %-9s ", pass);
    begin = to->used;
    for (int s = 0; s < list->count; s++) {
        length *= (size_t)list->radix[s];
    }
    if (convolved > 0) {
        text_add(to, "%zu in ", convolved);
    }
    text_add(to, "%zu =%s", length, list->count == 0 ? " 1" : "");
    for (int s = 0; s < list->count; s++) {
        text_add(to, " %d", list->radix[s]);
    }
    size_t used = to->used - begin;
    text_add(to, "%*s%-9s  ", (int)(used < LIST_WIDTH ? LIST_WIDTH - used : 1), "", engine);
}

/* The same for lines whose list is that of factor_line(); a length without one goes through
 * Bluestein's convolution. */
static inline void describe_line(text *to, const char *pass, size_t length, int axis,
                                 const char *engine) {
    factor_list list;
    if (factor_line(length, axis, 0, &list)) {
        describe_list(to, pass, 0, &list, engine);
    } else {
        factor_line(convolution_length(length), CONVOLVED, 0, &list);
        describe_list(to, pass, length, &list, "bluestein");
    }
}

/* The end of a pass's line: what it reads from memory and writes there, the batch of images. */
static inline void describe_bytes(text *to, size_t in, size_t out) {
    char in_text[BYTES_TEXT_SIZE], out_text[BYTES_TEXT_SIZE];
    text_add(to, "   %s in, %s out\n", bytes_text(in, in_text), bytes_text(out, out_text));
    to->moved += in + out;
}

#endif
