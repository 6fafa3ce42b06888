/* SPDX-License-Identifier: MIT
 * A weft-dx11/1 document as tables, a size each, then what was published and the claims. In every
 * build: a document may come from another machine.
 */
#include <math.h>
#include <string.h>

#include "reproduce/claims.h"
#include "reproduce/reproduce.h"
#include "shell/cells.h"

typedef struct row {
    int height, width, launches, is_exact, is_own; /* is_own: one of Weft's strategies */
    const char *technique, *operation, *twiddle, *layout, *source, *sink, *reason, *error;
    double read, written, counted_read, counted_written, rate, psnr, graph, stream;
    size_t samples;
} row;

/* "-" for null. */
static const char *word(const json_t *from, const char *name) {
    const char *text = page_text(json_object_get(from, name));

    return text[0] != '\0' ? text : "-";
}

static double number(const json_t *from, const char *name) {
    return page_number(json_object_get(from, name));
}

static int take_row(page *p, const json_t *from, row *r) {
    const json_t *graph, *stream, *samples;

    *r = (row){0};
    if (!page_take(p, from, "{s:s, s:s, s:i, s:i, s:i, s:b, s:o, s:o}", "technique", &r->technique,
                   "operation", &r->operation, "height", &r->height, "width", &r->width, "launches",
                   &r->launches, "exact", &r->is_exact, "graph", &graph, "stream", &stream) ||
        !page_list(p, graph, "samples_us", &samples)) {
        return 0;
    }
    r->is_own = !json_is_string(json_object_get(from, "layout"));
    r->twiddle = word(from, "twiddle");
    r->layout = r->is_own ? "planes" : word(from, "layout");
    r->source = r->is_own ? "float" : word(from, "source");
    r->sink = !r->is_own                                ? word(from, "sink")
              : strcmp(r->operation, "round trip") == 0 ? "float"
                                                        : "-";
    r->reason = page_text(json_object_get(from, "reason"));
    r->error = page_text(json_object_get(from, "error"));
    r->read = number(from, "bytes_read");
    r->written = number(from, "bytes_written");
    r->counted_read = number(from, "counted_read");
    r->counted_written = number(from, "counted_written");
    r->rate = number(from, "gb_per_s");
    r->psnr = number(from, "psnr_db");
    r->graph = number(graph, "median_us");
    r->stream = number(stream, "median_us");
    r->samples = json_array_size(samples);
    return 1;
}

/* ---- rows ------------------------------------------------------------------------------------ */

static void print_titles(page *p, const row *r) {
    page_print(p, "\n%-24s %-7s %-7s %-6s %-5s %8s %9s %9s %7s %10s %10s %7s %6s\n", "", "twiddle",
               "layout", "from", "to", "launches", "read MiB", "written", "counted", "graph",
               "stream", "GB/s", "PSNR");
    page_print(p, "%dx%d\n", r->height, r->width);
}

static const char *counted_cell(const row *r) {
    return !isfinite(r->counted_read)                                       ? "-"
           : r->counted_read == r->read && r->counted_written == r->written ? "equal"
                                                                            : "differs";
}

static void print_row(page *p, const row *r) {
    char cells[6][CELL_SIZE];

    page_print(p, "  %-22s %-7s %-7s %-6s %-5s", r->technique, r->twiddle, r->layout, r->source,
               r->sink);
    if (r->error[0] != '\0') {
        page_print(p, " FAILED: %s\n", r->error);
        page_wrong(p, "%dx%d %s: %s", r->height, r->width, r->technique, r->error);
    } else if (r->reason[0] != '\0') {
        page_print(p, " not run: %s\n", r->reason);
    } else {
        page_print(p, " %8d %9s %9s %7s %10s %10s %7s %6s\n", r->launches,
                   number_cell("%.1f", r->read / (1 << 20), cells[0]),
                   number_cell("%.1f", r->written / (1 << 20), cells[1]), counted_cell(r),
                   time_cell(r->graph, cells[2]), time_cell(r->stream, cells[3]),
                   number_cell("%.0f", r->rate, cells[4]),
                   r->is_exact ? "exact" : number_cell("%.1f", r->psnr, cells[5]));
    }
}

static void print_rows(page *p, const json_t *rows) {
    row r, before = {0};
    const json_t *each;
    size_t i;

    page_foreach(p, rows, i, each) {
        if (take_row(p, each, &r)) {
            if (before.height != r.height || before.width != r.width) {
                print_titles(p, &r);
            }
            print_row(p, &r);
            before = r;
        }
    }
}

/* How many there are of each time. */
static size_t samples_of(page *p, const json_t *rows) {
    const json_t *each;
    size_t i, most = 0;
    row r;

    page_foreach(p, rows, i, each) {
        if (take_row(p, each, &r) && r.samples > most) {
            most = r.samples;
        }
    }
    return most;
}

/* ---- what was published ---------------------------------------------------------------------- */

/* The median of the sample as it was, at that size. */
static double ours(page *p, const json_t *rows, const row *published, const char *twiddle) {
    const json_t *each;
    size_t i;
    row r;

    page_foreach(p, rows, i, each) {
        if (take_row(p, each, &r) && r.height == published->height && r.width == published->width &&
            strcmp(r.technique, published->technique) == 0 && strcmp(r.twiddle, twiddle) == 0 &&
            strcmp(r.layout, "planes4") == 0 && strcmp(r.source, "copy") == 0 &&
            strcmp(r.sink, "float") == 0) {
            return r.graph;
        }
    }
    return (double)NAN;
}

static void print_published(page *p, const json_t *rows, const json_t *published) {
    const char *where, *gpu;
    double their_lut, their_compute;
    char cells[5][CELL_SIZE];
    row r = {0};

    if (!page_take(p, published, "{s:s, s:s, s:s, s:i, s:i, s:F, s:F}", "where", &where, "gpu",
                   &gpu, "technique", &r.technique, "height", &r.height, "width", &r.width,
                   "lut_us", &their_lut, "compute_us", &their_compute)) {
        return;
    }
    const double lut = ours(p, rows, &r, "lut"), compute = ours(p, rows, &r, "compute");
    page_print(p, "\nthe article's %s, %s at %dx%d, with and without the table:\n", where,
               r.technique, r.height, r.width);
    page_print(p, "  %-32s %10.1f us %10.1f us %8.2f\n", gpu, their_lut, their_compute,
               their_lut / their_compute);
    page_print(p, "  %-32s %10s us %10s us %8s\n", "here", number_cell("%.2f", lut, cells[0]),
               number_cell("%.2f", compute, cells[1]),
               number_cell("%.2f", lut / compute, cells[2]));
    page_print(p, "  %-32s %10s    %10s\n", "times as fast",
               number_cell("%.0f", their_lut / lut, cells[3]),
               number_cell("%.0f", their_compute / compute, cells[4]));
}

void dx11_print(page *p, const json_t *document) {
    const json_t *rows, *published, *claims;
    const char *picture;

    if (!page_list(p, document, "rows", &rows) || !page_list(p, document, "claims", &claims) ||
        !page_take(p, document, "{s:s, s:o}", "picture", &picture, "published", &published)) {
        return;
    }
    page_print(p, "weft reproduce dx11: colour picture to spectrum and back, %zu samples\n",
               samples_of(p, rows));
    page_machine(p, document);
    page_print(p, "  data  %s\n", strcmp(picture, "scene") == 0 ? "the scene" : "the picture");
    page_weft(p, document);
    print_rows(p, rows);
    print_published(p, rows, published);
    claims_print(p, claims);
}
