/* SPDX-License-Identifier: MIT
 * From how many domains on the transform pays: the search fft beside the plain search for the least
 * squares, which computes every product, over pictures of growing size.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "reproduce/fractal/experiment.h"
#include "shell/complain.h"
#include "shell/progress.h"

enum { PLAIN, BY_TRANSFORM, SEARCHES };
enum { DOMAINS_CELL, PLAIN_CELL, TRANSFORM_CELL, RATIO_CELL };

static const char *const searches[SEARCHES] = {"seq", "fft"};
static const size_t sizes[][2] = {{16, 16}, {32, 32}, {64, 64}, {96, 128}, {144, 176}, {288, 352}};
enum { SIZES = sizeof sizes / sizeof *sizes };

/* The upper left part of a picture; its samples are to be freed. */
static int cut_part(const film *from, const size_t size[2], film *part) {
    *part =
        (film){.format = {.height = size[0], .width = size[1], .chroma = VIDEO_MONO}, .frames = 1};
    part->samples = allocate(size[0], size[1]);
    for (size_t m = 0; part->samples != NULL && m < size[0]; m++) {
        memcpy(part->samples + m * size[1], from->samples + m * from->format.width, size[1]);
    }
    return part->samples != NULL ? EXIT_DONE : EXIT_MEMORY;
}

/* Some samples also where other times have one: which of two is the faster must not depend on what
 * else the machine did. */
static int time_part(const film *whole, const film *part, finding_row *row) {
    passage_coded coded[SEARCHES];
    int code = EXIT_DONE;

    for (int i = 0; code == EXIT_DONE && i < SEARCHES; i++) {
        const weft_fractal_desc desc = {
            .search = searches[i], .profile = WEFT_FRACTAL_DENSE, .threads = 1};
        const passage p = {
            .of = part, .part_of = whole, .end = 1, .samples = MOST_SAMPLES_OF_PASSAGE};

        code = passage_code(&p, &desc, &coded[i]);
        row->here[PLAIN_CELL + i] = coded[i].search_ms;
        passage_note_samples(&coded[i], row);
    }
    if (code == EXIT_DONE) {
        row->here[DOMAINS_CELL] = coded[PLAIN].domains;
        row->here[RATIO_CELL] = row->here[TRANSFORM_CELL] / row->here[PLAIN_CELL];
        row->terms = coded[PLAIN].terms;
    }
    return code;
}

/* The first size from which on the transform takes less time. */
static void note_first(finding_table *t) {
    size_t first = t->count;
    finding_row *row;

    while (first > 0 && t->rows[first - 1].here[RATIO_CELL] < 1) {
        first--;
    }
    row = finding_add(t, "fft is the faster from here on");
    if (first + 1 < t->count) {
        row->here[DOMAINS_CELL] = t->rows[first].here[DOMAINS_CELL];
    } else {
        snprintf(row->reason, sizeof row->reason, "it is not, up to this size");
    }
}

int find_overtaking(experiment *e) {
    if (e->no_seq) {
        return EXIT_DONE;
    }
    static const char *const columns[] = {"domains", "seq, ms", "fft, ms", "fft / seq", NULL};
    const film *f = &e->pictures[0];
    finding_table *t = findings_add(&e->found, "The search fft",
                                    "beside the plain search of the dense profile, on one thread, "
                                    "over parts of the first picture",
                                    columns);
    int code = EXIT_DONE;

    progress_start("The search fft");
    for (int i = 0; code == EXIT_DONE && i < SIZES; i++) {
        char what[MOST_WORDS];
        film part;

        if (sizes[i][0] > f->format.height || sizes[i][1] > f->format.width) {
            break;
        }
        snprintf(what, sizeof what, "%zux%zu", sizes[i][0], sizes[i][1]);
        code = cut_part(f, sizes[i], &part);
        code = code == EXIT_DONE ? time_part(f, &part, finding_add(t, what)) : code;
        free(part.samples);
        progress_step((double)(i + 1) / SIZES, NULL);
    }
    progress_end();
    note_first(t);
    return code;
}
