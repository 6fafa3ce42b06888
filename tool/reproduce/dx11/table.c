/* SPDX-License-Identifier: MIT
 * The experiment as tables, a size each, then what was published and the claims; see
 * presentation.h.
 */
#include <math.h>
#include <stdio.h>

#include "reproduce/dx11/presentation.h"
#include "shell/cells.h"
#include "shell/machine.h"

/* ---- rows ------------------------------------------------------------------------------------ */

static void print_head(FILE *to, const dx11_experiment *e, const json_t *machine) {
    fprintf(to, "weft reproduce dx11: colour picture to spectrum and back, %d samples\n",
            DX11_SAMPLES);
    fprintf(to, "  GPU   %s, driver %s, CUDA %s\n", machine_text(machine, "gpu"),
            machine_text(machine, "driver"), machine_text(machine, "cuda"));
    fprintf(to, "  data  %s\n", e->options->picture != NULL ? "the picture" : "the scene");
    fprintf(to, "  weft  %s, commit %s, %s\n", weft_version(), machine_text(machine, "commit"),
            machine_text(machine, "compiler"));
}

static void print_titles(FILE *to, size_t height, size_t width) {
    fprintf(to, "\n%-24s %-7s %-7s %-6s %-5s %8s %9s %9s %7s %10s %10s %7s %6s\n", "", "twiddle",
            "layout", "from", "to", "launches", "read MiB", "written", "counted", "graph", "stream",
            "GB/s", "PSNR");
    fprintf(to, "%zux%zu\n", height, width);
}

static void print_names(FILE *to, const dx11_row *row) {
    const dx11_desc *d = &row->desc;
    if (row->own != NULL) {
        fprintf(to, "  %-22s %-7s %-7s %-6s %-5s", row->own->strategy,
                row->own->twiddle != NULL ? row->own->twiddle : "-", "planes", "float",
                row->own->and_back ? "float" : "-");
    } else {
        fprintf(to, "  %-22s %-7s %-7s %-6s %-5s", dx11_technique_words[d->technique],
                dx11_twiddle_words[d->twiddle], dx11_layout_words[d->layout],
                dx11_source_words[d->source], dx11_sink_words[d->sink]);
    }
}

static double mebibytes(const dx11_row *row, double bytes) {
    return row->own != NULL ? (double)NAN : bytes / (1 << 20);
}

static const char *counted_cell(const dx11_row *row) {
    if (!row->was_counted) {
        return "-";
    }
    return row->counted.read == row->predicted.read &&
                   row->counted.written == row->predicted.written
               ? "equal"
               : "differs";
}

static void print_row(FILE *to, const dx11_row *row) {
    const double median = row->graph.summary.median_us;
    const double bytes = mebibytes(row, row->predicted.read + row->predicted.written) * (1 << 20);
    char cells[6][CELL_SIZE];

    print_names(to, row);
    if (row->reason[0] != '\0' || row->failure[0] != '\0') {
        fprintf(to, " %s%s\n", row->reason[0] != '\0' ? "not run: " : "FAILED: ",
                row->reason[0] != '\0' ? row->reason : row->failure);
        return;
    }
    fprintf(to, " %8zu %9s %9s %7s %10s %10s %7s %6s\n", row->launches,
            number_cell("%.1f", mebibytes(row, row->predicted.read), cells[0]),
            number_cell("%.1f", mebibytes(row, row->predicted.written), cells[1]),
            counted_cell(row), time_cell(median, cells[2]),
            time_cell(row->stream.summary.median_us, cells[3]),
            number_cell("%.0f", bytes / median * 1e-3, cells[4]),
            isinf(row->psnr_db) ? "exact" : number_cell("%.1f", row->psnr_db, cells[5]));
}

static void print_rows(FILE *to, const dx11_experiment *e) {
    for (size_t i = 0; i < e->count; i++) {
        const dx11_desc *d = &e->rows[i].desc, *before = i > 0 ? &e->rows[i - 1].desc : NULL;
        if (before == NULL || before->height != d->height || before->width != d->width) {
            print_titles(to, d->height, d->width);
        }
        print_row(to, &e->rows[i]);
    }
}

/* ---- what was published, and the claims ------------------------------------------------------ */

static double ours(const dx11_experiment *e, dx11_twiddle twiddle) {
    const dx11_published *p = &dx11_figure_11;
    const dx11_desc d = dx11_as_it_was(p->height, p->width, p->technique, twiddle);
    const dx11_row *row = dx11_find_sample(e, &d);
    return row != NULL ? row->graph.summary.median_us : (double)NAN;
}

static void print_published(FILE *to, const dx11_experiment *e) {
    const dx11_published *p = &dx11_figure_11;
    const double lut = ours(e, DX11_LUT), compute = ours(e, DX11_COMPUTE);
    char cells[5][CELL_SIZE];

    fprintf(to, "\nthe article's %s, %s at %zux%zu, with and without the table:\n", p->where,
            dx11_technique_words[p->technique], p->height, p->width);
    fprintf(to, "  %-32s %10.1f us %10.1f us %8.2f\n", p->gpu, p->lut_us, p->compute_us,
            p->lut_us / p->compute_us);
    fprintf(to, "  %-32s %10s us %10s us %8s\n", "here", number_cell("%.2f", lut, cells[0]),
            number_cell("%.2f", compute, cells[1]), number_cell("%.2f", lut / compute, cells[2]));
    fprintf(to, "  %-32s %10s    %10s\n\n", "times as fast",
            number_cell("%.0f", p->lut_us / lut, cells[3]),
            number_cell("%.0f", p->compute_us / compute, cells[4]));
}

void dx11_table(FILE *to, const dx11_experiment *e, const dx11_claim *claims,
                const json_t *machine) {
    print_head(to, e, machine);
    print_rows(to, e);
    print_published(to, e);
    for (int i = 0; i < DX11_CLAIMS; i++) {
        fprintf(to, "%s %s: %s\n", dx11_verdict_word(claims[i].verdict), claims[i].name,
                claims[i].text);
    }
}
